"""The client's end of one WebSocket: an asyncio protocol around the public sans-I/O protocol of `websockets`.

The usual message, one whole text frame in a packet of its own, is read and written here. The library does the rest: the
handshake, pings of the server, fragments, the closing. There is no task and no queue between socket and listener.
"""

from __future__ import annotations

import asyncio
import secrets
from collections import deque
from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import Final, cast

from websockets.client import ClientProtocol
from websockets.frames import CloseCode, Frame, Opcode
from websockets.protocol import SEND_EOF, State
from websockets.typing import Subprotocol
from websockets.uri import WebSocketURI

from protocol import SUBPROTOCOL

try:
    from websockets.speedups import apply_mask
except ImportError:  # no compiled extension for this platform
    from websockets.utils import apply_mask

MAX_FRAME_BYTES = 1 << 20
PING_S = 5.0
CLOSE_TIMEOUT_S = 0.4
"""How long a server may take to answer the close frame; short, so that people who leave don't have to wait."""

MAX_PARTS = 1024
"""Parts in which one message may come."""

MAX_UNREAD_BYTES = 1 << 20
"""How many bytes of our automatic answers (pongs) a server may leave unread."""

MAX_WAITING = 64
"""Messages that may wait for somebody to listen; then nothing more is read."""

_END_OF_RESPONSE: Final = b"\r\n\r\n"
_TEXT: Final = 0x81
"""First byte of a text frame that is a whole message."""

_MASKED: Final = 0x80
_PING_BYTES: Final = 4
_DATA: Final = (Opcode.TEXT, Opcode.BINARY, Opcode.CONT)


