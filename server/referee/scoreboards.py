"""Leagues as their hosts show them, and who hears when they change. Pure.

A host tells how its league stands; nobody checks that, and the server keeps nothing of it on the disk: a host tells a
restarted server again. The public id of what is shown follows from a secret key, so that nobody takes an address over;
the code that bots enter with is no part of it.

Followers of a league hear of it at most once a second, however often its host speaks. The number of leagues on a server
and of games kept for each is bounded.
"""

from __future__ import annotations

import math
from collections import deque
from itertools import chain, islice, pairwise
from typing import Final

from msgspec import UNSET

from protocol.bounds import MAX_TOLD_GAMES
from protocol.errors import ErrorCode, ProtocolError
from protocol.messages import (
    FollowLeague,
    LeagueChanged,
    LeagueGame,
    LeagueSummary,
    Ok,
    Scoreboard,
    ShowLeague,
)
from protocol.values import league_id
from server.names.text import label
from server.referee.outgoing import Outgoing
from server.referee.sessions import Session

EVERY_SECONDS: Final = 1.0
"""Seconds from one message about a league to its readers to the next."""

MOST_SHOWN: Final = 64
"""Leagues that are shown on a server."""

MOST_OF_ONE: Final = 10
"""Leagues that one session may show."""

MOST_FOLLOWED: Final = 10
"""Leagues that one session may follow."""

GAMES_KEPT: Final = 500
"""Games of a league that can be asked for; those before are in its host's report."""

READERS_AT_ONCE: Final = 64
"""Followers that are told of a change in one turn of the loop, so that moves don't wait for all of them."""


class ShownLeague:
    """A league that is shown: as its host has told it last, and what its readers have not been told yet.

    games: the last ones. news: those that readers have not been told. again: whether more has changed than is in
    `news`, so that readers have to ask for the league again.
    """

    __slots__ = ("again", "board", "games", "host", "id", "news", "readers")

    def __init__(self, league: str, host: Session, board: Scoreboard) -> None:
        self.id = league
        self.host = host
        self.board = board
        self.games: deque[LeagueGame] = deque(maxlen=GAMES_KEPT)
        self.readers: dict[Session, None] = {}
        self.news: list[LeagueGame] = []
        self.again = False

    def take(self, request: ShowLeague) -> None:
        """What its host tells; raises ProtocolError(bad_message) for games out of their order."""
        if request.again:
            self.games.clear()
            self.news.clear()
            self.again = True
        self.games += request.games
        self.news += request.games
        if len(self.news) > MAX_TOLD_GAMES:
            self.news.clear()
            self.again = True
        table = self.board if request.rows is None else request
        self.board = Scoreboard(
            self.host.name, request.title, request.game, request.state, request.played, request.planned,
            table.rows or (), request.playing, table.ties,
        )  # fmt: skip

    def summary(self) -> LeagueSummary:
        """As the lobby shows it."""
        board = self.board
        return LeagueSummary(self.id, board.host, board.title, board.game, board.state, len(board.rows))

    def change(self) -> LeagueChanged:
        """What its readers are told now."""
        change = LeagueChanged(self.id, self.board, tuple(self.news), self.again)
        self.news.clear()
        self.again = False
        return change

    def page(self, before: float) -> tuple[tuple[LeagueGame, ...], int | None]:
        """Games with smaller numbers, the newest first, and the `before` of the next page if there is one."""
        older = (game for game in reversed(self.games) if game.number < before)
        found = list(islice(older, MAX_TOLD_GAMES + 1))
        more = found[MAX_TOLD_GAMES - 1].number if len(found) > MAX_TOLD_GAMES else None
        return tuple(found[:MAX_TOLD_GAMES]), more


