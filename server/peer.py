"""One connection of the shell: a websockets ServerConnection that hands each text message over at once.

The library's own way (a queue, and a task that waits on it) costs a good part of a move. Here a message is handed over
in the turn of the loop that read it; the rest (handshake, size limits, pings, closing) stays with the library. Outgoing
messages gather in `outbox` for the shell to write at the end of the turn.

However its bytes are cut into packets, a stream gives the messages that the library alone would give: also those that
came in one packet with the close frame after them, or (from a client in a hurry) with the handshake before them.
"""

from __future__ import annotations

import asyncio
import math
import struct
from collections import deque
from contextlib import suppress
from socket import SO_LINGER, SOL_SOCKET
from types import GeneratorType
from typing import Any, Final, Protocol, cast

from websockets.asyncio.server import ServerConnection
from websockets.exceptions import ConnectionClosed
from websockets.frames import CloseCode, Frame, Opcode
from websockets.http11 import Request, Response
from websockets.protocol import SEND_EOF, Event, State
from websockets.server import ServerProtocol
from websockets.streams import StreamReader

from protocol.errors import ProtocolError
from protocol.messages import ClientMessage
from server import lifeline
from server.anteroom import Guest
from server.ratelimit import AddressMeter, Meter

try:
    from websockets.speedups import apply_mask
except ImportError:  # no compiled extension for this platform
    from websockets.utils import apply_mask

_TEXT = 0x81
"""First byte of a text frame that is a whole message."""

_READ_BYTES = 1 << 16
"""Read at once: asyncio's own 256 KiB are mapped into memory anew for each read."""

_MASKED = 0x80
_SHORT = 126
_HEADER = 6
"""A client's short frame: two bytes, then the four of the mask."""

_MAX_FRAGMENTS = 1024
"""Parts of one message: empty ones count for nothing in its size, but not in memory."""

_MAX_EARLY = 16
"""Frames that may wait for the end of the handshake: whoever sends them does not wait for our answer as he should."""

_NO_LINGER: Final = struct.pack("ii", 1, 0)
"""For SO_LINGER: closing forgets what was not sent yet, and tells the peer so."""

_AT_ONCE = 1 << 12
"""Bytes that are read in the turn of the loop that brings them: more has to wait for its turn."""

_PORTION = 1 << 8
"""Bytes that are read of a peer that waits for its turn: the most dear are pings, of which 40 take some 0.5 ms.

Within a long frame twice as many each time, up to _AT_ONCE: there is nothing to do but to keep them.
"""

_PROBE: Final = b"?"
"""What a ping says that the library does not know of: its pong is dropped there."""

_PARTING = 1.0
"""Seconds for the last words to a peer that answered no ping: he may be there, and only have been busy."""

_READER: Final = "_read_ready_cb"
"""Where asyncio's transports hold a method of their own."""

Turn = tuple[str, int]
"""A match, and the ply for which its player is asked."""

_BETWEEN_FRAMES: Final = StreamReader.at_eof.__code__
"""Where the library's parser stands when it has read all of a frame and nothing of the next one."""


class Hearing(Protocol):
    """Who hears what peers say."""

    def take(self, peer: Peer, text: str) -> None:
        """A whole text message was read, between the end of the handshake and the start of the closing one."""
        ...

    def is_calm(self, peer: Peer) -> bool:
        """Whether a packet of a peer may be read at once."""
        ...

    def has_read(self, peer: Peer, frames: int, size: int) -> None:
        """So many frames ended in `size` bytes that the library has read."""
        ...

    def now(self) -> float:
        """The time that players are charged for."""
        ...

    def wait(self, peer: Peer) -> None:
        """More has arrived than may be heard at once: sets `heard_at`; `feed_portion` is to be called in its turns."""
        ...

    def cut_off(self, peer: Peer) -> None:
        """The peer has not read for too long what it was sent: answers to its pings, too."""
        ...


class Doorkeeper(Protocol):
    """Who counts the connections."""

    def leave(self, peer: Peer) -> None:
        """A connection that was opened is gone."""
        ...


