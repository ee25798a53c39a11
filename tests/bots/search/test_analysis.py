"""Analyses against solvers that know every answer, and one that does not come to an end."""

from collections.abc import Callable, Sequence

import pytest

import games
from bots.search.analysis import analyse
from bots.search.solver import Found, OutOfTimeError
from games.base import Position, Seat

MORPION = games.parse("morpion")


class Exhaustive:
    """Values morpion by looking at everything; `out_of_reach` says which positions take too long."""

    def __init__(self, out_of_reach: Callable[[Position], bool] = lambda _position: False) -> None:
        self.nodes = 0
        self._out_of_reach = out_of_reach
        self._known: dict[Position, int] = {}

    def score(self, position: Position) -> int:
        if self._out_of_reach(position):
            raise OutOfTimeError
        return self._value(position)

    def _value(self, position: Position) -> int:
        if position not in self._known:
            self.nodes += 1
            outcome = position.outcome()
            if outcome is None:
                value = max(-self._value(position.play(move)) for move in position.legal_moves())
            else:
                value = 0 if outcome.winner is None else 1 if outcome.winner is position.to_move else -1
            self._known[position] = value
        return self._known[position]

    def is_above(self, position: Position, value: int) -> bool:
        return self.score(position) > value

    def best(
        self, position: Position, listen: Callable[[Found], None] | None = None, order: Sequence[str] = ()
    ) -> Found:
        raise NotImplementedError

    def stop(self) -> None:
        """Is never asked."""

    def resume(self) -> None:
        """Is always ready."""


def test_the_move_that_lost_and_the_one_that_gave_the_win_back() -> None:
    moves = ("a1", "b1", "b2", "c3", "a2", "c2", "a3")
    analysis = analyse(MORPION, moves, Exhaustive())
    assert analysis.start == 0
    assert [(step.ply, step.before, step.after) for step in analysis.turning_points] == [(1, 0, -1)]
    (mistake,) = analysis.turning_points
    assert mistake.seat is Seat.SECOND
    assert mistake.best == ("b2",)
    assert analysis.accuracy(Seat.FIRST) == 1.0
    assert analysis.accuracy(Seat.SECOND) == pytest.approx(2 / 3)
    assert (analysis.loss(Seat.FIRST), analysis.loss(Seat.SECOND)) == (0, 1)


def test_values_agree_from_move_to_move() -> None:
    analysis = analyse(MORPION, ("b2", "b1", "c1", "a3", "a1", "c3", "c2", "a2", "b3"), Exhaustive())
    for step, following in zip(analysis.steps, analysis.steps[1:], strict=False):
        assert step.after == -following.before
        assert step.loss >= 0
        assert bool(step.best) is (step.loss > 0)


def test_what_comes_before_the_first_hard_position_is_not_valued() -> None:
    solver = Exhaustive(lambda position: len(position.legal_moves()) > 6)
    moves = ("b2", "a1", "c3", "a3", "a2", "b1")
    analysis = analyse(MORPION, moves, solver)
    assert analysis.start == 3
    assert [step.ply for step in analysis.steps] == [3, 4, 5]


def test_an_opening_is_nobodys() -> None:
    heard: list[int] = []
    analysis = analyse(MORPION, ("b2", "a1", "c3", "a3"), Exhaustive(), first=2, listen=heard.append)
    assert [step.ply for step in analysis.steps] == [2, 3]
    assert heard == [3, 2]


def test_nothing_played_and_nothing_reached() -> None:
    assert analyse(MORPION, (), Exhaustive()).steps == ()
    hopeless = analyse(MORPION, ("b2",), Exhaustive(lambda _position: True))
    assert (hopeless.steps, hopeless.start) == ((), 1)
    assert hopeless.accuracy(Seat.FIRST) is None