class Scoreboards:
    """All leagues that are shown, by their public ids."""

    def __init__(self) -> None:
        self._shown: dict[str, ShownLeague] = {}
        self._told_at: dict[str, float] = {}
        self._due: dict[str, float] = {}  # of those that have changed: when their readers may hear of it
        self._saying: deque[tuple[LeagueChanged, list[Session]]] = deque()
        self._deadline = math.inf

    def summaries(self) -> tuple[LeagueSummary, ...]:
        """All of them, as the lobby shows them, the newest first."""
        return tuple(shown.summary() for shown in reversed(self._shown.values()))

    def __len__(self) -> int:
        return len(self._shown)

    def is_new(self, request: ShowLeague) -> bool:
        """Whether nobody shows that league yet."""
        return league_id(request.key) not in self._shown

    # ------------------------------------------------------------------------------------------------------- the host

    def tell(self, session: Session, request: ShowLeague, out: Outgoing, now: float) -> bool:
        """A host tells how its league stands; returns whether the lobby's line changed. Raises ProtocolError."""
        league = league_id(request.key)
        shown = self._shown.get(league)
        _check(request, 0 if shown is None or request.again or not shown.games else shown.games[-1].number)
        if (shown is None or shown.host is not session) and len(session.shows) >= MOST_OF_ONE:
            raise _full("you show as many leagues as one may")
        if shown is None:
            self._make_room()
            board = Scoreboard(session.name, request.title, request.game, request.state)
            shown = self._shown[league] = ShownLeague(league, session, board)
            before = None
        else:
            before = shown.summary()
            shown.host.shows.discard(league)
            shown.host = session
        session.shows.add(league)
        shown.take(request)
        self._change(league, now)
        out.send(session, Ok(request.id, league=league))
        return shown.summary() != before

    def _make_room(self) -> None:
        """Drops the oldest league whose host is away, if there is no room for another; raises ProtocolError."""
        if len(self._shown) < MOST_SHOWN:
            return
        left = next((shown for shown in self._shown.values() if shown.host.connection is None), None)
        if left is None:
            raise _full("as many leagues are shown here as may be")
        self._drop(left)

    def _change(self, league: str, now: float) -> None:
        if league not in self._due:
            self._due[league] = max(now, self._told_at.get(league, -math.inf) + EVERY_SECONDS)
            self._deadline = min(self._deadline, self._due[league])

    # -------------------------------------------------------------------------------------------------- who looks at it

    def follow(self, session: Session, request: FollowLeague, out: Outgoing) -> None:
        """How a league stands, and perhaps what changes from now on; raises ProtocolError."""
        shown = self._shown.get(request.league)
        if not request.follow:
            if shown is not None:
                shown.readers.pop(session, None)
            session.follows.discard(request.league)
            out.ok(session, request.id)
            return
        if shown is None:
            text = "no league is shown under this id"
            raise ProtocolError(ErrorCode.NO_SUCH_LEAGUE, text, retry_after_ms=2000)
        if request.league not in session.follows and len(session.follows) >= MOST_FOLLOWED:
            raise _full("you follow as many leagues as one may")
        session.follows.add(request.league)
        shown.readers[session] = None
        games, more = shown.page(math.inf if request.before is None else request.before)
        left = UNSET if more is None else more
        out.send(session, Ok(request.id, more=left, scoreboard=shown.board, games=games))

    def leave(self, session: Session) -> None:
        """Tells `session` nothing any more."""
        for league in session.follows:
            if league in self._shown:
                self._shown[league].readers.pop(session, None)
        session.follows.clear()

    def forget(self, session: Session) -> bool:
        """A session is over, and so is what it showed; returns whether it showed anything."""
        self.leave(session)
        gone = [self._shown[league] for league in session.shows]
        for shown in gone:
            self._drop(shown)
        return bool(gone)

    def _drop(self, shown: ShownLeague) -> None:
        """A league is not shown any more; its readers hear it."""
        del self._shown[shown.id]
        shown.host.shows.discard(shown.id)
        self._due.pop(shown.id, None)
        self._told_at.pop(shown.id, None)
        self._saying.append((LeagueChanged(shown.id), list(shown.readers)))
        for reader in shown.readers:
            reader.follows.discard(shown.id)
        self._deadline = -math.inf

    # ------------------------------------------------------------------------------------------------------------ time

    def deadline(self) -> float:
        """When `push` has something to say."""
        return self._deadline

    def push(self, now: float, out: Outgoing) -> None:
        """Tells what has changed to READERS_AT_ONCE followers at most; if more wait, `deadline` is already past."""
        if now < self._deadline:
            return
        for league in [league for league, when in self._due.items() if when <= now]:
            del self._due[league]
            self._told_at[league] = now
            shown = self._shown[league]
            self._saying.append((shown.change(), list(shown.readers)))
        room = READERS_AT_ONCE
        while self._saying and room > 0:
            change, readers = self._saying.popleft()
            if len(readers) > room:
                self._saying.appendleft((change, readers[room:]))
            told = readers[:room]
            out.send_all(tuple(one.connection for one in told if one.connection is not None), change)
            room -= len(told)
        self._deadline = -math.inf if self._saying else min(self._due.values(), default=math.inf)


def _check(request: ShowLeague, last: int) -> None:
    """Raises ProtocolError(bad_message) for what can't be shown, and for games that don't follow number `last`."""
    label(request.title, "a title")
    label(request.game, "a game")
    rows, games = request.rows or (), request.games
    seats = [(one.first, one.second) for one in games] + [(one.first, one.second) for one in request.playing]
    for name in {*(row.name for row in rows), *chain.from_iterable(seats)}:
        label(name, "a name")
    numbers = [last, *(game.number for game in games)]
    if any(one >= other for one, other in pairwise(numbers)):
        raise ProtocolError(ErrorCode.BAD_MESSAGE, "the numbers of games grow")
    if any(len(row.against) not in (0, len(rows)) for row in rows):
        raise ProtocolError(ErrorCode.BAD_MESSAGE, "`against` has a place for each row, or none")


def _full(text: str) -> ProtocolError:
    return ProtocolError(ErrorCode.SERVER_FULL, text, retry_after_ms=10_000)
