"""However a stream is cut into packets, `server.connections.peer.Peer` hears what the library alone hears.

The reference is a plain `ServerConnection` that gets every byte in a packet of its own; all that it is taught is to
refuse binary frames. Where one packet holds two violations, the close code may be that of either: the library reads a
whole packet before it hands over its first frame.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from itertools import pairwise
from typing import Any, cast

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from websockets.asyncio.server import Server, ServerConnection
from websockets.exceptions import ConnectionClosed
from websockets.frames import Frame, Opcode
from websockets.protocol import Event
from websockets.server import ServerProtocol

from server.admission.admission import Admission
from server.connections.connection_bounds import Bounds
from server.connections.peer import Peer
from tests.faults.rawsocket import BINARY, CLOSE, PING, PONG, TEXT, frame, request
from tests.server.transports import Swallowing

LIMIT = 400
"""Bytes of a message."""

Heard = tuple[list[str], int]
"""Messages, and the close code that the server sent (0: none)."""


class Reference(ServerConnection):
    """The library, which takes binary frames; here they are refused."""

    def process_event(self, event: Event) -> None:
        if isinstance(event, Frame) and event.opcode is Opcode.BINARY and not self.protocol.eof_sent:
            self.protocol.fail(1003)
        else:
            super().process_event(event)


class Desk:
    """What the library's connection needs of its server."""

    def __init__(self) -> None:
        self.handler_tasks: set[asyncio.Task[None]] = set()
        self.messages: list[str] = []

    def is_serving(self) -> bool:
        return True

    async def handler(self, connection: ServerConnection) -> None:
        await connection.handshake()
        with suppress(ConnectionClosed):
            while True:
                message = await connection.recv()
                assert isinstance(message, str)
                self.messages.append(message)


async def hear(connection: ServerConnection | Peer, packets: Sequence[bytes]) -> int:
    """Feeds packets behind the handshake; returns the close code that was sent."""
    connection.connection_made(Swallowing())
    connection.data_received(request(1))
    for packet in [b"", *packets]:
        if packet:
            connection.data_received(packet)
        for _ in range(4):
            await asyncio.sleep(0)
    sent = connection.protocol.close_sent
    connection.connection_lost(None)
    return 0 if sent is None else int(sent.code)


def protocol() -> ServerProtocol:
    return ServerProtocol(subprotocols=cast(Any, ["arbitre.v1"]), max_size=LIMIT)


class Ears:
    """Hears peers one after another, a portion in each turn of the loop."""

    def __init__(self, heard: list[str]) -> None:
        self._heard = heard

    def opened(self, peer: Peer) -> None:
        pass

    def left(self, peer: Peer) -> None:
        pass

    def take(self, peer: Peer, text: str) -> None:
        self._heard.append(text)

    def now(self) -> float:
        return asyncio.get_running_loop().time()

    def may_read_now(self, peer: Peer) -> bool:
        return True

    def has_read(self, peer: Peer, frames: int, size: int) -> None:
        pass

    def wait(self, peer: Peer) -> None:
        peer.feed_portion()
        if peer.has_more:
            asyncio.get_running_loop().call_soon(self.wait, peer)
        else:
            peer.caught_up()

    def go_on(self, peer: Peer) -> None:
        """Nobody waits for it."""

    def cut_off(self, peer: Peer) -> None:
        peer.cut()


def peer(heard: list[str]) -> Peer:
    return Peer(Ears(heard), Admission(), Bounds(ping_interval=1000), protocol(), lambda *_: None)


async def ours(packets: Sequence[bytes]) -> Heard:
    heard: list[str] = []
    code = await hear(peer(heard), packets)
    return heard, code


async def reference(stream: bytes) -> Heard:
    desk = Desk()
    connection = Reference(protocol(), cast(Server, desk), ping_interval=None, max_queue=None)
    code = await hear(connection, [bytes((byte,)) for byte in stream])
    await asyncio.gather(*desk.handler_tasks)
    return desk.messages, code


def first_violation(stream: bytes) -> int:
    """The code of the first thing that is wrong with the frames, whatever is wrong with their texts."""
    alone = protocol()
    alone.receive_data(request(1))
    asked = alone.events_received()[0]
    alone.send_response(alone.accept(cast(Any, asked)))
    alone.receive_data(stream)
    return 0 if alone.close_sent is None else int(alone.close_sent.code)


