"""A pupil's modules may have any name, in every interface: ours and Python's are in nobody's way."""

import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from bots.adapters.pupils.interfaces import INTERFACES
from tests.bots.adapters.files import answer
from tests.bots.adapters.names import BOTS, write_beside_ruins, write_users

Write = Callable[[Path, str, str], Path]
both = pytest.mark.parametrize("write", [write_users, write_beside_ruins])
ruins = pytest.mark.parametrize("write", [pytest.param(write_users, marks=pytest.mark.slow), write_beside_ruins])
users = pytest.mark.parametrize("write", [write_users, pytest.param(write_beside_ruins, marks=pytest.mark.slow)])


def test_there_is_a_bot_for_each_interface() -> None:
    assert len(BOTS) == len(INTERFACES)


@ruins
@pytest.mark.parametrize("interface", BOTS)
def test_in_a_file(interface: str, write: Write, tmp_path: Path) -> None:
    game, source, move = BOTS[interface]
    assert answer(str(write(tmp_path, source, "my_bot.py")), game) == move


@users
@pytest.mark.parametrize("interface", BOTS)
def test_in_a_folder(interface: str, write: Write, tmp_path: Path) -> None:
    game, source, move = BOTS[interface]
    folder = tmp_path / "games"
    folder.mkdir()
    write(folder, source, "bot.py")
    assert answer(f"{folder}/", game) == move


@both
def test_in_an_interpreter_of_its_own(write: Write, tmp_path: Path) -> None:
    """It is given no flag that keeps the folder off its path before we are there."""
    game, source, move = BOTS["choose"]
    folder = tmp_path / "my_bot"
    folder.mkdir()
    write(folder, source, "bot.py")
    (folder / "bot.toml").write_text(f'python = "{sys.executable}"\n', encoding="utf-8")
    assert answer(f"{folder}/", game) == move


@pytest.mark.parametrize("name", ["games.py", "random.py", "queue.py", "bots.py", "arbitre.py", "typing.py"])
def test_the_bot_itself_may_be_called_so(name: str, tmp_path: Path) -> None:
    bot = tmp_path / name
    bot.write_text("import random, typing\ndef choose(position): return random.choice(['b2'])\n", encoding="utf-8")
    assert answer(str(bot), "morpion") == "b2"


def test_a_module_named_as_the_bot_is_the_bot(tmp_path: Path) -> None:
    (tmp_path / "helper.py").write_text("import queue\ndef best(): return queue.BEST\n", encoding="utf-8")
    bot = tmp_path / "queue.py"
    bot.write_text("BEST = 'b2'\nimport helper\ndef choose(position): return helper.best()\n", encoding="utf-8")
    assert answer(str(bot), "morpion") == "b2"
