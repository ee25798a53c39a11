"""Games in which nobody moves any more are found; nobody who thinks is disturbed."""

from __future__ import annotations

from types import SimpleNamespace
from typing import cast

from protocol.messages import Clock
from services.house.idle import IDLE_S, Idle
from view.match import MatchView


def view(ply: int = 3, *, my_turn: bool = False, clock: Clock | None = None, status: str = "playing") -> MatchView:
    seen = SimpleNamespace(match="m", ply=ply, my_turn=my_turn, clock=clock, status=status, seat=1)
    return cast(MatchView, seen)


def test_a_game_that_waits_for_long_is_given_up() -> None:
    idle = Idle()
    assert idle.look([view()], 0.0) == []
    assert idle.look([view()], IDLE_S - 1) == []
    assert idle.look([view()], IDLE_S) == ["m"]


def test_a_move_begins_the_wait_anew() -> None:
    idle = Idle()
    idle.look([view(3)], 0.0)
    assert idle.look([view(5)], IDLE_S) == []


def test_neither_a_clock_nor_the_bot_s_own_turn_is_waited_for() -> None:
    idle = Idle()
    views = [view(clock=Clock(1000)), view(my_turn=True), view(status="finished")]
    for each in views:
        idle.look([each], 0.0)
        assert idle.look([each], 2 * IDLE_S) == []
