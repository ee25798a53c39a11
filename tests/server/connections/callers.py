"""Clients of a server in this process, in virtual time: transports whose other ends read, or don't, and a store."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import cast

from protocol.codec import encode, encode_batch
from protocol.messages import ClientMessage, Hello, ListMatches
from server.admission.admission import Admission
from server.admission.gate import GateOptions
from server.app import OpenStore
from server.connections.connection_bounds import Bounds
from server.connections.peer import Peer
from server.ratelimit import Rates
from tests.faults.rawsocket import frame, request
from tests.server.hall import Hall
from tests.server.transports import Swallowing


async def turns_of_the_loop(done: Callable[[], bool]) -> None:
    """Lets the loop go round until something is done."""
    for _ in range(100_000):
        if done():
            return
        await asyncio.sleep(0)
    raise AssertionError("it is never done")


class Wire(Swallowing):
    """A transport that keeps what is written and knows whether it is being read."""

    def __init__(self, host: str) -> None:
        super().__init__()
        self.host = host
        self.reading = True
        self.written = bytearray()

    def write(self, data: object) -> None:
        self.written += cast(bytes, data)

    def pause_reading(self) -> None:
        self.reading = False

    def resume_reading(self) -> None:
        assert not self.closed
        self.reading = True

    def close(self) -> None:
        self.closed = True

    def get_write_buffer_size(self) -> int:
        return 0

    def get_extra_info(self, name: str, default: object = None) -> object:
        return (self.host, 1) if name == "peername" else default


class Narrow(Wire):
    """A transport whose other end reads when it is told to; `unread` is what it has not read."""

    def __init__(self, host: str) -> None:
        super().__init__(host)
        self.unread = 0
        self.peer: Peer | None = None

    def write(self, data: object) -> None:
        super().write(data)
        self.unread += len(cast(bytes, data))
        if self.peer is not None and not self.peer.paused:
            self.peer.pause_writing()

    def read(self) -> None:
        self.unread = 0
        assert self.peer is not None
        self.peer.resume_writing()

    def get_write_buffer_size(self) -> int:
        return self.unread


class Caller:
    """A client at an address, which hands packets to its connection while that reads."""

    def __init__(self, hall: Hall, host: str, name: str, wire: Wire | None = None, asks: bytes = request(1)) -> None:
        app = hall.app
        self.name = name
        self.wire = wire or Wire(host)
        self.peer = app._make_peer()
        handshake = app.admission.arrive(host, lambda: None, lambda: None, 10.0)
        assert handshake is not None
        app.admission.enter(self.peer, handshake)
        self.peer.connection_made(self.wire)
        self.peer.data_received(asks)

    async def hello(self) -> None:
        self.send(Hello(1, 1, "test", "bot", self.name))
        await self.until_caught_up()

    def send(self, *messages: ClientMessage) -> None:
        assert self.wire.reading
        payload = encode(messages[0]) if len(messages) == 1 else encode_batch(messages)
        self.peer.data_received(frame(payload))

    def reads(self) -> bool:
        return self.wire.reading

    async def until_caught_up(self) -> None:
        for _ in range(5):
            await asyncio.sleep(0)
        await turns_of_the_loop(lambda: not self.peer.queued)
        await asyncio.sleep(0.02)

    def answers(self) -> list[int]:
        """The requests that were answered, in order."""
        found = []
        for text in self.wire.written.split(b'"id":')[1:]:
            digits = bytes(text).partition(b"}")[0].partition(b",")[0]
            found.append(int(digits))
        return found


def hall(prompt_burst: float = 20.0, open_store: OpenStore | None = None) -> Hall:
    """A server where an address is soon asked to wait for its turn."""
    made = Hall(open_store)
    made.app.admission = Admission(GateOptions(), Rates(prompt=100.0, prompt_burst=prompt_burst))
    made.app.bounds = Bounds(ping_interval=1e6)  # nobody would answer
    return made


def flood(first: int, count: int) -> list[ClientMessage]:
    return [ListMatches(first + number, limit=1) for number in range(count)]
