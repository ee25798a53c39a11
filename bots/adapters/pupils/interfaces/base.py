"""What every interface of a class document has in common: how it is found in a file, asked and understood.

A question is asked in the file's own terms, and its answer read as a move of ours; one that can't be a move at all, not
even an illegal one, raises WrongAnswer.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Protocol

from games.base import Game, Labels, Position

Function = Callable[..., Any]
Clock = Mapping[str, int | None]
"""The fields of a `bots.base.Budget`. Only files that ask for one cost the time to import that."""

Plays = Mapping[str, Mapping[str, int]]
"""Id of a game -> the options that it must have."""

MORPION: Plays = {"morpion": {"width": 3, "height": 3, "k": 3}}
OTHELLO: Plays = {"othello": {"size": 8}}
PUISSANCE4: Plays = {"puissance4": {"width": 7, "height": 6, "k": 4}}


class WrongAnswer(Exception):  # noqa: N818 - what happened
    """An answer that can't be a move; `expected` is a key of what the adapter says in words."""

    def __init__(self, expected: str) -> None:
        super().__init__(expected)
        self.expected = expected


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
    def in_columns(self) -> bool:
        """Whether a move is the column of a cell."""
        return self.game.profile.look.labels is Labels.COLUMNS

    def name(self, x: int, y: int) -> str:
        """The move of ours for the 0-based cell (x, y): "d3", "4" where moves are columns; "(9, 3)" is no cell."""
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

    nearby: what the modules of its folder define that it has imported, for the functions that go with its own.
    choice: the function that the user names, None for the best known; `role`: the interface it is used as, likewise.
    """

    names: Mapping[str, Any]
    nearby: Mapping[str, Any] = field(default_factory=dict[str, Any])
    choice: str | None = None
    role: str | None = None

    def get(self, name: str, default: Any = None) -> Any:
        """What is called so, in the file or beside it."""
        return self.names.get(name, self.nearby.get(name, default))

    def find(self, interface: str, known: Sequence[str]) -> str | None:
        """The name under which the file has a function (or class) of this interface, whose usual names are `known`.

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


class Interface(Protocol):
    """One interface, found in one file.

    name: what the documentation calls it. function: what the file calls it. plays: what it can be asked for.
    """

    name: ClassVar[str]
    function: str

    @property
    def plays(self) -> Plays:
        """The games that it plays, with the options that they must have."""
        ...

    def ask(self, situation: Situation) -> object:
        """What the file answers; raises whatever it raises."""
        ...

    def read(self, situation: Situation, answer: object) -> str:
        """The move that an answer means, not necessarily a legal one; raises WrongAnswer."""
        ...

    def spell(self, situation: Situation, move: str) -> str:
        """A legal move as the file should have returned it."""
        ...

    def change_side(self) -> bool:
        """Whether to ask again with the colours exchanged, for the file has a person play this one."""
        ...


def fold(name: str) -> str:
    """A name as it is compared."""
    return name.casefold().replace("_", "")


def whole(value: object, expected: str) -> int:
    """A whole number: an int, a numpy integer, a float without a fraction. Raises WrongAnswer."""
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
    """What a value looks like, whatever its class does."""
    try:
        text = repr(value)
    except Exception:  # noqa: BLE001 - a __repr__ of theirs
        text = f"<{type(value).__name__}>"
    return text if len(text) <= 100 else text[:99] + "…"
