"""Who of the two players of a match is away, since when, and what follows from it. Pure."""

from __future__ import annotations

import math
from collections.abc import Sequence

from games import Seat
from protocol.messages import Network, Presence
from server.match.terms import SEATS, Timeouts


class Absences:
    """The absent seats, and since when; `told`: the seats whose opponents were told that they may claim the win."""

    __slots__ = ("_network", "_timeouts", "since", "told")

    def __init__(self, timeouts: Timeouts, network: Network | None) -> None:
        self._timeouts = timeouts
        self._network = network
        self.since: dict[Seat, float] = {}
        self.told: set[Seat] = set()

    def __bool__(self) -> bool:
        """Whether anybody is away."""
        return bool(self.since)

    @property
    def patience_s(self) -> float:
        """How long somebody may be away before the opponent may claim the win."""
        return self._timeouts.absence if self._network is None else self._network.most_ms / 1000

    def is_everybody(self) -> bool:
        """Whether both are away."""
        return len(self.since) == len(SEATS)

    def note(self, seat: Seat, event: Presence, now: float) -> None:
        """Records that a player came or went, or that their absence may now cost them the match."""
        if event.present:
            self.since.pop(seat, None)
            self.told.discard(seat)
        elif event.claimable_ms == 0:
            self.told.add(seat)
        else:
            self.since[seat] = now
            self.told.discard(seat)

    def begin_anew(self, now: float) -> None:
        """Restarts every absence at `now`, and forgets which opponents were told."""
        self.since = dict.fromkeys(self.since, now)
        self.told.clear()

    def waits_until(self, opened: float) -> float:
        """When a match that has waited for its players since `opened` expires."""
        gone = (since + self._timeouts.left_waiting for since in self.since.values())
        return min(gone, default=opened + self._timeouts.waiting)

    def deadline(self) -> float:
        """When a running match ends because both players are away, or when an opponent may claim the win."""
        if self.is_everybody():
            abandonment = self._timeouts.abandonment
            wait = abandonment if self._network is None else max(abandonment, self.patience_s)
            return max(self.since.values()) + wait
        wait = self.patience_s
        return min((since + wait for seat, since in self.since.items() if seat not in self.told), default=math.inf)

    def claimable(self, now: float) -> Sequence[Seat]:
        """The absent seats whose opponent may claim the win, and was not told so yet."""
        wait = self.patience_s
        return [seat for seat, since in self.since.items() if since + wait <= now and seat not in self.told]
