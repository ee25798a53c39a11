"""Leagues on the workers of a Dask cluster, also real ones: nothing is lost, nothing counts twice, nothing remains."""

import asyncio
import json
import os
import pickle
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Generator, Mapping
from concurrent.futures import CancelledError
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import psutil
import pytest
from click.testing import CliRunner

from league.commands.run_cli import run_command
from league.config import League, LeagueBot
from league.executors import cluster as cluster_module
from league.executors import worker as hall_module
from league.executors.base import ExecutorError, OpenExecutor, RunError
from league.executors.bundle import pack
from league.executors.cluster import ATTEMPTS, Cluster
from league.executors.local import LocalExecutor
from league.executors.worker import WorkerExecutor
from league.history.log import Log, load
from league.history.season import Season, begin
from league.history.verification import check_games, verify
from league.played import Job, Played
from league.runner import LeagueRunner
from protocol import VERSION
from tests.league.fakes import league, play
from tests.once import once

ROOT = Path(__file__).parents[3]

PUPIL = '''"""Plays the last cell that is free."""


def choose(position, budget):
    return position.legal_moves()[-1]
'''

TOML = """
[league]
name = "L"
game = "morpion"
games_per_pair = 60
clock = "none"
seed = 3
[[bot]]
name = "Ada"
run = "minimax:depth=1"
[[bot]]
name = "Bob"
run = "random"
"""


def described(**changes: object) -> League:
    """Two bots of ours and a pupil's file, whose games depend on the seed alone."""
    bots = (LeagueBot("Ada", "minimax:depth=1"), LeagueBot("Bob", "random"), LeagueBot("Pia", "pia.py"))
    values: dict[str, Any] = {"clock": "none", "games_per_pair": 4, **changes}
    return replace(league(), bots=bots, **values)


def home_in(folder: Path) -> Path:
    home = folder / "home"
    home.mkdir()
    (home / "pia.py").write_text(PUPIL, encoding="utf-8")
    return home


def run(
    folder: Path, home: Path, new: League, executor: OpenExecutor, tell: Callable[[Season], None] | None = None
) -> Season:
    folder.mkdir()
    with Log(folder) as log:
        log.append(begin(new, [], home))
        runner = LeagueRunner(log, executor, tell)
        asyncio.run(runner.run())
        return runner.season


def games_of(season: Season) -> list[tuple[object, ...]]:
    games = [(game.pairing, game.number, game.first, game.second, game.moves, game.winner, game.reason, game.score)
             for game in season.games]  # fmt: skip
    assert len(set(games)) == len(games), "a game counts twice"
    return sorted(games, key=str)


def table_of(season: Season) -> list[dict[str, object]]:
    rows = season.standings().as_json("", 0, None, finished=True)["rows"]
    assert isinstance(rows, list)
    return [{key: value for key, value in row.items() if key != "seconds"} for row in rows]


class ScriptedCluster(Cluster):
    """A cluster whose workers answer what a script says."""

    def __init__(self, answers: list[Mapping[str, Any]]) -> None:
        super().__init__("local", league(2))
        self.answers = answers

    async def _ask(self, job: Job) -> Mapping[str, Any]:
        return self.answers.pop(0)


BOTS = league(2).bots
JOB = Job("1.1.1", (BOTS[0], BOTS[1]), ("b2", "a1"), "seed")
GAMES = tuple(play(JOB, number) for number in (1, 2))


