"""What a pupil is told of the class: a letter that is too long becomes shorter, whatever makes it long."""

from __future__ import annotations

import pytest

from school import events
from school.hall import shortened
from school.messages import Fault, Hall, Work
from school.state import ClassState


@pytest.mark.parametrize("count", [1, 2, 40])
def test_it_comes_to_an_end(count: int) -> None:
    """Else a letter that something else makes too long would stop the class for good."""
    works = tuple(Work(number, "bot.py", 1, "fails", fault=Fault("wrong"), note="n") for number in range(1, count + 1))
    hall, letters = Hall("2nde 4", "Lea", "morpion", "ABCDEF", works=works), list[Hall]()
    while hall.works:
        hall = shortened(hall)
        letters.append(hall)
        assert len(letters) < 10
    assert letters[-2].works == (Work(count, "bot.py", 1, "fails"),)


def test_a_game_that_goes_well_takes_away_how_a_version_failed_against_its_author() -> None:
    journal: list[events.AnyEvent] = [
        events.HandedIn(at=1, name="Léa", version=1, file="bot.py", path="bot.py"),
        events.Faced(at=2, name="Léa", version=1, fault=Fault("wrong")),
        events.Faced(at=3, name="Tom", version=1, fault=Fault("nobody's")),
    ]
    assert ClassState.of({"Léa": None}, journal).pupils["Léa"].works == [Work(1, "bot.py", 1, faced=Fault("wrong"))]
    journal.append(events.Faced(at=4, name="Léa", version=1))
    assert ClassState.of({"Léa": None}, journal).pupils["Léa"].works == [Work(1, "bot.py", 1)]
