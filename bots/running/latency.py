"""Measures network delay and reserves time for it on a bot's clock. Pure; all times in milliseconds.

A move costs the bot's thinking time and the delay of its messages. The delay is measured with every move: the time that
the server has charged, less the time that passed here. It is smoothed as TCP smooths its round-trip times (RFC 6298,
section 2): a mean and a mean deviation; nearly all answers come within the mean plus four deviations.
"""

from __future__ import annotations

from collections import deque
from dataclasses import replace

from bots.base import Budget
from protocol.bounds import FORGIVEN_A_MOVE_MS

_MEAN_WEIGHT = 1 / 8
_DEVIATION_WEIGHT = 1 / 4
_DEVIATIONS = 4
"""Alpha, beta and K of RFC 6298."""

_NEAR_MS = 5.0
"""If the mean is at most this (the server is on this machine or near it), there is no reserve for lost packets."""

_HICCUP_MS = 20.0
_USUAL = 8
"""On the way to a server on this machine nothing gets lost: a late answer means that the machine was busy for a moment.
So a delay there counts for _HICCUP_MS at most, and one hiccup does not cost a bot its time in the next moves. That
holds while the shortest of the last _USUAL delays is as short as the address promises (behind a tunnel it is not)."""

_AGAIN_MS = 200.0
_AGAIN = 3
"""A lost packet is sent again after at least _AGAIN_MS plus a delay (RFC 6298, as in Linux). On a clock for the whole
game there is a reserve for _AGAIN lost packets; on a clock for each move, for one, at most a quarter of its time."""

_SLACK_MS = 20.0
"""How much longer than planned a move may take: what an increment adds beyond the network delay pays for it."""

_LONGEST_MS = 5000.0
"""A longer delay than this is an outage, and no measurement."""


class Latency:
    """What is known of the network delay between a bot's process and its server.

    is_here: whether the server's address is one of this machine.
    """

    __slots__ = ("_deviation_ms", "_is_here", "_is_own", "_last_ms", "_told_ms", "mean_ms")

    def __init__(self, *, is_here: bool = False) -> None:
        self.mean_ms = 0.0
        self._deviation_ms = 0.0
        self._is_own = False
        self._is_here = is_here
        self._told_ms = 0.0
        self._last_ms: deque[float] = deque(maxlen=_USUAL)

    @property
    def is_near(self) -> bool:
        """Whether the server is so near that nothing gets lost on the way."""
        return self.mean_ms <= _NEAR_MS or self._is_next_door

    @property
    def _is_next_door(self) -> bool:
        """Whether the server is on this machine, and delays are mostly those of a machine that is not too busy."""
        told = (self._told_ms,) if self._told_ms else ()  # 0 says that the server does not know
        return self._is_here and min((*told, *self._last_ms), default=_LONGEST_MS) <= _NEAR_MS

    @property
    def jitter_ms(self) -> float:
        """By how much more than usual a move may be delayed."""
        return _DEVIATIONS * self._deviation_ms

    def told(self, rtt_ms: int) -> None:
        """Takes the server's estimate, which counts until a delay is measured here."""
        self._told_ms = float(rtt_ms)
        if not self._is_own:
            self.mean_ms, self._deviation_ms = float(rtt_ms), rtt_ms / 2

    def measured(self, ms: float) -> None:
        """Takes a measurement: the time that the server charged for a move beyond the bot's thinking."""
        if ms > _LONGEST_MS:
            return
        ms = max(0.0, ms)
        self._last_ms.append(ms)
        if self._is_next_door:
            ms, self.mean_ms = min(ms, _HICCUP_MS), min(self.mean_ms, _HICCUP_MS)
            self._deviation_ms = min(self._deviation_ms, _HICCUP_MS / 2)
            self._is_own = self._is_own or self._told_ms > 0  # the first one may be a hiccup, so it is smoothed, too
        if not self._is_own:
            self._is_own = True
            self.mean_ms, self._deviation_ms = ms, ms / 2
            return
        self._deviation_ms += _DEVIATION_WEIGHT * (abs(self.mean_ms - ms) - self._deviation_ms)
        self.mean_ms += _MEAN_WEIGHT * (ms - self.mean_ms)


def leave_for(latency: Latency, budget: Budget, moves: int) -> Budget:
    """`budget` without what the network takes of it, for the first of `moves` moves that are still to be made.

    Three amounts are kept back:
    - the delay of this move with its jitter, less what the server gives back;
    - the delays of all later moves, as far as increments don't pay for them;
    - a reserve for lost packets.

    So a bot that uses its whole
    budget does not lose on time, however far away it is. On this machine next to nothing is kept back.
    """
    if budget.remaining_ms is None:
        return budget
    given = budget.allowance_ms
    cost_ms = max(0.0, latency.mean_ms + latency.jitter_ms - given)
    again_ms = 0.0 if latency.is_near else _AGAIN_MS + latency.mean_ms
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