TEXTS = st.one_of(
    st.binary(max_size=8),
    st.text(max_size=60).map(str.encode),
    st.sampled_from([124, 125, 126, 127, 130, 200, LIMIT, LIMIT + 1]).map(lambda size: b"x" * size),
    st.just("é".encode()),
    st.just("é".encode()[1:]),
)
MASKS = st.one_of(
    st.binary(min_size=4, max_size=4), st.integers(0, 125).map(lambda size: bytes((0x81, 0x80 | size, 0, 0)))
)
FRAMES = st.one_of(
    st.builds(frame, TEXTS, mask=MASKS),
    st.builds(frame, TEXTS, mask=MASKS),
    st.builds(frame, TEXTS, st.sampled_from([TEXT, 0]), final=st.booleans(), mask=MASKS),
    st.builds(frame, st.binary(max_size=20), st.sampled_from([PING, PONG]), mask=MASKS),
    st.builds(frame, TEXTS, st.sampled_from([TEXT, 0, BINARY, PING]), final=st.booleans(), reserved=st.integers(0, 1)),
    st.just(frame(b"\x03\xe8", CLOSE)),
    st.builds(frame, TEXTS, st.integers(0, 15), mask=st.none()),
    st.binary(min_size=1, max_size=12),
)
STREAMS = st.lists(FRAMES, min_size=1, max_size=6)


def cut(stream: bytes, places: Sequence[int]) -> list[bytes]:
    edges = sorted({0, len(stream), *(place % (len(stream) + 1) for place in places)})
    return [stream[start:end] for start, end in pairwise(edges)]


def check(parts: Sequence[bytes], packets: Sequence[bytes]) -> None:
    async def compare() -> None:
        stream = b"".join(parts)
        assert b"".join(packets) == stream
        expected = await reference(stream)
        messages, code = await ours(packets)
        assert messages == expected[0]
        assert code in (expected[1], first_violation(stream))
        assert await ours([bytes((byte,)) for byte in stream]) == expected

    asyncio.run(compare())


@settings(max_examples=300, deadline=None)
@given(STREAMS, st.lists(st.integers(0, 2000), max_size=8))
@example([frame(b"abc", mask=b"\x81\x81\x00\x00")], [2])
@example([frame(b"x" * 126, mask=bytes(4))], [8])
@example([frame(b"1"), frame(b"\x03\xe8", CLOSE)], [])
@example([frame(b"1"), frame(b"2", reserved=1)], [])
@example([frame(b"1", final=False), frame(b"2")], [7])
@example([frame(b"\xff"), frame(b"2")], [])
@pytest.mark.slow
def test_any_stream_in_any_packets(parts: list[bytes], places: list[int]) -> None:
    check(parts, cut(b"".join(parts), places))


@settings(max_examples=100, deadline=None)
@given(STREAMS)
@pytest.mark.slow
def test_a_frame_a_packet(parts: list[bytes]) -> None:
    check(parts, parts)


async def short_ways(packets: Sequence[bytes]) -> list[bool]:
    """Whether the short way is open behind the request, and behind each packet."""
    link = peer([])
    link.connection_made(Swallowing())
    link.data_received(request(1))
    ways = [link._between]
    for packet in packets:
        link.data_received(packet)
        ways.append(link._between)
    link.connection_lost(None)
    return [*ways, link._between]


@pytest.mark.parametrize("size", [0, 125, 126, 200, LIMIT])
def test_most_messages_take_the_short_way(size: int) -> None:
    """All would be right without it, and slower; this says so."""
    whole = frame(b"x" * size)
    packets = [whole, whole[:1], whole[1:], frame(b"", PING), frame(b"x", final=False), frame(b"y", 0)]
    assert asyncio.run(short_ways(packets)) == [True, True, False, True, True, False, True, False]


def test_a_length_in_too_many_bytes_closes_the_short_way_and_nothing_else() -> None:
    longer = b"\x81\xfe\x00\x01" + bytes(4) + b"x"
    assert asyncio.run(short_ways([longer, frame(b"1")])) == [True, False, False, False]
    assert asyncio.run(ours([longer, frame(b"1")])) == (["x", "1"], 0)


def test_one_turn_of_the_loop_reads_a_portion() -> None:
    """Whoever sends thousands of messages at once lets others have their turn; all of his are heard, in their order."""

    async def feed() -> tuple[int, list[str]]:
        heard: list[str] = []
        link = peer(heard)
        link.connection_made(Swallowing())
        link.data_received(request(1))
        await asyncio.sleep(0.01)
        link.data_received(b"".join(frame(str(number).encode()) for number in range(5000)))
        await asyncio.sleep(0)
        first = len(heard)
        link.eof_received()
        for _ in range(1000):
            await asyncio.sleep(0)
        assert not link.queued
        link.connection_lost(None)
        return first, heard

    first, heard = asyncio.run(feed())
    assert 1 < first < 2000
    assert heard == [str(number) for number in range(5000)]
