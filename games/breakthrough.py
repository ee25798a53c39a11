"""Breakthrough (Dan Troyka, 2000): pawns step forward and capture diagonally; who reaches the far row wins.

A move is from where to where, "b2b3": a letter for the column, `a` on the left, and a number for the row, 1 at the
bottom, as in chess. People may also type "b2-b3" and "b2xc3". Board: rows from the bottom, bit
row * (size + 1) + column; the last bit of each row belongs to no cell, so that no step wraps around.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import ClassVar, Self

from games.base import (
    Colours,
    Ending,
    IllegalMove,
    Labels,
    Look,
    Measure,
    Option,
    Outcome,
    Position,
    Profile,
    Reason,
    Refusal,
    RulesError,
    Seat,
    Term,
    Words,
    quote,
)
from games.coordinates import LETTERS, Grid, small_number, split_cells
from games.masks import MaskPosition
from games.options import Rules

# A global is found faster than a member of an enumeration.
_FIRST, _SECOND = Seat.FIRST, Seat.SECOND
_MOVE = re.compile(r"([a-z])([0-9]+)\s*[-x:]?\s*([a-z])([0-9]+)")

GOAL, CAPTURED = "goal", "captured"
"""The codes of its endings: a pawn on the far row, and no pawn left."""

NO_PAWN_OF_YOURS = Refusal(
    "no_pawn_of_yours", Words("{move} does not begin on a pawn of yours.", "{move} ne part pas d’un de vos pions.")
)
NO_STEP = Refusal(
    "no_step",
    Words(
        "{move} is no step of a pawn: it goes one row ahead, straight or diagonally.",
        "{move} n’est pas un pas de pion\N{NO-BREAK SPACE}: il avance d’une rangée, tout droit ou de biais.",
    ),
)
ONTO_YOURS = Refusal("onto_yours", Words("{move} ends on a pawn of yours.", "{move} arrive sur un de vos pions."))
BLOCKED = Refusal(
    "blocked",
    Words(
        "{move} goes straight onto a pawn: only diagonal steps capture.",
        "{move} va tout droit sur un pion\N{NO-BREAK SPACE}: on ne prend que de biais.",
    ),
)

_NO_PAWN = Words("there is no pawn on the board in {notation}", "aucun pion sur le plateau dans {notation}")
_UNREADABLE = Words("moves are written like b2b3, not {text}", "un coup s’écrit comme b2b3, pas {text}")

_GUIDE = """\
A move is two cells, from where and to where, as `b2b3`: the letter of a column (`a` on the left) and the number of a
row, here 1 at the bottom, as in chess.

- Start: each seat has two full rows of pawns; seat 1 the rows 1 and 2, seat 2 the two upper ones. Seat 1 moves first.
- Move: a pawn goes one row forward, up for seat 1 and down for seat 2: straight ahead or diagonally onto an empty cell,
  or diagonally onto a pawn of the opponent, which is taken off. Straight ahead nothing is captured, and nobody has to
  capture. `legal` goes by the first cell (rows from the upper one, columns from the left), then from left to right.
- End: the seat wins whose pawn reaches the far row (`goal`, and `cells` has that cell), or that captures the last pawn
  (`captured`). Nobody passes, for who has a pawn has a move, and no game is drawn.
