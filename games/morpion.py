"""Morpion (tic-tac-toe) and every m,n,k game up to 10x10: players fill cells in turn, k in a line win.

A move is a cell, "a1" on the top left. A transcript is the moves: "b2 a1", or "b2a1". Board: row by row, bit
y * (width + 1) + x.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import ClassVar, Self

from games.base import Colours, IllegalMove, Look, Option, Position, Profile, Reason, Seat, Words
from games.coordinates import CELL, Grid, make_names, split_cells
from games.in_line import ENDINGS, LineBoard, LinePosition, check_line
from games.lines import make_lines
from games.options import Rules

_GUIDE = """\
Tic-tac-toe, and with options every m,n,k game. A move is a cell: the letter of its column (`a` on the left) and the
number of its row (1 on top), as `b2`.

- Start: an empty board. Seat 1 moves first.
- Move: a disc of one's own on any empty cell.
- End: the seat whose disc completes `k` or more in a row (across, down or along a diagonal) wins at once (`line`),
  and `cells` has all cells of its lines. If the board is full without, it is a draw (`full`). Nobody passes.
- Score: 1 for a completed line, else 0: `[1,0]`, `[0,1]`, and `[0,0]` for a draw.
"""


@dataclass(frozen=True, slots=True)
class OpenBoard(LineBoard):
    """A board whose every empty cell may be taken; `names` turns a mask into moves."""

    names: Callable[[int], tuple[str, ...]]


class MorpionPosition(LinePosition["Morpion"]):
    """A position of morpion; see LinePosition for the masks that a search uses."""

    __slots__ = ()

    def legal_mask(self) -> int:
        """The empty cells; 0 once the game is over."""
        return 0 if self._winner is not None else self._game.board.full ^ (self._own | self._opponent)

    def legal_moves(self) -> tuple[str, ...]:
        """The empty cells, rows from the top, columns from the left; empty once the game is over."""
        return self._game.board.names(self.legal_mask())

    def play(self, move: str) -> Self:
        """The position after the cell `move` is taken; raises IllegalMove."""
        bit = self._game.board.grid.bit_of.get(move, 0)
        if not bit or self._winner is not None or (self._own | self._opponent) & bit:
            raise IllegalMove(move, self._refusal(move))
        return self.play_bit(bit)

    def _refusal(self, move: str) -> str:
        reason = self._game.board.grid.refusal(move)
        return reason or (Reason.GAME_OVER if self.outcome() else Reason.OCCUPIED)


@dataclass(frozen=True, slots=True)
class Morpion(Rules):
    """The rules of morpion: a board of `width` columns and `height` rows (1 to 10), `k` in a line win."""

    id: ClassVar[str] = "morpion"
    options: ClassVar[tuple[Option, ...]] = (
        Option("width", 3, tuple(range(1, 11)), "columns", Words("Columns", "Colonnes")),
        Option("height", 3, tuple(range(1, 11)), "rows", Words("Rows", "Lignes")),
        Option(
            "k",
            3,
            tuple(range(2, 11)),
            "discs in a row that win; no more than the longer side of the board",
            Words("In a row to win", "À aligner"),
        ),
    )
    guide: ClassVar[str] = _GUIDE
    profile: ClassVar[Profile] = Profile(
        ENDINGS,
        title=Words("tic-tac-toe", "morpion"),
        aliases=("tictactoe",),
        typed=CELL,
        look=Look(signs=True, colours=Colours(first="currentColor", second="currentColor")),
        boards=("morpion:width=4,height=3,k=3", "morpion:width=5,height=5,k=4"),
        sizes=("morpion:width=10,height=10,k=5",),
        demo=("minimax:depth=3", "lookahead:ply=2"),
    )

    width: int = 3
    height: int = 3
    k: int = 3
    board: OpenBoard = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        self.check_options()
        check_line(self.width, self.height, self.k)
        object.__setattr__(self, "board", _make_board(self.width, self.height, self.k))

    def start(self) -> MorpionPosition:
        """The empty board."""
        return MorpionPosition.build(self, 0, 0, Seat.FIRST)

    def position(self, notation: str) -> MorpionPosition:
        """The position of a notation; raises RulesError."""
        return MorpionPosition.build(self, *self.board.grid.read(notation))

    def parse_move(self, text: str) -> str:
        """The cell of "B2", " b2 " or "2,2" (x,y from 1). Raises IllegalMove."""
        return self.board.grid.parse_cell(text)

    def move_cell(self, position: Position, move: str) -> tuple[int, int]:
        """The cell that `move` names; raises IllegalMove if it may not be played in `position`."""
        position.play(move)
        return self.board.grid.places[self.board.grid.bit_of[move]]

    def parse_transcript(self, text: str) -> tuple[str, ...]:
        """The moves of "b2 a1" or "b2a1", any case, spaces or commas, each checked. Raises RulesError, IllegalMove."""
        moves = []
        position = self.start()
        for word in split_cells(text):
            moves.append(self.parse_move(word))
            position = position.play(moves[-1])
        return tuple(moves)

    def format_transcript(self, moves: Sequence[str]) -> str:
        """The moves with spaces between them."""
        return " ".join(moves)


@lru_cache(maxsize=64)
def _make_board(width: int, height: int, k: int) -> OpenBoard:
    stride = width + 1
    grid = Grid(width, height, tuple(1 << y * stride + x for y in range(height) for x in range(width)))
    return OpenBoard(grid, make_lines(stride, height * stride, k), sum(grid.bits), 0, make_names(grid))
