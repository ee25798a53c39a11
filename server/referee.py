"""The referee: what every message, lost connection and passing moment does. Pure: (event, now) -> effects.

It finds the table, lets the match decide, and tells those who may know: an `ok` to the one who asked, the events to all
around the table, `your_turn` to the player who is next. One heap of deadlines serves all matches.
"""

from __future__ import annotations

import heapq
import math
import random
from collections.abc import Callable, Iterable, Sequence

from games import Seat
from games import parse as parse_game
from games.base import GameError
from protocol.errors import PROTOCOL, ErrorCode, ProtocolError
from protocol.messages import (
    Abort,
    Answer,
    Chat,
    Claim,
    ClientMessage,
    Closing,
    Create,
    Decline,
    Dismiss,
    Enter,
    Hello,
    HostLeague,
    Join,
    Kick,
    Leave,
    ListMatches,
    MakeMove,
    MatchEvent,
    Murmur,
    Offer,
    Ok,
    OrganiserRequest,
    Resign,
    Sync,
    Thinking,
    Watch,
)
from server.administration import directed, vacated
from server.clock import Stalls
from server.effects import (
    Effect,
    EventHappened,
    MatchClosed,
    MatchOpened,
    SeatTaken,
    Send,
    SessionForgotten,
    SessionOpened,
    TokenChanged,
)
from server.greeting import admit, welcome
from server.leagues import Leagues
from server.lobby import LISTED, Lobby, rules_of
from server.match import Match, Rules, Surroundings, number
from server.outgoing import Outgoing
from server.sessions import Session, Sessions
from server.settings import Settings
from server.stored import RestoreError, StoredLeague, StoredMatch, StoredSession
from server.table import Table
from server.text import chat_text

STALE_DEADLINES = 1024
"""Deadlines that no longer count and may wait in the heap, beside as many as there are open matches."""


