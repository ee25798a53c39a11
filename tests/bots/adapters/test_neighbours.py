"""Rows 131 and 132: pupils' files side by side, in the sandbox of `match` and `league run`."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests import in_process
from tests.processes.bubblewrap import need_bubblewrap

ROOT = Path(__file__).resolve().parents[3]

SPY = """
import os, sys
HERE = os.path.dirname(os.path.abspath(__file__))
def found():
    for folder in (HERE, os.path.dirname(HERE), os.path.expanduser("~"), HOME):
        for _place, folders, names in os.walk(folder):
            folders[:] = [name for name in folders if name not in (".venv", "lib")]
            yield from names
def joue(*given):
    sys.stderr.write("seen: " + " ".join(sorted(set(found()) & SECRETS)) + ".\\n")
    raise SystemExit(1)
coup_joueur = joue
"""
SECRETS = {
    "bob.py", "bob.json", "solution.py", "notes.txt", "codes.json", "host.json", "league.toml", "league.jsonl",
    "id_rsa", "server.key", "lea.py", "utils.py", "lea.json", "book.txt",
}  # fmt: skip
OWN = "seen: book.txt lea.json lea.py utils.py."


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A class: lea.py spies, bob.py plays; beside them what neither is to see."""
    need_bubblewrap()
    home, pupils = tmp_path / "home", tmp_path / "pupils"
    (home / ".ssh").mkdir(parents=True)
    (home / ".ssh" / "id_rsa").write_text("secret")
    pupils.mkdir()
    spy = f"import utils\nHOME, SECRETS = {str(home)!r}, {SECRETS!r}\n{SPY}"
    (pupils / "lea.py").write_text(spy)
    (pupils / "utils.py").write_text("import random\n")
    (pupils / "bob.py").write_text("def coup_joueur(*given): return 3\n")
    (pupils / "lea").mkdir()
    (pupils / "lea" / "book.txt").write_text("")
    for name in ("bob.json", "solution.py", "notes.txt", "codes.json", "host.json", "server.key", "lea.json"):
        (pupils / name).write_text("")
    (pupils / "kept").mkdir()
    return pupils


def arbitre(folder: Path, *words: str, **environ: str) -> subprocess.CompletedProcess[str]:
    return in_process.run(*words, folder=folder, **environ)


def bring(folder: Path, *options: str) -> None:
    """Brings the file to a server that is not there."""
    subprocess.run(
        [sys.executable, "-m", "arbitre", "bot", "lea.py", "127.0.0.1:9", "--game", "puissance4", *options],
        cwd=folder, env={**os.environ, "PYTHONPATH": str(ROOT)}, capture_output=True, timeout=120, check=False,
    )  # fmt: skip


@pytest.mark.parametrize("rival", ["bob.py", pytest.param(f"stdio:{sys.executable} bob.py", marks=pytest.mark.slow)])
@pytest.mark.slow
def test_a_match_shows_each_its_own(rival: str, folder: Path) -> None:
    played = arbitre(folder, "match", "lea.py", rival, "--game", "puissance4", "--sandbox", "--json")
    (record,) = [json.loads(line) for line in played.stdout.splitlines()]
    assert (record["reason"], record["winner"]) == ("crash", 2)
    assert OWN in played.stderr


@pytest.mark.slow
def test_folders_show_each_its_own(folder: Path) -> None:
    for name, file in (("lea", "utils.py"), ("bob", "solution.py")):
        (folder / name).mkdir(exist_ok=True)
        (folder / name / "bot.py").write_text((folder / "lea.py").read_text().replace("import utils", "import os"))
        (folder / name / file).write_text("")
    for first, second, seen in (("lea/", "bob/", "book.txt utils.py"), ("bob/", "lea/", "solution.py")):
        played = arbitre(folder, "match", first, second, "--game", "puissance4", "--sandbox", "--json")
        (record,) = [json.loads(line) for line in played.stdout.splitlines()]
        assert (record["reason"], record["winner"]) == ("crash", 2)
        assert f"seen: {seen}." in played.stderr


@pytest.mark.slow
def test_without_the_sandbox_it_sees_them_all(folder: Path) -> None:
    home = str(folder.parent / "home")  # the true one may hold more than can be looked at on a clock
    played = arbitre(folder, "match", "lea.py", "bob.py", "--game", "puissance4", "--json", HOME=home)
    assert "bob.py" in played.stderr.partition("seen: ")[2]
    assert "id_rsa" in played.stderr.partition("seen: ")[2]


@pytest.mark.slow
def test_a_league_shows_each_its_own(folder: Path) -> None:
    (folder / "league.toml").write_text(
        '[league]\nname = "L"\ngame = "puissance4"\nclock = "2s/move"\nopenings = "none"\nsandbox = true\n'
        '[[bot]]\nname = "Lea"\nrun = "lea.py"\n[[bot]]\nname = "Bob"\nrun = "bob.py"\n'
        '[[bot]]\nname = "Max"\nrun = "first"\n'  # a league of two would stop, since Lea never moves
    )
    played = arbitre(folder, "league", "run", "league.toml")
    assert played.returncode == 0, played.stderr
    kept = (folder / "league" / "league.jsonl").read_text(encoding="utf-8")
    assert kept.count(OWN) == 4


@pytest.mark.slow
@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("en", "solution.py lies beside it, but in the sandbox"),
        ("fr", "solution.py est à côté de lui, mais dans le bac"),
    ],
)
def test_a_file_that_it_needs_is_named(language: str, words: str, folder: Path) -> None:
    (folder / "lea.py").write_text("coup_joueur = lambda *given: __import__('solution')\n")
    played = arbitre(folder, "match", "lea.py", "bob.py", "--game", "puissance4", "--sandbox", "--lang", language)
    assert words in played.stderr


@pytest.mark.slow
def test_a_rival_can_not_be_imported(folder: Path) -> None:
    (folder / "lea.py").write_text("import bob\ncoup_joueur = bob.coup_joueur\n")
    played = arbitre(folder, "match", "lea.py", "bob.py", "--game", "puissance4", "--sandbox", "--json")
    assert json.loads(played.stdout)["winner"] == 2
    assert "bob.py lies beside it, but in the sandbox" in played.stderr


@pytest.mark.slow
def test_a_file_is_loaded_in_the_sandbox_from_the_first(folder: Path, tmp_path: Path) -> None:
    """Its code runs when it is looked at, before any match: `match`, `league run` and `bot` did that without one."""
    loaded = tmp_path / "loaded"
    (folder / "lea.py").write_text(
        f"try: open({str(loaded)!r}, 'w')\nexcept OSError: pass\ndef coup_joueur(*given): return 3\n"
    )
    arbitre(folder, "match", "lea.py", "bob.py", "--game", "puissance4", "--sandbox")
    bring(folder, "--sandbox")
    (folder / "league.toml").write_text(
        '[league]\nname = "L"\ngame = "puissance4"\nsandbox = true\nopenings = "none"\n'
        '[[bot]]\nname = "Lea"\nrun = "lea.py"\n[[bot]]\nname = "Bob"\nrun = "bob.py"\n'
    )
    arbitre(folder, "league", "run", "league.toml")
    assert not loaded.exists()
    bring(folder)
    assert loaded.exists()
