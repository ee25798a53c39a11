"""Perfect: plays the move that an exact solver finds, wins as early and loses as late as can be.

A game that has a book (`bots.search.book`) is played so from the first move on; others, and other boards, as soon as an
exact search gets to the end within the time. Until then it plays the best move found in the time.
"""

import random
import threading
from collections.abc import Callable, Sequence
from functools import lru_cache

import games
from bots.base import BaseBot, Bot, BotSpecError, Budget, Family, Options, Thought
from bots.search import book
from bots.search.accelerators import ACCELERATORS
from bots.search.solver import Found, Solver, compiled_for, limited, make_solver
from bots.timing import move_time
from games.base import Game, Position, Seat
from locales import _

LONGEST_PROOF_S = 5.0
"""The most that a move takes, whatever the clock."""

_GAMES = tuple(name for name, each in ACCELERATORS.items() if each.solvable)
_MOVES_TO_PLAN_FOR = 6
"""Once a few moves are played every position is solved in no time: the clock is for those before."""


class Perfect(BaseBot):
    """Plays what the solver of `game` finds; all matches of a process share it and its table.

    longest_s: the most that a move takes.
    """

    def __init__(self, game: Game, *, longest_s: float = LONGEST_PROOF_S) -> None:
        super().__init__()
        self._game = game
        self._longest_s = longest_s
        self._solver, self._lock = _shared_solver(game.spec)
        self._searches = self._closed = False

    def choose(self, position: Position, budget: Budget) -> str:
        """The best move of `position`."""
        moves = position.legal_moves()
        if len(moves) == 1:
            return moves[0]
        return (self.look_up(position) or self.solve(position, self.seconds_for(position, budget))).move

    def look_up(self, position: Position) -> Found | None:
        """What the book has, if there is one for this game."""
        entry = book.look_up(position) if book.is_for(self._game) else None
        if entry is None:
            return None
        found = Found(entry.move, entry.score, len(position.legal_moves()), 0, exact=True)
        self._report(found)
        return found

    def seconds_for(self, position: Position, budget: Budget) -> float:
        """What the move may take."""
        empty = position.notation.count("-")
        limits = move_time(budget, min((empty + 1) // 2, _MOVES_TO_PLAN_FOR))
        return self._longest_s if limits is None else min(limits.most_s, self._longest_s)

    def solve(self, position: Position, seconds: float, order: Sequence[str] = ()) -> Found:
        """The best move that the solver finds in the time; of those that it can't tell apart, the first in `order`."""
        with self._lock, limited(self._solver, seconds):
            before = self._solver.nodes
            self._searches = True
            if self._closed:
                self._solver.stop()
            try:
                return self._solver.best(position, self._listener(before), order)
            finally:
                self._searches = False

    def close(self) -> None:
        """Ends the search that runs, if there is one, and all later ones at once."""
        self._closed = True
        if self._searches:
            self._solver.stop()

    def _listener(self, before: int) -> Callable[[Found], None]:
        def listen(found: Found) -> None:
            self._report(Found(found.move, found.score, found.depth, found.nodes - before, exact=found.exact))

        return listen

    def _report(self, found: Found) -> None:
        self.think_aloud(Thought(found.depth, found.score, (found.move,), found.nodes, found.exact))


@lru_cache(maxsize=4)
def _shared_solver(spec: str) -> tuple[Solver, threading.Lock]:
    solver = make_solver(games.parse(spec))
    assert solver is not None, "the family's check has refused it"
    return solver, threading.Lock()


def _make(game: Game, seat: Seat, rng: random.Random, options: Options) -> Bot:
    del seat, rng, options
    return Perfect(game)


def _check(game: Game, options: Options) -> None:
    del options
    if game.id not in _GAMES:
        raise BotSpecError(
            _("perfect does not play {game}: it plays {games}.").format(game=game.id, games=", ".join(_GAMES))
        )


def _compiles(options: Options, game: Game | None) -> Sequence[str]:
    del options
    return _GAMES if game is None else compiled_for(game)


FAMILY = Family(
    name="perfect",
    summary=lambda: _("plays without a mistake, as far as its games can be solved: {games}").format(
        games=", ".join(_GAMES)
    ),
    make=_make,
    check=_check,
    compiles=_compiles,
)
