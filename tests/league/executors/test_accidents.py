"""The death of Arbitre's own processes is no bot's fault: server, runner and supervisor, as real processes."""

import asyncio
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import psutil
import pytest

from league.config import League, LeagueBot
from league.executors.base import ExecutorError
from league.executors.local import FORGIVEN, TRIES, LocalExecutor
from league.history.verification import check_games
from league.played import Job, Played
from tests.league.fakes import league
from tests.processes.bubblewrap import need_bubblewrap

PATIENT = '''"""Plays the last legal move; stands still while a file is there, when it is loaded or asked."""

import time
from contextlib import suppress
from pathlib import Path


def wait(name):
    while Path(__file__).with_name(name).exists():
        with suppress(OSError):
            Path(__file__).with_name(name + " seen").touch()
        time.sleep(0.01)


wait("loading")


def choose(position, budget):
    wait("thinking")
    return position.legal_moves()[-1]
'''

SEALED = '''"""Plays the last legal move; stands still while a file is in a package of its own, that a sandbox shows."""

import time

from signs import THINKING


def choose(position, budget):
    while THINKING.exists():
        time.sleep(0.01)
    return position.legal_moves()[-1]
'''

SIGNS = '''"""What SEALED looks at."""

from pathlib import Path

THINKING = Path(__file__).with_name("thinking")
'''

HOSTILE = '''"""Makes itself look like an accident: kills its supervisor, which is its parent, whenever it is asked."""

import os
import signal
import time


def choose(position, budget):
    parent = os.getppid()
    os.kill(parent, signal.SIGKILL)
    for _ in range(1000):  # on a busy machine it takes a while to die, and whole games can be played meanwhile
        if parent <= 1 or os.getppid() != parent:
            break
        time.sleep(0.01)
    return position.legal_moves()[0]
'''

PATIENCE_S = 60

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the processes of others are looked at")


@pytest.fixture
def home(tmp_path: Path) -> Path:
    (tmp_path / "ada.py").write_text(PATIENT, encoding="utf-8")
    (tmp_path / "eve.py").write_text(HOSTILE, encoding="utf-8")
    return tmp_path


def between(one: str, two: str) -> League:
    return replace(league(2, clock="none"), bots=(LeagueBot("Ada", one), LeagueBot("Tom", two)))


def job(league_: League, name: str = "1.1.1", games: int = 1) -> Job:
    one, two = league_.bots
    return Job(name, (one, two), (), "7", games=games)


async def appears(path: Path) -> None:
    async with asyncio.timeout(PATIENCE_S):
        while not await asyncio.to_thread(path.exists):  # noqa: ASYNC110 - another process makes it
            await asyncio.sleep(0.01)


def below() -> Iterator[tuple[psutil.Process, list[str]]]:
    """Our processes that live, and their command lines."""
    for child in psutil.Process().children(recursive=True):
        with suppress(psutil.Error):
            if words := child.cmdline():
                yield child, words


def ours(*wanted: str) -> psutil.Process:
    """The process whose command line has all these words."""
    return next(child for child, words in below() if set(wanted) <= set(words))


def sandboxes() -> list[psutil.Process]:
    """Those with a file; whether there can be any is tried with another program."""
    return [
        child for child, words in below() if Path(words[0]).name == "bwrap" and any(".py" in word for word in words)
    ]


def supervisor() -> psutil.Process:
    return next(child for child, words in below() if any("supervisor" in word for word in words))


async def whole(
    executor: LocalExecutor, league_: League, games: asyncio.Task[tuple[Played, ...]]
) -> tuple[Played, ...]:
    """The games, which have to be by the rules, and nobody's fault."""
    async with asyncio.timeout(PATIENCE_S):
        played = await games
    assert check_games(league_.rules, job(league_, games=len(played)), played) == []
    assert [game.faulty for game in played] == [None] * len(played)
    return played


async def end(process: psutil.Process, number: signal.Signals = signal.SIGKILL) -> None:
    """Has a process die of a signal, and waits for it: a busy machine takes a while, and games go on meanwhile."""
    process.send_signal(number)
    async with asyncio.timeout(PATIENCE_S):
        while lives(process):  # noqa: ASYNC110 - nobody says that another's child is gone
            await asyncio.sleep(0.01)


def lives(process: psutil.Process) -> bool:
    with suppress(psutil.NoSuchProcess):
        return bool(process.status() != psutil.STATUS_ZOMBIE)
    return False


@pytest.mark.slow
async def test_a_server_that_dies_while_a_bot_starts_is_not_that_bots_fault(home: Path) -> None:
    league_ = between("ada.py", "random")
    (home / "loading").touch()
    async with LocalExecutor(league_, home) as executor:
        games = asyncio.create_task(executor.play(job(league_)))
        await appears(home / "loading seen")
        await end(ours("serve"))
        (home / "loading").unlink()
        async with asyncio.timeout(PATIENCE_S):
            with pytest.raises(ExecutorError):
                await games


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
async def test_a_server_that_dies_in_a_game_makes_it_void(home: Path, number: signal.Signals) -> None:
    league_ = between("ada.py", "random")
    (home / "thinking").touch()
    async with LocalExecutor(league_, home) as executor:
        games = asyncio.create_task(executor.play(job(league_)))
        await appears(home / "thinking seen")
        await end(ours("serve"), number)
        (home / "thinking").unlink()
        async with asyncio.timeout(PATIENCE_S):
            with pytest.raises(ExecutorError):
                await games
            with pytest.raises(ExecutorError):
                await executor.play(job(league_, "1.1.2"))


