"""One connection of the shell: a websockets ServerConnection that hands each text message over at once.

The library's own way (a queue, and a task that waits on it) costs a good part of a move. Here a message is handed over
in the turn of the loop that read it; the rest (handshake, size limits, pings, closing) stays with the library. Outgoing
messages gather in `outbox` for the shell to write at the end of the turn.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any, Protocol

from websockets.asyncio.server import ServerConnection
from websockets.frames import CloseCode, Frame, Opcode
from websockets.http11 import Request, Response
from websockets.protocol import Event, State

from server.ratelimit import Meter

try:
    from websockets.speedups import apply_mask
except ImportError:  # no compiled extension for this platform
    from websockets.utils import apply_mask

_TEXT = 0x81
"""First byte of a text frame that is a whole message."""

_MASKED = 0x80
_SHORT = 126
_HEADER = 6
"""A client's short frame: two bytes, then the four of the mask."""

_MAX_FRAGMENTS = 1024
"""Parts of one message: empty ones count for nothing in its size, but not in memory."""


class Doorkeeper(Protocol):
    """Who counts the connections."""

    def enter(self, peer: Peer, host: str) -> None:
        """A connection was opened; its handshake is yet to come."""
        ...

    def leave(self, peer: Peer) -> None:
        """A connection that was opened is gone."""
        ...


class Peer(ServerConnection):
    """A connection with what waits to be written to it; see the module.

    take: called with each whole text message, between the end of the handshake and the start of the closing one.
    doorkeeper: told of the connection's beginning and end, handshake or not. number: the shell's own number of the
    connection, 0 before it has one. host: the address at the other end. meter: what it has sent.
    """

    def __init__(
        self,
        take: Callable[[Peer, str], None],
        doorkeeper: Doorkeeper,
        *args: Any,  # the library's arguments
        **kwargs: Any,
    ) -> None:
        super().__init__(*args, **kwargs)
        self.number = 0
        self.host = ""
        self.meter: Meter | None = None
        self._doorkeeper = doorkeeper
        self.batch = False
        self.outbox: list[bytes] = []
        self.backlog: list[bytes] = []
        self.gated = 0
        self.waiting = 0
        self.hurried = False
        self.lingering = False
        self.stalled_since: float | None = None
        self.closing: tuple[int, str] | None = None
        self._take = take
        self._fragments: list[bytes] = []

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """What the library calls once the connection (with TLS, its handshake) is there."""
        super().connection_made(transport)
        address = transport.get_extra_info("peername")
        self._doorkeeper.enter(self, str(address[0]) if address else "")

    def connection_lost(self, exc: Exception | None) -> None:
        """What the library calls at the very end."""
        super().connection_lost(exc)
        self._doorkeeper.leave(self)

    def data_received(self, data: bytes) -> None:
        """Reads the usual message (one short text frame, nothing before it) at once; all else is the library's.

        RFC 6455, section 5.2: FIN and text, masked with a length below 126, the mask, the payload.
        """
        size = len(data) - _HEADER
        if (
            data[0] == _TEXT
            and 0 <= size < _SHORT
            and data[1] == _MASKED | size
            and not self.protocol.reader.buffer
            and not self._fragments
            and self.protocol.state is State.OPEN
        ):
            self._read(apply_mask(data[_HEADER:], data[2:_HEADER]))
        else:
            super().data_received(data)

    def process_event(self, event: Event) -> None:
        """What the library calls for each frame (and first for the handshake's request)."""
        if isinstance(event, Request | Response) or event.opcode not in (Opcode.TEXT, Opcode.CONT, Opcode.BINARY):
            super().process_event(event)
        elif self.protocol.state is State.OPEN:
            self._receive(event)

    def write(self, message: bytes) -> None:
        """Writes one text message straight to the transport; the connection must be open."""
        size = len(message)
        if size < _SHORT:
            header = bytes((_TEXT, size))
        elif size < 1 << 16:
            header = bytes((_TEXT, 126, size >> 8, size & 255))
        else:
            header = bytes((_TEXT, 127)) + size.to_bytes(8, "big")
        self.transport.write(header + message)

    def is_open(self) -> bool:
        """Whether messages may still be sent."""
        return self.protocol.state is State.OPEN

    def fail(self, code: int, reason: str) -> None:
        """Closes the connection because of what the peer sent."""
        self.protocol.fail(code, reason)
        self.send_data()

    def _receive(self, frame: Frame) -> None:
        if frame.opcode is Opcode.BINARY:
            self.fail(CloseCode.UNSUPPORTED_DATA, "text frames only")
            return
        data = frame.data
        if self._fragments or not frame.fin:
            if len(self._fragments) == _MAX_FRAGMENTS:
                self.fail(CloseCode.MESSAGE_TOO_BIG, "too many fragments")
                return
            self._fragments.append(bytes(data))
            if not frame.fin:
                return
            data = b"".join(self._fragments)
            self._fragments.clear()
        self._read(data)

    def _read(self, data: bytes | bytearray | memoryview) -> None:
        try:
            text = str(data, "utf-8")
        except UnicodeDecodeError:
            self.fail(CloseCode.INVALID_DATA, "text frames hold UTF-8")
            return
        self._take(self, text)
