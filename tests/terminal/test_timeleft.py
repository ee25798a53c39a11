"""How long work still takes: from its last units, whatever was paused, done before, or done side by side."""

import io
import itertools
import math
import random

import pytest

from locales import set_language
from terminal.status import StatusLine
from terminal.timeleft import NowAndThen, Pace, about, left_growing, time_left


def paced(waits: list[float], *, each: float = 1.0, done: float = 0.0) -> tuple[Pace, float]:
    """A pace after these waits, and what time it is."""
    pace, now = Pace(0.0, done), 0.0
    for wait in waits:
        now, done = now + wait, done + each
        pace.note(now, done)
    return pace, now


def test_nothing_is_said_before_the_first_unit() -> None:
    pace = Pace(0.0, 40)
    assert pace.left(100.0, 5) is None
    pace.note(100.0, 40)
    assert pace.left(100.0, 5) is None


def test_the_rest_takes_as_long_as_what_was_done() -> None:
    pace, now = paced([2.0] * 10)
    assert pace.left(now, 30) == pytest.approx(60)
    assert pace.left(now + 1, 30) == pytest.approx(59)
    assert pace.left(now, 0) == 0
    assert pace.left(now, -3) == 0


def test_what_was_done_before_this_process_plays_no_part() -> None:
    pace, now = paced([2.0] * 5, done=1000)
    assert pace.left(now, 10) == pytest.approx(20)


def test_a_pause_counts_as_a_long_wait_and_no_more() -> None:
    calm, _now = paced([2.0] * 20)
    paused, now = paced([2.0] * 10 + [36_000.0] + [2.0] * 9)
    expected = calm.left(40.0, 30)
    assert expected is not None
    assert paused.left(now, 30) == pytest.approx(expected, rel=0.25)
    assert calm.left(36_000.0, 30) == pytest.approx(expected, rel=0.25)  # a pause that lasts


def test_two_pauses_in_a_long_work() -> None:
    paused, now = paced(([2.0] * 12 + [3600.0]) * 2 + [2.0] * 12)
    assert paused.left(now, 100) == pytest.approx(200, rel=0.3)


def test_work_side_by_side_comes_in_bursts() -> None:
    pace, now = paced([0.01, 0.01, 0.01, 8.0] * 10)
    left = pace.left(now, 40)
    assert left == pytest.approx(80, rel=0.05)
    two_at_once, now = paced([4.0] * 10, each=2)
    assert two_at_once.left(now, 40) == pytest.approx(80)


def test_a_change_of_speed_is_followed() -> None:
    pace, now = paced([1.0] * 200 + [3.0] * 60)
    assert pace.left(now, 10) == pytest.approx(30, rel=0.01)


def test_games_that_were_annulled_are_no_wait() -> None:
    pace, now = paced([2.0] * 10)
    pace.note(now + 1, 4)
    pace.note(now + 2, 5)
    left = pace.left(now + 2, 10)
    assert left is not None
    assert 15 < left < 25


def test_the_error_shrinks() -> None:
    rng = random.Random(3)
    waits = [rng.expovariate(0.5) for _ in range(400)]
    pace, now = paced(waits[:60])
    truth = sum(waits[60:])
    assert pace.left(now, 340) == pytest.approx(truth, rel=0.35)


@pytest.mark.parametrize(("seconds", "said"), [
    (0.0, "a few seconds left"), (7.0, "a few seconds left"), (8.0, "about 10 s left"), (57.0, "about 55 s left"),
    (58.0, "about 1 min left"), (185.0, "about 3 min left"), (3560.0, "about 59 min left"),
    (3590.0, "about 1 h left"), (7800.0, "about 2 h 10 min left"), (7e4, "about 19 h 30 min left"),
    (2.6e5, "about 3 days left"), (math.inf, "about 999 days left"),
])  # fmt: skip
def test_how_it_is_said(seconds: float, said: str) -> None:
    assert time_left(seconds) == said


def test_how_it_is_said_in_french() -> None:
    set_language("fr")
    try:
        assert time_left(185.0) == "encore 3\u00a0min environ"
        assert time_left(3.0) == "encore quelques secondes"
        assert about(7800.0).split() == ["2", "h", "10", "min"]
    finally:
        set_language("en")


def test_steps_that_grow() -> None:
    assert left_growing([], 5, None) is None
    assert left_growing([], 5, 2.0) == 10
    assert left_growing([0.1, 0.2, 0.4], 3, None) == pytest.approx(0.8 + 1.6 + 3.2)
    assert left_growing([0.1, 0.2, 0.4], 30, 2.0) == pytest.approx(0.8 + 1.6 + 2.0)
    assert left_growing([0.1, 0.2], 0, 2.0) == 0
    assert left_growing([0.4, 0.2, 0.1], 3, None) == pytest.approx(0.3)


def test_lines_come_ever_less_often() -> None:
    due = NowAndThen(0.0)
    told = [second for second in range(600) if due.is_due(float(second))]
    assert told[0] == 5
    assert len(told) < 15
    gaps = [two - one for one, two in itertools.pairwise(told)]
    assert gaps == sorted(gaps)
    assert gaps[-1] == 60


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_a_status_line_stays_in_its_place_and_goes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm")
    stream, now = Terminal(), [0.0]
    with StatusLine(lambda: "x" * 200, stream=stream, clock=lambda: now[0]) as status:
        status.look()
        assert stream.getvalue() == ""  # work that is over at once says nothing
        now[0] = 1.0
        status.look()
        status.look()
    assert stream.getvalue() == f"\r\x1b[K{'x' * 79}\r\x1b[K"


def test_without_a_terminal_a_line_comes_now_and_then() -> None:
    stream, now = io.StringIO(), [0.0]
    with StatusLine(lambda: f"at {now[0]:g}", stream=stream, clock=lambda: now[0]) as status:
        for second in range(30):
            now[0] = float(second)
            status.look()
    assert stream.getvalue() == "at 5\nat 13\nat 25\n"
