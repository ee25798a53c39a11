"""Reviews by a real server and its real service: which is killed in the middle, or starts again with the server."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import AsyncGenerator, Generator
from contextlib import asynccontextmanager
from pathlib import Path

import psutil
import pytest

from client.connection import Client
from client.errors import Refused
from protocol.messages import Explain, Explained, Review, Reviewed
from tests.faults.serving import Serving, serving

pytestmark = pytest.mark.slow

SHORT = ("b2", "a2", "a1", "c3", "b1", "c1", "b3")
LONG = tuple("b2c3d4e5f6g7h8i9j1a2b3c4d5e6f7g8h9"[n : n + 2] for n in range(0, 14, 2))
GOMOKU = "morpion:width=10,height=10,k=5"


@pytest.fixture
def server(tmp_path: Path) -> Generator[Serving]:
    with serving("--review", "--db", str(tmp_path / "a.sqlite")) as found:
        yield found


@asynccontextmanager
async def ada(port: int) -> AsyncGenerator[Client]:
    async with Client(f"ws://127.0.0.1:{port}", name="Ada", kind="human") as client:
        yield client


async def ask(client: Client, game: str, moves: tuple[str, ...]) -> str:
    """The ticket, once the service is there."""
    while True:
        try:
            ok = await client.ask(Review, game, moves)
        except Refused as refused:
            if refused.code != "no_service":
                raise
            await asyncio.sleep(0.05)  # asked without a pause, the server would compute in the service's place
            continue
        assert isinstance(ok.ticket, str)
        return ok.ticket


async def reviewed(client: Client, ticket: str) -> list[Reviewed]:
    """What is told of a review, to its end."""
    told = list[Reviewed]()
    async for message in client.messages():
        if isinstance(message, Reviewed) and message.ticket == ticket:
            told.append(message)
            if message.status in ("done", "failed"):
                return told
    raise AssertionError("the connection ended before")


def service_of(server: Serving) -> psutil.Process:
    """The process that reviews."""
    children = psutil.Process(server.child.pid).children(recursive=True)
    return next(child for child in children if "services.reviews" in " ".join(child.cmdline()))


async def test_a_review_is_made_kept_and_told_at_once_after_a_restart(tmp_path: Path) -> None:
    for is_known in (False, True):
        with serving("--review", "--db", str(tmp_path / "a.sqlite")) as server:
            async with ada(server.port) as client:
                told = await reviewed(client, await ask(client, "morpion", SHORT))
        assert told[-1].status == "done"
        steps = [step for message in told for step in message.steps]
        assert sorted(step.ply for step in steps) == list(range(len(SHORT) + 1))
        assert next(step.grade for step in steps if step.ply == 1) == "blunder"
        assert (len(told) == 1) == is_known


async def test_a_service_that_is_killed_in_the_middle_is_replaced(server: Serving) -> None:
    async with ada(server.port) as client:
        ticket = await ask(client, GOMOKU, LONG)
        async for message in client.messages():
            if isinstance(message, Reviewed) and message.steps:
                os.kill(service_of(server).pid, signal.SIGKILL)
                break
        told = await reviewed(client, ticket)
    assert told[-1].status == "done"
    assert {step.ply for message in told for step in message.steps} == set(range(len(LONG) + 1))


async def test_a_tree_is_told(server: Serving) -> None:
    async with ada(server.port) as client:
        await ask(client, "morpion", SHORT)
        ok = await client.ask(Explain, "morpion", ("b2", "a2"), 2)
        async for message in client.messages():
            if isinstance(message, Explained):
                assert message.ticket == ok.ticket
                assert len(message.branches) == 1 + 7
                break
