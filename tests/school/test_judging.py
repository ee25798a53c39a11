"""What the judge says of a position, in a sentence."""

from __future__ import annotations

import pytest

import games
from protocol.messages import Judged
from school.judging import first_mistakes, verdict


@pytest.mark.parametrize(
    ("chance", "exact", "said"),
    [
        (500, True, "With best play it is a draw."),
        (1000, True, "With best play the first player wins."),
        (0, True, "With best play the second player wins."),
        (500, False, "The judge thinks that both sides have the same chances."),
        (504, False, "The judge thinks that both sides have the same chances."),
        (496, False, "The judge thinks that both sides have the same chances."),
        (506, False, "The judge thinks that the first player wins about 51 times in a hundred."),
        (460, False, "The judge thinks that the second player wins about 54 times in a hundred."),
    ],
)
def test_the_judge_names_a_side_only_where_one_is_ahead(chance: int, exact: bool, said: str) -> None:
    assert verdict(Judged(4, chance, exact=exact)) == said


def test_a_mistake_of_the_opening_is_nobodys() -> None:
    """A league has drawn those moves."""
    game = games.parse("othello")
    moves = game.parse_transcript("f5f4e3f6")
    steps = {ply: Judged(ply, 500, grade="blunder") for ply in range(4)}
    assert first_mistakes(game, moves, steps) == (0, 1)
    assert first_mistakes(game, moves, steps, 2) == (2, 3)
    assert first_mistakes(game, moves, steps, 4) == (None, None)
