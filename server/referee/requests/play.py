"""What players do in their match: moves, resignations, claims, gifts of time, and catching up. Pure."""

from __future__ import annotations

from protocol.errors import ErrorCode, ProtocolError
from protocol.messages import (
    Abort,
    Claim,
    GiveTime,
    MakeMove,
    Ok,
    Resign,
    Sync,
)
from server.referee.hub import Hub
from server.referee.sessions import Session


class Play:
    """Answers the requests of players on `hub`."""

    def __init__(self, hub: Hub) -> None:
        self._hub = hub

    def move(self, session: Session, move: MakeMove, now: float) -> None:
        """A move; when it was read (`heard` of the hub), the clock stops."""
        hub, match_id = self._hub, move.match
        heard = hub.heard
        seat = session.seats.get(match_id)
        if seat is None:
            hub.seat(session, match_id, now)  # which says why
            return
        table = hub.lobby.find(match_id)
        hub.settle(table, heard, heard=True)
        match = table.match
        if match.clock is not None and (lag_ms := hub.forgiven_ms(table, session)):
            match.allow(seat, lag_ms)  # the lag may not have been known when this move was asked for
        try:
            events = match.move(seat, move.ply, move.move, heard)
        except ProtocolError as refusal:
            hub.out.refuse(session.connection or 0, refusal, move.id)
            if refusal.code is ErrorCode.STALE_PLY:
                hub.out.snapshot(table, session, now)
            return
        hub.out.send(session, Ok(move.id), prompt=not events)
        hub.moves += bool(events)
        hub.publish(table, events, now)

    def resign(self, session: Session, resign: Resign, now: float) -> None:
        """A player gives up."""
        table, seat = self._hub.seat(session, resign.match, now)
        events = table.match.resign(seat, now, resign.reason)
        self._hub.out.ok(session, resign.id)
        self._hub.publish(table, events, now)

    def abort(self, session: Session, abort: Abort, now: float) -> None:
        """Somebody calls a match off."""
        table = self._hub.lobby.find_for(session, abort.match)
        self._hub.settle(table, now)
        table.check_abort(session)
        events = table.match.abort(now)
        table.declined = table.seat_of(session)
        self._hub.out.ok(session, abort.id)
        self._hub.publish(table, events, now)

    def claim(self, session: Session, claim: Claim, now: float) -> None:
        """A player claims the win because the opponent is away."""
        table, seat = self._hub.seat(session, claim.match, now)
        events = table.match.claim(seat, now)
        self._hub.out.ok(session, claim.id)
        self._hub.publish(table, events, now)

    def give_time(self, session: Session, gift: GiveTime, now: float) -> None:
        """A player gives the opponent time. Nobody is asked again; the old deadline is merely too early."""
        table, seat = self._hub.seat(session, gift.match, now)
        table.check_gift()
        events = table.match.give_time(seat, now)
        self._hub.out.ok(session, gift.id)
        self._hub.out.publish(table.audience(), events)

    def sync(self, session: Session, sync: Sync, now: float) -> None:
        """Somebody has missed something."""
        table = self._hub.lobby.find_for(session, sync.match)
        self._hub.settle(table, now)
        if not (table.is_seen_by(session) or table.reports_to(session)):
            raise ProtocolError(ErrorCode.NOT_ALLOWED, "watch this match first")
        self._hub.out.ok(session, sync.id)
        self._hub.out.catch_up(table, session, sync.seq, now)
