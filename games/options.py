"""How the options of a specification such as "othello:size=6" are read and written."""

from collections.abc import Sequence
from functools import lru_cache
from typing import ClassVar, Protocol

from games.base import Option, Position, Profile, RulesError, Value, quote


def read_options(game: str, options: Sequence[Option], text: str) -> dict[str, Value]:
    """The options written as "size=6,tie=draw"; raises RulesError for what `game` does not have, or has twice."""
    known = {option.name: option for option in options}
    values: dict[str, Value] = {}
    for item in text.split(","):
        name, equals, value = (part.strip() for part in item.partition("="))
        if name not in known or not equals:
            raise RulesError(
                "{game} has the options {options} (written name=value), not {item}",
                game=game,
                options=", ".join(known),
                item=quote(item),
            )
        if name in values:
            raise RulesError("{name} is given twice", name=name)
        values[name] = known[name].read(value)
    return values


class _OnABoard(Protocol):
    """What `Rules` needs from the class of a game."""

    @property
    def width(self) -> int: ...

    @property
    def height(self) -> int: ...

    @property
    def longest(self) -> int: ...

    def move_cell(self, position: Position, move: str) -> tuple[int, int]: ...


class Rules:
    """Base of the games: a frozen dataclass whose fields are its `options`, and what most games have in common."""

    __slots__ = ()

    id: ClassVar[str]
    options: ClassVar[tuple[Option, ...]]
    guide: ClassVar[str]
    profile: ClassVar[Profile]

    @property
    def longest(self: "_OnABoard") -> int:
        """As many moves as there are cells, where each move fills one."""
        return self.width * self.height

    @property
    def usual(self: "_OnABoard") -> int:
        """As many moves as there are cells, but not more than `longest`."""
        return min(self.longest, self.width * self.height)

    def move_cells(self: "_OnABoard", position: Position, move: str) -> tuple[tuple[int, int], ...]:
        """The cell that `move` fills, where that is all it does."""
        return (self.move_cell(position, move),)

    def check_options(self) -> None:
        """Raises RulesError unless every option has a value that it may have."""
        for option in self.options:
            option.check(getattr(self, option.name))

    @property
    def spec(self) -> str:
        """The shortest text that stands for these rules: the id, and the options that differ from their default."""
        return _spec(self)

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), tuple(getattr(self, option.name) for option in self.options)


@lru_cache(maxsize=256)
def _spec(rules: Rules) -> str:
    """The cached value of `Rules.spec`, which a referee needs several times for each match."""
    values = [(option, getattr(rules, option.name)) for option in rules.options]
    items = [f"{option.name}={value}" for option, value in values if value != option.default]
    return f"{rules.id}:{','.join(items)}" if items else rules.id
