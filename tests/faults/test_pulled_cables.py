"""Leagues of bots whose cable is pulled: nobody loses by the network. Real processes, namespaces and seconds."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from league.history.log import load
from league.history.season import Season
from tests.faults.cables import ADDRESS, Cable, laid

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not sys.platform.startswith("linux"), reason="network namespaces are Linux's"),
]

ROOT = Path(__file__).parents[2]
END_S = 240.0
LEAGUE = """
[league]
name = "Far away"
game = "morpion:width=5,height=5,k=5"
clock = "10s+0.1s"
openings = "none"
games_per_pair = 2
"""
BOT = """
import random, sys, time
for line in sys.stdin:
    time.sleep(0.3)
    print(random.choice(line.split()[8:]), flush=True)
"""


@pytest.fixture
def cable() -> Iterator[Cable]:
    with laid() as found:
        yield found


def run(stack: ExitStack, namespace: str, folder: Path, *words: str) -> subprocess.Popen[str]:
    """An Arbitre command on one of the two machines."""
    command = ["ip", "netns", "exec", namespace, sys.executable, "-P", "-m", "arbitre", "--lang", "en", *words]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    process = stack.enter_context(
        subprocess.Popen(
            command,
            cwd=folder,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
        )
    )
    stack.callback(process.terminate)
    return process


def played(cable: Cable, folder: Path, seconds: float, more: str = "") -> tuple[Season, list[str]]:
    """A league of two, one of whom is cut off for so long in the first game; and the kinds of its log's lines."""
    (folder / "far.toml").write_text(LEAGUE + more, encoding="utf-8")
    (folder / "slow.py").write_text(BOT, encoding="utf-8")
    with ExitStack() as stack:
        words = ("league", "open", "far.toml", "--bots", "2", "--host", ADDRESS, "--port", "0")
        host = run(stack, cable.server, folder, *words)
        assert host.stderr is not None
        said = ""
        while (found := re.search(r"my_bot\.py (\S+) --league (\w+)", said)) is None:
            line = host.stderr.readline()
            assert line, said
            said += line
        url = f"ws://{ADDRESS}:{found[1].rpartition(':')[2]}"
        bot = f"stdio:{sys.executable} slow.py"
        for namespace, name in ((cable.server, "Near"), (cable.player, "Far")):
            run(stack, namespace, folder, "bot", bot, url, "--league", found[2], "--name", name)
        while "Far is in" not in said or "Near is in" not in said:
            said += host.stderr.readline()
        time.sleep(3)  # the first game is being played
        cable.plug("down")
        time.sleep(seconds)
        cable.plug("up")
        host.wait(END_S)
    entries = load(folder / "far")
    return Season.of(entries), [entry.kind for entry in entries]


@pytest.mark.parametrize("seconds", [10.0, pytest.param(90.0, marks=pytest.mark.thorough)])
def test_nobody_loses_a_game_by_an_outage(cable: Cable, tmp_path: Path, seconds: float) -> None:
    season, kinds = played(cable, tmp_path, seconds)
    assert season.finished
    assert {game.reason for game in season.games} <= {"line", "full"}
    assert "replayed" not in kinds
    assert "left" not in kinds
    assert any(max(game.away) > seconds / 2 for game in season.games)


def test_who_is_away_for_longer_plays_that_game_again_once(cable: Cable, tmp_path: Path) -> None:
    season, kinds = played(cable, tmp_path, 25, "outage_s = 15\n")
    assert season.finished
    assert {game.reason for game in season.games} <= {"line", "full"}
    assert kinds.count("replayed") == 1
