"""Positions to ask bots about."""

import random
from collections.abc import Iterator

from games import Game, Position


def positions(game: Game, count: int, seed: int, least: int = 0) -> Iterator[Position]:
    """`count` positions with somebody to move, after at least `least` random moves unless the game is over before."""
    rng = random.Random(seed)
    while count:
        position = game.start()
        for _ in range(rng.randrange(least, game.width * game.height)):
            moves = position.legal_moves()
            after = position.play(rng.choice(moves))
            if after.outcome() is not None:
                break
            position = after
        yield position
        count -= 1
