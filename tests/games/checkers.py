"""A game of tests: English draughts, whose kings are a kind of piece, and morpion around a cell that nobody can take.

A move of draughts is the cells that a piece goes through, "c3d4" or "c3e5g7". The square a1 stands below on the left.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import ClassVar

from games.base import (
    Ending,
    IllegalMove,
    Labels,
    Look,
    Option,
    Outcome,
    Piece,
    Position,
    Profile,
    Reason,
    Refusal,
    RulesError,
    Seat,
    Termination,
    Words,
)
from games.coordinates import LETTERS, Grid, split_cells
from games.morpion import Morpion, MorpionPosition
from games.options import Rules

QUIET = 40
"""So many moves without a capture and without one of a man are a draw."""

KING = Words("king", "dame")
BLOCKED = Words("blocked", "condamnée")
MUST_TAKE = Refusal(
    "must_take",
    Words("You must take: {move} takes nothing.", "La prise est obligatoire\N{NO-BREAK SPACE}: {move} ne prend rien."),
)

Cell = tuple[int, int]


@dataclass(frozen=True)
class CheckersPosition:
    """The signs of all cells, rows from the top; whose turn it is; how many quiet moves came before."""

    game: Checkers
    cells: str
    to_move: Seat
    quiet: int = 0

    @property
    def passed(self) -> Seat | None:
        """Nobody passes."""
        return None

    @property
    def notation(self) -> str:
        """The cells, who is to move, and the count of quiet moves."""
        return f"{self.cells} {'XO'[self.to_move - 1]} q{self.quiet}"

    def cell(self, x: int, y: int) -> Seat | None:
        """Whose piece stands there."""
        sign = self._sign((x, y))
        return None if sign == "-" else Seat.FIRST if sign in "XK" else Seat.SECOND

    def _sign(self, cell: Cell) -> str:
        x, y = cell
        if not (0 <= x < self.game.size and 0 <= y < self.game.size):
            raise IndexError(f"no cell {cell}")
        return self.cells[y * self.game.size + x]

    def _steps(self, sign: str) -> list[Cell]:
        ahead = -1 if sign in "XK" else 1
        return [(dx, dy) for dy in (ahead, -ahead)[: 1 + (sign in "Kk")] for dx in (-1, 1)]

    def _jumps(self, way: tuple[Cell, ...], sign: str, taken: frozenset[Cell]) -> Iterator[tuple[Cell, ...]]:
        """The ways on which a piece takes, each as far as it goes."""
        x, y = way[-1]
        others = "Oo".replace("o", "k") if sign in "XK" else "XK"
        goes_on = False
        for dx, dy in self._steps(sign):
            over, to = (x + dx, y + dy), (x + 2 * dx, y + 2 * dy)
            try:
                free = self._sign(to) == "-" or to == way[0]
                takes = self._sign(over) in others and over not in taken
            except IndexError:
                continue
            if free and takes:
                goes_on = True
                yield from self._jumps((*way, to), sign, taken | {over})
        if not goes_on and len(way) > 1:
            yield way

    @cached_property
    def ways(self) -> dict[str, tuple[Cell, ...]]:
        """Each legal move, with the cells that its piece goes through."""
        if self.quiet >= QUIET:
            return {}
        size = self.game.size
        own = [(x, y) for y in range(size) for x in range(size) if self.cell(x, y) is self.to_move]
        found = [way for cell in own for way in self._jumps((cell,), self._sign(cell), frozenset())]
        if not found:
            for x, y in own:
                for dx, dy in self._steps(self._sign((x, y))):
                    to = (x + dx, y + dy)
                    if 0 <= to[0] < size and 0 <= to[1] < size and self._sign(to) == "-":
                        found.append(((x, y), to))
        return {"".join(self.game.name(cell) for cell in way): way for way in found}

    def legal_moves(self) -> tuple[str, ...]:
        """What has to be taken, else all steps."""
        return tuple(self.ways)

    def play(self, move: str) -> CheckersPosition:
        """The position after a move."""
        way = self.ways.get(move)
        if way is None:
            raise IllegalMove(move, self._refusal(move))
        cells, size = list(self.cells), self.game.size
        sign = self._sign(way[0])
        took = abs(way[0][0] - way[1][0]) == 2
        for (x, y), (to_x, to_y) in pairwise(way):
            cells[y * size + x] = "-"
            if took:
                cells[(y + to_y) // 2 * size + (x + to_x) // 2] = "-"
        x, y = way[-1]
        crowned = {"X": "K", "O": "k"}.get(sign, sign) if y == (0 if sign in "XK" else size - 1) else sign
        cells[y * size + x] = crowned
        quiet = 0 if took or sign in "XO" else self.quiet + 1
        return CheckersPosition(self.game, "".join(cells), self.to_move.other, quiet)

    def _refusal(self, move: str) -> str:
        try:
            if self.game.parse_move(move) != move:
                return Reason.NOT_A_MOVE
        except IllegalMove as error:
            return error.reason
        if not self.ways:
            return Reason.GAME_OVER
        must_take = any(abs(way[0][0] - way[1][0]) == 2 for way in self.ways.values())
        return MUST_TAKE.code if must_take else Reason.FORBIDDEN

    def score(self) -> tuple[int, int]:
        """How many pieces each seat has."""
        return sum(sign in "XK" for sign in self.cells), sum(sign in "Ok" for sign in self.cells)

    def outcome(self) -> Outcome | None:
        """Lost for who can't move; a draw after too many quiet moves."""
        if self.ways:
            return None
        if self.quiet >= QUIET:
            return Outcome(None, "quiet", self.score())
        return Outcome(self.to_move.other, "blocked", self.score())


