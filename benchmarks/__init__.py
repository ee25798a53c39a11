"""Speed claims, each reproducible with one command: `python3 run.py bench` lists them."""

from machine import core

core.use()
