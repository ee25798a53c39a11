"""The interface of exact solvers, and the table of them.

A value is always for the side to move: 1, 0 or -1, or what the game's profile says (`Profile.worth`).

A solver keeps its table from one position to the next and belongs to one thread; only `stop` may come from another.

Errors: OutOfTimeError    the time was up, or `stop` was called, before the answer was known
"""

import threading
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Protocol

from bots.search.accelerators import ACCELERATORS
from games.base import Game, Position
from machine import modules

SOLVERS: Mapping[str, str] = {name: each.solver for name, each in ACCELERATORS.items()}
"""Game id -> the module whose `make_solver(game, megabytes)` makes its solver."""

ANY_GAME = "bots.search.positions"
"""The module of the solver for all other games, which searches position by position."""

MEGABYTES = 128
"""The default size of a solver's table."""


class OutOfTimeError(Exception):
    """The time was up before the answer was known."""


@dataclass(frozen=True, slots=True)
class Found:
    """What a search for the best move knows so far.

    move: the move to play. score: its value, or a bound on it. depth: the plies searched. exact: whether it is proven.
    """

    move: str
    score: int
    depth: int
    nodes: int
    exact: bool


class Search(Protocol):
    """Says whether scores are above a number, in a game with two masks; any thread may call `set_stopped`."""

    @property
    def nodes(self) -> int:
        """Positions entered since it was made."""
        ...

    @property
    def stopped(self) -> bool:
        """Whether it was told to stop; its answers since then are worthless."""
        ...

    def set_stopped(self, *, stopped: bool) -> None:
        """Ends a running search within a millisecond and later ones at once; or allows searches again."""
        ...

    def bound(self, own: int, mask: int, alpha: int) -> int:
        """A bound r on the score of the player to move: the score is at least r if r > alpha, else at most r.

        own: the player's discs. mask: all discs. Neither player may have a line yet.
        """
        ...


class BoundSolver:
    """The base of solvers that use a Search."""

    def __init__(self, search: Search) -> None:
        self._search = search

    @property
    def nodes(self) -> int:
        """Positions entered since it was made."""
        return self._search.nodes

    def stop(self) -> None:
        """See Solver."""
        self._search.set_stopped(stopped=True)

    def resume(self) -> None:
        """See Solver."""
        self._search.set_stopped(stopped=False)

    def _bound(self, own: int, mask: int, alpha: int) -> int:
        """The bound that the search finds; raises OutOfTimeError if it was stopped."""
        bound = self._search.bound(own, mask, alpha)
        if self._search.stopped:
            raise OutOfTimeError
        return bound


class Solver(Protocol):
    """Solves positions of one game.

    nodes: positions that its searches entered, since it was made.
    """

    @property
    def nodes(self) -> int:
        """See above."""
        ...

    def score(self, position: Position) -> int:
        """The exact value of `position`, which may be over; raises OutOfTimeError."""
        ...

    def is_above(self, position: Position, value: int) -> bool:
        """Whether the exact value of `position`, which may be over, is more than `value`; raises OutOfTimeError.

        This is mostly much faster than `score`.
        """
        ...

    def best(
        self, position: Position, listen: Callable[[Found], None] | None = None, order: Sequence[str] = ()
    ) -> Found:
        """The best move of a position that is not over; when the time is up, the best one known by then.

        listen: is told each step of the search. order: moves to try first, and to prefer while nothing is known.
        """
        ...

    def stop(self) -> None:
        """Ends a running search within a millisecond; any thread may call it."""
        ...

    def resume(self) -> None:
        """Takes `stop` back."""
        ...


@contextmanager
def limited(solver: Solver, seconds: float | None) -> Generator[None]:
    """Stops searches inside the `with` block after `seconds`; None sets no limit."""
    if seconds is None:
        yield
        return
    timer = threading.Timer(seconds, solver.stop)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        timer.join()
        solver.resume()


@dataclass(frozen=True, slots=True)
class Solution:
    """A solved position: its value for the side to move, all best moves, the value of each move for its player.

    If time ran out, `exact` is false, `value` is None unless it is known, and `moves` has only the known values.
    """

    value: int | None
    best: tuple[str, ...]
    moves: Mapping[str, int]
    exact: bool
    nodes: int


def solve(
    solver: Solver,
    position: Position,
    seconds: float | None = None,
    listen: Callable[[int, int], None] = lambda _done, _of: None,
) -> Solution:
    """Values `position` and each of its moves, within `seconds`.

    listen: is told how many moves are valued, and how many there are; with 0 once the position itself is valued.
    """
    before = solver.nodes
    value: int | None = None
    moves: dict[str, int] = {}
    try:
        with limited(solver, seconds):
            value = solver.score(position)
            legal = position.legal_moves()
            for number, move in enumerate(legal):
                listen(number, len(legal))
                after = position.play(move)
                score = solver.score(after)
                moves[move] = score if after.to_move is position.to_move else -score
    except OutOfTimeError:
        return Solution(value, (), moves, exact=False, nodes=solver.nodes - before)
    best = tuple(move for move, score in moves.items() if score == value)
    return Solution(value, best, moves, exact=True, nodes=solver.nodes - before)


def make_solver(game: Game, megabytes: int = MEGABYTES) -> Solver | None:
    """A solver for `game` with a table of about `megabytes`; None if there is none for these rules."""
    make: Callable[[Game, int], Solver | None] = modules.load(SOLVERS.get(game.id, ANY_GAME)).make_solver
    return make(game, megabytes)


def compiled_for(game: Game) -> tuple[str, ...]:
    """The names in `compiled.COMPILED` that the solver for `game` needs: one, or none."""
    if game.id not in SOLVERS:
        return ()
    is_compiled: Callable[[Game], bool] = modules.load(SOLVERS[game.id]).is_compiled
    return (game.id,) if is_compiled(game) else ()


def centre_out(width: int) -> Iterable[int]:
    """All columns, counted from 0, from the middle outwards."""
    return sorted(range(width), key=lambda x: abs(2 * x - width + 1))