@dataclass(frozen=True)
class Checkers(Rules):
    """English draughts on `size` x `size` cells."""

    id: ClassVar[str] = "checkers"
    options: ClassVar[tuple[Option, ...]] = (Option("size", 6, (6, 8), "columns and rows"),)
    guide: ClassVar[str] = "Draughts.\n"
    profile: ClassVar[Profile] = Profile(
        endings=(
            Ending("blocked", won=Words("the opponent can't move", "l’adversaire ne peut plus jouer")),
            Ending("quiet", won=Words("", ""), drawn=Words("nothing happens", "il ne se passe plus rien")),
        ),
        refusals=(MUST_TAKE,),
        look=Look(
            labels=Labels.FROM_BELOW,
            pieces=(Piece("K", KING, Seat.FIRST, "♛"), Piece("k", KING, Seat.SECOND, "♕")),
        ),
    )

    size: int = 6

    def __post_init__(self) -> None:
        self.check_options()

    @property
    def width(self) -> int:
        """Columns."""
        return self.size

    @property
    def height(self) -> int:
        """Rows."""
        return self.size

    @property
    def longest(self) -> int:
        """Each man moves at most so often as there are rows, each piece is taken once, and QUIET moves between."""
        return (self.size * self.size) * (QUIET + 1)

    @property
    def grid(self) -> Grid:
        """The cells."""
        return Grid(self.size, self.size, tuple(1 << cell for cell in range(self.size * self.size)))

    def name(self, cell: Cell) -> str:
        """What a cell is called."""
        return f"{LETTERS[cell[0]]}{self.size - cell[1]}"

    def start(self) -> CheckersPosition:
        """Rows of men on the dark cells, two of them free between both sides."""
        rows = (self.size - 2) // 2
        cells = [
            "-" if (x + y) % 2 == 0 else "O" if y < rows else "X" if y >= self.size - rows else "-"
            for y in range(self.size)
            for x in range(self.size)
        ]
        return CheckersPosition(self, "".join(cells), Seat.FIRST)

    def position(self, notation: str) -> CheckersPosition:
        """The position of a notation."""
        cells, mover, quiet = (*notation.split(" ", 2), "", "")[:3]
        _masks, to_move = self.grid.read_signs(f"{cells} {mover}", "Kk")
        return CheckersPosition(self, cells, to_move, int(quiet.removeprefix("q") or 0))

    def parse_move(self, text: str) -> str:
        """The move of "C3 d4" or "c3d4"."""
        try:
            cells = split_cells(text.replace("-", " ").replace("x", " "))
        except RulesError:
            raise IllegalMove(text, Reason.NOT_A_MOVE) from None
        if len(cells) < 2:
            raise IllegalMove(text, Reason.NOT_A_MOVE)
        for cell in cells:
            if not (cell[0] in LETTERS[: self.size] and len(cell) < 4 and 1 <= int(cell[1:]) <= self.size):
                raise IllegalMove(text, Reason.OFF_BOARD)
        return "".join(cells)

    def move_cell(self, position: Position, move: str) -> Cell:
        """Where a move ends."""
        return self.move_cells(position, move)[-1]

    def move_cells(self, position: Position, move: str) -> tuple[Cell, ...]:
        """The cells that a piece goes through."""
        assert isinstance(position, CheckersPosition)
        if move not in position.ways:
            raise IllegalMove(move, Reason.FORBIDDEN)
        return position.ways[move]

    def parse_transcript(self, text: str) -> tuple[str, ...]:
        """Moves with spaces between them."""
        position, moves = self.start(), []
        for word in text.split():
            moves.append(self.parse_move(word))
            position = position.play(moves[-1])
        return tuple(moves)

    def format_transcript(self, moves: object) -> str:
        """The same, written."""
        assert isinstance(moves, (tuple, list))
        return " ".join(moves)


class HoledPosition(MorpionPosition):
    """A position in which the middle is no cell to be taken."""

    __slots__ = ()

    @property
    def notation(self) -> str:
        grid = self.game.board.grid
        return grid.write(self.first, self.second, self.to_move, {"B": grid.bit(1, 1)})

    def legal_mask(self) -> int:
        return super().legal_mask() & ~self.game.board.grid.bit(1, 1)

    def outcome(self) -> Outcome | None:
        if self.legal_mask():
            return None
        return super().outcome() or Outcome(None, Termination.FULL, self.score())


@dataclass(frozen=True, slots=True)
class Holed(Morpion):
    """Morpion on 3x3 around a blocked cell."""

    id: ClassVar[str] = "holed"
    profile: ClassVar[Profile] = Profile(Morpion.profile.endings, look=Look(pieces=(Piece("B", BLOCKED, glyph="▒"),)))

    def start(self) -> HoledPosition:
        return HoledPosition.build(self, 0, 0, Seat.FIRST)

    def position(self, notation: str) -> HoledPosition:
        masks, to_move = self.board.grid.read_signs(notation, "B")
        return HoledPosition.build(self, masks["X"], masks["O"], to_move)
