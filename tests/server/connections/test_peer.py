"""The deadlines of one connection, in virtual time: pings, closings, and what comes with the request."""

from __future__ import annotations

import asyncio

import pytest
from websockets.http11 import Request, Response
from websockets.server import ServerProtocol

from server.admission.admission import Admission
from server.connections.connection_bounds import Bounds
from server.connections.link import Link, Visit
from server.connections.peer import Peer
from tests.faults.rawsocket import CLOSE, PING, PONG, frame, request
from tests.faults.simulation.virtual import run
from tests.server.connections.callers import Wire
from tests.server.lines import Heard, Nobody

BOUNDS = Bounds(ping_interval=5, ping_timeout=3, close=4, send=100, open=7)


class Ears:
    """Hears one peer."""

    def __init__(self) -> None:
        self.heard: list[str] = []
        self.is_opened = False

    def opened(self, peer: Peer) -> None:
        self.is_opened = True

    def left(self, peer: Peer) -> None:
        raise AssertionError("it has no number")

    def take(self, peer: Peer, text: str) -> None:
        self.heard.append(text)

    def may_read_now(self, peer: Peer) -> bool:
        return True

    def has_read(self, peer: Peer, frames: int, size: int) -> None:
        pass

    def now(self) -> float:
        return asyncio.get_running_loop().time()

    def wait(self, peer: Peer) -> None:
        raise AssertionError("it never says that much")

    def go_on(self, peer: Peer) -> None:
        raise AssertionError("it is never heard that late")

    def cut_off(self, peer: Peer) -> None:
        peer.cut()


class Client:
    """The other end: it sees what is written, and when."""

    def __init__(self, bounds: Bounds = BOUNDS, behind: bytes = b"") -> None:
        self.ears = Ears()
        self.wire = Wire("10.0.0.1")
        protocol = ServerProtocol(subprotocols=["arbitre.v1"])  # type: ignore[list-item]
        self.peer = Peer(self.ears, Admission(), bounds, protocol, lambda *_: None)
        self.peer.connection_made(self.wire)
        self.peer.data_received(request(1) + behind)

    def frames(self) -> list[tuple[int, bytes]]:
        """Opcodes and payloads of the short frames that were written since the last call."""
        data = bytes(self.wire.written).rpartition(b"\r\n\r\n")[2]
        self.wire.written.clear()
        found = []
        while data:
            end = 2 + data[1]
            found.append((data[0] & 15, data[2:end]))
            data = data[end:]
        return found

    def asked(self) -> bytes:
        """What the one ping said that was written since the last call."""
        ((opcode, said),) = self.frames()
        assert opcode == PING
        return said

    def is_cut(self) -> bool:
        return self.wire.closed

    def answer(self, said: bytes) -> None:
        self.peer.data_received(frame(said, PONG))


class TestPings:
    @pytest.mark.parametrize("timeout", [3.0, 5.0, 8.0])
    def test_they_come_at_their_interval_and_measure(self, timeout: float) -> None:
        async def scene() -> None:
            client = Client(Bounds(ping_interval=5, ping_timeout=timeout))
            await asyncio.sleep(4.99)
            assert client.frames() == []
            await asyncio.sleep(0.02)
            for _ in range(4):
                said = client.asked()
                await asyncio.sleep(0.25)
                client.answer(said)
                assert client.peer.lag_ms in (260, 261)
                await asyncio.sleep(4.73)
                assert client.frames() == []
                await asyncio.sleep(0.02)
            assert client.peer.is_open

        run(scene())

    def test_who_answers_none_is_told_and_not_waited_for(self) -> None:
        async def scene() -> None:
            client = Client()
            await asyncio.sleep(5.1)
            client.answer(b"not that")
            client.asked()
            await asyncio.sleep(2.8)
            assert client.frames() == []
            await asyncio.sleep(0.2)
            ((opcode, said),) = client.frames()
            assert (opcode, said[:2]) == (CLOSE, (1011).to_bytes(2, "big"))
            assert not client.is_cut()
            await asyncio.sleep(1.1)
            assert client.is_cut()

        run(scene())

    def test_an_answer_that_waits_behind_what_is_not_read_is_waited_for(self) -> None:
        async def scene() -> None:
            client = Client()
            await asyncio.sleep(5.1)
            said = client.asked()
            client.peer.pause_writing()
            await asyncio.sleep(20)
            client.peer.resume_writing()
            client.answer(said)
            assert client.frames() == []
            await asyncio.sleep(1)
            assert client.peer.is_open

        run(scene())

    def test_one_that_ends_anyway_is_not_told(self) -> None:
        async def scene() -> None:
            client = Client()
            client.peer.ignored = True
            await asyncio.sleep(5.1)
            client.asked()
            await asyncio.sleep(60)
            assert client.frames() == []
            assert client.peer.is_open

        run(scene())

    def test_the_first_measure_has_no_deadline_and_comes_once(self) -> None:
        async def scene() -> None:
            client = Client()
            client.peer.measure()
            said = client.asked()
            client.peer.measure()
            assert client.frames() == []
            await asyncio.sleep(4)
            client.answer(said)
            assert client.peer.lag_ms == 4000
            client.peer.measure()
            await asyncio.sleep(0.9)
            assert client.frames() == []
            await asyncio.sleep(0.2)
            client.answer(client.asked())
            await asyncio.sleep(4)
            assert client.peer.is_open

        run(scene())

    def test_a_probe_measures_nothing(self) -> None:
        async def scene() -> None:
            client = Client()
            client.peer.probe()
            said = client.asked()
            await asyncio.sleep(1)
            client.answer(said)
            assert client.peer.lag_ms == 0

        run(scene())


