"""The shell: sockets, one timer, signals. It feeds the referee and performs its effects; it decides nothing.

Nothing is awaited between a message and its effects. The referee's time is fair: it leaves out what the server itself
loses, and stands still while the store can't write.
"""

from __future__ import annotations

import asyncio
import math
import ssl
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from http import HTTPStatus
from typing import Final, Protocol

from websockets.http11 import Request, Response
from websockets.server import ServerProtocol
from websockets.typing import Subprotocol

from page.files import Site
from protocol import PROTOCOL, SUBPROTOCOL, VERSION
from protocol.codec import decode_client, encode
from protocol.errors import ProtocolError
from protocol.messages import Answer, ClientMessage, Drawn, Enter, Hello, MakeMove, Offer, YourTurn
from protocol.values import LobbyPage
from protocol.weights import (
    BYTES_READ_A_UNIT,
    DEAR,
    FIGURES_WEIGHT,
    FRAME_WEIGHT,
    PACKET_WEIGHT,
    PAGE_REQUEST_WEIGHT,
    more_readers,
    weigh,
    weigh_accepted,
    weigh_answer,
)
from server.admission.acceptor import ACCEPTED_A_TURN, AcceptOptions, Acceptor
from server.admission.admission import Admission, CodeRequest
from server.connections.connection_bounds import Bounds
from server.connections.delivery import Delivery
from server.connections.fair_queue import BUDGET_SECONDS, SLICE_UNITS, FairQueue
from server.connections.link import Link, Visit
from server.connections.peer import Peer, Turn
from server.connections.peers import Peers
from server.fairtime import FairTime
from server.logs import Event, note, note_error
from server.loop_errors import LoopErrors
from server.memory import Collector
from server.referee.effects import Close, Effect, EventHappened, MatchClosed, MatchOpened, Probe, Record, Send
from server.referee.measurements import Measurements
from server.referee.referee import Referee
from server.referee.reviews import KeptReview
from server.referee.stored import RestoreError, StoredLeague, StoredMatch, StoredSession
from server.store.store import Progress, event_row, row_of
from server.store.writing import Row
from server.web.figures import Figures, MatchCounts, State
from server.web.lending import Lending
from server.web.pages import ADMIN, FIGURES_PATH, Page, Pages

GOING_AWAY: Final = 1001
SERVICE_RESTART: Final = 1012
INTERNAL_ERROR: Final = 1011

LAST_MATCHES: Final = 200
"""Finished matches that a restart brings back: a player may not have heard of the end before the server died."""

SLOW_STORE_S: Final = 0.2
"""If the store commits nothing for longer than this while records wait, all clocks stop until its next commit."""


class StoreLike(Protocol):
    """What keeps the records: a Store, or what stands in for one."""

    def sessions(self) -> Iterable[StoredSession]:
        """Every session that is kept; to be read before the first `submit`."""
        ...

    def open_matches(self) -> Iterable[StoredMatch]:
        """Every match without a result; to be read before the first `submit`."""
        ...

    def last_matches(self, count: int) -> Iterable[StoredMatch]:
        """The last matches that came to an end; to be read before the first `submit`."""
        ...

    def leagues(self) -> Iterable[StoredLeague]:
        """Every league that is hosted; to be read before the first `submit`."""
        ...

    def reviews(self) -> Iterable[KeptReview]:
        """Every review that is kept, the oldest first; to be read before the first `submit`."""
        ...

    def submit(self, rows: Sequence[Row]) -> int:
        """Takes rows to be kept; returns their ticket: `Progress` reaches it once they are kept."""
        ...

    def damaged(self, detail: str) -> Exception:
        """The error to raise when the records make no sense."""
        ...

    def close(self) -> None:
        """Keeps what was handed over, and ends."""
        ...


OpenStore = Callable[[Callable[[Progress], None]], StoreLike]
"""Opens a store, which then tells its progress, from any thread."""


MakeReferee = Callable[[Measurements], Referee]
"""Makes a referee that reads these measurements."""


