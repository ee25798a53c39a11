"""Perft: how many games of a given length there are; the proof that a move generator follows the rules.

A forced pass costs a ply, and a game that is over is one leaf at whatever depth it ended: Othello has 3,005,288 leaves
at depth 9.
"""

from games.base import Position


def perft(position: Position, depth: int) -> int:
    """The leaves `depth` plies below `position`."""
    moves = position.legal_moves()
    if not moves or depth == 0:
        return 1
    if depth == 1:
        return len(moves)
    total = 0
    for move in moves:
        child = position.play(move)
        total += perft(child, depth - 1 - (child.passed is not None))
    return total
