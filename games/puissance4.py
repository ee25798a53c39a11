"""Puissance 4 (Connect Four): discs fall into columns, four in a line win; any board up to 10x10 and any k.

A move is the number of its column, "1" from the left. A transcript is the moves one after the other: "4453", or with
spaces ("4 10 3") on a board of ten columns. Board: column by column, bit x * (height + 1) + (rows above the floor).
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import ClassVar, Self

from games.base import (
    Colours,
    IllegalMove,
    Labels,
    Look,
    Option,
    Position,
    Profile,
    Reason,
    Refusal,
    RulesError,
    Seat,
    Words,
    quote,
)
from games.coordinates import Grid, small_number, subsets
from games.in_line import ENDINGS, LineBoard, LinePosition, check_line
from games.lines import make_lines
from games.options import Rules

_GUIDE = """\
Connect Four. A move is the number of a column, 1 on the left: `4`.

- Start: an empty board. Seat 1 moves first.
- Move: a disc falls into a column that is not full, down to its lowest empty cell.
- End: the seat whose disc completes `k` or more in a row (across, down or along a diagonal) wins at once (`line`),
  and `cells` has all cells of its lines. If the board is full without, it is a draw (`full`). Nobody passes.
- Score: 1 for a completed line, else 0: `[1,0]`, `[0,1]`, and `[0,0]` for a draw.
"""

COLUMN_FULL = Refusal("column_full", Words("Column {move} is full.", "La colonne {move} est pleine."))

_COLUMN = re.compile(r"\(?\s*(-?[0-9]+)\s*(?:,\s*-?[0-9]+\s*)?\)?")


@dataclass(frozen=True, slots=True)
class FallingBoard(LineBoard):
    """A board whose discs fall: each column's cells, and the columns that are open given the cells of the top row."""

    bottom: int
    top: int
    columns: dict[str, int]
    open_columns: dict[int, tuple[str, ...]]


class Puissance4Position(LinePosition["Puissance4"]):
    """A position of Puissance 4; see LinePosition for the masks that a search uses."""

    __slots__ = ()

    def legal_mask(self) -> int:
        """The lowest empty cell of each column that is not full; 0 once the game is over."""
        if self._winner is not None:
            return 0
        board = self._game.board
        return (self._own | self._opponent) + board.bottom & board.full

    def legal_moves(self) -> tuple[str, ...]:
        """The columns that are not full, from the left; empty once the game is over."""
        if self._winner is not None:
            return ()
        board = self._game.board
        return board.open_columns[(self._own | self._opponent) & board.top]

    def play(self, move: str) -> Self:
        """The position after a disc falls into column `move`; raises IllegalMove."""
        board = self._game.board
        bit = (self._own | self._opponent) + board.bottom & board.columns.get(move, 0)
        if not bit or self._winner is not None:
            raise IllegalMove(move, self._refusal(move))
        return self.play_bit(bit)

    def _refusal(self, move: str) -> str:
        if move not in self._game.board.columns:
            try:
                self._game.parse_move(move)
            except IllegalMove as error:
                return error.reason
            return Reason.NOT_A_MOVE
        return Reason.GAME_OVER if self.outcome() else COLUMN_FULL.code


