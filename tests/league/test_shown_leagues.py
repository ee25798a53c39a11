"""Leagues that are shown while they are played, with real processes: whoever follows one sees the table of its log."""

from __future__ import annotations

import asyncio
import re
import subprocess
import sys
import threading
import urllib.request
from contextlib import ExitStack
from pathlib import Path

import pytest
from click.testing import CliRunner

from client.connection import Client
from client.errors import Refused
from league.commands.run_cli import run_command
from league.history.log import load
from league.history.season import Season
from protocol.messages import FollowLeague, LeagueChanged, Ok, Scoreboard
from tests.league.processes import ARBITRE, started

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals")

DESCRIBED = '[league]\nname = "Classe"\ngame = "morpion"\nclock = "none"\nopenings = "two-ply"\nrounds = 4\n'
BOTS = "".join(f'[[bot]]\nname = "{name}"\nrun = "random"\n' for name in ("Ada", "Bob", "Cleo"))
PATIENCE_S = 60

_PAGE = re.compile(r"(http://127\.0\.0\.1:(\d+))/l/([a-z2-7]{12})$", re.MULTILINE)
_CODE = re.compile(r"--league (\w+)")


def heard(process: subprocess.Popen[str], what: re.Pattern[str]) -> re.Match[str]:
    """What the process says within PATIENCE_S on standard error."""
    assert process.stderr is not None
    patience = threading.Timer(PATIENCE_S, process.kill)
    patience.start()
    try:
        for line in process.stderr:
            if found := what.search(line):
                return found
    finally:
        patience.cancel()
    raise AssertionError(f"it never said {what.pattern}")


async def follow(client: Client, league: str) -> Ok:
    """How the league stands, once it is shown."""
    while True:
        try:
            return await client.request(FollowLeague, league=league)
        except Refused as refused:
            if refused.code != "no_such_league":
                raise
            await asyncio.sleep(0.1)


async def see_to_its_end(port: str, league: str) -> tuple[Scoreboard, set[int]]:
    """The last that a reader is told of a league, and the numbers of all games that they heard of."""
    async with asyncio.timeout(PATIENCE_S), Client(f"ws://127.0.0.1:{port}", name="Eve", kind="human") as client:
        first = await follow(client, league)
        board, numbers = first.scoreboard, {game.number for game in first.games or ()}
        assert isinstance(board, Scoreboard)
        async for message in client.messages():
            if board.state == "finished":
                break
            if isinstance(message, LeagueChanged) and isinstance(message.scoreboard, Scoreboard):
                board = message.scoreboard
                numbers |= {game.number for game in message.games}
    return board, numbers


def check(folder: Path, board: Scoreboard, numbers: set[int]) -> None:
    season = Season.of(load(folder))
    assert season.finished
    rows = season.standings().rows
    assert [(row.name, row.points) for row in board.rows] == [(row.name, row.halves / 2) for row in rows]
    assert [list(row.against) for row in board.rows] == [
        [row.against[other.name].halves / 2 if other.name in row.against else None for other in rows] for row in rows
    ]
    assert (board.title, board.state, board.played) == ("Classe", "finished", len(season.games))
    assert numbers == set(range(1, len(season.games) + 1))


@pytest.mark.slow
def test_a_league_of_files_is_shown_on_this_machine(tmp_path: Path) -> None:
    (tmp_path / "class.toml").write_text(DESCRIBED + BOTS, encoding="utf-8")
    words = ["league", "run", "class.toml", "--page", "0"]
    with started([*ARBITRE, "--lang", "en", *words], tmp_path) as process:
        url, port, league = heard(process, _PAGE).groups()
        with urllib.request.urlopen(f"{url}/l/{league}?wall", timeout=20) as answer:
            assert answer.headers["Content-Type"].startswith("text/html")
        board, numbers = asyncio.run(see_to_its_end(port, league))
        assert process.wait(PATIENCE_S) == 0
    check(tmp_path / "class", board, numbers)


@pytest.mark.slow
def test_an_open_league_is_shown_by_its_server_and_its_code_stays_with_its_host(tmp_path: Path) -> None:
    (tmp_path / "class.toml").write_text(DESCRIBED, encoding="utf-8")
    words = ["league", "open", "class.toml", "--host", "127.0.0.1", "--port", "0", "--bots", "2"]
    with ExitStack() as stack:
        host = stack.enter_context(started([*ARBITRE, "--lang", "en", *words], tmp_path))
        code = heard(host, _CODE)[1]
        _url, port, league = heard(host, _PAGE).groups()
        assert code.lower() not in league
        for name in ("Ada", "Bob"):
            bot = ["bot", "random", f"ws://127.0.0.1:{port}", "--league", code, "--name", name]
            stack.enter_context(started([*ARBITRE, *bot], tmp_path))
        board, numbers = asyncio.run(see_to_its_end(port, league))
        assert host.wait(PATIENCE_S) == 0
    check(tmp_path / "class", board, numbers)


@pytest.mark.parametrize("page", ["x", "0.0.0.0:", "70000", "host:x"])
def test_what_is_no_place_for_a_page_is_refused(tmp_path: Path, page: str) -> None:
    (tmp_path / "class.toml").write_text(DESCRIBED + BOTS, encoding="utf-8")
    done = CliRunner().invoke(run_command, [str(tmp_path / "class.toml"), "--page", page])
    assert (done.exit_code, "0.0.0.0:8765" in done.output) == (2, True)
    assert not (tmp_path / "class").exists()
