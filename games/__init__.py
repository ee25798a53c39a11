"""The rules of every game: `GAMES` lists them, `parse` turns "morpion:width=5,height=5,k=4" into one.

Pure: standard library only, and nothing that knows time, players or connections.
"""

from collections.abc import Callable, Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import Final

from games.base import (
    Game,
    GameError,
    IllegalMove,
    Option,
    Outcome,
    Position,
    Reason,
    Refusal,
    RulesError,
    Seat,
    Termination,
    quote,
)
from games.breakthrough import Breakthrough
from games.morpion import Morpion
from games.options import read_options
from games.othello import Othello
from games.puissance4 import Puissance4

__all__ = [
    "EXAMPLES",
    "GAMES",
    "USUAL",
    "Breakthrough",
    "Game",
    "GameError",
    "IllegalMove",
    "Morpion",
    "Option",
    "Othello",
    "Outcome",
    "Position",
    "Puissance4",
    "Reason",
    "Refusal",
    "RulesError",
    "Seat",
    "Termination",
    "parse",
]

GAMES: Final[Mapping[str, type[Game]]] = MappingProxyType(
    {
        Othello.id: Othello,
        Puissance4.id: Puissance4,
        Morpion.id: Morpion,
        Breakthrough.id: Breakthrough,
    }
)
"""Every game by its id."""

USUAL: Final = next(iter(GAMES))
"""The id of the game that is meant where nobody names one."""

EXAMPLES: Final = ", ".join((*GAMES, *GAMES[USUAL].profile.boards[-1:]))
"""How games are written, for people: every id, and one with options."""


@lru_cache(maxsize=256)
def parse(spec: str) -> Game:
    """The game of an id, or of an id, a colon and options ("othello:size=6,tie=draw"). Raises RulesError."""
    name, colon, text = spec.strip().partition(":")
    if name not in GAMES:
        raise RulesError("the games are {games}, not {name}", games=", ".join(GAMES), name=quote(name))
    game = GAMES[name]
    make: Callable[..., Game] = game
    return make(**read_options(name, game.options, text)) if colon else make()
