"""Othello: a disc flips the opponent's discs that it encloses; most discs win. Boards of 4x4 to 10x10.

A move is a cell, "d3". A player without a move passes: the position does it by itself. A transcript is the moves,
"f5d6c3..."; passes may be written (pa, pass, --) where they happen. Rules: Federation Francaise d'Othello; with
`tie=last_mover` the seat that placed the last disc wins a game that ends with equal discs.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random
from typing import ClassVar, Self

from games.base import (
    Ending,
    IllegalMove,
    Look,
    Option,
    Outcome,
    Position,
    Profile,
    Reason,
    Refusal,
    RulesError,
    Seat,
    Termination,
    Words,
)
from games.coordinates import CELL, split_cells
from games.masks import MaskPosition
from games.options import Rules
from games.othello_board import OthelloBoard, count_leaves, make_board, play_out

# A global is found faster than a member of an enumeration.
_FIRST, _SECOND = Seat.FIRST, Seat.SECOND
_PASSES = ("pa", "pass", "ps", "--")

FLIPS_NOTHING = Refusal(
    "flips_nothing",
    Words(
        "{move} would turn over no disc: every move must turn over at least one.",
        "{move} ne retournerait aucun pion\N{NO-BREAK SPACE}: chaque coup doit en retourner au moins un.",
    ),
)

_GUIDE = """\
A move is a cell: the letter of its column (`a` on the left) and the number of its row (1 on top), as `d3`.

- Start: four discs on the centre. On 8x8 seat 1, black, has e4 and d5; seat 2, white, has d4 and e5. On other sizes,
  too, each seat has two that touch by a corner, and the upper left one of the four is white. Seat 1 moves first.
- Move: a disc of one's own on an empty cell, so that in at least one of the eight directions a straight row of the
  opponent's discs, one or more, lies between it and another disc of one's own. All such rows, in all directions, are
  turned over.
- Pass: a seat that has no legal move passes. Nobody asks it and it sends nothing: after the move comes `passed`, and
  the same seat moves again. A pass is no ply. Who has a legal move may not pass.
- End: when neither seat has a legal move, often before the board is full. Most discs win (`discs`). With as many on
  both sides it is a draw; with `tie=last_mover` the seat that made the last move wins.
