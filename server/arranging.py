"""How matches come about and are found: opened, listed, joined, watched, left, and played again. Pure."""

from __future__ import annotations

from itertools import islice

from msgspec import UNSET

from games import Seat
from protocol.bounds import MAX_PAGE
from protocol.errors import ErrorCode, ProtocolError
from protocol.messages import Boards, Create, Decline, FollowLobby, HostLeague, Join, Leave, ListMatches, Ok, Watch
from server.boards import boards_of
from server.floor import Floor
from server.listing import topic_of
from server.lobby import parse_rules, rules_of
from server.ratelimit import Bucket
from server.sessions import Session
from server.table import Table
from server.text import label

ASKED_AT_ONCE, ASKED_A_SECOND = 8, 0.2
"""How many invitations reach one person at once after a pause, and from then on; programs take all that come."""

MOST_INVITATIONS = 8
"""Invitations that one person may have to answer."""

MOST_WATCHED = 1_000
"""Matches that one session may follow."""

_SEATS = {"first": Seat.FIRST, "second": Seat.SECOND}


class Arranging:
    """Answers who wants to play or to watch on `floor`."""

    def __init__(self, floor: Floor) -> None:
        self._floor = floor

    def create(self, session: Session, create: Create, now: float) -> None:
        """Somebody opens a match, and perhaps invites others."""
        floor = self._floor
        self._check_room(session)
        guests = self._guests(session, create)
        floor.quotas.check_match(session, waiting=len(guests) + create.play < len(Seat))
        seed = None if create.seed is None else label(create.seed, "a seed")
        table = floor.new_table(rules_of(create), public=create.public, now=now)
        for guest in guests:
            _ask(guest, floor.settings.max_own, now)
        table.seed = seed
        floor.open(table)
        seat = _SEATS.get(create.seat) or floor.rng.choice(tuple(Seat))
        if create.play:
            floor.sit(table, session, seat, now)
            seat = seat.other
        elif create.follow:
            table.watch(session)
        table.reports = not (create.play or create.follow)
        table.organise(session)
        for guest, place in zip(guests, (seat, seat.other), strict=False):
            table.invite(guest, place)
        floor.quotas.opened(session, table)
        floor.out.effects += table.places()
        floor.out.ok_table(session, create.id, table, prompt=not table.reports)
        if not table.reports:
            floor.out.snapshot(table, session, now)
        for place, guest in table.invited.items():
            floor.out.invitation(table, guest, place)
        floor.schedule(table)

    def _guests(self, session: Session, create: Create) -> list[Session]:
        """Whom `create` invites; raises ProtocolError."""
        guests = self._floor.sessions.guests(create.invite)
        if session in guests:
            raise ProtocolError(ErrorCode.BAD_MESSAGE, "you can't invite yourself")
        if len(guests) + create.play > len(Seat):
            raise ProtocolError(ErrorCode.BAD_MESSAGE, "a match has two seats")
        if len(set(guests)) < len(guests):
            raise ProtocolError(ErrorCode.BAD_MESSAGE, "invite two different players")
        return guests

    def _check_room(self, session: Session) -> None:
        """Raises ProtocolError(server_full) if `session` plays in, or opened, as many matches as one user may."""
        if session.holds(self._floor.settings.max_own):
            raise ProtocolError(ErrorCode.SERVER_FULL, "you have too many matches open", retry_after_ms=10_000)

    def join(self, session: Session, join: Join, now: float) -> None:
        """Somebody takes a seat; by a code or a link, a match that is full or over is none."""
        floor = self._floor
        table = floor.lobby.find_open(session, join)
        floor.settle(table, now)
        if table.seat_of(session) is None:
            seat = table.free_seat(session)
            if join.match is None and (seat is None or not table.is_open()):
                raise floor.lobby.unknown()
            if not table.is_open():
                raise ProtocolError(ErrorCode.GAME_OVER, "the match is over")
            if seat is None:
                raise ProtocolError(ErrorCode.SEAT_TAKEN, "both seats are taken: you may watch")
            others = tuple(connection for connection in table.audience() if connection != session.connection)
            floor.out.publish(others, floor.sit(table, session, seat, now))
            if table.is_playing() and seat is not table.match.to_move:
                floor.out.your_turn(table, now)
            floor.schedule(table)
        prompt = not table.is_waiting()  # else there is nothing to do yet
        floor.out.ok_table(session, join.id, table, prompt=prompt)
        floor.out.snapshot(table, session, now, prompt=prompt)

    def decline(self, session: Session, decline: Decline, now: float) -> None:
        """Somebody would not play."""
        floor = self._floor
        table = floor.lobby.find_for(session, decline.match)
        if session not in table.invited.values():
            raise ProtocolError(ErrorCode.NOT_ALLOWED, "you are not invited to this match")
        floor.settle(table, now)
        floor.out.ok(session, decline.id)
        if table.is_open():
            table.declined = table.free_seat(session)
            floor.publish(table, table.match.abort(now, decline.why), now)

    def watch(self, session: Session, watch: Watch, now: float) -> None:
        """Somebody follows a match."""
        floor = self._floor
        table = floor.lobby.find_open(session, watch)
        floor.settle(table, now)
        if watch.match is None and not table.is_open() and not table.is_seen_by(session):
            raise floor.lobby.unknown()
        if table.seat_of(session) is None and session not in table.viewers:
            self._check_watching(session)
            table.watch(session)
        floor.out.ok_table(session, watch.id, table)
        floor.out.snapshot(table, session, now)

    def _check_watching(self, session: Session) -> None:
        """Lets those go that are over, if `session` follows many matches; raises ProtocolError(server_full)."""
        if len(session.watching) < MOST_WATCHED:
            return
        for table in [self._floor.lobby.find(match_id) for match_id in session.watching]:
            if not table.is_open():
                table.leave(session)
        if len(session.watching) >= MOST_WATCHED:
            raise ProtocolError(ErrorCode.SERVER_FULL, "you follow as many matches as one may: leave one first")

    def leave(self, session: Session, leave: Leave, _now: float) -> None:
        """Somebody follows a match no longer."""
        table = self._floor.lobby.find_for(session, leave.match)
        if table.seat_of(session) is not None and table.is_open():
            raise ProtocolError(ErrorCode.NOT_ALLOWED, "you play in this match: resign, or abort it")
        table.leave(session)
        self._floor.out.ok(session, leave.id, prompt=False)

    def list(self, session: Session, request: ListMatches, _now: float) -> None:
        """A page of the matches; the first has those who are here, too."""
        topic = topic_of(request.game, everything=session.directs)
        self._floor.out.send(session, self._page(request.id, topic, request.after, request.limit))

    def follow(self, session: Session, request: FollowLobby, _now: float) -> None:
        """The first page, and then what changes."""
        if not request.follow:
            self._floor.feed.leave(session)
            self._floor.out.ok(session, request.id)
            return
        topic = topic_of(request.game, everything=session.directs)
        self._floor.feed.follow(session, topic)
        self._floor.out.send(session, self._page(request.id, topic, None, MAX_PAGE))

    def boards(self, session: Session, request: Boards, _now: float) -> None:
        """How the boards of a game look."""
        boards = boards_of(parse_rules(request.game), request.moves, request.since)
        self._floor.out.send(session, Ok(request.id, boards=boards))

    def _page(self, request: int, topic: tuple[str | None, bool], after: int | None, limit: int) -> Ok:
        matches, more = self._floor.listing.page(topic, after, limit)
        here = self._floor.sessions.newest() if after is None else ()
        players = tuple(session.player for session in islice(here, MAX_PAGE))[::-1]
        return Ok(
            request, matches=matches, players=players if after is None else UNSET, more=UNSET if more is None else more
        )

    def host(self, session: Session, request: HostLeague, _now: float) -> None:
        """Somebody opens a league, or takes it over again."""
        if request.code is None:
            self._floor.quotas.check_league(session)
        self._floor.leagues.host(session, request, self._floor.out)

    def following(self, table: Table, now: float) -> Table:
        """The table of a rematch, not yet kept; raises ProtocolError(server_full)."""
        for session in table.sessions.values():
            self._check_room(session)
        self._floor.quotas.check_match(table.sessions[Seat.FIRST], waiting=False)
        following = self._floor.new_table(table.match.rules, public=table.public, now=now)
        following.admitted = frozenset(table.viewers)
        return following

    def rematch(self, table: Table, following: Table, now: float) -> None:
        """Both players go on at the table that `following` has made."""
        floor = self._floor
        floor.open(following)
        for seat, session in tuple(table.sessions.items()):
            floor.sit(following, session, seat.other, now)
        floor.quotas.opened(table.sessions[Seat.FIRST], following)  # each in turn: the seats change with every game
        floor.out.publish(table.audience(), table.match.rematched(following.match.id, now))
        for session in following.sessions.values():
            floor.out.snapshot(following, session, now)
        floor.schedule(following)


def _ask(guest: Session, most: int, now: float) -> None:
    """Counts an invitation; raises ProtocolError(busy) if `guest` has enough of them."""
    if guest.kind == "bot":
        if len(guest.invitations) < most:
            return
    else:
        guest.asked = guest.asked or Bucket(ASKED_A_SECOND, ASKED_AT_ONCE)
        if len(guest.invitations) < MOST_INVITATIONS and guest.asked.take(now):
            return
    message = f"{guest.name!r} has enough invitations to answer: try again later"
    raise ProtocolError(ErrorCode.BUSY, message, retry_after_ms=round(1000 / ASKED_A_SECOND))
