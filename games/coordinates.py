"""Cells, their names, and the one-line notation of a board: what every game on a grid shares.

A `Grid` says which bit of a mask stands for which cell, so that each game keeps the layout that makes its rules fast
while cells are read and written in one place. Cells are 0-based (x, y) with row 0 on top; names are "a1" (top left).
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from games.base import IllegalMove, Reason, RulesError, Seat, Words, quote

Item = TypeVar("Item")

LETTERS = "abcdefghijklmnopqrstuvwxyz"
EMPTY = "-"
CELL = Words(", like {move} or {cell}", ", par exemple {move} ou {cell}")
"""`Profile.typed` of a move that is one cell; {cell} is the same as column,row."""

SYMBOLS = {Seat.FIRST: "X", Seat.SECOND: "O"}

_NAMED = re.compile(r"([a-z])([0-9]+)")
_NUMBERED = re.compile(r"\(?\s*(-?[0-9]+)\s*,\s*(-?[0-9]+)\s*\)?")


def small_number(digits: str) -> int:
    """The value of decimal `digits`, or 9999 for anything longer than four: no board is that large."""
    return int(digits) if len(digits) <= 4 else 9999


@dataclass(frozen=True, slots=True)
class Grid:
    """A board of `width` x `height` cells; `bits`: the bit of each cell, rows from the top, columns from the left."""

    width: int
    height: int
    bits: tuple[int, ...]
    names: tuple[str, ...] = field(init=False)
    places: dict[int, tuple[int, int]] = field(init=False, compare=False, repr=False)
    bit_of: dict[str, int] = field(init=False, compare=False, repr=False)
    name_of: dict[int, str] = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        names = tuple(f"{LETTERS[x]}{y + 1}" for y in range(self.height) for x in range(self.width))
        places = [(x, y) for y in range(self.height) for x in range(self.width)]
        object.__setattr__(self, "names", names)
        object.__setattr__(self, "places", dict(zip(self.bits, places, strict=True)))
        object.__setattr__(self, "bit_of", dict(zip(names, self.bits, strict=True)))
        object.__setattr__(self, "name_of", dict(zip(self.bits, names, strict=True)))

    def bit(self, x: int, y: int) -> int:
        """The bit of a cell; raises IndexError outside the board."""
        if not (0 <= x < self.width and 0 <= y < self.height):
            raise IndexError(f"no cell {x}, {y} on a board of {self.width} x {self.height}")
        return self.bits[y * self.width + x]

    def cells(self, mask: int) -> tuple[tuple[int, int], ...]:
        """The cells of a mask, rows from the top, columns from the left."""
        return tuple([self.places[bit] for bit in self.bits if bit & mask])

    def write(self, first: int, second: int, to_move: Seat, pieces: Mapping[str, int] | None = None) -> str:
        """The notation of a board: its rows from the top, a space, who is to move.

        pieces: the sign of a `Piece` -> the cells that hold one, which may be among those of a seat.
        """
        cells = ["X" if bit & first else "O" if bit & second else EMPTY for bit in self.bits]
        for sign, mask in (pieces or {}).items():
            cells = [sign if bit & mask else cell for bit, cell in zip(self.bits, cells, strict=True)]
        return f"{''.join(cells)} {SYMBOLS[to_move]}"

    def read(self, notation: str) -> tuple[int, int, Seat]:
        """First's mask, second's mask and the seat to move; the inverse of `write`. Raises RulesError."""
        masks, to_move = self.read_signs(notation)
        return masks["X"], masks["O"], to_move

    def read_signs(self, notation: str, pieces: str = "") -> tuple[dict[str, int], Seat]:
        """X, O and each of the signs `pieces` -> the cells that hold it, and the seat to move. Raises RulesError."""
        cells, _, mover = notation.strip().partition(" ")
        signs = ("X", "O", *pieces)
        if len(cells) != len(self.bits) or mover not in ("X", "O") or set(cells) - {*signs, EMPTY}:
            raise RulesError(
                "a position is {count} cells of {signs} or -, a space, and X or O to move, not {notation}",
                count=len(self.bits),
                signs=", ".join(signs),
                notation=quote(notation),
            )
        masks = {sign: sum(bit for bit, cell in zip(self.bits, cells, strict=True) if cell == sign) for sign in signs}
        return masks, Seat.FIRST if mover == "X" else Seat.SECOND

    def parse_cell(self, text: str) -> str:
        """The name of the cell typed as "D3", " d3 ", "4,3" or "(4, 3)" (x,y from 1). Raises IllegalMove."""
        stripped = text.strip().lower()
        if named := _NAMED.fullmatch(stripped):
            x, y = ord(named[1]) - ord("a"), small_number(named[2]) - 1
        elif numbered := _NUMBERED.fullmatch(stripped):
            x, y = small_number(numbered[1]) - 1, small_number(numbered[2]) - 1
        else:
            raise IllegalMove(text, Reason.NOT_A_MOVE)
        if not (0 <= x < self.width and 0 <= y < self.height):
            raise IllegalMove(text, Reason.OFF_BOARD)
        return self.names[y * self.width + x]

    def refusal(self, move: str) -> str | None:
        """Why `move` is no cell of this board as it is written on the wire, or None if it is one."""
        if move in self.bit_of:
            return None
        try:
            self.parse_cell(move)
        except IllegalMove as error:
            return error.reason
        return Reason.NOT_A_MOVE


def split_cells(text: str, other_words: str = "(?!)", move: str = "a1") -> list[str]:
    """The words of a transcript of cells, in lower case: "f5d6 C3" gives f5, d6, c3. Raises RulesError.

    `other_words` is a pattern of what else may stand between cells (a written pass). move: an example for the error.
    """
    lowered = text.lower()
    words = re.compile(rf"[\s,;]*([a-z][0-9]+|{other_words})")
    found: list[str] = []
    at = 0
    while match := words.match(lowered, at):
        found.append(match[1])
        at = match.end()
    if lowered[at:].strip(" \t\r\n,;"):
        raise RulesError(
            "a transcript is moves such as {move}, with or without spaces; {text} is none",
            move=move,
            text=quote(text[at:]),
        )
    return found


def make_names(grid: Grid) -> Callable[[int], tuple[str, ...]]:
    """A function from a mask of `grid` to the names of its cells, rows from the top, columns from the left.

    It looks up as many rows at a time as have ten cells or fewer between them.
    """
    rows = max(1, 10 // grid.width)
    tables: list[tuple[int, dict[int, tuple[str, ...]]]] = []
    for top in range(0, grid.height, rows):
        cells = slice(top * grid.width, (top + rows) * grid.width)
        masks = [sum(chosen) for chosen in subsets(grid.bits[cells])]
        tables.append((masks[-1], dict(zip(masks, subsets(grid.names[cells]), strict=True))))
    if len(tables) == 1:
        return tables[0][1].__getitem__

    def names_of(mask: int) -> tuple[str, ...]:
        names: tuple[str, ...] = ()
        for chunk, table in tables:
            if part := mask & chunk:
                names += table[part]
        return names

    return names_of


def subsets(items: Sequence[Item]) -> list[tuple[Item, ...]]:
    """For each number below 2**len(items), the items that its bits select, in order."""
    table: list[tuple[Item, ...]] = [()]
    for item in items:
        table += [(*chosen, item) for chosen in table]
    return table


def bits_of(mask: int) -> Iterable[int]:
    """The bits of a mask, lowest first."""
    while mask:
        bit = mask & -mask
        yield bit
        mask ^= bit
