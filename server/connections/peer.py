"""One WebSocket of the shell: hands each text message over at once, in the turn of the loop that read it.

The usual message, one short text frame in a packet of its own, takes a fast path here. Everything else goes through the
sans-I/O protocol of `websockets` (see `server.connections.link`), which parses frames, answers pings and shakes hands.
The fast path is taken only if every byte fed to the library has come back in whole frames. There is no task and no
queue; a timer sends the pings. Outgoing messages gather in `outbox`, and the shell writes them at the end of the turn.

However the bytes are cut into packets, a stream gives the same messages as the library alone would: also those before
a close frame in the same packet, or (from a client in a hurry) those right after the handshake.
"""

from __future__ import annotations

import asyncio
import math
import secrets
import struct
from collections import deque
from collections.abc import Sequence
from socket import SO_LINGER, SOL_SOCKET
from typing import Final, Protocol, cast

from websockets.frames import CloseCode, Frame, Opcode
from websockets.protocol import State
from websockets.server import ServerProtocol

from protocol.errors import ProtocolError
from protocol.messages import ClientMessage
from server.connections import tcp_info
from server.connections.connection_bounds import Bounds
from server.connections.handshakes import Handshake
from server.connections.link import Answer, Link, keep_reads_small
from server.ratelimit import AddressMeter, Meter

try:
    from websockets.speedups import apply_mask
except ImportError:  # no compiled extension for this platform
    from websockets.utils import apply_mask

_TEXT: Final = 0x81
"""First byte of a text frame that is a whole message."""

_READ_BYTES: Final = 1 << 16
"""Read at once."""

_MASKED: Final = 0x80
_SHORT: Final = 126
_HEADER: Final = 6
"""A client's short frame: two bytes, then the four of the mask."""

_SHORT_HEADER: Final = struct.Struct("!BB")
_LONGER_HEADER: Final = struct.Struct("!BBH")
_LONGEST_HEADER: Final = struct.Struct("!BBQ")
"""What begins a server's frame: RFC 6455, section 5.2."""

_MAX_FRAGMENTS: Final = 1024
"""Parts of one message: empty ones count for nothing in its size, but not in memory."""

_MAX_EARLY: Final = 16
"""Frames that may come with the request: whoever sends them does not wait for our answer as they should."""

_NO_LINGER: Final = struct.pack("ii", 1, 0)
"""For SO_LINGER: closing forgets what was not sent yet, and tells the peer so."""

_AT_ONCE: Final = 1 << 12
"""Bytes that are read in the turn of the loop that brings them: more has to wait for its turn."""

_PORTION: Final = 1 << 8
"""Bytes that are read of a peer in its turn. Pings are the most expensive: 40 of them take some 0.5 ms.

Within a long frame the portion doubles each time, up to _AT_ONCE, since those bytes only have to be kept.
"""

_PROBE: Final = b"?"
"""The payload of a ping whose pong is ignored."""

_PING_BYTES: Final = 4
"""The length of the random payload of other pings, so that nobody can answer one before it is sent."""

_PARTING: Final = 1.0
"""Seconds for the close frame to reach a peer that answered no ping: it may only have been busy."""

_DATA: Final = (Opcode.TEXT, Opcode.CONT, Opcode.BINARY)

Turn = tuple[str, int]
"""A match, and the ply for which its player is asked."""


class Hearing(Protocol):
    """Who hears what peers say."""

    def opened(self, peer: Peer) -> None:
        """The handshake is done; what came in the same packet is heard next."""
        ...

    def left(self, peer: Peer) -> None:
        """A connection that was given a number is over."""
        ...

    def take(self, peer: Peer, text: str) -> None:
        """A whole text message was read, between the end of the handshake and the start of the closing one."""
        ...

    def may_read_now(self, peer: Peer) -> bool:
        """Whether a packet of a peer may be read at once."""
        ...

    def has_read(self, peer: Peer, frames: int, size: int) -> None:
        """The library has read `size` bytes, in which `frames` frames ended."""
        ...

    def now(self) -> float:
        """The time that players are charged for."""
        ...

    def wait(self, peer: Peer) -> None:
        """More has arrived than may be heard at once: sets `heard_at`; `feed_portion` is to be called in its turns."""
        ...

    def go_on(self, peer: Peer) -> None:
        """A peer that was heard no further (`stuck`) has read."""
        ...

    def cut_off(self, peer: Peer) -> None:
        """For too long the peer has not read what it was sent, which includes the answers to its pings."""
        ...


