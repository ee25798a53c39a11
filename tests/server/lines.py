"""A connection of the shell in memory: a Peer whose transport hands what the server writes to a function."""

from __future__ import annotations

import asyncio
import struct
from collections.abc import Callable, Sequence
from socket import AF_INET
from typing import Any, Final, cast

from websockets.server import ServerProtocol

from server.connections.connection_bounds import Bounds
from server.connections.peer import ConnectionCounter, Hearing, Peer
from server.ratelimit import AddressMeter, Meter, Rates
from tests.faults.rawsocket import CLOSE, PING, TEXT, first_frame, frame, request
from tests.server.transports import Swallowing

LIMITLESS = Rates(work=1e6, address=1e6, prompt=1e6, prompt_burst=1e6, chat=1e6, chat_burst=1e6)

CUT_OFF: Final = 1006
"""What a client says of a connection that ends without a close frame."""

_PROBE: Final = b"?"
_NEVER_S: Final = 1e6


class Wire(Swallowing):
    """The transport of a line."""

    def __init__(self, line: Line) -> None:
        super().__init__()
        self._unread = 0
        self._line = line

    @property
    def unread(self) -> int:
        """Bytes that the other end has not taken; as one of asyncio it says when there are some, and none any more."""
        return self._unread

    @unread.setter
    def unread(self, size: int) -> None:
        before, self._unread = self._unread, size
        if size and not before:
            self._line.peer.pause_writing()
        elif before and not size:
            self._line.peer.resume_writing()

    def write(self, data: object) -> None:
        assert not self.closed
        self._line.written(bytes(cast(bytes, data)))

    def get_write_buffer_size(self) -> int:
        return self._unread

    def get_extra_info(self, name: str, default: Any = None) -> Any:
        return self._line if name == "socket" else default

    def can_write_eof(self) -> bool:
        return False

    def close(self) -> None:
        self._line.ends()

    def abort(self) -> None:
        self._line.cut()


class Nobody:
    """Who hears a line that has not entered a server, and counts it."""

    def opened(self, peer: Peer) -> None:
        pass

    def left(self, peer: Peer) -> None:
        pass

    def take(self, peer: Peer, text: str) -> None:
        pass

    def may_read_now(self, peer: Peer) -> bool:
        return True

    def has_read(self, peer: Peer, frames: int, size: int) -> None:
        pass

    def now(self) -> float:
        return 0.0

    def wait(self, peer: Peer) -> None:
        pass

    def go_on(self, peer: Peer) -> None:
        pass

    def cut_off(self, peer: Peer) -> None:
        pass

    def leave(self, peer: Peer) -> None:
        pass


class Line:
    """Both ends. `on_write` gets each message, `on_close` the code with which the server ended the line.

    peer: the server's end. wire: its transport. probes: how often it was asked for a sign of life. cut_off_at: since
    when, by the loop's time, the other machine acknowledges nothing.
    """

    family = AF_INET

    def __init__(self, on_write: Callable[[bytes], None], on_close: Callable[[int], None]) -> None:
        self.probes = 0
        self.cut_off_at: float | None = None
        self._hearing: Hearing = Nobody()
        self._counter: ConnectionCounter = Nobody()
        self._on_write = on_write
        self._on_close = on_close
        self._loop = asyncio.get_running_loop()
        protocol = ServerProtocol(subprotocols=cast(Any, ["arbitre.v1"]))
        self.peer = Peer(self, self, Bounds(ping_interval=_NEVER_S), protocol, lambda *_: None)
        self.peer.host = "127.0.0.1"
        self.peer.meter = Meter(LIMITLESS, AddressMeter(LIMITLESS, trusted=True))
        self.wire = Wire(self)
        self.peer.connection_made(self.wire)

    def enter(self, hearing: Hearing, counter: ConnectionCounter) -> None:
        """Shakes hands with a server."""
        self._hearing, self._counter = hearing, counter
        self.peer.data_received(request(1))
        self.peer.batch = True

    def say(self, text: bytes) -> None:
        """A text message of the client arrives."""
        self.peer.data_received(frame(text))

    def leave_alone(self) -> None:
        """There is no server any more."""
        self._hearing = self._counter = Nobody()

    def takes(self, seconds: float) -> None:
        """What a message takes there and back."""
        self.peer.lag_ms = int(seconds * 1000)

    @property
    def is_open(self) -> bool:
        return not self.wire.closed

    def lose(self) -> None:
        """The other end is gone."""
        if self.is_open:
            self.ends()

    def cut(self) -> None:
        """The server ends it without a word."""
        if self.is_open:
            self.ends()
            self._on_close(CUT_OFF)

    def ends(self) -> None:
        """The server hears of it in a later turn of the loop, as from asyncio."""
        self.wire.closed = True
        self._loop.call_soon(self.peer.connection_lost, None)

    def written(self, data: bytes) -> None:
        """What the server writes, a whole frame or more at a time; a close frame is the end."""
        if data.startswith(b"HTTP/"):
            return
        while (found := first_frame(data)) is not None:
            kind, payload, data = found
            if kind == TEXT:
                self._on_write(payload)
            elif kind == CLOSE and self.is_open:
                self.ends()
                self._on_close(struct.unpack("!H", payload[:2])[0])
            elif kind == PING:
                self.probes += payload == _PROBE
        assert not data

    def getsockopt(self, _level: int, _name: int, size: int, /) -> bytes:
        """As tcp_info, all of which says when the other machine was heard last."""
        silent_s = 0.0 if self.cut_off_at is None else self._loop.time() - self.cut_off_at
        return struct.pack("=I", round(silent_s * 1000)) * (size // 4)

    def setsockopt(self, _level: int, _name: int, _value: bytes, /) -> None:
        """How it is closed makes no difference here."""

    # ----------------------------------------------------------------------------------------- what the peer asks for

    def opened(self, peer: Peer) -> None:
        self._hearing.opened(peer)

    def left(self, peer: Peer) -> None:
        self._hearing.left(peer)

    def take(self, peer: Peer, text: str) -> None:
        self._hearing.take(peer, text)

    def may_read_now(self, peer: Peer) -> bool:
        return self._hearing.may_read_now(peer)

    def has_read(self, peer: Peer, frames: int, size: int) -> None:
        self._hearing.has_read(peer, frames, size)

    def now(self) -> float:
        return self._hearing.now()

    def wait(self, peer: Peer) -> None:
        self._hearing.wait(peer)

    def go_on(self, peer: Peer) -> None:
        self._hearing.go_on(peer)

    def cut_off(self, peer: Peer) -> None:
        self._hearing.cut_off(peer)

    def leave(self, peer: Peer) -> None:
        self._counter.leave(peer)


class Heard:
    """A line to nobody, that keeps what was written to it."""

    def __init__(self, *, batch: bool = False) -> None:
        self.frames: list[bytes] = []
        self.codes: list[int] = []
        self.line = Line(self.frames.append, self.codes.append)
        self.line.enter(Nobody(), Nobody())
        self.peer = self.line.peer
        self.peer.batch = batch

    def take(self) -> Sequence[bytes]:
        """What was written since the last call."""
        frames, self.frames[:] = list(self.frames), []
        return frames
