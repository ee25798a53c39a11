"""A connection of the shell in memory: what `server.peer.Peer` is to App and Delivery, without a socket."""

from __future__ import annotations

import asyncio
import math
from collections import deque
from collections.abc import Callable
from typing import TYPE_CHECKING, cast

from protocol.errors import ProtocolError
from protocol.messages import ClientMessage
from server.handshakes import Handshake
from server.peer import Peer, Turn
from server.ratelimit import AddressMeter, Meter, Rates

if TYPE_CHECKING:
    from collections.abc import Sequence

LIMITLESS = Rates(work=1e6, address=1e6, calm=1e6, calm_burst=1e6, chat=1e6, chat_burst=1e6)


class Line:
    """The server's end. `on_write` gets each frame, `on_close` the code with which the server ended the line.

    unread: bytes that the other end has not taken, for tests that let it read slowly.
    """

    def __init__(self, on_write: Callable[[bytes], None], on_close: Callable[[int], None]) -> None:
        self.number = 0
        self.host = "127.0.0.1"
        self.address = AddressMeter(LIMITLESS, trusted=True)
        self.meter = Meter(LIMITLESS, self.address)
        self.batch = True
        self.outbox: list[bytes] = []
        self.turns: list[Turn] = []
        self.backlog: list[bytes] = []
        self.pending: deque[ClientMessage | ProtocolError] = deque()
        self.queued = False
        self.wait: Callable[[Peer], None] = lambda _peer: None
        self.heard_at = 0.0
        self.uncommitted = 0
        self.waiting = 0
        self.hurried = False
        self.lingering = False
        self.lingers_since = 0.0
        self.is_bot = False
        self.stalled_since: float | None = None
        self.closing: tuple[int, str] | None = None
        self.handshake: Handshake | None = None
        self.held = False
        self.deaf = self.tries_late = False
        self.latency = 0.0
        self.probes = 0
        self.alive_at = -math.inf
        self.cut_off_at: float | None = None  # since when the other end acknowledges nothing
        self.close_code = 1006
        self.unread = 0
        self.transport = self
        self._on_write = on_write
        self._on_close = on_close
        self._over = False
        self.silence: asyncio.TimerHandle | None = None
        self.left: Callable[[Peer], None] = lambda _peer: None

    def as_peer(self) -> Peer:
        """The same, for who is told to expect a Peer."""
        return cast(Peer, self)

    @property
    def is_open(self) -> bool:
        return not self._over

    def is_heard(self) -> bool:
        return self.closing is None and not self.deaf

    def hold(self) -> None:
        self.held = True

    def release(self) -> None:
        self.held = False

    def write(self, message: bytes) -> None:
        assert self.is_open
        self._on_write(message)

    def get_write_buffer_size(self) -> int:
        return self.unread

    def measure(self) -> None:
        pass

    @property
    def lag_ms(self) -> int:
        return int(self.latency * 1000)

    def silent_s(self) -> float:
        return 0.0 if self.cut_off_at is None else asyncio.get_running_loop().time() - self.cut_off_at

    def is_read(self) -> bool:
        return not self.queued

    def probe(self) -> None:
        self.probes += 1

    def queue(self) -> None:
        if not self.queued:
            self.queued = True
            self.wait(self.as_peer())

    has_more = False

    def caught_up(self) -> None:
        self.queued = False

    def abort(self) -> None:
        self._end(1006)

    def cut(self) -> None:
        self._end(1006)

    def fail(self, code: int, reason: str) -> None:
        self._end(code)

    def close(self, code: int = 1000, reason: str = "") -> None:
        self._end(code)

    def lose(self) -> None:
        """The other end is gone."""
        if self.is_open:
            self._lost()

    def _end(self, code: int) -> None:
        if self.is_open:
            self.close_code = code
            self._lost()
            self._on_close(code)

    def _lost(self) -> None:
        """The server hears of it in a later turn of the loop, as from asyncio."""
        self._over = True
        asyncio.get_running_loop().call_soon(self.left, self.as_peer())


class Heard:
    """A line that keeps what was written to it."""

    def __init__(self, *, batch: bool = False) -> None:
        self.frames: list[bytes] = []
        self.codes: list[int] = []
        self.line = Line(self.frames.append, self.codes.append)
        self.line.batch = batch
        self.peer = self.line.as_peer()

    def take(self) -> Sequence[bytes]:
        """What was written since the last call."""
        frames, self.frames[:] = list(self.frames), []
        return frames
