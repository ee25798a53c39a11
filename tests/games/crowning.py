"""A game of tests: pawns that may become a queen or a knight on the last row, and players who may pass.

A pawn steps straight onto an empty cell, or diagonally onto a piece of the opponent. A move is its two cells, "a2a3",
with a letter where a pawn is crowned, "a3a4q"; or "pass". Crowned pieces stay where they are. Two passes in a row end
the game; then each queen counts three, each knight two, each pawn one.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import ClassVar

from games.base import (
    Ending,
    IllegalMove,
    Labels,
    Look,
    MoveName,
    Option,
    Outcome,
    Piece,
    Position,
    Profile,
    Reason,
    RulesError,
    Seat,
    Words,
)
from games.coordinates import LETTERS, Grid, split_cells
from games.options import Rules

PASS = "pass"
WORTH = {"X": 1, "O": 1, "N": 2, "n": 2, "Q": 3, "q": 3}
QUEEN, KNIGHT = Words("queen", "dame"), Words("knight", "cavalier")

Cell = tuple[int, int]


@dataclass(frozen=True)
class CrowningPosition:
    """The signs of all cells, rows from the top; whose turn it is; how many passes were made in a row."""

    game: Crowning
    cells: str
    to_move: Seat
    passes: int = 0

    @property
    def passed(self) -> Seat | None:
        """Nobody is forced to pass."""
        return None

    @property
    def notation(self) -> str:
        """The cells, who is to move, and the count of passes."""
        return f"{self.cells} {'XO'[self.to_move - 1]} p{self.passes}"

    def cell(self, x: int, y: int) -> Seat | None:
        """Whose piece stands there."""
        if not (0 <= x < self.game.width and 0 <= y < self.game.height):
            raise IndexError(f"no cell {x}, {y}")
        sign = self.cells[y * self.game.width + x]
        return None if sign == "-" else Seat.FIRST if sign in "XQN" else Seat.SECOND

    @cached_property
    def ways(self) -> dict[str, tuple[Cell, ...]]:
        """Each legal move with its cells."""
        if self.passes == 2:
            return {}
        game, ahead = self.game, -1 if self.to_move is Seat.FIRST else 1
        found: dict[str, tuple[Cell, ...]] = {}
        for at, sign in enumerate(self.cells):
            if sign == "XO"[self.to_move - 1]:
                x, y = at % game.width, at // game.width
                for to in ((x - 1, y + ahead), (x, y + ahead), (x + 1, y + ahead)):
                    inside = to[0] in range(game.width) and to[1] in range(game.height)
                    if inside and self.cell(*to) is (None if to[0] == x else self.to_move.other):
                        step, last = game.name((x, y)) + game.name(to), to[1] in (0, game.height - 1)
                        found |= {step + into: ((x, y), to) for into in ("qn" if last else ("",))}
        return {**found, PASS: ()}

    def legal_moves(self) -> tuple[str, ...]:
        """All steps, and a pass."""
        return tuple(self.ways)

    def play(self, move: str) -> CrowningPosition:
        """The position after a move."""
        if move not in self.ways:
            raise IllegalMove(move, self._refusal(move))
        if move == PASS:
            return CrowningPosition(self.game, self.cells, self.to_move.other, self.passes + 1)
        cells, (start, end) = list(self.cells), self.ways[move]
        crowned = move[-1] if move[-1] in "qn" else "o"
        cells[start[1] * self.game.width + start[0]] = "-"
        into = crowned.replace("o", "O")
        if self.to_move is Seat.FIRST:
            into = {"q": "Q", "n": "N", "O": "X"}[into]
        cells[end[1] * self.game.width + end[0]] = into
        return CrowningPosition(self.game, "".join(cells), self.to_move.other)

    def _refusal(self, move: str) -> str:
        try:
            if self.game.parse_move(move) != move:
                return Reason.NOT_A_MOVE
        except IllegalMove as error:
            return error.reason
        return Reason.FORBIDDEN if self.ways else Reason.GAME_OVER

    def score(self) -> tuple[int, int]:
        """What the pieces of each seat count."""
        worth = [(self.cell(at % self.game.width, at // self.game.width), sign) for at, sign in enumerate(self.cells)]
        first, second = (sum(WORTH[sign] for holder, sign in worth if holder is seat) for seat in Seat)
        return first, second

    def outcome(self) -> Outcome | None:
        """Over after two passes."""
        if self.ways:
            return None
        first, second = self.score()
        winner = None if first == second else Seat.FIRST if first > second else Seat.SECOND
        return Outcome(winner, "counted", (first, second))


@dataclass(frozen=True)
class Crowning(Rules):
    """The rules on `width` columns and four rows."""

    id: ClassVar[str] = "crowning"
    options: ClassVar[tuple[Option, ...]] = (Option("width", 3, (3, 4), "columns"),)
    guide: ClassVar[str] = "Crowning.\n"
    profile: ClassVar[Profile] = Profile(
        endings=(
            Ending("counted", won=Words("more points", "plus de points"), drawn=Words("Draw: as many.", "Nulle.")),
        ),
        move_names=(MoveName(PASS, Words("Pass", "Passer")), MoveName("q", QUEEN), MoveName("n", KNIGHT)),
        look=Look(
            labels=Labels.FROM_BELOW,
            pieces=(
                Piece("Q", QUEEN, Seat.FIRST, "♛"),
                Piece("q", QUEEN, Seat.SECOND, "♕"),
                Piece("N", KNIGHT, Seat.FIRST, "♞"),
                Piece("n", KNIGHT, Seat.SECOND, "♘"),
            ),
        ),
    )

    width: int = 3
    height: int = field(default=4, init=False)

    def __post_init__(self) -> None:
        self.check_options()

    @property
    def longest(self) -> int:
        """Each pawn steps three times, and after each step somebody may pass once, at the end twice."""
        return 2 * (6 * self.width) + 2

    def name(self, cell: Cell) -> str:
        """What a cell is called."""
        return f"{LETTERS[cell[0]]}{self.height - cell[1]}"

    def start(self) -> CrowningPosition:
        """A row of pawns on each side."""
        width = self.width
        return CrowningPosition(self, "O" * width + "-" * (2 * width) + "X" * width, Seat.FIRST)

    def position(self, notation: str) -> CrowningPosition:
        """The position of a notation."""
        cells, mover, passes = (*notation.split(" ", 2), "", "")[:3]
        grid = Grid(self.width, self.height, tuple(1 << cell for cell in range(self.width * self.height)))
        _masks, to_move = grid.read_signs(f"{cells} {mover}", "QNqn")
        return CrowningPosition(self, cells, to_move, int(passes.removeprefix("p") or 0))

    def parse_move(self, text: str) -> str:
        """The move of "a2-a3", "A3A4Q" or "pass"."""
        typed = text.strip().lower().replace("-", "")
        if typed == PASS:
            return PASS
        into = typed[-1:] if typed[-1:] in ("q", "n") else ""
        try:
            cells = split_cells(typed.removesuffix(into))
        except RulesError:
            raise IllegalMove(text, Reason.NOT_A_MOVE) from None
        if len(cells) != 2:
            raise IllegalMove(text, Reason.NOT_A_MOVE)
        for cell in cells:
            if not (cell[0] in LETTERS[: self.width] and len(cell) < 4 and 1 <= int(cell[1:]) <= self.height):
                raise IllegalMove(text, Reason.OFF_BOARD)
        return "".join(cells) + into

    def move_cell(self, position: Position, move: str) -> Cell:
        """Where a step ends."""
        return self.move_cells(position, move)[-1]

    def move_cells(self, position: Position, move: str) -> tuple[Cell, ...]:
        """From where to where; none for a pass."""
        assert isinstance(position, CrowningPosition)
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
