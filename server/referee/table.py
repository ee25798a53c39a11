"""A table: a match, the sessions that play it and those that watch. Pure.

A table and its sessions know each other; both sides of each tie are changed here, and nowhere else.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Final

from games import Seat
from protocol.errors import ErrorCode, ProtocolError
from protocol.messages import MatchSummary
from server.match.fold import MatchState
from server.match.late import Late
from server.match.match import Match
from server.match.terms import Status, seat_number
from server.referee.effects import PlaceKept
from server.referee.sessions import Session
from server.referee.stored import StoredMatch

_WAITING: Final = Status.WAITING
_PLAYING: Final = Status.PLAYING
_FINISHED: Final = Status.FINISHED
"""An enum's members are looked up slowly, and these with every move."""


class Table:
    """A match and the sessions around it."""

    __slots__ = (
        "_audience",
        "_onlookers",
        "admitted",
        "code",
        "creator",
        "declined",
        "finished_at",
        "invited",
        "is_secret",
        "late",
        "link",
        "match",
        "opened_ms",
        "public",
        "rematches",
        "reports",
        "scheduled",
        "seat_links",
        "seed",
        "sessions",
        "thoughts",
        "viewers",
    )

    def __init__(
        self, match: Match, *, public: bool, code: str | None = None, link: str | None = None, opened_ms: int
    ) -> None:
        self.match = match
        self.opened_ms = opened_ms  # the date, only to be shown
        self.creator: Session | None = None  # who opened it
        self.reports = False  # whether the creator gets a `Report` of the end, having asked to follow nothing
        self.admitted: frozenset[Session] = frozenset()  # spectators of the match before, who need no code for this one
        self.public = public  # whether anybody may watch it, and take a free seat
        self.is_secret = False  # a rematch of which the lobby may not hear yet: it would tell the end before
        self.rematches: list[Table] = []  # that are secret until spectators know the end of this match
        self.code = code  # what others have to know if it is not public: a few letters to be read out,
        self.link = link  # or a secret to be sent
        self.declined: Seat | None = None  # whose player has called the match off
        self.seed: str | None = None  # the chance of bots in it, if the creator gives it
        self.seat_links: dict[Seat, str] = {}  # that open a taken seat to somebody else
        self.late: Late | None = None  # what spectators see, if that is not the match itself
        self.sessions: dict[Seat, Session] = {}
        self.invited: dict[Seat, Session] = {}  # who is asked to take which free seat
        self.viewers: set[Session] = set()  # spectators
        self.thoughts: dict[Seat, tuple[int, int]] = {}  # for each seat, a ply and how much was said of it
        self.scheduled = math.inf  # the deadline that stands in the heap of the hub
        self.finished_at: float | None = None  # when the match was over
        self._audience: tuple[int, ...] | None = None
        self._onlookers: tuple[int, ...] | None = None

    def is_open(self) -> bool:
        """Whether the match waits or is played."""
        return self.match.status is not _FINISHED

    def is_waiting(self) -> bool:
        """Whether a seat is free."""
        return self.match.status is _WAITING

    def has_begun(self) -> bool:
        """Whether both seats were taken once."""
        return len(self.match.players) == len(Seat)

    def is_listed(self) -> bool:
        """Whether it stands in the lists: while it is open, and until spectators were told of the end of a game."""
        if self.is_open():
            return True
        held = self.late is not None and self.late.holds and self.late.match.status is not _FINISHED
        return held and self.has_begun()

    def is_over_to(self, session: Session) -> bool:
        """Whether `session` may know that the match is over, if it is."""
        if self.is_open():
            return False
        return self.seen_by(session).status is _FINISHED or not self.has_begun()

    def is_delayed_for(self, session: Session) -> bool:
        """Whether `session` sees the match late: not who plays, has arranged it, directs matches, or is a service."""
        if self.late is None or not self.late.holds:
            return False
        is_near = self.match.id in session.seats or session is self.creator
        return not (is_near or session.directs or session.service is not None)

    def told_end(self, session: Session) -> float:
        """When the end of a match that is over was told to `session`, or will be."""
        assert self.finished_at is not None
        delay_ms = self.late.delay_ms if self.late is not None and self.is_delayed_for(session) else 0
        return self.finished_at + delay_ms / 1000

    def seen_by(self, session: Session) -> MatchState:
        """The match as `session` may see it now."""
        return self.late.match if self.late is not None and self.is_delayed_for(session) else self.match

    def delayed_connections(self, *, boards: bool = False) -> tuple[int, ...]:
        """The connections of those who see the match late; boards: only those that asked for boards."""
        late = (s for s in self.viewers if self.is_delayed_for(s) and (s.boards or not boards))
        return tuple(s.connection for s in late if s.connection is not None)

    def is_playing(self) -> bool:
        """Whether the game is on."""
        return self.match.status is _PLAYING

    def deadline(self) -> float:
        """When something is due: for the match itself, or because its creator is gone and nobody plays it."""
        deadline = self.match.deadline()
        creator = self.creator
        if self.is_waiting() and creator is not None and creator.connection is None:
            return min(deadline, creator.changed_at + self.match.timeouts.left_waiting)
        return deadline

    def think(self, ply: int, seat: Seat) -> int:
        """Counts a thought of the player on `seat` at `ply`; returns how many there were."""
        before, count = self.thoughts.get(seat, (ply, 0))
        count = count + 1 if before == ply else 1
        self.thoughts[seat] = ply, count
        return count

    def audience(self) -> tuple[int, ...]:
        """The connections of all who see the match as it is, each once."""
        if self._audience is None:
            self._audience = tuple(s.connection for s in self._around() if s.connection is not None)
        return self._audience

    def onlookers(self) -> tuple[int, ...]:
        """The connections of those who see the match as it is and want to be told how its board looks."""
        if self._onlookers is None:
            around = (s for s in self._around() if s.boards)
            self._onlookers = tuple(s.connection for s in around if s.connection is not None)
        return self._onlookers

    def _around(self) -> list[Session]:
        around = dict.fromkeys((*self.sessions.values(), *self.viewers))
        return [session for session in around if not self.is_delayed_for(session)]

    def everybody(self) -> tuple[int, ...]:
        """The connections of all who see the match, late or not."""
        return self.audience() + self.delayed_connections()

    def has_person(self) -> bool:
        """Whether a person has a seat."""
        return any(player.kind == "human" for player in self.match.players.values())

    def is_arranged(self) -> bool:
        """Whether somebody who does not play has opened the match."""
        return self.creator is not None and self.seat_of(self.creator) is None

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

    def hand_over(self, seat: Seat, session: Session) -> Session:
        """Gives `session` a taken seat, and the role of `creator` if its player has it; returns who now watches."""
        match_id = self.match.id
        before = self.sessions[seat]
        del before.seats[match_id]
        before.playing.discard(match_id)
        self.seat(session, seat)
        self.watch(before)
        if self.creator is before:
            before.created.discard(match_id)
            self.set_creator(session)
        return before

    def check_hand_over(self, session: Session) -> None:
        """Raises ProtocolError(not_allowed) unless `session` may give away, or take, a seat of this match."""
        if session.kind != "human" or self.is_arranged() or self.match.network is not None:
            raise ProtocolError(ErrorCode.NOT_ALLOWED, "seats of this match stay with who has them")

    def invite(self, guest: Session, seat: Seat) -> None:
        """Keeps a seat for `guest`."""
        self.invited[seat] = guest
        guest.invitations[self.match.id] = seat

    def watch(self, session: Session) -> None:
        """Lets `session` follow the match."""
        self.viewers.add(session)
        session.watching.add(self.match.id)
        self.changed()

    def set_creator(self, session: Session) -> None:
        """Notes whose match it is: who opened it, or goes on for them."""
        self.creator = session
        session.created.add(self.match.id)
        self.changed()

    def places(self) -> list[PlaceKept]:
        """The records of the sessions that a waiting match expects."""
        match_id = self.match.id
        opened = [] if self.creator is None else [PlaceKept(match_id, 0, self.creator.id)]
        return opened + [PlaceKept(match_id, seat_number(seat), guest.id) for seat, guest in self.invited.items()]

    def restore(self, kept: StoredMatch, find: Callable[[str], Session | None]) -> None:
        """Brings back the sessions around the table; of those that only watched, the one that opened the match."""
        for seat, session_id in kept.seats.items():
            if (holder := find(session_id)) is not None:
                self.seat(holder, Seat(seat))
                if (player := self.match.players.get(Seat(seat))) is not None and player.house:
                    holder.service = "bots"  # a service needs no token to resume, its secret will do
        for place, session_id in kept.places.items():
            guest = find(session_id)
            if guest is None:
                continue
            if place:
                if Seat(place) not in self.sessions:
                    self.invite(guest, Seat(place))
                continue
            self.set_creator(guest)
            if self.seat_of(guest) is None:  # what they asked to be told is not kept
                self.watch(guest)
                self.reports = True

    def check_abort(self, session: Session) -> None:
        """Raises ProtocolError(not_allowed) unless `session` may call the match off now."""
        seat = self.seat_of(session)
        if seat is None and (session is not self.creator or self.is_playing()):
            raise ProtocolError(ErrorCode.NOT_ALLOWED, "you don't play in this match")
        if seat is not None and self.is_arranged() and self.is_open() and not self.is_waiting():
            raise ProtocolError(ErrorCode.NOT_ALLOWED, "somebody else has arranged this match: resign instead")

    def check_gift(self) -> None:
        """Raises ProtocolError(not_allowed) unless the players may change the clocks of this match."""
        if self.is_arranged():
            raise ProtocolError(ErrorCode.NOT_ALLOWED, "somebody else has arranged this match: clocks stay as they are")
        if not self.has_person():
            raise ProtocolError(ErrorCode.NOT_ALLOWED, "programs give each other no time")

    def reports_to(self, session: Session) -> bool:
        """Whether `session` opened the match without following it, and is to hear of its end."""
        return self.reports and session is self.creator

    def is_known_to(self, session: Session) -> bool:
        """Whether `session` may know of the match if it is private.

        It plays, watches, is invited, opened the match, watched the one before (`admitted`), or directs matches.
        """
        return (
            self.match.id in session.seats
            or session in self.invited.values()
            or session is self.creator
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
        if self.creator is not None:
            self.creator.created.discard(self.match.id)

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

    def told_status(self) -> Status:
        """The status of the match, as far as spectators are told."""
        if self.late is None or not self.late.holds or not self.has_begun():
            return self.match.status
        told = self.late.match.status
        return _PLAYING if told is _WAITING else told

    def summary(self) -> MatchSummary:
        """The line of this match in a list, which tells nothing of a game that spectators are not told yet."""
        match, status = self.match, self.told_status()
        ply, players = match.ply, match.players
        if self.late is not None and self.late.holds and self.has_begun():
            told = self.late.match
            ply, players = told.ply, match.players | told.players
        seats = (players.get(Seat.FIRST), players.get(Seat.SECOND))
        return MatchSummary(
            match.id, match.game.spec, status.value, seats, match.time_control, ply, len(self.viewers), self.opened_ms
        )
