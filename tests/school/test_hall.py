"""What a pupil is told of the class: a letter that is too long becomes shorter, whatever makes it long."""

from __future__ import annotations

import pytest

from school.hall import shortened
from school.messages import Fault, Hall, Work


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
