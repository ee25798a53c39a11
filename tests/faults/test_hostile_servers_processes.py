"""Hostile servers and the commands themselves, as processes: a sentence, and Ctrl-C within a second."""

import asyncio
import os
import signal
import subprocess
import sys
import time
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from tests.effort import seconds_to_end
from tests.faults.hostile_servers import HOSTILE
from tests.faults.scripted import ScriptedServer
from tests.programs import leave

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform == "win32", reason="signals and pseudo-terminals are POSIX"),
]

ROOT = Path(__file__).parents[2]
STARTS_S = 30.0
LEAVES_S = 1.5
"""A second, and half of one for an interpreter to end; what others had the cores for is not counted."""

COMMANDS = {
    "play": ("play", "--plain", "{url}", "--name", "Ada"),
    "watch": ("watch", "{url}", "m1"),
    "bot": ("bot", "first", "{url}"),
    "admin": ("admin", "list", "{url}"),
}


def command(name: str, server: ScriptedServer) -> list[str]:
    words = [word.replace("{url}", f"ws://127.0.0.1:{server.port}") for word in COMMANDS[name]]
    return [sys.executable, str(ROOT / "arbitre.py"), "--lang", "en", *words]


def environment(home: Path) -> dict[str, str]:
    return {**os.environ, "ARBITRE_STATE_DIR": str(home), "ARBITRE_ORGANISER_TOKEN": "secret"}


@contextmanager
def started(name: str, server: ScriptedServer, home: Path) -> Generator[subprocess.Popen[bytes]]:
    """A command at an open standard input; what it writes stands in the files `out` and `err` of its home."""
    with (
        (home / "out").open("wb") as out,
        (home / "err").open("wb") as err,
        subprocess.Popen(
            command(name, server), env=environment(home), stdin=subprocess.PIPE, stdout=out, stderr=err
        ) as process,
    ):
        try:
            yield process
        finally:
            process.kill()


async def dialled(server: ScriptedServer) -> None:
    async with asyncio.timeout(STARTS_S):
        await server.came.wait()
    await asyncio.sleep(0.5)  # whatever it does, it is doing it now


@pytest.mark.parametrize("name", COMMANDS)
async def test_a_welcome_with_limits_of_0_is_named(name: str, tmp_path: Path) -> None:
    async with ScriptedServer(HOSTILE["limits of 0"].script) as server:
        with started(name, server, tmp_path) as process:
            assert await asyncio.to_thread(process.wait, STARTS_S) == 1
    assert (tmp_path / "out").read_bytes() == b""
    assert (tmp_path / "err").read_text(encoding="utf-8") == (
        "Error: The server says something that can't be read (welcome: field `limits.max_frame_bytes` must be a whole "
        "number from 256 to 9007199254740991). It may be of a later version: update Arbitre, or tell whoever runs the "
        "server.\n"
    )


@pytest.mark.parametrize(
    ("name", "hostile", "number", "code"),
    [
        ("play", "says nothing", signal.SIGTERM, 143),
        ("play", "talks before welcome", signal.SIGINT, 130),
        ("watch", "answers nothing", signal.SIGTERM, 143),
        ("watch", "says nothing", signal.SIGINT, 130),
        ("bot", "invites without end", signal.SIGINT, 0),
        ("bot", "never reads", signal.SIGTERM, 0),
        ("admin", "answers nothing", signal.SIGINT, 130),
        ("admin", "half a handshake", signal.SIGTERM, 143),
    ],
)
async def test_a_signal_ends_it_within_a_second(
    name: str, hostile: str, number: int, code: int, tmp_path: Path
) -> None:
    async with ScriptedServer(HOSTILE[hostile].script) as server:
        with started(name, server, tmp_path) as process:
            await dialled(server)
            assert process.poll() is None
            assert await asyncio.to_thread(seconds_to_end, process.pid, partial(process.send_signal, number)) < LEAVES_S
            assert process.wait() in {code, 128 + number}
    assert "Traceback" not in (tmp_path / "err").read_text(encoding="utf-8")


@pytest.mark.parametrize("reads", [True, False], ids=["a terminal", "a terminal that nobody reads"])
async def test_ctrl_c_on_a_terminal_in_a_flood(tmp_path: Path, *, reads: bool) -> None:
    pexpect: Any = pytest.importorskip("pexpect")
    async with ScriptedServer(HOSTILE["a flood of errors"].script) as server:
        program, *arguments = command("play", server)
        terminal = environment(tmp_path) | {"TERM": "xterm"}
        child = await asyncio.to_thread(pexpect.spawn, program, arguments, env=terminal, timeout=STARTS_S)
        try:
            await dialled(server)
            if reads:
                await asyncio.to_thread(child.expect, "Not so fast")
            rest = asyncio.create_task(asyncio.to_thread(child.expect, pexpect.EOF) if reads else asyncio.sleep(0))
            assert await asyncio.to_thread(seconds_to_end, child.pid, child.sendintr) < LEAVES_S
            await rest
            assert not reads or b"Traceback" not in child.before
        finally:
            leave(child)
    assert child.exitstatus == 130


STUCK = """
import asyncio, signal, sys
sys.path.insert(0, sys.argv[1])
from processes import stopping

async def work():
    print("at work", flush=True)
    while True:
        pass

stopping.run(work(), within_s=stopping.AT_MOST_S)
"""


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_loop_that_never_turns_is_ended_too(number: int) -> None:
    arguments: Sequence[str] = (sys.executable, "-c", STUCK, str(ROOT))
    with subprocess.Popen(arguments, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "at work\n"
        began = time.monotonic()  # a loop that is never done is always waiting for a core, so that counts here
        process.send_signal(number)
        try:
            assert process.wait(STARTS_S) == 128 + number
        finally:
            process.kill()
        assert time.monotonic() - began < LEAVES_S
