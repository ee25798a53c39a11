"""What all interfaces of the class documents share: how one is found in a file, asked, and its answer read.

A question is asked in the file's own terms, and the answer is read as a move of ours. An answer that can't be a move,
not even an illegal one, raises WrongAnswer.
"""

import inspect
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Protocol

from games.base import Game, Labels, Position
from games.frame import board_of

Function = Callable[..., Any]
Clock = Mapping[str, int | None]
"""The fields of a `bots.base.Budget`; that class is slow to import, and most files don't need it."""

Plays = Mapping[str, Mapping[str, int]]
"""Id of a game -> the options that it must have."""

MORPION: Plays = {"morpion": {"width": 3, "height": 3, "k": 3}}
OTHELLO: Plays = {"othello": {"size": 8}}
PUISSANCE4: Plays = {"puissance4": {"width": 7, "height": 6, "k": 4}}


class WrongAnswer(Exception):  # noqa: N818 - what happened
    """An answer that can't be a move; `expected` is a key of the adapter's `wording`."""

    def __init__(self, expected: str) -> None:
        super().__init__(expected)
        self.expected = expected


def signature_of(call: Function) -> inspect.Signature:
    """The parameters of a function; raises TypeError and ValueError.

    Python 3.14 evaluates annotations only here. They may use names that don't exist: no call of the function notices.
    """
    if sys.version_info >= (3, 14):
        from annotationlib import Format

        return inspect.signature(call, annotation_format=Format.FORWARDREF)
    return inspect.signature(call)


@dataclass(frozen=True, slots=True)
class Situation:
    """What a file is asked: a position, with the moves that led to it if they are known; `clock` as in `Clock`."""

    game: Game
    position: Position
    moves: Sequence[str] = ()
    clock: Clock = field(default_factory=dict[str, "int | None"])

    @property
    def seat(self) -> int:
        """Who is to move: 1 or 2."""
        return int(self.position.to_move)

    @property
    def rows(self) -> list[list[int]]:
        """The board as lists of 0 (empty), 1 (the first player) and 2, the top row first; new lists each time."""
        game, cell = self.game, self.position.cell
        return [[int(cell(x, y) or 0) for x in range(game.width)] for y in range(game.height)]

    @property
    def pieces(self) -> list[list[int | str]]:
        """`rows`, with the count or the sign of each `Piece` that is not the usual one of its seat."""
        return board_of(self.game, self.position)

    @property
    def in_columns(self) -> bool:
        """Whether a move is the column of a cell."""
        return self.game.profile.look.labels is Labels.COLUMNS

    def name(self, x: int, y: int) -> str:
        """Our move for the 0-based cell (x, y): "d3", or "4" if moves are columns; "(9, 3)" for no cell."""
        game = self.game
        if self.in_columns:
            return str(x + 1)
        inside = 0 <= x < game.width and 0 <= y < game.height
        return game.parse_move(f"{x + 1},{y + 1}") if inside else f"({x + 1}, {y + 1})"

    def cell(self, move: str) -> tuple[int, int]:
        """The 0-based (x, y) that a legal move fills."""
        return self.game.move_cell(self.position, move)


@dataclass(frozen=True, slots=True)
class Defined:
    """What a file defines.

    names: its own names. nearby: the names in the modules of its folder that it has imported, for helper functions.
    choice: the function that the user names, None for the best one. role: the interface that the user names, or None.
    """

    names: Mapping[str, Any]
    nearby: Mapping[str, Any] = field(default_factory=dict[str, Any])
    choice: str | None = None
    role: str | None = None

    def get(self, name: str, default: Any = None) -> Any:
        """The value of a name, in the file or in the modules beside it."""
        return self.names.get(name, self.nearby.get(name, default))

    def find(self, interface: str, known: Sequence[str]) -> str | None:
        """The name of the file's function (or class) for an interface with the usual names `known`; None without one.

        Case and underscores don't count: coupJoueur is coup_joueur.
        """
        if self.role is not None and self.role != interface:
            return None
        if self.choice is not None:
            if self.role is None and fold(self.choice) not in map(fold, known):
                return None
            known = (self.choice,)
        folded = {fold(name): name for name, value in self.names.items() if callable(value)}
        for name in known:
            if callable(self.names.get(name)):
                return name
            if fold(name) in folded:
                return folded[fold(name)]
        return None


class Given:
    """A board that a file was given, and how it looked then."""

    def __init__(self, board: object) -> None:
        self._board = board
        self._before = _looks(board)

    @property
    def is_changed(self) -> bool:
        """Whether the board looks otherwise now."""
        return _looks(self._board) != self._before


class Asking:
    """What all interfaces have: the board that the file was given last."""

    given: "Given | None" = None

    def watch(self, board: Any) -> Any:
        """`board`, of which `given` tells later whether it was changed."""
        self.given = Given(board)
        return board


class Interface(Protocol):
    """One interface, found in one file.

    name: its name in the documentation. function: its name in the file. given: the board that it was given last.
    parameters: of the function, as the documentation writes them.
    """

    name: ClassVar[str]
    function: str
    parameters: str
    given: "Given | None"

    @property
    def plays(self) -> Plays:
        """The games that it plays, with the options that they must have."""
        ...

    def ask(self, situation: Situation) -> object:
        """The file's answer; raises whatever the file raises."""
        ...

    def read(self, situation: Situation, answer: object) -> str:
        """The move that an answer means, not necessarily a legal one; raises WrongAnswer."""
        ...

    def spell(self, situation: Situation, move: str) -> str:
        """A legal move in the form in which the file should return it."""
        ...

    def change_side(self) -> bool:
        """Whether to ask again with the colours exchanged, because in the file a person plays this colour."""
        ...


def _looks(board: Any) -> object:
    """How a board looks, to be compared: rows, the marks of a dictionary, or what an object holds."""
    try:
        if isinstance(board, dict):  # to read a cell may have added it
            return {cell: mark for cell, mark in board.items() if mark in ("X", "O")}
        return repr(board if isinstance(board, list) else vars(board))
    except Exception:  # noqa: BLE001 - a pupil's class may raise anything
        return None


def fold(name: str) -> str:
    """A name in the form in which names are compared."""
    return name.casefold().replace("_", "")


def whole(value: object, expected: str) -> int:
    """`value` as an int: an int, a numpy integer or a float without a fraction. Else raises WrongAnswer."""
    if isinstance(value, float) and value.is_integer():
        return int(value)
    index = getattr(value, "__index__", None)
    if isinstance(value, bool) or index is None:
        raise WrongAnswer(expected)
    number = index()
    assert isinstance(number, int)
    return number


def whole_numbers(answer: object, count: int, expected: str) -> list[int]:
    """The first `count` items of a list or tuple (or an array), as whole numbers. Raises WrongAnswer."""
    items: Any = answer
    if isinstance(answer, (str, bytes, dict, set)) or not hasattr(answer, "__getitem__"):
        raise WrongAnswer(expected)
    try:
        return [whole(items[number], expected) for number in range(count)]
    except (IndexError, KeyError, TypeError) as error:
        raise WrongAnswer(expected) from error


def show(value: object) -> str:
    """A value as a text to show; works even if the class has a faulty `__repr__`."""
    try:
        text = repr(value)
    except Exception:  # noqa: BLE001 - a pupil's __repr__ may raise anything
        text = f"<{type(value).__name__}>"
    return text if len(text) <= 100 else text[:99] + "…"
