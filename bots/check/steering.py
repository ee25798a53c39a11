"""The moves of the bot's opponent: chance, or chance that leads to where a bot may stumble. Pure."""

import random
from collections.abc import Callable

from games.base import Position, Seat

Steer = Callable[[Position, random.Random], str]
"""Chooses a move of a position in which it is the opponent's turn."""


def wander(position: Position, rng: random.Random) -> str:
    """Any move."""
    return rng.choice(position.legal_moves())


def toward_passes(position: Position, rng: random.Random) -> str:
    """A move after which somebody has to pass, or at least few moves are left to either side."""
    mine = position.to_move

    def narrowness(move: str) -> tuple[int, float]:
        after = position.play(move)
        if after.outcome() is not None:
            return 100, rng.random()
        if after.passed is not None:
            return 0, rng.random()
        replies = after.legal_moves()
        forced = sum(after.play(reply).passed is mine for reply in replies)
        return len(replies) - 2 * forced, rng.random()

    return min(position.legal_moves(), key=narrowness)


def toward_a_long_game(position: Position, rng: random.Random) -> str:
    """A move that neither wins nor lets the bot win at once, so that the board fills up."""

    def danger(move: str) -> tuple[int, float]:
        after = position.play(move)
        if after.outcome() is not None:
            return 2, rng.random()
        lost = any(_wins(after, reply, after.to_move) for reply in after.legal_moves())
        return int(lost), rng.random()

    return min(position.legal_moves(), key=danger)


def _wins(position: Position, move: str, seat: Seat) -> bool:
    outcome = position.play(move).outcome()
    return outcome is not None and outcome.winner is seat
