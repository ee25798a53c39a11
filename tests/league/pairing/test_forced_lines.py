"""The bounded search for forced lines, against one that tries everything."""

from __future__ import annotations

import random

import pytest

import games
from bots.search.kernels import LineKernel, make_kernel, masks_of
from games import Morpion, Position
from league.pairing.balance import ForcedLines


def wins(position: Position, plies: int) -> bool:
    """Whether the side to move completes a line within `plies`, whatever is answered."""
    if plies < 1:
        return False
    for child in map(position.play, position.legal_moves()):
        outcome = child.outcome()
        if loses(child, plies - 1) if outcome is None else outcome.winner is position.to_move:
            return True
    return False


def loses(position: Position, plies: int) -> bool:
    """Whether its opponent does."""
    if plies < 2:
        return False
    children = [position.play(move) for move in position.legal_moves()]
    return bool(children) and all(child.outcome() is None and wins(child, plies - 1) for child in children)


@pytest.mark.parametrize(
    ("spec", "count"),
    [
        ("morpion", 150),
        ("morpion:width=4,height=3,k=3", 60),
        ("morpion:width=5,height=3,k=3", 30),
        ("puissance4:width=4,height=3,k=3", 150),
        ("puissance4:width=5,height=4,k=3", 60),
    ],
)
def test_it_says_what_trying_everything_says(spec: str, count: int) -> None:
    game, rng = games.parse(spec), random.Random(spec)
    kernel = make_kernel(game)
    assert isinstance(kernel, LineKernel)
    sight, found = ForcedLines(kernel, falls=not isinstance(game, Morpion)), set[tuple[str, bool]]()
    for _ in range(count):
        position = game.start()
        for _ in range(rng.randrange(1, 8)):
            if (later := position.play(rng.choice(position.legal_moves()))).outcome() is None:
                position = later
        own, other = masks_of(position)
        for plies in range(6):
            for name, told, true in (
                ("wins", sight.wins(own, other, plies), wins(position, plies)),
                ("loses", sight.loses(own, other, plies), loses(position, plies)),
            ):
                if plies or name == "loses":  # nobody asks whether nothing wins
                    assert told is true, (position.notation, name, plies)
                    found.add((name, true))
    assert len(found) == 4, "each answer occurs"


def test_a_lone_disc_in_the_middle_is_enough_where_three_win() -> None:
    """No threat yet, but whatever the other plays, two in a row with both ends free come next."""
    game = games.parse("morpion:width=5,height=5,k=3")
    kernel = make_kernel(game)
    assert isinstance(kernel, LineKernel)
    sight = ForcedLines(kernel, falls=False)
    own, other = masks_of(game.start().play("c3"))
    assert sight.loses(own, other, 4)
    assert not sight.loses(own, other, 3)
    assert not sight.wins(own, other, 4)
