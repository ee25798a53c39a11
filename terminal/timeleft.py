"""How long work still takes, from how it went so far, and how that is said. Pure, except for the language.

Work is counted in units (games, positions) that are much alike; what was done before this process began plays no part.
The rate is that of the last units. A pause (a machine that slept, a league that its organiser stopped) is a wait much
longer than nearly all others: it counts as a long one and no more.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Sequence
from typing import Final

from locales import _, ngettext

_WAITS: Final = 60
"""How many of the last waits make the rate: enough for an average, few enough to follow what changes."""

_PAUSE: Final = 5.0
"""A wait counts as at most this many times the longest of the shortest nine in ten."""

_FEW: Final = 4
"""With fewer waits than this, none is taken for a pause."""

_FIRST_S: Final = 5.0
_GROWTH: Final = 1.5
_LAST_S: Final = 60.0
"""Of progress lines: when the first comes, the factor by which the time between two grows, and its maximum."""


_SHORT_S: Final = 7.5
"""A shorter time is "a few seconds"."""

_LONGEST_S: Final = 999 * 86_400.0
"""The longest time that is shown."""


class Pace:
    """How fast units are done. `now` is in monotonic seconds, `done` counts all units, earlier ones too.

    Units that are done at once, as in parallel work, make one wait.
    """

    def __init__(self, now: float, done: float = 0) -> None:
        self._done = done
        self._at = now
        self._waits: deque[tuple[float, float]] = deque(maxlen=_WAITS)

    def note(self, now: float, done: float) -> None:
        """Records that `done` units are done at `now`; a smaller number than before (annulled games) makes no wait."""
        if done > self._done:
            self._waits.append((max(now - self._at, 0.0), done - self._done))
            self._at = now
        self._done = done

    def left(self, now: float, todo: float) -> float | None:
        """Seconds until `todo` more units are done; None before the first is."""
        if not self._waits:
            return None
        if todo <= 0:
            return 0.0
        longest = self._longest()
        waited = math.fsum(min(wait, longest) for wait, _units in self._waits)
        typical = waited / len(self._waits)
        since = min(max(now - self._at, 0.0), longest)
        waited += max(since - typical, 0.0)  # the next unit is late: the work has become slower
        each = waited / math.fsum(units for _wait, units in self._waits)
        return max(todo * each - min(since, typical), 0.0)

    def _longest(self) -> float:
        """The longest wait that counts whole: those beyond it are pauses."""
        waits = sorted(wait for wait, _units in self._waits)
        if len(waits) < _FEW:
            return math.inf
        return _PAUSE * waits[-1 - max(1, len(waits) // 10)]


def left_growing(taken: Sequence[float], steps: int, limit: float | None) -> float | None:
    """Seconds for up to `steps` more, each harder than the last by a constant factor; None if that can't be said.

    taken: what the last steps took, oldest first. limit: a step that takes longer is the last one.
    """
    last = [max(seconds, 1e-4) for seconds in taken[-6:]]
    if steps <= 0:
        return 0.0
    if len(last) < 2:
        return None if limit is None else limit * steps
    growth = max((last[-1] / last[0]) ** (1 / (len(last) - 1)), 1.0)
    total, step = 0.0, last[-1]
    for _step in range(steps):
        step *= growth
        if limit is not None and step > limit:
            return total + limit
        total += step
    return total


class NowAndThen:
    """Tells when a progress line is due where lines can't be rewritten: soon at first, then ever less often."""

    def __init__(self, now: float) -> None:
        self._wait = _FIRST_S
        self._due = now + self._wait

    def is_due(self, now: float) -> bool:
        """Whether it is; if so, the next one is due later."""
        if now < self._due:
            return False
        self._wait = min(self._wait * _GROWTH, _LAST_S)
        self._due = now + self._wait
        return True


def about(seconds: float) -> str:
    """A time as people estimate it: a few seconds, 25 s, 3 min, 2 h 10 min, 3 days."""
    if seconds < _SHORT_S:
        return _("a few seconds")
    if seconds < 57.5:
        return _("{seconds} s").format(seconds=5 * round(seconds / 5))
    minutes = max(round(min(seconds, _LONGEST_S) / 60), 1)
    if minutes < 60:
        return _("{minutes} min").format(minutes=minutes)
    if minutes < 36 * 60:
        hours, rest = divmod(10 * round(minutes / 10), 60)
        return (
            _("{hours} h {minutes} min").format(hours=hours, minutes=rest)
            if rest
            else _("{hours} h").format(hours=hours)
        )
    days = round(minutes / (24 * 60))
    return ngettext("{count} day", "{count} days", days).format(count=days)


def time_left(seconds: float) -> str:
    """The same in the words of every display: "about 3 min left"."""
    if seconds < _SHORT_S:
        return _("a few seconds left")
    return _("about {time} left").format(time=about(seconds))


def at_most_left(seconds: float) -> str:
    """A bound, in the same words: "at most 3 min left"."""
    return _("at most {time} left").format(time=about(seconds))
