"""`Solver.is_above`, the quick question, agrees with the value that it is about, for every solver."""

import random

import pytest

import games
from bots.search.solver import Solver, make_solver
from games.base import Game, Position


def late(game: Game, rng: random.Random, left: int) -> Position:
    """A position with at most `left` empty cells, which may be over."""
    position = game.start()
    while position.outcome() is None and _empty(game, position) > left:
        position = position.play(rng.choice(position.legal_moves()))
    return position


def _empty(game: Game, position: Position) -> int:
    return sum(position.cell(x, y) is None for x in range(game.width) for y in range(game.height))


@pytest.mark.parametrize(
    ("spec", "left"),
    [
        ("othello", 9),
        ("othello:size=6", 7),
        ("puissance4", 14),
        ("puissance4:width=5,height=4,k=3", 12),
        ("morpion", 9),
        ("morpion:width=5,height=4,k=4", 10),
        ("morpion:width=4,height=4,k=4", 12),
    ],
)
def test_is_above_is_what_the_value_says(spec: str, left: int) -> None:
    game, rng = games.parse(spec), random.Random(spec)
    quick, judge = solver(game), solver(game)
    for _number in range(25):
        position = late(game, rng, rng.randrange(left + 1))
        value = judge.score(position)
        for asked in (value - 2, value - 1, value, value + 1, -1, 0, -100, 100):
            assert quick.is_above(position, asked) is (value > asked), (position.notation, asked)


def solver(game: Game) -> Solver:
    made = make_solver(game, 8)
    assert made is not None
    return made
