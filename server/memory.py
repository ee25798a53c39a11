"""When the garbage collector runs, and when memory goes back to the system: rarely, and mostly in calm moments.

By default Python collects after every few thousand new objects. With ten thousand connections that stopped the server
for 20 to 120 ms at a time and found nothing: the server's own work leaves no reference cycles, and connections break
theirs when they end (`server.connections.link`). Here only new objects are examined, for some milliseconds at a time. A
full collection runs when memory has grown by half and the server has little to do; busy or not, at MOST_GROWTH times.

After a crowd or an attack the C library still holds freed memory, in gaps between what is in use. Once the server is
calm again, the library is asked to return what it can.
"""

from __future__ import annotations

import ctypes
import gc
import sys
import time
from collections.abc import Callable
from pathlib import Path

YOUNG = 30_000
"""New objects that are looked through at once: some 3 ms."""

FEW = 100_000
"""Blocks of memory by which it may grow without a look at everything: some megabytes."""

LOOK_S = 1.0
"""How often the memory in use is measured."""

BUSY = 0.1
"""The share of a core above which a server has much to do: ten thousand connections that only answer pings are much."""

MOST_GROWTH = 16
"""A full collection runs, busy or not, once so many times as much is alive: with 10,000 connections it takes 0.7 s."""

CALM_LOOKS = 5
"""Calm looks in a row before memory is given back."""

CHANGED = 0.1
"""The part by which memory has changed since it was given back, if it is worth doing it again."""

Clock = Callable[[], float]


class Collector:
    """Takes the collector of this process over, from `start` to `stop`; whoever has a clock calls `tend`.

    worked: processor seconds that were used. give_back: asks the system to take memory that is free.
    """

    def __init__(
        self,
        clock: Clock = time.monotonic,
        worked: Clock = time.process_time,
        give_back: Callable[[], None] | None = None,
    ) -> None:
        """Changes nothing yet."""
        self._clock = clock
        self._worked = worked
        self._give_back = give_back or trim
        self._running = False
        self._looked_at, self._had_worked = 0.0, 0.0
        self._known = 0  # blocks after all was looked through
        self._most = 0  # blocks at the worst moment since memory was given back
        self._resident = 0
        self._calm = 0

    def start(self) -> None:
        """Leaves what is there alone for good: of what is needed to start, little was dropped."""
        gc.freeze()
        gc.disable()
        self._running = True
        self._looked_at, self._had_worked = self._clock(), self._worked()
        self._known = self._most = sys.getallocatedblocks()
        self._resident = resident_bytes()

    def tend(self) -> None:
        """Does what is worth doing at this moment."""
        if not self._running:
            return
        if gc.get_count()[0] >= YOUNG:
            gc.collect(1)
        now = self._clock()
        if now - self._looked_at >= LOOK_S:
            worked = self._worked()
            busy = (worked - self._had_worked) / (now - self._looked_at)
            self._looked_at, self._had_worked = now, worked
            self._calm = 0 if busy > BUSY else self._calm + 1
            self._look()

    def stop(self) -> None:
        """Hands the collector back to Python."""
        if self._running:
            gc.unfreeze()
            gc.enable()
            self._running = False

    def _look(self) -> None:
        blocks = sys.getallocatedblocks()
        self._most = max(self._most, blocks)
        is_due = self._calm >= CALM_LOOKS and blocks > self._known * 3 // 2 + FEW
        if is_due or blocks > self._known * MOST_GROWTH + FEW:
            gc.collect()
            self._known = sys.getallocatedblocks()
        elif self._calm >= CALM_LOOKS and self._has_changed(blocks):
            self._give_back()
            self._known = min(self._known, blocks)
            self._most, self._resident = blocks, resident_bytes()

    def _has_changed(self, blocks: int) -> bool:
        return blocks < (1 - CHANGED) * self._most or resident_bytes() > (1 + CHANGED) * self._resident


def resident_bytes() -> int:
    """The memory of this process that is in RAM, in units of the system; 0 where that is not known."""
    try:
        return int(Path("/proc/self/statm").read_bytes().split()[1])
    except (OSError, ValueError, IndexError):
        return 0


def trim() -> None:
    """Gives free memory back to the system, where the C library is glibc (malloc_trim(3))."""
    if sys.platform.startswith("linux"):
        give_back = getattr(ctypes.CDLL(None), "malloc_trim", None)
        if give_back is not None:
            give_back(0)
