"""Games graded side by side: the same grades as one after the other, and no process is left, whatever happens."""

import os
import random
import signal
import subprocess
import sys
import time
from multiprocessing.context import SpawnProcess
from pathlib import Path

import pytest

import games
from bots.search.analysis import analyse
from bots.search.solver import make_solver, solve
from games.base import Game, position_after
from league.report import grading
from league.report.grading import Task, grade, memory_left, workers_for

ROOT = Path(__file__).parents[3]
PATIENCE_S = 60.0


def some_games(game: Game, count: int) -> list[Task]:
    rng, found = random.Random(5), list[Task]()
    for number in range(count):
        position, moves = game.start(), list[str]()
        while position.outcome() is None:
            moves.append(rng.choice(position.legal_moves()))
            position = position.play(moves[-1])
        found.append(Task((f"1.{number}.1", 1 + number % 2), tuple(moves), max(len(moves) - 11, 0)))
    return found


@pytest.mark.slow
@pytest.mark.parametrize("workers", [1, 2])
def test_the_grades_are_those_of_one_game_after_the_other(workers: int) -> None:
    game = games.parse("othello")
    tasks, told = some_games(game, 5), list[int]()
    graded = grade(game, tasks, 60.0, workers=workers, tell=told.append)
    assert list(graded) == [task.key for task in tasks]
    assert told[-1] == 5
    for task in tasks:
        solver = make_solver(game, 8)
        assert solver is not None
        analysis = graded[task.key]
        assert analysis == analyse(game, task.moves, solver, None, first=task.first)
        for step in analysis.steps:
            position = position_after(game, task.moves[: step.ply])
            solution = solve(solver, position)  # all moves valued exactly: as grades were made before
            assert step.before == solution.value
            assert step.after == solution.moves[step.move]
            assert step.best == (() if step.loss == 0 else solution.best)


def test_what_a_killed_process_leaves_is_graded_here(monkeypatch: pytest.MonkeyPatch) -> None:
    game = games.parse("morpion")
    tasks = some_games(game, 4)
    began = SpawnProcess.start
    killed: list[int] = []

    def start_and_kill(process: SpawnProcess) -> None:
        began(process)
        assert process.pid is not None
        killed.append(process.pid)
        os.kill(process.pid, signal.SIGKILL)

    monkeypatch.setattr(SpawnProcess, "start", start_and_kill)
    graded = grade(game, tasks, 60.0, workers=2)
    assert len(killed) == 2
    assert list(graded) == [task.key for task in tasks]


def test_one_core_or_little_memory_is_one_process(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "sched_getaffinity", lambda _pid: set(range(8)), raising=False)
    monkeypatch.setattr(grading, "memory_left", lambda: None)
    assert [workers_for(count) for count in (0, 1, 3, 4, 100)] == [1, 1, 1, 2, 8]
    monkeypatch.setattr(grading, "memory_left", lambda: 3 * grading.WORKER_BYTES)
    assert workers_for(100) == 3
    monkeypatch.setattr(grading, "memory_left", lambda: 64 << 20)
    assert workers_for(100) == 1
    monkeypatch.setattr(os, "sched_getaffinity", lambda _pid: {0}, raising=False)
    assert workers_for(100) == 1


def test_memory_is_what_the_system_or_the_group_leaves(tmp_path: Path) -> None:
    assert memory_left(tmp_path) is None
    (tmp_path / "proc").mkdir()
    (tmp_path / "proc" / "meminfo").write_text("MemTotal: 999 kB\nMemAvailable:    2048 kB\n")
    assert memory_left(tmp_path) == 2 << 20
    group = tmp_path / "sys" / "fs" / "cgroup"
    group.mkdir(parents=True)
    (group / "memory.current").write_text("1000000\n")
    (group / "memory.max").write_text("max\n")
    assert memory_left(tmp_path) == 2 << 20
    (group / "memory.max").write_text("1500000\n")
    assert memory_left(tmp_path) == 500_000


GRADER = """
import sys
import games
from league.report.grading import Task, grade

if __name__ == "__main__":
    moves = tuple("f5 d6 c3 d3 c4 f4 f6 f3 e6 e7".split())
    tasks = [Task((str(n), 1), moves, 0) for n in range(8)]
    grade(games.parse("othello"), tasks, 600.0, workers=2, tell=lambda done: print(done, flush=True))
"""


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_no_process_outlives_the_one_that_asked(number: signal.Signals, tmp_path: Path) -> None:
    script = tmp_path / "grader.py"
    script.write_text(GRADER, encoding="utf-8")
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    with subprocess.Popen(
        [sys.executable, str(script)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment, text=True,
        start_new_session=True,
    ) as child:  # fmt: skip
        assert child.stdout is not None
        child.stdout.readline()  # the processes are there
        began = time.monotonic()
        os.killpg(child.pid, number) if number is signal.SIGINT else child.send_signal(number)
        child.wait(PATIENCE_S)
        while _of_group(child.pid):
            assert time.monotonic() - began < PATIENCE_S, "a process is left"
            time.sleep(0.05)
        if number is signal.SIGINT:
            assert child.stderr is not None
            assert child.stderr.read().count("Traceback") == 1  # ours: the processes say nothing


def _of_group(group: int) -> bool:
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    return True
