"""What positions on two masks have in common: who holds what, how they are written, when they are equal."""

from typing import Generic, Protocol, Self, TypeVar

from games.base import Seat
from games.coordinates import Grid

# A global is found faster than a member of an enumeration.
_FIRST = Seat.FIRST


class GridBoard(Protocol):
    """A board that says which bit of a mask is which cell."""

    @property
    def grid(self) -> Grid:
        """Its cells and their bits."""
        ...


class GridGame(Protocol):
    """Rules that are played on such a board."""

    @property
    def spec(self) -> str:
        """The shortest text that names the rules."""
        ...

    @property
    def board(self) -> GridBoard:
        """The board."""
        ...


GameT = TypeVar("GameT", bound=GridGame)


class MaskPosition(Generic[GameT]):
    """An immutable position: a mask for the seat to move (`own`) and one for the other (`opponent`).

    Equal positions have the same game, discs and seat to move. The rules have the cells as `board.grid`.
    """

    __slots__ = ("_game", "_opponent", "_own", "_to_move")

    _game: GameT
    _own: int
    _opponent: int
    _to_move: Seat

    @classmethod
    def build(cls, game: GameT, first: int, second: int, to_move: Seat) -> Self:
        """The position with these masks."""
        raise NotImplementedError

    @property
    def game(self) -> GameT:
        """The rules that this position belongs to."""
        return self._game

    @property
    def to_move(self) -> Seat:
        """Whose turn it is, or would be."""
        return self._to_move

    @property
    def own(self) -> int:
        """The mask of the discs of the seat to move."""
        return self._own

    @property
    def opponent(self) -> int:
        """The mask of the discs of the other seat."""
        return self._opponent

    @property
    def first(self) -> int:
        """The mask of the discs of the seat that started."""
        return self._own if self._to_move is _FIRST else self._opponent

    @property
    def second(self) -> int:
        """The mask of the discs of the second seat."""
        return self._opponent if self._to_move is _FIRST else self._own

    def cell(self, x: int, y: int) -> Seat | None:
        """Who holds the cell in column `x`, row `y` (0-based, row 0 on top)."""
        bit = self._game.board.grid.bit(x, y)
        return self._to_move if self._own & bit else self._to_move.other if self._opponent & bit else None

    @property
    def notation(self) -> str:
        """The rows from the top (X first, O second, - empty), a space, X or O to move."""
        return self._game.board.grid.write(self.first, self.second, self._to_move)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, MaskPosition):
            return NotImplemented
        return (
            self._own == other._own
            and self._opponent == other._opponent
            and self._to_move is other._to_move
            and (self._game is other._game or self._game == other._game)
        )

    def __hash__(self) -> int:
        return hash((self._own, self._opponent, self._to_move is _FIRST))

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self._game.spec} {self.notation}>"

    def __reduce__(self) -> tuple[object, ...]:
        return type(self).build, (self._game, self.first, self.second, self._to_move)
