"""Which random openings are fair enough to play: positions that a short search does not see as won.

The search is bounded in plies, never in time: the same position gets the same answer on every machine, so that the
schedule of a league can be computed anew from its seed.
"""

from bots.search.alphabeta import WIN
from bots.search.kernels import DiscKernel, LineKernel, bits_in, make_kernel, masks_of
from bots.search.positions import PositionSearch
from games.base import Game, Position
from league.pairing.openings import Balanced

PLIES = 4
"""How many plies are searched: no more than a pupil's bot sees, so that every opening leaves something to play for."""

_MOBILITY_GAP = 8
"""In games that flip discs: the largest difference between the numbers of legal moves of both sides."""


def balance_of(game: Game) -> Balanced:
    """The test for random openings of `game`."""
    kernel = make_kernel(game)
    if kernel is None:
        return _is_undecided
    if isinstance(kernel, DiscKernel):
        return _is_mobile
    assert isinstance(kernel, LineKernel)
    sight = ForcedLines(kernel, falls=kernel.falls)

    def is_open(position: Position) -> bool:
        own, other = masks_of(position)
        return not sight.wins(own, other, PLIES) and not sight.loses(own, other, PLIES)

    return is_open


def _is_mobile(position: Position) -> bool:
    """Whether both sides have about as many moves: before the middle of the game that decides more than discs do."""
    own = len(position.legal_moves())
    moves = [len(position.play(move).legal_moves()) for move in position.legal_moves()]
    return bool(moves) and abs(own - sum(moves) / len(moves)) <= _MOBILITY_GAP


def _is_undecided(position: Position) -> bool:
    """Whether neither side of any game can force the end within `PLIES`."""
    search = PositionSearch(position.to_move, lambda _position, _seat: 0)
    return abs(search.run(position, position.legal_moves(), range(1, PLIES + 1)).value) < WIN // 2


class ForcedLines:
    """Whether the side to move of a line game can force a line, or can't prevent one, within some plies.

    Nobody has a line yet. falls: whether discs fall, so that a move can open a cell to the opponent. Where they don't,
    a disc more never harms its side: so a line needs two threats at once, and a side that the opponent could not beat
    if it passed is not beaten after any move of its own.
    """

    def __init__(self, kernel: LineKernel, *, falls: bool) -> None:
        self._kernel = kernel
        self._falls = falls

    def wins(self, own: int, other: int, plies: int) -> bool:
        """Whether the side to move, with the discs `own`, completes a line within `plies`, whatever is answered."""
        kernel = self._kernel
        legal = kernel.legal(own, other)
        if kernel.winning(own, legal):
            return True
        threats = kernel.winning(other, legal)
        if plies < 3 or threats & (threats - 1):
            return False
        moves = bits_in(threats or legal, kernel.groups)
        if not self._falls and plies < 5:
            return any(_are_several(kernel.winning(own | bit, legal ^ bit)) for bit in moves)
        return any(self.loses(other, own | bit, plies - 1) for bit in moves)

    def loses(self, own: int, other: int, plies: int) -> bool:
        """Whether the opponent of the side to move completes a line within `plies`, whatever that side plays."""
        kernel = self._kernel
        legal = kernel.legal(own, other)
        if plies < 2 or not legal or kernel.winning(own, legal):
            return False
        threats = kernel.winning(other, legal)
        if _are_several(threats):
            return True
        if not self._falls and not threats and not self.wins(other, own, plies - 1):
            return False
        moves = bits_in(threats or legal, kernel.groups)
        return all(self.wins(other, own | bit, plies - 1) for bit in moves)


def _are_several(mask: int) -> bool:
    return mask & (mask - 1) != 0
