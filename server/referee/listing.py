"""The lists of matches, and who hears when they change. Pure.

A page costs what it shows: open matches are kept in order for each game and each set of rules. Who follows the lobby
gets one message for all that has changed in a quarter of a second; a message for many is put together once.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections import deque
from collections.abc import Iterator
from itertools import islice
from typing import TypeVar

from msgspec import UNSET

from games import GAMES, RulesError
from games import parse as parse_game
from protocol.bounds import MAX_PAGE
from protocol.errors import ErrorCode, ProtocolError
from protocol.messages import LeagueSummary, LobbyChanged, MatchSummary, Player
from server.referee.outgoing import Outgoing
from server.referee.sessions import Session
from server.referee.table import Table

BUNDLE_SECONDS = 0.25
"""From one message about the lobby to the next, for whoever follows it."""

READERS_AT_ONCE = 128
"""Followers that are told of changes in one turn of the loop, so that moves don't wait for all of them."""

MOST_UNTOLD = 5_000
"""Changes that may wait to be told: more than ten seconds of them are of no use to anybody."""

GLANCE = 30
"""Matches that are told to somebody who only looks in."""

LOOKED_THROUGH = 200
"""Newest matches that `glance` looks through at most."""

_SPARE = 64
"""Numbers of closed matches that may still be held, beside one for every eight open ones; a page skips them."""

T = TypeVar("T")

Topic = tuple[str | None, bool]
"""A list: a game's id, its rules or None for all; and whether it has the private matches too."""


class OpenMatches:
    """Open matches by number, the newest last."""

    __slots__ = ("_numbers", "_tables")

    def __init__(self) -> None:
        self._numbers: list[int] = []
        self._tables: dict[int, Table] = {}

    def put(self, number: int, table: Table) -> None:
        """Takes a match; numbers only grow."""
        self._numbers.append(number)
        self._tables[number] = table

    def take(self, number: int) -> None:
        """Lets go of a match."""
        del self._tables[number]
        if len(self._numbers) > len(self._tables) + len(self._tables) // 8 + _SPARE:
            self._numbers = list(self._tables)

    def __bool__(self) -> bool:
        return bool(self._tables)

    def before(self, number: float) -> Iterator[tuple[int, Table]]:
        """The matches with smaller numbers, the newest first."""
        numbers, tables = self._numbers, self._tables
        for at in range(bisect_left(numbers, number) - 1, -1, -1):
            table = tables.get(numbers[at])
            if table is not None:
                yield numbers[at], table


class Listing:
    """The open matches of a server, to be looked through page by page."""

    def __init__(self) -> None:
        self._by_topic: dict[Topic, OpenMatches] = {}
        self._places: dict[str, tuple[int, tuple[Topic, ...]]] = {}  # its number, and the lists in which it stands
        self._last = 0

    def add(self, table: Table) -> None:
        """A match was opened."""
        self._last += 1
        stands_in = topics(table)
        self._places[table.match.id] = self._last, stands_in
        for topic in stands_in:
            self._by_topic.setdefault(topic, OpenMatches()).put(self._last, table)

    def remove(self, table: Table) -> None:
        """A match is over; nothing happens if that was known."""
        place = self._places.pop(table.match.id, None)
        if place is None:
            return
        number, stood_in = place
        for topic in stood_in:
            open_matches = self._by_topic[topic]
            open_matches.take(number)
            if not open_matches:
                del self._by_topic[topic]

    def page(self, topic: Topic, after: int | None, limit: int) -> tuple[tuple[MatchSummary, ...], int | None]:
        """At most `limit` matches, the newest first, and the `after` of the next page if there is one."""
        open_matches = self._by_topic.get(topic)
        if open_matches is None:
            return (), None
        found = list(islice(open_matches.before(math.inf if after is None else after), limit + 1))
        more = found[limit - 1][0] if len(found) > limit else None
        return tuple(table.summary() for _, table in found[:limit]), more

    def glance(self) -> tuple[MatchSummary, ...]:
        """A few public matches, for a client without a session: those that wait for a player first, then the newest."""
        open_matches = self._by_topic.get((None, False))
        if open_matches is None:
            return ()
        newest = [table for _, table in islice(open_matches.before(math.inf), LOOKED_THROUGH)]
        newest.sort(key=Table.is_waiting, reverse=True)
        return tuple(table.summary() for table in newest[:GLANCE])


