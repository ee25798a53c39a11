"""The clock of one match. Pure: `now` is a monotonic time in seconds, what is left is kept in whole milliseconds.

What a player has left is written down when the clock stops (after a move or a takeback, in a pause or an outage, at the
end) and when time is given. The time used is rounded down to whole milliseconds, in the player's favour. So used and
remaining time add up exactly, and a restored clock equals the one that was recorded.
"""

from __future__ import annotations

import math
from typing import Final

from games import Seat
from protocol.bounds import FORGIVEN_A_MOVE_MS, Clocks
from protocol.messages import Clock

_FIRST: Final = Seat.FIRST
"""An enum's members are looked up slowly, and this one with every move.

Pairs are read by `pair[0] if seat is _FIRST else pair[1]`: compiled, `pair[seat - 1]` takes five times as long.
"""

LAG_CAP_MS: Final = 1000
LAG_GAIN_MS: Final = FORGIVEN_A_MOVE_MS
"""What may be given back for the network: a second at first and at most, and 0.1 s more for each move."""

OUT_OF_TIME_MS: Final = 1000
"""A client with at most this much left may say that its time is over: it stopped its program a little early."""


def is_out_of_time(left_ms: int, given_back_ms: int) -> bool:
    """Whether a program may say that its time is over; `given_back_ms` of what is left was given back in this move.

    The program measures its own time, and can't know what the server gives back.
    """
    return left_ms - given_back_ms <= OUT_OF_TIME_MS


def start_of(time_control: Clock) -> Clocks:
    """What each seat has at first, in milliseconds."""
    first, second = time_control.of(1), time_control.of(2)
    return first.initial_ms + first.move_ms, second.initial_ms + second.move_ms


class Stalls:
    """How long the server itself kept everybody waiting, in seconds since its start: `now` leaves that out."""

    __slots__ = ("total",)

    def __init__(self) -> None:
        self.total = 0.0


Reading = tuple[Clocks, int, int]
"""What the clock shows once it stops, and what of the time was charged and lost in the network; in milliseconds."""