class TestAnswers:
    """Only what the rules and the job bear out counts."""

    def answer(self, *games: Played) -> Mapping[str, Any]:
        return {"games": [game.as_dict() for game in games]}

    async def test_a_sound_one_is_taken(self) -> None:
        assert await ScriptedCluster([self.answer(*GAMES)]).play(JOB) == GAMES

    @pytest.mark.parametrize(
        "change",
        [
            lambda game: replace(game, winner=3 - (game.winner or 1), reason="line"),
            lambda game: replace(game, moves=game.moves[:-1]),
            lambda game: replace(game, moves=game.moves[:-1], reason="crash", winner=None),
            lambda game: replace(game, first=game.second, second=game.first),
            lambda game: replace(game, pairing="2.1.1"),
            lambda game: replace(game, opening=0),
        ],
    )
    async def test_another_is_the_fault_of_the_machine_and_played_again(
        self, change: Callable[[Played], Played]
    ) -> None:
        forged = self.answer(change(GAMES[0]), GAMES[1])
        bad: list[Mapping[str, Any]] = [forged, {"failed": "the server is gone"}, {}, {"games": [{}]}, self.answer()]
        for answer in bad:
            assert await ScriptedCluster([answer, self.answer(*GAMES)]).play(JOB) == GAMES
            with pytest.raises(ExecutorError):
                await ScriptedCluster([answer] * ATTEMPTS).play(JOB)


class ClosingClient:
    """A client that the library closes at the same time, so that the first call fails."""

    def __init__(self) -> None:
        self.calls = 0

    async def close(self) -> None:
        self.calls += 1
        if self.calls == 1:
            raise RuntimeError("Cannot change state of expiring Timeout")


async def test_a_client_that_closes_itself_is_closed_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    cluster, client = ScriptedCluster([]), ClosingClient()
    monkeypatch.setattr(cluster, "_client", client, raising=False)
    await cluster._leave()
    assert client.calls == 2


class FakeWorker:
    """What a WorkerExecutor asks of a worker."""

    def __init__(self, folder: Path) -> None:
        self.local_directory = str(folder)


def names_in(folder: Path) -> list[str]:
    return [path.name for path in folder.iterdir()]


@pytest.mark.slow
async def test_a_worker_keeps_its_executor_and_leaves_nothing(tmp_path: Path) -> None:
    league_ = described()
    worker_executor = pickle.loads(pickle.dumps(WorkerExecutor(league_.as_dict(), pack(league_, home_in(tmp_path)))))
    worker_executor.setup(FakeWorker(tmp_path))
    others = {child.pid for child in psutil.Process().children()}  # such as a browser that tests of the page share
    processes: list[set[int]] = []
    job = Job("1.1.1", (league_.bots[1], league_.bots[2]), (), "seed")
    for _ in range(2):
        answer = await asyncio.to_thread(worker_executor.play, job.as_dict())
        games = [Played.from_dict(game) for game in answer["games"]]
        assert check_games(league_.rules, job, games) == []
        assert {game.reason for game in games} <= {"line", "full"}
        processes.append({child.pid for child in psutil.Process().children()} - others)
    assert processes[0] == processes[1]
    assert processes[1]
    unfinished = worker_executor._submit(worker_executor._play(job))
    await worker_executor.teardown(FakeWorker(tmp_path))
    with pytest.raises(CancelledError):  # and no bot has lost because it was sent away
        unfinished.result(10)
    assert "failed" in worker_executor.play(job.as_dict())
    assert not any(psutil.pid_exists(pid) for pid in processes[1])
    assert names_in(tmp_path) == ["home"]


def test_where_no_scheduler_is_one_sentence_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster_module, "CONNECT_S", 0.3)
    (tmp_path / "l.toml").write_text(TOML, encoding="utf-8")
    words = (str(tmp_path / "l.toml"), "--cluster")
    for address, code, said in (("tcp://127.0.0.1:9", 1, "No Dask scheduler answers at"), ("room-4", 2, "tcp://name")):
        result = CliRunner().invoke(run_command, [*words, address])
        assert (result.exit_code, result.exc_info and result.exc_info[0]) == (code, SystemExit)
        assert said in result.stderr
        assert "Traceback" not in result.stderr


