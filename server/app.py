"""The shell: sockets, one timer, signals. It feeds the referee and performs its effects; it decides nothing.

What one turn of the event loop produces for a connection leaves as one frame (an array, if the client takes batches).
Nothing is awaited between a message and its effects. A peer that does not read is cut off: its backlog is bounded in
bytes and in time, and nobody else waits for it.
"""

from __future__ import annotations

import asyncio
import gc
import logging
import math
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, field

from websockets.asyncio.server import Server, ServerConnection, serve
from websockets.exceptions import ConnectionClosed
from websockets.protocol import State
from websockets.typing import Subprotocol

from protocol.codec import decode_client, encode, join
from protocol.errors import SUBPROTOCOL
from protocol.messages import Hello
from server.effects import Effect, Send
from server.referee import Referee

log = logging.getLogger("arbitre.server")

GOING_AWAY = 1001
UNSUPPORTED_DATA = 1003
NO_HELLO = 1008
INTERNAL_ERROR = 1011


@dataclass(frozen=True, slots=True)
class Bounds:
    """What one connection may cost; times in seconds, sizes in bytes.

    backlog, send: how much may wait for a peer that does not read, and for how long.
    hello: how long a new connection may stay silent. close: how long a closing handshake may take.
    """

    backlog: int = 1 << 20
    high_water: int = 1 << 16
    send: float = 10.0
    hello: float = 10.0
    open: float = 10.0
    close: float = 5.0
    ping_interval: float = 5.0
    ping_timeout: float = 5.0
    queue: int = 64


@dataclass(slots=True, eq=False)
class Peer:
    """One connection and what waits to be written to it."""

    id: int
    socket: ServerConnection
    batch: bool = False
    outbox: list[bytes] = field(default_factory=list)
    waiting: int = 0
    stalled_since: float | None = None
    closing: tuple[int, str] | None = None


