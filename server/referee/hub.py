"""What all parts of the referee share: sessions, matches, what is said, what is due. Pure.

`publish` follows whatever happens in a match: it tells those around the table, asks the player who is next, and keeps
the deadline. One heap of deadlines serves all matches.
"""

from __future__ import annotations

import heapq
import math
import random
from collections.abc import Callable, Sequence
from typing import Final

from games import Seat
from games import parse as parse_game
from games.base import GameError
from protocol.codec import encode
from protocol.errors import ErrorCode, ProtocolError
from protocol.messages import MatchEvent, Moved, TookBack
from server.match.clock import Stalls
from server.match.match import Match
from server.match.terms import MatchContext, MatchRules, seat_number
from server.referee.concealed import Concealed
from server.referee.delaying import Delaying
from server.referee.effects import Effect, EventHappened, MatchClosed, MatchOpened, SeatTaken, SessionForgotten
from server.referee.house import House
from server.referee.leagues import Leagues
from server.referee.listing import Feed, Listing
from server.referee.lobby import CODE_LETTERS, Lobby
from server.referee.measurements import UNMEASURED, Measurements
from server.referee.outgoing import Outgoing, ToldLag
from server.referee.quotas import Quotas
from server.referee.scoreboards import Scoreboards
from server.referee.sessions import Session, Sessions
from server.referee.settings import Settings
from server.referee.stored import RestoreError, StoredMatch
from server.referee.switches import Switches
from server.referee.table import Table

STALE_DEADLINES: Final = 1024
"""How many outdated deadlines the heap may hold, beside as many as there are open matches."""

MOST_SETTLED: Final = 64
"""At how many tables `settle_due` acts in one turn of the loop, so that moves are not kept waiting."""

UNHEARD_SECONDS: Final = 0.01
"""How long to wait before another look at a flag that must not fall until its player is heard."""


