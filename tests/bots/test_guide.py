"""docs/bots.md: its programs play, its commands are commands, its tables leave nothing out."""

import json
import re
import shlex
import subprocess
import sys
from pathlib import Path

import click
import pytest

import arbitre
from bots.base import BOTS, parse_bot
from bots.check.checks import CHECKS
from bots.commands.bot_cli import load_command
from games import GAMES

ROOT = Path(__file__).resolve().parents[2]
GUIDE = (ROOT / "docs" / "bots.md").read_text(encoding="utf-8")
PROGRAMS = dict(re.findall(r"```\w+\n# (\S+)\n(.*?)```", GUIDE, re.DOTALL))
COMMANDS = [
    shlex.split(line, comments=True)[2:] for line in re.findall(r"^    (python3 run\.py .*)$", GUIDE, re.MULTILINE)
]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the programs of the page."""
    for name, text in PROGRAMS.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize(
    ("bot", "game"), [("my_bot.py", "puissance4"), ("my_othello.py", "othello"), ("stdio:sh first.sh", "morpion")]
)
@pytest.mark.slow
def test_its_programs_play(bot: str, game: str, folder: Path) -> None:
    command = [sys.executable, "-P", "-m", "arbitre", "bot", "check", bot, "--only", game, "--json"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=60, check=False)
    assert [one["status"] for one in json.loads(done.stdout)["checks"]] == ["ok"], done.stdout


def test_every_program_is_tried() -> None:
    assert sorted(PROGRAMS) == ["first.sh", "my_bot.py", "my_othello.py"]


@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
def test_its_commands_are_commands(words: list[str], folder: Path) -> None:
    group = arbitre.build()
    command = group.get_command(click.Context(group), words[0])
    assert command is not None
    context = command.make_context(words[0], words[1:])  # raises UsageError for options that there are not
    for name in ("bot", "against", "first", "second"):
        if context.params.get(name):
            parse_bot(context.params[name])


def test_its_tables_are_whole() -> None:
    listed = set(re.findall(r"`([\w-]+)", GUIDE))
    assert listed.issuperset(CHECKS.keys() - GAMES.keys())
    assert "each game by its id" in GUIDE
    assert GAMES.keys() <= CHECKS.keys()
    assert listed.issuperset(BOTS)
    options = set(re.findall(r"`(--[\w-]+)", GUIDE))
    known = {option for name in ("check", "replay") for one in load_command(name).params for option in one.opts}
    command = arbitre.build().get_command(click.Context(arbitre.build()), "bot")
    assert command is not None
    known.update(option for one in command.params for option in one.opts)
    assert options <= known


def test_its_links_lead_somewhere() -> None:
    for target in re.findall(r"\]\(([^)#]+)\)", GUIDE):
        assert (ROOT / "docs" / target).exists(), target
