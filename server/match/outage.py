"""How long a clock has stood because the player to move was cut off, and how long it still may. Pure.

Where the rules of a match say `outage = "pause"`, nobody loses on time because of the network: the clock stands from
the last sign of life until the player is back and was asked again. The total for each seat of a match is bounded, so
a link that comes and goes uses it up like one that stays away.
"""

from __future__ import annotations

import math
from typing import Final

from games import Seat
from protocol.messages import Network

PLAIN: Final = Network()
"""The network rules of a match that was created without any."""


class Outage:
    """Whose clock stands in one match, if one does; away_ms: for how long that of each seat stood before."""

    __slots__ = ("_most_ms", "_seat", "_since", "away_ms", "pauses")

    def __init__(self, network: Network | None) -> None:
        self.pauses = network is not None and network.outage == "pause"
        self._most_ms = (network or PLAIN).most_ms
        self.away_ms = [0, 0]
        self._seat: Seat | None = None
        self._since = 0.0

    @property
    def seat(self) -> Seat | None:
        """Whose clock stands; None if none does."""
        return self._seat

    def begin(self, seat: Seat, now: float) -> None:
        """The clock of `seat` stands from `now` on, if it does not yet."""
        if self._seat is not seat:
            self.end(now)
            self._seat, self._since = seat, now

    def end(self, now: float) -> None:
        """No clock stands any more."""
        if self._seat is not None:
            self.away_ms[self._seat - 1] += self._passed_ms(now)
            self._seat = None

    def left_ms(self, seat: Seat, now: float) -> int:
        """For how much longer the clock of `seat` may stand."""
        passed = self._passed_ms(now) if self._seat is seat else 0
        return max(0, self._most_ms - self.away_ms[seat - 1] - passed)

    def restore(self, seat: Seat, left_ms: int) -> None:
        """What `left_ms` was when it was recorded; nothing stands for `seat`."""
        self.away_ms[seat - 1] = max(0, self._most_ms - left_ms)
        if self._seat is seat:
            self._seat = None

    def deadline(self) -> float:
        """When the clock has stood for long enough; infinite while none stands."""
        if self._seat is None:
            return math.inf
        return self._since + max(0, self._most_ms - self.away_ms[self._seat - 1]) / 1000

    def _passed_ms(self, now: float) -> int:
        return max(0, math.floor((now - self._since) * 1000 + 1e-6))
