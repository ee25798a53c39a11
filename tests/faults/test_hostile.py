"""Rows 48 to 54: twelve hostile programs as bots, ten games each against `random`, on a real server.

Each loses by the right reason, leaves a capsule of each failure and no process, and its runner goes on.
"""

import asyncio
import contextlib
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from itertools import count
from pathlib import Path
from typing import NamedTuple

import pytest

from bots.failures import capsule
from bots.failures.capsule import Capsule
from client.connection import Client
from league.executors.local_server import arbitre
from processes.child import Child
from processes.counting import descendants
from protocol.messages import Clock, Create, Finished, Result
from tests.faults.serving import ROOT, Serving, serving
from tests.processes.bubblewrap import need_bubblewrap

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="only Linux shows and adopts processes")

PROGRAMS = Path(__file__).parent / "hostile"
GAMES = 10
NUMBERS = count()
PATIENCE_S = 60
LEAVE_S = 10
LONG = Clock(initial_ms=120_000)
SHORT = Clock(move_ms=1000)


class Hostile(NamedTuple):
    """What is expected of a program: how its matches end, and what its message and its stderr hold.

    at_once: how many of its games are played at the same time.
    """

    reason: str
    words: str
    stderr: str = ""
    clock: Clock = LONG
    options: tuple[str, ...] = ()
    at_once: int = GAMES


HOSTILE = {
    "hangs": Hostile("timeout", "did not answer before its time was over", clock=SHORT),
    "crashes_at_start": Hostile("crash", "ended, with code 1", "no model found"),
    "crashes_later": Hostile("crash", "ended, with code 1", "ZeroDivisionError"),
    "garbage": Hostile("crash", "wrote a line of more than 64 KiB"),
    "loud": Hostile("timeout", "did not answer before its time was over", "thinking ... ", SHORT),
    "stubborn": Hostile("timeout", "did not answer before its time was over", clock=SHORT),
    "forks": Hostile("crash", "was stopped: it ran more than 64 processes", at_once=3),
    "hogs_memory": Hostile("crash", "ended, with code 1", "MemoryError", options=("--memory", "64M")),
    "late": Hostile("timeout", "did not answer before its time was over", clock=SHORT),
    "last_position": Hostile("illegal", "answered"),
    "illegal": Hostile("illegal", "answered 'j10'"),
    "looks_around": Hostile("crash", "ended, with code 1", "kept in", options=("--sandbox",)),
}

USUAL = frozenset({"crashes_later", "stubborn", "illegal", "looks_around"})
"""One for each reason, and the sandbox. The rest is slow: tests/bots/adapters/test_engine.py has its like in small."""


@pytest.fixture(scope="module")
def server() -> Iterator[Serving]:
    with serving() as running:
        yield running


@pytest.fixture(scope="module")
def opponent(server: Serving) -> Iterator[str]:
    """The name of `random` on the server."""
    command = [sys.executable, "-m", "arbitre", "bot", "random", f"ws://127.0.0.1:{server.port}", "--seed", "1"]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            yield process.stdout.readline().strip().removeprefix("ready ")
        finally:
            process.terminate()


@pytest.fixture
async def organiser(server: Serving) -> AsyncIterator[Client]:
    async with Client(f"ws://127.0.0.1:{server.port}", name=f"organiser {next(NUMBERS)}", kind="human") as client:
        yield client


@pytest.fixture
def bots(tmp_path: Path) -> Iterator[Path]:
    """The programs in a folder of their own; beside it a secret of the user's, and somebody who listens."""
    folder = Path(shutil.copytree(PROGRAMS, tmp_path / "bots"))
    (tmp_path / "secret").write_text("42")
    with socket.create_server(("127.0.0.1", 0)) as listening:
        (folder / "looks_around.targets").write_text(f"{tmp_path}/secret\n{listening.getsockname()[1]}\n")
        yield folder


def joining(server: Serving, program: Path, *options: str) -> Child:
    """A bot process that plays with that program, its capsules in a folder beside it."""
    command = ("bot", f"stdio:{sys.executable} {program}", f"ws://127.0.0.1:{server.port}")
    return arbitre(*command, "--capsules", str(program.parent / "capsules"), *options, name=program.name)


async def play(
    organiser: Client, pairs: Sequence[tuple[str, str]], clock: Clock, at_once: int
) -> list[tuple[tuple[str, str], Result]]:
    """Plays a game of morpion for each of the `pairs`, who starts first; each with its result."""
    results: list[tuple[tuple[str, str], Result]] = []
    left, running = list(pairs), dict[str, tuple[str, str]]()
    messages = organiser.messages()
    async with asyncio.timeout(PATIENCE_S):
        while left or running:
            while left and len(running) < at_once:
                pair = left.pop()
                answer = await organiser.request(
                    Create, game="morpion", clock=clock, seat="first", play=False, invite=pair
                )
                running[str(answer.match)] = pair
            async for message in messages:
                if isinstance(message, Finished) and message.match in running:
                    results.append((running.pop(message.match), message.result))
                    break
    return results


