"""The clock: its sums are exact, and nothing is left exactly when the flag has fallen."""

from __future__ import annotations

import math

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from games import Seat
from protocol.messages import Clock
from protocol.values import clocks_of
from server.match.clock import LAG_CAP_MS, LAG_GAIN_MS, MatchClock, start_of
from tests.cores import held_by

times = st.floats(0, 10_000, allow_nan=False)
for_games = st.builds(Clock, st.integers(1, 600_000), st.integers(0, 5_000))
for_moves = st.builds(lambda ms: Clock(move_ms=ms), st.integers(1, 60_000))
rules = st.one_of(
    for_games, for_moves, st.builds(clocks_of, for_games, for_games), st.builds(clocks_of, for_moves, for_moves)
)


@given(rule=rules, start=times, pauses=st.lists(st.floats(0, 30, allow_nan=False), max_size=40))
def test_base_and_increments_less_what_was_used_is_what_is_left(rule: Clock, start: float, pauses: list[float]) -> None:
    clock, now, seat = MatchClock(rule), start, Seat.FIRST
    used, moves = [0, 0], [0, 0]
    for pause in pauses:
        clock.start(seat, now)
        before = clock.recorded()[seat - 1]
        now += pause
        if now >= clock.flag_time():
            clock.show(clock.if_stopped(now)[0])
            assert clock.recorded()[seat - 1] == 0
            return
        spent = before - clock.left(now)[seat - 1]
        assert abs(spent - pause * 1000) <= 1.001
        used[seat - 1] += spent
        moves[seat - 1] += 1
        left, _, lag_ms = clock.if_pressed(now)
        clock.press(seat, left, lag_ms)
        own = rule.of(seat)
        expected = own.move_ms or own.initial_ms + own.increment_ms * moves[seat - 1] - used[seat - 1]
        assert clock.left(now)[seat - 1] == expected
        seat = seat.other


@given(rule=rules, start=times, now=times)
@example(rule=Clock(1), start=1000.3, now=1000.301)
@example(rule=Clock(234), start=0.0, now=0.0)  # a moment before the flag 234 of 234 ms are used, as floats round
@example(rule=Clock(268), start=0.143, now=0.0)
@example(rule=Clock(100), start=0.1, now=math.nextafter(0.2, 0))
def test_nothing_is_left_exactly_when_the_flag_has_fallen(rule: Clock, start: float, now: float) -> None:
    clock = MatchClock(rule)
    clock.start(Seat.SECOND, start)
    for moment in (now, clock.flag_time(), math.nextafter(clock.flag_time(), 0)):
        left = clock.left(moment)
        assert (left[1] == 0) == (moment >= clock.flag_time())
        assert left[1] <= start_of(rule)[1]
        assert left[0] == start_of(rule)[0]


def test_a_move_that_is_taken_back_gives_each_seat_its_own_time() -> None:
    clock = MatchClock(clocks_of(Clock(move_ms=5000), Clock(move_ms=700)))
    clock.start(Seat.SECOND, 0.0)
    assert clock.if_taken_back(0.5) == (5000, 700)
    assert clock.if_pressed(0.5)[0] == (5000, 700)


def test_a_clock_that_stands_never_flags() -> None:
    clock = MatchClock(Clock(1000))
    assert clock.flag_time() == math.inf
    clock.start(Seat.FIRST, 0.0)
    clock.show(clock.if_stopped(0.25)[0])
    assert clock.flag_time() == math.inf
    assert clock.left(99.0) == (750, 1000)


def test_the_last_millisecond_lasts_until_the_flag_falls() -> None:
    clock = MatchClock(Clock(234))
    clock.start(Seat.FIRST, 0.0)
    moment = math.nextafter(clock.flag_time(), 0)
    assert int(moment * 1000) == 234
    assert clock.left(moment) == (1, 234)
    assert clock.if_pressed(moment) == ((1, 234), 233, 0)


def test_what_is_given_back_is_what_was_used_to_the_millisecond() -> None:
    clock = MatchClock(Clock(5000))
    clock.start(Seat.FIRST, 0.0)
    clock.allow(1000)
    assert clock.if_pressed(0.9995) == ((5000, 5000), 0, 999)


@pytest.mark.parametrize("rule", [Clock(5000, 100), Clock(move_ms=5000)])
@pytest.mark.parametrize("runs", [True, False])
def test_to_ask_what_a_clock_would_show_changes_nothing(rule: Clock, runs: bool) -> None:
    clock = MatchClock(rule)
    clock.start(Seat.SECOND, 1.0)
    clock.allow(300)
    if not runs:
        clock.show((4000, 3000))
    before = [getattr(clock, name) for name in held_by(MatchClock)]
    if runs:
        clock.if_pressed(3.0)
    clock.if_stopped(3.0)
    clock.if_taken_back(3.0)
    assert [getattr(clock, name) for name in held_by(MatchClock)] == before


def test_a_move_that_comes_while_the_time_is_on_hold_costs_nothing_and_gives_nothing_back() -> None:
    clock = MatchClock(Clock(60_000, 2_000))
    clock.start(Seat.FIRST, 1.0)
    clock.allow(300)
    clock.hold()
    assert clock.if_pressed(9.0) == ((62_000, 60_000), 0, 0)


def test_what_is_given_back_comes_out_of_a_quota_that_moves_renew() -> None:
    clock = MatchClock(Clock(60_000))
    clock.press(Seat.SECOND, (60_000, 59_000), 400)
    assert clock.recorded() == (60_000, 59_000)
    clock.spend(Seat.SECOND, 50)
    assert clock.allowance(Seat.FIRST, 5000) == LAG_CAP_MS
    assert clock.allowance(Seat.SECOND, 5000) == LAG_CAP_MS - 450 + LAG_GAIN_MS
    for _ in range(9):
        clock.press(Seat.SECOND, (60_000, 59_000), 0)
    assert clock.allowance(Seat.SECOND, 5000) == LAG_CAP_MS


def test_a_clock_tells_since_when_it_runs_and_stands_at_first() -> None:
    clock = MatchClock(Clock(1000))
    assert (clock.since, clock.left(0.0)) == (0.0, (1000, 1000))
    clock.start(Seat.SECOND, 7.5)
    assert clock.since == 7.5


def test_nobody_is_charged_by_a_clock_that_stands_already() -> None:
    clock = MatchClock(Clock(1000, 50))
    assert clock.if_stopped(9.0) == ((1000, 1000), 0, 0)
    clock.start(Seat.FIRST, 0.0)
    assert clock.if_stopped(0.2) == ((800, 1000), 200, 0)


def test_a_restored_clock_stands() -> None:
    clock = MatchClock(Clock(1000))
    clock.start(Seat.FIRST, 0.0)
    clock.show((400, 300))
    assert clock.left(99.0) == clock.recorded() == (400, 300)
    assert clock.flag_time() == math.inf


def test_the_first_measurement_of_a_move_counts_and_none_while_the_clock_stands() -> None:
    clock = MatchClock(Clock(60_000))
    assert not clock.held
    clock.allow(300)
    clock.start(Seat.FIRST, 5.0)
    clock.allow(0)
    clock.allow(100)
    clock.allow(400)
    assert [clock.if_pressed(now)[2] for now in (4.0, 5.0625, 7.0)] == [0, 62, 100]
