"""What organisers ask for: they direct matches in which they don't play, and send people away. Pure."""

from __future__ import annotations

from typing import assert_never

from games import Seat
from protocol.errors import ErrorCode, ProtocolError
from protocol.messages import Adjudicate, Kick, Pause, Resume, Terminate
from server.floor import Floor
from server.match import Events, Match
from server.sessions import Session
from server.terms import Status

Direction = Pause | Resume | Adjudicate | Terminate
"""What is asked about one match."""


class Administration:
    """Answers organisers on `floor`, and refuses others what is for organisers."""

    def __init__(self, floor: Floor) -> None:
        self._floor = floor

    def direct(self, session: Session, request: Direction, now: float) -> None:
        """An organiser directs a match."""
        _check_directs(session)
        floor = self._floor
        table = floor.lobby.find_for(session, request.match)
        floor.settle(table, now)
        events = _directed(table.match, request, now)
        floor.out.ok(session, request.id)
        if events:
            floor.feed.changed(table)
        floor.publish(table, events, now)

    def kick(self, session: Session, kick: Kick, now: float) -> None:
        """An organiser sends somebody away, who loses the games that have begun."""
        _check_directs(session)
        floor = self._floor
        guest = floor.sessions.named(kick.name)
        if guest is None or guest is session:
            raise ProtocolError(ErrorCode.NO_SUCH_PLAYER, f"nobody called {kick.name!r} is here to be sent away")
        floor.out.ok(session, kick.id)
        for table in [floor.lobby.find(match_id) for match_id in guest.organises | guest.playing]:
            floor.settle(table, now)
            if table.is_open() and not (table.is_playing() and table.seat_of(guest) is None):
                floor.publish(table, _vacated(table.match, table.seat_of(guest), now), now)
        floor.out.send_away(guest)
        floor.sessions.expel(guest)
        floor.feed.came_or_went(guest)
        for table in floor.lobby.around(guest):
            table.changed()
        floor.forget_expired()


def _check_directs(session: Session) -> None:
    """Raises ProtocolError(not_allowed) for whoever is no organiser."""
    if not session.directs:
        raise ProtocolError(ErrorCode.NOT_ALLOWED, "that is for organisers")


def _directed(match: Match, request: Direction, now: float) -> Events:
    """Does what an organiser asks of `match`; raises ProtocolError."""
    match request:
        case Pause():
            return match.pause(now)
        case Resume():
            return match.resume(now)
        case Adjudicate():
            return match.adjudicate(None if request.winner is None else Seat(request.winner), now)
        case Terminate():
            return match.terminate(now)
        case _:
            assert_never(request)


def _vacated(match: Match, seat: Seat | None, now: float) -> Events:
    """What becomes of an open match whose `seat` is taken from its player: the opponent wins a game that has begun."""
    if match.status is Status.WAITING or seat is None:
        return match.terminate(now)
    return match.adjudicate(seat.other, now)
