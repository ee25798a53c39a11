"""Judges each move of a game: exactly where a solver finishes in time, else by the opinion of a strong player.

A game is judged from its end backwards: late positions are the easy ones, the solver's table serves the earlier ones,
and a move can be graded at once, since what it led to is judged already.
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from bots.base import Budget, Thought, parse_bot
from bots.search import book, compiled
from bots.search.accelerators import ACCELERATORS
from bots.search.alphabeta import WIN
from bots.search.analysis import keeps, prospect
from bots.search.positions import measure_of
from bots.search.solver import OutOfTimeError, Solver, compiled_for, limited, make_solver
from bots.strong.strong import own_player, parts_of
from games.base import Game, Position, Seat
from protocol.bounds import Grade
from protocol.messages import Judged

JUDGE: Final = "1"
"""The version of this judge. Raise it when the judgements change, so that stored reviews are made again."""

GRADES: Final[tuple[tuple[int, Grade], ...]] = (
    (300, "blunder"),
    (120, "mistake"),
    (50, "inaccuracy"),
    (0, "good"),
)
"""The grade of a move that gave away at least this many thousandths of the chance to win. A draw is worth 500.

A proven change of the result costs 500 or 1000. A move is "best" if nothing was better.
"""

NEAR: Final = GRADES[2][0]
"""A move that gives away less than that is near enough to the best one."""

NEAR_VALUE: Final = 2
"""The same for exact values that say more than the result: a number of discs, or of moves to the end."""

LINE: Final = 8
"""The most moves of a line that are sent."""

MEGABYTES: Final = 64
"""The table of a solver."""

_BROAD_SCALE: Final = 100.0
"""As `Accelerators.scale`, where the evaluation of class on masks is all there is."""

_UNITS: Final = 3
"""For any other game, the scale is this many units of its measure."""

_MISSED: Final = 2
"""After this many unsolved positions in a row, the solver does not try earlier ones: they are harder."""


@dataclass(frozen=True, slots=True)
class Times:
    """Seconds for each question about a position: its exact value, its best moves, its line, an opinion on it, and an
    opinion on each other move.

    solvable: as `exact`, in a game whose solver reaches the end from an early position.
    """

    exact: float = 1.0
    solvable: float = 3.0
    best: float = 0.4
    line: float = 0.2
    opinion: float = 0.4
    other: float = 0.04


@dataclass(frozen=True, slots=True)
class Worth:
    """What a position is worth to `mover`, who is to move. best: the best first.

    exact: whether the chance is proven; value: what the solver counts, None where that is not known.
    """

    mover: Seat
    chance: int
    exact: bool = False
    value: int | None = None
    best: tuple[str, ...] = ()
    line: tuple[str, ...] = ()

    def chance_of(self, seat: Seat) -> int:
        """The chance of a seat, in thousandths."""
        return self.chance if seat is self.mover else 1000 - self.chance

    def value_of(self, seat: Seat) -> int | None:
        """The exact value for a seat."""
        return self.value if self.value is None or seat is self.mover else -self.value


class Judge:
    """Judges games of one kind; belongs to one thread."""

    def __init__(self, game: Game, times: Times | None = None) -> None:
        compiled.prepare((*compiled_for(game), *parts_of(game)))
        self._game = game
        self._times = times or Times()
        known = ACCELERATORS.get(game.id)
        self._exact_s = self._times.solvable if known is not None and known.solvable else self._times.exact
        self._solver = make_solver(game, MEGABYTES)
        self._opinions = Opinions(game)
        self._missed = 0

    def judge(self, moves: Sequence[str]) -> Iterator[Judged]:
        """Each position of a game with its move, the last one first. Raises IllegalMove."""
        path = [self._game.start()]
        for move in moves:
            path.append(path[-1].play(move))
        self._missed = 0
        following = self._worth(path[-1], None)
        yield _told(len(moves), following, None)
        for ply in reversed(range(len(moves))):
            worth = self._worth(path[ply], following)
            after = following
            if following.exact and not worth.exact:  # a proven worth and an opinion can't be compared
                after = self._opinion_after(path[ply + 1], following)
            grade = grade_of(worth, after, moves[ply])
            if not worth.exact and grade in ("inaccuracy", "mistake", "blunder"):
                worth = self._with_others(path[ply], worth, moves[ply])
            yield _told(ply, worth, grade)
            following = worth

    def _worth(self, position: Position, following: Worth | None) -> Worth:
        """What a position is worth; following: the one after the move that was played there."""
        outcome, mover = position.outcome(), position.to_move
        if outcome is not None:
            value = 0 if outcome.winner is None else 1 if outcome.winner is mover else -1
            exact = self._solver.score(position) if self._solver is not None else value
            return Worth(mover, 500 + 500 * value, exact=True, value=exact)
        moves = position.legal_moves()
        if len(moves) == 1 and following is not None:
            chance, known = following.chance_of(mover), following.value_of(mover)
            return Worth(mover, chance, following.exact, known, moves, (*moves, *following.line))
        return self._exact(position) or self._opinions.of(position, self._times.opinion)

    def _exact(self, position: Position) -> Worth | None:
        """The proven worth, if it is found in time."""
        if book.is_for(self._game) and (entry := book.look_up(position)) is not None:
            move = (entry.move,)
            return Worth(position.to_move, _certain(entry.score), exact=True, value=entry.score, best=move, line=move)
        if self._solver is None or self._missed >= _MISSED:
            return None
        value: int | None = None
        try:
            with limited(self._solver, self._exact_s):
                result = self._result(self._solver, position)
        except OutOfTimeError:
            self._missed += 1
            return None
        self._missed = 0
        with suppress(OutOfTimeError), limited(self._solver, self._exact_s):
            value = self._solver.score(position)
        best = self._best(self._solver, position, self._least(result if value is None else value))
        line = self._line(self._solver, position, best)
        return Worth(position.to_move, _certain(result), exact=True, value=value, best=best, line=line)

    def _result(self, solver: Solver, position: Position) -> int:
        """1, 0 or -1: found sooner than the value. Raises OutOfTimeError."""
        return 1 if solver.is_above(position, 0) else 0 if solver.is_above(position, -1) else -1

    def _least(self, value: int) -> int:
        """The least value of a move that is nearly as good as one worth `value`, and promises the same result."""
        if self._game.profile.worth is None or not value:
            return value
        return value - NEAR_VALUE if value < 0 else max(1, value - NEAR_VALUE)

    def _best(self, solver: Solver, position: Position, least: int) -> tuple[str, ...]:
        """The moves that are worth at least that; a best one first."""
        best: list[str] = []
        with suppress(OutOfTimeError), limited(solver, self._times.best):
            found = solver.best(position)
            best.append(found.move)
            best += (
                move for move in position.legal_moves() if move != found.move and keeps(solver, position, move, least)
            )
        return tuple(best)

    def _opinion_after(self, position: Position, worth: Worth) -> Worth:
        """The strong player's opinion of a position whose worth is proven; the proven worth if the game is over."""
        if position.outcome() is not None:
            return worth
        return self._opinions.of(position, self._times.opinion)

    def _line(self, solver: Solver, position: Position, best: Sequence[str]) -> tuple[str, ...]:
        """Best play from a position, as far as the solver finds it within `Times.line`."""
        line = [*best[:1]]
        with suppress(OutOfTimeError), limited(solver, self._times.line):
            while line and len(line) < LINE:
                position = position.play(line[-1])
                if position.outcome() is not None:
                    break
                found = solver.best(position)
                if not found.exact:
                    break
                line.append(found.move)
        return tuple(line)

    def _with_others(self, position: Position, worth: Worth, played: str) -> Worth:
        """Adds all other moves that are near enough to the best one: a reader may find any of them."""
        near = [*worth.best]
        for move in position.legal_moves():
            if move in (*near, played):
                continue
            after = position.play(move)
            chance = self._certain_end(after, worth.mover)
            if chance is None:
                chance = self._opinions.of(after, self._times.other).chance_of(worth.mover)
            if chance > worth.chance - NEAR:
                near.append(move)
        return Worth(worth.mover, worth.chance, best=tuple(near), line=worth.line)

    def _certain_end(self, position: Position, seat: Seat) -> int | None:
        outcome = position.outcome()
        if outcome is None:
            return None
        return 500 if outcome.winner is None else 1000 if outcome.winner is seat else 0


