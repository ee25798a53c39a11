"""How matches come about and are found: opened, listed, joined, watched, left, and played again. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import islice

from msgspec import UNSET

from games import Seat
from protocol.bounds import MAX_PAGE
from protocol.errors import ErrorCode, ProtocolError
from protocol.messages import (
    Boards,
    Create,
    Decline,
    FollowLeague,
    FollowLobby,
    HostLeague,
    Join,
    Leave,
    ListMatches,
    Ok,
    Player,
    SeatLink,
    ShowLeague,
    Watch,
)
from protocol.values import result_of
from server.match.boards import boards_of, path_of
from server.match.terms import MatchRules, seat_number
from server.names.text import label
from server.ratelimit import Bucket
from server.referee.concealed import Line
from server.referee.effects import PlaceKept, SeatTaken
from server.referee.hub import Hub
from server.referee.listing import topic_of
from server.referee.lobby import parse_rules, rules_of
from server.referee.sessions import Session
from server.referee.table import Table

ASKED_AT_ONCE, ASKED_A_SECOND = 8, 0.2
"""The burst and the rate per second of invitations to one person; bots have no such limit."""

MOST_INVITATIONS = 8
"""Invitations that one person may have to answer."""

MOST_WATCHED = 1_000
"""Matches that one session may follow."""

_SEATS = {"first": Seat.FIRST, "second": Seat.SECOND}


class Arranging:
    """Answers who wants to play or to watch on `hub`."""

    def __init__(self, hub: Hub) -> None:
        self._hub = hub

    def create(self, session: Session, create: Create, now: float) -> None:
        """Somebody opens a match, and perhaps invites others."""
        hub = self._hub
        self._check_room(session)
        hub.check_disk(session)
        guests, rules = self._guests(session, create), rules_of(create)
        hub.quotas.check_match(session, waiting=len(guests) + create.play < len(Seat))
        self._check_house(session, guests, rules, now)
        seed = None if create.seed is None else label(create.seed, "a seed")
        table = hub.new_table(rules, public=create.public, now=now)
        for guest in guests:
            _count_invitation(session, guest, hub.settings.max_own, now)
        table.seed = seed
        hub.open(table, now)
        seat = _SEATS.get(create.seat) or hub.rng.choice(tuple(Seat))
        if create.play:
            hub.sit(table, session, seat, now)
            seat = seat.other
        elif create.follow:
            table.watch(session)
        table.reports = not (create.play or create.follow)
        table.set_creator(session)
        for guest, place in zip(guests, (seat, seat.other), strict=False):
            table.invite(guest, place)
        self._charge(session, table, guests)
        hub.out.effects += table.places()
        hub.out.ok_table(session, create.id, table, prompt=not table.reports)
        if not table.reports:
            hub.out.snapshot(table, session, now)
        for place, guest in table.invited.items():
            hub.out.invitation(table, guest, place)
        hub.schedule(table)

    def _charge(self, session: Session, table: Table, players: Iterable[Session]) -> None:
        """Charges a new match to whoever asked for it."""
        quotas = self._hub.quotas
        quotas.opened(session, table)
        self._hub.house.opened(table.match.id, session, quotas.address(session), players)

    def _guests(self, session: Session, create: Create) -> list[Session]:
        """Whom `create` invites; raises ProtocolError."""
        guests = self._hub.sessions.guests(create.invite)
        if session in guests:
            raise ProtocolError(ErrorCode.BAD_MESSAGE, "you can't invite yourself")
        if len(guests) + create.play > len(Seat):
            raise ProtocolError(ErrorCode.BAD_MESSAGE, "a match has two seats")
        if len(set(guests)) < len(guests):
            raise ProtocolError(ErrorCode.BAD_MESSAGE, "invite two different players")
        return guests

    def _check_room(self, session: Session) -> None:
        """Raises ProtocolError(server_full) if `session` plays in, or opened, as many matches as one user may."""
        if session.holds(self._hub.settings.max_own):
            raise ProtocolError(ErrorCode.SERVER_FULL, "you have too many matches open", retry_after_ms=10_000)

    def join(self, session: Session, join: Join, now: float) -> None:
        """Somebody takes a seat; a code or link of a match that is full or over is refused as unknown."""
        hub = self._hub
        if join.link is not None and (behind := hub.lobby.seat_behind(join.link)) is not None:
            self._take_over(session, join, *behind, now)
            return
        table = hub.lobby.find_open(session, join)
        hub.settle(table, now)
        if table.seat_of(session) is None:
            seat = table.free_seat(session)
            if join.match is None and (seat is None or not table.is_open()):
                raise hub.lobby.unknown()
            if table.is_over_to(session):
                raise ProtocolError(ErrorCode.GAME_OVER, "the match is over")
            if seat is None or not table.is_open():
                raise ProtocolError(ErrorCode.SEAT_TAKEN, "both seats are taken: you may watch")
            events = hub.sit(table, session, seat, now)  # who sees a match late is known when a person sits
            others = tuple(connection for connection in table.audience() if connection != session.connection)
            hub.out.publish(others, events)
            if table.match.moves:  # of the opening
                onlookers = tuple(connection for connection in table.onlookers() if connection != session.connection)
                hub.out.board(table.match, onlookers)
            if table.is_playing() and seat is not table.match.to_move:
                hub.out.your_turn(table, now)
            hub.schedule(table)
        prompt = not table.is_waiting()  # else there is nothing to do yet
        hub.out.ok_table(session, join.id, table, prompt=prompt)
        hub.out.snapshot(table, session, now, prompt=prompt)

    def seat_link(self, session: Session, request: SeatLink, now: float) -> None:
        """A player wants to go on elsewhere."""
        hub = self._hub
        table, seat = hub.seat(session, request.match, now)
        if not table.is_open():
            raise ProtocolError(ErrorCode.GAME_OVER, "the match is over")
        table.check_hand_over(session)
        hub.out.send(session, Ok(request.id, link=hub.lobby.seat_link(table, seat)))

    def _take_over(self, session: Session, join: Join, table: Table, seat: Seat, now: float) -> None:
        """Somebody takes over an occupied seat, by a link that its player asked for."""
        hub = self._hub
        hub.settle(table, now)
        if not table.is_open():
            raise hub.lobby.unknown()
        if table.seat_of(session) is None:
            table.check_hand_over(session)
            self._check_room(session)
            self._check_watching(table.sessions[seat])  # who gives the seat away follows the match
            is_counted = table.creator in (table.sessions[seat], None)
            if is_counted:
                hub.quotas.check_match(session, waiting=table.is_waiting())
            hub.lobby.drop_seat_link(table, seat)
            before = table.hand_over(seat, session)
            if is_counted:
                hub.quotas.taken_over(session, table)
            hub.concealed.enter(table, now)
            hub.out.record(SeatTaken(table.match.id, seat_number(seat), session.id))
            if table.creator is session:
                hub.out.record(PlaceKept(table.match.id, 0, session.id))
            hub.out.publish(table.audience(), table.match.presence(seat, present=True, now=now))
            hub.out.snapshot(table, before, now)
            hub.schedule(table)
        hub.out.ok_table(session, join.id, table)
        hub.out.snapshot(table, session, now)

    def decline(self, session: Session, decline: Decline, now: float) -> None:
        """Somebody declines an invitation."""
        hub = self._hub
        table = hub.lobby.find_for(session, decline.match)
        if session not in table.invited.values():
            raise ProtocolError(ErrorCode.NOT_ALLOWED, "you are not invited to this match")
        hub.settle(table, now)
        hub.out.ok(session, decline.id)
        if table.is_open():
            table.declined = table.free_seat(session)
            hub.publish(table, table.match.abort(now, decline.why, table.declined), now)

    def watch(self, session: Session, watch: Watch, now: float) -> None:
        """Somebody follows a match."""
        hub = self._hub
        table = hub.lobby.find_open(session, watch)
        hub.settle(table, now)
        if watch.match is None and table.is_over_to(session) and not table.is_seen_by(session):
            raise hub.lobby.unknown()
        if table.seat_of(session) is None and session not in table.viewers:
            self._check_watching(session)
            table.watch(session)
        hub.out.ok_table(session, watch.id, table)
        hub.out.snapshot(table, session, now)

    def _check_watching(self, session: Session) -> None:
        """Drops finished matches if `session` follows too many; raises ProtocolError(server_full)."""
        if len(session.watching) < MOST_WATCHED:
            return
        for table in [self._hub.lobby.find(match_id) for match_id in session.watching]:
            if table.is_over_to(session):
                table.leave(session)
        if len(session.watching) >= MOST_WATCHED:
            raise ProtocolError(ErrorCode.SERVER_FULL, "you follow as many matches as one may: leave one first")

    def leave(self, session: Session, leave: Leave, _now: float) -> None:
        """Somebody follows a match no longer."""
        table = self._hub.lobby.find_for(session, leave.match)
        if table.seat_of(session) is not None and table.is_open():
            raise ProtocolError(ErrorCode.NOT_ALLOWED, "you play in this match: resign, or abort it")
        table.leave(session)
        self._hub.out.ok(session, leave.id, prompt=False)

    def list(self, session: Session, request: ListMatches, _now: float) -> None:
        """A page of the matches; the first has those who are here, too."""
        topic = topic_of(request.game, everything=session.directs)
        self._hub.out.send(session, self._page(request.id, topic, request.after, request.limit))

    def follow(self, session: Session, request: FollowLobby, _now: float) -> None:
        """Sends the first page, and from then on what changes."""
        if not request.follow:
            self._hub.feed.leave(session)
            self._hub.out.ok(session, request.id)
            return
        topic = topic_of(request.game, everything=session.directs)
        self._hub.feed.follow(session, topic)
        self._hub.out.send(session, self._page(request.id, topic, None, MAX_PAGE))

    def boards(self, session: Session, request: Boards, _now: float) -> None:
        """Sends the boards of a game, and its result if it has ended."""
        boards, last = boards_of(parse_rules(request.game), request.moves, request.since)
        outcome = last.outcome()
        result = UNSET if outcome is None else result_of(outcome)
        self._hub.out.send(session, Ok(request.id, boards=boards, result=result))

    def show(self, session: Session, request: ShowLeague, now: float) -> None:
        """Somebody shows how their league stands."""
        hub = self._hub
        if hub.scoreboards.is_new(request):
            hub.quotas.check_scoreboard(session)
        if hub.scoreboards.tell(session, request, hub.out, now):
            hub.feed.leagues_changed(hub.scoreboards.summaries())
        hub.quotas.arranges(session)

    def follow_league(self, session: Session, request: FollowLeague, _now: float) -> None:
        """Sends a league's table and games, and from then on what changes."""
        self._hub.scoreboards.follow(session, request, self._hub.out)

    def _page(self, request: int, topic: tuple[str | None, bool], after: int | None, limit: int) -> Ok:
        matches, more = self._hub.listing.page(topic, after, limit)
        players = self._players() if after is None else UNSET
        leagues = self._hub.scoreboards.summaries() if after is None else ()
        return Ok(
            request, matches=matches, players=players,
            more=UNSET if more is None else more, leagues=leagues or UNSET,
        )  # fmt: skip

    def _players(self) -> tuple[Player, ...]:
        """Who is here: the bots of the house, and of all others those who came last."""
        sessions = self._hub.sessions
        house = sessions.house()
        others = (session for session in sessions.newest() if session.service is None and session.is_listed())
        newest = tuple(islice(others, max(0, MAX_PAGE - len(house))))
        return tuple(session.player for session in (*house, *newest[::-1]))

    def host(self, session: Session, request: HostLeague, _now: float) -> None:
        """Somebody opens a league, or takes it over again."""
        if request.code is None:
            self._hub.quotas.check_league(session)
        self._hub.leagues.host(session, request, self._hub.out)
        self._hub.quotas.arranges(session)

    def table_for_rematch(self, table: Table, now: float) -> Table:
        """The table of a rematch, not yet kept; raises ProtocolError(server_full)."""
        for session in table.sessions.values():
            self._check_room(session)
        self._hub.check_disk(_payer(table))
        self._hub.quotas.check_match(_payer(table), waiting=False)
        self.check_house(table, now)
        rules = table.match.rules
        if rules.clock is not None:  # the players change seats, and keep their clocks
            rules = rules._replace(clock=rules.clock.swapped)
        following = self._hub.new_table(rules, public=table.public, now=now)
        following.admitted = frozenset(table.viewers)
        return following

    def check_house(self, table: Table, now: float) -> None:
        """Raises ProtocolError if a bot of the house at this table can't play a rematch now."""
        self._check_house(_payer(table), list(table.sessions.values()), table.match.rules, now)

    def _check_house(self, session: Session, players: Sequence[Session], rules: MatchRules, now: float) -> None:
        """Raises ProtocolError if bots of the house among `players` don't play with `session`.

        house_busy: they have no room. being_played: they would show how to go on in a match of people.
        """
        hub = self._hub
        hub.house.check(session, hub.quotas.address(session), players)
        if rules.opening and any(player.is_house() for player in players):
            hub.concealed.check_end(session, Line(rules.game, path_of(rules.game, rules.opening)), now)

    def rematch(self, table: Table, following: Table, now: float) -> None:
        """Both players go on at the table that `following` has made."""
        hub = self._hub
        if table.is_listed():  # spectators don't know yet that it is over
            following.is_secret = True
            table.rematches.append(following)
        hub.open(following, now)
        for seat, session in tuple(table.sessions.items()):
            hub.sit(following, session, seat.other, now)
        # both players pay in turn, since a rematch swaps the seats; a bot of the house never pays
        self._charge(_payer(table), following, following.sessions.values())
        hub.out.publish(table.audience(), table.match.rematched(following.match.id, now))
        for session in following.sessions.values():
            hub.out.snapshot(following, session, now)
        hub.schedule(following)


def _payer(table: Table) -> Session:
    """Who pays for a rematch of a table: its first player, or the opponent of a bot of the house."""
    first, second = table.sessions[Seat.FIRST], table.sessions[Seat.SECOND]
    return second if first.is_house() else first


def _count_invitation(host: Session, guest: Session, most: int, now: float) -> None:
    """Counts an invitation; raises ProtocolError(busy) if `guest` has enough of them, or plays in a league.

    The host of a league that it entered may always invite it: that is why it entered.
    """
    if any(guest in entrants for entrants in host.hosts.values()):
        return
    message = f"{guest.name!r} has enough invitations to answer: try again later"
    if guest.kind == "bot":
        if guest.entered and not host.directs:
            message = f"{guest.name!r} plays in a league, and for its host only"
        elif len(guest.invitations) < most:
            return
    else:
        guest.asked = guest.asked or Bucket(ASKED_A_SECOND, ASKED_AT_ONCE)
        if len(guest.invitations) < MOST_INVITATIONS and guest.asked.take(now):
            return
    raise ProtocolError(ErrorCode.BUSY, message, retry_after_ms=round(1000 / ASKED_A_SECOND))
