"""Which random openings are fair enough to play: positions that a short search does not see as won. Pure."""

from bots.lookahead import LOSS, WIN, Lookahead
from bots.search.kernels import make_kernel
from games.base import Game, Position
from league.openings import Balanced

PLIES = 4
"""How far is looked: no further than all that a pupil's bot sees, so that every opening still has to be played."""

_DISCS = 8
"""Othello: how far apart the numbers of moves of both sides may be."""


def balance_of(game: Game) -> Balanced | None:
    """The test for random openings of `game`; None where there is none."""
    if make_kernel(game) is None:
        return None
    if game.id == "othello":
        return _is_mobile
    import random

    player = Lookahead(game, random.Random(0), ply=PLIES, tiebreak="left")

    def is_open(position: Position) -> bool:
        best = max(player.scores_for(position))
        return best not in (WIN, LOSS)

    return is_open


def _is_mobile(position: Position) -> bool:
    """Whether both sides have about as many moves: before the middle of the game that decides more than discs do."""
    own = len(position.legal_moves())
    moves = [len(position.play(move).legal_moves()) for move in position.legal_moves()]
    return bool(moves) and abs(own - sum(moves) / len(moves)) <= _DISCS
