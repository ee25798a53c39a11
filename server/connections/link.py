"""The bytes of one connection: an asyncio protocol of our own around the public sans-I/O protocol of `websockets`.

Here is what every connection has: its transport, the answer to its request (a page, a refusal, or the handshake of a
WebSocket), its closing, which is bounded, and its end. `server.connections.peer` adds what a WebSocket has.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from http import HTTPStatus
from typing import Any, Final, cast

from websockets.http11 import Request, Response
from websockets.protocol import SEND_EOF, State
from websockets.server import ServerProtocol

from server.connections.connection_bounds import Bounds
from server.connections.long_answers import LongAnswer
from server.logs import note_error

_END_OF_REQUEST: Final = b"\r\n\r\n"

MOST_OF_A_REQUEST: Final = 32 << 10
"""Bytes of a request with its headers: browsers send one or two thousand, the library would keep a million."""

_TOO_LONG: Final = b"x" * (9 << 10)
"""The library answers such a line with 431, and takes nothing more."""

_READER: Final = "_read_ready_cb"
"""Where asyncio's transports hold a method of their own."""


def break_cycle(transport: asyncio.BaseTransport) -> None:
    """Breaks the reference cycle of an asyncio transport that is closed, so that its memory is freed at once.

    Otherwise it would wait for the garbage collector, which has to look through all living objects.
    """
    if hasattr(transport, _READER):
        setattr(transport, _READER, None)


class Link(asyncio.Protocol):
    """A connection that makes one request. answer: its answer, or None to let it become a WebSocket.

    protocol: the parser of `websockets`. is_asked: whether the whole request was read. is_open: whether it is a
    WebSocket to which messages may be sent. is_lost: whether the connection is over. closing_ends: cuts off a slow
    closing. close_code: how the WebSocket ended, once it is over; 1006 without a closing handshake. long_answer: the
    long body of its answer, while that is sent.
    """

    __slots__ = (
        "_answer",
        "_head_bytes",
        "_tail",
        "bounds",
        "close_code",
        "closing_ends",
        "is_asked",
        "is_lost",
        "is_open",
        "long_answer",
        "loop",
        "protocol",
        "transport",
    )  # fmt: skip

    transport: asyncio.Transport

    def __init__(self, protocol: ServerProtocol, bounds: Bounds, answer: Answer) -> None:
        self.protocol = protocol
        self.bounds = bounds
        self.loop = asyncio.get_running_loop()
        self.closing_ends: asyncio.TimerHandle | None = None
        self.close_code: int | None = None
        self.is_asked = False
        self.is_lost = False
        self.is_open = False
        self.long_answer: LongAnswer | None = None
        self._answer = answer
        self._head_bytes = 0
        self._tail = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """The connection (with TLS, its handshake) is there."""
        self.transport = cast(asyncio.Transport, transport)

    def data_received(self, data: bytes) -> None:
        """Reads more of the request; ignores what comes after it."""
        if self.is_asked:
            self.protocol.receive_data(data)
        else:
            self.read_request(data)
        self.protocol.events_received()
        self.flush()

    def eof_received(self) -> bool | None:
        """The other end sends nothing more; asyncio closes the transport then."""
        self.protocol.receive_eof()
        self.flush()
        return None

    def connection_lost(self, exc: Exception | None) -> None:
        """The connection is over: frees all that it holds."""
        self.is_lost = True
        self.is_open = False
        if self.closing_ends is not None:
            self.closing_ends.cancel()
        if self.long_answer is not None:
            self.long_answer.cancel()
            self.long_answer = None
        self.protocol.receive_eof()
        self.close_code = self.protocol.close_code
        # The parser of the protocol is a generator that holds the protocol, and a failure holds the parser's frames.
        vars(self.protocol).clear()
        break_cycle(self.transport)

    def read_request(self, data: bytes) -> bytes:
        """Reads the request up to its end, and answers it; returns what came behind it."""
        self._head_bytes += len(data)
        if self._head_bytes > MOST_OF_A_REQUEST:
            self.protocol.receive_data(_TOO_LONG)
            return b""
        before = len(self._tail)
        seen = self._tail + data
        end = seen.find(_END_OF_REQUEST)
        if end < 0:
            self._tail = seen[1 - len(_END_OF_REQUEST) :]
            self.protocol.receive_data(data)
            return b""
        self.is_asked, self._tail = True, b""
        end += len(_END_OF_REQUEST) - before
        self.protocol.receive_data(data[:end])
        for event in self.protocol.events_received():
            assert isinstance(event, Request)
            self.protocol.send_response(self._respond(event))
        return data[end:]

    def respond(self, status: HTTPStatus, text: str) -> Response:
        """An answer in plain text, which may still be changed."""
        return self.protocol.reject(status, text)

    def flush(self) -> None:
        """Writes what the protocol has to say: at once, and nothing to somebody who has gone (asyncio would log it)."""
        parts = self.protocol.data_to_send()
        self.is_open = self.protocol.state is State.OPEN
        if not self.is_open and self.protocol.close_expected() and self.long_answer is None:
            self.bound_closing()
        if self.transport.is_closing():
            return
        if data := b"".join(parts):
            self.transport.write(data)
        if SEND_EOF in parts and not self.transport.is_closing():
            if self.long_answer is None:
                self._end_writing()
            else:
                self.long_answer.begin(self.transport, self._long_answer_ended)

    def _long_answer_ended(self) -> None:
        """All of a long answer is written."""
        self.long_answer = None
        self.bound_closing()
        if not self.transport.is_closing():
            self._end_writing()

    def _end_writing(self) -> None:
        if self.transport.can_write_eof():
            with suppress(OSError, RuntimeError):
                self.transport.write_eof()
        else:
            self.transport.close()

    def bound_closing(self) -> None:
        """Aborts the connection unless the other end closes it in time."""
        if self.closing_ends is None:
            self.closing_ends = self.loop.call_later(self.bounds.close, self.transport.abort)

    def _respond(self, request: Request) -> Response:
        try:
            response = self._answer(self, request)
        except Exception as error:  # noqa: BLE001 - a bug of ours costs one answer
            note_error(error)
            return self.respond(HTTPStatus.INTERNAL_SERVER_ERROR, "The server made a mistake.\n")
        return response or self.protocol.accept(request)


class Visit(Link):
    """A connection that can only ask for pages; it is cut off unless it asks for one in time."""

    __slots__ = ("_silence",)

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """The connection is there."""
        super().connection_made(transport)
        self._silence = self.loop.call_later(self.bounds.open, self.transport.abort)

    def connection_lost(self, exc: Exception | None) -> None:
        """It is over."""
        self._silence.cancel()
        super().connection_lost(exc)


Answer = Callable[[Link, Request], Response | None]
"""What a server says to a request; None leaves it to the handshake of WebSockets."""


def keep_reads_small(transport: asyncio.BaseTransport, size: int) -> None:
    """Makes a transport read at most `size` bytes at once; asyncio would map 256 KiB for each read.

    Only selector transports have this setting.
    """
    if hasattr(transport, "max_size"):
        cast(Any, transport).max_size = size
