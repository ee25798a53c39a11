"""The strong player: each game by the best that there is for it.

A game that has a strong player of its own is played by that (`Accelerators.player`); without numba its searches run in
plain Python and see less far. Other games and other boards are searched by alpha-beta in plain Python, and so are line
games when a depth is given.
"""

import math
import random
import time
from collections.abc import Callable, Sequence

from bots.base import Bot, Budget, Family, Option, Options
from bots.classroom.on_masks import MaskBot
from bots.classroom.on_positions import PositionMinimax
from bots.search.accelerators import ACCELERATORS
from bots.search.alphabeta import AlphaBeta
from bots.search.compiled import COMPILED
from bots.search.evaluation import EVALUATIONS, make_evaluation
from bots.search.kernels import make_kernel, masks_of
from bots.timing import DEEPEST, MOVES_TO_PLAN_FOR, WITHOUT_CLOCK, move_time
from games.base import Game, Position, Seat
from locales import _
from machine import modules

_MOST_NODES = 999_999_999


class StrongOnMasks(MaskBot):
    """Alpha-beta in plain Python for games with masks that have no search of their own, and for other sizes of boards.

    nodes: how many it searches for a move at most; it looks at that every 256 nodes. clock: monotonic seconds.
    """

    def __init__(
        self,
        game: Game,
        depth: int = DEEPEST,
        clock: Callable[[], float] = time.monotonic,
        *,
        nodes: int | None = None,
    ) -> None:
        super().__init__(game)
        self._evaluation = make_evaluation(EVALUATIONS[game.id][0], game)
        self._depth = depth
        self._nodes = math.inf if nodes is None else nodes
        self._clock = clock
        self._closed = False

    def choose(self, position: Position, budget: Budget) -> str:
        """The best move of `position`."""
        masks = masks_of(position)
        began, empties = self._clock(), len(self._names) - sum(mask.bit_count() for mask in masks)
        limits = move_time(budget, empties // 2 + 1)
        if limits is None and self._depth == DEEPEST and self._nodes == math.inf:
            limits = WITHOUT_CLOCK
        late_at = math.inf if limits is None else began + limits.most_s
        legal = self._kernel.legal(*masks)
        roots = [bit for bit in self._names if bit & legal]

        def is_late() -> bool:
            return self._closed or search.nodes >= self._nodes or self._clock() > late_at

        search = AlphaBeta(self._kernel, self._evaluation, is_late)
        line = search.run(masks, roots, range(1, min(self._depth, empties) + 1), self._report)
        return self._names[line.bits[0]]

    def close(self) -> None:
        """Ends the search, if one runs."""
        self._closed = True


class StrongOnPositions(PositionMinimax):
    """The same for any game: alpha-beta on its positions, as deep as the time allows.

    deepest: whether neither depth nor nodes were asked for, so that a move takes a second where there is no clock.
    """

    def __init__(self, game: Game, *, depth: int, deepest: bool, nodes: int | None = None) -> None:
        super().__init__(game, random.Random(0), depth=depth, nodes=nodes)
        self._deepest = deepest

    def _seconds(self, budget: Budget) -> float | None:
        limits = move_time(budget, MOVES_TO_PLAN_FOR)
        if limits is None and self._deepest:
            limits = WITHOUT_CLOCK
        return None if limits is None else limits.most_s


def own_player(
    game: Game, depth: int = DEEPEST, longest_s: float | None = None, nodes: int | None = None
) -> Bot | None:
    """The strong player that the game has for this board and these limits; None if it has none.

    longest_s: the most that a move takes, where the player has a say in it. nodes: the most that it searches for one.
    """
    if game.id not in ACCELERATORS:
        return None
    player = modules.load(ACCELERATORS[game.id].player)
    make: Callable[[Game, int, float | None, int | None], Bot | None] = player.make_player
    return make(game, depth, longest_s, nodes)


def parts_of(game: Game, depth: int = DEEPEST, nodes: int | None = None) -> Sequence[str]:
    """What of `compiled.COMPILED` the strong player of the game needs."""
    if game.id not in ACCELERATORS:
        return ()
    player = modules.load(ACCELERATORS[game.id].player)
    parts: Callable[[Game, int, int | None], Sequence[str]] = player.compiled_parts
    return parts(game, depth, nodes)


def _make(game: Game, seat: Seat, rng: random.Random, options: Options) -> Bot:
    del seat, rng
    depth, nodes = options.number("depth"), options.number("nodes") or None
    if make_kernel(game) is None:
        return StrongOnPositions(game, depth=depth, deepest=depth == DEEPEST and nodes is None, nodes=nodes)
    return own_player(game, depth, nodes=nodes) or StrongOnMasks(game, depth, nodes=nodes)


def _compiles(options: Options, game: Game | None) -> Sequence[str]:
    if game is None:
        return tuple(COMPILED)
    return parts_of(game, options.number("depth"), options.number("nodes") or None)


FAMILY = Family(
    name="strong",
    summary=lambda: _("searches deep; plays without an error what can be solved"),
    make=_make,
    options=(
        Option("depth", range(1, DEEPEST + 1), DEEPEST, lambda: _("how many moves it looks ahead at most")),
        Option("nodes", range(_MOST_NODES + 1), 0, lambda: _("how many positions it searches for a move; 0: no bound")),
    ),
    compiles=_compiles,
)
