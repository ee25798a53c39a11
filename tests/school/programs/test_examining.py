"""What is told of a program that fails while it is tried, in parts."""

from __future__ import annotations

from pathlib import Path

import pytest

from bots.adapters.pupils.facts import Trouble
from bots.adapters.wording import sentence
from bots.base import BotFaultError
from games import parse
from processes.launch_options import LaunchOptions
from school.programs.examining import examine, fault_of


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


@pytest.mark.parametrize(
    "trouble",
    [
        Trouble("nothing", loading=True),
        Trouble("nothing", hints=(("no_function",),), loading=True),
        Trouble("asked", function="choose"),
    ],
)
def test_nobody_who_hands_in_reads_how_a_command_names_a_function(trouble: Trouble) -> None:
    error = BotFaultError("crash", "no")
    error.trouble = trouble
    assert "#" not in fault_of(error, "bot.py").what
    assert "#my_function=" in sentence(trouble, "bot.py")


@pytest.mark.slow
@pytest.mark.parametrize("source", ["import random, numpy as np", "from numpy import array"])
def test_a_library_that_the_studio_lacks_is_told_to_whoever_hands_it_in(
    source: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("numpy")
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "bot.py"
    path.write_text(f"{source}\ndef choose(position):\n    return position.legal_moves()[0]\n", encoding="utf-8")
    found = examine(Path(path.name), parse("morpion"), None, LaunchOptions(), "1")
    assert (found.fault, found.passed) == (None, found.of)
    assert (
        found.note == "It imports numpy, which is installed here, and not in the studio: there the file can't be tried."
    )
