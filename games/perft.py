"""Perft and random playouts of any game, with its own fast functions where it has them.

A position may have, on its masks and faster, `count_leaves(depth)`, the same number as `perft_by_moves`, and
`playout(random)`, the same distribution as `playout_by_moves` (not the same games for the same `random`).

Perft counts the games of a given length: the proof that a move generator follows the rules. A forced pass costs a ply,
and a game that is over is one leaf at whatever depth it ended: Othello has 3,005,288 leaves at depth 9.
"""

from collections.abc import Callable
from random import Random

from games.base import Position, Seat


def perft(position: Position, depth: int) -> int:
    """The leaves `depth` plies below `position`; raises ValueError for a negative depth."""
    if depth < 0:
        raise ValueError(f"a depth is 0 or more, not {depth}")
    fast: Callable[[int], int] | None = getattr(position, "count_leaves", None)
    return perft_by_moves(position, depth) if fast is None else fast(depth)


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
    fast: Callable[[Random], Seat | None] | None = getattr(position, "playout", None)
    return playout_by_moves(position, random) if fast is None else fast(random)


def playout_by_moves(position: Position, random: Random) -> Seat | None:
    """A random playout with what every position offers."""
    while moves := position.legal_moves():
        position = position.play(random.choice(moves))
    outcome = position.outcome()
    return outcome.winner if outcome else None
