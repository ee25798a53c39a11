"""What is told of a program that fails while it is tried, in parts."""

from __future__ import annotations

import pytest

from bots.adapters.pupils.facts import Trouble
from bots.base import BotFaultError
from games import parse
from school.programs.examining import fault_of


@pytest.mark.parametrize(
    ("game", "move", "why", "said"),
    [
        ("othello", "a1", "flips_nothing", "a1 would turn over no disc: every move must turn over at least one."),
        ("puissance4", "3", "column_full", "Column 3 is full."),
        ("morpion", "b2", "occupied", "b2 is taken already."),
    ],
)
def test_an_illegal_move_is_told_in_the_words_of_its_game(game: str, move: str, why: str, said: str) -> None:
    rules = parse(game)
    error = BotFaultError("illegal", "no")
    error.trouble = Trouble("illegal", detail=move, function="play", returned=repr(move), why=why)
    fault = fault_of(error, "bot.py", rules, rules.start())
    assert said in fault.what
