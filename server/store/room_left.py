"""Whether the disk has little room left: then no match begins, so that those that were begun can be played to the end.

Without it, whoever plays without end within their rate would at last pause the games of all.
"""

from __future__ import annotations

import math
import shutil
from pathlib import Path
from typing import Final

from server.logs import Event, note
from server.store.schema import MEMORY

LEAST_FREE: Final = 64 << 20
"""Bytes that stay free for the matches that have begun: ten thousand games of sixty moves."""

LEAST_SHARE: Final = 20
"""On a small disk so little may be free: one part in so many."""

ENOUGH: Final = 1.5
"""There is room again once so many times as much is free, so that it does not come and go with each match."""

CHECK_SECONDS: Final = 2.0
"""From one look at the disk to the next."""


class RoomLeft:
    """The disk of the file at `path`. scarce: whether it had too little room when it was last looked at."""

    def __init__(self, path: str) -> None:
        self._folder = None if path == MEMORY else Path(path).parent
        self._next = -math.inf
        self.scarce = False

    def look(self, now: float) -> bool:
        """Looks at the disk, if it is time; returns whether that has changed anything."""
        if self._folder is None or now < self._next:
            return False
        self._next = now + CHECK_SECONDS
        try:
            total, _used, free = shutil.disk_usage(self._folder)
        except OSError:
            return False
        least = min(LEAST_FREE, total // LEAST_SHARE)
        before, self.scarce = self.scarce, free < least * (ENOUGH if self.scarce else 1)
        if self.scarce and not before:
            note(Event.STORE_SCARCE, free=free >> 20)
        return self.scarce is not before