class Link(asyncio.Protocol):
    """One connection, from its handshake to its end.

    opened: done after the handshake; raises InvalidHandshake, or EOFError if the server hung up before. over: done when
    the connection is lost. offence: what the server did, if it was cut off for that.
    """

    transport: asyncio.Transport

    def __init__(self, uri: WebSocketURI) -> None:
        self.protocol = ClientProtocol(uri, subprotocols=[Subprotocol(SUBPROTOCOL)], max_size=MAX_FRAME_BYTES)
        self.offence = ""
        self._loop = loop = asyncio.get_running_loop()
        self.opened: asyncio.Future[None] = loop.create_future()
        self.over: asyncio.Future[None] = loop.create_future()
        self._tail = b""
        self._owed = 0
        self._between = False
        self._parts: list[bytes] = []
        self._waiting: deque[bytes] = deque()
        self._hear: Callable[[bytes], None] | None = None
        self._arrived: asyncio.Future[None] | None = None
        self._writable: asyncio.Future[None] | None = None
        self._pings: asyncio.TimerHandle | None = None
        self._closing: asyncio.TimerHandle | None = None
        self._asked = b""

    # ------------------------------------------------------------------------------------------- what asyncio calls

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """The connection (with TLS, its handshake) is there: asks for a WebSocket."""
        self.transport = cast(asyncio.Transport, transport)
        self.protocol.send_request(self.protocol.connect())
        self._flush()

    def data_received(self, data: bytes) -> None:
        """Hands the usual message over at once; cuts off a server that sends nonsense or does not read our pongs."""
        if self._between and self._hear is not None and (start := _whole_text(data)):
            self._hear(data[start:])
            return
        if self.protocol.state is State.CONNECTING:
            self._shake_hands(data)
        else:
            self._feed(data)
        frames = [event for event in self.protocol.events_received() if isinstance(event, Frame)]
        self._flush()
        if self.protocol.handshake_exc is not None:
            self.cut("it does not speak this protocol")
        self._settle_handshake()
        for frame in frames:
            self._take(frame)
        self._between = self.protocol.state is State.OPEN and not (self._owed or self._parts)
        if self.transport.get_write_buffer_size() > MAX_UNREAD_BYTES:
            self.cut("it does not read the answers that it asks for")

    def eof_received(self) -> None:
        """The server sends nothing more; asyncio closes the transport then."""
        self.protocol.receive_eof()
        self._flush()

    def connection_lost(self, exc: Exception | None) -> None:
        """The connection is over: wakes everything that waits for it."""
        for timer in (self._pings, self._closing):
            if timer is not None:
                timer.cancel()
        self._between = False
        self.protocol.receive_eof()
        self._settle_handshake()
        if not self.opened.done():
            self.opened.set_exception(exc or EOFError("the connection is closed"))
        if not self.opened.cancelled():
            self.opened.exception()  # nobody may wait for it any more
        self.over.set_result(None)
        for waiter in (self._arrived, self._writable):
            if waiter is not None and not waiter.done():
                waiter.set_result(None)

    def pause_writing(self) -> None:
        """The server reads more slowly than we write."""
        self._writable = self._loop.create_future()

    def resume_writing(self) -> None:
        """The server has read."""
        writable, self._writable = self._writable, None
        if writable is not None and not writable.done():
            writable.set_result(None)

    # ------------------------------------------------------------------------------------------------ what is read

    async def receive(self) -> bytes | None:
        """The next message; None once the connection is lost and all is read."""
        while not self._waiting:
            if self.over.done():
                return None
            self._arrived = self._loop.create_future()
            await self._arrived
        message = self._waiting.popleft()
        self._read_on()
        return message

    async def listen(self, hear: Callable[[bytes], None]) -> None:
        """Calls `hear`, which must not raise, with each message in the loop turn that reads it, until the end."""
        try:
            while self._waiting:
                hear(self._waiting.popleft())
            self._hear = hear
            self._read_on()
            await asyncio.wait([self.over])
        finally:
            self._hear = None

    def _read_on(self) -> None:
        if len(self._waiting) < MAX_WAITING and not self.transport.is_closing():
            self.transport.resume_reading()

    def _shake_hands(self, data: bytes) -> None:
        """Reads some of the response, and the frames behind its end."""
        before = len(self._tail)
        seen = self._tail + data
        end = seen.find(_END_OF_RESPONSE)
        self._tail = seen[1 - len(_END_OF_RESPONSE) :]
        if end < 0:
            self.protocol.receive_data(data)
            return
        end += len(_END_OF_RESPONSE) - before
        self.protocol.receive_data(data[:end])
        if behind := data[end:]:
            self._feed(behind)
        if self.protocol.state is State.OPEN:
            self._pings = self._loop.call_later(PING_S, self._ask)

    def _settle_handshake(self) -> None:
        if self.opened.done():
            return
        if self.protocol.handshake_exc is not None:
            self.opened.set_exception(self.protocol.handshake_exc)
        elif self.protocol.state is not State.CONNECTING:
            self.opened.set_result(None)

    def _feed(self, data: bytes) -> None:
        self.protocol.receive_data(data)
        self._owed += len(data)

    def _take(self, frame: Frame) -> None:
        size = len(frame.data)
        # A frame whose length field is longer than necessary leaves `_owed` above zero: then the library reads all.
        self._owed -= size + (2 if size < 126 else 4 if size < 1 << 16 else 10)
        if frame.opcode in _DATA:
            self._gather(frame)
        elif frame.opcode is Opcode.PONG and frame.data == self._asked:
            self._asked = b""

    def _gather(self, frame: Frame) -> None:
        if self.transport.is_closing():
            return
        self._parts.append(bytes(frame.data))
        if len(self._parts) > MAX_PARTS:
            self._parts.clear()
            self.cut(f"a message in more than {MAX_PARTS} parts")
        elif frame.fin:
            message = b"".join(self._parts)
            self._parts.clear()
            self._hand_over(message)

    def _hand_over(self, message: bytes) -> None:
        if self._hear is not None:
            self._hear(message)
            return
        self._waiting.append(message)
        if len(self._waiting) >= MAX_WAITING:
            self.transport.pause_reading()
        if self._arrived is not None and not self._arrived.done():
            self._arrived.set_result(None)

    # --------------------------------------------------------------------------------------------- what is written

    def write(self, message: bytes) -> bool:
        """Writes one text message if nothing waits to be written; else says False and does nothing."""
        if self.protocol.state is not State.OPEN or self.transport.get_write_buffer_size():
            return False
        self._write(message)
        return True

    async def send(self, message: bytes) -> bool:
        """Writes one text message, and waits until there is room for the next; False if the connection is over."""
        if not self._is_open():
            await asyncio.wait([self.over])
            return False
        self._write(message)
        if self._writable is not None:
            await self._writable
        return not self.over.done()

    def _is_open(self) -> bool:
        return self.protocol.state is State.OPEN and not self.transport.is_closing()

    def _write(self, message: bytes) -> None:
        size = len(message)
        if size < 126:
            header = bytes((_TEXT, _MASKED | size))
        elif size < 1 << 16:
            header = bytes((_TEXT, _MASKED | 126, size >> 8, size & 255))
        else:
            header = bytes((_TEXT, _MASKED | 127)) + size.to_bytes(8, "big")
        mask = secrets.token_bytes(4)
        if not self.transport.is_closing():
            self.transport.write(b"".join((header, mask, apply_mask(message, mask))))

    def _flush(self) -> None:
        """Writes the bytes that the library wants sent."""
        parts: Iterable[bytes] = self.protocol.data_to_send()
        if self.protocol.close_expected() and self._closing is None:
            self._closing = self._loop.call_later(CLOSE_TIMEOUT_S, self.transport.abort)
        if self.transport.is_closing():
            return
        for part in parts:
            if part is SEND_EOF:
                with suppress(OSError, RuntimeError):
                    if self.transport.can_write_eof():
                        self.transport.write_eof()
                    else:
                        self.transport.close()
            else:
                self.transport.write(part)

    # ---------------------------------------------------------------------------------------------------- the end

    def _ask(self) -> None:
        """Sends the next ping, or ends a connection whose server did not answer the last one."""
        if self.protocol.state is not State.OPEN:
            return
        if self._asked:
            self._between = False
            self.protocol.fail(CloseCode.INTERNAL_ERROR, "no answer to a ping")
        else:
            self._asked = secrets.token_bytes(_PING_BYTES)
            self.protocol.send_ping(self._asked)
            self._pings = self._loop.call_later(PING_S, self._ask)
        self._flush()

    def close(self) -> None:
        """Says that the connection is over: the server ends it, or we do after CLOSE_TIMEOUT_S."""
        if self.protocol.state is State.OPEN:
            self._between = False
            self.protocol.send_close(CloseCode.NORMAL_CLOSURE)
            self._flush()

    def cut(self, offence: str) -> None:
        """Ends the connection at once, for what the server did."""
        self.offence = self.offence or offence
        self.transport.abort()


def _whole_text(data: bytes) -> int:
    """Where the payload begins if `data` is one whole text message and nothing else; 0 if it is not.

    RFC 6455, section 5.2: FIN and text, not masked, the length in one byte or (after 126) in two.
    """
    size = len(data)
    if size < 2 or data[0] != _TEXT:
        return 0
    length = data[1]
    if length < 126:
        return 2 if size == 2 + length else 0
    if length == 126 and size == 4 + (data[2] << 8 | data[3] if size >= 4 else 0):
        return 4
    return 0
