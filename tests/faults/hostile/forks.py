"""A fork bomb with a bound of its own, in case that nothing else holds it: 72 processes in groups of their own."""

import os
import time

for _ in range(71):
    if os.fork() == 0:
        os.setsid()
        break
time.sleep(60)
