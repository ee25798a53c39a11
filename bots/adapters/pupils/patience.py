"""How long a file may think about one move, by its clock, and how it is waited for where a machine stands still."""

import time
from collections.abc import Callable, Sequence

LOOK_S = 0.1
"""How often somebody who waits looks at the time."""

STANDSTILL_S = 0.4
"""If nobody has looked for so long, this process stood still: the machine slept, or was held for a moment."""

MARGIN_S = 0.05
_MARGIN = 0.03
_LONGEST_MARGIN_S = 0.5
"""How long before its clock runs out a file is stopped, so that there is time to say at which line: the share _MARGIN
of the time left, but from MARGIN_S to _LONGEST_MARGIN_S. That is less than a server takes a bot's word for
(docs/decisions.md)."""

_ALIKE = 3
"""A move that has taken more than so many times as long as the longest before it may be an endless loop."""


def thinking_s(left_ms: "int | None", move_s: float) -> float:
    """The seconds for a move. left_ms: the time until the flag falls, None without a clock; then it is `move_s`."""
    if left_ms is None:
        return move_s
    left_s = left_ms / 1000
    return max(MARGIN_S, left_s - min(_LONGEST_MARGIN_S, max(MARGIN_S, left_s * _MARGIN)))


class Pace:
    """How long a file has thought about its moves of the game that it plays, to say what has used up its clock."""

    def __init__(self) -> None:
        self._line: tuple[str, ...] = ()
        self._spent_s: list[float] = []

    def note(self, line: Sequence[str], spent_s: float) -> None:
        """The file has thought about the position after these moves; what does not continue the game begins another."""
        line = tuple(line)
        if len(line) <= len(self._line) or line[: len(self._line)] != self._line:
            self._spent_s = []
        self._line = line
        self._spent_s.append(spent_s)

    @property
    def moves(self) -> int:
        """How many moves have used up the clock, if they did so together; 0 if rather the last one did."""
        *before, last = self._spent_s or [0.0]
        together = bool(before) and last <= min(sum(before), _ALIKE * max(before))
        return len(self._spent_s) if together else 0


class Deadline:
    """A moment some seconds from now; the time in which this process stood still does not count.

    A program that is waited for stood still with it, so nothing of that time was its own. Who waits looks at the time
    every LOOK_S, by `slice_s`. worked: the processor time of this process, where programs of others run in it: what
    they hold up is no standstill. gaps: how often this process has stood still.
    """

    def __init__(
        self,
        seconds: float,
        clock: Callable[[], float] = time.monotonic,
        worked: "Callable[[], float] | None" = None,
    ) -> None:
        self.gaps = 0
        self._left_s = seconds
        self._clock = clock
        self._worked = worked
        self._seen = clock()
        self._seen_worked = worked() if worked is not None else 0.0

    @property
    def left_s(self) -> float:
        """The seconds that are left, never negative."""
        now, worked = self._clock(), self._worked() if self._worked is not None else 0.0
        passed = now - self._seen
        if passed > STANDSTILL_S and worked - self._seen_worked < passed / 2:
            passed = LOOK_S
            self.gaps += 1
        self._seen, self._seen_worked = now, worked
        self._left_s = max(0.0, self._left_s - passed)
        return self._left_s

    @property
    def slice_s(self) -> float:
        """How long to wait before the next look; 0 once the time is over."""
        return min(self.left_s, LOOK_S)
