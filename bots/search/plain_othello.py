"""The Othello search in plain Python: the reference for the compiled search, and its replacement without numba.

Both give the same answers (`tests/bots/search/test_othello_search.py` compares them); this one has no table, and is
about a thousand times slower.
"""

from bots.search.kernels import bits_in, corner_classes
from bots.search.othello_patterns import evaluate
from games.othello_board import make_board

_NONE = -30_000


class PlainOthello:
    """The interface of `fast_othello.FastOthello`, without tables and without selective search.

    size: the size of the board; `search` works only on 8, the size that has an evaluation.
    """

    def __init__(self, size: int = 8) -> None:
        self._board = make_board(size)
        corners, around, edges = corner_classes(self._board.grid)
        self._groups = (corners, edges, self._board.full ^ corners ^ around ^ edges, around)
        self.nodes = 0
        self._stopped = False
        self._limit: int | None = None
        self.selectivity = 0

    @property
    def stopped(self) -> bool:
        """Whether `stop` was called, or the limit is reached: what a search returns then means nothing."""
        return self._stopped or (self._limit is not None and self.nodes >= self._limit)

    def stop(self) -> None:
        """Makes a running search end soon; any thread may call it."""
        self._stopped = True

    def resume(self) -> None:
        """Allows searches again, of as many nodes as they like."""
        self._stopped, self._limit = False, None

    def limit(self, nodes: int | None) -> None:
        """Stops searches after so many nodes from now on; None for no limit."""
        self._limit = None if nodes is None else self.nodes + nodes

    def forget(self) -> None:
        """Sets the count of nodes to 0."""
        self.nodes = 0

    def best_reply(self, own: int, other: int) -> int:
        """Always 64, which means none: this search remembers no replies."""
        del own, other
        return 64

    def final_score(self, own: int, other: int) -> int:
        """The score of a game that is over, in discs; empty cells go to the winner."""
        lead = own.bit_count() - other.bit_count()
        left = (self._board.full ^ (own | other)).bit_count()
        return lead + left * ((lead > 0) - (lead < 0))

    def at_least(self, own: int, other: int, alpha: int) -> int:
        """A bound on the final score in discs: a lower one if it is above `alpha`, else an upper one."""
        legal = self._board.legal(own, other)
        if not legal:
            if not self._board.legal(other, own):
                return self.final_score(own, other)
            return -self.at_least(other, own, -alpha - 1)
        best = _NONE
        for _, theirs, mine in sorted(self._children(own, other, legal)):
            if self.stopped:
                return alpha
            self.nodes += 1
            best = max(best, -self.at_least(theirs, mine, -alpha - 1))
            if best > alpha:
                break
        return best

    def search(self, own: int, other: int, depth: int, alpha: int, beta: int) -> int:
        """The value in hundredths of a disc after `depth` plies, if it is within (alpha, beta); else a bound on it."""
        legal, replies = self._board.legal(own, other), 0
        if not legal or depth == 0:
            replies = self._board.legal(other, own)
        if not legal:
            if not replies:
                return 100 * self.final_score(own, other)
            return -self.search(other, own, depth, -beta, -alpha)
        if depth == 0:
            return evaluate(own, other, legal, replies)
        best = _NONE
        for bit in bits_in(legal, self._groups):
            if self.stopped:
                return alpha
            flipped = self._board.flips(own, other, bit)
            self.nodes += 1
            best = max(best, -self.search(other ^ flipped, own | bit | flipped, depth - 1, -beta, -alpha))
            if best >= beta:
                break
            alpha = max(alpha, best)
        return best

    def _children(self, own: int, other: int, legal: int) -> list[tuple[int, int, int]]:
        """After each move: the number of replies, the opponent's discs, our own discs."""
        children = []
        for bit in bits_in(legal, self._groups):
            flipped = self._board.flips(own, other, bit)
            theirs, mine = other ^ flipped, own | bit | flipped
            children.append((self._board.legal(theirs, mine).bit_count(), theirs, mine))
        return children
