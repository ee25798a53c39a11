"""Breadth-first search for a win, as in a class document: plays the first move of the shortest winning line.

Its weakness is that of `dfs`: the shortest line may be one in which the opponent lets it win. It takes a win in one
move, but sees no threat.
"""

import random

from bots.base import Bot, Family, Options
from bots.classroom.dfs import POSITIONS, Walker
from bots.classroom.on_positions import PositionWalker
from bots.search.kernels import make_kernel
from games.base import Game, Seat
from locales import _


def _make(game: Game, seat: Seat, rng: random.Random, options: Options) -> Bot:
    del seat, rng
    if make_kernel(game) is None:
        return PositionWalker(breadth_first=True, positions=options.number("positions"))
    return Walker(game, breadth_first=True, positions=options.number("positions"))


FAMILY = Family(
    name="bfs",
    summary=lambda: _("plays towards the nearest win that it finds, breadth first"),
    make=_make,
    options=(POSITIONS,),
)
