"""Searches that use only the interface of `games.base`, so that they play any game on any of its boards.

Alpha-beta deepens ply by ply and keeps results in a table; the key is the position itself, with the game's own `__eq__`
and `__hash__`. Games with masks have faster searches, which use kernels (`bots.search.kernels`).
"""

import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from enum import IntEnum

from bots.search.alphabeta import INFINITY, WIN
from bots.search.solver import Found, OutOfTimeError
from games.base import Game, Measure, Position, Seat, Term, Words

_CHECK_EVERY = 63
"""A mask: a search reads the clock when the count of positions has none of these bits, so that it costs little time."""

_MOST_REMEMBERED = 1 << 18
"""The most entries of a table; a full table is emptied."""

_ENTRY_BYTES = 512
"""About how many bytes an entry of a solver's table takes, with its position."""


def made(position: Position, seat: Seat) -> int:
    """The lead of `seat` in the game's score: the measure of a game that defines none."""
    first, second = position.score()
    return first - second if seat is Seat.FIRST else second - first


def _parts(position: Position, seat: Seat) -> tuple[Term, ...]:
    first, second = position.score()
    own, theirs = (first, second) if seat is Seat.FIRST else (second, first)
    return (Term(Words("score", "score"), own, theirs),)


_MADE = Measure("score", made, terms=_parts)


def measures_of(game: Game) -> tuple[Measure, ...]:
    """The measures by which positions of a game can be evaluated, the usual one first."""
    return game.profile.measures or (_MADE,)


def measure_of(game: Game, name: str | None = None) -> Measure:
    """The game's measure of that name, which must exist; None means the usual one."""
    return next(measure for measure in measures_of(game) if name is None or measure.name == name)


@dataclass(frozen=True, slots=True)
class Line:
    """The result of a search: the value of the best move for its player, the expected line, and the work done."""

    depth: int
    value: int
    moves: tuple[str, ...]
    nodes: int


class _Bound(IntEnum):
    """How a value in the table relates to the true one."""

    EXACT = 0
    AT_LEAST = 1
    AT_MOST = 2


class _LateError(Exception):
    """The time is up; never leaves this module."""


Worth = Callable[[Position, Seat], int]


