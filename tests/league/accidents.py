"""Leagues in which what plays them dies at random moments: kill -9, one process after the other.

Who dies is the runner of the league, the server that it started, one of Arbitre's own processes that stand between
that server and a bot, or the bot's own program. The first three are nobody's fault: the table has to be that of the
league without accidents, game by game. A program that dies has failed, and nobody else has.
"""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path
from typing import NamedTuple

from league.executors.local import FORGIVEN
from league.history.log import load
from league.history.season import Season
from league.history.verification import verify
from league.played import Played

ROOT = Path(__file__).resolve().parents[2]
PATIENCE_S = 240.0
MOST_APART_S = 1.0
"""Seconds between two accidents, at most."""

GOES_ON_S = 30.0
"""Seconds in which a league finishes a pairing, whatever dies."""

PROGRAM = '''\
"""Plays the last move that it may, and takes its time for it."""
import sys, time

for line in sys.stdin:
    if words := line.split():
        time.sleep(0.03)
        print(words[-1], flush=True)
'''

PUPIL = '''\
"""A pupil's file that is slow."""
import time


def choose(position):
    time.sleep(0.01)
    return position.legal_moves()[0]
'''

LEAGUE = """\
[league]
name = "Accidents"
game = "puissance4"
clock = "none"
openings = "random:plies=4"
games_per_pair = {games}
seed = {seed}
concurrency = 1
faults = 1000
[[bot]]
name = "Ada"
run = "random"
[[bot]]
name = "Bob"
run = "lookahead:ply=1"
[[bot]]
name = "Cleo"
run = "stdio:{python} cleo.py"
[[bot]]
name = "Dan"
run = "stdio:{python} cleo.py"
"""


class Victim(Enum):
    """What dies."""

    RUNNER = "the league's runner"
    SERVER = "the league's server"
    ADAPTER = "a bot's process of ours"
    KEEPER = "a program's supervisor"
    PROGRAM = "a bot's own program"


WITH_PROGRAMS = ("Cleo", "Dan")
"""The bots of the league that have a program of their own."""

OURS = (Victim.RUNNER, Victim.SERVER, Victim.ADAPTER, Victim.KEEPER)
"""Whose death is nobody's fault."""


@dataclass(slots=True)
class Course:
    """How a league went: how often what died, how often it was started, and its games.

    struck: how often a process of ours died that plays each bot, by the bot's name.
    """

    deaths: Counter[Victim] = field(default_factory=Counter)
    struck: Counter[str] = field(default_factory=Counter)
    starts: int = 0
    games: dict[tuple[str, int], Played] = field(default_factory=dict)
    finished: bool = False
    complaints: list[str] = field(default_factory=list)


class Member(NamedTuple):
    """A process of a league; bot: the name of the one that it plays."""

    pid: int
    kind: Victim
    bot: str = ""


class BrokenLeagueError(AssertionError):
    """A league lost a result, has one twice, or charged somebody who did nothing."""


def describe(folder: Path, seed: int, games: int) -> None:
    """Writes the league's file and its programs."""
    folder.mkdir(parents=True)
    (folder / "cleo.py").write_text(PROGRAM, encoding="utf-8")
    text = LEAGUE.format(seed=seed, games=games, python=sys.executable)
    (folder / "league.toml").write_text(text, encoding="utf-8")


def play(
    folder: Path, seed: int, victims: Sequence[Victim], accidents: int, *, games: int = 2, chance: int = 0
) -> Course:
    """Plays a league to its end in `folder`, with so many accidents at most; raises BrokenLeagueError.

    seed: the league's. chance: what the moments and the victims come from.
    """
    describe(folder, seed, games)
    rng = random.Random(chance)
    course = Course()
    words = ["run", "league.toml"]
    deadline = time.monotonic() + PATIENCE_S
    while True:
        course.starts += 1
        with start(folder, *words) as process:
            while process.poll() is None and sum(course.deaths.values()) < accidents:
                time.sleep(rng.uniform(0.1, MOST_APART_S))
                before = _size(folder)
                if _strike(process, rng.choice(victims), rng, course):
                    _wait_for_a_pairing(process, folder, before)
            try:
                _said, complained = process.communicate(timeout=max(1.0, deadline - time.monotonic()))
            except subprocess.TimeoutExpired:
                process.kill()
                raise BrokenLeagueError(f"{folder.name}: the league does not end") from None
        if process.returncode == 0:
            break
        # One server after the other has died.
        is_stopped = process.returncode == 1 and "The league stops: " in complained
        if process.returncode != -signal.SIGKILL and not is_stopped:
            raise BrokenLeagueError(f"{folder.name}: ended with {process.returncode}: {complained}")
        if (folder / "league" / "league.jsonl").exists():
            words = ["resume", "league"]
    _look(folder, course)
    return course