- Score: 1 for the winner, 0 for the loser.
"""


class BreakthroughPosition(MaskPosition["Breakthrough"]):
    """An immutable position: the pawns of the seat to move (`own`), those of the other, and who has won.

    Equal positions have the same game, pawns and seat to move.
    """

    __slots__ = ("_winner",)

    _winner: Seat | None

    @classmethod
    def build(cls, game: "Breakthrough", first: int, second: int, to_move: Seat) -> Self:
        """The position with these masks. If both have won, it was the one who has just moved."""
        position = object.__new__(cls)
        position._game = game
        position._own, position._opponent = (first, second) if to_move is _FIRST else (second, first)
        position._to_move = to_move
        board = game.board
        first_won, second_won = first & board.top or not second, second & board.bottom or not first
        seats = [seat for seat, won in ((_FIRST, first_won), (_SECOND, second_won)) if won]
        position._winner = seats[0] if len(seats) == 1 else to_move.other if seats else None
        return position

    @property
    def passed(self) -> Seat | None:
        """Always None: who has a pawn has a move."""
        return None

    def legal_moves(self) -> tuple[str, ...]:
        """The moves, by where they begin (rows from the top, columns from the left), then from left to right."""
        if self._winner is not None:
            return ()
        own, blocked = self._own, self._own | self._opponent
        return tuple(
            [
                step.name
                for step in self._game.board.steps[self._to_move]
                if own & step.origin and not step.target & (blocked if step.straight else own)
            ]
        )

    def play(self, move: str) -> "BreakthroughPosition":
        """The position after `move`; raises IllegalMove."""
        step = self._game.board.step_of.get((self._to_move, move))
        if (
            step is None
            or self._winner is not None
            or not self._own & step.origin
            or step.target & (self._own | self._opponent if step.straight else self._own)
        ):
            raise IllegalMove(move, self._refusal(move))
        child = object.__new__(BreakthroughPosition)
        child._game = self._game
        child._own = rest = self._opponent & ~step.target
        child._opponent = self._own ^ step.origin | step.target
        child._to_move = _SECOND if self._to_move is _FIRST else _FIRST
        won = step.target & (self._game.board.top | self._game.board.bottom) or not rest
        child._winner = self._to_move if won else None
        return child

    def _refusal(self, move: str) -> str:
        try:
            if self._game.parse_move(move) != move:
                return Reason.NOT_A_MOVE
        except IllegalMove as error:
            return error.reason
        if self._winner is not None:
            return Reason.GAME_OVER
        board = self._game.board
        origin, target = (_bit(board.grid, cell) for cell in split_cells(move))
        if not self._own & origin:
            return NO_PAWN_OF_YOURS.code
        if (self._to_move, move) not in board.step_of:
            return NO_STEP.code
        return ONTO_YOURS.code if self._own & target else BLOCKED.code

    def score(self) -> tuple[int, int]:
        """1 for a seat that has won, else 0."""
        return int(self._winner is _FIRST), int(self._winner is _SECOND)

    def outcome(self) -> Outcome | None:
        """The result, or None while the game goes on."""
        if self._winner is None:
            return None
        board = self._game.board
        there = self.first & board.top if self._winner is _FIRST else self.second & board.bottom
        return Outcome(self._winner, GOAL if there else CAPTURED, self.score(), cells=board.grid.cells(there))

    def count_leaves(self, depth: int) -> int:
        """Perft; see games.perft."""
        if self._winner is not None or depth == 0:
            return 1
        return _count(self._game.board, self._own, self._opponent, depth, up=self._to_move is _FIRST)


@dataclass(frozen=True, slots=True)
class Step:
    """One pawn's step: the bits of its two cells, and whether it goes straight ahead."""

    name: str
    origin: int
    target: int
    straight: bool


@dataclass(frozen=True, slots=True)
class Board:
    """What the rules look up for one size.

    steps: every step of a seat's pawn, in the order of `legal_moves`. step_of: seat and move -> the step.
    top, bottom: the last row of the first and of the second seat. rows: the rows from the bottom.
    """

    grid: Grid
    steps: dict[Seat, tuple[Step, ...]]
    step_of: dict[tuple[Seat, str], Step]
    rows: tuple[int, ...]

    @property
    def full(self) -> int:
        """Every cell."""
        return sum(self.rows)

    @property
    def top(self) -> int:
        """The row that the first seat wants to reach."""
        return self.rows[-1]

    @property
    def bottom(self) -> int:
        """The row that the second seat wants to reach."""
        return self.rows[0]


_PAWN = 10
"""What a pawn is worth, in rows that a pawn has gone."""


def pawns(position: BreakthroughPosition, seat: Seat) -> int:
    """Ten for each pawn that `seat` is ahead, plus one for each row that its pawns are ahead in all."""
    return material(position, seat) * _PAWN + _advance(position, seat) - _advance(position, seat.other)