class Opinions:
    """What the strong player of a game thinks of positions."""

    def __init__(self, game: Game) -> None:
        self._player = parse_bot("strong").make(game, Seat.FIRST, random.Random(0))
        self._player.on_thought = self._hear
        self._scale = scale_of(game)
        self._thoughts: list[Thought] = []

    def of(self, position: Position, seconds: float) -> Worth:
        """The opinion on a position in which somebody has to move."""
        self._thoughts.clear()
        ms = max(1, round(seconds * 1000))
        move = self._player.choose(position, Budget(ms, move_ms=ms))
        mover = position.to_move
        if not self._thoughts:
            return Worth(mover, 500, best=(move,), line=(move,))
        thought = self._thoughts[-1]
        line = thought.pv if thought.pv[:1] == (move,) else (move,)
        return Worth(mover, chance_of(thought.score, self._scale), best=(move,), line=line[:LINE])

    def _hear(self, thought: Thought) -> None:
        self._thoughts[:] = [thought]


@lru_cache(maxsize=32)
def _scale_of(spec: str) -> float:
    from games import parse

    game = parse(spec)
    if game.id not in ACCELERATORS:
        return float(_UNITS * measure_of(game).unit)
    return ACCELERATORS[game.id].scale if own_player(game) is not None else _BROAD_SCALE


def scale_of(game: Game) -> float:
    """The score at which the strong player of a game wins about three games of four."""
    return _scale_of(game.spec)


def chance_of(score: float, scale: float) -> int:
    """The chance to win, in thousandths, that a score promises; 1000 for a forced win, 0 for a forced loss."""
    if abs(score) > WIN // 2:
        return 1000 if score > 0 else 0
    return round(1000 / (1 + math.exp(-max(-30.0, min(30.0, score / scale)))))


def grade_of(before: Worth, after: Worth, move: str) -> Grade:
    """The grade of `move`, which led from the position `before` to `after`."""
    given = before.chance - after.chance_of(before.mover)
    value, kept = before.value, after.value_of(before.mover)
    known = value is not None and kept is not None
    if value == kept if known else move in before.best[:1] or given <= 0:
        return "best"
    return next(grade for least, grade in GRADES if given >= least or not least)


def _certain(value: int) -> int:
    return 500 + 500 * prospect(value).value


def _told(ply: int, worth: Worth, grade: Grade | None) -> Judged:
    first = Seat.FIRST
    best, line = (worth.best, worth.line) if grade is not None else ((), ())
    return Judged(
        ply, worth.chance_of(first), worth.exact, worth.value_of(first), best, line[:LINE], grade
    )  # fmt: skip