@dataclass(frozen=True, slots=True)
class Puissance4(Rules):
    """The rules of Puissance 4: a board of `width` columns and `height` rows (1 to 10), `k` in a line win."""

    id: ClassVar[str] = "puissance4"
    options: ClassVar[tuple[Option, ...]] = (
        Option("width", 7, tuple(range(1, 11)), "columns", Words("Columns", "Colonnes")),
        Option("height", 6, tuple(range(1, 11)), "rows", Words("Rows", "Lignes")),
        Option(
            "k",
            4,
            tuple(range(2, 11)),
            "discs in a row that win; no more than the longer side of the board",
            Words("In a row to win", "À aligner"),
        ),
    )
    guide: ClassVar[str] = _GUIDE
    profile: ClassVar[Profile] = Profile(
        ENDINGS,
        refusals=(COLUMN_FULL,),
        typed=Words(": a column, like {move}", "\N{NO-BREAK SPACE}: une colonne, par exemple {move}"),
        title=Words("Connect Four", "Puissance 4"),
        aliases=("connectfour", "connect4", "fourinarow"),
        look=Look(labels=Labels.COLUMNS, colours=Colours("#1f4fa3", "#e5433a", "#ffd43b", hole="#0d2a5e")),
        boards=("puissance4:width=5,height=4,k=3",),
        sizes=("puissance4:width=8,height=7",),
        worth=Words(
            "22 less the winner’s discs at the win, negative for a loss",
            "22 moins les pions du gagnant au moment du gain, négatif pour une défaite",
        ),
        demo=("minimax:depth=5", "lookahead:ply=4"),
    )

    width: int = 7
    height: int = 6
    k: int = 4
    board: FallingBoard = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        self.check_options()
        check_line(self.width, self.height, self.k)
        object.__setattr__(self, "board", _make_board(self.width, self.height, self.k))

    def start(self) -> Puissance4Position:
        """The empty board."""
        return Puissance4Position.build(self, 0, 0, Seat.FIRST)

    def position(self, notation: str) -> Puissance4Position:
        """The position of a notation; raises RulesError, also for a disc that hangs in the air."""
        first, second, to_move = self.board.grid.read(notation)
        occupied = first | second
        if occupied & ~(occupied << 1 | self.board.bottom):
            raise RulesError("a disc hangs over an empty cell in {notation}", notation=quote(notation))
        return Puissance4Position.build(self, first, second, to_move)

    def parse_move(self, text: str) -> str:
        """The column of "4", or of "4,3" (the row is where the disc falls, whatever was typed). Raises IllegalMove."""
        typed = _COLUMN.fullmatch(text.strip())
        if not typed:
            raise IllegalMove(text, Reason.NOT_A_MOVE)
        column = small_number(typed[1])
        if not 1 <= column <= self.width:
            raise IllegalMove(text, Reason.OFF_BOARD)
        return str(column)

    def move_cell(self, position: Position, move: str) -> tuple[int, int]:
        """The cell that a disc in column `move` falls to; raises IllegalMove."""
        position.play(move)
        x = int(move) - 1
        return x, max(y for y in range(self.height) if position.cell(x, y) is None)

    def parse_transcript(self, text: str) -> tuple[str, ...]:
        """The moves of "4453" or "4 10 3" (spaces or commas), each checked. Raises RulesError, IllegalMove."""
        words = re.split(r"[\s,]+", text.strip(" \t\r\n,"))
        if len(words) == 1 and self.width < 10:
            words = list(words[0])
        moves = []
        position = self.start()
        for word in words:
            if not word:
                continue
            moves.append(self.parse_move(word))
            position = position.play(moves[-1])
        return tuple(moves)

    def format_transcript(self, moves: Sequence[str]) -> str:
        """The moves in a row, with spaces on a board of ten columns."""
        return ("" if self.width < 10 else " ").join(moves)


@lru_cache(maxsize=64)
def _make_board(width: int, height: int, k: int) -> FallingBoard:
    stride = height + 1
    bits = tuple(1 << x * stride + height - 1 - y for y in range(height) for x in range(width))
    grid = Grid(width, height, bits)
    names = tuple(str(x + 1) for x in range(width))
    bottom = sum(1 << x * stride for x in range(width))
    columns = {name: ((1 << height) - 1) << x * stride for x, name in enumerate(names)}
    tops = [1 << x * stride + height - 1 for x in range(width)]
    chosen = subsets(names)
    open_columns = {
        sum(top for x, top in enumerate(tops) if full >> x & 1): chosen[~full & (1 << width) - 1]
        for full in range(1 << width)
    }
    lines = make_lines(stride, width * stride, k)
    return FallingBoard(grid, lines, sum(bits), sum(bits), bottom, sum(tops), columns, open_columns)
