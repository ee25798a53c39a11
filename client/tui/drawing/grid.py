"""How several boards share a window: all of them, as large as fits; else pages with small boards. Pure."""

from __future__ import annotations

from dataclasses import dataclass

from games.frame import Cell

EXTRA_LINES = 3
"""Lines of a tile beside those of its board: one for each player, and one for a note."""

LEAST_WIDTH = 18
GAP = 2
"""The fewest columns of a tile, and the columns between two tiles."""

MAX_SIZE = 6
"""Rows of the largest cell."""


@dataclass(frozen=True, slots=True)
class TileGrid:
    """Tiles of `width` x `height` characters, `columns` side by side and `rows` below each other.

    size: rows of text in a cell of a board. board: columns and rows of the largest board that has to fit; more,
    where its cells need more than one row.
    """

    columns: int
    rows: int
    size: int
    board: Cell

    @property
    def width(self) -> int:
        """Columns of text of a tile."""
        return _width(self.board, self.size)

    @property
    def height(self) -> int:
        """Lines of text of a tile."""
        return _height(self.board, self.size)

    @property
    def places(self) -> int:
        """Tiles that are seen at once."""
        return self.columns * self.rows

    def corner(self, number: int) -> Cell:
        """The first character, and the first line, of a tile."""
        return number % self.columns * (self.width + GAP), number // self.columns * self.height

    def tile_at(self, x: int, y: int) -> int | None:
        """The tile at a character, None between all."""
        column, row = x // (self.width + GAP), y // self.height
        if column >= self.columns or row >= self.rows or x % (self.width + GAP) >= self.width:
            return None
        return row * self.columns + column


def grid_of(count: int, board: Cell, width: int, height: int) -> TileGrid:
    """The grid for `count` boards in `width` x `height` characters; one tile at least, whatever there is room for."""
    for size in range(MAX_SIZE, 0, -1):
        grid = _grid(board, size, width, height)
        if grid.columns and grid.rows and (grid.places >= count or size == 1):
            return grid
    return TileGrid(1, 1, 1, board)


def _grid(board: Cell, size: int, width: int, height: int) -> TileGrid:
    columns = (width + GAP) // (_width(board, size) + GAP)
    return TileGrid(columns, height // _height(board, size), size, board)


def _width(board: Cell, size: int) -> int:
    return max(LEAST_WIDTH, 2 * size * board[0] + 1)


def _height(board: Cell, size: int) -> int:
    return size * board[1] + EXTRA_LINES