class TestClosing:
    def test_who_does_not_answer_the_close_frame_is_waited_for_a_while(self) -> None:
        async def scene() -> None:
            client = Client()
            client.peer.close(1001, "soon")
            assert client.frames() == [(CLOSE, b"\x03\xe9soon")]
            client.peer.close(1000)
            client.peer.data_received(frame(b"more"))
            await asyncio.sleep(3.9)
            assert not client.is_cut()
            await asyncio.sleep(0.2)
            assert client.is_cut()
            assert client.ears.heard == []
            assert client.frames() == []

        run(scene())

    def test_who_still_reads_what_came_before_it_has_time_for_that(self) -> None:
        async def scene() -> None:
            client = Client()
            client.peer.pause_writing()
            client.peer.close(1001)
            await asyncio.sleep(50)
            assert not client.is_cut()
            client.peer.resume_writing()
            await asyncio.sleep(4.1)
            assert client.is_cut()

        run(scene())

    def test_a_peer_that_fails_is_cut_off(self) -> None:
        async def scene() -> None:
            client = Client()
            client.peer.fail(1003, "")
            await asyncio.sleep(4.1)
            assert client.is_cut()
            client.peer.connection_lost(None)
            client.peer.fail(1003, "")
            client.peer.close()
            client.peer.probe()
            client.peer.measure()
            await asyncio.sleep(60)

        run(scene())

    def test_all_its_timers_end_with_it(self) -> None:
        async def scene() -> None:
            client = Client()
            client.peer.pause_writing()
            client.peer.close()
            client.peer.connection_lost(None)
            timers = [client.peer._pings, client.peer._stalled, client.peer.closing_ends]
            assert all(timer is not None and timer.cancelled() for timer in timers)
            assert client.peer.close_code == 1006

        run(scene())


class TestRequest:
    def test_what_comes_with_it_is_answered_after_it(self) -> None:
        async def scene() -> None:
            client = Client(behind=frame(b"hey", PING) + frame(b"1") + frame(b"\x03\xe8", CLOSE) + frame(b"2"))
            assert client.wire.written.startswith(b"HTTP/1.1 101 ")
            assert client.frames() == [(PONG, b"hey"), (CLOSE, b"\x03\xe8")]
            assert client.ears.heard == ["1"]
            assert client.ears.is_opened

        run(scene())

    def test_too_much_with_it_is_the_end_without_an_answer(self) -> None:
        async def scene() -> None:
            client = Client(behind=frame(b"1") * 17)
            assert client.is_cut()
            assert not client.wire.written
            assert not client.ears.is_opened
            assert Client(behind=frame(b"1") * 16).ears.heard == ["1"] * 16

        run(scene())

    @pytest.mark.parametrize("size", [1, 3, 50])
    def test_it_may_come_in_parts(self, size: int) -> None:
        async def scene() -> None:
            client = Client()
            whole = request(1) + frame(b"1") + frame(b"2")
            wire = Wire("10.0.0.1")
            peer = Peer(client.ears, Admission(), BOUNDS, ServerProtocol(), lambda *_: None)
            peer.connection_made(wire)
            for start in range(0, len(whole), size):
                peer.data_received(whole[start : start + size])
            assert client.ears.heard == ["1", "2"]
            assert peer._between

        run(scene())

    def test_a_mistake_of_ours_costs_one_answer(self, caplog: pytest.LogCaptureFixture) -> None:
        def answer(_link: Link, _request: Request) -> Response | None:
            raise ZeroDivisionError

        async def scene() -> None:
            wire = Wire("10.0.0.1")
            link = Visit(ServerProtocol(), BOUNDS, answer)
            link.connection_made(wire)
            link.data_received(request(1) + b"more")
            assert wire.written.startswith(b"HTTP/1.1 500 ")
            link.data_received(b"and more")
            await asyncio.sleep(4.1)
            assert wire.closed
            link.connection_lost(None)

        run(scene())
        assert "ZeroDivisionError" in caplog.text

    def test_a_visitor_who_asks_for_nothing_is_cut_off(self) -> None:
        async def scene() -> None:
            wire = Wire("10.0.0.1")
            link = Visit(ServerProtocol(), BOUNDS, lambda *_: None)
            link.connection_made(wire)
            link.data_received(b"GET ")
            await asyncio.sleep(6.9)
            assert not wire.closed
            await asyncio.sleep(0.2)
            assert wire.closed

        run(scene())


class Busy(Nobody):
    """A server that hears nobody at once; `heard` has what was said, and as of when."""

    def __init__(self) -> None:
        self.time = 0.0
        self.heard: list[tuple[str, float]] = []

    def now(self) -> float:
        return self.time

    def may_read_now(self, peer: Peer) -> bool:
        return False

    def wait(self, peer: Peer) -> None:
        peer.heard_at = self.time

    def take(self, peer: Peer, text: str) -> None:
        self.heard.append((text, peer.heard_at))


@pytest.mark.parametrize("cut", [0, 1, 5, 9])
async def test_what_comes_later_is_not_dated_back_to_what_waits(cut: int) -> None:
    """Else a player who keeps the server busy with requests of their own thinks without a clock."""
    heard, busy = Heard(), Busy()
    heard.line._hearing = busy
    peer = heard.peer
    move = frame(b"move")
    peer.data_received(frame(b"one") * 400 + move[:cut])
    busy.time = 5.0
    peer.data_received(move[cut:])
    while peer.has_more:
        peer.feed_portion()
    assert busy.heard == [("one", 0.0)] * 400 + [("move", 5.0)]
    peer.caught_up()
