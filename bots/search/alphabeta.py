"""Alpha-beta to a fixed depth, deepening as the clock allows.

The value of a move is that of plain minimax: a leaf is worth its evaluation, always from the side of the player who
searches; a game that ended is worth WIN less the plies that it took, negated for a loss, 0 for a draw. A forced pass
costs no ply. Among equal moves the first in the order of the root wins, whatever order the tree is searched in: each
next root move has to be strictly better.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from bots.search.evaluation import Evaluation
from bots.search.kernels import Kernel, Masks, bits_in

WIN = 10_000_000
"""More than any evaluation of any board."""

INFINITY = 2 * WIN
"""More than any value."""
_CHECK_EVERY = 255


class _OutOfTime(Exception):  # noqa: N818 - a signal that never leaves this module
    pass


@dataclass(frozen=True, slots=True)
class Line:
    """What a search found: the value of the best move for its player, the moves expected, and the work it took."""

    depth: int
    value: int
    bits: tuple[int, ...]
    nodes: int


class AlphaBeta:
    """One search: `run` deepens to `depth` plies or until `is_late` says that time is up (depth 1 is always done)."""

    def __init__(self, kernel: Kernel, evaluation: Evaluation, is_late: Callable[[], bool] = lambda: False) -> None:
        self._kernel = kernel
        self._evaluation = evaluation
        self._is_late = is_late
        self._nodes = 0
        self._hurried = False

    @property
    def nodes(self) -> int:
        """The positions searched so far."""
        return self._nodes

    def run(
        self,
        masks: Masks,
        roots: Sequence[int],
        depths: range,
        report: Callable[[Line], None] | None = None,
    ) -> Line:
        """The best of the moves `roots` after searching to each depth in turn; `report` hears of each."""
        assert roots
        assert depths
        found: Line | None = None
        for depth in depths:
            self._hurried = found is not None
            try:
                found = self._search_root(masks, roots, depth)
            except _OutOfTime:
                break
            if report is not None:
                report(found)
            if abs(found.value) > WIN // 2 or self._is_late():
                break
        assert found is not None
        return found

    def _search_root(self, masks: Masks, roots: Sequence[int], depth: int) -> Line:
        own, other = masks
        best = -INFINITY
        line: tuple[int, ...] = ()
        winning = self._kernel.winning(own, sum(roots))
        for bit in roots:
            if bit & winning:
                return Line(depth, WIN - 1, (bit,), self._nodes)
            if winning:
                continue
            after, opponent = self._kernel.play(own, other, bit)
            value, rest = self._search(opponent, after, depth - 1, -INFINITY, -best, 1, -1)
            if -value > best:
                best, line = -value, (bit, *rest)
        return Line(depth, best, line, self._nodes)

    def _search(
        self, own: int, other: int, depth: int, alpha: int, beta: int, ply: int, side: int
    ) -> tuple[int, tuple[int, ...]]:
        """The value for the seat to move, exact within (alpha, beta), and the moves expected.

        `side` is 1 when the seat to move is the one who searches. Nobody has a line yet.
        """
        kernel = self._kernel
        self._nodes += 1
        if self._hurried and not self._nodes & _CHECK_EVERY and self._is_late():
            raise _OutOfTime
        legal = kernel.legal(own, other)
        if not legal:
            if kernel.passes and kernel.legal(other, own):
                value, line = self._search(other, own, depth, -beta, -alpha, ply, -side)
                return -value, line
            return kernel.final(own, other) * (WIN - ply), ()
        if depth == 0:
            return (self._evaluation(own, other) if side > 0 else -self._evaluation(other, own)), ()
        if won := kernel.winning(own, legal):
            return WIN - ply - 1, (won & -won,)
        return self._best(bits_in(legal, kernel.groups), own, other, depth, alpha, beta, ply, side)

    def _best(
        self, moves: Iterable[int], own: int, other: int, depth: int, alpha: int, beta: int, ply: int, side: int
    ) -> tuple[int, tuple[int, ...]]:
        """The value of the best of `moves`, exact within (alpha, beta), and the moves expected from it on."""
        play, search = self._kernel.play, self._search
        best = -INFINITY
        best_line: tuple[int, ...] = ()
        for bit in moves:
            after, opponent = play(own, other, bit)
            value, line = search(opponent, after, depth - 1, -beta, -alpha, ply + 1, -side)
            if -value > best:
                best, best_line = -value, (bit, *line)
                if best >= beta:
                    break
                alpha = max(alpha, best)
        return best, best_line

    def _count(self) -> None:
        """Counts a position and looks at the clock now and then, as `_search` does by itself to save a call."""
        self._nodes += 1
        if self._hurried and not self._nodes & _CHECK_EVERY and self._is_late():
            raise _OutOfTime
