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
from dataclasses import dataclass
from functools import partial
from typing import cast

from websockets.asyncio.server import Server, ServerConnection, serve
from websockets.typing import Subprotocol

from protocol.codec import decode_client, encode, join
from protocol.errors import SUBPROTOCOL
from protocol.messages import Hello
from server.effects import Effect, Send
from server.peer import Peer
from server.referee import Referee

log = logging.getLogger("arbitre.server")

GOING_AWAY = 1001
SERVICE_RESTART = 1012
NO_HELLO = 1008
INTERNAL_ERROR = 1011


@dataclass(frozen=True, slots=True)
class Bounds:
    """What one connection may cost; times in seconds, sizes in bytes.

    backlog, send: how much may wait for a peer that does not read, and for how long.
    linger: how long what nobody waits for (the acknowledgement of a move) may wait for company in its frame.
    hello: how long a new connection may stay silent. close: how long a closing handshake may take.
    """

    backlog: int = 1 << 20
    high_water: int = 1 << 16
    send: float = 10.0
    linger: float = 0.01
    hello: float = 10.0
    open: float = 10.0
    close: float = 5.0
    ping_interval: float = 5.0
    ping_timeout: float = 5.0
    queue: int = 64


class App:
    """A running server around a referee."""

    def __init__(self, referee: Referee, bounds: Bounds | None = None) -> None:
        self.referee = referee
        self.bounds = bounds or Bounds()
        self._peers: dict[int, Peer] = {}
        self._hurried: list[Peer] = []
        self._lingering: list[Peer] = []
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
            backlog=1024,
            create_connection=cast(type[ServerConnection], partial(Peer, self._take)),
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
        code = GOING_AWAY if retry_after_ms is None else SERVICE_RESTART
        with suppress(TimeoutError):
            async with asyncio.timeout(self.bounds.close):
                await asyncio.gather(*(peer.close(code) for peer in peers), return_exceptions=True)
        for peer in peers:
            peer.transport.abort()
        if self._timer is not None:
            self._timer.cancel()
        with suppress(TimeoutError):
            async with asyncio.timeout(self.bounds.close):
                await server.wait_closed()

    # ------------------------------------------------------------------------------------------------ one connection

    async def _serve_peer(self, socket: ServerConnection) -> None:
        """Lives as long as the connection; what arrives on it goes to `_take` meanwhile."""
        peer = cast(Peer, socket)
        self._admit(peer)
        silence = self._loop.call_later(self.bounds.hello, self._check_hello, peer)
        try:
            await peer.wait_closed()
        finally:
            silence.cancel()
            del self._peers[peer.number]
            self._stalled.discard(peer)
            self._perform(self.referee.disconnect(peer.number, self._loop.time()))

    def _admit(self, peer: Peer) -> None:
        if not peer.number:
            self._connected += 1
            peer.number = self._connected
            self._peers[peer.number] = peer

    def _check_hello(self, peer: Peer) -> None:
        if self.referee.sessions.at(peer.number) is None and peer.is_open():
            peer.fail(NO_HELLO, "say hello")

    def _take(self, peer: Peer, text: str) -> None:
        """Feeds one frame to the referee, in the turn of the loop that read it."""
        self._admit(peer)
        now = self._loop.time()
        try:
            for message in decode_client(text):
                self._perform(self.referee.receive(peer.number, message, now))
                if type(message) is Hello:
                    session = self.referee.sessions.at(peer.number)
                    peer.batch = session is not None and session.batch
        except Exception:
            log.exception("internal error: the connection is closed")
            peer.fail(INTERNAL_ERROR, "internal error")

    # ------------------------------------------------------------------------------------------------------- effects

    def _perform(self, effects: Iterable[Effect]) -> None:
        for effect in effects:
            if isinstance(effect, Send):
                encoded = encode(effect.message)
                for connection in effect.connections:
                    self._post(connection, encoded, prompt=effect.prompt)
            elif (peer := self._peers.get(effect.connection)) is not None:
                peer.closing = (effect.code, effect.reason)
                self._hasten(peer)
        deadline = self.referee.next_deadline()
        if deadline < self._armed:
            self._arm(deadline)

    def _post(self, connection: int, encoded: bytes, *, prompt: bool) -> None:
        peer = self._peers.get(connection)
        if peer is None:
            return
        peer.outbox.append(encoded)
        peer.waiting += len(encoded)
        if prompt:
            self._hasten(peer)
        elif not (peer.hurried or peer.lingering):
            peer.lingering = True
            if not self._lingering:
                self._loop.call_later(self.bounds.linger, self._flush_lingering)
            self._lingering.append(peer)

    def _hasten(self, peer: Peer) -> None:
        """Lets the peer be written to at the end of this turn of the loop."""
        if not peer.hurried:
            peer.hurried = True
            if not self._hurried:
                self._loop.call_soon(self._flush)
            self._hurried.append(peer)

    def _flush(self) -> None:
        hurried, self._hurried = self._hurried, []
        for peer in hurried:
            peer.hurried = False
            if peer.stalled_since is None:
                self._write(peer)

    def _flush_lingering(self) -> None:
        lingering, self._lingering = self._lingering, []
        for peer in lingering:
            peer.lingering = False
            if peer.outbox and not peer.hurried and peer.stalled_since is None:
                self._write(peer)

    def _write(self, peer: Peer) -> None:
        """Writes what waits for the peer, unless its transport is full: then it is tried again soon."""
        if peer.transport.get_write_buffer_size() > self.bounds.high_water:
            self._stall(peer)
            return
        peer.stalled_since = None
        outbox, peer.outbox, peer.waiting = peer.outbox, [], 0
        if outbox and peer.is_open():
            if peer.batch:
                peer.write(join(outbox))
            else:
                for encoded in outbox:
                    peer.write(encoded)
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
            peer.transport.abort()
            self._stalled.discard(peer)

    def _retry_stalled(self) -> None:
        for peer in list(self._stalled):
            self._write(peer)
            if peer.stalled_since is None:
                self._stalled.discard(peer)
        if self._stalled:
            self._loop.call_later(0.05, self._retry_stalled)

    def _spawn_close(self, peer: Peer, code: int, reason: str) -> None:
        task = self._loop.create_task(peer.close(code, reason))
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