@pytest.mark.parametrize(
    ("what", "number"),
    [
        ("runner", signal.SIGKILL),
        pytest.param("runner", signal.SIGTERM, marks=pytest.mark.slow),
        pytest.param("supervisor", signal.SIGKILL, marks=pytest.mark.slow),
        ("supervisor", signal.SIGTERM),
    ],
)
@pytest.mark.slow
async def test_a_game_whose_runner_or_supervisor_dies_is_played_again(
    home: Path, what: str, number: signal.Signals, capfd: pytest.CaptureFixture[str]
) -> None:
    league_ = between("ada.py", "random")
    (home / "thinking").touch()
    async with LocalExecutor(league_, home) as executor:
        games = asyncio.create_task(executor.play(job(league_, games=2)))
        await appears(home / "thinking seen")
        await end(supervisor() if what == "supervisor" else ours("--name", "Ada"), number)
        (home / "thinking").unlink()
        await whole(executor, league_, games)
    assert "Ada" in capfd.readouterr().err


@pytest.mark.slow
async def test_a_supervisor_or_runner_that_dies_while_the_bot_starts_costs_nothing(home: Path) -> None:
    league_ = between("ada.py", "random")
    killed: list[Callable[[], psutil.Process]] = [supervisor, lambda: ours("--name", "Ada")]
    async with LocalExecutor(league_, home) as executor:
        for number, find in enumerate(killed):
            (home / "loading").touch()
            games = asyncio.create_task(executor.play(job(league_, games=2)))
            await appears(home / "loading seen")
            await end(find())
            (home / "loading").unlink()
            (home / "loading seen").unlink()
            await whole(executor, league_, games)
            if number == 0:
                await end(ours("--name", "Ada"))  # the next one has to start again


@pytest.mark.slow
async def test_a_bot_of_ours_that_dies_between_two_games_has_not_lost(home: Path) -> None:
    league_ = between("random", "first")
    async with LocalExecutor(league_, home) as executor:
        for name in ("Ada", "Tom", "Ada"):
            await whole(executor, league_, asyncio.create_task(executor.play(job(league_, games=2))))
            await end(ours("--name", name))
        await whole(executor, league_, asyncio.create_task(executor.play(job(league_, games=2))))


@pytest.mark.slow
async def test_the_game_that_is_over_stays_when_the_server_dies_in_the_next(home: Path) -> None:
    league_ = between("ada.py", "random")
    begun: dict[str, list[Played]] = {}
    pairing = job(league_, games=2)
    (home / "thinking").touch()
    async with LocalExecutor(league_, home, begun) as executor:
        games = asyncio.create_task(executor.play(pairing))
        await appears(home / "thinking seen")
        (home / "loading").touch()
        (home / "thinking").unlink()
        await appears(home / "loading seen")  # in a process of its own for the second game
        await end(ours("serve"))
        (home / "loading").unlink()
        async with asyncio.timeout(PATIENCE_S):
            with pytest.raises(ExecutorError):
                await games
    (first,) = begun[pairing.pairing]
    async with LocalExecutor(league_, home, begun) as executor:
        played = await whole(executor, league_, asyncio.create_task(executor.play(pairing)))
    assert played[0] is first
    assert [game.number for game in played] == [1, 2]
    assert begun == {}


@pytest.mark.slow
async def test_a_bot_that_kills_its_supervisor_is_forgiven_some_times_and_then_loses(home: Path) -> None:
    league_ = between("eve.py", "first")
    async with LocalExecutor(league_, home) as executor:
        async with asyncio.timeout(2 * PATIENCE_S):
            played = [(await executor.play(job(league_, f"1.1.{number}")))[0] for number in (1, 2)]
    assert [(game.faulty, game.reason) for game in played] == [("Ada", "crash")] * 2
    assert played[0].detail
    assert FORGIVEN >= TRIES - 1


@pytest.mark.slow
async def test_in_a_sandbox_a_bot_has_no_supervisor_to_kill(home: Path, capfd: pytest.CaptureFixture[str]) -> None:
    need_bubblewrap()
    league_ = replace(between("eve.py", "first"), sandbox=True)
    async with LocalExecutor(league_, home) as executor:
        await whole(executor, league_, asyncio.create_task(executor.play(job(league_, games=2))))
    assert "is played again" not in capfd.readouterr().err


@pytest.mark.slow
async def test_a_sandbox_that_is_ended_from_outside_is_not_the_bots_fault(
    home: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    need_bubblewrap()
    (home / "tim.py").write_text(SEALED, encoding="utf-8")
    (home / "signs").mkdir()
    (home / "signs" / "__init__.py").write_text(SIGNS, encoding="utf-8")
    thinking = home / "signs" / "thinking"
    league_ = replace(between("tim.py", "random"), sandbox=True)
    async with LocalExecutor(league_, home) as executor:
        await whole(executor, league_, asyncio.create_task(executor.play(job(league_))))
        thinking.touch()
        async with asyncio.timeout(PATIENCE_S):
            while sandboxes():  # noqa: ASYNC110 - that of the game before
                await asyncio.sleep(0.01)
        games = asyncio.create_task(executor.play(job(league_, "1.1.2")))
        async with asyncio.timeout(PATIENCE_S):
            while not sandboxes():  # noqa: ASYNC110 - as above
                await asyncio.sleep(0.01)
        await end(sandboxes()[0])
        thinking.unlink()
        async with asyncio.timeout(PATIENCE_S):
            (played,) = await games
    assert played.faulty is None
    assert "is played again" in capfd.readouterr().err


@pytest.fixture(autouse=True)
def nothing_is_left() -> Iterator[None]:
    """Of these tests: one before them may have started what Python keeps for its own processes."""
    before = {child for child, _words in below()}
    yield
    assert [words for child, words in below() if child not in before] == []
