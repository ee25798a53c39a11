"""Grades the games of a league side by side: a process for each core, each with a solver of its own.

Values are exact, so it does not matter who found them. Where there is one core, or little memory, or a process can't be
started or is killed, the games are graded here, one after the other.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
import sys
import threading
from collections.abc import Callable, Generator, Iterator, Sequence
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnProcess
from pathlib import Path
from typing import Final, NamedTuple

import games
from bots.search import compiled
from bots.search.analysis import Analysis, analyse
from bots.search.solver import compiled_for, make_solver
from games.base import Game

Key = tuple[str, int]
"""Pairing and number of a game."""

WORKER_BYTES: Final = 512 << 20
"""What a process needs at most: its solver's table, Python and the compiled search."""


class Task(NamedTuple):
    """A game to be graded, from ply `first` on."""

    key: Key
    moves: tuple[str, ...]
    first: int


def workers_for(tasks: int) -> int:
    """How many processes grade `tasks` games on this machine; 1 if more are not worth it."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    room = memory_left()
    return max(1, min(cores, tasks // 2, cores if room is None else room // WORKER_BYTES))


def memory_left(root: Path = Path("/")) -> int | None:
    """Bytes that new processes may take, by the system and by its group's limit; None where nothing says so."""
    found: list[int] = []
    with contextlib.suppress(OSError, ValueError):
        lines = (root / "proc/meminfo").read_text(encoding="ascii").splitlines()
        found += [int(line.split()[1]) << 10 for line in lines if line.startswith("MemAvailable:")]
    with contextlib.suppress(OSError, ValueError):  # "max" is no number: no limit
        group = root / "sys/fs/cgroup"
        limit, used = ((group / name).read_text(encoding="ascii") for name in ("memory.max", "memory.current"))
        found.append(max(int(limit) - int(used), 0))
    return min(found, default=None)


def grade(
    game: Game,
    tasks: Sequence[Task],
    seconds: float,
    *,
    workers: int,
    tell: Callable[[int], None] = lambda _done: None,
    hear: Callable[[str], None] = lambda _line: None,
) -> dict[Key, Analysis]:
    """What the solver says of each game, by its key, in the order of `tasks`; nothing where there is no solver.

    seconds: for each position. tell: hears how many are graded, several times a second. hear: is told of compiling.
    Whatever ends this call, the processes end with it.
    """
    compiled.prepare(compiled_for(game), hear)
    graded: dict[Key, Analysis] = {}
    for key, analysis in _all(game, tasks, seconds, workers, lambda: tell(len(graded))):
        graded[key] = analysis
        tell(len(graded))
    return {task.key: graded[task.key] for task in tasks if task.key in graded}


Graded = Iterator[tuple[Key, Analysis]]


def _all(game: Game, tasks: Sequence[Task], seconds: float, workers: int, tick: Callable[[], None]) -> Graded:
    """The games as they get ready; what processes leave undone is done here."""
    left = {task.key: task for task in tasks}
    if workers > 1:
        for key, analysis in _side_by_side(game, tasks, seconds, workers, tick):
            del left[key]
            yield key, analysis
    solver = make_solver(game) if left else None
    if solver is None:
        return
    for task in left.values():
        yield task.key, analyse(game, task.moves, solver, seconds, first=task.first, listen=lambda _ply: tick())


_TICK_S = 0.25


def _side_by_side(game: Game, tasks: Sequence[Task], seconds: float, workers: int, tick: Callable[[], None]) -> Graded:
    with contextlib.ExitStack() as stack:
        links: list[Connection] = []
        for _number in range(workers):
            with contextlib.suppress(OSError):
                links.append(stack.enter_context(_worker(game.spec, seconds)))
        rest = iter(tasks)
        busy = [link for link in links if _give(link, rest)]
        while busy:
            for link in wait(busy, _TICK_S):
                assert isinstance(link, Connection)
                try:
                    answer: tuple[Key, Analysis] | None = link.recv()
                except (EOFError, OSError):  # killed, for want of memory perhaps
                    answer = None
                if answer is not None:
                    yield answer
                if answer is None or not _give(link, rest):
                    busy.remove(link)
            tick()


def _give(link: Connection, tasks: Iterator[Task]) -> bool:
    """Hands the next game to a process; false if there is none, or the process is gone."""
    task = next(tasks, None)
    if task is None:
        return False
    try:
        link.send(task)
    except OSError:
        return False
    return True


@contextlib.contextmanager
def _worker(spec: str, seconds: float) -> Generator[Connection]:
    """The connection to a process that grades; the process is killed afterwards."""
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    process = context.Process(target=_serve, args=(theirs, spec, seconds), daemon=True)
    try:
        with _without_interrupts():
            process.start()
        theirs.close()
        yield ours
    finally:
        ours.close()
        _end(process)


def _end(process: SpawnProcess) -> None:
    if process.pid is not None:
        process.kill()
        process.join()


@contextlib.contextmanager
def _without_interrupts() -> Generator[None]:
    """Ctrl-C reaches the whole process group: a process started in here never gets it, and we get it afterwards."""
    if sys.platform == "win32":
        yield
        return
    resource_tracker.ensure_running()  # its start would let the signal through again
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


# ---------------------------------------------------------------------------------------------------- in the process


def _serve(link: Connection, spec: str, seconds: float) -> None:
    """Grades what it is given, until the connection ends: then nobody waits for an answer any more."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    game = games.parse(spec)
    try:
        solver = make_solver(game)
    except MemoryError:
        solver = None
    if solver is None:
        return  # the parent grades without us
    inbox: list[Task] = []
    come = threading.Semaphore(0)

    def read() -> None:
        """On a thread, so that a process whose league is gone does not search on."""
        while True:
            try:
                inbox.append(link.recv())
            except (EOFError, OSError):
                os._exit(0)
            come.release()

    threading.Thread(target=read, daemon=True).start()
    while True:
        come.acquire()
        task = inbox.pop(0)
        try:
            link.send((task.key, analyse(game, task.moves, solver, seconds, first=task.first)))
        except OSError:
            return
