"""Plays its first move, then divides by zero."""

import sys

print(sys.stdin.readline().split()[-1], flush=True)
print(len(sys.stdin.readline()) / 0)