def test_without_the_library_one_sentence_says_how_to_get_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "league.executors.cluster", None)
    (tmp_path / "l.toml").write_text(TOML, encoding="utf-8")
    result = CliRunner().invoke(run_command, [str(tmp_path / "l.toml"), "--cluster", "local"])
    assert result.exit_code == 1
    assert "pip install distributed" in result.stderr
    assert not (tmp_path / "l").exists()


# ------------------------------------------------------------------------------------------------- with real processes


@contextmanager
def dask(program: str, *words: str, folder: Path, path: str) -> Generator[subprocess.Popen[bytes]]:
    command = [sys.executable, "-P", "-W", "ignore", "-m", f"distributed.cli.dask_{program}", *words]
    with (folder / "dask.log").open("ab") as output:
        process = subprocess.Popen(
            command, env={**os.environ, "PYTHONPATH": path}, cwd=folder, stdout=output, stderr=output
        )
    try:
        yield process
    finally:
        process.kill()
        process.wait()


@contextmanager
def scheduler(folder: Path) -> Generator[tuple[str, subprocess.Popen[bytes]]]:
    """The address and the process of a scheduler that does not know Arbitre."""
    file = folder / "scheduler.json"
    words = ("--host", "127.0.0.1", "--port", "0", "--no-dashboard", "--scheduler-file", str(file))
    with dask("scheduler", *words, folder=folder, path="") as process:
        address: str | None = None
        for _ in range(2400):
            with suppress(OSError, ValueError):  # it is not there yet, or half written
                address = json.loads(file.read_text())["address"]
                break
            assert process.poll() is None, (folder / "dask.log").read_text()
            time.sleep(0.05)
        assert address is not None, "the scheduler says nothing"
        yield address, process


def worker(address: str, folder: Path) -> AbstractContextManager[subprocess.Popen[bytes]]:
    words = (address, "--no-nanny", "--nthreads", "1", "--no-dashboard", "--local-directory", str(folder))
    return dask("worker", *words, folder=folder, path=str(ROOT))


@pytest.mark.slow
def test_a_worker_that_is_killed_in_the_middle_changes_nothing(tmp_path: Path, expected: Season) -> None:
    home = home_in(tmp_path)
    league_ = described(games_per_pair=8, concurrency=2)
    with scheduler(tmp_path) as (address, _process), worker(address, tmp_path) as doomed, worker(address, tmp_path):
        left: list[psutil.Process] = []

        def tell(season: Season) -> None:
            if len(season.games) >= 6 and not left:
                children = psutil.Process(doomed.pid).children(recursive=True)
                if len(children) >= 3:  # on a busy machine the other one may have played all of these games
                    left.extend(children)
                    doomed.kill()

        season = run(tmp_path / "there", home, league_, partial(Cluster, address), tell)
        assert len(left) >= 3, "a server and two bots"
        assert soon_gone(left)
    assert games_of(season) == games_of(expected)
    assert table_of(season) == table_of(expected)
    assert verify(load(tmp_path / "there"))[0] == []


def soon_gone(processes: list[psutil.Process]) -> bool:
    """Whether none of them lives, in a while: who is killed takes time, and may stay as a zombie of nobody."""

    def lives(process: psutil.Process) -> bool:
        with suppress(psutil.NoSuchProcess):
            return bool(process.is_running() and process.status() != psutil.STATUS_ZOMBIE)
        return False

    for _ in range(600):
        if not any(map(lives, processes)):
            return True
        time.sleep(0.05)
    return False


@pytest.fixture(scope="module")
def expected(tmp_path_factory: pytest.TempPathFactory) -> Season:
    """The league of `described`, eight games a pair, as this machine alone plays it."""

    def make(folder: Path) -> Path:
        run(folder / "here", home_in(folder), described(games_per_pair=8), LocalExecutor)
        return folder / "here"

    return Season.of(load(once(tmp_path_factory, "expected", make)))


