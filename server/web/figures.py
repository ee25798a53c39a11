"""What the shell counts while it works: plain numbers, which cost nothing to keep. Pure."""

from __future__ import annotations

import math
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final

COMMIT_SECONDS: Final = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1.0)
LAG_SECONDS: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1.0)


ALWAYS_COUNTED: Final = 250
"""So many matches are counted for each request."""

COUNT_LASTS_S: Final = 0.0001
"""For each match, how long the count of more is told again: some five hundred times as long as counting it takes."""

_STATUSES: Final = ("waiting", "playing", "paused", "finished")


class Histogram:
    """How many values were at most each of `bounds`; the last count is of those above all."""

    __slots__ = ("bounds", "counts", "total")

    def __init__(self, bounds: tuple[float, ...]) -> None:
        self.bounds = bounds
        self.counts = [0] * (len(bounds) + 1)
        self.total = 0.0

    def observe(self, value: float) -> None:
        """Counts one value."""
        self.counts[bisect_left(self.bounds, value)] += 1
        self.total += value


class MatchCounts:
    """How many matches there are, by status. Anybody may ask, so of many it tells what it has counted lately."""

    def __init__(self) -> None:
        self._counts: dict[str, int] = {}
        self._until = -math.inf

    def counts(self, statuses: Iterable[str], now: float) -> dict[str, int]:
        """Counts the `statuses` of all matches, unless they were counted a moment ago."""
        if now >= self._until:
            found = Counter(statuses)
            held = found.total()
            self._counts = {status: found[status] for status in _STATUSES}
            self._until = now + (held * COUNT_LASTS_S if held > ALWAYS_COUNTED else 0.0)
        return self._counts


@dataclass(slots=True)
class Figures:
    """Counts since the start; times in seconds. lag: how late the loop's beat came."""

    commits: Histogram = field(default_factory=lambda: Histogram(COMMIT_SECONDS))
    lag: Histogram = field(default_factory=lambda: Histogram(LAG_SECONDS))


@dataclass(frozen=True, slots=True)
class State:
    """The server at one moment. store: `ok`, `none` (nothing is kept) or `trouble` (it can't write: clocks stand).

    early: connections before their `hello`, by stage. refused: connections that were turned away, by reason.
    wrong: wrong passwords and tokens, by kind.
    """

    connections: int
    matches: dict[str, int]
    moves: int
    queue: int
    aborted: int
    store: str
    stalled_seconds: float
    figures: Figures
    early: Mapping[str, int]
    refused: Mapping[str, int]
    wrong: Mapping[str, int]
