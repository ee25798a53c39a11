"""Exact values of Puissance 4: narrows a window by a search that only says whether a score is above a number.

That search is compiled for four in a line on boards of up to 62 bits (height + 1 for each column). For all others, and
without numba, it is plain Python; see `fast_puissance4` and `line_search`. Scores are those of Pascal Pons' published
sets: (cells + 1 - discs) // 2, counted before the winning disc; negative for the loser, 0 for a draw.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from bots.search import compiled
from bots.search.kernels import masks_of
from bots.search.line_search import LineSearch
from bots.search.solver import BoundSolver, Found, OutOfTimeError, Search, centre_out
from games.base import Game, Position
from games.puissance4 import Puissance4

_MOST_BITS = 62
_LAST_PLIES = 11
_MIRRORED = 13


class FastSearch(compiled.Memory):
    """`fast_puissance4` with its memory; the size of the table is `megabytes`, rounded down to a power of two."""

    def __init__(self, game: Puissance4, fast: Any, megabytes: int) -> None:
        from bots.search.machine import address_of, allocate

        index_bits = max(fast.INDEX_BITS_LEAST, ((megabytes << 20) // 16).bit_length() - 1)
        stride = game.height + 1
        columns = [((1 << game.height) - 1) << x * stride for x in centre_out(game.width)]
        self._fast = fast
        self._table = allocate(2 << index_bits)
        words = allocate(fast.MEMORY)
        super().__init__(words)
        self._memory = address_of(words)
        words[: fast.MIRRORED + 1] = (
            *(0, 0, address_of(self._table), 64 - index_bits, stride, game.width, game.width * game.height),
            *(game.board.bottom, game.board.full, max(0, game.width * game.height - _LAST_PLIES), _MIRRORED),
        )
        words[fast.COLUMNS : fast.COLUMNS + game.width] = columns

    def forget(self) -> None:
        """Empties the table and sets the count of nodes to 0, for fair comparisons."""
        self._table.fill(0)
        self.words[self._fast.NODES] = 0

    def bound(self, own: int, mask: int, alpha: int) -> int:
        """See Search."""
        return int(self._fast.bound(self._memory, own, mask, alpha))


@dataclass(slots=True)
class Candidate:
    """A move of the position that is solved, with the lowest and highest score that it can still have."""

    move: str
    own: int
    mask: int
    low: int
    high: int


class Puissance4Solver(BoundSolver):
    """Solves positions of `game` with `search`; see Solver."""

    def __init__(self, game: Puissance4, search: Search) -> None:
        self._game = game
        super().__init__(search)
        self._cells = game.width * game.height
        self._order = [str(x + 1) for x in centre_out(game.width)]

    def score(self, position: Position) -> int:
        """See Solver."""
        own, other = masks_of(position)
        discs = (own | other).bit_count()
        if position.outcome() is not None:
            return -((self._cells + 2 - discs) // 2) if self._game.board.has_line(other) else 0
        low, high = -((self._cells - discs) // 2), (self._cells + 1 - discs) // 2
        while low < high:
            alpha = _between(low, high)
            bound = self._bound(own, own | other, alpha)
            low, high = (bound, high) if bound > alpha else (low, bound)
        return low

    def is_above(self, position: Position, value: int) -> bool:
        """See Solver."""
        if position.outcome() is not None:
            return self.score(position) > value
        own, other = masks_of(position)
        left = self._cells - (own | other).bit_count()
        if not -(left // 2) <= value < (left + 1) // 2:
            return value < 0
        return self._bound(own, own | other, value) > value

    def best(
        self, position: Position, listen: Callable[[Found], None] | None = None, order: Sequence[str] = ()
    ) -> Found:
        """See Solver."""
        candidates = sorted(self._candidates(position), key=lambda each: (*order, each.move).index(each.move))
        left = self._cells - sum(mask.bit_count() for mask in masks_of(position))
        low, high = -(left // 2), (left + 1) // 2

        def found() -> Found:
            candidate = max(candidates, key=lambda each: (each.low, each.high))
            score = candidate.low if low == high else min(max(0, low), high)
            return Found(candidate.move, score, left, self.nodes, exact=low == high)

        try:
            while low < high:
                alpha = _between(low, high)
                self._narrow(candidates, alpha)
                low = max(low, *(each.low for each in candidates))
                high = min(high, max(each.high for each in candidates))
                if listen is not None:
                    listen(found())
        except OutOfTimeError:
            pass
        return found()

    def _narrow(self, candidates: Sequence[Candidate], alpha: int) -> None:
        """Asks whether candidates are above alpha, until one is; only those in doubt, and the most promising first."""
        for each in sorted(candidates, key=lambda each: -each.low):
            if each.low <= alpha < each.high:
                bound = -self._bound(each.own, each.mask, -alpha - 1)
                if bound > alpha:
                    each.low = bound
                else:
                    each.high = bound
            if each.low > alpha:
                return

    def _candidates(self, position: Position) -> list[Candidate]:
        """The moves as candidates; one that ends the game has its exact score already."""
        candidates = []
        for move in self._order:
            if move not in position.legal_moves():
                continue
            after = position.play(move)
            own, other = masks_of(after)
            left = self._cells - (own | other).bit_count()
            low, high = -((left + 1) // 2), left // 2
            if after.outcome() is not None:
                low = high = -self.score(after)
            candidates.append(Candidate(move, own, own | other, low, high))
        return candidates


def _between(low: int, high: int) -> int:
    """The alpha that splits [low, high]: nearer to 0 than the middle, since late wins are the hard ones to prove."""
    alpha = (low + high) // 2
    if alpha <= 0 and low // 2 < alpha:
        return -(-low // 2)
    if alpha >= 0 and high // 2 > alpha:
        return high // 2
    return alpha


def is_compiled(game: Game) -> bool:
    """Whether the search is compiled for these rules."""
    assert isinstance(game, Puissance4)
    return game.k == 4 and game.width * (game.height + 1) <= _MOST_BITS


def make_solver(game: Game, megabytes: int) -> Puissance4Solver:
    """A solver for any board and any k; which positions it can solve in time depends on them."""
    assert isinstance(game, Puissance4)
    fast = compiled.load(game.id) if is_compiled(game) else None
    search = LineSearch(game) if fast is None else FastSearch(game, fast, megabytes)
    return Puissance4Solver(game, search)