class Referee:
    """All sessions and all matches of a server.

    draw_token: returns a fresh secret. rng: draws seats, match ids and codes. wall_ms: the date, only to be shown.
    `recording` is false if nothing is kept; `lag_ms` is set by the shell: the measured round trip of a connection. So
    is `on_over`, which hears of each match that ends. moves: how many were played since the start.
    """

    def __init__(
        self,
        settings: Settings,
        rng: random.Random,
        draw_token: Callable[[], str],
        wall_ms: Callable[[], int],
    ) -> None:
        self.settings = settings
        self.sessions = Sessions(draw_token)
        self.lobby = Lobby(rng)
        self.leagues = Leagues(self.lobby.new_code)
        self._rng = rng
        self.wall_ms = wall_ms
        self._out = Outgoing()
        self._due: list[tuple[float, str]] = []
        self.stalls = Stalls()
        self._journal: list[MatchEvent] = []
        self._around = Surroundings(settings.timeouts, self._journal, self.stalls)
        self.recording = True
        self.moves = 0
        self.on_over: Callable[[Match], None] = lambda _match: None
        self.lag_ms: Callable[[int], int] = lambda _connection: 0

    # ------------------------------------------------------------------------------------------ what the shell tells

    def receive(self, connection: int, message: ClientMessage | ProtocolError, now: float) -> Sequence[Effect]:
        """What a message (or a frame that could not be read) brings about."""
        out = self._out = Outgoing()
        if isinstance(message, ProtocolError):
            out.refuse(connection, message, message.request)
            return out.effects
        session = self.sessions.at(connection)
        try:
            if session is None:
                self._hello(connection, message, now)
            else:
                self._handle(session, message, now)
        except ProtocolError as refusal:
            out.refuse(connection, refusal, message.id)
        return self._done()

    def disconnect(self, connection: int, now: float) -> Sequence[Effect]:
        """What the end of a connection brings about; nothing if its session already goes on over another."""
        self._out = Outgoing()
        session = self.sessions.disconnect(connection, now)
        if session is not None:
            self._presence(session, present=False, now=now)
            self.leagues.presence(session, self._out)
        return self._done()

    def tick(self, now: float) -> Sequence[Effect]:
        """What time alone brings about."""
        self._out = Outgoing()
        while self._due and self._due[0][0] <= now:
            when, match_id = heapq.heappop(self._due)
            table = self.lobby.get(match_id)
            if table is not None and table.scheduled == when:
                self._settle(table, now)
                table.scheduled = math.inf
                self._schedule(table)
        self.sessions.expire(now)
        self._forget()
        return self._done()

    def _done(self) -> Sequence[Effect]:
        """The effects of the event that is over, with what is to be kept of it before all else."""
        out = self._out
        if self._journal:
            if self.recording:
                out.effects[:0] = [EventHappened(event) for event in self._journal]
            self._journal.clear()
        return out.effects

    def next_deadline(self) -> float:
        """When `tick` wants to be called; infinite if never."""
        return min(self._due[0][0] if self._due else math.inf, self.sessions.deadline())

    def restore(
        self,
        sessions: Iterable[StoredSession],
        matches: Iterable[StoredMatch],
        now: float,
        leagues: Iterable[StoredLeague] = (),
    ) -> Sequence[Effect]:
        """Takes back what was kept: everybody is away, and no clock runs. Raises RestoreError."""
        self._out = Outgoing()
        for s in sessions:
            self.sessions.restore(Session(s.id, s.name, s.kind, s.token, s.previous), now)
        self.leagues.restore(leagues, self.sessions.get)
        for kept in matches:
            noted = len(self._journal)
            try:
                match = Match(kept.id, parse_game(kept.game), kept.clock, self._around, now, kept.opening)
                match.restore(kept.events, now)
            except (GameError, AssertionError, LookupError, ValueError) as error:
                raise RestoreError(f"match {kept.id}: {error}") from error
            del self._journal[noted:]  # what was folded is recorded already
            table = Table(match, public=kept.public, code=kept.code)
            self.lobby.add(table)
            table.restore(kept, self.sessions.get)
            for seat, holder in table.sessions.items():
                self._measure_lag(table, seat, holder)
            if match.result is not None:
                self.lobby.finished(table, now)
                continue
            match.reopen(now)
            self._schedule(table)
        return self._done()

    def shutdown(self, retry_after_ms: int | None) -> Sequence[Effect]:
        """The server closes: says so to everyone. Without `retry_after_ms` it does not come back."""
        connections = tuple(s.connection for s in self.sessions if s.connection is not None)
        return [Send(connections, Closing() if retry_after_ms is None else Closing(retry_after_ms))]

    # ------------------------------------------------------------------------------------------------- saying things

    def _forget(self) -> None:
        for session in self.sessions.take_forgotten():
            self.lobby.forget(session)
            self.leagues.forget(session, self._out)
            self._out.record(SessionForgotten(session.id))

    def _after(self, table: Table, events: Sequence[MatchEvent], now: float) -> None:
        """Publishes what may change whose turn it is, and keeps the deadline."""
        if not events:
            return
        self._out.publish(table.audience(), events)
        if table.is_playing():
            self._out.your_turn(table, now)
        else:
            self._over(table, now)
        self._schedule(table)

    # -------------------------------------------------------------------------------------------------------- tables

    def _seat(self, session: Session, match_id: str, now: float) -> tuple[Table, Seat]:
        """The table and the seat of a player's request, with what was due settled."""
        table = self.lobby.find(match_id)
        seat = session.seats.get(match_id)
        if seat is None:
            raise ProtocolError(ErrorCode.NOT_ALLOWED, "you don't play in this match")
        self._settle(table, now)
        return table, seat

    def _settle(self, table: Table, now: float) -> None:
        if table.scheduled > now or table.match.deadline() > now:
            return
        self._out.publish(table.audience(), table.match.tick(now))
        self._over(table, now)

    def _over(self, table: Table, now: float) -> None:
        match = table.match
        if match.result is not None and table.finished_at is None:
            self.lobby.finished(table, now)
            self.on_over(match)
            self._out.report(table)
            if self.recording:
                self._out.record(MatchClosed(match.id, match.result, match.ply, match.history.chain()))

    def _schedule(self, table: Table) -> None:
        """Keeps one entry in the heap that counts, never later than the deadline; an early one is put back."""
        deadline = table.match.deadline()
        if deadline < table.scheduled:
            table.scheduled = deadline
            heapq.heappush(self._due, (deadline, table.match.id))
            if len(self._due) > 2 * len(self.lobby) + STALE_DEADLINES:
                self._sweep()

    def _sweep(self) -> None:
        """Drops the deadlines of matches that are over, and those that an earlier one has replaced."""
        tables = self.lobby.tables()
        self._due = [(t.scheduled, t.match.id) for t in tables if t.is_open() and t.scheduled < math.inf]
        heapq.heapify(self._due)

    def _new_table(self, rules: Rules, *, public: bool, now: float) -> Table:
        if len(self.lobby) >= self.settings.max_matches:
            raise ProtocolError(ErrorCode.SERVER_FULL, "too many matches are open", retry_after_ms=10_000)
        match = Match(self.lobby.new_id(), rules.game, rules.clock, self._around, now, rules.opening)
        return Table(match, public=public, code=None if public else self.lobby.new_code())

    def _open(self, table: Table) -> None:
        self.lobby.add(table)
        m = table.match
        self._out.record(MatchOpened(m.id, m.game.spec, m.rule, table.public, table.code, m.opening))

    def _sit(self, table: Table, session: Session, seat: Seat, now: float) -> Sequence[MatchEvent]:
        for place, other in table.sessions.items():
            self._measure_lag(table, place, other)
        self._measure_lag(table, seat, session)
        events = table.match.sit(seat, session.player, now)
        table.seat(session, seat)
        self._out.record(SeatTaken(table.match.id, number(seat), session.id))
        return events

    def _measure_lag(self, table: Table, seat: Seat, session: Session) -> None:
        """Notes how far away a person is, for the clock; programs get nothing back."""
        if session.kind == "human" and self.settings.lag_compensation:
            table.match.lags_ms[seat] = 0 if session.connection is None else self.lag_ms(session.connection)

    def _presence(self, session: Session, *, present: bool, now: float) -> None:
        """Settles what is due around a session, then tells the others that it came or went (if they don't know it)."""
        for table in self.lobby.around(session):
            table.changed()
            self._settle(table, now)
        for match_id in tuple(session.playing):
            table, seat = self.lobby.find(match_id), session.seats[match_id]
            if table.is_open():
                self._out.publish(table.audience(), table.match.presence(seat, present=present, now=now))
                self._schedule(table)

    # ------------------------------------------------------------------------------------------------------ handlers

    def _handle(self, session: Session, message: ClientMessage, now: float) -> None:  # noqa: C901, PLR0912 - a table
        match message:
            case MakeMove():  # the most frequent first: a Struct that is not of the class costs 0.1 us
                self._move(session, message, now)
            case Thinking():
                self._thinking(session, message, now)
            case Join():
                self._join(session, message, now)
            case Leave():
                self._leave(session, message, now)
            case Create():
                self._create(session, message, now)
            case Decline():
                self._decline(session, message, now)
            case Watch():
                self._watch(session, message, now)
            case ListMatches():
                self._list(session, message)
            case Sync():
                self._sync(session, message, now)
            case Resign():
                self._resign(session, message, now)
            case Offer():
                self._offer(session, message, now)
            case Answer():
                self._answer(session, message, now)
            case Abort():
                self._abort(session, message, now)
            case Claim():
                self._claim(session, message, now)
            case Chat():
                self._chat(session, message, now)
            case HostLeague():
                self.leagues.host(session, message, self._out)
            case Enter():
                self.leagues.enter(session, message, self._out)
            case Dismiss():
                self.leagues.dismiss(session, message, self._out)
            case Hello():
                raise ProtocolError(ErrorCode.ALREADY_SAID_HELLO, "this connection has its session")
            case _:
                self._direct(session, message, now)

    def _hello(self, connection: int, hello: ClientMessage, now: float) -> None:
        if not isinstance(hello, Hello):
            raise ProtocolError(ErrorCode.HELLO_REQUIRED, "say hello first")
        if hello.protocol != PROTOCOL:
            raise ProtocolError(ErrorCode.UNSUPPORTED_PROTOCOL, f"this server speaks protocol {PROTOCOL}", fatal=True)
        organises = admit(self.settings.access, hello)
        if hello.token is None:
            session, token = self.sessions.open(hello.name, hello.kind)
            self._forget()
            self._out.record(SessionOpened(session.id, session.name, session.kind, session.token_hash))
        else:
            session, token = self.sessions.resume(hello.token)
            self._out.record(TokenChanged(session.id, session.token_hash, session.previous_hash))
        session.directs = organises
        since = session.changed_at
        self._presence(session, present=True, now=now)
        replaced = self.sessions.connect(session, connection, now, batch=hello.batch)
        for table in self.lobby.around(session):
            table.changed()
        if replaced is not None:
            self._out.replaced(replaced)
        self.leagues.presence(session, self._out)
        self._welcome(session, token, resumed=hello.token is not None)
        self._out.ok(session, hello.id)
        if hello.token is not None:
            self._come_back(session, hello.seen, since, now)

    def _welcome(self, session: Session, token: str, *, resumed: bool) -> None:
        tables, date = self.lobby.around(session), self.wall_ms()
        self._out.send(session, welcome(session, token, self.settings, tables, date, resumed=resumed))

    def _come_back(self, session: Session, seen: dict[str, int], since: float, now: float) -> None:
        """Brings a session up to date: what it missed of each match, or the whole, and whether it is its turn."""
        for table in self.lobby.around(session):
            if table.match.id in seen:
                self._out.catch_up(table, session, seen[table.match.id], now)
            elif table.finished_at is None or table.finished_at >= since:
                self._out.snapshot(table, session, now)
        for match_id, seat in session.invitations.items():
            self._out.invitation(self.lobby.find(match_id), session, seat)

    def _create(self, session: Session, create: Create, now: float) -> None:
        self._check_room(session)
        guests = self.sessions.guests(create.invite)
        if session in guests:
            raise ProtocolError(ErrorCode.BAD_MESSAGE, "you can't invite yourself")
        if len(guests) + create.play > len(Seat):
            raise ProtocolError(ErrorCode.BAD_MESSAGE, "a match has two seats")
        if len(set(guests)) < len(guests):
            raise ProtocolError(ErrorCode.BAD_MESSAGE, "invite two different players")
        table = self._new_table(rules_of(create), public=create.public, now=now)
        table.seed = create.seed
        self._open(table)
        seat = {"first": Seat.FIRST, "second": Seat.SECOND}.get(create.seat) or self._rng.choice(tuple(Seat))
        if create.play:
            self._sit(table, session, seat, now)
            seat = seat.other
        elif create.follow:
            table.watch(session)
        table.reports = not (create.play or create.follow)
        table.organise(session)
        for guest, place in zip(guests, (seat, seat.other), strict=False):
            table.invite(guest, place)
        self._out.effects += table.places()
        self._out.ok_table(session, create.id, table, prompt=not table.reports)
        if not table.reports:
            self._out.snapshot(table, session, now)
        for place, guest in table.invited.items():
            self._out.invitation(table, guest, place)
        self._schedule(table)

    def _check_room(self, session: Session) -> None:
        """Raises ProtocolError(server_full) if `session` plays in, or opened, as many matches as one user may."""
        if session.holds(self.settings.max_own):
            raise ProtocolError(ErrorCode.SERVER_FULL, "you have too many matches open", retry_after_ms=10_000)

    def _join(self, session: Session, join: Join, now: float) -> None:
        table = self.lobby.find_open(session, join.match, join.code)
        self._settle(table, now)
        if table.seat_of(session) is None:
            if not table.is_open():
                raise ProtocolError(ErrorCode.GAME_OVER, "the match is over")
            seat = table.free_seat(session)
            if seat is None:
                raise ProtocolError(ErrorCode.SEAT_TAKEN, "both seats are taken: you may watch")
            others = tuple(connection for connection in table.audience() if connection != session.connection)
            self._out.publish(others, self._sit(table, session, seat, now))
            if table.is_playing() and seat is not table.match.to_move:
                self._out.your_turn(table, now)
            self._schedule(table)
        prompt = not table.is_waiting()  # else there is nothing to do yet
        self._out.ok_table(session, join.id, table, prompt=prompt)
        self._out.snapshot(table, session, now, prompt=prompt)

    def _decline(self, session: Session, decline: Decline, now: float) -> None:
        table = self.lobby.find(decline.match)
        if session not in table.invited.values():
            raise ProtocolError(ErrorCode.NOT_ALLOWED, "you are not invited to this match")
        self._settle(table, now)
        self._out.ok(session, decline.id)
        if table.is_open():
            table.declined = table.free_seat(session)
            self._after(table, table.match.abort(now), now)

    def _watch(self, session: Session, watch: Watch, now: float) -> None:
        table = self.lobby.find_open(session, watch.match, watch.code)
        self._settle(table, now)
        if table.seat_of(session) is None:
            table.watch(session)
        self._out.ok_table(session, watch.id, table)
        self._out.snapshot(table, session, now)

    def _leave(self, session: Session, leave: Leave, now: float) -> None:
        table = self.lobby.find(leave.match)
        if table.seat_of(session) is not None and table.is_open():
            raise ProtocolError(ErrorCode.NOT_ALLOWED, "you play in this match: resign, or abort it")
        table.leave(session)
        self._out.ok(session, leave.id, prompt=False)

    def _list(self, session: Session, request: ListMatches) -> None:
        here = [other.player for other in self.sessions if other.connection is not None]
        matches = self.lobby.listed(request.game, everything=session.directs)
        self._out.send(session, Ok(request.id, matches=matches, players=tuple(here[-LISTED:])))

    def _sync(self, session: Session, sync: Sync, now: float) -> None:
        table = self.lobby.find_open(session, sync.match, None)
        self._settle(table, now)
        if not (table.is_seen_by(session) or table.reports_to(session)):
            raise ProtocolError(ErrorCode.NOT_ALLOWED, "watch this match first")
        self._out.ok(session, sync.id)
        self._out.catch_up(table, session, sync.seq, now)

    def _move(self, session: Session, move: MakeMove, now: float) -> None:
        table, seat = self._seat(session, move.match, now)
        try:
            events = table.match.move(seat, move.ply, move.move, now)
        except ProtocolError as refusal:
            self._out.refuse(session.connection or 0, refusal, move.id)
            if refusal.code is ErrorCode.STALE_PLY:
                self._out.snapshot(table, session, now)
            return
        self._out.send(session, Ok(move.id), prompt=not events)
        self.moves += bool(events)
        if table.match.lags_ms and (opponent := table.sessions.get(seat.other)) is not None:
            self._measure_lag(table, seat.other, opponent)
        self._after(table, events, now)

    def _resign(self, session: Session, resign: Resign, now: float) -> None:
        table, seat = self._seat(session, resign.match, now)
        events = table.match.resign(seat, now, resign.reason)
        self._out.ok(session, resign.id)
        self._after(table, events, now)

    def _offer(self, session: Session, offer: Offer, now: float) -> None:
        table, seat = self._seat(session, offer.match, now)
        self._check_rematch(table, offer.what)
        accepts = table.match.offers.get(offer.what) is seat.other
        events = table.match.offer(seat, offer.what, now)
        following = self._following(table, now) if accepts and offer.what == "rematch" else None
        self._out.ok(session, offer.id)
        self._offered(table, events, following, accepted=accepts, now=now)

    def _answer(self, session: Session, answer: Answer, now: float) -> None:
        table, seat = self._seat(session, answer.match, now)
        if answer.accept:
            self._check_rematch(table, answer.what)
        events = table.match.answer(seat, answer.what, accept=answer.accept, now=now)
        following = self._following(table, now) if answer.accept and answer.what == "rematch" else None
        self._out.ok(session, answer.id)
        self._offered(table, events, following, accepted=answer.accept, now=now)

    def _check_rematch(self, table: Table, what: str) -> None:
        if what != "rematch" or table.is_open():
            return
        if len(table.sessions) < len(Seat) or any(s.connection is None for s in table.sessions.values()):
            raise ProtocolError(ErrorCode.NO_SUCH_PLAYER, "your opponent has left")

    def _offered(
        self, table: Table, events: Sequence[MatchEvent], following: Table | None, *, accepted: bool, now: float
    ) -> None:
        if following is not None:
            self._rematch(table, following, now)
        elif accepted:
            self._after(table, events, now)
        else:
            self._out.publish(table.audience(), events)

    def _following(self, table: Table, now: float) -> Table:
        """The table of a rematch, not yet kept; raises ProtocolError(server_full)."""
        for session in table.sessions.values():
            self._check_room(session)
        following = self._new_table(table.match.rules, public=table.public, now=now)
        following.admitted = frozenset(table.viewers)
        return following

    def _rematch(self, table: Table, following: Table, now: float) -> None:
        self._open(following)
        for seat, session in tuple(table.sessions.items()):
            self._sit(following, session, seat.other, now)
        self._out.publish(table.audience(), table.match.rematched(following.match.id, now))
        for session in following.sessions.values():
            self._out.snapshot(following, session, now)
        self._schedule(following)

    def _abort(self, session: Session, abort: Abort, now: float) -> None:
        table = self.lobby.find(abort.match)
        self._settle(table, now)
        table.check_abort(session)
        events = table.match.abort(now)
        table.declined = table.seat_of(session)
        self._out.ok(session, abort.id)
        self._after(table, events, now)

    def _claim(self, session: Session, claim: Claim, now: float) -> None:
        table, seat = self._seat(session, claim.match, now)
        events = table.match.claim(seat, now)
        self._out.ok(session, claim.id)
        self._after(table, events, now)

    def _direct(self, session: Session, request: OrganiserRequest, now: float) -> None:
        if not session.directs:
            raise ProtocolError(ErrorCode.NOT_ALLOWED, "that is for organisers")
        if isinstance(request, Kick):
            self._kick(session, request, now)
            return
        table = self.lobby.find(request.match)
        self._settle(table, now)
        events = directed(table.match, request, now)
        self._out.ok(session, request.id)
        self._after(table, events, now)

    def _kick(self, session: Session, kick: Kick, now: float) -> None:
        guest = self.sessions.named(kick.name)
        if guest is None or guest is session:
            raise ProtocolError(ErrorCode.NO_SUCH_PLAYER, f"nobody called {kick.name!r} is here to be sent away")
        self._out.ok(session, kick.id)
        for table in [self.lobby.find(match_id) for match_id in guest.organises | guest.playing]:
            self._settle(table, now)
            if table.is_open() and not (table.is_playing() and table.seat_of(guest) is None):
                self._after(table, vacated(table.match, table.seat_of(guest), now), now)
        self._out.send_away(guest)
        self.sessions.expel(guest)
        for table in self.lobby.around(guest):
            table.changed()
        self._forget()

    def _chat(self, session: Session, chat: Chat, now: float) -> None:
        table = self.lobby.find(chat.match)
        self._settle(table, now)
        seat, text = table.seat_of(session), chat_text(chat.text)
        if seat is None and session not in table.viewers:
            raise ProtocolError(ErrorCode.NOT_ALLOWED, "watch this match first")
        self._out.ok(session, chat.id)
        if seat is None:
            self._out.send_all(table.spectators(), Murmur(table.match.id, session.name, text))
        else:
            self._out.publish(table.audience(), table.match.say(seat, text, now))

    def _thinking(self, session: Session, thinking: Thinking, now: float) -> None:
        table, seat = self._seat(session, thinking.match, now)
        if not all(move.isascii() and move.isalnum() for move in thinking.pv):
            raise ProtocolError(ErrorCode.BAD_MESSAGE, "pv holds moves: letters and digits")
        self._out.ok(session, thinking.id, prompt=False)
        spectators = table.spectators()
        if spectators and table.is_playing():
            self._out.thought(spectators, thinking, seat)