def _advance(position: BreakthroughPosition, seat: Seat) -> int:
    """How many rows the pawns of `seat` have gone in all."""
    rows = position.game.board.rows
    mine, up = (position.first, rows) if seat is _FIRST else (position.second, rows[::-1])
    return sum(index * (mine & row).bit_count() for index, row in enumerate(up))


def material(position: BreakthroughPosition, seat: Seat) -> int:
    """How many more pawns `seat` has than the other seat; negative if it has fewer."""
    lead = position.first.bit_count() - position.second.bit_count()
    return lead if seat is _FIRST else -lead


def _pawns_apart(position: BreakthroughPosition, seat: Seat, each: int) -> Term:
    mine, others = (position.first, position.second) if seat is _FIRST else (position.second, position.first)
    return Term(Words("pawns", "pions"), mine.bit_count(), others.bit_count(), each)


def _terms_of_pawns(position: BreakthroughPosition, seat: Seat) -> tuple[Term, ...]:
    gone = Words("rows gone", "rangées gagnées")
    return (
        _pawns_apart(position, seat, _PAWN),
        Term(gone, _advance(position, seat), _advance(position, seat.other)),
    )


def _terms_of_material(position: BreakthroughPosition, seat: Seat) -> tuple[Term, ...]:
    return (_pawns_apart(position, seat, 1),)


@dataclass(frozen=True, slots=True)
class Breakthrough(Rules):
    """The rules of Breakthrough on `size` x `size` cells."""

    id: ClassVar[str] = "breakthrough"
    options: ClassVar[tuple[Option, ...]] = (
        Option("size", 6, (4, 5, 6, 7, 8), "rows and columns", Words("Size", "Taille")),
    )
    guide: ClassVar[str] = _GUIDE
    profile: ClassVar[Profile] = Profile(
        (
            Ending(GOAL, won=Words("a pawn on the last row", "un pion sur la dernière rangée")),
            Ending(
                CAPTURED,
                won=Words(
                    "no pawn left to the opponent",
                    "l’adversaire n’a plus de pion",
                ),
                lost=Words("you have no pawn left", "vous n’avez plus de pion"),
            ),
        ),
        refusals=(NO_PAWN_OF_YOURS, NO_STEP, ONTO_YOURS, BLOCKED),
        title=Words("Breakthrough", "Breakthrough"),
        typed=Words(": from where to where, like {move}", "\N{NO-BREAK SPACE}: départ et arrivée, par exemple {move}"),
        look=Look(labels=Labels.FROM_BELOW, colours=Colours("#b58863", "#111111", "#f7f7f2")),
        boards=("breakthrough:size=4", "breakthrough:size=5"),
        measures=(
            Measure("pawns", pawns, _PAWN, _terms_of_pawns),
            Measure("material", material, terms=_terms_of_material),
        ),
        demo=("minimax:depth=3", "minimax:depth=2,eval=material"),
    )

    size: int = 6
    board: Board = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        self.check_options()
        object.__setattr__(self, "board", _make_board(self.size))

    @property
    def width(self) -> int:
        """Columns of the board."""
        return self.size

    @property
    def height(self) -> int:
        """Rows of the board."""
        return self.size

    @property
    def longest(self) -> int:
        """The most moves of a game: each pawn may step up to the row before the last; one more step ends the game."""
        return 2 * self.size * (2 * self.size - 5) + 1

    def start(self) -> BreakthroughPosition:
        """Two full rows on each side; the first seat has the lower ones and moves."""
        rows = self.board.rows
        return BreakthroughPosition.build(self, rows[0] | rows[1], rows[-1] | rows[-2], _FIRST)

    def position(self, notation: str) -> BreakthroughPosition:
        """The position of a notation; raises RulesError, also if neither seat has a pawn."""
        first, second, to_move = self.board.grid.read(notation)
        if not first and not second:
            raise RulesError(_NO_PAWN, notation=quote(notation))
        return BreakthroughPosition.build(self, first, second, to_move)

    def parse_move(self, text: str) -> str:
        """The move of "B2B3", " b2-b3 " or "b2xc3". Raises IllegalMove."""
        typed = _MOVE.fullmatch(text.strip().lower())
        if not typed:
            raise IllegalMove(text, Reason.NOT_A_MOVE)
        cells = ((ord(typed[1]) - ord("a"), small_number(typed[2])), (ord(typed[3]) - ord("a"), small_number(typed[4])))
        if not all(0 <= x < self.size and 1 <= row <= self.size for x, row in cells):
            raise IllegalMove(text, Reason.OFF_BOARD)
        return "".join(f"{LETTERS[x]}{row}" for x, row in cells)

    def move_cell(self, position: Position, move: str) -> tuple[int, int]:
        """The cell that the pawn goes to; raises IllegalMove."""
        return self.move_cells(position, move)[1]

    def move_cells(self, position: Position, move: str) -> tuple[tuple[int, int], ...]:
        """Where the pawn comes from, and where it goes to; raises IllegalMove."""
        position.play(move)
        step = self.board.step_of[position.to_move, move]
        return self.board.grid.places[step.origin], self.board.grid.places[step.target]

    def parse_transcript(self, text: str) -> tuple[str, ...]:
        """The moves of "b2b3 e5e4", "b2-b3, e5xd4", each checked. Raises RulesError, IllegalMove."""
        rest = _MOVE.sub("", lowered := text.lower()).strip(" \t\r\n,")
        if rest.replace(" ", "").replace(",", ""):
            raise RulesError(_UNREADABLE, text=quote(rest))
        moves: list[str] = []
        position = self.start()
        for word in _MOVE.finditer(lowered):
            moves.append(self.parse_move(word[0]))
            position = position.play(moves[-1])
        return tuple(moves)

    def format_transcript(self, moves: Sequence[str]) -> str:
        """The moves with spaces between them."""
        return " ".join(moves)


