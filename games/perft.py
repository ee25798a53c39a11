"""Perft and random playouts of any game, with its own fast functions where it has them.

Perft counts the games of a given length: the proof that a move generator follows the rules. A forced pass costs a ply,
and a game that is over is one leaf at whatever depth it ended: Othello has 3,005,288 leaves at depth 9.
"""

from random import Random
from typing import Protocol, runtime_checkable

from games.base import Position, Seat


@runtime_checkable
class FastPosition(Protocol):
    """A position that counts and plays on its masks, without an object or a string a move."""

    def count_leaves(self, depth: int) -> int:
        """The same number as `perft_by_moves`, faster."""
        ...

    def playout(self, random: Random) -> Seat | None:
        """The same distribution as `playout_by_moves`, faster; not the same games for the same `random`."""
        ...


def perft(position: Position, depth: int) -> int:
    """The leaves `depth` plies below `position`; raises ValueError for a negative depth."""
    if depth < 0:
        raise ValueError(f"a depth is 0 or more, not {depth}")
    return position.count_leaves(depth) if isinstance(position, FastPosition) else perft_by_moves(position, depth)


def perft_by_moves(position: Position, depth: int) -> int:
    """Perft with what every position offers: the reference."""
    moves = position.legal_moves()
    if not moves or depth == 0:
        return 1
    if depth == 1:
        return len(moves)
    total = 0
    for move in moves:
        child = position.play(move)
        total += perft_by_moves(child, depth - 1 - (child.passed is not None))
    return total


def playout(position: Position, random: Random) -> Seat | None:
    """The winner of one game of uniformly random moves from `position`, None for a draw."""
    return position.playout(random) if isinstance(position, FastPosition) else playout_by_moves(position, random)


def playout_by_moves(position: Position, random: Random) -> Seat | None:
    """A random playout with what every position offers."""
    while moves := position.legal_moves():
        position = position.play(random.choice(moves))
    outcome = position.outcome()
    return outcome.winner if outcome else None
