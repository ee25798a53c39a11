"""Time controls as people write them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.messages import Clock, SeatClock
from protocol.timing import ClockError, format_clock, parse_clock
from protocol.values import clocks_of

_DAY_MS = 24 * 3_600_000

_clocks = st.one_of(
    st.none(),
    st.builds(Clock, initial_ms=st.integers(1, _DAY_MS), increment_ms=st.integers(0, 3_600_000)),
    st.builds(Clock, move_ms=st.integers(1, _DAY_MS)),
)


@pytest.mark.parametrize(
    ("text", "clock", "written"),
    [
        ("none", None, "none"),
        ("5m+3s", Clock(300_000, 3000), "5m+3s"),
        ("10s+0.1s", Clock(10_000, 100), "10s+0.1s"),
        ("2s/move", Clock(move_ms=2000), "2s/move"),
        ("1h30m", Clock(5_400_000), "90m"),
        ("90s", Clock(90_000), "90s"),
        (" 5M + 3S ", Clock(300_000, 3000), "5m+3s"),
        ("100ms", Clock(100), "0.1s"),
        ("1.5m", Clock(90_000), "90s"),
        ("24h+1h", Clock(_DAY_MS, 3_600_000), "24h+1h"),
        ("0.001s", Clock(1), "0.001s"),
        ("1234.567s", Clock(1_234_567), "1234.567s"),
        ("86399.999s/move", Clock(move_ms=_DAY_MS - 1), "86399.999s/move"),
        ("5m+0s", Clock(300_000), "5m"),
    ],
)
def test_what_people_write(text: str, clock: Clock | None, written: str) -> None:
    assert parse_clock(text) == clock
    assert format_clock(clock) == written


def test_the_clocks_of_two_seats_stand_side_by_side() -> None:
    assert format_clock(Clock(300_000, 3000, second=SeatClock(60_000))) == "5m+3s, 1m"
    assert format_clock(Clock(move_ms=2000, second=SeatClock(move_ms=500))) == "2s/move, 0.5s/move"
    assert clocks_of(Clock(5, second=SeatClock(6)), Clock(5)) == Clock(5)
    assert Clock(5).swapped == Clock(5)


@pytest.mark.parametrize(
    "text",
    [
        *("", " ", "5", "m", "5x", "+3s", "5m+", "5m++3s", "5m+3s+1s", "0s", "0s+5s", "0s/move", "/move", "5m+3s/move"),
        *("-5m", "5,5s", "1e3s", "٥m", "5m 3", "none+3s", "25h", "24h1ms", "5m+61m", "9999999s", "0.0001s", "0.4ms"),
        "5m+3s\x00",
    ],
)
def test_what_is_no_time_control(text: str) -> None:
    with pytest.raises(ClockError):
        parse_clock(text)


@given(_clocks)
def test_a_written_clock_is_read_back(clock: Clock | None) -> None:
    assert parse_clock(format_clock(clock)) == clock


@given(st.one_of(st.text(max_size=30), st.text("0123456789.+hms/move none", max_size=30)))
def test_any_text_is_a_bounded_clock_or_a_clock_error(text: str) -> None:
    try:
        clock = parse_clock(text)
    except ClockError:
        return
    if clock is not None:
        assert 0 < clock.initial_ms + clock.move_ms <= _DAY_MS
        assert 0 <= clock.increment_ms <= 3_600_000
        assert parse_clock(format_clock(clock)) == clock
