"""What each move of a played game was worth, and where it was won or lost: exact values, as far as a solver gets.

The analysis goes from the end of the game to its start, for earlier positions are harder to solve. It stops at the
first position that is not solved in its time.
"""

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from enum import Enum

from bots.search.solver import OutOfTimeError, Solver, limited
from games.base import Game, Position, Seat
from locales import N_


class Prospect(Enum):
    """What a player can expect with best play from both sides."""

    WON = 1
    DRAWN = 0
    LOST = -1


CHANGES = {
    (Prospect.WON, Prospect.DRAWN): N_("won to drawn"),
    (Prospect.WON, Prospect.LOST): N_("won to lost"),
    (Prospect.DRAWN, Prospect.LOST): N_("drawn to lost"),
}
"""How a move that changed the outcome is told, in English."""


def prospect(value: int) -> Prospect:
    """What an exact value means for the player whose value it is."""
    return Prospect((value > 0) - (value < 0))


@dataclass(frozen=True, slots=True)
class Step:
    """One move. `before` and `after` are exact values for who moves, with best play and after this move.

    ply: from 0. best: the moves that keep `before`; empty where the move itself did.
    """

    ply: int
    seat: Seat
    move: str
    before: int
    after: int
    best: tuple[str, ...] = ()

    @property
    def loss(self) -> int:
        """What the move gave away: 0 for a best one."""
        return self.before - self.after

    @property
    def is_turning(self) -> bool:
        """Whether the move changed what its player could expect."""
        return prospect(self.before) is not prospect(self.after)


@dataclass(frozen=True, slots=True)
class Analysis:
    """The moves that could be valued: all from ply `start` on."""

    steps: tuple[Step, ...]
    start: int

    @property
    def turning_points(self) -> tuple[Step, ...]:
        """The moves that changed the outcome."""
        return tuple(step for step in self.steps if step.is_turning)

    def of(self, seat: Seat) -> tuple[Step, ...]:
        """The moves of one side."""
        return tuple(step for step in self.steps if step.seat is seat)

    def accuracy(self, seat: Seat) -> float | None:
        """The share of a side's moves that gave nothing away; None if none was valued."""
        steps = self.of(seat)
        return sum(step.loss == 0 for step in steps) / len(steps) if steps else None

    def loss(self, seat: Seat) -> int:
        """What a side gave away in all."""
        return sum(step.loss for step in self.of(seat))


def analyse(
    game: Game,
    moves: Sequence[str],
    solver: Solver,
    seconds: float | None = None,
    *,
    first: int = 0,
    listen: Callable[[int], None] | None = None,
) -> Analysis:
    """Values the moves from ply `first` on; each position may take `seconds`. Raises IllegalMove.

    listen: told of each ply that is valued, the last one first.
    """
    positions = [game.start()]
    for move in moves:
        positions.append(positions[-1].play(move))
    steps: list[Step] = []
    try:
        following = _value(solver, positions[-1], seconds) if moves else 0
        for ply in reversed(range(first, len(moves))):
            before = _value(solver, positions[ply], seconds)
            same = positions[ply].to_move is positions[ply + 1].to_move
            step = Step(ply, positions[ply].to_move, moves[ply], before, following if same else -following)
            steps.append(step if step.loss == 0 else _with_best(step, solver, positions[ply], seconds))
            following = before
            if listen is not None:
                listen(ply)
    except OutOfTimeError:
        pass
    steps.reverse()
    return Analysis(tuple(steps), steps[0].ply if steps else len(moves))


def _value(solver: Solver, position: Position, seconds: float | None) -> int:
    with limited(solver, seconds):
        return solver.score(position)


def _with_best(step: Step, solver: Solver, position: Position, seconds: float | None) -> Step:
    """The step with what should have been played; its siblings may each be as hard as the position itself.

    The value is known already, so the solver is only asked for each sibling whether it keeps that value.
    """
    siblings = [move for move in position.legal_moves() if move != step.move]
    best: list[str] = []
    with suppress(OutOfTimeError), limited(solver, None if seconds is None else seconds * len(siblings)):
        best += (move for move in siblings if keeps(solver, position, move, step.before))
    return Step(step.ply, step.seat, step.move, step.before, step.after, tuple(best))


def keeps(solver: Solver, position: Position, move: str, value: int) -> bool:
    """Whether a move is worth at least `value` to its player; raises OutOfTimeError."""
    after = position.play(move)
    if after.to_move is position.to_move:
        return solver.is_above(after, value - 1)
    return not solver.is_above(after, -value)
