"""Plays morpion and m,n,k where positions can't be solved: by forced wins, then by defence, then by open lines.

If a forced win is found, its first move is played. Else only moves after which the opponent has no forced win count, as
far as the search sees; of these, a search that evaluates open lines takes the best. See `threats`.
"""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from bots.search import alphabeta
from bots.search.alphabeta import WIN, AlphaBeta
from bots.search.evaluation import make_shapes_evaluation
from bots.search.kernels import LineKernel, bits_in
from bots.search.threats import FastThreats, PlainThreats, make_threats
from bots.timing import MoveTime
from games.morpion import Morpion

_FAST_NODES_PER_S, _PLAIN_NODES_PER_S = 2_500_000, 2_000
"""Positions that a search for forced wins enters in a second; turns a share of the time into a limit on nodes."""

_SHARE = 0.2
"""The share of the time for each of two questions: is there a forced win, and which moves allow the opponent none?"""

_MOST_QUIET = 3
"""The most moves of a forced win that are no fours."""

_DEEPEST = 30


@dataclass(frozen=True, slots=True)
class View:
    """What is forced: the first move of a win, or 0 if none was found; and the moves to consider, the best first."""

    win: int
    moves: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Line:
    """The result of the search of open lines: the best move, its value for its player, plies, positions entered.

    A won game has `alphabeta.WIN` less the plies that it takes.
    """

    bit: int
    value: float
    depth: int
    nodes: int


class Tactics:
    """Chooses moves of `game`, for one match; any thread may call `stop`.

    clock: gives monotonic seconds.
    """

    def __init__(
        self,
        game: Morpion,
        threats: PlainThreats | FastThreats | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._kernel = LineKernel(game)
        self._evaluation = make_shapes_evaluation(game)
        self._threats = make_threats(game) if threats is None else threats
        self._clock = clock

    @property
    def nodes(self) -> int:
        """Positions entered since it was made."""
        return self._threats.nodes

    def stop(self) -> None:
        """Ends a running search; until `resume`, later ones end at once with the first move that they try."""
        self._threats.stop()

    def resume(self) -> None:
        """Takes `stop` back."""
        self._threats.resume()

    def look(self, own: int, other: int, seconds: float) -> View:
        """What is forced, as far as a share of `seconds` allows to see."""
        threats, legal = self._threats, self._kernel.legal(own, other)
        speed = _FAST_NODES_PER_S if isinstance(threats, FastThreats) else _PLAIN_NODES_PER_S
        share = int(_SHARE * seconds * speed)
        threats.allow(share)
        for depth in range(_MOST_QUIET + 1):
            if win := threats.winning(own, other, depth):
                return View(win, (win,))
        moves = tuple(bits_in(legal, self._kernel.groups))
        threats.allow(share)
        for depth in range(_MOST_QUIET):
            safe = tuple(threats.safe(own, other, depth, moves))
            if not safe or threats.stopped:
                break
            moves = safe
        threats.allow()
        return View(0, moves)

    def deepen(
        self, own: int, other: int, moves: Sequence[int], limits: MoveTime, report: Callable[[Line], None]
    ) -> Line:
        """The best of `moves`, searched as deep as time allows; `report` gets the line of each depth."""
        began = self._clock()

        def is_late(seconds: float) -> bool:
            return self._threats.stopped or self._clock() - began >= seconds

        if isinstance(self._threats, FastThreats):
            return self._by_values(self._threats, (own, other), moves, lambda: is_late(limits.enough_s), report)
        search = AlphaBeta(self._kernel, self._evaluation, lambda: is_late(limits.most_s))

        found = search.run((own, other), moves, range(1, _DEEPEST), lambda line: report(_from_plain(line)))
        return _from_plain(found)

    def _by_values(
        self,
        threats: FastThreats,
        masks: tuple[int, int],
        moves: Sequence[int],
        is_late: Callable[[], bool],
        report: Callable[[Line], None],
    ) -> Line:
        before = threats.nodes
        line = Line(moves[0], 0, 0, 0)
        order = list(moves)
        for depth in range(1, _DEEPEST):
            values = threats.values(*masks, depth, order)
            if order[0] in values:
                bit = max(values, key=lambda each: values[each])
                line = Line(bit, _shown(values[bit], threats.win), depth, threats.nodes - before)
                report(line)
            if is_late() or abs(line.value) > WIN // 2 or len(order) == 1:
                break
            order.sort(key=lambda each: -values[each])
            order.remove(line.bit)
            order.insert(0, line.bit)
        return line


def _shown(value: int, win: int) -> int:
    """Converts a value from the scale in which a won game has `win` less the plies to the usual one, with WIN."""
    if abs(value) <= win // 2:
        return value
    return value - win + WIN if value > 0 else value + win - WIN


def _from_plain(line: alphabeta.Line) -> Line:
    return Line(line.bits[0], line.value, line.depth, line.nodes)
