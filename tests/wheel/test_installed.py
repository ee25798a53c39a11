"""What is installed plays beside packages called games, server, bots ..., each of which breaks who imports it."""

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from bots.base import ADAPTERS, BOTS
from machine.namespace import PACKAGES
from tests.bots.adapters.names import BOTS as INTERFACES
from tests.bots.adapters.names import OURS, write_beside_ruins, write_users
from tests.wheel.installed import Installed

BOT = """
import games
from arbitre.games import Seat

def choose(position, clock=None):
    assert games.CORNER == "c3" and position.to_move in Seat
    return games.CORNER if games.CORNER in position.legal_moves() else position.legal_moves()[0]
"""
PROGRAM = f"""
import os, sys
import {", ".join(OURS)}
assert [{", ".join(f"{name}.NAME" for name in OURS)}] == {list(OURS)!r}
assert "PYTHONPATH" not in os.environ
for question in sys.stdin:
    print(question.split()[8], flush=True)
"""
ALL = f"""
import os
os.environ["NUMBA_DISABLE_JIT"] = "1"  # else some compile when they are imported
import pkgutil, sys, arbitre
from importlib import import_module
for module in pkgutil.walk_packages(arbitre.__path__, "arbitre."):
    if module.name.rpartition(".")[2] not in ("__main__", "cluster_local"):  # which are programs
        import_module(module.name)
assert not {set(PACKAGES)!r}.intersection(sys.modules)
from arbitre.bots.base import load_family
from arbitre.__main__ import build, COMMANDS
for name in {[*BOTS, *ADAPTERS]!r}:
    load_family(name)
for name in COMMANDS:
    assert build().get_command(None, name)
print("all")
"""


def said(done: subprocess.CompletedProcess[str]) -> str:
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_the_rivals_break_who_imports_them(installed: Installed, tmp_path: Path) -> None:
    done = installed.run(tmp_path, "-c", "import games")
    assert "a rival" in done.stderr


@pytest.mark.slow
def test_every_module_and_every_name_in_a_table_is_found(installed: Installed, tmp_path: Path) -> None:
    assert said(installed.run(tmp_path, "-c", ALL)) == "all\n"


@pytest.mark.slow
def test_our_own_bots_play(installed: Installed, tmp_path: Path) -> None:
    words = ("match", "minimax", "random", "--game", "morpion")
    for done in (installed.arbitre(tmp_path, *words), installed.run(tmp_path, "-m", "arbitre", *words)):
        assert "minimax" in said(done)


@pytest.mark.parametrize("options", [(), pytest.param(("--sandbox",), marks=pytest.mark.slow)])
@pytest.mark.slow
def test_a_pupils_file_plays_with_its_own_games(options: tuple[str, ...], installed: Installed, tmp_path: Path) -> None:
    (tmp_path / "games.py").write_text("CORNER = 'c3'\n", encoding="utf-8")
    (tmp_path / "my_bot.py").write_text(BOT, encoding="utf-8")
    played = installed.arbitre(tmp_path, "match", "my_bot.py", "first", "--game", "morpion", *options, "--json")
    assert '"crash"' not in said(played)
    assert "c3" in played.stdout


@pytest.mark.parametrize(
    "write",
    [
        pytest.param(write_users, marks=pytest.mark.thorough),
        pytest.param(write_beside_ruins, marks=pytest.mark.slow),
    ],
)
@pytest.mark.parametrize("interface", INTERFACES)
def test_modules_of_any_name_in_every_interface(
    interface: str, write: Callable[[Path, str], Path], installed: Installed, tmp_path: Path
) -> None:
    game, source, _move = INTERFACES[interface]
    write(tmp_path, source)
    played = installed.arbitre(tmp_path, "match", "my_bot.py", "first", "--game", game, "--json")
    assert '"crash"' not in said(played)
    assert '"moves": []' not in played.stdout


@pytest.mark.slow
def test_a_program_finds_what_its_interpreter_has_and_nothing_of_ours(installed: Installed, tmp_path: Path) -> None:
    for neighbour in OURS:
        (tmp_path / f"{neighbour}.py").write_text(f"NAME = {neighbour!r}\n", encoding="utf-8")
    (tmp_path / "program.py").write_text(PROGRAM, encoding="utf-8")
    words = ("bot", "check", f"stdio:{sys.executable} program.py", "--only", "morpion", "--json")
    assert json.loads(said(installed.arbitre(tmp_path, *words)))["passed"]


@pytest.mark.slow
def test_a_new_bot_passes_its_test_and_the_check(installed: Installed, tmp_path: Path) -> None:
    said(installed.arbitre(tmp_path, "bot", "new", "my_bot", "--game", "morpion"))
    (tmp_path / "bots.py").write_text("raise ImportError\n", encoding="utf-8")
    tested = installed.run(tmp_path, "test_my_bot.py")
    assert tested.returncode == 0, tested.stderr
    said(installed.arbitre(tmp_path, "bot", "check", "my_bot.py", "--only", "morpion"))


@pytest.mark.slow
def test_its_help_names_the_command(installed: Installed, tmp_path: Path) -> None:
    assert said(installed.arbitre(tmp_path, "--help")).startswith("Usage: arbitre ")
    assert "run.py" not in said(installed.arbitre(tmp_path, "--lang", "fr", "--help"))
