"""The shell over real sockets on the loopback: frames, bounds, the timer, the end. Nothing here waits by the clock."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import sys
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import pytest

from protocol.codec import encode
from protocol.messages import (
    Chat,
    Clock,
    Closing,
    Create,
    Error,
    Finished,
    Hello,
    ListMatches,
    MakeMove,
    Moved,
    Ok,
    Said,
    ServerBase,
    Watch,
    Welcome,
    YourTurn,
)
from server.connections.connection_bounds import Bounds
from server.referee.outgoing import REPLACED
from server.referee.settings import Settings
from tests.cores import plain_core
from tests.faults.rawsocket import frame
from tests.server.running import SHORT, Wire, client, close_code, raw, running, seated

ROOT = Path(__file__).parents[2]


async def chatter(wire: Wire, match: str) -> int:
    """Says a lot, and waits until it is said; returns the number of the last request, which begins its text."""
    lines = [Chat(number, match, f"{number} ".ljust(300, "x")) for number in (wire.number() for _ in range(100))]
    await wire.say(*lines)
    await wire.hear(Ok, lambda ok: ok.id == lines[-1].id)
    return lines[-1].id


class TestFrames:
    async def test_one_turn_of_the_loop_is_one_frame_for_those_who_take_batches(self) -> None:
        async with running() as server, client(server.url, "b", batch=True) as batched:
            assert len(batched.frames) == 1
            assert batched.frames[0].startswith("[")
            await batched.say(*(ListMatches(100 + number, limit=1) for number in range(5)))
            await batched.hear(Ok, lambda ok: ok.id == 104)
            assert len(batched.frames) == 2

    async def test_others_get_one_message_a_frame(self) -> None:
        async with running() as server, client(server.url, "s") as single:
            await single.say(*(ListMatches(100 + number, limit=1) for number in range(5)))
            await single.hear(Ok, lambda ok: ok.id == 104)
            assert len(single.frames) == len(single.messages) == 7
            assert all(frame.startswith("{") for frame in single.frames)

    async def test_each_message_of_a_batch_is_answered_in_its_order(self) -> None:
        async with running() as server, client(server.url, "b", batch=True) as wire:
            await wire.socket.send('[{"type":"list","id":11},{"type":"nonsense","id":12},7,{"type":"list","id":13}]')
            await wire.hear(Ok, lambda ok: ok.id == 13)
            answers = [(type(m), m.id) for m in wire.messages if isinstance(m, Ok | Error)][1:]
            assert answers[:2] == [(Ok, 11), (Error, 12)]
            assert answers[3] == (Ok, 13)
            assert answers[2][0] is Error

    async def test_a_long_frame_and_one_in_parts_are_read(self) -> None:
        async with running() as server:
            link = await raw(server.port)
            loop = asyncio.get_running_loop()
            hello = encode(Hello(1, 1, "t" * 64, "bot", "x" + " " * 150))
            for part in (frame(hello[:50], final=False), frame(b"", 0, final=False), frame(hello[50:], 0)):
                for byte in part:
                    await loop.sock_sendall(link, bytes((byte,)))
            assert b"welcome" in await loop.sock_recv(link, 65536)
            link.close()


class TestRefusals:
    async def test_a_binary_frame(self) -> None:
        async with running() as server, client(server.url, "b") as wire:
            await wire.socket.send(b"\x00")
            assert await wire.closed() == 1003

    async def test_a_frame_that_is_too_large(self) -> None:
        async with running(settings=Settings(max_frame_bytes=1000)) as server, client(server.url, "b") as wire:
            await wire.socket.send("x" * 1001)
            assert await wire.closed() == 1009

    async def test_parts_that_are_too_large_together(self) -> None:
        async with running(settings=Settings(max_frame_bytes=1000)) as server:
            link = await raw(server.port)
            loop = asyncio.get_running_loop()
            await loop.sock_sendall(link, frame(b"x" * 600, final=False) + frame(b"x" * 600, 0, final=False))
            assert await close_code(link) == 1009

    async def test_parts_without_end(self) -> None:
        async with running() as server:
            link = await raw(server.port)
            loop = asyncio.get_running_loop()
            with suppress(ConnectionError):
                await loop.sock_sendall(link, frame(b"", final=False) + frame(b"", 0, final=False) * 20_000)
                assert await close_code(link) == 1009
            await server.settled(lambda: not server.app._peers)

    async def test_text_that_is_not_utf8(self) -> None:
        async with running() as server:
            link = await raw(server.port)
            await asyncio.get_running_loop().sock_sendall(link, frame(b"\xff\xfe"))
            assert await close_code(link) == 1007

    async def test_silence(self) -> None:
        async with running(Bounds(hello=0.05)) as server, client(server.url) as wire:
            assert await wire.closed() == 1008

    async def test_silence_of_one_who_does_not_answer_the_close_either(self) -> None:
        async with running(Bounds(hello=0.05, close=0.1, ping_interval=0.1, ping_timeout=0.1)) as server:
            link = await raw(server.port)
            await server.settled(lambda: bool(server.app._peers))
            await server.settled(lambda: not server.app._peers)
            link.close()

    async def test_another_protocol(self) -> None:
        async with running() as server, client(server.url) as wire:
            await wire.say(Hello(1, 2, "test", "bot", "x"))
            assert await wire.closed() == 1008
            assert [m.code for m in wire.messages if isinstance(m, Error)] == ["unsupported_protocol"]

    async def test_an_older_connection_of_the_session(self) -> None:
        async with running() as server, client(server.url) as old:
            await old.say(Hello(1, 1, "test", "bot", "Ana"))
            token = (await old.hear(Welcome)).token
            async with client(server.url, "Ana", token=token) as new:
                assert await old.closed() == REPLACED
                assert [m.code for m in old.messages if isinstance(m, Error)] == ["session_replaced"]
                await new.ask(ListMatches(new.number()))

    @plain_core
    async def test_a_bug_of_ours_costs_one_connection(
        self, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
    ) -> None:
        async with running() as server, client(server.url, "a") as one, client(server.url, "b") as two:
            with monkeypatch.context() as patch:
                patch.setattr(server.app.referee, "receive", lambda *_: 1 / 0)
                await one.say(ListMatches(9))
                assert await one.closed() == 1011
            await two.ask(ListMatches(two.number()))
        assert "internal error" in caplog.text

    async def test_plain_http_is_answered(self, caplog: pytest.LogCaptureFixture) -> None:
        async with running() as server:
            reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
            writer.write(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
            assert (await reader.read()).startswith(b"HTTP/1.1 ")
            writer.close()
        assert "Traceback" not in caplog.text


class TestStalledReader:
    async def test_it_is_cut_off_and_nobody_else_waits(self) -> None:
        bounds = Bounds(high_water=1 << 14, send=0.2, backlog=1 << 30, ping_interval=1000)
        async with (
            running(bounds) as server,
            client(server.url, "a", batch=True) as one,
            client(server.url, "b") as two,
        ):
            match = await seated(one, two)
            link = await raw(server.port, buffer=4096)
            loop = asyncio.get_running_loop()
            await loop.sock_sendall(link, frame(encode(Hello(1, 1, "test", "bot", "c"))))
            await loop.sock_sendall(link, frame(encode(Watch(2, match))))
            await server.settled(lambda: bool(server.app.referee.lobby.find(match).viewers))
            async with asyncio.timeout(30):
                while len(server.app._peers) == 3:
                    last = await chatter(one, match)
                    await two.hear(Said, lambda said: said.text.startswith(f"{last} "))  # noqa: B023 - heard before it changes
            assert not server.app.delivery._stalled
            await one.ask(MakeMove(one.number(), match, 0, "a1"))
            await two.hear(Moved)
            link.close()

    async def test_a_backlog_in_bytes_cuts_it_off_before_its_time(self) -> None:
        bounds = Bounds(high_water=1 << 14, send=1000, backlog=50_000, ping_interval=1000)
        async with running(bounds) as server, client(server.url, "a", batch=True) as one:
            opened = await one.ask(Create(one.number(), "morpion"))
            assert isinstance(opened.match, str)
            link = await raw(server.port, buffer=4096)
            loop = asyncio.get_running_loop()
            await loop.sock_sendall(link, frame(encode(Hello(1, 1, "test", "bot", "c"))))
            await loop.sock_sendall(link, frame(encode(Watch(2, opened.match))))
            await server.settled(lambda: len(server.app._peers) == 2)
            async with asyncio.timeout(30):
                while len(server.app._peers) == 2:
                    await chatter(one, opened.match)
            link.close()


class TestTimer:
    @plain_core
    async def test_the_flag_falls_in_the_turn_of_the_loop_that_is_due(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """A callback of our own for the same time is the measure: both run in the same turn, however late that is."""
        async with running() as server, client(server.url, "a") as one, client(server.url, "b") as two:
            loop, referee = asyncio.get_running_loop(), server.app.referee
            turns = 0
            ticks: list[tuple[float, int]] = []
            tick, run_once = referee.tick, vars(asyncio.BaseEventLoop)["_run_once"]

            def counted() -> None:
                nonlocal turns
                turns += 1
                run_once(loop)

            def spy(now: float) -> object:
                ticks.append((now, turns))
                return tick(now)

            monkeypatch.setattr(loop, "_run_once", counted)
            monkeypatch.setattr(referee, "tick", spy)
            ours: list[int] = []
            flag = 0.0
            for _attempt in range(40):  # a stall of the machine is charged to nobody: then there is no measure
                stalled = referee.stalls.total
                match = await seated(one, two, clock=Clock(150))
                flag = referee.lobby.find(match).match.deadline()
                due = server.app._time.monotonic(flag)
                ours.clear()
                loop.call_at(due, lambda: ours.append(turns))
                over = await two.hear(Finished)
                assert over.result.reason == "timeout"
                assert over.clocks == (0, 150)
                if referee.stalls.total == stalled:
                    break
            fell = next(turn for now, turn in ticks if now >= flag)
            assert fell == ours[0]
            assert server.app._armed == referee.next_deadline()

    async def test_a_deadline_that_moves_away_leaves_the_timer_early_never_late(self) -> None:
        async with running() as server, client(server.url, "a") as one, client(server.url, "b") as two:
            await seated(one, two, clock=Clock(60_000))
            later = server.app._armed
            await seated(one, two, clock=Clock(30_000))
            assert server.app._armed < later
            assert server.app._armed <= server.app.referee.next_deadline()


class TestManyMatches:
    async def test_a_hundred_at_once_on_two_connections(self) -> None:
        async with (
            running() as server,
            client(server.url, "a", batch=True) as one,
            client(server.url, "b", batch=True) as two,
        ):
            matches = [await seated(one, two) for _ in range(100)]

            async def play(wire: Wire) -> int:
                over = 0
                while over < len(matches):
                    message = await wire.hear(ServerBase)
                    if isinstance(message, YourTurn):
                        await wire.say(MakeMove(wire.number(), message.match, message.ply, message.legal[0]))
                    over += isinstance(message, Finished)
                return over

            one._read = two._read = 0
            assert sum(await asyncio.gather(play(one), play(two))) == 200
            assert not any(isinstance(message, Error) for message in one.messages + two.messages)


class TestClosing:
    async def test_clients_are_told_and_the_end_is_bounded(self) -> None:
        async with running() as server, client(server.url, "a") as one, client(server.url) as silent:
            link = await raw(server.port, buffer=4096)
            await server.settled(lambda: len(server.app._peers) == 3)
            loop = asyncio.get_running_loop()
            begun = loop.time()
            stopping = asyncio.create_task(server.app.stop(server.server, 5000))
            assert (await one.hear(Closing)).retry_after_ms == 5000
            assert await one.closed() in (1001, 1012)
            assert await silent.closed() in (1001, 1012)
            await stopping
            assert loop.time() - begun < 2 * SHORT.close + 5
            assert not server.app._peers
            with pytest.raises(OSError, match=r".*"):
                await asyncio.open_connection("127.0.0.1", server.port)
            link.close()

    async def test_nothing_of_a_connection_is_left(self) -> None:
        async with running() as server:
            for number in range(5):
                async with client(server.url, f"user {number}"):
                    pass
            await server.settled(lambda: not server.app._peers)
            assert all(session.connection is None for session in server.app.referee.sessions)
            assert not server.app.delivery._stalled


@asynccontextmanager
async def process(*options: str) -> AsyncGenerator[tuple[asyncio.subprocess.Process, str]]:
    """A server as people start it, and its address."""
    child = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "arbitre", "serve", "--host", "127.0.0.1", "--port", "0", *options,
        cwd=ROOT, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE, env={**os.environ, "LANGUAGE": "en"},
    )  # fmt: skip
    assert child.stdout is not None
    try:
        async with asyncio.timeout(30):
            line = (await child.stdout.readline()).decode()
        yield child, line.split()[-1] if line else ""
    finally:
        if child.returncode is None:
            child.kill()
        await child.communicate()


@pytest.mark.skipif(os.name != "posix", reason="signals as POSIX has them")
class TestProcess:
    @pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
    async def test_a_signal_ends_it_cleanly(self, number: signal.Signals) -> None:
        async with process() as (child, url), client(url, "a") as wire:
            reader, writer = await asyncio.open_connection("127.0.0.1", int(url.rpartition(":")[2]))
            writer.write(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
            assert (await reader.read()).startswith(b"HTTP/1.1 ")
            writer.close()
            child.send_signal(number)
            await wire.hear(Closing)
            assert await wire.closed() in (1001, 1012)
            assert child.stderr is not None
            async with asyncio.timeout(15):
                said = (await child.stderr.read()).decode()
                assert await child.wait() == 0
            assert "Traceback" not in said
            assert said.strip() == "closing"

    async def test_a_signal_right_after_the_start_ends_it_cleanly(self) -> None:
        async with process() as (child, url):
            child.send_signal(signal.SIGTERM)
            assert url
            assert child.stderr is not None
            async with asyncio.timeout(15):
                assert "Traceback" not in (await child.stderr.read()).decode()
                assert await child.wait() == 0

    async def test_a_port_in_use_is_said_in_one_sentence(self) -> None:
        with socket.create_server(("127.0.0.1", 0)) as taken:
            port = str(taken.getsockname()[1])
            async with process("--port", port) as (child, _):
                assert child.stderr is not None
                async with asyncio.timeout(15):
                    said = (await child.stderr.read()).decode()
                    assert await child.wait() == 1
        assert port in said
        assert "Traceback" not in said
        assert len(said.strip().splitlines()) == 1
