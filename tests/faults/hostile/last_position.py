"""Answers every question with its answer to the one before."""

import sys

answer = sys.stdin.readline().split()[-1]
print(answer, flush=True)
for line in sys.stdin:
    print(answer, flush=True)
    answer = line.split()[-1]