class App:
    """A running server around a referee."""

    def __init__(self, referee: Referee, bounds: Bounds | None = None) -> None:
        self.referee = referee
        self.bounds = bounds or Bounds()
        self._peers: dict[int, Peer] = {}
        self._dirty: list[Peer] = []
        self._stalled: set[Peer] = set()
        self._connected = 0
        self._tasks: set[asyncio.Task[None]] = set()
        self._timer: asyncio.TimerHandle | None = None
        self._armed = math.inf
        self._loop = asyncio.get_running_loop()

    async def start(self, host: str, port: int) -> Server:
        """Listens on `host` and `port` (0 for any free one); raises OSError."""
        bounds = self.bounds
        server = await serve(
            self._serve_peer,
            host,
            port,
            subprotocols=[Subprotocol(SUBPROTOCOL)],
            compression=None,
            server_header=None,
            open_timeout=bounds.open,
            close_timeout=bounds.close,
            ping_interval=bounds.ping_interval,
            ping_timeout=bounds.ping_timeout,
            max_size=self.referee.settings.max_frame_bytes,
            max_queue=bounds.queue,
            reuse_port=False,
            backlog=1024,
        )
        gc.collect()
        gc.freeze()
        return server

    async def stop(self, server: Server, retry_after_ms: int | None = None) -> None:
        """Stops accepting, tells every client, closes; what does not close in time is cut off."""
        server.close(close_connections=False)
        self._perform(self.referee.shutdown(retry_after_ms))
        self._flush()
        peers = list(self._peers.values())
        with suppress(TimeoutError):
            async with asyncio.timeout(self.bounds.close):
                await asyncio.gather(*(peer.socket.close(GOING_AWAY) for peer in peers), return_exceptions=True)
        for peer in peers:
            peer.socket.transport.abort()
        if self._timer is not None:
            self._timer.cancel()
        with suppress(TimeoutError):
            async with asyncio.timeout(self.bounds.close):
                await server.wait_closed()

    # ------------------------------------------------------------------------------------------------ one connection

    async def _serve_peer(self, socket: ServerConnection) -> None:
        self._connected += 1
        peer = Peer(self._connected, socket)
        self._peers[peer.id] = peer
        try:
            await self._receive(peer)
        except ConnectionClosed:
            pass
        except TimeoutError:
            await socket.close(NO_HELLO, "say hello")
        except Exception:
            log.exception("internal error: the connection is closed")
            await socket.close(INTERNAL_ERROR, "internal error")
        finally:
            del self._peers[peer.id]
            self._stalled.discard(peer)
            self._perform(self.referee.disconnect(peer.id, self._loop.time()))

    async def _receive(self, peer: Peer) -> None:
        async with asyncio.timeout(self.bounds.hello):
            frame = await peer.socket.recv()
        if self._take(peer, frame):
            async for frame in peer.socket:
                if not self._take(peer, frame):
                    break
        if isinstance(frame, bytes):
            await peer.socket.close(UNSUPPORTED_DATA, "text frames only")

    def _take(self, peer: Peer, frame: str | bytes) -> bool:
        """Feeds one frame to the referee; False for a binary one."""
        now = self._loop.time()
        if isinstance(frame, bytes):
            return False
        for message in decode_client(frame):
            self._perform(self.referee.receive(peer.id, message, now))
            if type(message) is Hello:
                session = self.referee.sessions.at(peer.id)
                peer.batch = session is not None and session.batch
        return True

    # ------------------------------------------------------------------------------------------------------- effects

    def _perform(self, effects: Iterable[Effect]) -> None:
        for effect in effects:
            if isinstance(effect, Send):
                encoded = encode(effect.message)
                for connection in effect.connections:
                    self._post(connection, encoded)
            elif (peer := self._peers.get(effect.connection)) is not None:
                peer.closing = (effect.code, effect.reason)
                self._mark(peer)
        deadline = self.referee.next_deadline()
        if deadline < self._armed:
            self._arm(deadline)

    def _post(self, connection: int, encoded: bytes) -> None:
        peer = self._peers.get(connection)
        if peer is not None:
            self._mark(peer)
            peer.outbox.append(encoded)
            peer.waiting += len(encoded)

    def _mark(self, peer: Peer) -> None:
        """Lets the peer be written to at the end of this turn of the loop."""
        if not peer.outbox and peer.stalled_since is None:
            if not self._dirty:
                self._loop.call_soon(self._flush)
            self._dirty.append(peer)

    def _flush(self) -> None:
        dirty, self._dirty = self._dirty, []
        for peer in dirty:
            self._write(peer)

    def _write(self, peer: Peer) -> None:
        """Writes what waits for the peer, unless its transport is full: then it is tried again soon."""
        if peer.socket.transport.get_write_buffer_size() > self.bounds.high_water:
            self._stall(peer)
            return
        peer.stalled_since = None
        outbox, peer.outbox, peer.waiting = peer.outbox, [], 0
        if outbox and peer.socket.protocol.state is State.OPEN:
            protocol = peer.socket.protocol
            if peer.batch:
                protocol.send_text(join(outbox))
            else:
                for encoded in outbox:
                    protocol.send_text(encoded)
            peer.socket.send_data()
        if peer.closing is not None:
            self._spawn_close(peer, *peer.closing)

    def _stall(self, peer: Peer) -> None:
        now = self._loop.time()
        if peer.stalled_since is None:
            peer.stalled_since = now
            self._stalled.add(peer)
            if len(self._stalled) == 1:
                self._loop.call_later(0.05, self._retry_stalled)
        elif now - peer.stalled_since > self.bounds.send or peer.waiting > self.bounds.backlog:
            log.warning("a peer does not read: cut off after %.1f s, %d bytes", now - peer.stalled_since, peer.waiting)
            peer.socket.transport.abort()
            self._stalled.discard(peer)

    def _retry_stalled(self) -> None:
        for peer in list(self._stalled):
            self._write(peer)
            if peer.stalled_since is None:
                self._stalled.discard(peer)
        if self._stalled:
            self._loop.call_later(0.05, self._retry_stalled)

    def _spawn_close(self, peer: Peer, code: int, reason: str) -> None:
        task = self._loop.create_task(peer.socket.close(code, reason))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    # --------------------------------------------------------------------------------------------------------- timer

    def _arm(self, deadline: float) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._armed = deadline
        self._timer = None if deadline == math.inf else self._loop.call_at(deadline, self._tick)

    def _tick(self) -> None:
        self._armed = math.inf
        self._timer = None
        self._perform(self.referee.tick(self._loop.time()))
