"""The simplest bot: the first legal move, as class material starts with ("jeuStupide")."""

import random
from typing import ClassVar

from bots.base import BaseBot, Budget, Family, Options
from games.base import Game, Position, Seat
from locales import _


class First(BaseBot):
    """Plays the first legal move in the game's order: rows from the top, columns from the left."""

    instant: ClassVar[bool] = True

    def choose(self, position: Position, budget: Budget) -> str:
        """The first legal move of `position`."""
        del budget
        return position.legal_moves()[0]


def _make(game: Game, seat: Seat, rng: random.Random, options: Options) -> First:
    del game, seat, rng, options
    return First()


FAMILY = Family(name="first", summary=lambda: _("plays the first legal move"), make=_make)
