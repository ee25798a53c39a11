"""Where the cells of a board stand in a rectangle of a terminal, and which cell is where. Pure.

A character of a terminal is about twice as high as it is wide: a cell of `size` rows is 2 * `size` columns wide.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from games.base import Game, Labels
from games.frame import Cell, Frame, frame_of

MAX_SIZE = 12
"""Rows of the largest cell: beyond that a board is too large to be seen at once."""

BARE = Frame((), (), ())
"""No labels."""


@dataclass(frozen=True, slots=True)
class BoardLayout:
    """A board of `columns` x `rows` cells, each `size` rows high, with the labels of `frame` around.

    turned: whether the board is seen from the other side; where only columns have labels, left and right change places
    and nothing stands on its head. fits: whether the rectangle that it was made for is large enough.
    """

    columns: int
    rows: int
    size: int
    frame: Frame
    turned: bool = False
    fits: bool = True
    by_columns: bool = False

    @property
    def left(self) -> int:
        """Columns of text before the first cell."""
        return max((len(label) for label in self.frame.left), default=0) + bool(self.frame.left)

    @property
    def top(self) -> int:
        """Lines of text above the first cell."""
        return bool(self.frame.top)

    @property
    def width(self) -> int:
        """Columns of text; the last one closes a bracket where there are no colours."""
        return self.left + 2 * self.size * self.columns + 1

    @property
    def height(self) -> int:
        """Lines of text."""
        return self.top + self.size * self.rows + bool(self.frame.bottom)

    def place(self, cell: Cell) -> Cell:
        """In which column and row of the drawing a cell of the board stands; the same way back."""
        x, y = cell
        if not self.turned:
            return cell
        return self.columns - 1 - x, y if self.by_columns else self.rows - 1 - y

    def cell_at(self, x: int, y: int) -> Cell | None:
        """The cell at a character of the drawing, None if there is none."""
        column, row = (x - self.left) // (2 * self.size), (y - self.top) // self.size
        if not (0 <= column < self.columns and 0 <= row < self.rows):
            return None
        return self.place((column, row))

    def corner(self, cell: Cell) -> tuple[int, int]:
        """The first character, and the first line, of a cell."""
        column, row = self.place(cell)
        return self.left + 2 * self.size * column, self.top + self.size * row


def layout_of(game: Game, width: int, height: int, *, turned: bool = False, bare: bool = False) -> BoardLayout:
    """The largest board of `game` that fits into `width` x `height` characters.

    bare: without labels. Else labels that say nothing new give way to larger cells, and all do where nothing else fits.
    A board that does not fit at all has the smallest cells.
    """
    least = least_size(game)
    usual = BoardLayout(game.width, game.height, least, BARE, turned=turned, by_columns=_by_columns(game))
    sized = [] if bare else [replace(usual, frame=frame) for frame in _frames(frame_of(game))]
    for plans in (sized, [usual]):
        sizes = [
            min((width - p.left - 1) // (2 * p.columns), (height - p.height + least * p.rows) // p.rows) for p in plans
        ]
        if (size := max(sizes, default=0)) >= least:
            return replace(plans[sizes.index(size)], size=min(size, MAX_SIZE))
    return replace(usual, fits=False)


def least_size(game: Game) -> int:
    """Rows of the smallest cell: one, but where a cell has to hold more than one character."""
    return game.profile.look.widest


def _by_columns(game: Game) -> bool:
    return game.profile.look.labels is Labels.COLUMNS


def _frames(frame: Frame) -> tuple[Frame, ...]:
    """The frame with all labels; then one with only the labels that are needed to name each cell."""
    once = Frame((), frame.bottom, frame.left) if frame.bottom else frame
    return (frame, once)
