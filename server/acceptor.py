"""What stands at a connection from the moment when it was accepted until a Peer takes it over.

Silence costs next to nothing here: neither TLS nor WebSocket is set up before there is something to read and a turn for
it (see server.handshakes). TLS begins late, by `loop.start_tls`, so that nobody has a TLS session who was not counted.
"""

from __future__ import annotations

import asyncio
import ssl
from asyncio import sslproto
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, cast

from server.admission import Admission
from server.handshakes import Handshake
from server.link import cut_ring, keep_reads_small
from server.peer import Peer

ACCEPTED_A_TURN: Final = 16
"""Connections that one turn of the loop accepts; others wait in the system's queue, and nobody waits for them.

asyncio accepts as many in a row as its queue is long, and has them all shake hands in the turns that follow.
"""

QUEUE: Final = 1024
"""Connections that wait in the system until they are accepted."""

_READ_BYTES: Final = 1 << 12
"""Of somebody who has no turn yet: the start of the handshake, or all of it."""

_RECORD: Final = 1 << 14
"""The longest record of TLS, RFC 8446, section 5.1."""


@dataclass(frozen=True, slots=True)
class AcceptOptions:
    """How connections come in; patience: seconds until the end of the handshakes, close: for the end of TLS."""

    admission: Admission
    tls: ssl.SSLContext | None
    patience: float
    close: float

    def prepare(self) -> None:
        """To be called before the server listens."""
        self.admission.expect(tls=self.tls is not None)
        if self.tls is not None:
            # asyncio gives each TLS connection 256 KiB to read into, which it fills and keeps for as long as the
            # connection lasts; a record is what can be decrypted at once. There is no other way to say so than this one
            # value for the whole process, which is the server's own.
            sslproto.SSLProtocol.max_size = _RECORD


class Acceptor(asyncio.Protocol):
    """The protocol of a new connection. make: makes the Peer that takes it over."""

    __slots__ = ("_early", "_handshake", "_make", "_options", "_task", "_transport")

    def __init__(self, options: AcceptOptions, make: Callable[[], Peer]) -> None:
        self._options = options
        self._make = make
        self._early = b""
        self._handshake: Handshake | None = None
        self._task: asyncio.Task[None] | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """The connection was accepted."""
        self._transport = cast(asyncio.Transport, transport)
        keep_reads_small(transport, _READ_BYTES)
        address = transport.get_extra_info("peername")
        host = str(address[0]) if address else ""
        self._handshake = self._options.admission.arrive(
            host, self._start, self._transport.abort, self._options.patience
        )
        if self._handshake is None:
            self._transport.abort()

    def data_received(self, data: bytes) -> None:
        """Its first bytes; with TLS, also what it says between the end of that handshake and its taking over."""
        self._early += data
        if self._handshake is not None and self._task is None:
            self._transport.pause_reading()
            self._options.admission.spoke(self._handshake)

    def connection_lost(self, exc: Exception | None) -> None:
        """It has gone."""
        if self._handshake is not None:
            self._options.admission.forget(self._handshake)
            self._handshake = None
        cut_ring(self._transport)

    def _start(self) -> None:
        if self._transport.is_closing():
            return
        if self._options.tls is None:
            self._hand_over(self._transport)
        else:
            self._task = asyncio.get_running_loop().create_task(self._encrypt(self._options.tls))

    async def _encrypt(self, tls: ssl.SSLContext) -> None:
        """Shakes hands for TLS; who fails is cut off, and so is who is not done in time, by its deadline."""
        handshake = self._handshake
        assert handshake is not None
        loop = asyncio.get_running_loop()
        early, self._early = self._early, b""
        loop.call_soon(_feed, self._transport, early)
        encrypted: asyncio.Transport | None = None
        try:
            encrypted = await loop.start_tls(
                self._transport, self, tls, server_side=True,
                ssl_handshake_timeout=self._options.patience, ssl_shutdown_timeout=self._options.close,
            )  # fmt: skip
        except OSError as error:  # of which ssl.SSLError is one
            # Its traceback leads to asyncio's frames, and they lead back to it: a ring that would keep the 60 KB of a
            # TLS session until the collector comes, which is seldom (see server.memory).
            error.__traceback__ = None
        if encrypted is None or encrypted.is_closing():
            self._options.admission.forget(handshake, "tls")
            self._transport.abort()
        else:
            self._hand_over(encrypted)

    def _hand_over(self, transport: asyncio.Transport) -> None:
        handshake, self._handshake = self._handshake, None  # who leads back here: a ring would wait for the collector
        assert handshake is not None
        peer, early = self._make(), self._early
        self._early = b""
        transport.set_protocol(peer)
        self._options.admission.enter(peer, handshake)
        peer.connection_made(transport)
        if early:
            peer.data_received(early)
        transport.resume_reading()


def _feed(transport: asyncio.Transport, data: bytes) -> None:
    """Gives the protocol of TLS, which `start_tls` has just set, what was read before it was there.

    This goes the way on which a transport gives it everything: asyncio.BufferedProtocol.
    """
    protocol = cast(asyncio.BufferedProtocol, transport.get_protocol())
    if transport.is_closing():
        return
    while data:
        buffer = memoryview(cast(bytearray, protocol.get_buffer(len(data))))
        size = min(len(buffer), len(data))
        buffer[:size] = data[:size]
        protocol.buffer_updated(size)
        data = data[size:]
