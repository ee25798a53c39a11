"""The protocol of a connection from its acceptance until a Peer takes it over.

A silent connection costs next to nothing: TLS and WebSocket are set up only once there is something to read and a slot
is free (see server.connections.handshakes). TLS starts late, through `loop.start_tls`, so every TLS session belongs to
a connection that was counted.
"""

from __future__ import annotations

import asyncio
import ssl
from asyncio import sslproto
from collections.abc import Callable
from dataclasses import dataclass
from socket import SO_RCVBUF, SO_SNDBUF, SOL_SOCKET, socket
from typing import Final, cast

from server.admission.admission import Admission
from server.connections.handshakes import Handshake
from server.connections.link import break_cycle, keep_reads_small
from server.connections.peer import Peer

ACCEPTED_A_TURN: Final = 16
"""At most this many connections are accepted in one turn of the loop; the others wait in the system's queue.

asyncio accepts as many in a row as its queue is long, and has them all shake hands in the turns that follow.
"""

QUEUE: Final = 1024
"""Connections that wait in the system until they are accepted."""

SYSTEM_BYTES: Final = 1 << 17
"""What the system may hold of a connection, each way; Linux takes twice as much, for what it keeps beside the bytes.

Left to itself it holds up to 4 MiB for somebody who reads nothing, which no bound of ours sees.
"""

_READ_BYTES: Final = 1 << 12
"""The read size for a connection without a slot: enough for the start of its handshake, or all of it."""

_RECORD: Final = 1 << 14
"""The longest record of TLS, RFC 8446, section 5.1."""


@dataclass(frozen=True, slots=True)
class AcceptOptions:
    """How connections come in. patience: seconds until the handshakes must be done; close: for the end of TLS."""

    admission: Admission
    tls: ssl.SSLContext | None
    patience: float
    close: float

    def prepare(self) -> None:
        """To be called before the server listens."""
        self.admission.expect(tls=self.tls is not None)
        if self.tls is not None:
            # asyncio gives each TLS connection a read buffer of 256 KiB and keeps it for as long as the connection
            # lasts. One TLS record is enough, since no more can be decrypted at once. The size can only be set for the
            # whole process, and the server has its process to itself.
            sslproto.SSLProtocol.max_size = _RECORD

    @staticmethod
    def listen(listener: socket) -> None:
        """To be called for each socket that listens: the connections that it accepts have its buffers."""
        for buffer in (SO_SNDBUF, SO_RCVBUF):
            listener.setsockopt(SOL_SOCKET, buffer, SYSTEM_BYTES)
        listener.listen(QUEUE)


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
        """Reads the first bytes; with TLS, also those between the end of its handshake and the Peer's takeover."""
        self._early += data
        if self._handshake is not None and self._task is None:
            self._transport.pause_reading()
            self._options.admission.spoke(self._handshake)

    def connection_lost(self, exc: Exception | None) -> None:
        """It has gone."""
        if self._handshake is not None:
            self._options.admission.forget(self._handshake)
            self._handshake = None
        break_cycle(self._transport)

    def _start(self) -> None:
        if self._transport.is_closing():
            return
        if self._options.tls is None:
            self._hand_over(self._transport)
        else:
            self._task = asyncio.get_running_loop().create_task(self._encrypt(self._options.tls))

    async def _encrypt(self, tls: ssl.SSLContext) -> None:
        """Does the TLS handshake. A connection that fails is cut off; a slow one is cut off by its deadline."""
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
        except OSError as error:  # includes ssl.SSLError
            # Its traceback refers to asyncio's frames, and they refer back to it: a reference cycle that would keep the
            # 60 KB of a TLS session until the garbage collector runs, which is rare (see server.memory).
            error.__traceback__ = None
        if encrypted is None or encrypted.is_closing():
            self._options.admission.forget(handshake, "tls")
            self._transport.abort()
        else:
            self._hand_over(encrypted)

    def _hand_over(self, transport: asyncio.Transport) -> None:
        handshake, self._handshake = self._handshake, None  # it refers back to this: break the reference cycle
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
    """Feeds the bytes that were read too early to the TLS protocol that `start_tls` has just set.

    It uses the interface of asyncio.BufferedProtocol, as a transport does.
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
