"""What the server answers to plain requests: pages, figures, Python for browsers."""
