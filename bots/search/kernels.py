"""The rules of each game as a search wants them: two masks, the mover's discs first, and no object a node.

The masks and the tables are those of `games`; a kernel only adds what a search asks that a referee does not: which
moves complete a line, and in which order moves are worth trying.

`alphabeta` never shows a kernel a position in which somebody has a line: it stops at the move that makes one.
"""

from collections.abc import Callable, Iterator
from typing import Protocol

from bots.search.accelerators import ACCELERATORS
from games.base import Game, Labels, Position, Seat
from games.coordinates import Grid
from games.masks import GridBoard, MaskPosition
from games.morpion import Morpion
from games.othello import Othello
from games.puissance4 import Puissance4

Masks = tuple[int, int]
"""The discs of one seat and those of the other."""


class Kernel(Protocol):
    """The rules of one game on masks; `own` moves, `other` is the opponent.

    passes: whether a seat without a move passes (else the game is over).
    groups: masks that part the cells, those first whose moves are worth trying first.
    """

    passes: bool
    groups: tuple[int, ...]

    def legal(self, own: int, other: int) -> int:
        """The cells that `own` may take."""
        ...

    def play(self, own: int, other: int, bit: int) -> Masks:
        """The masks after `own` takes `bit`, one bit of `legal`: still own and other, in this order."""
        ...

    def winning(self, own: int, legal: int) -> int:
        """Those of the `legal` cells that complete a line of `own`."""
        ...

    def has_line(self, own: int) -> int:
        """True (not 0) if `own` holds a line; of use to those searches that look no move ahead."""
        ...

    def final(self, own: int, other: int) -> int:
        """Who won a game in which neither can move and `other` moved last: 1 own, -1 other, 0 nobody."""
        ...


class LineKernel:
    """Morpion, and Puissance 4 if `bottom` holds the lowest cell of each column (discs fall: `falls`)."""

    passes = False

    def __init__(self, game: Morpion | Puissance4) -> None:
        board = game.board
        self.groups = _rings(board.grid)
        self._full = board.full
        self._bottom = game.board.bottom if isinstance(game, Puissance4) else 0
        self._directions = board.lines.directions
        self._has_line = board.has_line
        self._k = game.k
        self.falls = bool(self._bottom)

    def legal(self, own: int, other: int) -> int:
        """The empty cells; with gravity the lowest of each column."""
        if self._bottom:
            return (own | other) + self._bottom & self._full
        return self._full ^ (own | other)

    def play(self, own: int, other: int, bit: int) -> Masks:
        """A disc more."""
        return own | bit, other

    def winning(self, own: int, legal: int) -> int:
        """The legal cells that complete k in a line: i discs in a row on one side of it, k - 1 - i on the other."""
        won = 0
        rest = range(2, self._k)
        for direction in self._directions:
            before = [own << direction]
            after = [own >> direction]
            for step in rest:
                before.append(before[-1] & own << step * direction)
                after.append(after[-1] & own >> step * direction)
            won |= before.pop() | after[-1]
            after.pop()
            for one, following in zip(before, reversed(after), strict=True):
                won |= one & following
        return won & legal

    def has_line(self, own: int) -> int:
        """Whether `own` holds k in a line."""
        return self._has_line(own)

    def final(self, own: int, other: int) -> int:
        """A full board without a line is a draw."""
        del own, other
        return 0


class DiscKernel:
    """Othello."""

    passes = True

    def __init__(self, game: Othello) -> None:
        corners, around, _ = corner_classes(game.board.grid)
        self.groups: tuple[int, ...] = (corners, sum(game.board.grid.bits) ^ corners ^ around, around)
        self._legal = game.board.legal
        self._flips = game.board.flips
        self._tie = -1 if game.tie == "last_mover" else 0

    def legal(self, own: int, other: int) -> int:
        """The cells where a disc encloses some of the opponent's."""
        return self._legal(own, other)

    def play(self, own: int, other: int, bit: int) -> Masks:
        """A disc more, and those that it flips."""
        flipped = self._flips(own, other, bit)
        return own | bit | flipped, other ^ flipped

    def winning(self, own: int, legal: int) -> int:
        """There are no lines in Othello."""
        del own, legal
        return 0

    def has_line(self, own: int) -> int:
        """There are no lines in Othello."""
        del own
        return 0

    def final(self, own: int, other: int) -> int:
        """Most discs win."""
        lead = own.bit_count() - other.bit_count()
        return (lead > 0) - (lead < 0) or self._tie


def make_kernel(game: Game) -> Kernel | None:
    """The kernel of `game`, None if it has none."""
    entry = ACCELERATORS.get(game.id)
    if entry is None:
        return None
    make: Callable[[Game], Kernel] = globals()[entry.kernel]
    return make(game)


def masks_of(position: Position) -> Masks:
    """The discs of the seat to move, and those of the other."""
    assert isinstance(position, MaskPosition), "a game that has a kernel has masks"
    return position.own, position.opponent


def move_names(game: Game) -> dict[int, str]:
    """The bit of each cell -> the move that takes it."""
    if game.id not in ACCELERATORS:
        return {}
    board: GridBoard = getattr(game, "board")  # noqa: B009 - what all games that are there have
    if game.profile.look.labels is Labels.COLUMNS:
        return {bit: str(x + 1) for bit, (x, _) in board.grid.places.items()}
    return dict(board.grid.name_of)


def bits_in(mask: int, groups: tuple[int, ...]) -> Iterator[int]:
    """The bits of `mask`, group by group."""
    for group in groups:
        part = mask & group
        while part:
            bit = part & -part
            part ^= bit
            yield bit


def corner_classes(grid: Grid) -> tuple[int, int, int]:
    """The corners, the cells that touch one, and what is left of the edges, as masks that share no cell."""
    right, low = grid.width - 1, grid.height - 1
    corners = around = edges = 0
    for bit, (x, y) in grid.places.items():
        near_column, near_row = min(x, right - x), min(y, low - y)
        if near_column == near_row == 0:
            corners |= bit
        elif near_column <= 1 and near_row <= 1:
            around |= bit
        elif min(near_column, near_row) == 0:
            edges |= bit
    return corners, around, edges


def _rings(grid: Grid) -> tuple[int, ...]:
    """The cells by their distance from the centre, the nearest first: most lines run through them."""
    rings: dict[int, int] = {}
    for bit, (x, y) in grid.places.items():
        distance = max(abs(2 * x - grid.width + 1), abs(2 * y - grid.height + 1))
        rings[distance] = rings.get(distance, 0) | bit
    return tuple(rings[distance] for distance in sorted(rings))


def seat_masks(position: Position, seat: Seat) -> Masks:
    """The discs of `seat`, and those of its opponent."""
    own, other = masks_of(position)
    return (own, other) if position.to_move is seat else (other, own)