class MatchClock:
    """Two countdowns, of which at most one runs.

    A player's time runs from the moment when they are told that it is their turn: until then the clock is on `hold`,
    and `begin` lets it run. A player far away may be given back what the network takes: `allow` is told their measured
    round trip. What they get back in a move is at most that, what their quota holds, and what they used.

    `if_pressed`, `if_stopped`, `if_taken_back` and `if_given` say what the clock would show, and change nothing: that
    goes into an event. `press`, `show`, `spend` and `give` take it from the event: a restored match has the clock of
    the live one.
    """

    __slots__ = ("_forgivable", "_increment_ms", "_left", "_move_ms", "_quota", "_running", "_since", "held")

    def __init__(self, time_control: Clock) -> None:
        first, second = time_control.of(1), time_control.of(2)
        self._move_ms: Clocks = first.move_ms, second.move_ms
        self._increment_ms: Clocks = first.increment_ms, second.increment_ms
        self._left: Clocks = start_of(time_control)
        self._running: Seat | None = None
        self._since = 0.0
        self._forgivable = 0
        self._quota = [LAG_CAP_MS, LAG_CAP_MS]
        self.held = False

    # ------------------------------------------------------------------------------------------------- what is measured

    def hold(self) -> None:
        """Nothing of the running side's time is used before `begin`."""
        self.held = self._running is not None

    def begin(self, now: float) -> float:
        """Lets a time that is on hold run from `now` on; returns the seconds for which it was held."""
        if not self.held:
            return 0.0
        self.held = False
        waited, self._since = now - self._since, now
        return max(0.0, waited)

    def allow(self, lag_ms: int) -> None:
        """Notes that messages of the running side take `lag_ms` both ways; the first measurement of a move counts."""
        if not self._forgivable and lag_ms and self._running is not None:
            self._forgivable = min(lag_ms, self._quota[self._running - 1])

    # ----------------------------------------------------------------------------------------------------- what is said

    @property
    def since(self) -> float:
        """Since when the running side's time runs, or ran."""
        return self._since

    def allowance(self, seat: Seat, lag_ms: int) -> int:
        """What of `lag_ms` a move of `seat` would be given back."""
        return min(lag_ms, self._quota[seat - 1])

    def if_pressed(self, now: float) -> Reading:
        """The running side moves: its time is charged, then the increment added or the time for a move renewed."""
        seat = self._running
        assert seat is not None, "a stopped clock can't be pressed"
        left = self._remaining(seat, now)
        lag = self._given_back(now) if self._forgivable else 0
        first, second = self._left
        if seat is _FIRST:
            return (self._move_ms[0] or left + self._increment_ms[0], second), first - left, lag
        return (first, self._move_ms[1] or left + self._increment_ms[1]), second - left, lag

    def if_stopped(self, now: float) -> Reading:
        """The running side stops and is charged what it used, without an increment."""
        seat = self._running
        if seat is None:
            return self._left, 0, 0
        left = self._remaining(seat, now)
        lag = self._given_back(now) if self._forgivable else 0
        before = self._left[0] if seat is _FIRST else self._left[1]
        return self._with(seat, left), before - left, lag

    def if_taken_back(self, now: float) -> Clocks:
        """A move is undone: charges the running side; where each move has its own time, that starts anew."""
        return self._move_ms if self._move_ms[0] else self.if_stopped(now)[0]

    def if_given(self, seat: Seat, ms: int, now: float) -> Clocks:
        """What each seat has left at `now` if `seat` is given `ms`."""
        clocks = self.left(now)
        return (clocks[0] + ms, clocks[1]) if seat is _FIRST else (clocks[0], clocks[1] + ms)

    def left(self, now: float) -> Clocks:
        """What each seat has left at `now`, in milliseconds."""
        seat = self._running
        if seat is None or now == self._since:
            return self._left
        return self._with(seat, self._remaining(seat, now))

    def recorded(self) -> Clocks:
        """What each seat had left when the last move was made."""
        return self._left

    def flag_time(self) -> float:
        """The time at which the running side runs out; infinite while nothing runs."""
        seat = self._running
        if seat is None or self.held:
            return math.inf
        left = self._left[0] if seat is _FIRST else self._left[1]
        return self._since + (left + self._forgivable) / 1000

    # ----------------------------------------------------------------------------------------------------- what happens

    def start(self, seat: Seat, now: float) -> None:
        """Lets the time of `seat` run from `now` on."""
        self._running = seat
        self._since = now
        self._forgivable = 0
        self.held = False

    def show(self, left: Clocks) -> None:
        """Stops the clock and sets what each seat has left, as it was recorded."""
        self._left = left
        self._running, self.held = None, False

    def press(self, seat: Seat, left: Clocks, lag_ms: int) -> None:
        """Records a move of `seat`, which stops the clock at `left`; `lag_ms` comes out of the quota."""
        self._left = left
        self._running, self.held = None, False
        quota = self._quota
        quota[seat - 1] = min(LAG_CAP_MS, quota[seat - 1] - lag_ms + LAG_GAIN_MS)

    def give(self, seat: Seat, ms: int) -> None:
        """`seat` has so much more; a clock that runs goes on running."""
        left = self._left[0] if seat is _FIRST else self._left[1]
        self._left = self._with(seat, left + ms)

    def spend(self, seat: Seat, lag_ms: int) -> None:
        """So much was given back to `seat` for the network without a move: it comes out of the quota."""
        self._quota[seat - 1] -= lag_ms

    def _with(self, seat: Seat, left: int) -> Clocks:
        return (left, self._left[1]) if seat is _FIRST else (self._left[0], left)

    def _remaining(self, seat: Seat, now: float) -> int:
        """What the running `seat` has left: 0 if and only if its flag has fallen, however the floats round."""
        left = self._left[0] if seat is _FIRST else self._left[1]
        if self.held:
            return left
        if now >= self.flag_time():
            return 0
        return min(left, max(1, left + self._forgivable - int((now - self._since) * 1000)))

    def _given_back(self, now: float) -> int:
        return 0 if self.held else max(0, min(self._forgivable, int((now - self._since) * 1000)))
