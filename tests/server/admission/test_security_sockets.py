"""Who may connect to a real server, over sockets: origins, too many connections, floods, talk, guessing."""

from __future__ import annotations

import asyncio
import random
import secrets
import socket
import time
from collections.abc import AsyncGenerator
from contextlib import AsyncExitStack, ExitStack, asynccontextmanager
from dataclasses import replace
from functools import partial
from ipaddress import ip_network
from itertools import pairwise

import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus
from websockets.typing import Origin, Subprotocol

from protocol import SUBPROTOCOL
from protocol.codec import encode, encode_batch
from protocol.messages import Chat, Create, Error, Hello, Join, ListMatches, Ok, Watch, Welcome
from server.admission.acceptor import ACCEPTED_A_TURN
from server.admission.admission import Admission
from server.admission.gate import GateOptions
from server.app import App
from server.connections.connection_bounds import Bounds
from server.ratelimit import Rates
from server.referee.referee import Referee
from server.referee.settings import Settings
from tests.cores import plain_core
from tests.faults.rawsocket import frame
from tests.server.running import SHORT, Running, client, raw

HANDSHAKE = (
    "GET / HTTP/1.1\r\nHost: {host}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n"
    "Sec-WebSocket-Protocol: arbitre.v1\r\n{more}\r\n"
)


@asynccontextmanager
async def guarded(
    options: GateOptions | None = None, rates: Rates | None = None, bounds: Bounds = SHORT
) -> AsyncGenerator[Running]:
    make_referee = partial(Referee, Settings(), random.Random(1), lambda: secrets.token_urlsafe(16), lambda: 0)
    app = App(make_referee, bounds)
    app.admission = Admission(options, rates)
    server = await app.start("127.0.0.1", 0)
    try:
        yield Running(app, server)
    finally:
        await app.stop(server)


async def handshake(server: Running, *more: str, host: str = "") -> str:
    """The status line and headers that a raw handshake is answered with."""
    reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
    text = HANDSHAKE.format(host=host or f"127.0.0.1:{server.port}", more="".join(f"{line}\r\n" for line in more))
    writer.write(text.encode())
    async with asyncio.timeout(20):
        answer = await reader.readuntil(b"\r\n\r\n")
    writer.close()
    return answer.decode()


class TestOrigin:
    async def test_a_page_of_another_site_gets_403_and_nothing_else(self) -> None:
        async with guarded() as server:
            own = f"http://127.0.0.1:{server.port}"
            assert (await handshake(server)).startswith("HTTP/1.1 101 ")
            assert (await handshake(server, f"Origin: {own}")).startswith("HTTP/1.1 101 ")
            for lines in (("Origin: http://evil.example",), ("Origin: null",), (f"Origin: {own}", f"Origin: {own}")):
                assert (await handshake(server, *lines)).startswith("HTTP/1.1 403 ")
            await server.settled(lambda: server.app.admission._gate.connections == 0)
            assert not server.app._peers

    async def test_a_server_that_stops_lets_nobody_in(self) -> None:
        async with guarded() as server:
            server.app._stops = True
            assert (await handshake(server)).startswith("HTTP/1.1 503 ")
            await server.settled(lambda: server.app.admission.connections == 0)
            assert not server.app._peers

    async def test_a_library_sees_it_too(self) -> None:
        async with guarded(GateOptions(origins=frozenset({"https://school.example"}))) as server:
            protocols = [Subprotocol(SUBPROTOCOL)]
            async with connect(server.url, subprotocols=protocols, origin=Origin("https://school.example"), proxy=None):
                pass
            with pytest.raises(InvalidStatus, match="403"):
                async with connect(server.url, subprotocols=protocols, origin=Origin("https://a.example"), proxy=None):
                    pass


