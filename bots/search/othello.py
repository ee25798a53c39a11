"""Choosing and valuing moves of Othello on 8x8: asks an engine, compiled or plain, for the values of positions.

`Thinker.think` deepens move by move until its time is up and goes over to the exact end as soon as that is within
reach; `solve` gives the exact value of every move. A move is its bit, as in `games.othello_board`.
"""

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from types import TracebackType
from typing import Protocol

from bots.search import compiled
from bots.search.plain_othello import PlainOthello
from bots.timing import MoveTime
from games.othello_board import make_board

BOARD = make_board(8)
_INFINITY = 10_000
_AT_ONCE = 10
"""With at most this many empty cells the game is solved as soon as depth 1 has been searched."""

_SELECTIVITY = 90
"""With a clock, a shallow search replaces a deep one if its value lies outside the window by this many hundredths of
its standard error, which gains some plies.
"""

_NEAR_END, _NEAR_END_SELECTIVITY = 26, 135
"""Up to _NEAR_END empty cells, when searches are about to reach the end, _NEAR_END_SELECTIVITY counts instead. In 40
positions of tournament games with 20 to 22 empty cells, 120 to 150 lost the least; 60, 90 and 180 lost several times as
much.
"""

_PROVEN_AT_ONCE = 20
"""Up to this many empty cells the exact search needs no selective search before it."""

_LOOK_FIRST = 8
"""How many plies are searched before the exact end is tried, or half of the empty cells if that is less."""

_EXACT_NODES_AT_20 = 1.2e7
_EXACT_GROWTH = 2.2
_FAST_NODES_PER_S, _PLAIN_NODES_PER_S = 2.5e7, 5e4
"""The nodes that it takes to solve a position with 20 empty cells, their growth with each further one, and the nodes
per second of the two searches: only to decide whether to try.
"""


class OthelloEngine(Protocol):
    """The searches of `fast_othello.FastOthello` and `plain_othello.PlainOthello`; see there."""

    selectivity: int

    @property
    def nodes(self) -> int: ...  # noqa: D102
    @property
    def stopped(self) -> bool: ...  # noqa: D102
    def stop(self) -> None: ...  # noqa: D102
    def resume(self) -> None: ...  # noqa: D102
    def limit(self, nodes: int | None) -> None: ...  # noqa: D102
    def forget(self) -> None: ...  # noqa: D102
    def at_least(self, own: int, other: int, alpha: int) -> int: ...  # noqa: D102
    def search(self, own: int, other: int, depth: int, alpha: int, beta: int) -> int: ...  # noqa: D102
    def best_reply(self, own: int, other: int) -> int: ...  # noqa: D102


def make_engine(table_bits: int) -> OthelloEngine:
    """The compiled engine with two tables of `2 ** table_bits` buckets of 64 bytes; the plain one without numba."""
    fast = compiled.load("othello")
    return PlainOthello() if fast is None else fast.FastOthello(table_bits)


@dataclass(frozen=True, slots=True)
class Line:
    """What a search found: the best move's value in discs for its player, the moves expected, and the work it took.

    exact: the value is the final score with best play.
    """

    depth: int
    value: float
    bits: tuple[int, ...]
    nodes: int
    exact: bool


class Alarm:
    """Calls `ring` once after `seconds`, from a thread of its own, unless the `with` block was left before."""

    def __init__(self, seconds: float | None, ring: Callable[[], None]) -> None:
        self._ring = ring
        self._lock = threading.Lock()
        self._timer = None if seconds is None else threading.Timer(max(0.0, seconds), self._fire)

    def __enter__(self) -> None:
        if self._timer is not None:
            self._timer.daemon = True
            self._timer.start()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._timer is not None:
            with self._lock:
                timer, self._timer = self._timer, None
            timer.cancel()

    def _fire(self) -> None:
        with self._lock:
            if self._timer is not None:
                self._ring()


def play(own: int, other: int, bit: int) -> tuple[int, int]:
    """The discs of the seat whose turn comes next (though it may have to pass) and those of the other, after a move."""
    flipped = BOARD.flips(own, other, bit)
    return other ^ flipped, own | bit | flipped


def bits_of(mask: int) -> list[int]:
    """The bits of a mask, the lowest first."""
    return [1 << cell for cell in range(64) if mask >> cell & 1]


def exact_value(engine: OthelloEngine, own: int, other: int, guess: float = 0.0) -> int:
    """The final score of the seat to move, in discs; anything once stopped. A good `guess` of it saves work."""
    low, high = -64, 64
    alpha = max(-63, min(63, 2 * round(guess / 2) - 1))
    while low < high and not engine.stopped:
        value = engine.at_least(own, other, alpha)
        low, high = (value, high) if value > alpha else (low, value)
        alpha = low if value > alpha else high - 1
    return low


def proven_value(engine: OthelloEngine, own: int, other: int) -> int:
    """`exact_value`; with many empty cells after selective searches to the end, which guess it and fill the table with
    good moves.
    """
    empties, value = 64 - (own | other).bit_count(), 0
    engine.selectivity = _SELECTIVITY
    for depth in range(2, empties + 1 if empties > _PROVEN_AT_ONCE else 2):
        value = engine.search(own, other, depth, -_INFINITY, _INFINITY)
    engine.selectivity = 0
    return exact_value(engine, own, other, value / 100)


def _selectivity(empties: int) -> int:
    """The selectivity of a search with a clock that begins with `empties` empty cells."""
    return _NEAR_END_SELECTIVITY if empties <= _NEAR_END else _SELECTIVITY


def _ignore(line: Line) -> None:
    del line