class Feed:
    """Who follows the lobby, and what they have not been told yet.

    The changes that wait are bounded: if there are too many, followers are told to ask for the list again. One call of
    `tell` reaches READERS_AT_ONCE readers at most; if more wait, `deadline` is already past.
    """

    def __init__(self) -> None:
        self._followers: dict[Session, Topic] = {}
        self._readers: dict[Topic, dict[Session, None]] = {}
        self._tables: dict[str, Table] = {}
        self._unknown: set[str] = set()  # of these, the matches that no follower has heard of
        self._players: dict[str, Session] = {}
        self._leagues: tuple[LeagueSummary, ...] | None = None
        self._saying: deque[tuple[LobbyChanged, list[Session]]] = deque()
        self._next = -math.inf

    def follow(self, session: Session, topic: Topic) -> None:
        """Tells `session` of changes in this list from now on, and of no other."""
        self.leave(session)
        self._followers[session] = topic
        self._readers.setdefault(topic, {})[session] = None
        self._unknown.clear()  # the new follower has a page

    def leave(self, session: Session) -> None:
        """Tells `session` nothing any more."""
        topic = self._followers.pop(session, None)
        if topic is not None:
            readers = self._readers[topic]
            del readers[session]
            if not readers:
                del self._readers[topic]

    def opened(self, table: Table) -> None:
        """A match is new."""
        self.changed(table)
        if table.match.id in self._tables:
            self._unknown.add(table.match.id)

    def changed(self, table: Table) -> None:
        """A match is over, or has other players or another status."""
        match_id = table.match.id
        if match_id in self._unknown and not table.is_listed():
            self._unknown.discard(match_id)
            del self._tables[match_id]
        elif self._followers and not self._readers.keys().isdisjoint(topics(table)):
            self._tables[match_id] = table
            self._bound()

    def came_or_went(self, session: Session) -> None:
        """A session has connected, or is away."""
        if self._followers and session.is_shown():
            self._players[session.name] = session
            self._bound()

    def leagues_changed(self, leagues: tuple[LeagueSummary, ...]) -> None:
        """Notes which leagues are shown now."""
        if self._followers:
            self._leagues = leagues

    def deadline(self) -> float:
        """When `tell` has something to say."""
        if self._saying:
            return -math.inf
        return self._next if self._tables or self._players or self._leagues is not None else math.inf

    def tell(self, now: float, out: Outgoing) -> None:
        """Tells followers what has changed, if it is time; what exceeds a bound follows in the next message."""
        if now < self.deadline():
            return
        if not self._saying:
            self._next = now + BUNDLE_SECONDS
            self._put_together()
        room = READERS_AT_ONCE
        while self._saying and room > 0:
            change, readers = self._saying.popleft()
            if len(readers) > room:
                self._saying.appendleft((change, readers[room:]))
            told = [session for session in readers[:room] if change.again or session in self._followers]
            out.send_all(tuple(s.connection for s in told if s.connection is not None), change)
            room -= len(readers)

    def _put_together(self) -> None:
        players = tuple(session.player for session in _first(self._players))
        told: dict[Topic, list[Table]] = {}
        for table in _first(self._tables):
            self._unknown.discard(table.match.id)
            for topic in topics(table):
                if topic in self._readers:
                    told.setdefault(topic, []).append(table)
        leagues, self._leagues = self._leagues, None
        self._saying += [
            (_change(tables, players, leagues), list(self._readers[topic])) for topic, tables in told.items()
        ]
        if players or leagues is not None:  # one message for all lists in which nothing else has changed
            others = [session for session, topic in self._followers.items() if topic not in told]
            self._saying.append((_change([], players, leagues), others))

    def _bound(self) -> None:
        if len(self._tables) + len(self._players) > MOST_UNTOLD:
            self._saying = deque([(LobbyChanged(again=True), list(self._followers))])
            for waiting in (self._followers, self._readers, self._tables, self._unknown, self._players):
                waiting.clear()


def topics(table: Table) -> tuple[Topic, ...]:
    """The lists in which a match stands."""
    game = table.match.game
    names = (None, game.id) if game.spec == game.id else (None, game.id, game.spec)
    everything = tuple((name, True) for name in names)
    return (*everything, *((name, False) for name in names)) if table.public and not table.is_secret else everything


def topic_of(game: str | None, *, everything: bool) -> Topic:
    """The list that a request asks for; raises ProtocolError(unknown_game)."""
    if game is None or game in GAMES:
        return game, everything
    try:
        return parse_game(game).spec, everything
    except RulesError as error:
        raise ProtocolError(
            ErrorCode.UNKNOWN_GAME, f"no such game: ask for one of {', '.join(GAMES)}, or for one with its options"
        ) from error


def _first(waiting: dict[str, T]) -> list[T]:
    names = list(islice(waiting, MAX_PAGE))
    return [waiting.pop(name) for name in names]


def _change(
    tables: list[Table], players: tuple[Player, ...], leagues: tuple[LeagueSummary, ...] | None
) -> LobbyChanged:
    return LobbyChanged(
        tuple(table.summary() for table in tables if table.is_listed()),
        tuple(table.match.id for table in tables if not table.is_listed()),
        players,
        leagues=UNSET if leagues is None else leagues,
    )
