"""How much of a class each pupil may take: what they are told, and what is kept for them, is charged to them. Pure.

The server's rates hold for one connection, but a pupil may reconnect again and again. All that the class sends goes
over one connection, which has a rate, too: without a share for each pupil, one of them could use up all of it.
"""

from __future__ import annotations

from typing import Final

from server.ratelimit import Bucket

RATE: Final = 100.0
BURST: Final = 600.0
"""Units a second, and at once: enough for a page that opens with its games and its longest draft."""

KEPT: Final = 50
"""The cost of a write to the disk, in units: a slow disk takes a tenth of a second."""

CHARACTERS: Final = 1024
"""How many characters of letters to readers cost a unit."""

ANSWERS: Final = 4.0
ANSWERS_BURST: Final = 8.0
"""Who has nothing left is told so this many times, a second and at once; the rest of a flood gets no answer."""


class Share:
    """What one pupil may take."""

    __slots__ = ("_answers", "_units")

    def __init__(self) -> None:
        self._units = Bucket(RATE, BURST)
        self._answers = Bucket(ANSWERS, ANSWERS_BURST)

    def is_used_up(self, now: float) -> bool:
        """Whether there are no units left for now."""
        return not self._units.has_any(now)

    def spend(self, now: float, units: float) -> None:
        """Charges for what was done."""
        self._units.spend(now, units)

    def is_answered(self, now: float) -> bool:
        """Whether somebody with nothing left is told so."""
        return self._answers.take(now)


class Shares:
    """Those of all pupils, by the door that they came through."""

    def __init__(self) -> None:
        self._of: dict[str, Share] = {}

    def of(self, door: str) -> Share:
        """The share of a pupil."""
        return self._of.setdefault(door, Share())
