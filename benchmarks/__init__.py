"""Speed claims, each reproducible with one command: `python3 run.py bench` lists them."""
