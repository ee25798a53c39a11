"""How a program is waited for: its time goes on while somebody is awake to see it."""

from __future__ import annotations

import pytest

from bots.adapters.pupils.patience import LOOK_S, STANDSTILL_S, Deadline, Pace


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


@pytest.mark.parametrize(
    ("spent", "moves"),
    [
        ((0.4, 0.5, 0.3), 3),
        ((0.1, 0.2, 0.4, 0.5), 4),  # slower and slower
        ((1.0, 0.2), 2),
        ((0.3, 3.0), 0),  # as endless loops are: most of the time went into the last
        ((0.5, 0.5, 0.5, 0.5, 1.9), 0),
        ((2.0,), 0),
        ((), 0),
    ],
)
def test_a_clock_is_used_up_by_all_moves_together_or_by_the_last(spent: tuple[float, ...], moves: int) -> None:
    pace = Pace()
    for ply, spent_s in enumerate(spent):
        pace.note(["a1"] * 2 * ply, spent_s)
    assert pace.moves == moves


def test_a_new_game_has_a_clock_of_its_own() -> None:
    pace = Pace()
    for ply in range(5):
        pace.note(["a1"] * 2 * ply, 1.0)
    pace.note(["b1"], 1.0)
    assert pace.moves == 0
    pace.note(["b1", "c1", "d1"], 1.0)
    assert pace.moves == 2
    pace.note(["b1", "c1", "e1", "f1", "g1"], 1.0)
    assert pace.moves == 0
