"""What organisers ask for: they direct matches in which they don't play, and send people away. Pure."""

from __future__ import annotations

from typing import assert_never

from games import Seat
from protocol.errors import ErrorCode, ProtocolError
from protocol.messages import Adjudicate, Kick, Pause, Resume, Switch, Terminate
from server.match.match import Events, Match
from server.match.terms import Status
from server.referee.hub import Hub
from server.referee.sessions import Session

Direction = Pause | Resume | Adjudicate | Terminate
"""What is asked about one match."""


class Administration:
    """Answers organisers on `hub`, and refuses others what is for organisers."""

    def __init__(self, hub: Hub) -> None:
        self._hub = hub

    def direct(self, session: Session, request: Direction, now: float) -> None:
        """An organiser directs a match."""
        _check_directs(session)
        hub = self._hub
        table = hub.lobby.find_for(session, request.match)
        hub.settle(table, now)
        events = _directed(table.match, request, now)
        hub.out.ok(session, request.id)
        if events:
            hub.changed(table)
        hub.publish(table, events, now)

    def switch(self, session: Session, switch: Switch, _now: float) -> None:
        """An organiser allows things, or forbids them; everybody is told what has changed."""
        _check_directs(session)
        hub = self._hub
        hub.out.ok(session, switch.id)
        if hub.switches.turn(switch):
            here = tuple(one.connection for one in hub.sessions if one.connection is not None)
            hub.out.send_all(here, hub.switches.allowed)

    def kick(self, session: Session, kick: Kick, now: float) -> None:
        """An organiser sends somebody away, who loses the games that have begun."""
        _check_directs(session)
        hub = self._hub
        guest = hub.sessions.named(kick.name)
        if guest is None or guest is session:
            raise ProtocolError(ErrorCode.NO_SUCH_PLAYER, f"nobody called {kick.name!r} is here to be sent away")
        hub.out.ok(session, kick.id)
        for table in [hub.lobby.find(match_id) for match_id in guest.created | guest.playing]:
            hub.settle(table, now)
            if table.is_open() and not (table.is_playing() and table.seat_of(guest) is None):
                hub.publish(table, _vacated(table.match, table.seat_of(guest), now), now)
        hub.out.send_away(guest)
        hub.sessions.expel(guest)
        hub.feed.came_or_went(guest)
        for table in hub.lobby.around(guest):
            table.changed()
        hub.forget_expired()


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
    """Ends an open match whose `seat` is taken from its player: the opponent wins a game that has begun."""
    if match.status is Status.WAITING or seat is None:
        return match.terminate(now)
    return match.adjudicate(seat.other, now)
