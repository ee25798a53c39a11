"""Thinking in the opponent's time, in games that are really played: only where a league allows it."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
BOT = """
import json
from pathlib import Path

SEEN = []

def choose(position):
    return position.legal_moves()[0]

def ponder(position):
    SEEN.append(position.notation)
    while True:
        position.legal_moves()

def finished(position, seat, winner):
    Path(f"seen-{int(seat)}.json").write_text(json.dumps(SEEN))
    SEEN.clear()
"""
LEAGUE = """
[league]
name = "Two"
game = "morpion"
openings = "none"
clock = "20s+1s"
games_per_pair = 4
ponder = {allowed}

[[bot]]
name = "Thinker"
run = "my_bot/"

[[bot]]
name = "Slow"
run = "slow.py"
"""
SLOW = """
import time

def choose(position):
    time.sleep(0.1)
    return position.legal_moves()[0]
"""


def run(folder: Path, allowed: str) -> "subprocess.CompletedProcess[str]":
    """A league of four games, so that the end of one as each seat is heard of before the processes end."""
    (folder / "my_bot").mkdir()
    (folder / "my_bot" / "bot.py").write_text(BOT)
    (folder / "my_bot" / "bot.toml").write_text("many_games = true\nponder = true\n")
    (folder / "slow.py").write_text(SLOW)
    (folder / "league.toml").write_text(LEAGUE.format(allowed=allowed))
    command = [sys.executable, "-P", "-m", "arbitre", "--lang", "en", "league", "run", "league.toml"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "XDG_STATE_HOME": str(folder / "state")}
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)


def seen(folder: Path, seat: int) -> list[str]:
    found: list[str] = json.loads((folder / "my_bot" / f"seen-{seat}.json").read_text())
    return found


@pytest.mark.slow
def test_it_thinks_while_its_opponent_does(tmp_path: Path) -> None:
    done = run(tmp_path, "true")
    assert done.returncode == 0, done.stderr
    assert "crash" not in done.stdout
    as_first, as_second = seen(tmp_path, 1), seen(tmp_path, 2)
    # On a busy machine a turn may be over before it has begun to think; the end of a game is never thought about.
    assert set(as_first) <= {"X-------- O", "XOX------ O", "XOXOX---- O"}
    assert set(as_second) <= {"--------- X", "XO------- X", "XOXO----- X", "XOXOXO--- X"}
    assert as_first
    assert as_second


@pytest.mark.slow
def test_without_the_leagues_leave_it_does_not(tmp_path: Path) -> None:
    assert run(tmp_path, "false").returncode == 0
    assert (seen(tmp_path, 1), seen(tmp_path, 2)) == ([], [])