- Score: the discs on the board. `tournament_score` gives the empty cells to the winner, or half of them to each.
"""


class OthelloPosition(MaskPosition["Othello"]):
    """An immutable position: the discs of the seat to move (`own`), those of the other, and the legal moves as a mask.

    Equal positions have the same game, discs and seat to move; `passed` only tells how one got there. Searches work on
    the masks: `legal_mask()`, `play_bit(bit)` with one bit of it, and the functions of `game.board`.
    """

    __slots__ = ("_legal", "_passed")

    _legal: int
    _passed: Seat | None

    @classmethod
    def build(cls, game: "Othello", first: int, second: int, to_move: Seat) -> Self:
        """The position with these masks, `to_move` to move, or passing if only the other seat can move."""
        position = object.__new__(cls)
        position._game = game
        own, opponent = (first, second) if to_move is _FIRST else (second, first)
        position._settle(own, opponent, to_move)
        return position

    def _settle(self, own: int, opponent: int, to_move: Seat) -> None:
        """Fills the slots; if `to_move` can't move but the other seat can, it is the other's turn."""
        legal = self._game.board.legal
        self._passed = None
        moves = legal(own, opponent)
        if not moves:
            moves = legal(opponent, own)
            if moves:
                own, opponent = opponent, own
                self._passed = to_move
                to_move = to_move.other
        self._own = own
        self._opponent = opponent
        self._legal = moves
        self._to_move = to_move

    @property
    def passed(self) -> Seat | None:
        """The seat that was forced to pass just before this position, if any."""
        return self._passed

    def legal_mask(self) -> int:
        """The cells where the seat to move may place a disc; 0 once the game is over."""
        return self._legal

    def legal_moves(self) -> tuple[str, ...]:
        """The legal moves, rows from the top, columns from the left; empty once the game is over."""
        return self._game.board.names(self._legal)

    def play_bit(self, bit: int) -> "OthelloPosition":
        """The position after a disc on `bit`, which must be one bit of `legal_mask()`: nothing is checked."""
        own, opponent = self._own, self._opponent
        flipped = self._game.board.flips(own, opponent, bit)
        child = object.__new__(OthelloPosition)
        child._game = self._game
        child._settle(opponent ^ flipped, own | bit | flipped, _SECOND if self._to_move is _FIRST else _FIRST)
        return child

    def play(self, move: str) -> "OthelloPosition":
        """The position after a disc on the cell `move`; raises IllegalMove."""
        bit = self._game.board.grid.bit_of.get(move, 0)
        if not bit & self._legal:
            raise IllegalMove(move, self._refusal(move))
        return self.play_bit(bit)

    def _refusal(self, move: str) -> str:
        grid = self._game.board.grid
        if reason := grid.refusal(move):
            return reason
        if not self._legal:
            return Reason.GAME_OVER
        return Reason.OCCUPIED if grid.bit_of[move] & (self._own | self._opponent) else FLIPS_NOTHING.code

    def score(self) -> tuple[int, int]:
        """The discs on the board, black's and white's."""
        return self.first.bit_count(), self.second.bit_count()

    def outcome(self) -> Outcome | None:
        """The result, or None while the game goes on."""
        if self._legal:
            return None
        first, second = self.score()
        winner = self._game.winner(first, second, self._to_move.other)
        if winner is None:
            half = self._game.cells // 2
            return Outcome(None, Termination.DISCS, (first, second), (half, half))
        empty = self._game.cells - first - second
        won = (first + empty, second) if winner is Seat.FIRST else (first, second + empty)
        return Outcome(winner, Termination.DISCS, (first, second), won)

    def count_leaves(self, depth: int) -> int:
        """Perft; see games.perft."""
        if not self._legal or depth == 0:
            return 1
        return count_leaves(self._game.board, self._own, self._opponent, self._legal, depth)

    def playout(self, random: Random) -> Seat | None:
        """The winner of one game of uniformly random moves from here; see games.perft."""
        own, opponent, turned = play_out(self._game.board, self._own, self._opponent, self._legal, random)
        discs = own.bit_count(), opponent.bit_count()
        if turned is (self._to_move is _FIRST):
            return self._game.winner(discs[1], discs[0], Seat.FIRST)
        return self._game.winner(*discs, Seat.SECOND)


@dataclass(frozen=True, slots=True)
class Othello(Rules):
    """The rules of Othello on `size` x `size` cells; `tie` says who wins if both seats have equally many discs."""

    id: ClassVar[str] = "othello"
    options: ClassVar[tuple[Option, ...]] = (
        Option("size", 8, (4, 6, 8, 10), "rows and columns", Words("Size", "Taille")),
        Option(
            "tie",
            "draw",
            ("draw", "last_mover"),
            "what as many discs on both sides are",
            Words("Equal discs", "À égalité"),
            (Words("a draw", "partie nulle"), Words("the last to move wins", "le dernier à jouer gagne")),
        ),
    )
    guide: ClassVar[str] = _GUIDE
    profile: ClassVar[Profile] = Profile(
        (
            Ending(
                Termination.DISCS,
                won=Words("more discs", "davantage de pions"),
                level=Words("the last to move wins a tie", "à égalité, le dernier à jouer gagne"),
                drawn=Words("Draw: both have as many discs.", "Partie nulle : autant de pions des deux côtés."),
            ),
        ),
        refusals=(FLIPS_NOTHING,),
        title=Words("Othello", "Othello"),
        aliases=("reversi",),
        typed=CELL,
        look=Look(helps=True, counts=(Words("disc", "pion"), Words("discs", "pions"))),
        boards=("othello:size=4", "othello:size=6"),
        sizes=("othello:size=10",),
        passes=True,
        worth=Words("discs, empty cells to the winner", "des pions, les cases vides au gagnant"),
        demo=("minimax:depth=3", "minimax:depth=2,eval=discs"),
    )

    size: int = 8
    tie: str = "draw"
    board: OthelloBoard = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        self.check_options()
        object.__setattr__(self, "board", make_board(self.size))

    @property
    def width(self) -> int:
        """Columns of the board."""
        return self.size

    @property
    def height(self) -> int:
        """Rows of the board."""
        return self.size

    @property
    def cells(self) -> int:
        """How many cells the board has."""
        return self.size * self.size

    def winner(self, first: int, second: int, last_mover: Seat) -> Seat | None:
        """Who wins a game that ends with `first` and `second` discs, None for a draw."""
        if first != second:
            return Seat.FIRST if first > second else Seat.SECOND
        return last_mover if self.tie == "last_mover" else None

    def start(self) -> OthelloPosition:
        """Four discs in the centre: on 8x8 white on d4 and e5, black on e4 and d5. Black moves."""
        high = self.size // 2
        bit = self.board.grid.bit
        black = bit(high, high - 1) | bit(high - 1, high)
        white = bit(high - 1, high - 1) | bit(high, high)
        return OthelloPosition.build(self, black, white, Seat.FIRST)

    def position(self, notation: str) -> OthelloPosition:
        """The position of a notation; a seat to move that can only pass does so at once. Raises RulesError."""
        return OthelloPosition.build(self, *self.board.grid.read(notation))

    def parse_move(self, text: str) -> str:
        """The cell of "D3", " d3 " or "4,3" (x,y from 1). Raises IllegalMove."""
        return self.board.grid.parse_cell(text)

    def move_cell(self, position: Position, move: str) -> tuple[int, int]:
        """The cell that `move` names; raises IllegalMove if it may not be played in `position`."""
        position.play(move)
        return self.board.grid.places[self.board.grid.bit_of[move]]

    def parse_transcript(self, text: str) -> tuple[str, ...]:
        """The moves of "f5d6c3", any case, spaces, commas, passes as pa, pass or --. Raises RulesError, IllegalMove.

        A written pass must stand where one happens: where the rules force it, or after the end of the game.
        """
        moves: list[str] = []
        position = self.start()
        for word in split_cells(text, "pass|pa|ps|--"):
            if word not in _PASSES:
                moves.append(self.parse_move(word))
                position = position.play(moves[-1])
            elif not position.passed and position.legal_mask():
                raise RulesError(
                    "a pass is written after move {number}, but nobody has to pass there", number=len(moves)
                )
        return tuple(moves)

    def format_transcript(self, moves: Sequence[str]) -> str:
        """The moves in a row, without passes."""
        return "".join(moves)