class App:
    """A running server around a referee.

    on_beat: called ten times a second, as a sign of life. fair: turns a time of the event loop into the time that
    players are charged for. To be set before `start`: admission: who may connect; tls: the certificate, if there is
    one; site: the page; embedders: the sites that may show it in a frame.
    """

    def __init__(
        self, make_referee: MakeReferee, bounds: Bounds | None = None, open_store: OpenStore | None = None
    ) -> None:
        """Opens a store, if it is told how; raises StoreError."""
        self._peers = Peers()
        self.referee = referee = make_referee(self._peers)
        self.bounds = bounds or Bounds()
        self.admission = Admission()
        self.tls: ssl.SSLContext | None = None
        self.on_beat: Callable[[], None] = lambda: None
        self._loop = asyncio.get_running_loop()
        self._time = FairTime(self._loop.time(), referee.stalls)
        self.fair: Callable[[float], float] = self._time.at
        self._connected = 0  # how many connections have had a number
        self._timer: asyncio.TimerHandle | None = None  # for what the referee has to do at `_armed`
        self._armed = math.inf
        self._heart: asyncio.TimerHandle | None = None  # for `_beat`, at `_next_beat`
        self._next_beat = math.inf
        self._collector = Collector()
        self._admin: asyncio.Server | None = None
        self._reading_ends: float | None = None
        self._matches = MatchCounts()
        self._stops = False
        self._empty: asyncio.Future[None] | None = None  # for whoever waits until the last peer has left
        self.figures = Figures()
        self.site: Site | None = None
        self.embedders: tuple[str, ...] = ()
        self._lending = Lending(
            self._loop,
            lambda link: self.admission.may_read(link),  # noqa: PLW0108 - `admission` is replaced later
        )
        self.pages = self._pages(ADMIN)
        self.store = None if open_store is None else open_store(self._progress_in_thread)
        referee.recording = self.store is not None
        self.delivery = Delivery(self.bounds, None if self.store is None else self.store.submit, self._handed)
        self.delivery.on_turn = self._rearm
        self.delivery.on_room = self.go_on
        self.cut_off = self.delivery.cut_off
        self._fair_queue = FairQueue(self._act)
        self._turn, self._turn_ends = -1, 0.0  # the turn of the loop, by its flush, and when it has used up its time
        if self.store is not None:
            self._restore(self.store)

    def _restore(self, store: StoreLike) -> None:
        """Goes on with what the store has kept; closes it if that fails. Raises StoreError."""
        try:
            matches = (*store.last_matches(LAST_MATCHES), *store.open_matches())
            self._perform_now(self.referee.restore(store.sessions(), matches, self.now(), store.leagues()))
            self.referee.reviewing.restore(store.reviews())
            self._rearm()
        except BaseException as error:
            store.close()
            if isinstance(error, RestoreError):
                raise store.damaged(str(error)) from error
            raise

    async def start(self, host: str, port: int) -> asyncio.Server:
        """Listens on `host` and `port` (0 for any free one); raises OSError."""
        bounds = self.bounds
        self.pages = self._pages(ADMIN)
        self._loop.set_exception_handler(LoopErrors())
        options = AcceptOptions(self.admission, self.tls, bounds.open, bounds.close)
        options.prepare()
        server = await self._loop.create_server(
            lambda: Acceptor(options, self._make_peer), host, port, backlog=ACCEPTED_A_TURN
        )
        for listener in server.sockets:
            with listener.dup() as twin:
                options.listen(twin)
        self._beat()
        self._collector.start()
        return server

    async def start_admin(self, host: str, port: int) -> asyncio.Server:
        """Serves the monitoring pages at another address, and no longer on the public port."""
        pages = Pages(ADMIN, self.state, sockets=False)
        self.pages = self._pages({})

        def answer(link: Link, request: Request) -> Response | None:
            return self.admission.misdirected(link, request) or pages.answer(link, request)

        self._admin = await self._loop.create_server(lambda: Visit(ServerProtocol(), self.bounds, answer), host, port)
        return self._admin

    def _pages(self, table: Mapping[str, Callable[[State], Page]]) -> Pages:
        return Pages(
            table, self.state, sockets=True, lobby=self.lobby, site=self.site, embedders=self.embedders,
            lending=self._lending,
        )  # fmt: skip

    def lobby(self) -> LobbyPage:
        """What a client without a session may see of the lobby: no matches, if the server has a password."""
        referee = self.referee
        password = referee.settings.access.password is not None
        return LobbyPage(
            PROTOCOL, VERSION, referee.wall_ms(), password, () if password else referee.listing.glance()
        )  # fmt: skip

    def state(self) -> State:
        """What a watcher may know of this moment."""
        store = "none" if self.store is None else "trouble" if self._time.frozen else "ok"
        return State(
            len(self._peers), self._matches_by_status(),
            self.referee.moves, self.delivery.depth, self.delivery.aborted, store,
            self.referee.stalls.total, self.figures,
            self.admission.waiting(), dict(self.admission.refused), self.admission.wrong(),
        )  # fmt: skip

    def _matches_by_status(self) -> dict[str, int]:
        """How many matches are held, as far as spectators are told."""
        tables = self.referee.lobby.tables()
        statuses = (table.told_status().value for table in tables if not table.is_secret)
        return self._matches.counts(statuses, self._loop.time())

    def _process_request(self, link: Link, request: Request) -> Response | None:
        assert isinstance(link, Peer)
        if not link.address.trusted:
            weight = FIGURES_WEIGHT if request.path.startswith(FIGURES_PATH) else PAGE_REQUEST_WEIGHT
            link.address.prompt.spend(self._loop.time(), weight)
        return (
            self.admission.misdirected(link, request)
            or self.pages.answer(link, request)
            or self.admission.process_request(link, request, self._is_unattached)
            or (link.respond(HTTPStatus.SERVICE_UNAVAILABLE, "This server stops.\n") if self._stops else None)
        )

    def _is_unattached(self, peer: Peer) -> bool:
        session = self.referee.sessions.at(peer.number)
        return session is not None and session.is_unattached()

    def _make_peer(self) -> Peer:
        size = self.referee.settings.max_frame_bytes
        protocol = ServerProtocol(subprotocols=[Subprotocol(SUBPROTOCOL)], max_size=size)
        return Peer(self, self.admission, self.bounds, protocol, self._process_request)

    async def stop(self, server: asyncio.Server, retry_after_ms: int | None = None) -> None:
        """Stops accepting, tells every client, closes; what does not close in time is cut off."""
        note(Event.SHUTTING_DOWN, connections=len(self._peers))
        self._stops = True
        server.close()
        if self._admin is not None:
            self._admin.close()
        self.admission.close()
        self._perform_now(self.referee.shutdown(retry_after_ms, self.now()))
        self.delivery.flush()
        await self._recorded()
        peers = list(self._peers)
        for peer in peers:
            peer.close(GOING_AWAY if retry_after_ms is None else SERVICE_RESTART)
        await self._left_by_all()
        for peer in peers:
            peer.transport.abort()
        await self._left_by_all()
        with suppress(TimeoutError):
            async with asyncio.timeout(self.bounds.close):
                await server.wait_closed()
        for handle in (self._timer, self._heart):
            if handle is not None:
                handle.cancel()
        self._collector.stop()
        if self.store is not None:
            self.delivery.flush()
            await asyncio.to_thread(self.store.close)

    async def _left_by_all(self) -> None:
        """Waits until nobody is here any more, but not for long."""
        self._empty = self._loop.create_future()
        if self._peers:
            with suppress(TimeoutError):
                async with asyncio.timeout(self.bounds.close):
                    await self._empty
        await asyncio.sleep(0)

    async def _recorded(self) -> None:
        """Waits until all that was said may leave, but not for long: a disk may stay full."""
        with suppress(TimeoutError):
            async with asyncio.timeout(self.bounds.close / 2):
                await self.delivery.drained()

    # ------------------------------------------------------------------------------------------------ one connection

    def opened(self, peer: Peer) -> None:
        """A connection has shaken hands."""
        self._connected += 1
        peer.number = self._connected
        self._peers.enter(peer)
        self.admission.opened(peer)
        note(Event.PEER_CONNECTED, connection=peer.number, address=peer.host)

    def left(self, peer: Peer) -> None:
        """A connection that had shaken hands is over."""
        note(Event.PEER_LEFT, connection=peer.number, code=peer.close_code)
        effects = self.referee.disconnect(peer.number, self.now())  # it asks for the last sign of life
        self._peers.leave(peer)
        self.delivery.forget(peer)
        self._perform_now(effects)
        self._rearm()
        if self._empty is not None and not self._peers and not self._empty.done():
            self._empty.set_result(None)

    def take(self, peer: Peer, text: str) -> None:
        """Takes one frame: handles it at once, or when it is the peer's turn in the fair queue.

        A peer that is no longer heard is ignored.
        """
        if not peer.is_heard():
            return
        clock = self._loop.time()
        pending = peer.pending
        pending.extend(self.admission.sift(peer, decode_client(text), len(text), clock))
        if peer.queued:
            return
        address = peer.address
        is_prompt = address.trusted or (address.prompt.has_any(clock) and self._has_time(clock))
        if is_prompt and not self._hear(peer, clock):
            return
        if pending:
            peer.queue()

    def _has_time(self, clock: float) -> bool:
        """Whether this turn of the loop may still hear somebody at once; the next one begins after the flush.

        Many peers with a short message each can hold others up as long as one with many, above all on a slow machine.
        """
        if self.delivery.flushes != self._turn:
            self._turn, self._turn_ends = self.delivery.flushes, clock + BUDGET_SECONDS
        return clock < self._turn_ends

    def wait(self, peer: Peer) -> None:
        """More has arrived than may be heard at once; it counts as said now."""
        peer.heard_at = peer.alive_at = self.now()
        self._fair_queue.wait(peer)

    def go_on(self, peer: Peer) -> None:
        """Less waits for a peer that was heard no further: what it has said is heard now, as of when it was read."""
        if peer.stuck and not peer.is_full():
            peer.stuck = False
            self._fair_queue.wait(peer)

    def may_read_now(self, peer: Peer) -> bool:
        """Charges the peer's address for one packet; returns whether it still leaves room for others.

        What many send in one turn of the loop, such as requests for pages, is not all answered in that turn.
        """
        if peer.address.trusted:
            return True
        clock = self._loop.time()
        if self._reading_ends is None:
            self._reading_ends = clock + BUDGET_SECONDS
            self._loop.call_soon(self._end_reading)
        return peer.address.prompt.spend(clock, PACKET_WEIGHT) and clock < self._reading_ends

    def _end_reading(self) -> None:
        self._reading_ends = None

    def has_read(self, peer: Peer, frames: int, size: int) -> None:
        """Charges the peer's address for what was read."""
        if not peer.address.trusted:
            peer.address.prompt.spend(self._loop.time(), FRAME_WEIGHT * frames + size / BYTES_READ_A_UNIT)

    def _act(self, peer: Peer, units: float) -> bool:
        """Does up to `units` of work for a peer, its writes included; returns whether more can be done now."""
        if peer.is_full():
            peer.stuck = True
            return False
        try:
            if not peer.pending:
                peer.feed_portion()
            if peer.pending:
                self._hear(peer, self._loop.time(), units)
                self.delivery.flush()  # who has many spectators is not done until they are written to
            if not (peer.pending or peer.has_more):
                peer.caught_up()
                return False
        except Exception as error:  # noqa: BLE001 - as below
            note_error(error)
            peer.transport.abort()
            return False
        return True

    def _hear(self, peer: Peer, clock: float, units: float = SLICE_UNITS) -> bool:
        """Feeds the pending messages of a peer to the referee, up to `units` of work; returns whether some are left.

        After a close, as after a wrong password, the rest is dropped, so that one frame can try only one secret. A
        wrong token ends nothing until its address has used up its free attempts (see server.admission.guessing).
        """
        pending, address = peer.pending, peer.address
        now = self.fair(clock)
        if peer.queued:
            heard = peer.heard_at
        else:
            heard = peer.alive_at = now
        spent, most = 0.0, math.inf if address.trusted else units
        try:
            while pending and spent < most and peer.is_heard() and not peer.is_full():
                message = pending.popleft()
                effects = self._answer(peer, message, now, heard)
                readers, boards = self._perform(effects, clock)
                extra = weigh_answer(len(effects), readers, boards)
                if type(message) is Answer or type(message) is Offer:
                    extra += weigh_accepted(message, (effect.message for effect in effects if type(effect) is Send))
                spent += weigh(message) + extra
                if extra and peer.meter is not None and not address.trusted:
                    peer.meter.owes(clock, extra)
        except Exception as error:  # noqa: BLE001 - a bug of ours costs one connection
            note_error(error)
            peer.fail(INTERNAL_ERROR, "internal error")
        if not peer.is_heard():
            pending.clear()
        if not address.trusted:
            address.prompt.spend(clock, spent)
        if not self.delivery.ends_soon:  # else once for all that this turn hears
            self._rearm()
        return bool(pending)

    def _answer(self, peer: Peer, message: ClientMessage | ProtocolError, now: float, heard: float) -> Sequence[Effect]:
        """What the referee says to a message; secrets and codes in it are tried only so often."""
        if type(message) is MakeMove:
            return self.referee.receive(peer.number, message, now, heard)
        if isinstance(message, CodeRequest) and not self._directs(peer):
            if self.admission.puts_off(peer, message, self._judge_late):
                return ()
            effects = self.referee.receive(peer.number, self.admission.try_code(peer, message), now)
            if message.code is not None:
                self.admission.tried(peer, effects)
            return effects
        effects = self.referee.receive(peer.number, message, now)
        return self._greeted(peer, message, effects) if type(message) is Hello else effects

    def _directs(self, peer: Peer) -> bool:
        """Whether this is an organiser, who may look at everything anyway and so guesses nothing."""
        session = self.referee.sessions.at(peer.number)
        return session is not None and session.directs

    def _judge_late(self, peer: Peer, message: Enter) -> None:
        """Hears a personal code that had to wait, if whoever sent it is still there."""
        if peer.number in self._peers and peer.is_heard():
            effects = self.referee.receive(peer.number, message, self.now())
            self.admission.tried(peer, effects)
            self._perform_now(effects)
            self._rearm()

    def _handed(self, peer: Peer, turns: Sequence[Turn]) -> None:
        """Players were asked for a move: their time runs from now on."""
        now = self.now()
        earlier = False
        for match_id, ply in turns:
            earlier |= self.referee.handed(peer.number, match_id, ply, now)
        if earlier:
            self._rearm()

    def _greeted(self, peer: Peer, hello: Hello, effects: Sequence[Effect]) -> Sequence[Effect]:
        """Notes what became of a `hello`; returns those of its effects that happen now."""
        session = self.referee.sessions.at(peer.number)
        peer.batch = session is not None and session.batch
        if session is not None:
            peer.is_bot = session.kind == "bot"
            self.admission.greeted(peer)
            peer.measure()  # what the network takes is told, or given back, from the first move on
        return self.admission.judge(peer, hello, effects, self._perform_now)

    # ------------------------------------------------------------------------------------------------------- effects

    def _perform_now(self, effects: Iterable[Effect]) -> None:
        self._perform(effects, self._loop.time())

    def _perform(self, effects: Iterable[Effect], clock: float) -> tuple[int, int]:
        """Does what the referee decided, at a time of the loop.

        Returns how many readers its messages have in all, and how many are boards.
        """
        readers = boards = 0
        encoded: dict[int, bytes] = {}
        peers, delivery = self._peers, self.delivery
        for effect in effects:
            if type(effect) is Send:  # of a Struct, `isinstance` asks the metaclass before it says no
                connections, message, prompt = effect.connections, effect.message, effect.prompt
                readers += len(connections)
                text = encoded.get(id(message)) if encoded else None
                text = text or encode(message)
                turn: Turn | None = None
                if type(message) is YourTurn:
                    turn = (message.match, message.ply)
                elif type(message) in DEAR:
                    readers += more_readers(message, len(text)) * len(connections)
                    boards += type(message) is Drawn
                for connection in connections:
                    if (peer := peers.at(connection)) is not None:
                        delivery.post(peer, text, clock, prompt=prompt, turn=turn)
            elif type(effect) is EventHappened:
                event = effect.event
                payload = encoded[id(event)] = effect.encoded or encode(event)
                delivery.keep(event_row(event, payload, self.referee.wall_ms()))
            elif type(effect) is Probe:
                if (peer := peers.at(effect.connection)) is not None:
                    peer.probe()
            elif type(effect) is Close:
                if (peer := peers.at(effect.connection)) is not None:
                    delivery.close(peer, effect.code, effect.reason)
            else:
                self._record(effect)
        return readers, boards

    def _record(self, record: Record) -> None:
        """Keeps a record, if anything is kept; a line of the log tells when a match opens or is over."""
        if isinstance(record, MatchOpened):
            note(Event.MATCH_OPENED, match=record.match, game=record.game)
        elif isinstance(record, MatchClosed):
            reason, winner = record.result.reason, record.result.winner
            note(Event.MATCH_FINISHED, match=record.match, plies=record.plies, reason=reason, winner=winner)
        if self.store is not None:
            self.delivery.keep(row_of(record, self.referee.wall_ms()))

    def _rearm(self) -> None:
        """Sets the timer if something is due before it goes off."""
        deadline = self.referee.next_deadline()
        if deadline < self._armed:
            self._arm(deadline)

    def _progress_in_thread(self, progress: Progress) -> None:
        with suppress(RuntimeError):  # the loop is closed already
            self._loop.call_soon_threadsafe(self._progress, progress)

    def _progress(self, progress: Progress) -> None:
        """The store has committed records, or can't; if it can't, all clocks stop until it can."""
        now = self._loop.time()
        if progress.trouble is not None:
            if not self._time.frozen:
                note(Event.STORE_TROUBLE, trouble=progress.trouble)
            self._time.freeze(now)
            return
        self.referee.scarce = progress.scarce
        if self._time.frozen:
            note(Event.STORE_RECOVERED)
            self._time.thaw(now)
            self._arm(self.referee.next_deadline())
        if progress.seconds:
            self.figures.commits.observe(progress.seconds)
        self.delivery.committed(progress.ticket)

    # --------------------------------------------------------------------------------------------------------- timer

    def now(self) -> float:
        """The time that players are charged for."""
        return self.fair(self._loop.time())

    def _beat(self) -> None:
        """Notes that the loop is alive; after a stall, deadlines are as much later."""
        stalled = self.referee.stalls.total
        now = self._loop.time()
        self._time.beaten(now)
        self.on_beat()
        self.figures.lag.observe(max(0.0, now - self._next_beat))
        self._next_beat = now + self._time.beat
        self._collector.tend()
        if self.delivery.waited(now) > SLOW_STORE_S and not self._time.frozen:
            note(Event.STORE_TROUBLE, trouble="slow")
            self._time.freeze(now)
        if self.referee.stalls.total > stalled:
            self._arm(self.referee.next_deadline())
        self._heart = self._loop.call_later(self._time.beat, self._beat)

    def _arm(self, deadline: float) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._armed = deadline
        at = self._time.monotonic(deadline)
        self._timer = None if at == math.inf else self._loop.call_at(at, self._tick)

    def _tick(self) -> None:
        self._armed = math.inf
        self._timer = None
        if not self._time.frozen:
            self._perform_now(self.referee.tick(self.now()))
            self._rearm()
