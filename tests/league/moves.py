"""Games of morpion by chance, with a preference for winning."""

import random

import games
from games import Seat


def game_of(
    rng: random.Random, opening: tuple[str, ...], strengths: tuple[float, float]
) -> tuple[tuple[str, ...], int | None, str, tuple[int, int]]:
    """Moves, winner, reason and score of a game; each side sees a winning move with its chance s / (1 + s)."""
    position = games.parse("morpion").start()
    moves = list(opening)
    for move in opening:
        position = position.play(move)
    while (outcome := position.outcome()) is None:
        legal = position.legal_moves()
        move = rng.choice(legal)
        strength = strengths[0 if position.to_move is Seat.FIRST else 1]
        if rng.random() < strength / (1 + strength):
            wins = [one for one in legal if position.play(one).outcome() and position.play(one).outcome().winner]  # type: ignore[union-attr]
            move = wins[0] if wins else move
        moves.append(move)
        position = position.play(move)
    return tuple(moves), outcome.winner, outcome.termination, outcome.score
