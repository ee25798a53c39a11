"""The client's end against the library's: the same bytes, however they are cut, give the same messages and answers."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from websockets.client import ClientProtocol
from websockets.frames import Close, Frame, Opcode
from websockets.http11 import Request
from websockets.protocol import State
from websockets.server import ServerProtocol
from websockets.typing import Subprotocol
from websockets.uri import parse_uri

from client.link import MAX_PARTS, MAX_WAITING, PING_S, Link
from protocol import SUBPROTOCOL
from tests.faults.simulation.virtual import run

URI = parse_uri("ws://server:1/")


class Pipe(asyncio.Transport):
    """What a link writes, kept; closed when it is aborted."""

    def __init__(self) -> None:
        super().__init__()
        self.written = bytearray()
        self.link: Link | None = None
        self.reads = True
        self._closing = False

    def write(self, data: bytes | bytearray | memoryview[Any]) -> None:
        self.written += data

    def get_write_buffer_size(self) -> int:
        return 0

    def is_closing(self) -> bool:
        return self._closing

    def can_write_eof(self) -> bool:
        return True

    def write_eof(self) -> None:
        pass

    def pause_reading(self) -> None:
        self.reads = False

    def resume_reading(self) -> None:
        self.reads = True

    def abort(self) -> None:
        if not self._closing:
            self._closing = True
            assert self.link is not None
            asyncio.get_running_loop().call_soon(self.link.connection_lost, None)


def opened(behind: bytes = b"") -> tuple[Link, Pipe, ServerProtocol]:
    """A link after its handshake, with bytes in the packet of the response."""
    server = ServerProtocol(subprotocols=[Subprotocol(SUBPROTOCOL)])
    link, pipe = Link(URI), Pipe()
    pipe.link = link
    link.connection_made(pipe)
    server.receive_data(bytes(pipe.written))
    (request,) = server.events_received()
    assert isinstance(request, Request)
    server.send_response(server.accept(request))
    pipe.written.clear()
    link.data_received(b"".join(server.data_to_send()) + behind)
    assert link.opened.done()
    return link, pipe, server


def frame(opcode: Opcode, data: bytes, *, fin: bool = True) -> bytes:
    """A frame as servers send them: not masked."""
    return Frame(opcode, data, fin).serialize(mask=False)


payloads = st.one_of(st.binary(max_size=140), st.sampled_from([b"x" * 125, b"x" * 126, b"y" * 65_535, b"z" * 65_536]))
frames = st.one_of(
    st.builds(frame, st.just(Opcode.TEXT), payloads),
    st.builds(frame, st.sampled_from([Opcode.TEXT, Opcode.BINARY, Opcode.CONT]), payloads, fin=st.booleans()),
    st.builds(frame, st.sampled_from([Opcode.PING, Opcode.PONG]), st.binary(max_size=10)),
    st.just(b"\x81\x7e\x00\x02hi"),  # a length of two bytes where one would do
    st.just(frame(Opcode.CLOSE, Close(4001, "enough").serialize())),
    st.binary(min_size=1, max_size=4),  # nonsense
)


def library(stream: bytes) -> tuple[list[bytes], State, bytes]:
    """The messages of a stream, the state after it, and what the library answers, its masks taken off."""
    protocol = ClientProtocol(URI, subprotocols=[Subprotocol(SUBPROTOCOL)], state=State.OPEN, max_size=1 << 20)
    protocol.receive_data(stream)
    messages, parts = [], b""
    for event in protocol.events_received():
        assert isinstance(event, Frame)
        if event.opcode in (Opcode.TEXT, Opcode.BINARY, Opcode.CONT):
            parts += event.data
            if event.fin:
                messages.append(parts)
                parts = b""
    return messages, protocol.state, unmasked(b"".join(protocol.data_to_send()))


def unmasked(data: bytes) -> bytes:
    """Short masked frames without their masks."""
    plain = b""
    while data:
        size = data[1] & 127
        mask, body = data[2:6], data[6 : 6 + size]
        plain += data[:1] + bytes(byte ^ mask[n % 4] for n, byte in enumerate(body))
        data = data[6 + size :]
    return plain


@given(st.lists(frames, max_size=8), st.lists(st.integers(1, 200), max_size=30), st.booleans())
def test_a_stream_gives_the_messages_that_the_library_gives(
    sent: list[bytes], cuts: list[int], whole_frames: bool
) -> None:
    stream = b"".join(sent)
    packets = sent if whole_frames else []
    if not whole_frames:
        rest = stream
        for cut in cuts:
            packets.append(rest[:cut])
            rest = rest[cut:]
        packets.append(rest)

    async def scene() -> None:
        link, pipe, _ = opened()
        heard: list[bytes] = []
        listening = asyncio.create_task(link.listen(heard.append))
        await asyncio.sleep(0)
        for packet in packets:
            if packet:
                link.data_received(packet)
        messages, state, answers = library(stream)
        assert heard == messages
        assert link.protocol.state is state
        assert unmasked(bytes(pipe.written)) == answers
        pipe.abort()
        await listening

    run(scene())


@given(st.lists(st.binary(max_size=70_000), max_size=3))
def test_what_it_writes_a_server_reads(messages: list[bytes]) -> None:
    async def scene() -> None:
        link, pipe, server = opened()
        for message in messages:
            assert link.write(message)
        server.receive_data(bytes(pipe.written))
        read = [event for event in server.events_received() if isinstance(event, Frame)]
        assert [bytes(event.data) for event in read] == messages
        pipe.abort()
        await link.over

    run(scene())


def played(play: Callable[[Link, Pipe], Any], behind: bytes = b"") -> None:
    async def scene() -> None:
        link, pipe, _ = opened(behind)
        await play(link, pipe)

    run(scene())


def test_what_comes_with_the_response_is_heard_and_then_nothing_overtakes() -> None:
    async def play(link: Link, pipe: Pipe) -> None:
        link.data_received(frame(Opcode.TEXT, b"2"))
        heard: list[bytes] = []
        listening = asyncio.create_task(link.listen(heard.append))
        await asyncio.sleep(0)
        link.data_received(frame(Opcode.TEXT, b"3"))
        assert heard == [b"1", b"2", b"3"]
        pipe.abort()
        await listening

    played(play, frame(Opcode.TEXT, b"1"))


def test_nothing_more_is_read_while_nobody_listens() -> None:
    async def play(link: Link, pipe: Pipe) -> None:
        read = []
        for n in range(MAX_WAITING):
            read.append(pipe.reads)
            link.data_received(frame(Opcode.TEXT, str(n).encode()))
        assert read == [True] * MAX_WAITING
        stopped = not pipe.reads
        assert await link.receive() == b"0"
        assert (stopped, pipe.reads) == (True, True)
        pipe.abort()
        await link.over

    played(play)


def test_a_message_in_too_many_parts_ends_the_connection() -> None:
    async def play(link: Link, pipe: Pipe) -> None:
        link.data_received(frame(Opcode.TEXT, b"", fin=False) + frame(Opcode.CONT, b"", fin=False) * (MAX_PARTS - 1))
        assert not link.offence
        link.data_received(frame(Opcode.CONT, b"", fin=False))
        assert "parts" in link.offence
        await link.over

    played(play)


def test_a_server_that_answers_no_ping_is_left() -> None:
    async def play(link: Link, pipe: Pipe) -> None:
        loop = asyncio.get_running_loop()
        began = loop.time()
        await asyncio.sleep(PING_S + 1)
        asked = unmasked(bytes(pipe.written))[1:]
        link.data_received(frame(Opcode.PONG, asked))
        await link.over
        assert 3 * PING_S <= loop.time() - began < 3 * PING_S + 1

    played(play)


def test_a_server_that_does_not_end_a_closed_connection_is_left() -> None:
    async def play(link: Link, pipe: Pipe) -> None:
        link.close()
        await link.over
        assert link.protocol.close_rcvd is None

    played(play)


def test_the_end_reaches_who_waits_for_a_message() -> None:
    async def play(link: Link, pipe: Pipe) -> None:
        waiting = asyncio.create_task(link.receive())
        await asyncio.sleep(0)
        pipe.abort()
        assert await waiting is None
        assert not await link.send(b"too late")

    played(play)