class Thinker:
    """Finds the move to play; `engine` keeps what it learns from one move of a game to the next.

    clock: monotonic seconds.
    """

    def __init__(self, engine: OthelloEngine, clock: Callable[[], float] = time.monotonic) -> None:
        self._engine = engine
        self._clock = clock
        self._closed = False

    def close(self) -> None:
        """Ends the search that runs, and all later ones at their first depth."""
        self._closed = True
        self._engine.stop()

    def think(
        self,
        own: int,
        other: int,
        depth: int,
        limits: MoveTime | None,
        report: Callable[[Line], None] | None = None,
        *,
        nodes: int | None = None,
    ) -> Line:
        """The best move of the seat to move, which has one: `depth` plies deep, or as far as the limits let it come.

        nodes: how many it searches at most, after depth 1; then the same questions have the same answers, however busy
        the machine is. A position with no more empty cells than `depth` is solved when that is within reach. `report`
        is told what each depth found.
        """
        engine, began = self._engine, self._clock()
        engine.resume()
        is_limited = limits is not None or nodes is not None
        engine.selectivity = _selectivity(64 - (own | other).bit_count()) if is_limited else 0
        if self._closed:
            engine.stop()
        root = _Root(own, other, engine.nodes)
        found = _deepen(engine, root, 1)
        assert found is not None, "depth 1 is never stopped"
        tell = report or _ignore
        tell(found)
        engine.limit(None if nodes is None else max(0, nodes - found.nodes))
        with Alarm(None if limits is None else limits.most_s, engine.stop):
            for reached in range(2, min(depth, root.empties) + 2):
                left_s = None if limits is None else limits.enough_s - (self._clock() - began)
                if engine.stopped or len(root.moves) == 1 or (left_s is not None and left_s <= 0):
                    break
                left = None if nodes is None else nodes - (engine.nodes - root.nodes)
                solving = root.empties <= depth and self._within_reach(root.empties, reached, left_s, left)
                if reached > depth and not solving:
                    break
                line = _solve(engine, root, found.value) if solving else _deepen(engine, root, reached)
                if line is not None:
                    found = line
                    tell(line)
                if found.exact:
                    break
        return found

    def _within_reach(self, empties: int, reached: int, left_s: float | None, left: int | None) -> bool:
        """Whether the end can be solved now; a search of some depth comes before, for the order of the moves.

        left: the nodes that are left; None for as many as it takes.
        """
        if empties <= _AT_ONCE or reached > empties:
            return True
        if reached <= min(_LOOK_FIRST, empties // 2):
            return False
        nodes = _EXACT_NODES_AT_20 * _EXACT_GROWTH ** (empties - 20)
        if left is not None and nodes > left:
            return False
        speed = _PLAIN_NODES_PER_S if isinstance(self._engine, PlainOthello) else _FAST_NODES_PER_S
        return left_s is None or nodes / speed < left_s


class _Root:
    """The position that a search starts from; `moves` stand in the order in which they are worth trying."""

    def __init__(self, own: int, other: int, nodes: int) -> None:
        self.own, self.other, self.nodes = own, other, nodes
        self.empties = 64 - (own | other).bit_count()
        self.moves = bits_of(BOARD.legal(own, other))

    def line(self, engine: OthelloEngine, depth: int, value: float, *, exact: bool) -> Line:
        """The result whose best move is the first of `moves`."""
        bits = (self.moves[0], *expected(engine, *play(self.own, self.other, self.moves[0]), depth - 1))
        return Line(depth, value, bits, engine.nodes - self.nodes, exact)

    def put_first(self, bit: int) -> None:
        """The best move so far: the next search begins with it."""
        self.moves.remove(bit)
        self.moves.insert(0, bit)


def expected(engine: OthelloEngine, own: int, other: int, plies: int) -> list[int]:
    """The moves that the engine expects from a position on, as far as it remembers them."""
    bits: list[int] = []
    while len(bits) < plies:
        legal = BOARD.legal(own, other)
        if not legal:
            own, other = other, own
            legal = BOARD.legal(own, other)
        bit = 1 << engine.best_reply(own, other) & legal
        if not bit:
            break
        bits.append(bit)
        own, other = play(own, other, bit)
    return bits


def _deepen(engine: OthelloEngine, root: _Root, depth: int) -> Line | None:
    """The best move after `depth` plies; once stopped, the best of those that were finished, None for none."""
    best: int | None = None
    for bit in tuple(root.moves):
        theirs, mine = play(root.own, root.other, bit)
        if best is None:
            value = -engine.search(theirs, mine, depth - 1, -_INFINITY, _INFINITY)
        else:
            value = -engine.search(theirs, mine, depth - 1, -best - 1, -best)
            if value > best and not engine.stopped:
                value = -engine.search(theirs, mine, depth - 1, -_INFINITY, -best)
        if engine.stopped and depth > 1:
            break
        if best is None or value > best:
            best = value
            root.put_first(bit)
    return (
        None
        if best is None
        else root.line(engine, depth, best / 100, exact=depth >= root.empties and not engine.selectivity)
    )


def _solve(engine: OthelloEngine, root: _Root, guess: float) -> Line | None:
    """The best move by the exact score; once stopped, the best of those that were finished, None for none."""
    best: int | None = None
    for bit in tuple(root.moves):
        theirs, mine = play(root.own, root.other, bit)
        if best is None:
            value = -exact_value(engine, theirs, mine, -guess)
        else:
            value = -engine.at_least(theirs, mine, -best - 1)
            if value > best:
                value = -exact_value(engine, theirs, mine, -value)
        if engine.stopped:
            break
        if best is None or value > best:
            best = value
            root.put_first(bit)
    return None if best is None else root.line(engine, root.empties, best, exact=not engine.stopped)
