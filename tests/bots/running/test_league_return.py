"""A bot that comes back to a league: forgotten, replaced, or as a namesake; over a link that is cut, for real."""

import asyncio
import os
import subprocess
import sys
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from bots.base import parse_bot
from bots.running.process import run_bot
from bots.running.runner import BotRunner, RunSettings
from client.arrival import arrive
from client.connection import Client
from client.errors import Refused
from client.identity import STATE_DIR
from protocol.messages import ClientMessage, Decline, Enter, Entrant, Error, HostLeague, Invitation, Join, Kick, Ok
from tests.client.fakes import FakeServer, FakeWire
from tests.relay import Relay

ROOT = Path(__file__).resolve().parents[3]
PATIENCE_S = 30
SECRET = "the organisers' secret"
ANNS = "anns-key-of-22-letters"


@pytest.fixture
def directed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[int]:
    """The port of a server whose organisers' secret is SECRET; tokens are kept apart."""
    monkeypatch.setenv(STATE_DIR, str(tmp_path / "state"))
    command = [sys.executable, "-P", "-m", "arbitre", "serve", "--host", "127.0.0.1", "--port", "0"]
    environment = {**os.environ, "ARBITRE_ORGANISER_TOKEN": SECRET}
    with subprocess.Popen(command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            yield int(process.stdout.readline().rpartition(":")[2])
        finally:
            process.kill()


@pytest.fixture
async def host(directed: int) -> AsyncIterator[Client]:
    async with Client(f"ws://127.0.0.1:{directed}", name="Host", kind="human", organiser=SECRET) as client:
        yield client


async def opened(host: Client) -> str:
    code = (await host.request(HostLeague)).code
    assert isinstance(code, str)
    return code


async def until(host: Client, holds: Callable[[Entrant], bool]) -> Entrant:
    """The next entrant of whom this holds."""
    async with asyncio.timeout(PATIENCE_S):
        async for message in host.messages():
            if isinstance(message, Entrant) and holds(message):
                return message
    raise AssertionError("the server has gone")


def bot(port: int, code: str, key: str = ANNS, *, name: str = "Ann", insists: bool = True) -> asyncio.Task[None]:
    settings = RunSettings(parse_bot("first"), "1", league=code, key=key, insists=insists)
    return asyncio.create_task(run_bot(settings, f"ws://127.0.0.1:{port}", name))


async def ended(task: asyncio.Task[None]) -> None:
    task.cancel()
    with suppress(asyncio.CancelledError):
        await task


async def test_a_bot_that_the_server_has_forgotten_enters_again(
    host: Client, directed: int, capsys: pytest.CaptureFixture[str]
) -> None:
    """Its session is ended while it is away; the key brings it back to its name."""
    code = await opened(host)
    with Relay(directed) as link:
        ann = bot(link.port, code)
        first = await until(host, lambda one: one.player.present)
        link.cut()
        await until(host, lambda one: not one.player.present)
        await host.request(Kick, name="Ann")
        link.mend()
        again = await until(host, lambda one: one.player.present)
        assert (again.player.name, again.entry, again.bound) == ("Ann", first.entry, first.bound)
        async with asyncio.timeout(PATIENCE_S):
            while not isinstance(again.rtt_ms, int):
                await host.request(HostLeague, code=code)
                again = await until(host, lambda one: one.player.present)
        assert again.rtt_ms >= 1
        await ended(ann)
    assert "The server has forgotten this bot's session: it enters the league again." in capsys.readouterr().err


async def test_who_was_replaced_while_away_leaves(
    host: Client, directed: int, capsys: pytest.CaptureFixture[str]
) -> None:
    """Another process with the same key has come meanwhile. It stays, also when it loses the link itself."""
    code = await opened(host)
    with Relay(directed) as near, Relay(directed) as far:
        old = bot(near.port, code)
        await until(host, lambda one: one.player.present)
        near.cut()
        await until(host, lambda one: not one.player.present)
        new = bot(far.port, code)
        newer = await until(host, lambda one: one.player.present)
        assert (newer.player.name, newer.entry, newer.replaced) == ("Ann 2", "Ann", "Ann")
        far.cut()
        await until(host, lambda one: not one.player.present)
        near.mend()
        async with asyncio.timeout(PATIENCE_S):
            await old
        assert "with the same key or personal code since" in capsys.readouterr().err
        far.mend()
        assert (await until(host, lambda one: one.player.present)).player.name == "Ann 2"
        assert not new.done()
        await ended(new)


@pytest.mark.parametrize("insists", [True, False], ids=["named", "unnamed"])
async def test_a_name_of_somebody_else_is_no_place_but_for_a_namesake(
    host: Client, directed: int, *, insists: bool
) -> None:
    code = await opened(host)
    async with Client(f"ws://127.0.0.1:{directed}", name="Ann", kind="bot") as ann:
        await ann.request(Enter, code=code, key=ANNS)
        await until(host, lambda one: one.player.present)
        eve = bot(directed, code, "eves-key-of-22-letters", insists=insists)
        if insists:
            with pytest.raises(Refused, match="not_yours"):
                await eve
        else:
            assert (await until(host, lambda one: one.player.present)).player.name == "Ann 2"
            await ended(eve)


async def test_a_second_bot_of_a_user_wishes_for_no_place_of_the_first(directed: int, host: Client) -> None:
    del host
    url = f"ws://127.0.0.1:{directed}"
    async with arrive(url, "Ann", "bot") as one, arrive(url, "Ann", "bot") as two:
        assert [(place.client.name, place.wished) for place in (one, two)] == [("Ann", "Ann"), ("Ann 2", "Ann 2")]
    async with Client(url, name="Bob", kind="bot"), arrive(url, "Bob", "bot") as other:
        assert (other.client.name, other.wished, other.number) == ("Bob 2", "Bob", 2)


async def test_whose_place_at_a_table_is_gone_when_it_is_replaced_leaves() -> None:
    """It was invited, is sent away from the league, and hears only then that the seat is not to be had."""
    server = FakeServer()
    complaints: list[str] = []
    client = Client("ws://test:1", name="Ann", kind="bot", dial=server.dial)
    async with asyncio.timeout(PATIENCE_S), client:
        wire = await server.wire()
        run = asyncio.create_task(
            BotRunner(client, RunSettings(parse_bot("first"), "1", league="PADAVU"), complaints.append).run()
        )
        (enter,) = await wire.hear()
        wire.say(Ok(enter.id), Invitation("m", "morpion", "Host", 1))
        join = next(message for message in await wire.hear() if isinstance(message, Join))
        wire.say(Error("out_of_league", "replaced", data={"why": "replaced"}))
        wire.say(Error("no_such_match", "it was called off", id=join.id))
        await run
    assert len(complaints) == 1
    assert "with the same key or personal code since" in complaints[0]


async def test_who_invites_it_before_it_is_back_in_its_league_is_told_that_it_is_busy() -> None:
    """Strangers could keep its places from the league otherwise."""
    server = FakeServer()
    client = Client("ws://test:1", name="Ann", kind="bot", dial=server.dial)
    async with asyncio.timeout(PATIENCE_S), client:
        wire = await server.wire()
        settings = RunSettings(parse_bot("first"), "1", league="PADAVU")
        run = asyncio.create_task(BotRunner(client, settings, lambda _text: None).run())
        (enter,) = await wire.hear()
        wire.say(Ok(enter.id))
        wire.drop()
        wire = await server.wire()
        enter = (await told(wire, Enter))[-1]
        wire.say(Invitation("early", "morpion", "Eve", 1))
        (declined,) = await told(wire, Decline)
        assert isinstance(declined, Decline)
        assert (declined.match, declined.why) == ("early", "busy")
        wire.say(Ok(enter.id), Invitation("late", "morpion", "Host", 1))
        (join,) = await told(wire, Join)
        assert isinstance(join, Join)
        assert join.match == "late"
        run.cancel()
        with suppress(asyncio.CancelledError):
            await run


async def told(wire: FakeWire, *kinds: type[ClientMessage]) -> list[ClientMessage]:
    """What is heard until all of these were among it."""
    heard: list[ClientMessage] = []
    while not all(any(isinstance(one, kind) for one in heard) for kind in kinds):
        heard += await wire.hear()
    return heard
