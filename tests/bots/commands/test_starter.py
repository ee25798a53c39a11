"""`arbitre bot new`: what it writes passes its own test, plays, and overwrites nothing."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import arbitre
import games
from bots.commands.starter import winning_move
from games.base import position_after

ROOT = Path(__file__).resolve().parents[3]
SPECS = [*games.GAMES, "othello:size=4", "morpion:width=5,height=4,k=4", "puissance4:width=8,height=7"]


def new(folder: Path, *arguments: str, monkeypatch: pytest.MonkeyPatch) -> int:
    monkeypatch.chdir(folder)
    return arbitre.main(["bot", "new", *arguments])


def run(folder: Path, *command: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *command],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=60,
        check=False,
        stdin=subprocess.DEVNULL,
    )


@pytest.mark.parametrize("language", ["en", "fr"])
@pytest.mark.slow
def test_what_it_writes_passes_its_test_and_the_check(
    language: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert new(tmp_path, "my_bot", "--lang", language, monkeypatch=monkeypatch) == 0
    said = capsys.readouterr()
    assert said.out.splitlines() == ["my_bot.py", "test_my_bot.py"]
    assert " bot check my_bot.py" in said.err
    assert sorted(path.name for path in tmp_path.iterdir()) == ["my_bot.py", "test_my_bot.py"]
    tested = run(tmp_path, "test_my_bot.py")
    assert tested.returncode == 0, tested.stderr
    assert "Ran 2 tests" in tested.stderr
    if language == "fr":
        assert "quand c’est à lui de jouer" in (tmp_path / "my_bot.py").read_text(encoding="utf-8")
        return
    checked = run(tmp_path, "-P", "-m", "arbitre", "bot", "check", "my_bot.py", "--only", "morpion", "--json")
    assert json.loads(checked.stdout)["passed"], checked.stdout


def test_its_test_fails_if_the_bot_gets_worse(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert new(tmp_path, "worse.py", "--game", "puissance4", monkeypatch=monkeypatch) == 0
    bot = tmp_path / "worse.py"
    text = bot.read_text(encoding="utf-8")
    for good, bad, words in (
        ("return move  # a win", "continue", "test_it_takes_a_win"),
        ("random.choice(moves)", "'z9'", "test_every_move_is_legal"),
    ):
        assert text.count(good) == 1
        bot.write_text(re.sub(r"import random", "import random\n\nrandom.seed(2)", text).replace(good, bad), "utf-8")
        tested = run(tmp_path, "test_worse.py")
        assert tested.returncode == 1
        assert words in tested.stderr


@pytest.mark.parametrize("spec", SPECS)
def test_the_win_that_the_test_asks_for_is_the_only_one(spec: str) -> None:
    game = games.parse(spec)
    found = winning_move(game)
    if found is None:
        assert spec not in ("puissance4", "morpion", "breakthrough")  # where a win in one comes early
        return
    position = position_after(game, game.parse_transcript(found[0]))
    wins = []
    for move in position.legal_moves():
        outcome = position.play(move).outcome()
        if outcome is not None and outcome.winner is position.to_move:
            wins.append(move)
    assert wins == [found[1]]
    assert len(position.legal_moves()) > 1


def test_nothing_is_overwritten(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("mine.py", "test_mine.py"):
        (tmp_path / name).write_text("precious", encoding="utf-8")
        assert new(tmp_path, "mine", monkeypatch=monkeypatch) == 1
        assert capsys.readouterr().err == f"Error: {name} is there already, and stays as it is: choose another name.\n"
        assert [path.read_text(encoding="utf-8") for path in tmp_path.iterdir()] == ["precious"]
        (tmp_path / name).unlink()


@pytest.mark.parametrize(
    ("arguments", "code", "sentence"),
    [
        (["my-bot"], 2, "'my-bot' is no name for a Python file: use letters, digits and _."),
        (["class"], 2, "'class' is no name for a Python file: use letters, digits and _."),
        (["random"], 2, "random is the name of another Python module: choose another one."),
        (["arbitre.py"], 2, "arbitre is the name of another Python module: choose another one."),
        (["bot1", "--game", "chess"], 2, f"the games are {', '.join(games.GAMES)}, not 'chess'"),
        (["nowhere/bot1"], 1, "nowhere/bot1.py can't be written: No such file or directory."),
    ],
)
def test_wrong_arguments(
    arguments: list[str],
    code: int,
    sentence: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert new(tmp_path, *arguments, monkeypatch=monkeypatch) == code
    assert capsys.readouterr().err.splitlines()[-1] == f"Error: {sentence}"
    assert list(tmp_path.iterdir()) == []
