"""`arbitre serve --house-bots` with real processes: it plays, refuses, comes back, and leaves nothing behind."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from client.connection import Client
from client.errors import Refused
from machine import modules
from processes.child import Child
from protocol.messages import Create, Finished, ListMatches, MakeMove, Offer, Presence, Rematched, YourTurn

pytestmark = pytest.mark.slow

PATIENCE_S = 60.0
BOTS = "human:level=1,random"


@asynccontextmanager
async def house(*options: str) -> AsyncGenerator[tuple[Child, str]]:
    words = ("serve", "--port", "0", "--host", "127.0.0.1", "--house-bots", BOTS, *options)
    async with Child(modules.command(*words), name="server") as server:
        yield server, await server.address(PATIENCE_S)


async def bots_there(client: Client) -> set[str]:
    """The bots of the house, once both are there."""
    async with asyncio.timeout(PATIENCE_S):
        while True:
            answer = await client.ask(ListMatches)
            assert isinstance(answer.players, tuple)
            found = {player.name for player in answer.players if player.house}
            if len(found) == 2:
                return found
            await asyncio.sleep(0.05)


async def heard(client: Client, kind: type[Finished | Rematched | Presence]) -> None:
    """Plays the first legal move of every turn until a message of this kind comes."""
    async with asyncio.timeout(PATIENCE_S):
        async for message in client.messages():
            if isinstance(message, YourTurn):
                client.send(MakeMove, match=message.match, ply=message.ply, move=message.legal[0])
            if isinstance(message, kind):
                return


def processes_of(server: Child) -> list[int]:
    """The process ids of the services of a server; Linux knows them."""
    children = Path(f"/proc/{server.pid}/task/{server.pid}/children").read_text(encoding="ascii")
    return [int(word) for word in children.split()]


def lives(process: int) -> bool:
    return Path(f"/proc/{process}").exists()


async def test_it_plays_a_whole_game_and_a_rematch() -> None:
    async with house() as (_, url), Client(url, name="Ada", kind="human") as ada:
        assert await bots_there(ada) == {"human:level=1", "random"}
        match = (await ada.ask(Create, game="morpion", invite=("human:level=1",))).match
        assert isinstance(match, str)
        await heard(ada, Finished)
        await ada.ask(Offer, match=match, what="rematch")
        await heard(ada, Rematched)
        await heard(ada, Finished)


async def test_it_comes_where_the_command_line_has_a_password() -> None:
    word = "open sesame"
    async with (
        house("--password", word) as (_, url),
        Client(url, name="Ada", kind="human", password=word) as ada,
    ):
        assert await bots_there(ada) == {"human:level=1", "random"}


async def test_one_game_too_many_is_refused_in_a_sentence() -> None:
    async with house("--house-games", "1") as (_, url), Client(url, name="Ada", kind="human") as ada:
        await bots_there(ada)
        await ada.ask(Create, game="othello", invite=("random",), seat="first")
        with pytest.raises(Refused, match="house") as refused:
            await ada.ask(Create, game="othello", invite=("random",), seat="first")
        assert refused.value.code == "house_busy"


@pytest.mark.skipif(sys.platform != "linux", reason="/proc says whose children there are")
async def test_a_killed_house_comes_back_and_plays_on() -> None:
    async with house() as (server, url), Client(url, name="Ada", kind="human") as ada:
        await bots_there(ada)
        await ada.ask(Create, game="morpion", invite=("human:level=1",), seat="first")
        (process,) = processes_of(server)
        os.kill(process, signal.SIGKILL)
        await heard(ada, Finished)
        (again,) = processes_of(server)
        assert again != process


@pytest.mark.skipif(sys.platform != "linux", reason="/proc says whose children there are")
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
async def test_nothing_outlives_the_server(number: signal.Signals) -> None:
    async with house() as (server, url):
        async with Client(url, name="Ada", kind="human") as ada:
            await bots_there(ada)
            (process,) = processes_of(server)
        os.kill(server.pid, number)
        await server.wait()
        async with asyncio.timeout(PATIENCE_S):
            while lives(process):  # noqa: ASYNC110 - the system tells nobody of the end of a stranger's child
                await asyncio.sleep(0.05)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--house-bots", "humann"), "humann"),
        (("--house-bots", "random", "--no-house-bots"), "--no-house-bots"),
    ],
)
async def test_what_is_wrong_is_said_at_the_start(options: tuple[str, ...], said: str) -> None:
    async with Child(modules.command("serve", "--port", "0", *options), name="server") as server:
        assert await server.wait() == 2
        assert said in server.stderr
