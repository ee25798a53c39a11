"""The moves of the bot's opponent: chance, or chance that leads to where a bot may stumble. Pure."""

import random
from collections.abc import Callable

from games.base import Position, Seat

_PLIES = 3
_FEW = 6
"""A pass is looked for _PLIES plies ahead, or one ply less if there are more than _FEW legal moves: it must not take
long. On a board of 4x4 this brings about a pass in more than half of all games."""

Steer = Callable[[Position, random.Random], str]
"""Chooses a move of a position in which it is the opponent's turn."""


def wander(position: Position, rng: random.Random) -> str:
    """Any move."""
    return rng.choice(position.legal_moves())


def toward_passes_of_the_bot(position: Position, rng: random.Random) -> str:
    """A move that makes it likely that the bot will have to pass."""
    return _toward_passes(position, rng, position.to_move.other)


def toward_own_passes(position: Position, rng: random.Random) -> str:
    """A move that makes it likely that the opponent will have to pass, and the bot moves twice."""
    return _toward_passes(position, rng, position.to_move)


def _toward_passes(position: Position, rng: random.Random, passer: Seat) -> str:
    mine = position.to_move

    def expected(after: Position, plies: int) -> float:
        """The expected passes of `passer` within `plies` plies if the bot moves at random and we play best."""
        passes = float(after.passed is passer)
        replies = after.legal_moves() if plies else ()
        if not replies:
            return passes
        values = [expected(after.play(reply), plies - 1) for reply in replies]
        return passes + (max(values) if after.to_move is mine else sum(values) / len(values))

    legal = position.legal_moves()
    plies = _PLIES if len(legal) <= _FEW else _PLIES - 1
    return max(legal, key=lambda move: (expected(position.play(move), plies), rng.random()))


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
