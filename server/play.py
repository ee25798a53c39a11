"""What players do in their match: moves, resignations, claims, and catching up with what was missed. Pure."""

from __future__ import annotations

from protocol.errors import ErrorCode, ProtocolError
from protocol.messages import (
    Abort,
    Claim,
    MakeMove,
    Ok,
    Resign,
    Sync,
)
from server.floor import Floor
from server.sessions import Session


class Play:
    """Answers the requests of players on `floor`."""

    def __init__(self, floor: Floor) -> None:
        self._floor = floor

    def move(self, session: Session, move: MakeMove, now: float) -> None:
        """A move; when it was read (`heard` of the floor), the clock stops."""
        floor = self._floor
        heard = floor.heard
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

    def sync(self, session: Session, sync: Sync, now: float) -> None:
        """Somebody has missed something."""
        table = self._floor.lobby.find_for(session, sync.match)
        self._floor.settle(table, now)
        if not (table.is_seen_by(session) or table.reports_to(session)):
            raise ProtocolError(ErrorCode.NOT_ALLOWED, "watch this match first")
        self._floor.out.ok(session, sync.id)
        self._floor.out.catch_up(table, session, sync.seq, now)
