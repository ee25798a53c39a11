"""What the network takes of a bot's clock, and how much less it may therefore think. Pure; all times in milliseconds.

A move costs what the bot thinks and what its messages travel. The second part is measured with every move: what the
server has charged, less what passed here. It is smoothed as TCP smooths its round trips (RFC 6298, section 2): a mean,
and a mean deviation, four of which a late answer stays within.
"""

from __future__ import annotations

from dataclasses import replace

from bots.base import Budget
from protocol.bounds import FORGIVEN_A_MOVE_MS

_MEAN_WEIGHT = 1 / 8
_DEVIATION_WEIGHT = 1 / 4
_DEVIATIONS = 4
"""Alpha, beta and K of RFC 6298."""

_NEAR_MS = 5.0
"""Up to such a mean nothing is kept back but that: this machine, or its neighbour."""

_AGAIN_MS = 200.0
_AGAIN = 3
"""A packet that is lost is sent again after so long, at the least, and a way (RFC 6298 as Linux has it); how many such
there is time kept for, at any moment."""

_SLACK_MS = 20.0
"""How much longer than planned a move may take: an increment pays for it, if there is one beyond the way."""

_LONGEST_MS = 5000.0
"""A longer way than this is an outage, of which nothing is to be learnt."""


class Latency:
    """The network between a bot's process and its server, as far as it is known."""

    __slots__ = ("_deviation_ms", "_is_own", "mean_ms")

    def __init__(self) -> None:
        self.mean_ms = 0.0
        self._deviation_ms = 0.0
        self._is_own = False

    @property
    def jitter_ms(self) -> float:
        """How much longer than usual a move may be on its way."""
        return _DEVIATIONS * self._deviation_ms

    def told(self, rtt_ms: int) -> None:
        """What the server says: it counts until something was measured here."""
        if not self._is_own:
            self.mean_ms, self._deviation_ms = float(rtt_ms), rtt_ms / 2

    def measured(self, ms: float) -> None:
        """A move cost so much more than was thought about it."""
        if ms > _LONGEST_MS:
            return
        ms = max(0.0, ms)
        if not self._is_own:
            self._is_own = True
            self.mean_ms, self._deviation_ms = ms, ms / 2
            return
        self._deviation_ms += _DEVIATION_WEIGHT * (abs(self.mean_ms - ms) - self._deviation_ms)
        self.mean_ms += _MEAN_WEIGHT * (ms - self.mean_ms)


def leave_for(latency: Latency, budget: Budget, moves: int) -> Budget:
    """`budget` without what the network takes of it, for the first of `moves` moves that are still to be made.

    Kept back is the way of this move with its jitter, but for what is given back; of the ways of all later moves what
    their increments don't pay; and something for packets that get lost. So who uses what he is told does not lose on
    time, however far away; on this machine next to nothing is kept back.
    """
    if budget.remaining_ms is None:
        return budget
    given = budget.allowance_ms
    cost_ms = max(0.0, latency.mean_ms + latency.jitter_ms - given)
    again_ms = 0.0 if latency.mean_ms <= _NEAR_MS else _AGAIN_MS + latency.mean_ms
    increment_ms = budget.increment_ms
    if budget.move_ms is None:
        later_ms = max(0.0, latency.mean_ms - min(given, FORGIVEN_A_MOVE_MS)) + min(_SLACK_MS, latency.mean_ms)
        cost_ms += max(0.0, later_ms - increment_ms) * max(0, moves - 1) + _AGAIN * again_ms
        increment_ms = max(0, increment_ms - round(later_ms))
    else:
        cost_ms += min(again_ms, budget.move_ms / 4)
    left_ms = max(0, budget.remaining_ms - round(cost_ms))
    if (left_ms, increment_ms) == (budget.remaining_ms, budget.increment_ms):
        return budget
    return replace(budget, remaining_ms=left_ms, increment_ms=increment_ms, flag_ms=budget.remaining_ms)
