"""Depth-first search for a win, as in a class document: plays the first move of the first winning line it finds.

Its weakness: it never asks what the opponent would play. It accepts a line in which the opponent lets it win, so it
misses wins in one move and the opponent's threats. (`bfs` at least takes the shortest such line.)

style=document keeps a mistake of the pseudo-code: dfs_play_aux passes `player` on where it means `us`, so that below
the first move a line counts as a win, whoever made it. It then nearly always plays the first free cell.
"""

import random
import time
from collections.abc import Callable

from bots.base import Bot, Budget, Family, Option, Options, Thought
from bots.classroom.on_masks import MaskBot
from bots.classroom.on_positions import PositionWalker
from bots.search.kernels import make_kernel, masks_of
from bots.search.walks import Visit, walk
from bots.timing import share_s
from games.base import Game, Position, Seat
from locales import _

_CHECK_EVERY = 255

CORRECTED, DOCUMENT = STYLES = ("corrected", "document")


def is_goal(visit: Visit, style: str) -> bool:
    """Whether the search ends here: its player has won, or, in the document's style, the player who moved last."""
    return visit.result == (visit.mover if style == DOCUMENT else 1)


class Walker(MaskBot):
    """Walks the tree until a position is won; plays the move that leads there, or the first legal one.

    positions: how many to look at before it gives up; on the document's 3x3 board it never does. A clock that is short
    makes it give up sooner. clock: monotonic seconds.
    """

    def __init__(
        self,
        game: Game,
        *,
        breadth_first: bool,
        positions: int,
        style: str = CORRECTED,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        super().__init__(game)
        self._breadth_first = breadth_first
        self._positions = positions
        self._style = style
        self._clock = clock

    def choose(self, position: Position, budget: Budget) -> str:
        """The first move of the line that it found; the first legal move where it found none."""
        share = share_s(budget)
        late_at = None if share is None else self._clock() + share
        looked_at, line = self.find(position, lambda: late_at is not None and self._clock() > late_at)
        self.think_aloud(Thought(len(line), 1.0 if line else 0.0, line, looked_at))
        return line[0] if line else position.legal_moves()[0]

    def find(self, position: Position, is_late: Callable[[], bool] = lambda: False) -> tuple[int, tuple[str, ...]]:
        """How many positions it looked at, and the moves of the winning line; none if there is none."""
        looked_at = 0
        masks, breadth_first = masks_of(position), self._breadth_first
        for visit in walk(self._kernel, masks, breadth_first=breadth_first, merge=True, limit=self._positions):
            looked_at += 1
            if is_goal(visit, self._style):
                return looked_at, tuple(self._names[step.bit] for step in visit.path)
            if not looked_at & _CHECK_EVERY and is_late():
                break
        return looked_at, ()


POSITIONS = Option(
    "positions",
    range(1000, 1_000_001),
    100_000,
    lambda: _("how many positions it looks at before it gives up"),
)
"""The option that `dfs` and `bfs` share."""


def _make(game: Game, seat: Seat, rng: random.Random, options: Options) -> Bot:
    del seat, rng
    style = options.word("style") or CORRECTED
    if make_kernel(game) is None:
        return PositionWalker(breadth_first=False, positions=options.number("positions"), anybody=style == DOCUMENT)
    return Walker(game, breadth_first=False, positions=options.number("positions"), style=style)


FAMILY = Family(
    name="dfs",
    summary=lambda: _("plays towards the first win that it finds, depth first"),
    make=_make,
    options=(
        POSITIONS,
        Option("style", STYLES, CORRECTED, lambda: _("the search as it is meant, or with the slip of the document")),
    ),
)
