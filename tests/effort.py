"""How much something does, and how long it takes by itself: the same on every machine, whatever else that is doing."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from pathlib import Path
from types import FrameType


def calls(action: Callable[[], object]) -> int:
    """How many functions, of Python and built in, `action` calls."""
    counted = 0

    def count(_frame: FrameType, event: str, _argument: object) -> None:
        nonlocal counted
        counted += event in {"call", "c_call"}

    before = sys.getprofile()
    sys.setprofile(count)
    try:
        action()
    finally:
        sys.setprofile(before)
    return counted


def kept_waiting_s(pid: int | None = None) -> float:
    """For how long the main thread of a process (None: this thread) has been ready to run while others had the cores.

    0 where the system does not tell. A child that has ended still tells it until it is waited for.
    """
    try:
        told = Path("/proc", "thread-self" if pid is None else str(pid), "schedstat").read_text(encoding="ascii")
    except OSError:
        return 0.0
    return int(told.split()[1]) / 1e9


def seconds_to_end(pid: int, ask: Callable[[], object]) -> float:
    """How many seconds a child takes to end once it was asked to, less those in which others had the cores.

    It is still to be waited for.
    """
    began, waited = time.monotonic(), kept_waiting_s(pid) + kept_waiting_s()
    ask()
    os.waitid(os.P_PID, pid, os.WEXITED | os.WNOWAIT)
    return time.monotonic() - began - (kept_waiting_s(pid) + kept_waiting_s() - waited)
