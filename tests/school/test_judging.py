"""What the judge says of a position, in a sentence."""

from __future__ import annotations

import pytest

import games
from protocol.messages import Judged
from school.judging import verdict


@pytest.mark.parametrize(
    ("chance", "exact", "said"),
    [
        (500, True, "With best play it is a draw."),
        (1000, True, "With best play the first side (■) wins."),
        (0, True, "With best play the second side (□) wins."),
        (500, False, "The judge thinks that both sides have the same chances."),
        (504, False, "The judge thinks that both sides have the same chances."),
        (496, False, "The judge thinks that both sides have the same chances."),
        (506, False, "The judge thinks that the first side (■) wins about 51 times in a hundred."),
        (460, False, "The judge thinks that the second side (□) wins about 54 times in a hundred."),
    ],
)
def test_the_judge_names_a_side_only_where_one_is_ahead(chance: int, exact: bool, said: str) -> None:
    assert verdict(games.parse("othello"), Judged(4, chance, exact=exact)) == said
