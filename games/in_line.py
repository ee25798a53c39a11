"""Positions of the games that a line of k wins; Puissance 4 and morpion differ only in where a disc may go."""

from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random
from typing import Protocol, Self, TypeVar

from games.base import Ending, Outcome, Phrase, RulesError, Seat, Termination, Words
from games.coordinates import Grid, bits_of
from games.lines import Lines
from games.masks import GridGame, MaskPosition

# A global is found faster than a member of an enumeration.
_FIRST, _SECOND = Seat.FIRST, Seat.SECOND

ENDINGS = (
    Ending(Termination.LINE, won=Words("{k} in a line", "{k} alignés")),
    Ending(
        Termination.FULL,
        won=Words("the board is full", "le plateau est plein"),
        drawn=Words("Draw: the board is full.", "Partie nulle : le plateau est plein."),
    ),
)
"""How a game of this kind ends."""


@dataclass(frozen=True, slots=True)
class LineBoard:
    """What the rules look up for one board.

    grid: its cells. lines: the line test, with `has_line` again for speed. full: the mask of all cells.
    rising: `full` if a disc opens the cell above it (the next bit), else 0. So in every game of this kind the legal
    moves after a disc on `bit` are `moves ^ bit | bit << 1 & rising`.
    """

    grid: Grid
    lines: Lines
    full: int
    rising: int
    has_line: Callable[[int], int] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "has_line", self.lines.has_line)


def check_line(width: int, height: int, k: int) -> None:
    """Raises RulesError unless k cells in a line fit the board."""
    longest = max(width, height)
    if longest < 2:
        raise RulesError("a board of 1 x 1 has no line: width or height must be 2 to 10")
    if k > longest:
        allowed = Phrase("{first} to {last}", first=2, last=longest) if longest > 2 else 2
        raise RulesError("k must be {allowed} on this board, not {k}", allowed=allowed, k=k)


def count_leaves(board: LineBoard, own: int, opponent: int, moves: int, depth: int) -> int:
    """Perft below a position whose legal moves are `moves` (not 0), `depth` at least 1."""
    if depth == 1:
        return moves.bit_count()
    has_line, rising = board.has_line, board.rising
    total = 0
    rest = moves
    while rest:
        bit = rest & -rest
        rest ^= bit
        mine = own | bit
        replies = moves ^ bit | bit << 1 & rising
        if has_line(mine) or not replies:
            total += 1
        elif depth == 2:
            total += replies.bit_count()
        else:
            total += count_leaves(board, opponent, mine, replies, depth - 1)
    return total


def play_out(board: LineBoard, own: int, opponent: int, moves: int, random: Random) -> int:
    """Random moves to the end from a position whose legal moves are `moves`: 1 if `own` wins, -1 if `opponent` does."""
    has_line, rising, draw = board.has_line, board.rising, random.random
    places = list(bits_of(moves))
    count = len(places)
    mover = 1
    while count:
        at = int(draw() * count)
        bit = places[at]
        own |= bit
        if has_line(own):
            return mover
        if above := bit << 1 & rising:
            places[at] = above
        else:
            count -= 1
            places[at] = places[count]
        own, opponent = opponent, own
        mover = -mover
    return 0


class LineGame(GridGame, Protocol):
    """What a position needs to know of its game."""

    @property
    def board(self) -> LineBoard:
        """The tables of this game's board."""
        ...


GameT = TypeVar("GameT", bound=LineGame)


class LinePosition(MaskPosition[GameT]):
    """An immutable position: the discs of the seat to move (`own`), those of the other (`opponent`), who has won.

    Equal positions have the same game, discs and seat to move. Searches work on the masks: `legal_mask()`, and
    `play_bit(bit)` with one bit of it; `game.board.has_line(mask)` tells whether a mask wins.
    """

    __slots__ = ("_winner",)

    _winner: Seat | None

    @classmethod
    def build(cls, game: GameT, first: int, second: int, to_move: Seat) -> Self:
        """The position with these masks. If both have a line, the one who has just moved won."""
        position = object.__new__(cls)
        position._game = game
        position._own, position._opponent = (first, second) if to_move is _FIRST else (second, first)
        position._to_move = to_move
        has_line = game.board.has_line
        position._winner = (
            to_move.other if has_line(position._opponent) else to_move if has_line(position._own) else None
        )
        return position

    @property
    def passed(self) -> Seat | None:
        """Always None: nobody passes in these games."""
        return None

    @property
    def winner(self) -> Seat | None:
        """The seat that has a line, if any."""
        return self._winner

    def legal_mask(self) -> int:
        """The cells that a disc may take now, as a mask; 0 once the game is over."""
        raise NotImplementedError

    def play_bit(self, bit: int) -> Self:
        """The position after a disc on `bit`, which must be one bit of `legal_mask()`: nothing is checked."""
        child = object.__new__(type(self))
        child._game = self._game
        child._opponent = mine = self._own | bit
        child._own = self._opponent
        mover = self._to_move
        child._to_move = _SECOND if mover is _FIRST else _FIRST
        child._winner = mover if self._game.board.has_line(mine) else None
        return child

    def score(self) -> tuple[int, int]:
        """The completed lines, 0 or 1, of the first and of the second seat."""
        return int(self._winner is Seat.FIRST), int(self._winner is Seat.SECOND)

    def count_leaves(self, depth: int) -> int:
        """Perft; see games.perft."""
        moves = self.legal_mask()
        return count_leaves(self._game.board, self._own, self._opponent, moves, depth) if moves and depth else 1

    def playout(self, random: Random) -> Seat | None:
        """The winner of one game of uniformly random moves from here; see games.perft."""
        if self._winner is not None:
            return self._winner
        result = play_out(self._game.board, self._own, self._opponent, self.legal_mask(), random)
        return None if not result else self._to_move if result == 1 else self._to_move.other

    def outcome(self) -> Outcome | None:
        """The result, or None while the game goes on."""
        winner = self._winner
        if winner is None:
            if self._own | self._opponent != self._game.board.full:
                return None
            return Outcome(None, Termination.FULL, (0, 0))
        board = self._game.board
        mask = self._own if winner is self._to_move else self._opponent
        return Outcome(winner, Termination.LINE, self.score(), cells=board.grid.cells(board.lines.cells(mask)))
