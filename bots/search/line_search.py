"""The exact search of line games in plain Python, for any board and any k: the reference of the compiled ones.

It shares nothing with them but the rules and the definition of a score, so that the two check each other.
"""

from bots.search.kernels import LineKernel, bits_in
from games.morpion import Morpion
from games.puissance4 import Puissance4
from machine import memory

_TABLE_MOST = 2_000_000
"""Positions kept at most: some 300 MB."""

_TABLE_LEAST = 1_000
_ENTRY_BYTES = 400
"""The bytes of an entry while the dict grows, when it exists twice for a moment."""


def table_room() -> int:
    """How many positions to keep: half of the memory that is left, at most the usual."""
    left = [room for room in (memory.available_bytes(), memory.addresses_left()) if room is not None]
    return max(_TABLE_LEAST, min([_TABLE_MOST, *(room // 2 // _ENTRY_BYTES for room in left)]))


class LineSearch:
    """Says whether scores are above a number; see `bots.search.solver.Search`."""

    def __init__(self, game: Morpion | Puissance4) -> None:
        self.nodes = 0
        self.stopped = False
        self._kernel = LineKernel(game)
        self._cells = game.width * game.height
        self._bounds: dict[tuple[int, int], tuple[int, int]] = {}
        self._most = table_room()

    def set_stopped(self, *, stopped: bool) -> None:
        """See Search."""
        self.stopped = stopped

    def bound(self, own: int, mask: int, alpha: int) -> int:
        """A bound r of the score of the mover, whose discs are `own`: if r > alpha it is at least r, else at most r."""
        self.nodes += 1
        kernel, left = self._kernel, self._cells - mask.bit_count()
        legal = kernel.legal(own, own ^ mask)
        if not legal or self.stopped:
            return 0
        if kernel.winning(own, legal):
            return (left + 1) // 2
        low, high = self._bounds.get((own, mask), (-(left // 2), (left - 1) // 2))
        if low > alpha or high <= alpha:
            return low if low > alpha else high
        dangers = kernel.winning(own ^ mask, legal)
        if dangers & dangers - 1:
            return -(left // 2)
        best = -left
        for bit in bits_in(dangers or legal, kernel.groups):
            best = max(best, -self.bound(own ^ mask, mask | bit, -alpha - 1))
            if best > alpha:
                break
        if not self.stopped:
            if len(self._bounds) >= self._most:
                self._bounds.clear()
            self._bounds[own, mask] = (best, high) if best > alpha else (low, best)
        return best