@lru_cache(maxsize=8)
def _make_board(size: int) -> Board:
    stride = size + 1
    bits = tuple(1 << (size - 1 - y) * stride + x for y in range(size) for x in range(size))
    grid = Grid(size, size, bits)
    rows = tuple(((1 << size) - 1) << row * stride for row in range(size))
    steps = {seat: tuple(_steps(grid, 1 if seat is _FIRST else -1)) for seat in Seat}
    return Board(grid, steps, {(seat, step.name): step for seat in Seat for step in steps[seat]}, rows)


def _steps(grid: Grid, up: int) -> list[Step]:
    """The steps of a seat's pawns on every cell, rows from the top; `up` is 1 or, downwards, -1."""
    size = grid.width
    return [
        Step(_name(grid, x, y) + _name(grid, x + aside, y - up), grid.bit(x, y), grid.bit(x + aside, y - up), not aside)
        for y in range(size)
        for x in range(size)
        for aside in (-1, 0, 1)
        if 0 <= x + aside < size and 0 <= y - up < size
    ]


def _name(grid: Grid, x: int, y: int) -> str:
    return f"{LETTERS[x]}{grid.height - y}"


def _bit(grid: Grid, cell: str) -> int:
    return grid.bit(LETTERS.index(cell[0]), grid.height - int(cell[1:]))


def _count(board: Board, own: int, opponent: int, depth: int, *, up: bool) -> int:
    """Perft where nobody has won; the steps to each side are counted together."""
    stride = board.grid.width + 1
    goal = board.top if up else board.bottom
    total = 0
    for shift, targets in ((stride, ~(own | opponent)), (stride - 1, ~own), (stride + 1, ~own)):
        steps = (own << shift if up else own >> shift) & targets & board.full
        if depth == 1:
            total += steps.bit_count()
            continue
        while steps:
            target = steps & -steps
            steps ^= target
            rest = opponent & ~target
            if target & goal or not rest:
                total += 1
            else:
                mine = own ^ (target >> shift if up else target << shift) | target
                total += _count(board, rest, mine, depth - 1, up=not up)
    return total