def killed_in_the_middle(folder: Path, doomed: list[subprocess.Popen[bytes]], executor: OpenExecutor) -> str:
    """What the league says that stops because these processes are killed after some games."""
    home = home_in(folder)

    def tell(season: Season) -> None:
        if len(season.games) >= 6:
            for process in doomed:
                process.kill()

    with pytest.raises(RunError) as stopped:
        run(folder / "there", home, described(games_per_pair=8), executor, tell)
    return str(stopped.value)


def gone_on_with(folder: Path, executor: OpenExecutor) -> Season:
    """The season after the rest of it was played by `executor`."""
    with Log(folder) as log:
        runner = LeagueRunner(log, executor)
        asyncio.run(runner.run())
    assert verify(load(folder))[0] == []
    return runner.season


@pytest.mark.slow
def test_a_league_whose_scheduler_dies_stops_and_goes_on_elsewhere(tmp_path: Path, expected: Season) -> None:
    with scheduler(tmp_path) as (address, process), worker(address, tmp_path):
        said = killed_in_the_middle(tmp_path, [process], partial(Cluster, address))
    assert said.startswith("No Dask scheduler answers at")
    assert "resume" in said
    there = load(tmp_path / "there")
    assert 6 <= len(Season.of(there).games) < 24
    season = gone_on_with(tmp_path / "there", LocalExecutor)
    assert games_of(season) == games_of(expected)
    assert table_of(season) == table_of(expected)


@pytest.mark.slow
def test_a_league_whose_workers_all_die_stops_and_goes_on_with_others(
    tmp_path: Path, expected: Season, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cluster_module, "PATIENCE_S", 3.0)
    with scheduler(tmp_path) as (address, _process):
        with worker(address, tmp_path) as one, worker(address, tmp_path) as two:
            said = killed_in_the_middle(tmp_path, [one, two], partial(Cluster, address))
        assert "has no workers" in said
        monkeypatch.undo()
        with worker(address, tmp_path):
            season = gone_on_with(tmp_path / "there", partial(Cluster, address))
    assert games_of(season) == games_of(expected)
    assert table_of(season) == table_of(expected)


@pytest.mark.slow
def test_a_worker_of_another_version_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hall_module, "VERSION", "9.9.9")
    monkeypatch.setattr(cluster_module, "VERSION", "9.9.9")
    with (
        scheduler(tmp_path) as (address, _process),
        worker(address, tmp_path),
        pytest.raises(RunError, match=f"has Arbitre {VERSION}, here it is 9.9.9: install the same"),
    ):
        run(tmp_path / "there", home_in(tmp_path), described(), partial(Cluster, address))


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGINT])
def test_a_league_that_is_stopped_takes_its_own_cluster_with_it_and_goes_on(tmp_path: Path, number: int) -> None:
    (tmp_path / "l.toml").write_text(TOML, encoding="utf-8")
    command = [sys.executable, "-P", "-m", "arbitre", "league"]
    process = subprocess.Popen(
        [*command, "run", "l.toml", "--cluster", "local"], cwd=tmp_path, start_new_session=True, text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)}, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip
    assert process.stderr is not None
    for line in process.stderr:
        if line.split()[0] == "5":
            break
    processes = psutil.Process(process.pid).children(recursive=True)
    assert len(processes) > 4, process.stderr.read()
    os.killpg(process.pid, number)
    _out, said = process.communicate(timeout=60)
    if number == signal.SIGINT:
        assert process.returncode == 128 + number
        assert "league resume l" in said
    assert "Traceback" not in said
    _gone, alive = psutil.wait_procs(processes, timeout=20)
    assert alive == []
    played = len(Season.of(load(tmp_path / "l")).games)
    assert 0 < played < 60
    if number == signal.SIGKILL:
        return
    subprocess.run(
        [*command, "resume", "l", "--cluster", "local"], cwd=tmp_path, env={**os.environ, "PYTHONPATH": str(ROOT)},
        check=True, capture_output=True,
    )  # fmt: skip
    entries = load(tmp_path / "l")
    assert verify(entries) == ([], 60)