class Hub:
    """All sessions and all matches of a server.

    draw_token: returns a fresh secret. rng: draws seats, match ids and codes. wall_ms: the date, only to be shown.
    `recording` is false if nothing is kept. moves: how many were played since the start. heard: when the message
    that is being answered was read. scarce: whether the disk has little room left. measured: what the shell knows
    of connections. out: the effects of what is being handled; whatever the shell tells (`Referee`) begins with a
    new one. stalls: the time that is charged to nobody. lobby: the tables; listing: those that a list shows; feed:
    who follows the list. concealed: the positions that nobody may have reviewed now. scoreboards: the leagues that
    are shown; leagues: those that are hosted. quotas: how much one address may have open; house: how much the bots
    of the house play. switches: what organisers have turned off. delaying: what spectators hear late.
    """

    def __init__(
        self,
        settings: Settings,
        rng: random.Random,
        draw_token: Callable[[], str],
        wall_ms: Callable[[], int],
        measured: Measurements = UNMEASURED,
    ) -> None:
        self.measured = measured
        self.settings = settings
        self.sessions = Sessions(draw_token)
        self.lobby = Lobby(rng)
        self.listing = Listing()
        self.feed = Feed()
        self.concealed = Concealed(measured)
        self.scoreboards = Scoreboards()
        self.quotas = Quotas(settings.shares)
        self.house = House(settings.house)
        self.switches = Switches()
        self.rng = rng
        self.wall_ms = wall_ms
        self._lag_teller: ToldLag = self._told_lag  # binding a method takes longer than keeping it
        self.out = Outgoing(self._lag_teller)
        self.stalls = Stalls()
        self.recording = True
        self.moves = 0
        self.heard = 0.0
        self.scarce = False
        self.leagues = Leagues(self.lobby.new_code, measured)
        self._due: list[tuple[float, str]] = []
        self._journal: list[MatchEvent] = []
        self._context = MatchContext(settings.timeouts, self._journal, self.stalls)
        self.delaying = Delaying(settings.delay_ms, self._context, self.lobby.get)

    def check_disk(self, session: Session) -> None:
        """Raises ProtocolError(server_full) if the disk has little room, for what others do without end."""
        if self.scarce and not session.directs:
            text = "the disk of the server is nearly full: only matches that have begun go on"
            raise ProtocolError(ErrorCode.SERVER_FULL, text, retry_after_ms=60_000)

    # ------------------------------------------------------------------------------------------------- saying things

    def done(self, now: float) -> Sequence[Effect]:
        """The effects of what was handled: first what is to be recorded, then the rest."""
        out = self.out
        if self._journal:
            self.delaying.happened(self._journal, now)
            if self.recording:
                out.effects[:0] = [self._happened(event) for event in self._journal]
            self._journal.clear()
        return out.effects

    def _happened(self, event: MatchEvent) -> EventHappened:
        table = self.lobby.get(event.match)
        return EventHappened(event, encode(event) if table is None else table.match.history.link(event))

    def publish(self, table: Table, events: Sequence[MatchEvent], now: float) -> None:
        """Tells events that may change whose turn it is, and keeps the deadline."""
        if not events:
            return
        self.out.publish(table.audience(), events)
        self.concealed.moved(table, now)
        if table.onlookers() and any(isinstance(event, Moved | TookBack) for event in events):
            self.out.board(table.match, table.onlookers())
        if table.is_playing():
            self.out.your_turn(table, now)
        else:
            self.over(table, now)
        self.schedule(table)

    # -------------------------------------------------------------------------------------------------------- tables

    def seat(self, session: Session, match_id: str, now: float) -> tuple[Table, Seat]:
        """The table and the seat of a player's request, with what was due settled."""
        seat = session.seats.get(match_id)
        if seat is None:
            self.lobby.find_for(session, match_id)
            raise ProtocolError(ErrorCode.NOT_ALLOWED, "you don't play in this match")
        table = self.lobby.find(match_id)
        self.settle(table, now)
        return table, seat

    def settle(self, table: Table, now: float, *, heard: bool = False) -> None:
        """Does what is due at a table, unless a message that its player sent in time is still to be heard.

        heard: a message of the player to move is being handled now.
        """
        if table.scheduled > now:
            return
        while (deadline := table.deadline()) <= now and (heard or self._may_fall(table, deadline, now)):
            is_left = deadline < table.match.deadline()
            self.out.publish(table.audience(), table.match.terminate(now) if is_left else table.match.tick(now))
            self.over(table, now)

    def _may_fall(self, table: Table, deadline: float, now: float) -> bool:
        mover = table.sessions.get(table.match.to_move) if table.is_playing() else None
        if mover is None or mover.connection is None or table.match.outage.seat is not None:
            return True
        if table.match.outage.pauses and self.measured.sign_of_life(mover.connection, now) < deadline:
            self.out.probe(mover.connection)  # cut off, perhaps: then the clock stands since before
            return False
        return self.measured.unheard_since(mover.connection) > deadline

    def _told_lag(self, table: Table, session: Session) -> tuple[int, int]:
        """The round trip of the player to move, and how much of it their next move is given back; in milliseconds."""
        lag_ms = 0 if session.connection is None else self.measured.lag_ms(session.connection)
        match = table.match
        if not lag_ms or match.clock is None or (session.kind != "human" and match.network is None):
            return lag_ms, 0
        return lag_ms, match.clock.allowance(match.to_move, self.forgiven_ms(table, session))

    def forgiven_ms(self, table: Table, session: Session) -> int:
        """What the network takes of each move of a player, if that is given back there."""
        network = table.match.network
        if session.kind != "human" and (network is None or network.lag != "forgiven"):
            return 0
        if session.connection is None or not self.settings.lag_compensation:
            return 0
        return self.measured.lag_ms(session.connection)

    def over(self, table: Table, now: float) -> None:
        """Notes the end of a match, if it is over and that was not known."""
        match = table.match
        if match.result is not None and table.finished_at is None:
            self.finish(table, now)
            self.concealed.leave(table)
            self.quotas.closed(table)
            self.house.closed(match.id)
            self.changed(table)
            self.out.report(table)
            chain = match.history.chain() if self.recording else ""
            self.out.record(MatchClosed(match.id, match.result, match.ply, chain))

    def finish(self, table: Table, now: float) -> None:
        """Holds a match that is over among those that are; older ones that are held no longer leave the lists, too."""
        for gone in self.lobby.finished(table, now, self.quotas.address_of(table.match.id)):
            if gone.is_listed():
                gone.late = None
                self.told_late(gone)

    def changed(self, table: Table) -> None:
        """A match has another status, or is over: who follows the lobby hears of it, if spectators know it."""
        if not table.is_listed():
            self.listing.remove(table)
        elif table.late is not None and table.late.holds and table.has_begun():
            return
        self.feed.changed(table)

    def told_late(self, table: Table) -> None:
        """Spectators now know that a match has another status; if it is over, they hear of its rematches."""
        if not table.is_listed():
            self.listing.remove(table)
            while table.rematches:
                self._reveal(table.rematches.pop())
        self.feed.changed(table)

    def _reveal(self, rematch: Table) -> None:
        """Whoever looks at the lobby may know of a match now."""
        self.listing.remove(rematch)
        rematch.is_secret = False
        if rematch.is_listed():
            self.listing.add(rematch)
            self.feed.opened(rematch)

    def new_table(self, rules: MatchRules, *, public: bool, now: float) -> Table:
        """A table that is not yet kept; raises ProtocolError(server_full)."""
        if len(self.lobby) >= self.settings.max_matches:
            raise ProtocolError(ErrorCode.SERVER_FULL, "too many matches are open", retry_after_ms=10_000)
        match = Match(self.lobby.new_id(), rules, self._context, now)
        code, link = (None, None) if public else (self.lobby.new_code(), self.lobby.new_link())
        table = Table(match, public=public, code=code, link=link, opened_ms=self.wall_ms())
        self.delaying.enter(table, now)
        return table

    def restored(self, kept: StoredMatch, now: float) -> Table:
        """The table of a match as it was kept; what is folded is recorded already. Raises RestoreError."""
        noted = len(self._journal)
        try:
            game = parse_game(kept.game)
            match = Match(kept.id, MatchRules(game, kept.clock, kept.opening, kept.network), self._context, now)
            match.restore(kept.events, now)
        except (GameError, AssertionError, LookupError, ValueError) as error:
            raise RestoreError(f"match {kept.id}: {error}") from error
        del self._journal[noted:]
        code, link = None, None
        if not kept.public:
            # Codes were shorter once, and there were no links: what would not fit the protocol is drawn anew.
            fits = kept.code is not None and len(kept.code) == CODE_LETTERS
            code, link = kept.code if fits else self.lobby.new_code(), kept.link or self.lobby.new_link()
        table = Table(match, public=kept.public, code=code, link=link, opened_ms=kept.opened_ms)
        self.delaying.restore(table, kept, now, self.wall_ms())
        return table

    def open(self, table: Table, now: float) -> None:
        """Keeps a new table."""
        self.add(table, now)
        m = table.match
        opened = MatchOpened(
            m.id, m.game.spec, m.time_control, table.public, table.code, m.opening, table.link, m.network
        )
        self.out.record(opened)

    def add(self, table: Table, now: float) -> None:
        """Holds a table, and lists it while its match is open."""
        self.lobby.add(table)
        if table.is_open():
            self.concealed.enter(table, now)
        if table.is_listed():
            self.listing.add(table)
            self.feed.opened(table)

    def sit(self, table: Table, session: Session, seat: Seat, now: float) -> Sequence[MatchEvent]:
        """A player takes a seat."""
        events = table.match.sit(seat, session.player, now)
        table.seat(session, seat)
        self.concealed.enter(table, now)
        if table.late is not None and table.has_person() and not table.late.holds:
            self._hold(table, now)
        if not table.is_waiting():
            self.quotas.started(table)
        self.feed.changed(table)
        self.out.record(SeatTaken(table.match.id, seat_number(seat), session.id))
        return events

    def _hold(self, table: Table, now: float) -> None:
        """A person plays: from now on spectators see the match late, and a snapshot tells them so."""
        assert table.late is not None
        table.late.holds = True
        table.changed()
        for session in table.viewers:
            if table.is_delayed_for(session):
                self.out.snapshot(table, session, now)

    def forget_expired(self) -> None:
        """Removes expired sessions from everything but the records."""
        for session in self.sessions.take_forgotten():
            self.lobby.forget(session)
            self.leagues.forget(session, self.out)
            self.feed.leave(session)
            if self.scoreboards.forget(session):
                self.feed.leagues_changed(self.scoreboards.summaries())
            self.quotas.leave(session)
            self.out.record(SessionForgotten(session.id))

    # ------------------------------------------------------------------------------------------------------ deadlines

    def schedule(self, table: Table, earliest: float = -math.inf) -> bool:
        """Makes sure that the heap has an entry for a table in time for its deadline; returns whether it is new.

        earliest: the entry is not before this, even if the deadline is. Only the entry at `table.scheduled` counts; if
        it turns out to be early, `settle_due` pushes it again.
        """
        deadline = max(table.deadline(), earliest)
        if deadline >= table.scheduled:
            return False
        table.scheduled = deadline
        heapq.heappush(self._due, (deadline, table.match.id))
        if len(self._due) > 2 * len(self.lobby) + STALE_DEADLINES:
            self._sweep()
        return True

    def settle_due(self, now: float) -> None:
        """Does what is due, at MOST_SETTLED tables at most; if more is due, `next_due` is already past."""
        for _ in range(MOST_SETTLED):
            if not self._due or self._due[0][0] > now:
                break
            when, match_id = heapq.heappop(self._due)
            table = self.lobby.get(match_id)
            if table is not None and table.scheduled == when:
                self.settle(table, now)
                table.scheduled = math.inf
                self.schedule(table, now + UNHEARD_SECONDS if table.deadline() <= now else -math.inf)

    def next_due(self) -> float:
        """When `settle_due` wants to be called; infinite if never."""
        return self._due[0][0] if self._due else math.inf

    def _sweep(self) -> None:
        """Drops the deadlines of matches that are over, and those that an earlier one has replaced."""
        tables = self.lobby.tables()
        self._due = [(t.scheduled, t.match.id) for t in tables if t.is_open() and t.scheduled < math.inf]
        heapq.heapify(self._due)