class ConnectionCounter(Protocol):
    """Who counts the connections."""

    def leave(self, peer: Peer) -> None:
        """A connection is over, whether it has shaken hands or not."""
        ...


class Peer(Link):
    """A connection with what waits to be written to it; see the module.

    Who it is: number: the shell's own number of the connection, 0 before it has one. host: the address at the other
    end. batch: whether its client takes arrays of messages. is_bot: whether its session is a bot's.

    Of `server.admission`: handshake: how far it has come. meter: what it has sent. silence: ends it if it says no
    hello. held: whether nothing is read from it for now. ignored: whether nothing that it sends counts any more,
    because the connection ends after an answer. tries_late: whether one of its codes is still to be judged.

    What it says: alive_at: when it was last read from. lag_ms: the round trip of the last ping. queued: whether it
    waits for its turn to be heard, with the messages `pending`, since `heard_at` (in the time of `Hearing.now`). stuck:
    whether its turn is put off because it `is_full`.

    What it is told, kept here for `server.connections.delivery`: outbox: the messages of this turn. turns: the match
    and ply of each `your_turn` among them. hurried: whether they leave at the end of the turn. lingering: whether a
    timer will look at them, `lingers_since` the first was posted. uncommitted: how many outboxes wait for the store.
    backlog: messages that wait because the transport is full, `stalled_since` then. waiting: the bytes of all messages
    that are not written yet. closing: the code and reason to close with once all is written. paused: whether the peer
    reads more slowly than we write.
    """

    __slots__ = (
        "_answer_by",
        "_asked",
        "_asked_at",
        "_between",
        "_counter",
        "_ended",
        "_fragments",
        "_hearing",
        "_hears",
        "_later",
        "_measured",
        "_owed",
        "_ping_at",
        "_pings",
        "_portion",
        "_rest",
        "_stalled",
        "alive_at",
        "backlog",
        "batch",
        "closing",
        "handshake",
        "heard_at",
        "held",
        "host",
        "hurried",
        "ignored",
        "is_bot",
        "lag_ms",
        "lingering",
        "lingers_since",
        "meter",
        "number",
        "outbox",
        "paused",
        "pending",
        "queued",
        "silence",
        "stalled_since",
        "stuck",
        "tries_late",
        "turns",
        "uncommitted",
        "waiting",
    )  # fmt: skip

    def __init__(
        self, hearing: Hearing, counter: ConnectionCounter, bounds: Bounds, protocol: ServerProtocol, answer: Answer
    ) -> None:
        super().__init__(protocol, bounds, answer)
        self._hearing = hearing
        self._counter = counter  # told of the connection's end, handshake or not
        self.number = 0
        self.host = ""
        self.batch = self.is_bot = False
        # server.admission
        self.handshake: Handshake | None = None
        self.meter: Meter | None = None
        self.silence: asyncio.TimerHandle | None = None
        self.held = self.ignored = self.tries_late = False
        # what it says
        self.pending: deque[ClientMessage | ProtocolError] = deque()
        self.queued = self.stuck = False
        self.heard_at = self.alive_at = 0.0
        self._rest = b""  # bytes that were not read yet
        self._later: tuple[int, float] | None = None  # how many of them came first, and when the others came
        self._portion = _PORTION  # how many of them are read next
        self._ended = False  # whether the peer sends nothing more
        self._owed = 0  # bytes that the library has read, and not given back in frames
        self._fragments: list[bytes] = []  # the frames of a message whose last one has not come
        self._between = False  # whether the next byte begins a message: the fast path is free
        self._hears = True  # whether messages count: once the connection closes they don't
        # what it is told
        self.outbox: list[bytes] = []
        self.turns: list[Turn] = []
        self.hurried = self.lingering = self.paused = False
        self.lingers_since = 0.0
        self.backlog: list[bytes] = []
        self.uncommitted = self.waiting = 0
        self.stalled_since: float | None = None
        self.closing: tuple[int, str] | None = None
        self._stalled: asyncio.TimerHandle | None = None  # cuts it off if it stays paused
        # pings
        self.lag_ms = 0
        self._pings: asyncio.TimerHandle | None = None
        self._ping_at = 0.0  # when the next one is due
        self._answer_by: float | None = None  # when the connection ends if no answer to the last one has come
        self._asked = b""  # the payload of the one that is not answered yet, sent at `_asked_at`
        self._asked_at = 0.0
        self._measured = False  # whether `measure` was called

    @property
    def address(self) -> AddressMeter:
        """The meter of its address; it has one once its connection is there."""
        assert self.meter is not None
        return self.meter.address

    # ------------------------------------------------------------------------------------------- what asyncio calls

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """What `server.admission.acceptor` calls once the connection (with TLS, its handshake) is there."""
        super().connection_made(transport)
        keep_reads_small(transport, _READ_BYTES)
        self.transport.set_write_buffer_limits(self.bounds.high_water, self.bounds.high_water // 2)

    def connection_lost(self, exc: Exception | None) -> None:
        """It is over: its timers end, and its memory is given back at once."""
        for deadline in (self._stalled, self._pings, self.silence):
            if deadline is not None:
                deadline.cancel()
        self._rest = b""
        self._between = False
        self.pending.clear()
        super().connection_lost(exc)
        self._counter.leave(self)
        if self.number:
            self._hearing.left(self)

    def data_received(self, data: bytes) -> None:
        """Reads the usual message (one short text frame, nothing before it) at once; all else is the library's.

        RFC 6455, section 5.2: FIN and text, masked with a length below 126, the mask, the payload.
        """
        size = len(data) - _HEADER
        if data[0] == _TEXT and 0 <= size < _SHORT and data[1] == _MASKED | size and self._between and not self.queued:
            self._read(apply_mask(data[_HEADER:], data[2:_HEADER]))
        elif len(data) <= _AT_ONCE and not self.queued and self._hearing.may_read_now(self):
            self.alive_at = self._hearing.now()
            self._feed(data)
        else:
            self.alive_at = self._hearing.now()
            if self.queued:
                self._came_later()
                self.transport.pause_reading()
            self._rest += data
            self.queue()

    def eof_received(self) -> bool | None:
        """The peer sends nothing more. What it sent counts, even if it has not been heard yet."""
        if self.queued and not self.transport.get_extra_info("sslcontext"):
            self._ended = True
            return True
        return super().eof_received()

    def pause_writing(self) -> None:
        """The peer reads more slowly than we write: stops reading from it, and cuts it off if that lasts too long."""
        self.paused = True
        if self.long_answer is not None:
            self.long_answer.pause()
        self.transport.pause_reading()
        self._stalled = self.loop.call_later(self.bounds.send, self._hearing.cut_off, self)

    def resume_writing(self) -> None:
        """The peer has read."""
        self.paused = False
        if self._stalled is not None:
            self._stalled.cancel()
            self._stalled = None
        if not (self.queued or self.held):
            self.transport.resume_reading()
        if self.long_answer is not None:
            self.long_answer.resume()
        if self.stuck:
            self._hearing.go_on(self)

    # ----------------------------------------------------------------------------------------------- what it sends

    def queue(self) -> None:
        """Waits for its turn to be heard; if more arrives meanwhile, that is read, and then nothing more."""
        if not self.queued:
            self.queued = True
            self._hearing.wait(self)

    @property
    def has_more(self) -> bool:
        """Whether something has arrived that was not read yet."""
        return bool(self._rest)

    def _came_later(self) -> None:
        """More arrives while earlier bytes wait: it must not count as said with them."""
        if self._later is None:
            self._later = (len(self._rest), self._hearing.now())

    def feed_portion(self) -> None:
        """Reads a little of what has arrived; a portion has nothing of two arrivals."""
        size = self._portion
        if self._later is not None:
            before, at = self._later
            if before:
                size = min(size, before)
                self._later = (before - size, at)
            else:
                self.heard_at, self._later = at, None
        portion, self._rest = self._rest[:size], self._rest[size:]
        if portion:
            self._portion = _PORTION if self._feed(portion) else min(2 * size, _AT_ONCE)

    def caught_up(self) -> None:
        """Everything was heard: starts to read again."""
        self.queued, self._later = False, None
        if self.transport.is_closing():
            return
        if self._ended:
            super().eof_received()
            self.transport.close()
        elif not (self.paused or self.held):
            self.transport.resume_reading()

    def is_read(self) -> bool:
        """Whether what it sends is read at once: else nothing can be known of it."""
        return not (self.queued or self.held or self.paused)

    def is_full(self) -> bool:
        """Whether so much waits for it that nothing more which it asks for is to be answered now."""
        most = self.bounds.unheard
        return self.waiting > most or (self.paused and self.transport.get_write_buffer_size() > most)

    def is_heard(self) -> bool:
        """Whether what it says still counts."""
        return self.closing is None and not self.ignored

    def hold(self) -> None:
        """Reads nothing of the peer until `release`."""
        self.held = True
        self._rest, self._later = b"", None
        self.transport.pause_reading()

    def release(self) -> None:
        """Reads again."""
        self.held = False
        if not (self.paused or self.queued or self.transport.is_closing()):
            self.transport.resume_reading()

    def _feed(self, data: bytes) -> int:
        """Has the library read some bytes, and hears the frames that end in them; returns how many those are.

        The library reads all frames of a packet before the first one is heard. If a close frame is among them, those
        before it count; if the closing began earlier, none does.
        """
        self._hears = self.is_open or not self.is_asked
        opens = False
        if self.is_asked:
            self.protocol.receive_data(data)
            self._owed += len(data)
        else:
            opens = self._shake_hands(data)
        frames = cast(Sequence[Frame], self.protocol.events_received())
        if opens and len(frames) > _MAX_EARLY:
            self.transport.abort()
            return 0
        self.flush()
        if opens:
            self._ping_at = self.loop.time() + self.bounds.ping_interval
            self._pings = self.loop.call_at(self._ping_at, self._tend)
            self._hearing.opened(self)
        for frame in frames:
            self._take(frame)
        self._hearing.has_read(self, len(frames) + opens, len(data))
        self._between = self.is_open and not (self._owed or self._fragments or self._rest)
        return len(frames)

    def _shake_hands(self, data: bytes) -> bool:
        """Reads some of the request, and what follows it; returns whether this is a WebSocket now."""
        behind = self.read_request(data)
        if self.protocol.state is not State.OPEN:
            return False
        if behind:
            self.protocol.receive_data(behind)
            self._owed = len(behind)
        return True

    def _take(self, frame: Frame) -> None:
        size = len(frame.data)
        # A frame whose length field is longer than necessary leaves `_owed` above zero for good: that peer is still
        # read, but never on the fast path.
        self._owed -= size + (_HEADER if size < _SHORT else _HEADER + 2 if size < 1 << 16 else _HEADER + 8)
        if frame.opcode in _DATA:
            if self._hears:
                self._receive(frame)
        elif frame.opcode is Opcode.PONG:
            self._answered(frame.data)

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
        self._read(bytes(data))

    def _read(self, data: bytes) -> None:
        try:
            text = data.decode()
        except UnicodeDecodeError:
            self.fail(CloseCode.INVALID_DATA, "text frames hold UTF-8")
            return
        self._hearing.take(self, text)

    # ------------------------------------------------------------------------------------------------------- pings

    def probe(self) -> None:
        """Asks for a sign of life; nobody waits for it, and the round trip is not measured by it."""
        if self.is_open and not self.paused:
            self._ping(_PROBE)

    def silent_s(self) -> float:
        """For how many seconds the machine at the other end has acknowledged nothing; infinite if none can tell.

        So a program that is too busy to answer pings is not taken for cut off; only the ping timeout (`_tend`) ends it.
        """
        return tcp_info.silent_s(self.transport.get_extra_info("socket"))

    def measure(self) -> None:
        """Pings now, so that the round trip is known before the first regular ping; once, and without a deadline."""
        if not self._measured and self.is_open:
            self._measured = True
            if not self._asked:
                self._ask()

    def _tend(self) -> None:
        """What the timer calls: sends the next ping, or ends a connection whose peer did not answer the last one.

        A peer that is ignored may have answered unread, and ends soon anyway; one that does not read has its own
        deadline, and one that is stuck may have answered unread.
        """
        if self._pings is None or not self.is_open:
            return
        now, bounds = max(self.loop.time(), self._pings.when()), self.bounds
        at = self._ping_at
        if self._answer_by is not None and now >= self._answer_by:
            if not (self.paused or self.stuck):
                self._pings = None
                self._give_up()
                return
            at = now + bounds.ping_timeout
        elif self._answer_by is not None:
            at = self._answer_by
        elif now >= at:
            self._ask()
            self._answer_by, self._ping_at = now + bounds.ping_timeout, now + bounds.ping_interval
            at = min(self._answer_by, self._ping_at)
        self._pings = self.loop.call_at(at, self._tend)

    def _give_up(self) -> None:
        if not self.ignored:
            self.fail(CloseCode.INTERNAL_ERROR, "no answer to a ping")
            self._pings = self.loop.call_later(_PARTING, self.cut)

    def _ask(self) -> None:
        self._asked, self._asked_at = secrets.token_bytes(_PING_BYTES), self.loop.time()
        self._ping(self._asked)

    def _ping(self, data: bytes) -> None:
        self.protocol.send_ping(data)
        self.flush()

    def _answered(self, data: object) -> None:
        if self._asked and data == self._asked:
            self._asked, self._answer_by = b"", None
            self.lag_ms = math.ceil((self.loop.time() - self._asked_at) * 1000)

    # ----------------------------------------------------------------------------------------- what is written to it

    def write(self, message: bytes) -> None:
        """Writes one text message straight to the transport; the connection must be open."""
        size = len(message)
        if size < _SHORT:
            header = _SHORT_HEADER.pack(_TEXT, size)
        elif size < 1 << 16:
            header = _LONGER_HEADER.pack(_TEXT, 126, size)
        else:
            header = _LONGEST_HEADER.pack(_TEXT, 127, size)
        if not self.transport.is_closing():
            self.transport.write(header + message)

    def fail(self, code: int, reason: str) -> None:
        """Closes the connection because of what the peer sent; what else it sent is not read any more."""
        self._hears = self._between = False
        self.pending.clear()
        if not self.is_lost:
            self.protocol.fail(code, reason)
            self.flush()
            self.bound_closing()

    def close(self, code: int = CloseCode.NORMAL_CLOSURE, reason: str = "") -> None:
        """Says that the connection is over, and waits for the peer to close it too, but not for long."""
        if self.is_open:
            self._between = False
            self.protocol.send_close(code, reason)
            self.closing_ends = self.loop.call_later(self.bounds.close, self._end_closing)
            self.flush()

    def cut(self) -> None:
        """Drops the connection at once, and with it what the system still holds for a peer that does not read."""
        socket = self.transport.get_extra_info("socket")
        if socket is not None and not self.transport.is_closing():
            socket.setsockopt(SOL_SOCKET, SO_LINGER, _NO_LINGER)
        self.transport.abort()

    def bound_closing(self) -> None:
        """A peer that was told that it is over closes its side soon, or we do."""
        if self.closing_ends is None:
            end = self.cut if self.number else self.transport.abort  # whoever asked for a page may read it slowly
            self.closing_ends = self.loop.call_later(self.bounds.close, end)

    def _end_closing(self) -> None:
        """Aborts the connection, or waits again while too much is unread (`paused`); `pause_writing` bounds that."""
        if self.paused:
            self.closing_ends = self.loop.call_later(self.bounds.close, self._end_closing)
        else:
            self.transport.abort()
