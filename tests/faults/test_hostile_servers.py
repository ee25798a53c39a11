"""Rows 70 to 75: hostile servers, each against a real bot and a real person's client on a real socket.

Whatever a server does, its client goes on or ends with a sentence, in bounded time, memory and number of dials; leaving
takes less than a second; nothing is left for the event loop to complain of, and nothing moves a person's cursor.
"""

import asyncio
import gc
import random
import sys
import time
from collections import deque
from collections.abc import Coroutine
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import pytest

from bots.base import parse_bot
from bots.running.runner import BotRunner, RunSettings
from client import connection, handshake, wire
from client.connection import Client
from client.errors import ClientError, NoProgress, Silent
from client.explanations import explain
from client.people.plain import PlainMatch
from client.people.seating import Wish, find_seat
from terminal.board import Style
from tests.client.fakes import FakeServer
from tests.effort import kept_waiting_s
from tests.faults.hostile_servers import HOSTILE, Hostile
from tests.faults.scripted import ScriptedServer

ENDS_S = 60.0
"""How long a client may take to give up here, where it waits less than elsewhere."""

GOES_ON_S = 0.5
"""How long one that goes on is watched."""

LEAVES_S = 1.0
GROWTH_BYTES = 150 << 20
"""What client and server together may take in that time: 100 MB were seen in a flood of the largest frames."""


class Quiet:
    """A terminal at which somebody looks and types nothing; `unsafe` keeps what would move the cursor."""

    interactive = True

    def __init__(self) -> None:
        self.shown: deque[str] = deque(maxlen=100)
        self.unsafe: list[str] = []

    def show(self, *lines: str) -> None:
        self.shown.extend(lines)
        self.unsafe += [line for line in lines if not line.isprintable()]

    async def line(self) -> str | None:
        await asyncio.Event().wait()
        return None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        pass


async def as_bot(client: Client) -> None:
    settings = RunSettings(parse_bot("first"), "1")
    async with client:
        await BotRunner(client, settings, lambda _text: None).run()


async def as_person(client: Client, terminal: Quiet) -> None:
    async with client:
        seating = await find_seat(client, Wish(game="morpion"), None)
        match = PlainMatch(client, terminal, Style(ascii=True, colour=False), seating.match, stay=False)
        await match.run()


@pytest.fixture(autouse=True)
def hurry(monkeypatch: pytest.MonkeyPatch) -> None:
    """Waits that are long enough on this machine alone."""
    monkeypatch.setattr(connection, "FIRST_DELAY_S", 0.02)
    monkeypatch.setattr(connection, "MAX_DELAY_S", 0.1)
    monkeypatch.setattr(connection, "ANSWER_S", 0.6)
    monkeypatch.setattr(wire, "OPEN_TIMEOUT_S", 0.3)
    monkeypatch.setattr(handshake, "OPEN_TIMEOUT_S", 0.3)


def resident_bytes() -> int:
    gc.collect()
    return int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1]) * 4096 if sys.platform == "linux" else 0


def client_for(server: ScriptedServer, hostile: Hostile, kind: str) -> Client:
    url = f"{hostile.scheme}://127.0.0.1:{server.port}"
    return Client(url, name="Ada", kind="bot" if kind == "bot" else "human", first_patience_s=0.5, rng=random.Random(1))


async def ending(work: Coroutine[Any, Any, None], *, soon: bool) -> ClientError | None:
    """How it ended; None if it went on until it was asked to leave, which took less than a second of its own."""
    task = asyncio.create_task(work)
    await asyncio.wait([task], timeout=ENDS_S if soon else GOES_ON_S)
    if not task.done():
        began, waited = time.monotonic(), kept_waiting_s()
        task.cancel()
        await asyncio.wait([task], timeout=ENDS_S)
        assert time.monotonic() - began - (kept_waiting_s() - waited) < LEAVES_S
    with suppress(asyncio.CancelledError):
        error = task.exception()
        assert error is None or isinstance(error, ClientError), error
        assert error is not None, "it left by itself"
        return error
    return None


@pytest.mark.parametrize("kind", ["bot", "person"])
@pytest.mark.parametrize("name", HOSTILE)
@pytest.mark.slow
async def test_its_clients_end_in_a_sentence_or_go_on(name: str, kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    hostile = HOSTILE[name]
    expected = hostile.bot if kind == "bot" else hostile.person
    if expected is not Silent:  # what comes has to be read first, on however busy a machine
        monkeypatch.setattr(connection, "ANSWER_S", ENDS_S)
        for module in (wire, handshake):
            monkeypatch.setattr(module, "OPEN_TIMEOUT_S", ENDS_S)
    complaints: list[dict[str, Any]] = []
    asyncio.get_running_loop().set_exception_handler(lambda _loop, context: complaints.append(context))
    terminal = Quiet()
    before = resident_bytes()
    async with ScriptedServer(hostile.script) as server:
        client = client_for(server, hostile, kind)
        error = await ending(
            as_bot(client) if kind == "bot" else as_person(client, terminal), soon=expected is not None
        )
        assert resident_bytes() - before < GROWTH_BYTES
    assert not server.errors, server.errors
    assert complaints == []
    assert terminal.unsafe == []
    assert server.dials <= hostile.dials
    if expected is None:
        assert error is None, error
        return
    assert isinstance(error, expected), repr(error)
    sentence = explain(error)
    assert hostile.words in sentence
    assert sentence.isprintable()
    assert sentence.endswith(".")


def test_there_are_many_of_them() -> None:
    assert len(HOSTILE) >= 60


@pytest.mark.looptime
async def test_delays_hold_for_a_server_that_lets_in_and_hangs_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """Row 72: with the waits of everyday life."""
    monkeypatch.undo()
    server = FakeServer()
    client = Client("ws://test:1", name="Ada", kind="bot", rng=random.Random(7), dial=server.dial)

    async def hang_up() -> None:
        while True:
            (await server.wire()).drop()

    async with client:
        hanging = asyncio.create_task(hang_up())
        with pytest.raises(NoProgress):
            async for _message in client.messages():
                pass
        hanging.cancel()
    assert len(server.dials) == 8
    assert server.dials[-1] > 2
