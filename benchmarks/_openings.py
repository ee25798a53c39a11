"""Where the games of a benchmark begin: positions after some random moves."""

import random

from games.base import Game, Position


def opening(game: Game, plies: int, rng: random.Random) -> Position:
    """A position after so many random plies in which the game goes on."""
    while True:
        position = game.start()
        for _ in range(plies):
            if position.outcome() is None:
                position = position.play(rng.choice(position.legal_moves()))
        if position.outcome() is None:
            return position
