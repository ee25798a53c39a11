"""What those around a table ask for while their match is played, and after: moves, offers, words. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from protocol.errors import ErrorCode, ProtocolError
from protocol.messages import (
    Abort,
    Answer,
    Chat,
    Claim,
    MakeMove,
    MatchEvent,
    Murmur,
    Offer,
    Ok,
    Resign,
    Sync,
    Thinking,
)
from server.arranging import Arranging
from server.floor import Floor
from server.sessions import Session
from server.table import Table
from server.text import chat_text

MAX_THOUGHTS = 100
"""Messages of a bot about one move that go on to spectators."""


class Play:
    """Answers the requests of players and spectators on `floor`."""

    def __init__(self, floor: Floor, arranging: Arranging) -> None:
        self._floor = floor
        self._arranging = arranging

    def move(self, session: Session, move: MakeMove, now: float, heard: float) -> None:
        """A move; `heard` is when it was read, and so when the clock stops."""
        floor = self._floor
        seat = session.seats.get(move.match)
        if seat is None:
            floor.seat(session, move.match, now)  # which says why
            return
        table = floor.lobby.find(move.match)
        floor.settle(table, heard, heard=True)
        match = table.match
        if match.clock is not None and (lag_ms := floor.forgiven_ms(table, session)):
            match.allow(seat, lag_ms)  # a first move may come before anything was measured when it was asked for
        try:
            events = match.move(seat, move.ply, move.move, heard)
        except ProtocolError as refusal:
            floor.out.refuse(session.connection or 0, refusal, move.id)
            if refusal.code is ErrorCode.STALE_PLY:
                floor.out.snapshot(table, session, now)
            return
        floor.out.send(session, Ok(move.id), prompt=not events)
        floor.moves += bool(events)
        floor.publish(table, events, now)

    def resign(self, session: Session, resign: Resign, now: float) -> None:
        """A player gives up."""
        table, seat = self._floor.seat(session, resign.match, now)
        events = table.match.resign(seat, now, resign.reason)
        self._floor.out.ok(session, resign.id)
        self._floor.publish(table, events, now)

    def offer(self, session: Session, offer: Offer, now: float) -> None:
        """A player offers something, or accepts by offering the same."""
        table, seat = self._floor.seat(session, offer.match, now)
        self._check_rematch(table, offer.what)
        accepts = table.match.offers.get(offer.what) is seat.other
        events = table.match.offer(seat, offer.what, now)
        following = self._arranging.following(table, now) if accepts and offer.what == "rematch" else None
        self._floor.out.ok(session, offer.id)
        self._offered(table, events, following, accepted=accepts, now=now)

    def answer(self, session: Session, answer: Answer, now: float) -> None:
        """A player accepts or declines."""
        table, seat = self._floor.seat(session, answer.match, now)
        if answer.accept:
            self._check_rematch(table, answer.what)
        events = table.match.answer(seat, answer.what, accept=answer.accept, now=now)
        following = self._arranging.following(table, now) if answer.accept and answer.what == "rematch" else None
        self._floor.out.ok(session, answer.id)
        self._offered(table, events, following, accepted=answer.accept, now=now)

    def _check_rematch(self, table: Table, what: str) -> None:
        if what != "rematch" or table.is_open():
            return
        if len(table.sessions) < 2 or any(s.connection is None for s in table.sessions.values()):
            raise ProtocolError(ErrorCode.NO_SUCH_PLAYER, "your opponent has left")

    def _offered(
        self, table: Table, events: Sequence[MatchEvent], following: Table | None, *, accepted: bool, now: float
    ) -> None:
        if following is not None:
            self._arranging.rematch(table, following, now)
        elif accepted:
            self._floor.publish(table, events, now)
        else:
            self._floor.out.publish(table.audience(), events)

    def abort(self, session: Session, abort: Abort, now: float) -> None:
        """Somebody calls a match off."""
        table = self._floor.lobby.find_for(session, abort.match)
        self._floor.settle(table, now)
        table.check_abort(session)
        events = table.match.abort(now)
        table.declined = table.seat_of(session)
        self._floor.out.ok(session, abort.id)
        self._floor.publish(table, events, now)

    def claim(self, session: Session, claim: Claim, now: float) -> None:
        """A player claims the game of who is away."""
        table, seat = self._floor.seat(session, claim.match, now)
        events = table.match.claim(seat, now)
        self._floor.out.ok(session, claim.id)
        self._floor.publish(table, events, now)

    def chat(self, session: Session, chat: Chat, now: float) -> None:
        """Somebody says something."""
        table = self._floor.lobby.find_for(session, chat.match)
        self._floor.settle(table, now)
        out, seat, text = self._floor.out, table.seat_of(session), chat_text(chat.text)
        if seat is None and session not in table.viewers:
            raise ProtocolError(ErrorCode.NOT_ALLOWED, "watch this match first")
        out.ok(session, chat.id)
        if seat is None:
            out.send_all(table.spectators(), Murmur(table.match.id, session.name, text))
        else:
            out.publish(table.audience(), table.match.say(seat, text, now))

    def thinking(self, session: Session, thinking: Thinking, now: float) -> None:
        """A bot says what it sees: so much of it for each move."""
        table, seat = self._floor.seat(session, thinking.match, now)
        if table.think(table.match.ply, seat) > MAX_THOUGHTS:
            raise ProtocolError(ErrorCode.RATE_LIMITED, "enough was thought about this move: play it")
        self._floor.out.ok(session, thinking.id, prompt=False)
        spectators = table.spectators()
        if spectators and table.is_playing():
            self._floor.out.thought(spectators, thinking, seat)

    def sync(self, session: Session, sync: Sync, now: float) -> None:
        """Somebody has missed something."""
        table = self._floor.lobby.find_for(session, sync.match)
        self._floor.settle(table, now)
        if not (table.is_seen_by(session) or table.reports_to(session)):
            raise ProtocolError(ErrorCode.NOT_ALLOWED, "watch this match first")
        self._floor.out.ok(session, sync.id)
        self._floor.out.catch_up(table, session, sync.seq, now)
