"""Ignores every signal that it may, and so does its grandchild, which has left the group and holds the pipes."""

import os
import signal
import time

for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
    signal.signal(number, signal.SIG_IGN)
if os.fork() == 0:
    os.setsid()
    if os.fork() != 0:
        os._exit(0)
time.sleep(60)
