"""Rows 130 and 134: whatever a program does in the sandbox, a match has a result charged to it, and nothing stays."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests import in_process
from tests.faults.hostile_programs import MARK, MEMORY, TABLE
from tests.faults.serving import ROOT
from tests.processes.bubblewrap import need_bubblewrap

pytestmark = [pytest.mark.slow, pytest.mark.skipif(sys.platform != "linux", reason="the sandbox is Linux's")]

LONGEST_S = 120
LEAVE_S = 10


def arbitre(*words: str, folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "arbitre", *words],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=LONGEST_S,
        check=False,
    )


def left(mark: str) -> list[str]:
    """The processes whose command line holds `mark`, and the files in memory that are called so."""
    found = [str(path) for folder in ("/tmp", "/dev/shm") for path in Path(folder).glob(f"*{mark}*")]
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            line = (entry / "cmdline").read_bytes().decode(errors="replace")
        except OSError:
            continue
        found += [f"{entry.name}: {line}"] if mark in line else []
    return found


def soon_nothing(mark: str) -> list[str]:
    """What is left once all the time has passed that a supervisor gives what it kills."""
    end = time.monotonic() + LEAVE_S
    while (found := left(mark)) and time.monotonic() < end:
        time.sleep(0.05)
    return found


@pytest.mark.parametrize("name", list(TABLE))
def test_a_match_ends_with_a_result_charged_to_it(name: str, tmp_path: Path) -> None:
    need_bubblewrap()
    program = TABLE[name]
    file = tmp_path / f"{name}-{os.getpid()}" / "main.py"
    file.parent.mkdir()
    file.write_text(program.code)
    bot = f"stdio:{sys.executable} {file}"
    bounds = ("--sandbox", "--memory", program.memory, "--patience", str(program.patience_s))
    played = in_process.run(
        "match", bot, "random", "--game", "morpion", "--games", "2", "--clock", "none", *bounds, "--json",
        "--openings", "none",
        folder=tmp_path,
    )  # fmt: skip
    records = [json.loads(line) for line in played.stdout.splitlines()]
    assert [(record["reason"], record["winner"]) for record in records] == [(program.reason, 2), (program.reason, 1)]
    assert program.words in played.stderr
    assert "Traceback (most recent call last):" not in played.stderr.replace("| Traceback", "|")
    assert played.returncode == (1 if program.reason == "crash" else 0)
    assert soon_nothing(str(file.parent)) == []
    assert soon_nothing(MARK) == []


@pytest.mark.parametrize("name", ["exits_at_once", "fills_its_heap"])
def test_a_file_from_class_that_fails_as_it_is_loaded(name: str, tmp_path: Path) -> None:
    """Its code runs before any match: already there in the sandbox, and with no end to the match but a result."""
    need_bubblewrap()
    (tmp_path / f"{name}.py").write_text(TABLE[name].code)
    match = (
        "match",
        f"{name}.py",
        "first",
        "--game",
        "morpion",
        "--games",
        "3",
        "--openings",
        "none",
        "--sandbox",
        "--memory",
        MEMORY,
    )
    played = arbitre(*match, "--json", folder=tmp_path)
    records = [json.loads(line) for line in played.stdout.splitlines()]
    assert [(record["reason"], record["winner"]) for record in records] == [("crash", 2), ("crash", 1), ("crash", 2)]
    assert (played.returncode, soon_nothing(f"{name}.py")) == (1, [])


LEAGUE = """
[league]
name = "Hostile"
game = "morpion"
clock = "none"
openings = "none"
concurrency = 2
sandbox = true
memory = "128M"
patience = 30

[[bot]]
name = "honest"
run = "first"
"""


@pytest.mark.parametrize(("language", "words"), [("fr", "plus de 128 Mio"), ("en", "128 MiB of")])
def test_a_league_goes_on(language: str, words: str, tmp_path: Path) -> None:
    need_bubblewrap()
    described = LEAGUE
    for name in ("exits_at_once", "fills_many_heaps"):
        (tmp_path / f"{name}.py").write_text(TABLE[name].code)
        described += f'[[bot]]\nname = "{name}"\nrun = "stdio:{sys.executable} {name}.py"\n'
    (tmp_path / "league.toml").write_text(described)
    played = arbitre("league", "run", "league.toml", "--dir", "kept", "--lang", language, folder=tmp_path)
    assert played.returncode == 0, played.stderr
    kept = (tmp_path / "kept" / "league.jsonl").read_text(encoding="utf-8")
    games = [game for line in kept.splitlines() for game in json.loads(line).get("games", ())]
    assert [game["reason"] for game in games] == ["crash"] * 6
    assert words in kept
    assert soon_nothing(str(tmp_path)) == []


DECLINES = """
import sys
ANSWERS = {"protocol_version": "2", "list_commands": "list_games\\nset_game", "list_games": "Chess"}
for line in sys.stdin:
    print("= " + ANSWERS.get(line.strip(), "") + "\\n", flush=True)
"""


@pytest.mark.parametrize(("options", "code", "games"), [(("--sandbox",), 1, 2), ((), 1, 0)])
def test_a_program_that_declines_after_all(options: tuple[str, ...], code: int, games: int, tmp_path: Path) -> None:
    """An engine that says, once the match is made, that it does not play this game: without the sandbox it is told."""
    if options:
        need_bubblewrap()
    (tmp_path / "main.py").write_text(DECLINES)
    match = ("match", f"gtp:{sys.executable} main.py", "random", "--game", "puissance4", "--games", "2", "--json")
    played = arbitre(*match, *options, folder=tmp_path)
    records = [json.loads(line) for line in played.stdout.splitlines()]
    assert (played.returncode, [record["reason"] for record in records]) == (code, ["crash"] * games)
    assert [record["winner"] for record in records] == [2, 1][:games]
