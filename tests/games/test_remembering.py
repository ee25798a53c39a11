"""A game whose positions remember more than their cells show, and which may last far longer than it usually does."""

from __future__ import annotations

from bots.adapters.pupils import hints
from bots.adapters.pupils.interfaces.base import Situation
from bots.explain.reading import read_position
from games import GAMES
from games.base import Seat, with_side
from tests.games.remembering import Counted

GAME = Counted()


def test_the_other_side_remembers_the_same() -> None:
    position = GAME.start().play("a1")
    assert position.notation == "X-------- O n1"
    assert with_side(GAME, position, Seat.FIRST).notation == "X-------- X n1"


def test_a_position_is_read_as_its_game_writes_it() -> None:
    assert read_position(GAME, "x--------   o n1").notation == "X-------- O n1"
    assert read_position(GAME, "X-------- O n1", "first").notation == "X-------- X n1"


def test_a_move_of_the_other_player_is_recognised() -> None:
    position = GAME.start().play("a1")
    assert hints._is_others(Situation(GAME, position), "b2")
    assert not hints._is_others(Situation(GAME, position), "a1")


def test_a_usual_game_is_no_longer_than_the_longest() -> None:
    assert (GAME.usual, GAME.longest) == (9, 5000)
    for rules in GAMES.values():
        assert 0 < rules().usual <= rules().longest
