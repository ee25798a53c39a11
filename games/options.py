"""How the options of a specification such as "othello:size=6" are read and written."""

from collections.abc import Mapping, Sequence

from games.base import Option, RulesError, Value, quote


def read_options(game: str, options: Sequence[Option], text: str) -> dict[str, Value]:
    """The options written as "size=6,tie=draw"; raises RulesError for what `game` does not have, or has twice."""
    known = {option.name: option for option in options}
    values: dict[str, Value] = {}
    for item in text.split(","):
        name, equals, value = (part.strip() for part in item.partition("="))
        if name not in known or not equals:
            raise RulesError(f"{game} has the options {', '.join(known)} (written name=value), not {quote(item)}")
        if name in values:
            raise RulesError(f"{name} is given twice")
        values[name] = known[name].read(value)
    return values


def write_options(game: str, options: Sequence[Option], values: Mapping[str, Value]) -> str:
    """The shortest specification: the game's id, and the options that differ from their default."""
    items = [f"{option.name}={values[option.name]}" for option in options if values[option.name] != option.default]
    return f"{game}:{','.join(items)}" if items else game
