"""Positions of Othello on 8x8 as masks, for the tests of its searches."""

import random
from collections.abc import Iterator

from bots.search.othello import BOARD, bits_of, play

Masks = tuple[int, int]
START: Masks = (1 << 28 | 1 << 35, 1 << 27 | 1 << 36)


def random_game(rng: random.Random) -> Iterator[Masks]:
    """The positions of a game of random moves in which the seat to move has one."""
    own, other = START
    while True:
        legal = BOARD.legal(own, other)
        if not legal:
            own, other = other, own
            legal = BOARD.legal(own, other)
        if not legal:
            return
        yield own, other
        own, other = play(own, other, rng.choice(bits_of(legal)))


def positions(seed: int, count: int, empties: range) -> list[Masks]:
    """`count` positions out of random games, with so many empty cells."""
    rng, found = random.Random(seed), list[Masks]()
    while len(found) < count:
        fitting = [masks for masks in random_game(rng) if 64 - (masks[0] | masks[1]).bit_count() in empties]
        found += rng.sample(fitting, min(3, len(fitting)))
    return found[:count]