class PositionSearch:
    """Alpha-beta for the player `us`: the values and the moves of plain minimax, as in `bots.search.alphabeta`.

    A leaf has its evaluation for `us`; a won game has WIN less the plies that it took, a lost one the negative of that.
    A forced pass costs no ply. is_late: whether time is up; the search finishes the first depth in any case.
    """

    def __init__(self, us: Seat, worth: Worth, is_late: Callable[[], bool] = lambda: False) -> None:
        self._us = us
        self._worth = worth
        self.is_late = is_late
        self._nodes = 0
        self._hurried = False
        self._known: dict[Position, tuple[int, _Bound, int, str]] = {}
        self._cutters: dict[str, int] = {}

    @property
    def nodes(self) -> int:
        """The positions searched for the last question, so far."""
        return self._nodes

    def run(
        self, position: Position, roots: Sequence[str], depths: range, report: Callable[[Line], None] | None = None
    ) -> Line:
        """The best of the moves `roots`, searched to each depth in turn; `report` gets the line of each depth."""
        self._nodes = 0
        found: Line | None = None
        for depth in depths:
            self._hurried = found is not None
            try:
                found = self._search_root(position, roots, depth)
            except _LateError:
                break
            if report is not None:
                report(found)
            if abs(found.value) > WIN // 2 or self.is_late():
                break
        assert found is not None
        return found

    def _search_root(self, position: Position, roots: Sequence[str], depth: int) -> Line:
        best, chosen = -INFINITY, roots[0]
        for move in roots:
            value = self._after(position, move, depth, best, INFINITY, 1)
            if value > best:
                best, chosen = value, move
        return Line(depth, best, (chosen, *self._expected(position.play(chosen), depth - 1)), self._nodes)

    def _expected(self, position: Position, depth: int) -> Iterator[str]:
        """The line of best moves from a position on, as far as the table has it."""
        while depth > 0 and (entry := self._known.get(position)) is not None and entry[0] == depth and entry[3]:
            yield entry[3]
            position, depth = position.play(entry[3]), depth - 1

    def _after(self, position: Position, move: str, depth: int, alpha: int, beta: int, ply: int) -> int:
        """The value of a move for the player who makes it."""
        child = position.play(move)
        if child.to_move is position.to_move:
            return self.search(child, depth - 1, alpha, beta, ply)
        return -self.search(child, depth - 1, -beta, -alpha, ply)

    def search(self, position: Position, depth: int, alpha: int, beta: int, ply: int) -> int:
        """The value for the seat to move, exact if within (alpha, beta); the position is `ply` plies below the root."""
        self._nodes += 1
        if self._hurried and not self._nodes & _CHECK_EVERY and self.is_late():
            raise _LateError
        outcome = position.outcome()
        if outcome is not None:
            winner = outcome.winner
            return 0 if winner is None else WIN - ply if winner is position.to_move else ply - WIN
        if depth == 0:
            worth = self._worth(position, self._us)
            return worth if position.to_move is self._us else -worth
        entry, first = self._known.get(position), ""
        if entry is not None:
            first = entry[3]
            value = _at(entry[2], ply)
            is_enough = entry[1] is _Bound.EXACT or (value >= beta if entry[1] is _Bound.AT_LEAST else value <= alpha)
            if entry[0] == depth and is_enough:
                return value
        return self._best(position, first, depth, alpha, beta, ply)

    def _best(self, position: Position, first: str, depth: int, alpha: int, beta: int, ply: int) -> int:
        """The value of the best move; `first` is tried first, the best move of an earlier search of the position."""
        moves = sorted(position.legal_moves(), key=lambda move: (move != first, -self._cutters.get(move, 0)))
        best, chosen, low = -INFINITY, "", alpha
        for move in moves:
            value = self._after(position, move, depth, low, beta, ply + 1)
            if value > best:
                best, chosen = value, move
                if best >= beta:
                    self._cutters[move] = self._cutters.get(move, 0) + depth * depth
                    break
                low = max(low, best)
        bound = _Bound.AT_MOST if best <= alpha else _Bound.AT_LEAST if best >= beta else _Bound.EXACT
        if len(self._known) >= _MOST_REMEMBERED:
            self._known.clear()
        self._known[position] = (depth, bound, _at(best, -ply), chosen)
        return best


def _at(value: int, ply: int) -> int:
    """Counts the plies to a win in `value` from the root, `ply` plies above the position; back again with -ply."""
    return value - ply if value > WIN // 2 else value + ply if value < -WIN // 2 else value


