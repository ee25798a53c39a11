"""Plays its first move, then never again."""

import sys
import time

print(sys.stdin.readline().split()[-1], flush=True)
sys.stdin.readline()
time.sleep(60)
