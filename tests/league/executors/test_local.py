"""Bots that fail, as real processes: how their games end, and what becomes of the process."""

import asyncio
import sys
from dataclasses import replace
from pathlib import Path

import psutil
import pytest

from league.config import League, LeagueBot
from league.executors.base import DeclinedError
from league.executors.local import LocalExecutor
from league.history.verification import check_games
from league.played import Job, Played
from tests.league.fakes import league

FAULTY = '''"""A wrong move, none, or a good one in its own time: that depends on the first cell that is taken."""

import time
from pathlib import Path


def choose(position, budget):
    if position.cell(0, 0) is not None:
        return "j9"
    if position.cell(1, 0) is not None:
        raise ValueError("lost in thought")
    while Path({slow!r}).exists():
        time.sleep(0.01)
    return next(move for move in position.legal_moves() if move not in ("a1", "b1"))
'''

PATIENCE_S = 60

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the processes of others are looked at")


class Home:
    """A folder with Ada, a file that fails, and Tom; while the file `slow` is there, she does not move."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.slow = folder / "slow"
        (folder / "ada.py").write_text(FAULTY.format(slow=str(self.slow)), encoding="utf-8")

    def league(self, clock: str, at_once: int = 1) -> League:
        bots = (LeagueBot("Ada", "ada.py"), LeagueBot("Tom", "random"))
        return replace(league(2, clock=clock, at_once=at_once), bots=bots)


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(tmp_path)


def processes(name: str) -> set[int]:
    """The bot processes of that name which we have now."""
    return {child.pid for child in psutil.Process().children() if ["--name", name] == name_in(child.cmdline())}


def name_in(words: list[str]) -> list[str]:
    at = words.index("--name") if "--name" in words else len(words)
    return words[at : at + 2]


async def play(executor: LocalExecutor, league_: League, opening: str) -> Played:
    """A game of Ada against Tom, in which she is to move after `opening` and b2."""
    one, two = league_.bots
    job = Job(f"1.{opening}", (one, two), (opening, "b2"), "7", games=1)
    async with asyncio.timeout(PATIENCE_S):
        (game,) = await executor.play(job)
    assert check_games(league_.rules, job, [game]) == []
    return game


async def test_who_fails_loses_for_that_reason_and_gets_a_new_process(home: Home) -> None:
    league_ = home.league(clock="1s")
    async with LocalExecutor(league_, home.folder) as executor:
        illegal = await play(executor, league_, "a1")
        first = processes("Ada")
        crash = await play(executor, league_, "b1")
        assert processes("Ada") == set(), "illegal moves leave it as it was, an exception does not"
        home.slow.touch()
        timeout = await play(executor, league_, "c1")
        home.slow.unlink()
        assert processes("Ada") == set()
        again = await play(executor, league_, "a1")
        last = processes("Ada")
    assert [(game.faulty, game.reason) for game in (illegal, crash, timeout, again)] == [
        ("Ada", "illegal"), ("Ada", "crash"), ("Ada", "timeout"), ("Ada", "illegal"),
    ]  # fmt: skip
    assert "'j9'" in illegal.detail
    assert "lost in thought" in crash.detail
    assert crash.detail.count("bot replay") == 1, "and nothing of the game before"
    assert "'j9'" not in timeout.detail, "a match may be called that"
    assert "'j9'" in again.detail
    assert (len(first), len(last), first & last) == (1, 1, set())
    assert not processes("Ada") | processes("Tom")


async def test_the_other_games_of_a_process_that_failed_end_as_they_would(home: Home) -> None:
    league_ = home.league(clock="none", at_once=3)
    home.slow.touch()
    async with LocalExecutor(league_, home.folder) as executor:
        others = [asyncio.create_task(play(executor, league_, "c1")) for _ in range(2)]
        crash = await play(executor, league_, "b1")
        (failed,) = processes("Ada")
        illegal = await play(executor, league_, "a1")
        (fresh,) = processes("Ada") - {failed}
        home.slow.unlink()
        games = await asyncio.gather(*others)
        assert processes("Ada") == {fresh}
    assert (crash.faulty, crash.reason, illegal.reason) == ("Ada", "crash", "illegal")
    assert {game.reason for game in games} <= {"line", "full"}


async def test_who_comes_when_a_process_plays_all_that_it_may_gets_another_one(home: Home) -> None:
    league_ = home.league(clock="none", at_once=2)
    home.slow.touch()
    async with LocalExecutor(league_, home.folder) as executor:
        games = [asyncio.create_task(play(executor, league_, "c1")) for _ in range(3)]
        async with asyncio.timeout(20):
            while len(processes("Ada")) < 2:  # noqa: ASYNC110 - they are looked at from outside
                await asyncio.sleep(0.05)
        home.slow.unlink()
        await asyncio.gather(*games)


DECLINES = """
import sys
ANSWERS = {"protocol_version": "2", "list_commands": "list_games\\nset_game", "list_games": "Chess"}
for line in sys.stdin:
    print("= " + ANSWERS.get(line.strip(), "") + "\\n", flush=True)
"""


@pytest.mark.parametrize("is_strict", [False, True])
async def test_who_declines_is_asked_once(
    *, is_strict: bool, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """It has lost, or its user is told; it is no accident, so nothing is played again."""
    (tmp_path / "main.py").write_text(DECLINES)
    ada, bob = LeagueBot("Ada", f"gtp:{sys.executable} main.py"), LeagueBot("Bob", "random")
    league_ = replace(league(2, game="puissance4", clock="none"), bots=(ada, bob))
    async with LocalExecutor(league_, tmp_path, is_strict=is_strict) as executor, asyncio.timeout(PATIENCE_S):
        if is_strict:
            with pytest.raises(DeclinedError, match="declined to play Connect Four"):
                await executor.play(Job("1.1.1", (ada, bob), (), "7", games=1))
        else:
            (played,) = await executor.play(Job("1.1.1", (ada, bob), (), "7", games=1))
            assert (played.faulty, played.reason, played.moves) == ("Ada", "abandoned", ())
    assert "is played again" not in capfd.readouterr().err
    assert "Chess" in executor.words["Ada"] or "puissance4" in executor.words["Ada"]
