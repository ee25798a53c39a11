"""Exact values of morpion, on every board and for every k as far as a search reaches.

The search is machine code for boards of up to 62 bits (width + 1 a row), plain Python for larger ones and where numba
is missing; see `fast_morpion` and `line_search`. A value is 1, 0 or -1. Of moves with equal value the bot's choice is
the one that wins at once, prevents a win, or threatens most.
"""

from collections.abc import Callable, Sequence
from typing import Any

from bots.search import compiled
from bots.search.kernels import LineKernel, masks_of, move_names
from bots.search.line_search import LineSearch
from bots.search.solver import BoundSolver, Found, OutOfTimeError, Search
from games.base import Game, Position
from games.morpion import Morpion

_MOST_BITS = 62
_SMALL = 12
"""Cells of a board on which the plain search is instant, and can count plies."""


class FastSearch(compiled.Memory):
    """`fast_morpion` with its memory; the table takes `megabytes`, rounded down to a power of two."""

    def __init__(self, game: Morpion, fast: Any, megabytes: int) -> None:
        from bots.search.machine import address_of, allocate

        index_bits = max(fast.INDEX_BITS_LEAST, ((megabytes << 20) // 32).bit_length() - 1)
        images = _symmetries(game)
        steps = [d for d in game.board.lines.directions if game.k <= (game.width if d == 1 else game.height)]
        self._fast = fast
        self._table = allocate(4 << index_bits)
        words = allocate(fast.MEMORY)
        super().__init__(words)
        self._memory = address_of(words)
        told: list[int] = [address_of(self._table), 64 - index_bits, game.board.full, game.k, len(steps), len(images)]
        words[fast.TABLE : fast.TURNED] = told
        words[fast.TURNED] = min(10, game.width * game.height - 6)
        words[fast.STEPS : fast.STEPS + len(steps)] = steps
        for bit, worth in _lines_through(game).items():
            words[fast.WORTH + bit] = worth
        for number, image in enumerate(images):
            for bit, to in image.items():
                words[fast.MAPS + 64 * number + bit] = to

    def bound(self, own: int, mask: int, alpha: int) -> int:
        """See Search."""
        return int(self._fast.search(self._memory, own, own ^ mask, alpha))


def _symmetries(game: Morpion) -> list[dict[int, int]]:
    """For each symmetry of the board, the identity first: bit number -> bit number."""
    width, height = game.width, game.height
    bit_at = {place: bit.bit_length() - 1 for bit, place in game.board.grid.places.items()}
    images = []
    for swap in (False, True) if width == height else (False,):
        for flip_x in (False, True):
            for flip_y in (False, True):
                image = {}
                for (x, y), bit in bit_at.items():
                    to_x, to_y = width - 1 - x if flip_x else x, height - 1 - y if flip_y else y
                    image[bit] = bit_at[(to_y, to_x) if swap else (to_x, to_y)]
                images.append(image)
    return images


def _lines_through(game: Morpion) -> dict[int, int]:
    """Bit number -> how many lines of k run through its cell."""
    lines, full = game.board.lines, game.board.full
    through = {bit.bit_length() - 1: 0 for bit in game.board.grid.places}
    for direction in lines.directions:
        for bit in game.board.grid.places:
            cells = [bit << step * direction for step in range(game.k)]
            if all(cell & full for cell in cells):
                for cell in cells:
                    through[cell.bit_length() - 1] += 1
    return through


class MorpionSolver(BoundSolver):
    """Solves positions of `game` with `search`, whose scores have the sign of the value; see Solver."""

    def __init__(self, game: Morpion, search: Search) -> None:
        self._game = game
        super().__init__(search)
        self._kernel = LineKernel(game)
        self._names = move_names(game)
        self._through = _lines_through(game)

    def score(self, position: Position) -> int:
        """See Solver."""
        own, other = masks_of(position)
        if position.outcome() is not None:
            return -1 if self._game.board.has_line(other) else 0
        for alpha in (0, -1):
            bound = self._bound(own, own | other, alpha)
            if bound > alpha:
                return 1 if alpha == 0 else 0
        return -1

    def is_above(self, position: Position, value: int) -> bool:
        """See Solver."""
        if position.outcome() is not None:
            return self.score(position) > value
        if not -1 <= value < 1:
            return value < 0
        own, other = masks_of(position)
        return self._bound(own, own | other, value) > value

    def best(
        self, position: Position, listen: Callable[[Found], None] | None = None, order: Sequence[str] = ()
    ) -> Found:
        """See Solver."""
        own, other = masks_of(position)
        legal = self._kernel.legal(own, other)
        left = legal.bit_count()
        moves = self._in_order(own, other, legal)
        moves.sort(key=lambda bit: (*order, self._names[bit]).index(self._names[bit]))
        found = Found(self._names[moves[0]], 0, left, self.nodes, exact=False)
        try:
            value = self.score(position)
            for bit in moves:
                if self._reaches(position, bit, value):
                    found = Found(self._names[bit], value, left, self.nodes, exact=True)
                    break
        except OutOfTimeError:
            pass
        if listen is not None:
            listen(found)
        return found

    def _reaches(self, position: Position, bit: int, value: int) -> bool:
        """Whether the move on `bit` keeps the value."""
        return -self.score(position.play(self._names[bit])) == value

    def _in_order(self, own: int, other: int, legal: int) -> list[int]:
        """The legal cells: those that win, that prevent a win, that threaten most, with the most lines through them."""
        winning, losing = self._kernel.winning(own, legal), self._kernel.winning(other, legal)

        def worth(bit: int) -> tuple[bool, bool, int, int]:
            threats = self._kernel.winning(own | bit, legal ^ bit).bit_count()
            return bool(bit & winning), bool(bit & losing), threats, self._through[bit.bit_length() - 1]

        return sorted((bit for bit in self._names if bit & legal), key=worth, reverse=True)


def is_compiled(game: Game) -> bool:
    """Whether there is machine code for these rules, and use for it."""
    assert isinstance(game, Morpion)
    return game.width * game.height > _SMALL and game.height * (game.width + 1) <= _MOST_BITS


def make_solver(game: Game, megabytes: int) -> MorpionSolver:
    """A solver for any board and any k; how far it reaches depends on them."""
    assert isinstance(game, Morpion)
    fast = compiled.load(game.id) if is_compiled(game) else None
    return MorpionSolver(game, LineSearch(game) if fast is None else FastSearch(game, fast, megabytes))
