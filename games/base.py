"""What every game offers: seats, positions, outcomes and the errors of a refused move.

A game is a frozen object that holds its options (`Othello(size=6)`); a position is immutable and hashable. Nothing here
knows a clock, a player's name or a connection: whose turn it is comes from the position alone.

Errors: GameError
        |-- IllegalMove     a move that the rules refuse, with its reason
        `-- RulesError      a game specification or a transcript that can't be read
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum, IntEnum
from typing import ClassVar, Protocol, Self


class Seat(IntEnum):
    """The two players, in the order in which they start: 1 is black (Othello), X (morpion), first (Puissance 4)."""

    FIRST = 1
    SECOND = 2

    @property
    def other(self) -> "Seat":
        """The opponent's seat."""
        return _SECOND if self is _FIRST else _FIRST


_FIRST, _SECOND = Seat.FIRST, Seat.SECOND  # a global is found faster than a member of an enumeration


class Termination(Enum):
    """How the rules ended a game; the values are the `reason` of a result on the wire."""

    LINE = "line"
    DISCS = "discs"
    FULL = "full"


class Reason(Enum):
    """Why a move is refused; the values are stable and travel as `data.why` of an `illegal_move` error."""

    NOT_A_MOVE = "not_a_move"
    OFF_BOARD = "off_board"
    OCCUPIED = "occupied"
    FLIPS_NOTHING = "flips_nothing"
    COLUMN_FULL = "column_full"
    GAME_OVER = "game_over"


@dataclass(frozen=True, slots=True)
class Outcome:
    """The end of a game by its rules.

    winner: the seat that won, None for a draw.
    termination: the rule that ended the game.
    score: what each seat made, first then second: discs on the board in Othello, completed lines (0 or 1) elsewhere.
    tournament_score: Othello only, the score with the empty squares given to the winner (half each in a draw).
    cells: the winning cells as 0-based (x, y), row 0 on top; every cell of every line that the last move completed.
    """

    winner: Seat | None
    termination: Termination
    score: tuple[int, int]
    tournament_score: tuple[int, int] | None = None
    cells: tuple[tuple[int, int], ...] = ()


class GameError(Exception):
    """Base of all errors of this package."""


class IllegalMove(GameError):  # noqa: N818 - the field's term; "IllegalMoveError" would say nothing more
    """A move that the rules refuse; `move` is what was tried, `reason` says why."""

    def __init__(self, move: str, reason: Reason) -> None:
        super().__init__(f"illegal move {move!r}: {reason.value}")
        self.move = move
        self.reason = reason


class Phrase:
    """Words for people that others may put into another language: a template, and what its {placeholders} stand for.

    The templates are messages of the catalogue; `locales.phrase` says one in the current language, str() in English.
    """

    __slots__ = ("template", "values")

    def __init__(self, template: str, **values: object) -> None:
        self.template = template
        self.values = values

    def __str__(self) -> str:
        return self.template.format(**self.values) if self.values else self.template


class RulesError(GameError):
    """A game specification ("othello:size=7") or a transcript that can't be read; `phrase` says what to write."""

    def __init__(self, template: str, **values: object) -> None:
        self.phrase = Phrase(template, **values)
        super().__init__(str(self.phrase))


_QUOTED = 40


def quote(text: str) -> str:
    """`text` as it may stand in an error message: escaped, and cut when it is long."""
    return repr(text if len(text) <= _QUOTED else text[:_QUOTED] + "...")


Value = int | str


@dataclass(frozen=True, slots=True)
class Option:
    """One option: its name, the value it has when nothing is said, every value that it may take, and what it sets."""

    name: str
    default: Value
    choices: tuple[Value, ...]
    meaning: str

    @property
    def allowed(self) -> Phrase:
        """The choices in words: "1 to 10", "4, 6, 8 or 10", "draw or last_mover"."""
        first, last = self.choices[0], self.choices[-1]
        if isinstance(first, int) and isinstance(last, int) and 2 < len(self.choices) == last - first + 1:
            return Phrase("{first} to {last}", first=first, last=last)
        words = [str(choice) for choice in self.choices]
        if len(words) == 1:
            return Phrase(words[0])
        return Phrase("{others} or {last}", others=", ".join(words[:-1]), last=words[-1])

    def check(self, value: object) -> None:
        """Raises RulesError unless `value` is one of the choices."""
        if type(value) is not type(self.default) or value not in self.choices:
            raise self._refused(str(value))

    def read(self, text: str) -> Value:
        """The choice that is written `text`; raises RulesError."""
        for choice in self.choices:
            if str(choice) == text:
                return choice
        raise self._refused(text)

    def _refused(self, text: str) -> RulesError:
        return RulesError(
            "{option} must be {allowed}, not {text}", option=self.name, allowed=self.allowed, text=quote(text)
        )


class Position(Protocol):
    """One immutable, hashable position of a game."""

    @property
    def to_move(self) -> Seat:
        """Whose turn it is. In a game that is over, the seat whose turn it would be."""
        ...

    @property
    def passed(self) -> Seat | None:
        """The seat that was forced to pass between the last move and this position, if any."""
        ...

    def legal_moves(self) -> tuple[str, ...]:
        """Every legal move in a fixed order (rows from the top, columns from the left); empty once the game is over."""
        ...

    def play(self, move: str) -> Self:
        """The position after `move`; raises IllegalMove and changes nothing if the rules refuse it."""
        ...

    def outcome(self) -> Outcome | None:
        """The result by the rules, or None while the game goes on."""
        ...

    def score(self) -> tuple[int, int]:
        """What each seat has made so far, as `Outcome.score` counts it: discs in Othello, completed lines elsewhere."""
        ...

    def cell(self, x: int, y: int) -> Seat | None:
        """Who holds the cell in column `x`, row `y` (0-based, row 0 on top)."""
        ...

    @property
    def notation(self) -> str:
        """The whole position on one line: the cells, rows from the top (X, O or -), a space, X or O to move."""
        ...


class Game(Protocol):
    """The rules with their options; immutable and hashable."""

    id: ClassVar[str]
    options: ClassVar[tuple[Option, ...]]
    """Every option, in the order in which `spec` writes them."""
    guide: ClassVar[str]
    """The rules for who has never played, in Markdown: start, moves, passes, end, score. For docs/protocol.md."""

    @property
    def width(self) -> int:
        """Columns of the board."""
        ...

    @property
    def height(self) -> int:
        """Rows of the board."""
        ...

    @property
    def spec(self) -> str:
        """The shortest text that `games.parse` turns into this game: "othello", "morpion:width=5,height=5,k=4"."""
        ...

    def start(self) -> Position:
        """The initial position."""
        ...

    def position(self, notation: str) -> Position:
        """The position that a `notation` describes; raises RulesError."""
        ...

    def parse_move(self, text: str) -> str:
        """The move ("d3") that a person typed as "D3", " d3 " or "4,3" (x,y from 1).

        Raises IllegalMove with the reason NOT_A_MOVE or OFF_BOARD.
        """
        ...

    def move_cell(self, position: Position, move: str) -> tuple[int, int]:
        """The 0-based cell (x, y) that `move` fills in `position` (a Puissance 4 disc falls)."""
        ...

    def parse_transcript(self, text: str) -> tuple[str, ...]:
        """The moves of a game from its start ("f5d6c3", "4453", "b2 a1"), each checked; passes may be written or not.

        Raises RulesError, IllegalMove.
        """
        ...

    def format_transcript(self, moves: Sequence[str]) -> str:
        """The moves as one text that `parse_transcript` reads back; passes are not written."""
        ...
