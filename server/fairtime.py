"""The time that players are charged for: the monotonic clock without the server's own stalls and pauses. Pure.

A beat is expected every `beat` seconds. If it (or whatever else asks for the time first) comes late by more than
`tolerance`, the server itself has stalled, and the whole delay is left out for everybody. `freeze` stops the time while
nothing can be recorded.
"""

from __future__ import annotations

import math

from server.match.clock import Stalls


class FairTime:
    """All times in seconds; `monotonic` never goes back. `stalls.total` is what was left out so far."""

    def __init__(self, monotonic: float, stalls: Stalls, beat: float = 0.1, tolerance: float = 0.05) -> None:
        self.beat = beat
        self._tolerance = tolerance
        self._stalls = stalls
        self._due = monotonic + beat
        self._frozen_at: float | None = None

    @property
    def frozen(self) -> bool:
        """Whether the time stands still."""
        return self._frozen_at is not None

    def at(self, monotonic: float) -> float:
        """The fair time of a moment; asking for it notes a stall that just ended."""
        if self._frozen_at is not None:
            self._stalls.total = monotonic - self._frozen_at
            return self._frozen_at
        late = monotonic - self._due
        if late > self._tolerance:
            self._stalls.total += late
            self._due = monotonic + self.beat
        return monotonic - self._stalls.total

    def beaten(self, monotonic: float) -> None:
        """The beat came: the loop is alive."""
        self.at(monotonic)
        self._due = monotonic + self.beat

    def monotonic(self, fair: float) -> float:
        """When the fair time will be `fair`, if nothing stalls until then."""
        total = self._stalls.total
        moment = fair + total
        while moment - total < fair:  # floats round: a timer that is early by a bit would go off again and again
            moment = math.nextafter(moment, math.inf)
        return moment

    def freeze(self, monotonic: float) -> None:
        """Stops the time."""
        if self._frozen_at is None:
            self._frozen_at = self.at(monotonic)

    def thaw(self, monotonic: float) -> None:
        """Lets the time go on where it stopped."""
        if self._frozen_at is not None:
            self.at(monotonic)
            self._frozen_at = None
            self._due = monotonic + self.beat
