"""Writes its thoughts to stderr, megabytes of them, instead of a move."""

import sys

while True:
    sys.stderr.write("thinking ... " * 10_000)
