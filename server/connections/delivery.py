"""How messages leave: gathered for a turn of the loop, held until what they acknowledge is recorded, then written.

What one turn of the loop produces for a connection leaves as one frame (an array, if the client takes batches). A
message that nobody waits for lingers briefly, to share a frame. A turn's records get a ticket of the store; the
messages of that turn, and all later ones, wait until that ticket is committed. A peer that does not read is cut off:
its backlog is bounded in bytes and in time, and nobody else waits for it.
"""

from __future__ import annotations

import asyncio
import math
from collections import deque
from collections.abc import Callable, Sequence
from typing import Final

from protocol.codec import join
from server.connections.connection_bounds import Bounds
from server.connections.peer import Peer, Turn
from server.logs import Event, note
from server.store.writing import Row

STALLED_RETRY: Final = 0.05


class Delivery:
    """The way out of the shell.

    submit: hands a turn's rows to the store and returns their ticket; None if nothing is kept. handed: is told which
    `your_turn` of a peer were just given to its transport, or would have been if the peer read. on_turn: called after
    each flush. on_room: called with a peer that is `stuck`, when less waits for it.
    """

    def __init__(
        self,
        bounds: Bounds,
        submit: Callable[[Sequence[Row]], int] | None,
        handed: Callable[[Peer, Sequence[Turn]], None],
    ) -> None:
        self.aborted = 0
        self.on_turn: Callable[[], None] = lambda: None
        self.on_room: Callable[[Peer], None] = lambda _peer: None
        self.flushes = 0
        self._handed = handed
        self._bounds = bounds
        self._submit = submit
        self._loop = asyncio.get_running_loop()
        self._scheduled = False
        self._rows: list[Row] = []
        self._hurried: list[Peer] = []
        self._lingering: dict[float, list[Peer]] = {bounds.linger: [], bounds.linger_bot: []}
        self._uncommitted: deque[tuple[int, Peer, list[bytes], list[Turn]]] = deque()
        self._ticket = 0
        self._committed = 0
        self._waits_since = math.inf
        self._progressed: asyncio.Future[None] | None = None
        self._stalled: set[Peer] = set()

    # ---------------------------------------------------------------------------------------------------- what comes in

    def keep(self, row: Row) -> None:
        """Something to be recorded with this turn."""
        self._rows.append(row)
        self._schedule()

    def post(self, peer: Peer, encoded: bytes, clock: float, *, prompt: bool, turn: Turn | None = None) -> None:
        """A message for `peer`, at a time of the loop; one that is not prompt may linger. turn: what it asks for."""
        outbox = peer.outbox
        outbox.append(encoded)
        if turn is not None:
            peer.turns.append(turn)
        peer.waiting += len(encoded)
        if prompt:
            if not peer.hurried:
                self._hasten(peer)
        elif not peer.hurried:
            if len(outbox) == 1:
                peer.lingers_since = clock
            if not peer.lingering:
                self._linger(peer)

    def close(self, peer: Peer, code: int, reason: str) -> None:
        """Closes the connection once all that was posted before is written."""
        peer.closing = (code, reason)
        self._hasten(peer)

    def committed(self, ticket: int) -> None:
        """Everything up to `ticket` is recorded: sends what waited for that, all messages of a peer together."""
        self._committed = max(self._committed, ticket)
        self._waits_since = math.inf if self._committed >= self._ticket else self._loop.time()
        ready: dict[Peer, tuple[list[bytes], list[Turn]]] = {}
        while self._uncommitted and self._uncommitted[0][0] <= self._committed:
            _, peer, messages, turns = self._uncommitted.popleft()
            peer.uncommitted -= 1
            known = ready.get(peer)
            if known is None:
                ready[peer] = messages, turns
            else:
                known[0].extend(messages)
                known[1].extend(turns)
        for peer, (messages, turns) in ready.items():
            self._deliver(peer, messages, turns)
        if self._progressed is not None and not self._progressed.done():
            self._progressed.set_result(None)

    def cut_off(self, peer: Peer) -> None:
        """Lets go of a peer that does not read."""
        waiting = peer.waiting + peer.transport.get_write_buffer_size()
        note(Event.PEER_ABORTED, connection=peer.number, address=peer.host, waiting=waiting)
        self.aborted += 1
        peer.cut()
        self._stalled.discard(peer)

    def forget(self, peer: Peer) -> None:
        """The connection is gone."""
        self._stalled.discard(peer)

    async def drained(self) -> None:
        """Returns once no message waits for the store."""
        while self._uncommitted:
            self._progressed = self._loop.create_future()
            await self._progressed

    def waited(self, now: float) -> float:
        """For how many seconds the store has been busy with the same records."""
        return max(0.0, now - self._waits_since)

    @property
    def depth(self) -> int:
        """Messages that wait for the store or for a peer that reads slowly."""
        return sum(len(messages) for _, _, messages, _ in self._uncommitted) + sum(
            len(peer.backlog) for peer in self._stalled
        )

    # ------------------------------------------------------------------------------------------- the end of a turn

    @property
    def ends_soon(self) -> bool:
        """Whether `flush` is scheduled for the end of this turn."""
        return self._scheduled

    def _schedule(self) -> None:
        if not self._scheduled:
            self._scheduled = True
            self._loop.call_soon(self.flush)

    def _hasten(self, peer: Peer) -> None:
        if not peer.hurried:
            peer.hurried = True
            self._hurried.append(peer)
            self._schedule()

    def flush(self) -> None:
        """Ends the turn: hands its records over, and sends what it said as soon as they are recorded."""
        self._scheduled = False
        self.flushes += 1
        self._hand_over()
        hurried, self._hurried = self._hurried, []
        for peer in hurried:
            peer.hurried = False
            self._release(peer)
        self.on_turn()

    def _hand_over(self) -> None:
        rows, self._rows = self._rows, []
        if rows and self._submit is not None:
            if self._committed >= self._ticket:
                self._waits_since = self._loop.time()
            self._ticket = self._submit(rows)

    def _linger(self, peer: Peer) -> None:
        peer.lingering = True
        most = self._bounds.linger_bot if peer.is_bot else self._bounds.linger
        lingering = self._lingering[most]
        if not lingering:
            self._loop.call_later(most / 2, self._flush_lingering, most)
        lingering.append(peer)

    def _flush_lingering(self, most: float) -> None:
        """Sends messages that have waited for half of `most` seconds or longer; the others wait for the next time."""
        self._hand_over()  # the timer may come between a message and the end of its turn
        posted_by = self._loop.time() - most / 2
        waiting = self._lingering[most] = [
            peer for peer in self._lingering[most] if self._waits_on(peer, posted_by=posted_by)
        ]
        if waiting:
            self._loop.call_later(most / 2, self._flush_lingering, most)

    def _waits_on(self, peer: Peer, *, posted_by: float) -> bool:
        if peer.outbox and not peer.hurried:
            if peer.lingers_since > posted_by:
                return True
            self._release(peer)
        peer.lingering = False
        return False

    def _release(self, peer: Peer) -> None:
        outbox, peer.outbox = peer.outbox, []
        turns, peer.turns = peer.turns, []
        if self._committed >= self._ticket or self._submit is None:
            self._deliver(peer, outbox, turns)
        else:
            peer.uncommitted += 1
            self._uncommitted.append((self._ticket, peer, outbox, turns))

    # ----------------------------------------------------------------------------------------------------- the socket

    def _deliver(self, peer: Peer, messages: list[bytes], turns: list[Turn]) -> None:
        """Writes messages, unless the transport is full: then they wait with what came before them.

        Turns count as handed over even if the peer has said that it closes: it reads no more because it chose to.
        """
        if peer.backlog or (peer.paused and peer.transport.get_write_buffer_size() > self._bounds.high_water):
            peer.backlog += messages
            if turns:
                self._handed(peer, turns)  # the clock runs: only the peer itself delays these
            self._stall(peer)
            return
        if messages and peer.is_open:
            if peer.batch:
                peer.write(join(messages))
            else:
                for encoded in messages:
                    peer.write(encoded)
        if turns:
            self._handed(peer, turns)
        for encoded in messages:
            peer.waiting -= len(encoded)
        if peer.stuck:
            self.on_room(peer)
        if peer.closing is not None and not peer.uncommitted and not peer.outbox:
            closing, peer.closing = peer.closing, None
            peer.close(*closing)

    def _stall(self, peer: Peer) -> None:
        now = self._loop.time()
        if peer.stalled_since is None:
            peer.stalled_since = now
        if peer not in self._stalled:
            if not self._stalled:
                self._loop.call_later(STALLED_RETRY, self._retry_stalled)
            self._stalled.add(peer)
        waited = now - peer.stalled_since
        if waited > self._bounds.send or peer.waiting > self._bounds.backlog:
            self.cut_off(peer)

    def _retry_stalled(self) -> None:
        for peer in list(self._stalled):
            if peer.transport.get_write_buffer_size() > self._bounds.high_water:
                self._stall(peer)
            else:
                self._stalled.discard(peer)
                peer.stalled_since = None
                messages, peer.backlog = peer.backlog, []
                self._deliver(peer, messages, [])
        if self._stalled:
            self._loop.call_later(STALLED_RETRY, self._retry_stalled)
