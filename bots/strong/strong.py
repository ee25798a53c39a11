"""The strong player: of Othello by deep search in compiled code, and the end of the game without an error.

Puissance 4 and morpion are in `bots.strong.line_player`. Without numba the same searches run in plain Python and see
less far. So does Othello on boards that are not 8x8, and every game that is to be looked at to a certain depth only.
"""

import math
import random
import time
from collections.abc import Callable, Sequence

from bots.base import BaseBot, Bot, Budget, Family, Option, Options, Thought
from bots.classroom.on_masks import MaskBot
from bots.classroom.on_positions import PositionBroad
from bots.search import alphabeta
from bots.search.alphabeta import AlphaBeta
from bots.search.compiled import COMPILED
from bots.search.evaluation import EVALUATIONS, make_evaluation
from bots.search.kernels import make_kernel, masks_of, move_names
from bots.search.othello import Engine, Line, Thinker, make_engine
from bots.search.solver import compiled_for
from bots.strong.line_player import compiled_parts, make_line_player
from bots.timing import Plan, plan
from games.base import Game, Position, Seat
from games.morpion import Morpion
from games.othello import Othello
from games.puissance4 import Puissance4
from locales import _

_TABLE_BITS = 17
"""Two tables of 8 MB for each match."""

_DEEPEST = 60
_WITHOUT_CLOCK = Plan(1.0, 1.0)
_SOLVED_AT_ONCE = 16
"""The last so many empty cells take next to no time: what is left of the clock is for the moves before."""


class Strong(BaseBot):
    """Plays Othello on 8x8. With a clock it uses its time well; without one it takes a second for a move.

    depth: how far it looks at most; below the deepest, it looks exactly so far without a clock, however long it takes.
    """

    def __init__(self, game: Othello, engine: Engine, depth: int = _DEEPEST) -> None:
        super().__init__()
        self._names = move_names(game)
        self._thinker = Thinker(engine)
        self._depth = depth

    def choose(self, position: Position, budget: Budget) -> str:
        """The best move of `position`."""
        return self._names[self.think(position, budget).bits[0]]

    def think(self, position: Position, budget: Budget) -> Line:
        """The best move of `position` with its value and the moves expected after it."""
        own, other = masks_of(position)
        empties = 64 - (own | other).bit_count()
        time_plan = plan(budget, max(0, empties - _SOLVED_AT_ONCE) // 2 + 3)
        if time_plan is None and self._depth == _DEEPEST:
            time_plan = _WITHOUT_CLOCK
        return self._thinker.think(own, other, self._depth, time_plan, self._report)

    def close(self) -> None:
        """Ends the search, if one runs."""
        self._thinker.close()

    def _report(self, line: Line) -> None:
        if self.on_thought is not None:
            pv = tuple(self._names[bit] for bit in line.bits)
            self.on_thought(Thought(line.depth, line.value, pv, line.nodes))


class Broad(MaskBot):
    """Plays what has no search of its own, boards of other sizes too: alpha-beta in plain Python.

    clock: monotonic seconds.
    """

    def __init__(self, game: Game, depth: int = _DEEPEST, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__(game)
        self._evaluation = make_evaluation(EVALUATIONS[game.id][0], game)
        self._depth = depth
        self._clock = clock
        self._closed = False

    def choose(self, position: Position, budget: Budget) -> str:
        """The best move of `position`."""
        masks = masks_of(position)
        began, empties = self._clock(), len(self._names) - sum(mask.bit_count() for mask in masks)
        time_plan = plan(budget, empties // 2 + 1)
        if time_plan is None and self._depth == _DEEPEST:
            time_plan = _WITHOUT_CLOCK
        late_at = math.inf if time_plan is None else began + time_plan.most_s
        legal = self._kernel.legal(*masks)
        roots = [bit for bit in self._names if bit & legal]
        search = AlphaBeta(self._kernel, self._evaluation, lambda: self._closed or self._clock() > late_at)
        line = search.run(masks, roots, range(1, min(self._depth, empties) + 1), self._report)
        return self._names[line.bits[0]]

    def close(self) -> None:
        """Ends the search, if one runs."""
        self._closed = True

    def _report(self, line: alphabeta.Line) -> None:
        if self.on_thought is not None:
            pv = tuple(self._names[bit] for bit in line.bits)
            self.on_thought(Thought(line.depth, line.value, pv, line.nodes))


def _make(game: Game, seat: Seat, rng: random.Random, options: Options) -> Bot:
    del seat, rng
    if make_kernel(game) is None:
        depth = options.number("depth")
        return PositionBroad(game, depth=depth, deepest=depth == _DEEPEST)
    if isinstance(game, Othello) and game.size == 8:
        return Strong(game, make_engine(_TABLE_BITS), options.number("depth"))
    if isinstance(game, Puissance4 | Morpion) and options.number("depth") == _DEEPEST:
        return make_line_player(game)
    return Broad(game, options.number("depth"))


def _compiles(options: Options, game: Game | None) -> Sequence[str]:
    if game is None:
        return tuple(COMPILED)
    if isinstance(game, Othello):
        return compiled_for(game)
    if isinstance(game, Puissance4 | Morpion) and options.number("depth") == _DEEPEST:
        return compiled_parts(game)
    return ()


FAMILY = Family(
    name="strong",
    summary=lambda: _("searches deep; plays without an error what can be solved"),
    make=_make,
    options=(Option("depth", range(1, _DEEPEST + 1), _DEEPEST, lambda: _("how many moves it looks ahead at most")),),
    compiles=_compiles,
)
