"""A table: a match, the sessions that play it and those that watch. Pure.

A table and its sessions know each other; both sides of each tie are changed here, and nowhere else.
"""

from __future__ import annotations

import math
from collections.abc import Callable

from games import Seat
from protocol.errors import ErrorCode, ProtocolError
from protocol.messages import MatchSummary
from server.effects import PlaceKept
from server.match import Match
from server.sessions import Session
from server.stored import StoredMatch
from server.terms import Status, number

_WAITING, _PLAYING, _, _FINISHED = Status  # globals are found faster than members


class Table:
    """A match and the sessions around it."""

    __slots__ = (
        "_audience",
        "_onlookers",
        "admitted",
        "code",
        "declined",
        "finished_at",
        "invited",
        "link",
        "match",
        "organiser",
        "public",
        "reports",
        "scheduled",
        "seed",
        "sessions",
        "thoughts",
        "viewers",
    )

    def __init__(self, match: Match, *, public: bool, code: str | None = None, link: str | None = None) -> None:
        self.match = match
        self.organiser: Session | None = None
        self.reports = False  # whether the organiser is to hear of the end, since he follows nothing
        self.admitted: frozenset[Session] = frozenset()  # spectators of the match before, who need no code for this one
        self.public = public
        self.code = code
        self.link = link
        self.declined: Seat | None = None  # whose player has called the match off
        self.seed: str | None = None
        self.sessions: dict[Seat, Session] = {}
        self.invited: dict[Seat, Session] = {}
        self.viewers: set[Session] = set()
        self.thoughts: dict[Seat, tuple[int, int]] = {}  # for each seat, a ply and how much was said of it
        self.scheduled = math.inf
        self.finished_at: float | None = None
        self._audience: tuple[int, ...] | None = None
        self._onlookers: tuple[int, ...] | None = None

    def is_open(self) -> bool:
        """Whether the match waits or is played."""
        return self.match.status is not _FINISHED

    def is_waiting(self) -> bool:
        """Whether a seat is free."""
        return self.match.status is _WAITING

    def is_playing(self) -> bool:
        """Whether the game is on."""
        return self.match.status is _PLAYING

    def deadline(self) -> float:
        """When something is due: for the match itself, or because its maker is gone and nobody plays it."""
        deadline = self.match.deadline()
        maker = self.organiser
        if self.is_waiting() and maker is not None and maker.connection is None:
            return min(deadline, maker.changed_at + self.match.timeouts.forsaken)
        return deadline

    def think(self, ply: int, seat: Seat) -> int:
        """Counts what the player on `seat` says of its thoughts at `ply`; how much that was."""
        before, count = self.thoughts.get(seat, (ply, 0))
        count = count + 1 if before == ply else 1
        self.thoughts[seat] = ply, count
        return count

    def audience(self) -> tuple[int, ...]:
        """The connections of all who see the match, each once."""
        if self._audience is None:
            around = dict.fromkeys((*self.sessions.values(), *self.viewers))
            self._audience = tuple(s.connection for s in around if s.connection is not None)
        return self._audience

    def onlookers(self) -> tuple[int, ...]:
        """The connections of those who see the match and want to be told how its board looks."""
        if self._onlookers is None:
            around = dict.fromkeys((*self.sessions.values(), *self.viewers))
            self._onlookers = tuple(s.connection for s in around if s.boards and s.connection is not None)
        return self._onlookers

    def spectators(self) -> tuple[int, ...]:
        """The connections of those who only watch."""
        players = set(self.sessions.values())
        return tuple(s.connection for s in self.viewers if s.connection is not None and s not in players)

    def seat(self, session: Session, seat: Seat) -> None:
        """Gives a seat to `session`, which is no spectator any more."""
        match_id = self.match.id
        self.sessions[seat] = session
        session.seats[match_id] = seat
        session.playing.add(match_id)
        self.invited.pop(seat, None)
        session.invitations.pop(match_id, None)
        self.viewers.discard(session)
        session.watching.discard(match_id)
        self.changed()

    def invite(self, guest: Session, seat: Seat) -> None:
        """Keeps a seat for `guest`."""
        self.invited[seat] = guest
        guest.invitations[self.match.id] = seat

    def watch(self, session: Session) -> None:
        """Lets `session` follow the match."""
        self.viewers.add(session)
        session.watching.add(self.match.id)
        self.changed()

    def organise(self, session: Session) -> None:
        """Notes who opened the match."""
        self.organiser = session
        session.organises.add(self.match.id)

    def places(self) -> list[PlaceKept]:
        """What is to be kept of those whom a waiting match expects."""
        match_id = self.match.id
        opened = [] if self.organiser is None else [PlaceKept(match_id, 0, self.organiser.id)]
        return opened + [PlaceKept(match_id, number(seat), guest.id) for seat, guest in self.invited.items()]

    def restore(self, kept: StoredMatch, find: Callable[[str], Session | None]) -> None:
        """Brings those back who were around the table; of spectators nothing is kept, but for who opened the match."""
        for seat, session_id in kept.seats.items():
            if (holder := find(session_id)) is not None:
                self.seat(holder, Seat(seat))
        for place, session_id in kept.places.items():
            guest = find(session_id)
            if guest is None:
                continue
            if place:
                if Seat(place) not in self.sessions:
                    self.invite(guest, Seat(place))
                continue
            self.organise(guest)
            if self.seat_of(guest) is None:  # what he wished to hear is not kept
                self.watch(guest)
                self.reports = True

    def check_abort(self, session: Session) -> None:
        """Raises ProtocolError(not_allowed) if the match is not, or no longer, for `session` to call off."""
        seat = self.seat_of(session)
        if seat is None and (session is not self.organiser or self.is_playing()):
            raise ProtocolError(ErrorCode.NOT_ALLOWED, "you don't play in this match")
        is_arranged = self.organiser is not None and self.seat_of(self.organiser) is None
        if seat is not None and is_arranged and self.is_open() and not self.is_waiting():
            raise ProtocolError(ErrorCode.NOT_ALLOWED, "somebody else has arranged this match: resign instead")

    def reports_to(self, session: Session) -> bool:
        """Whether `session` opened the match without following it, and is to hear of its end."""
        return self.reports and session is self.organiser

    def is_known_to(self, session: Session) -> bool:
        """Whether `session` knows of the match, were it private: plays, watches, was asked to, or has opened it."""
        return (
            self.match.id in session.seats
            or session in self.invited.values()
            or session is self.organiser
            or session in self.viewers
            or session in self.admitted
            or session.directs
        )

    def is_seen_by(self, session: Session) -> bool:
        """Whether `session` plays or watches."""
        return self.match.id in session.seats or session in self.viewers

    def leave(self, session: Session) -> None:
        """Lets `session` go: it sees nothing of the match any more."""
        seat = session.seats.pop(self.match.id, None)
        if seat is not None:
            del self.sessions[seat]
        session.watching.discard(self.match.id)
        self.viewers.discard(session)
        self.changed()

    def close(self, now: float) -> None:
        """The match is over: it holds nobody any more."""
        self.finished_at = now
        for guest in self.invited.values():
            guest.invitations.pop(self.match.id, None)
        for session in self.sessions.values():
            session.playing.discard(self.match.id)
        if self.organiser is not None:
            self.organiser.organises.discard(self.match.id)

    def changed(self) -> None:
        """To be called when someone comes, goes or changes their connection."""
        self._audience = self._onlookers = None

    def seat_of(self, session: Session) -> Seat | None:
        """The seat that `session` holds."""
        return session.seats.get(self.match.id)

    def free_seat(self, session: Session) -> Seat | None:
        """The seat that `session` may take: the one it was invited to, else one that nobody was invited to."""
        for seat, guest in self.invited.items():
            if guest is session and seat not in self.sessions:
                return seat
        free = (seat for seat in Seat if seat not in self.sessions and seat not in self.invited)
        return next(free, None)

    def summary(self) -> MatchSummary:
        """The line of this match in a list."""
        match = self.match
        players = (match.players.get(Seat.FIRST), match.players.get(Seat.SECOND))
        return MatchSummary(
            match.id, match.game.spec, match.status.value, players, match.rule, match.ply, len(self.viewers)
        )
