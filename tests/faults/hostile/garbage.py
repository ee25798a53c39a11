"""Writes without end, and never a newline."""

import sys

while True:
    sys.stdout.write("\x00\xff{[" * 1000)
