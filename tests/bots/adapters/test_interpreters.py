"""Bots with an interpreter of their own: older than Arbitre's, without its libraries, or none at all."""

import ast
import random
import sys
import venv
from pathlib import Path

import pytest
from _pytest.mark import ParameterSet

import games
from bots.adapters.pupils.older import _rewrite_alias, _Rewritten
from bots.base import UNLIMITED, BotSpecError, parse_bot
from games import Seat
from tests.bots.adapters.files import write
from tests.bots.adapters.interpreters import interpreters
from tests.bots.adapters.matches import play, spec_of

ROOT = Path(__file__).parents[3]
BOT = """
    import sys
    from arbitre.bots.budget import Budget

    def choose(position, budget):
        assert isinstance(budget, Budget) and "msgspec" not in sys.modules
        assert sys.version_info[:2] == {version}
        assert position.play(position.legal_moves()[0]).to_move == position.to_move.other
        assert position.score() in ((2, 2), (0, 0)) and position.outcome() is None
        return position.legal_moves()[0]
"""
NEWER = {"bit_count", "removeprefix", "removesuffix", "is_relative_to"}
SOURCES = sorted(
    path
    for folder in ("games", "bots/adapters/pupils", "machine")
    for path in (ROOT / folder).rglob("*.py")
    if path.name not in {"older.py", "ggf.py", "rulebook.py", "files.py", "folders.py", "memory.py", "modules.py"}
)


def pairs() -> list[ParameterSet]:
    """Every interpreter with every game; all but one game of each are slow."""
    return [
        pytest.param(
            python, version, game, id=f"{version}-{game}", marks=() if number == place % 3 else pytest.mark.slow
        )
        for place, (python, version) in enumerate(interpreters())
        for number, game in enumerate(("morpion", "othello", "puissance4"))
    ]


@pytest.mark.parametrize(("python", "version", "game"), pairs())
@pytest.mark.slow
def test_it_plays_under_every_interpreter(tmp_path: Path, python: str, version: tuple[int, int], game: str) -> None:
    bot = write(tmp_path, BOT.format(version=version))
    if game == "morpion":
        assert play(spec_of(bot, python=python))[::2] == ["a1", "b1", "c1"]
    else:
        rules = games.parse(game)
        player = spec_of(bot, python=python).make(rules, Seat.FIRST, random.Random(1))
        try:
            assert player.choose(rules.start(), UNLIMITED) == rules.start().legal_moves()[0]
        finally:
            player.close()


@pytest.mark.slow
def test_the_one_of_its_own_environment(tmp_path: Path) -> None:
    folder = tmp_path / "my_bot"
    venv.create(folder / ".venv", symlinks=True)
    (folder / "bot.py").write_text(
        "import sys\nassert sys.prefix.endswith('/my_bot/.venv'), sys.prefix\n"
        "def choose(position): return position.legal_moves()[0]\n"
    )
    (folder / "bot.toml").write_text('python = ".venv/bin/python"\n')
    assert play(spec_of(f"{folder}/"))[0] == "a1"
    assert play(spec_of(f"{folder}/", sandbox=True))[0] == "a1"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("#!/bin/sh\necho hello\n", "is no Python interpreter."),
        ("#!/bin/sh\necho python 3 7\n", "is Python 3.7; a bot needs Python 3.8 or newer."),
        ("#!/bin/sh\necho bad things >&2\nexit 3\n", "does not start as Python does: bad things"),
        ("#!/no/such/shell\n", "can't be started"),
    ],
)
def test_what_is_no_interpreter(tmp_path: Path, text: str, said: str) -> None:
    program = tmp_path / "python"
    program.write_text(text)
    program.chmod(0o755)
    bot = write(tmp_path, "def choose(position): return 'a1'")
    with pytest.raises(BotSpecError) as caught:
        spec_of(bot, python=str(program)).prepare()
    assert said in str(caught.value)
    program.chmod(0o644)
    with pytest.raises(BotSpecError, match=r"may not be executed \(chmod \+x\)"):
        spec_of(bot, python=str(program)).prepare()


def test_an_interpreter_is_for_python(tmp_path: Path) -> None:
    with pytest.raises(BotSpecError, match="An interpreter is for a bot in Python"):
        spec_of("stdio:sh first.sh", python=sys.executable).prepare()
    assert parse_bot("stdio:sh first.sh").launch.python == ""


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(ROOT)))
def test_nothing_is_left_that_an_older_python_lacks(path: Path) -> None:
    tree = ast.parse(path.read_text(encoding="utf-8"), feature_version=(3, 8))  # no match, no `except*`
    tree = _Rewritten().visit(tree)
    body = [_rewrite_alias(node) for node in tree.body]
    for node in body:
        for inner in ast.walk(node):
            assert not (isinstance(inner, ast.keyword) and inner.arg in {"slots", "strict", "kw_only"})
            assert not (
                isinstance(inner, ast.Attribute) and inner.attr in {"bit_count", "removeprefix", "removesuffix"}
            )
            assert not (isinstance(inner, ast.Attribute) and inner.attr == "is_relative_to")
        if isinstance(node, ast.Assign):
            assert not any(isinstance(inner, ast.BitOr) for inner in ast.walk(node))
