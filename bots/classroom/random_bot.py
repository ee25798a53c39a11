"""The bot that every other should beat: a legal move at random, the same ones again under the same seed."""

import random
from typing import ClassVar

from bots.base import BaseBot, Budget, Family, Options
from games.base import Game, Position, Seat
from locales import _


class Random(BaseBot):
    """Plays any legal move with equal chances; `rng` decides."""

    instant: ClassVar[bool] = True

    def __init__(self, rng: random.Random) -> None:
        super().__init__()
        self._rng = rng

    def choose(self, position: Position, budget: Budget) -> str:
        """A legal move of `position`."""
        del budget
        return self._rng.choice(position.legal_moves())


def _make(game: Game, seat: Seat, rng: random.Random, options: Options) -> Random:
    del game, seat, options
    return Random(rng)


FAMILY = Family(name="random", summary=lambda: _("plays a legal move at random"), make=_make)