class PositionSolver:
    """Solves any game by searching to its end: 1, 0 or -1 for the side to move. See `Solver`.

    megabytes: about how much its table may take.
    """

    def __init__(self, game: Game, megabytes: int) -> None:
        self._worth = measure_of(game).worth
        self._most = max(1, (megabytes << 20) // _ENTRY_BYTES)
        self._known: dict[tuple[Position, int], bool] = {}
        self._nodes = 0
        self._stopped = threading.Event()

    @property
    def nodes(self) -> int:
        """How many positions its searches have entered since it was made."""
        return self._nodes

    def score(self, position: Position) -> int:
        """The exact value of a position; raises OutOfTimeError."""
        outcome = position.outcome()
        if outcome is not None:
            return 0 if outcome.winner is None else 1 if outcome.winner is position.to_move else -1
        return 1 if self._is_at_least(position, 1) else 0 if self._is_at_least(position, 0) else -1

    def is_above(self, position: Position, value: int) -> bool:
        """Whether the value of a position is above `value`; raises OutOfTimeError."""
        if value < -1 or value >= 1:
            return value < -1
        return (
            self.score(position) > value if position.outcome() is not None else self._is_at_least(position, value + 1)
        )

    def best(
        self, position: Position, listen: Callable[[Found], None] | None = None, order: Sequence[str] = ()
    ) -> Found:
        """The first move with the best value; when the time is up, the best one of those searched by then."""
        legal = position.legal_moves()
        moves = [*(move for move in order if move in legal), *(move for move in legal if move not in order)]
        before, best, chosen = self._nodes, -2, moves[0]
        try:
            for move in moves:
                after = position.play(move)
                value = self.score(after) if after.to_move is position.to_move else -self.score(after)
                if value > best:
                    best, chosen = value, move
                    if listen is not None:
                        listen(Found(chosen, best, 1, self._nodes - before, exact=False))
                if best == 1:
                    break
        except OutOfTimeError:
            return Found(chosen, max(best, -1), 1, self._nodes - before, exact=False)
        return Found(chosen, best, 1, self._nodes - before, exact=True)

    def stop(self) -> None:
        """See Solver."""
        self._stopped.set()

    def resume(self) -> None:
        """See Solver."""
        self._stopped.clear()

    def _is_at_least(self, position: Position, value: int) -> bool:
        """As `gets`; a game too long for Python's stack is one for which the time is too short."""
        try:
            return self.gets(position, value)
        except RecursionError:
            raise OutOfTimeError from None

    def gets(self, position: Position, value: int) -> bool:
        """Whether the side to move gets at least `value` (1 or 0) in a game that is not over; raises OutOfTimeError."""
        key = (position, value)
        known = self._known.get(key)
        if known is not None:
            return known
        self._nodes += 1
        if self._stopped.is_set():
            raise OutOfTimeError
        mover, following = position.to_move, []
        for move in position.legal_moves():
            after = position.play(move)
            outcome = after.outcome()
            if outcome is None:
                following.append(after)
            elif outcome.winner is mover or (outcome.winner is None and value == 0):
                return self._keep(key, answer=True)
        following.sort(key=lambda after: -self._worth(after, mover))
        return self._keep(key, answer=any(self._gets_by(mover, after, value) for after in following))

    def _gets_by(self, mover: Seat, after: Position, value: int) -> bool:
        return self.gets(after, value) if after.to_move is mover else not self.gets(after, 1 - value)

    def _keep(self, key: tuple[Position, int], *, answer: bool) -> bool:
        if len(self._known) >= self._most:
            self._known.clear()
        self._known[key] = answer
        return answer


@dataclass(slots=True, eq=False)
class Visit:
    """A position that a walk visits, the moves that lead there, and the seat that made the last one."""

    position: Position
    moves: tuple[str, ...]
    mover: Seat


def walk(position: Position, *, breadth_first: bool, merge: bool, limit: int) -> Iterator[Visit]:
    """As `bots.search.walks.walk`: the positions below `position`, in the order of the walk; moves in the game's."""
    known: set[Position] = set()
    waiting = _below(Visit(position, (), position.to_move))
    if not breadth_first:
        waiting.reverse()
    left, at = limit, 0
    while left and (at < len(waiting) if breadth_first else waiting):
        visit = waiting[at] if breadth_first else waiting.pop()
        at += breadth_first
        if merge and visit.position in known:
            continue
        known.add(visit.position)
        left -= 1
        yield visit
        if visit.position.outcome() is None and not (breadth_first and len(waiting) - at >= left):
            below = _below(visit)
            waiting.extend(below if breadth_first else reversed(below))


def _below(visit: Visit) -> list[Visit]:
    position = visit.position
    return [Visit(position.play(move), (*visit.moves, move), position.to_move) for move in position.legal_moves()]


def make_solver(game: Game, megabytes: int) -> PositionSolver:
    """A solver for any game; which positions it can solve in time depends on the size of the game."""
    return PositionSolver(game, megabytes)