def start(folder: Path, *words: str) -> subprocess.Popen[str]:
    """A command of `arbitre league`; what it says on standard error is for whoever started it."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    return subprocess.Popen(
        [sys.executable, "-P", "-m", "arbitre", "--lang", "en", "league", *words], cwd=folder, env=environment,
        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip


def _strike(process: subprocess.Popen[str], victim: Victim, rng: random.Random, course: Course) -> bool:
    """Kills one of those, if there is one now; whether there was.

    A program may lose `FORGIVEN` more of our processes than others do, then it is charged: those of it are spared.
    """
    charged = [name for name in WITH_PROGRAMS if course.struck[name] >= FORGIVEN]
    struck = kill_one(process, victim, rng.choice, spared=() if victim is Victim.PROGRAM else charged)
    if struck is None:
        return False
    course.deaths[victim] += 1
    course.struck[struck] += victim is not Victim.PROGRAM
    if victim is Victim.RUNNER:
        process.wait()
    return True


def kill_one(
    process: subprocess.Popen[str],
    victim: Victim,
    choose: Callable[[Sequence[Member]], Member] = lambda found: found[0],
    *,
    spared: Collection[str] = (),
) -> str | None:
    """Kills one of the processes of the league that `process` runs, but for those of the bots `spared`.

    Returns the name of the bot that it played, "" if it was none's; None if there was no such process.
    """
    if victim is Victim.RUNNER:
        found = [Member(process.pid, victim)] if process.poll() is None else []
    else:
        found = [member for member in _family(process.pid) if member.kind is victim and member.bot not in spared]
    if not found:
        return None
    with suppress(ProcessLookupError):
        chosen = choose(found)
        os.kill(chosen.pid, signal.SIGKILL)
        return chosen.bot
    return None


def _wait_for_a_pairing(process: subprocess.Popen[str], folder: Path, before: int) -> None:
    """Waits until the league has gone on: what happens three times in one game is its bot's fault."""
    until = time.monotonic() + GOES_ON_S
    while process.poll() is None and _size(folder) == before and time.monotonic() < until:
        time.sleep(0.02)


def _size(folder: Path) -> int:
    """How much the league's log holds, in bytes."""
    log = folder / "league" / "league.jsonl"
    return log.stat().st_size if log.exists() else 0


def _family(root: int) -> Iterator[Member]:
    """Whoever plays the league of a runner."""
    children: dict[int, list[int]] = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            with suppress(OSError, IndexError, ValueError):
                parent = int((entry / "stat").read_text(encoding="utf-8").rpartition(")")[2].split()[1])
                children.setdefault(parent, []).append(int(entry.name))
    for child in children.get(root, ()):
        words = _command(child)
        if "serve" in words:
            yield Member(child, Victim.SERVER)
        elif "bot" in words:
            bot = words[words.index("--name") + 1]
            yield Member(child, Victim.ADAPTER, bot)
            for supervisor in children.get(child, ()):
                yield Member(supervisor, Victim.KEEPER, bot)
                yield from (Member(program, Victim.PROGRAM, bot) for program in children.get(supervisor, ()))


def _command(pid: int) -> list[str]:
    with suppress(OSError):
        return Path(f"/proc/{pid}/cmdline").read_text(encoding="utf-8").split("\0")
    return []


def _look(folder: Path, course: Course) -> None:
    entries = load(folder / "league")
    course.complaints = verify(entries)[0]
    season = Season.of(entries)
    course.finished = season.finished
    for game in season.games:
        key = game.pairing, game.number
        if key in course.games:
            raise BrokenLeagueError(f"{folder.name}: game {key} stands in the log twice")
        course.games[key] = game
    if course.complaints or not season.finished:
        raise BrokenLeagueError(f"{folder.name}: {course.complaints or 'not finished'}")


def check(course: Course, whole: Course, may_fail: Collection[str] = ()) -> None:
    """Raises BrokenLeagueError unless all was played, nobody failed but who may, and the rest went as in `whole`.

    whole: the same league without an accident.
    """
    if course.games.keys() != whole.games.keys():
        raise BrokenLeagueError(f"other games: {sorted(course.games.keys() ^ whole.games.keys())}")
    for key, game in course.games.items():
        if game.faulty is not None:
            if game.faulty not in may_fail:
                raise BrokenLeagueError(f"{key}: {game.faulty} was charged: {game.reason}, {game.detail}")
        elif (game.moves, game.winner) != (whole.games[key].moves, whole.games[key].winner):
            raise BrokenLeagueError(f"{key}: another game than without accidents")