async def until(condition: Callable[[], bool]) -> bool:
    """Whether `condition` comes true within all the time that leaving may take."""
    end = time.monotonic() + LEAVE_S
    while not condition():
        if time.monotonic() > end:
            return False
        await asyncio.sleep(0.02)
    return True


def left_of(bot: int, program: Path) -> list[str]:
    """What there is below the bot process, or of the program anywhere."""
    found = [f"below: {pid}" for pid in descendants(bot)]
    for entry in Path("/proc").iterdir():
        with contextlib.suppress(OSError):
            if entry.name.isdigit() and int(entry.name) != bot:
                words = (entry / "cmdline").read_bytes().decode(errors="replace").split("\0")
                found += [f"{entry.name}: {words}"] if str(program) in words else []
    return found


def read_all(folder: Path) -> list[Capsule]:
    return [capsule.read(path) for path in sorted(folder.iterdir())]


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=() if name in USUAL else pytest.mark.slow) for name in HOSTILE]
)
async def test_it_loses_by_the_right_reason_and_leaves_nothing(
    name: str, server: Serving, opponent: str, organiser: Client, bots: Path
) -> None:
    hostile, program = HOSTILE[name], bots / f"{name}.py"
    if "--sandbox" in hostile.options:
        need_bubblewrap()
    async with joining(server, program, *hostile.options) as child:
        me = (await child.first_line(PATIENCE_S)).removeprefix("ready ")
        pairs = [(me, opponent), (opponent, me)] * (GAMES // 2)
        results = await play(organiser, pairs, hostile.clock, hostile.at_once)
        assert [result.reason for _, result in results] == [hostile.reason] * GAMES
        assert all(pair[result.winner - 1] == opponent for pair, result in results if result.winner)
        assert await until(lambda: not left_of(child.pid, program)), left_of(child.pid, program)
        assert await until(lambda: child.stderr.count("bot replay") == GAMES), child.stderr
        assert child.exit_code is None
        told = child.stderr
    found = read_all(bots / "capsules")
    assert len(found) == GAMES
    for failed in found:
        assert (failed.reason, failed.game) == (hostile.reason, "morpion")
        assert hostile.words in failed.message
        assert hostile.stderr in failed.stderr
        assert len(failed.stderr) <= 16 << 10
    assert not any("Traceback" in line and "| " not in line for line in told.splitlines())


async def test_free_to_look_around_it_plays(server: Serving, opponent: str, organiser: Client, bots: Path) -> None:
    """What the sandbox prevents works without it: the test above would pass with a program that fails anyhow."""
    async with joining(server, bots / "looks_around.py") as child:
        me = (await child.first_line(PATIENCE_S)).removeprefix("ready ")
        ((_, result),) = await play(organiser, [(me, opponent)], LONG, 1)
    assert result.reason in {"line", "full"}


def test_a_contest_hands_the_sandbox_on(bots: Path) -> None:
    need_bubblewrap()
    bot = f"stdio:{sys.executable} {bots / 'looks_around.py'}"
    contest = ["match", "--game", "morpion", bot, "random", "--sandbox", "--json"]
    ran = subprocess.run([sys.executable, "-m", "arbitre", *contest], cwd=ROOT, capture_output=True, check=False)
    record = json.loads(ran.stdout)
    assert (record["reason"], record["winner"], ran.returncode) == ("crash", 2, 1)
    assert b"kept in" in ran.stderr


async def test_nothing_is_left_of_a_bot_that_is_killed(
    server: Serving, opponent: str, organiser: Client, bots: Path
) -> None:
    program = bots / "stubborn.py"
    async with joining(server, program) as child:
        me = (await child.first_line(PATIENCE_S)).removeprefix("ready ")
        await organiser.request(Create, game="morpion", clock=LONG, seat="first", play=False, invite=(me, opponent))
        assert await until(lambda: len(descendants(child.pid)) >= 3)  # the supervisor, the program, its grandchild
        os.kill(child.pid, signal.SIGKILL)
        await child.wait()
        assert await until(lambda: not left_of(child.pid, program)), left_of(child.pid, program)


@pytest.mark.slow
async def test_one_program_on_both_seats(server: Serving, organiser: Client, tmp_path: Path) -> None:
    """Row 57: two names, and a process for each seat of each match."""
    program, played = tmp_path / "counts.py", tmp_path / "played"
    played.mkdir()
    program.write_text(
        "import os, sys\n"
        "for count, line in enumerate(sys.stdin):\n"
        f"    open(f'{played}/{{os.getpid()}}', 'a').write(f'{{count}} ')\n"
        "    print(line.split()[-1], flush=True)\n"
    )
    async with joining(server, program) as one, joining(server, program) as other:
        names = [(await child.first_line(PATIENCE_S)).removeprefix("ready ") for child in (one, other)]
        assert len(set(names)) == 2
        results = await play(organiser, [(names[0], names[1])] * 4, LONG, 4)
        assert [result.reason for _, result in results] == ["line"] * 4
    counts = [path.read_text() for path in played.iterdir()]
    assert sorted(counts) == ["0 1 2 "] * 4 + ["0 1 2 3 "] * 4
