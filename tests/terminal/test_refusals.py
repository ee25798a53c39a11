"""Why a move is refused, in words: those that all games share, and those of a game."""

from collections.abc import Iterator

import pytest

from games import Reason, parse
from locales import set_language
from terminal.refusals import move_refused
from tests.games.checkers import Checkers

OTHELLO, PUISSANCE4 = parse("othello"), parse("puissance4")


@pytest.fixture
def french() -> Iterator[None]:
    set_language("fr")
    yield
    set_language("en")


def test_a_game_s_own_words_are_said() -> None:
    assert move_refused(PUISSANCE4, "3", "column_full") == "Column 3 is full."
    assert move_refused(Checkers(), "a3b4", "must_take") == "You must take: a3b4 takes nothing."


def test_in_french_as_well(french: None) -> None:
    assert move_refused(PUISSANCE4, "3", "column_full") == "La colonne 3 est pleine."
    assert move_refused(OTHELLO, "d4", Reason.OCCUPIED) == "d4 est déjà pris."


def test_one_game_does_not_speak_for_another() -> None:
    assert move_refused(OTHELLO, "3", "column_full") == move_refused(None, "3", "column_full")


@pytest.mark.parametrize("reason", ["", "None", "something_of_tomorrow"])
def test_a_code_that_nobody_knows_is_a_plain_refusal(reason: str) -> None:
    assert move_refused(OTHELLO, "d3", reason) == "The rules don't allow d3 here."


def test_a_move_can_change_nothing_but_its_own_place() -> None:
    said = move_refused(PUISSANCE4, "\x1b[31m{move}\n", "column_full")
    assert said.startswith("Column ")
    assert "\x1b" not in said
    assert "\n" not in said
    assert "{move}" in said