class TestConnections:
    async def test_a_full_server_turns_away_and_says_when_to_come_back(self) -> None:
        async with guarded(GateOptions(connections=2)) as server, client(server.url, "a"), client(server.url, "b"):
            answer = await handshake(server)
            assert answer.startswith("HTTP/1.1 503 ")
            assert "Retry-After: 5\r\n" in answer
        async with guarded(GateOptions(connections=1)) as server:
            async with client(server.url, "a"):
                pass
            await server.settled(lambda: not server.app.admission._gate.connections)
            async with client(server.url, "b"):
                pass

    async def test_one_address_has_its_share(self) -> None:
        async with guarded(GateOptions(from_address=2)) as server, client(server.url, "a"):
            async with client(server.url, "b"):
                assert (await handshake(server)).startswith("HTTP/1.1 503 ")
            await server.settled(lambda: server.app.admission._gate.connections == 1)
            async with client(server.url, "c"):
                pass

    @plain_core
    async def test_at_a_crowded_address_who_has_no_game_makes_room_for_a_newcomer(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("server.admission.admission.UNATTACHED_S", 0.0)
        async with AsyncExitStack() as stack:
            server = await stack.enter_async_context(guarded(GateOptions(from_address=3)))
            player, idler, other = [await stack.enter_async_context(client(server.url, name)) for name in "abc"]
            opened = await player.ask(Create(2, "morpion"))
            match = opened.match or None
            await other.ask(Watch(2, match))
            for number, (code, ended) in enumerate(((1013, idler), (1013, other))):
                newcomer = await stack.enter_async_context(client(server.url, f"newcomer {number}"))
                assert await ended.closed() == code
                await newcomer.ask(Join(2, match) if number == 0 else Create(2, "morpion"))
            await server.settled(lambda: server.app.admission.connections == 3)
            assert (await handshake(server)).startswith("HTTP/1.1 503 ")
            await player.ask(ListMatches(3))
            assert server.app.admission.refused == {"made_room": 2, "address_full": 1}
        assert not server.app.admission._inside

    async def test_who_has_just_come_makes_no_room(self) -> None:
        async with guarded(GateOptions(from_address=1)) as server, client(server.url, "a") as wire:
            assert (await handshake(server)).startswith("HTTP/1.1 503 ")
            await wire.ask(ListMatches(2))

    @plain_core
    async def test_in_a_full_server_the_address_with_most_makes_room(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("server.admission.admission.UNATTACHED_S", 0.0)
        async with AsyncExitStack() as stack:
            server = await stack.enter_async_context(guarded(GateOptions(connections=3)))
            lone = await raw(server.port, source="127.0.0.2")
            stack.callback(lone.close)
            lone.send(frame(encode(Hello(1, 1, "test", "bot", "lone"))))
            await server.settled(lambda: len(server.app.admission._inside) == 1)
            crowd = [await stack.enter_async_context(client(server.url, name)) for name in "ab"]
            late = await raw(server.port, source="127.0.0.3")
            stack.callback(late.close)
            assert await crowd[0].closed() == 1013
            await crowd[1].ask(ListMatches(2))
            await server.settled(lambda: server.app.admission.connections == 3)

    @plain_core
    async def test_whom_the_operator_trusts_makes_no_room(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("server.admission.admission.UNATTACHED_S", 0.0)
        options = GateOptions(connections=2, trusted=(ip_network("127.0.0.0/8"),))
        async with guarded(options) as server, client(server.url, "a") as a, client(server.url, "b") as b:
            assert (await handshake(server)).startswith("HTTP/1.1 503 ")
            for wire in (a, b):
                await wire.ask(ListMatches(2))

    @plain_core
    async def test_looking_for_somebody_who_makes_room_is_bounded(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("server.admission.admission.UNATTACHED_S", 0.0)
        monkeypatch.setattr("server.admission.admission.MOST_ASKED", 2)
        async with AsyncExitStack() as stack:
            server = await stack.enter_async_context(guarded(GateOptions(from_address=4)))
            wires = [await stack.enter_async_context(client(server.url, name)) for name in "abcd"]
            for wire in wires[:3]:
                await wire.ask(Create(2, "morpion"))
            assert (await handshake(server)).startswith("HTTP/1.1 503 ")  # a and b were looked at
            assert (await handshake(server)).startswith("HTTP/1.1 101 ")  # then c and d
            assert await wires[3].closed() == 1013

    async def test_those_who_never_say_anything_count_as_well(self) -> None:
        async with guarded(GateOptions(connections=2), bounds=replace(SHORT, open=1000)) as server:
            links = [await asyncio.open_connection("127.0.0.1", server.port) for _ in range(4)]
            await server.settled(lambda: server.app.admission._gate.connections == 4)
            reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
            async with asyncio.timeout(20):
                assert await reader.read() == b""
            for _, other in (*links, (reader, writer)):
                other.close()


class TestAccepting:
    async def test_few_in_a_turn_and_the_others_wait_in_the_system(self) -> None:
        async with guarded() as server:
            with ExitStack() as stack:
                for _ in range(100):  # the loop does not turn meanwhile: all of them are in the system's queue
                    stack.enter_context(socket.create_connection(("127.0.0.1", server.port), timeout=0.9))
                seen = [0]
                async with asyncio.timeout(20):
                    while seen[-1] < 100:
                        await asyncio.sleep(0)
                        seen.append(server.app.admission._gate.connections)
                assert max(after - before for before, after in pairwise(seen)) <= ACCEPTED_A_TURN

    async def test_a_server_that_closes_leaves_nobody_at_the_door(self) -> None:
        async with guarded(bounds=replace(SHORT, open=1000)) as server:
            _, writer = await asyncio.open_connection("127.0.0.1", server.port)
            await server.settled(lambda: server.app.admission.waiting()["silent"] == 1)
        assert not any(server.app.admission.waiting().values())
        writer.close()


class TestRates:
    async def test_what_is_too_much_is_refused_and_answered(self) -> None:
        async with guarded(rates=Rates(work=20)) as server, client(server.url, "a") as wire:
            asked = [ListMatches(wire.number(), limit=30) for _ in range(25)]
            await wire.say(*asked[:15])
            await wire.say(*asked[15:])
            await wire.hear(Ok, lambda ok: ok.id == asked[14].id)
            refused = await wire.hear(Error)
            assert refused.code == "rate_limited"
            assert not refused.fatal
            assert isinstance(refused.retry_after_ms, int)
            assert 0 < refused.retry_after_ms <= 1001
            await wire.hear(Error, lambda error: error.id == asked[-1].id)
            answers = [m.id for m in wire.messages if isinstance(m, Ok | Error)]
            assert len(set(answers)) == len(answers)

    @pytest.mark.parametrize("junk", [encode(ListMatches(1)), b"{", b"[" * 500])
    async def test_a_flood_ends_with_1008(self, junk: bytes) -> None:
        async with (
            guarded(rates=Rates(work=20)) as server,  # a slow machine is not to forgive it meanwhile
            client(server.url, "a") as wire,
            client(server.url) as other,
        ):
            for _ in range(400):
                await wire.socket.send(junk.decode())
            assert await wire.closed() == 1008
            await other.say(Hello(1, 1, "test", "bot", "b"))
            await other.hear(Ok)

    async def test_a_flood_in_arrays_too(self) -> None:
        async with guarded(rates=Rates(work=20)) as server, client(server.url, "a") as wire:
            began = time.monotonic()
            await wire.socket.send(encode_batch([ListMatches(n) for n in range(2, 500)]).decode())
            assert await wire.closed() == 1008
            forgiven = 20 * (time.monotonic() - began)  # on a busy machine the frame is heard over seconds
            assert sum(isinstance(m, Error) for m in wire.messages) <= 21 + forgiven

    async def test_size_counts(self) -> None:
        async with guarded(rates=Rates(work=50)) as server, client(server.url, "a") as wire:
            for _ in range(2):
                await wire.socket.send(f"[{encode(ListMatches(5)).decode()}{' ' * 40_000}]")
            assert (await wire.hear(Error)).code == "rate_limited"

    async def test_talk_has_its_own_small_rate(self) -> None:
        async with guarded(rates=Rates(chat=0.001, chat_burst=3)) as server, client(server.url, "a") as wire:
            match = (await wire.ask(Create(wire.number(), "morpion"))).match
            assert isinstance(match, str)
            for _ in range(3):
                await wire.ask(Chat(wire.number(), match, "hm"))
            await wire.say(Chat(wire.number(), match, "hm"))
            refused = await wire.hear(Error)
            assert (refused.code, refused.id) == ("rate_limited", wire._asked)
            await wire.ask(ListMatches(wire.number()))


class TestGuessing:
    async def test_right_ones_cost_nothing(self) -> None:
        async with guarded(rates=Rates(attempts=0.001, attempts_burst=1)) as server:
            token: str | None = None
            for _ in range(4):
                async with client(server.url) as wire:
                    await wire.say(Hello(1, 1, "test", "bot", "a", token))
                    await wire.hear(Ok)
                    token = next(m.token for m in wire.messages if isinstance(m, Welcome))
            assert token is not None
