"""How a program is waited for: its time goes on while somebody is awake to see it."""

from __future__ import annotations

import pytest

from bots.adapters.pupils.patience import LOOK_S, STANDSTILL_S, Deadline


class Hands:
    """A clock, and the processor time of a process, that a test moves on."""

    def __init__(self) -> None:
        self.now_s = 100.0
        self.worked_s = 5.0

    def deadline(self, seconds: float) -> Deadline:
        return Deadline(seconds, lambda: self.now_s, lambda: self.worked_s)


def test_time_that_is_seen_to_pass_counts() -> None:
    hands = Hands()
    deadline, looks = hands.deadline(3.0), 0
    while (slice_s := deadline.slice_s) > 0:
        assert slice_s <= LOOK_S
        hands.now_s += slice_s + 0.01
        looks += 1
    assert hands.now_s == pytest.approx(103.0, abs=0.2)
    assert looks > 20


@pytest.mark.parametrize("at_s", [0.0, 1.0, 2.95])
def test_a_machine_that_stands_still_costs_a_program_nothing(at_s: float) -> None:
    hands = Hands()
    deadline = hands.deadline(3.0)
    while hands.now_s < 100.0 + at_s:
        hands.now_s += deadline.slice_s
    left_s = deadline.left_s
    hands.now_s += 3600.0
    assert deadline.left_s == pytest.approx(max(0.0, left_s - LOOK_S))


def test_a_short_hiccup_counts() -> None:
    hands = Hands()
    deadline = hands.deadline(3.0)
    hands.now_s += STANDSTILL_S - 0.01
    assert deadline.left_s == pytest.approx(3.01 - STANDSTILL_S)


def test_a_process_that_worked_did_not_stand_still() -> None:
    """A pupil's program that holds up the thread that waits for it gains nothing."""
    hands = Hands()
    deadline = hands.deadline(3.0)
    hands.now_s += 5.0
    hands.worked_s += 4.0
    assert deadline.left_s == 0
