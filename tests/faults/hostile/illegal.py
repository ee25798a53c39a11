"""Plays where there is no board."""

import sys

for _line in sys.stdin:
    print("j10", flush=True)