def cut_rings(protocol: ServerProtocol, transport: asyncio.BaseTransport) -> None:
    """Lets go of what a library's protocol and a transport of asyncio hold of themselves, once both are over."""
    cast(Any, protocol).parser = None
    if hasattr(transport, _READER):
        setattr(transport, _READER, None)


class Peer(ServerConnection):
    """A connection with what waits to be written to it; see the module.

    doorkeeper: told of the connection's end, handshake or not. number: the shell's own number of the connection, 0
    before it has one. host: the address at the other end. guest: how far it is on its way in. meter: what it has sent.
    held: whether nothing is read of it for now; deaf: whether we are deaf to it for good, for it ends after an answer.
    alive_at: when it was last read from, by the same time. lag_ms: what the last ping took there and back.
    patience: for how many seconds it may not read. queued: whether it waits for its turn to be heard, with the messages
    `pending`, since `heard_at` (by the time of who hears it). turns: the match and ply of each `your_turn` in `outbox`.
    """

    def __init__(
        self,
        hearing: Hearing,
        doorkeeper: Doorkeeper,
        patience: float,
        *args: Any,  # the library's arguments
        **kwargs: Any,
    ) -> None:
        super().__init__(*args, **kwargs)
        self.number = 0
        self.host = ""
        self.guest: Guest | None = None
        self.held = False
        self.deaf = False
        self.meter: Meter | None = None
        self._doorkeeper = doorkeeper
        self.batch = False
        self.outbox: list[bytes] = []
        self.turns: list[Turn] = []
        self.backlog: list[bytes] = []
        self.queued = False
        self.heard_at = 0.0
        self.alive_at = 0.0
        self.lag_ms = 0
        self.pending: deque[ClientMessage | ProtocolError] = deque()
        self.gated = 0
        self.waiting = 0
        self.hurried = False
        self.lingering = False
        self.stalled_since: float | None = None
        self.closing: tuple[int, str] | None = None
        self._hearing = hearing
        self._patience = patience
        self._stalled: asyncio.TimerHandle | None = None
        self._closing_ends: asyncio.TimerHandle | None = None
        self._rest = b""
        self._early: list[Frame] = []
        self._fragments: list[bytes] = []
        self._frames = 0
        self._portion = _PORTION
        self._between = False
        self._hears = True
        self._measuring: asyncio.Task[None] | None = None
        self._ended = False

    @property
    def address(self) -> AddressMeter:
        """The meter of its address; it has one once its connection is there."""
        assert self.meter is not None
        return self.meter.address

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """What `server.entrance` calls once the connection (with TLS, its handshake) is there."""
        super().connection_made(transport)
        if hasattr(transport, "max_size"):
            cast(Any, transport).max_size = _READ_BYTES  # of asyncio's selector transports, not of all

    def connection_lost(self, exc: Exception | None) -> None:
        """What the library calls at the very end."""
        for deadline in (self._stalled, self._closing_ends):
            if deadline is not None:
                deadline.cancel()
        self._rest = b""
        self.pending.clear()
        super().connection_lost(exc)
        self._doorkeeper.leave(self)
        self._let_go()

    def _let_go(self) -> None:
        """Cuts the cycles in which the library and asyncio hold a connection that is over: its memory is free at once.

        Else it waits for the cycle collector, which looks through all that is alive.
        """
        for failure in (self.protocol.parser_exc, self.protocol.handshake_exc, self.connection_exc):
            cause: BaseException | None = failure
            while cause is not None:
                cause.__traceback__ = None
                cause = cause.__cause__ or cause.__context__
        cut_rings(self.protocol, self.transport)

    def data_received(self, data: bytes) -> None:
        """Reads the usual message (one short text frame, nothing before it) at once; all else is the library's.

        RFC 6455, section 5.2: FIN and text, masked with a length below 126, the mask, the payload.
        """
        size = len(data) - _HEADER
        if (
            data[0] == _TEXT
            and 0 <= size < _SHORT
            and data[1] == _MASKED | size
            and self._between
            and not self.queued
            and self.protocol.state is State.OPEN
        ):
            self._read(apply_mask(data[_HEADER:], data[2:_HEADER]))
        elif len(data) <= _AT_ONCE and not self.queued and self._hearing.is_calm(self):
            self.alive_at = self._hearing.now()
            self._feed(data)
        else:
            self.alive_at = self._hearing.now()
            self._rest += data
            if self.queued:
                self.transport.pause_reading()
            self.queue()

    def eof_received(self) -> bool | None:  # type: ignore[override]  # the library never keeps a connection half open
        """The peer sends nothing more: what it sent counts, also what is still to be heard."""
        if self.queued and not self.transport.get_extra_info("sslcontext"):
            self._ended = True
            return True
        super().eof_received()
        return None

    def queue(self) -> None:
        """Waits for its turn to be heard; if more arrives meanwhile, that is read, and then nothing more."""
        if not self.queued:
            self.queued = True
            self._hearing.wait(self)

    @property
    def has_more(self) -> bool:
        """Whether something has arrived that was not read yet."""
        return bool(self._rest)

    def feed_portion(self) -> None:
        """Reads a little of what has arrived."""
        size = self._portion
        portion, self._rest = self._rest[:size], self._rest[size:]
        if portion:
            self._feed(portion)
            self._portion = _PORTION if self._frames else min(2 * size, _AT_ONCE)

    def caught_up(self) -> None:
        """All is heard: reads on."""
        self.queued = False
        if self._ended:
            super().eof_received()
            self.transport.close()
        elif not (self.paused or self.held):
            self.transport.resume_reading()

    def _feed(self, data: bytes) -> None:
        # The library reads all frames of a packet before it hands over the first one. If a close frame is among them,
        # those before it count; if the closing began earlier, none does.
        self._hears = self.protocol.state in (State.CONNECTING, State.OPEN)
        self._frames = 0
        super().data_received(data)
        self._hearing.has_read(self, self._frames, len(data))
        if self.protocol.state is State.CLOSING:
            self._bound_closing()
        self._between = not (self._fragments or self._early or self._rest) and self._is_between_frames()

    def process_event(self, event: Event) -> None:
        """What the library calls for each frame (and first for the handshake's request)."""
        self._frames += 1
        if isinstance(event, Request | Response) or event.opcode not in (Opcode.TEXT, Opcode.CONT, Opcode.BINARY):
            super().process_event(event)
            if not isinstance(event, Request | Response) and event.opcode is Opcode.PONG:
                self.lag_ms = math.ceil(self.latency * 1000)
        elif self.protocol.state is State.CONNECTING:
            self._early.append(event)
            if len(self._early) > _MAX_EARLY:
                self.transport.abort()
        elif self._hears:
            self._receive(event)

    def opened(self) -> None:
        """To be called when the handshake is done: reads what came before its end."""
        early, self._early = self._early, []
        for frame in early:
            if self.is_open():
                self._receive(frame)
        self._between = not self._fragments and self._is_between_frames()

    async def keepalive(self) -> None:
        """As the library's, which the connection starts; but who answers no ping is not waited for to close, either."""
        if self.ping_interval is None:
            return
        with suppress(ConnectionClosed):
            while True:
                await asyncio.sleep(max(0.0, self.ping_interval - self.latency))
                pong = await self.ping()
                try:
                    async with asyncio.timeout(self.ping_timeout):
                        await pong
                except TimeoutError:
                    if self.deaf:  # its pong may be there, unread; it ends soon anyway
                        return
                    self.fail(CloseCode.INTERNAL_ERROR, "no answer to a ping")
                    self.loop.call_later(_PARTING, self.cut)
                    return

    def probe(self) -> None:
        """Asks for a sign of life; nobody waits for it, and the round trip is not measured by it."""
        if self.is_open() and not self.paused:
            self.protocol.send_ping(_PROBE)
            self.send_data()

    def silent_s(self) -> float:
        """For how many seconds the machine at the other end has acknowledged nothing; infinite if none can tell.

        A program that computes without letting its library answer pings is no less there.
        """
        return lifeline.silent_s(self.transport.get_extra_info("socket"))

    def is_read(self) -> bool:
        """Whether what it sends is read at once: else nothing can be known of it."""
        return not (self.queued or self.held or self.paused)

    def measure(self) -> None:
        """Pings now, so that the round trip is known before the next ping of `keepalive`."""
        if self._measuring is None and self.ping_interval is not None:
            self._measuring = self.loop.create_task(self._ping())

    async def _ping(self) -> None:
        with suppress(ConnectionClosed):
            await self.ping()

    def pause_writing(self) -> None:
        """The peer reads more slowly than we write: reads nothing more of it meanwhile, and not for ever."""
        super().pause_writing()
        self.transport.pause_reading()
        self._stalled = self.loop.call_later(self._patience, self._hearing.cut_off, self)

    def resume_writing(self) -> None:
        """The peer has read."""
        super().resume_writing()
        if self._stalled is not None:
            self._stalled.cancel()
        if not (self.queued or self.held):
            self.transport.resume_reading()

    def write(self, message: bytes) -> None:
        """Writes one text message straight to the transport; the connection must be open."""
        size = len(message)
        if size < _SHORT:
            header = bytes((_TEXT, size))
        elif size < 1 << 16:
            header = bytes((_TEXT, 126, size >> 8, size & 255))
        else:
            header = bytes((_TEXT, 127)) + size.to_bytes(8, "big")
        if not self.transport.is_closing():
            self.transport.write(header + message)

    def send_data(self) -> None:
        """As the library's, but in one write, and none to a peer that has gone: asyncio logs each of those."""
        parts = self.protocol.data_to_send()
        if self.transport.is_closing():
            return
        if data := b"".join(parts):
            self.transport.write(data)
        if SEND_EOF in parts and not self.transport.is_closing():
            if self.transport.can_write_eof():
                with suppress(OSError, RuntimeError):
                    self.transport.write_eof()
            else:
                self.transport.close()

    def is_open(self) -> bool:
        """Whether messages may still be sent."""
        return self.protocol.state is State.OPEN

    def is_heard(self) -> bool:
        """Whether what it says still counts."""
        return self.closing is None and not self.deaf

    def fail(self, code: int, reason: str) -> None:
        """Closes the connection because of what the peer sent; what else it sent is not read any more."""
        self._hears = False
        self.pending.clear()
        self.protocol.fail(code, reason)
        self.send_data()
        self._bound_closing()

    def hold(self) -> None:
        """Reads nothing of the peer until `release`."""
        self.held = True
        self._rest = b""
        self.transport.pause_reading()

    def release(self) -> None:
        """Reads again."""
        self.held = False
        if not (self.paused or self.queued or self.transport.is_closing()):
            self.transport.resume_reading()

    def cut(self) -> None:
        """Drops the connection at once, and with it what the system still holds for a peer that does not read."""
        socket = self.transport.get_extra_info("socket")
        if socket is not None and not self.transport.is_closing():
            socket.setsockopt(SOL_SOCKET, SO_LINGER, _NO_LINGER)
        self.transport.abort()

    def _is_between_frames(self) -> bool:
        """Whether the library's parser waits for the first byte of a frame: an empty buffer alone does not say it."""
        waiting: object = self.protocol.parser
        while isinstance(waiting, GeneratorType) and waiting.gi_yieldfrom is not None:
            waiting = waiting.gi_yieldfrom
        return isinstance(waiting, GeneratorType) and waiting.gi_code is _BETWEEN_FRAMES

    def _bound_closing(self) -> None:
        """A peer that was told that it is over closes its side soon, or we do."""
        if self._closing_ends is None and self.close_timeout is not None:
            self._closing_ends = self.loop.call_later(self.close_timeout, self.cut)

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
        self._hearing.take(self, text)
