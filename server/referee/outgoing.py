"""What the referee says in answer to one event: the effects in order, and how each message is put together. Pure."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from msgspec import UNSET

from games import Seat
from protocol.codec import error_message
from protocol.errors import ErrorCode, ProtocolError
from protocol.messages import (
    Drawn,
    GaveTime,
    Invitation,
    MatchEvent,
    Moved,
    Ok,
    Report,
    Seated,
    ServerMessage,
    Snapshot,
    Started,
    Thinking,
    Thought,
    YourTurn,
)
from server.match.boards import draw, last_of
from server.match.fold import MatchState
from server.match.terms import Status, seat_number
from server.referee.effects import Close, Effect, Probe, Record, Send
from server.referee.sessions import Session
from server.referee.table import Table

REPLACED: Final = 4001
"""The close code of a connection whose session went on over a newer one."""

KICKED: Final = 4002
"""The close code of a connection whose user was sent away."""

FATAL: Final = 1008
"""The close code after a fatal error."""


_FIRST: Final = Seat.FIRST
"""An enum's members are looked up slowly, and this one with every move."""

_UNHURRIED: Final = (Moved, Seated, Started)
"""Events that may linger: a player who must act on one of them also gets a `your_turn`, which is sent at once."""


ToldLag = Callable[[Table, Session], tuple[int, int]]
"""A player's round trip, and the part of it that their next move gets back, in milliseconds."""


class Outgoing:
    """The effects of one event, in the order in which they are to be performed; `told_lag` is the hub's."""

    __slots__ = ("_told_lag", "effects")

    def __init__(self, told_lag: ToldLag) -> None:
        self.effects: list[Effect] = []
        self._told_lag = told_lag

    def record(self, record: Record) -> None:
        """Adds a record, which is kept before any message of this event leaves."""
        self.effects.append(record)

    def send(self, session: Session, message: ServerMessage, *, prompt: bool = True) -> None:
        """One message to one session, if it is connected."""
        if session.connection is not None:
            self.effects.append(Send((session.connection,), message, prompt))

    def send_all(self, connections: tuple[int, ...], message: ServerMessage) -> None:
        """One message to several connections."""
        if connections:
            self.effects.append(Send(connections, message))

    def probe(self, connection: int) -> None:
        """Asks a connection for a sign of life."""
        self.effects.append(Probe(connection))

    def refuse(self, connection: int, refusal: ProtocolError, request: object) -> None:
        """The `error` that answers `request`, and the end of the connection if it is fatal."""
        answered = request if isinstance(request, int) else UNSET
        self.effects.append(Send((connection,), error_message(refusal, answered)))
        if refusal.fatal:
            self.effects.append(Close(connection, FATAL, refusal.code.value))

    def send_away(self, session: Session) -> None:
        """The end of the connection of a session that an organiser sends away."""
        if session.connection is not None:
            error = ProtocolError(ErrorCode.KICKED, "an organiser has sent you away", fatal=True)
            self._end(session.connection, error, KICKED)

    def replaced(self, connection: int) -> None:
        """The end of a connection whose session went on over a newer one."""
        error = ProtocolError(ErrorCode.SESSION_REPLACED, "this session goes on over a newer connection", fatal=True)
        self._end(connection, error, REPLACED)

    def thought(self, spectators: tuple[int, ...], thinking: Thinking, seat: Seat) -> None:
        """What the bot on `seat` thinks, for those who only watch."""
        thought = Thought(
            thinking.match, thinking.ply, seat_number(seat), thinking.depth, thinking.score, thinking.pv,
            thinking.nodes, thinking.ms, thinking.exact,
        )  # fmt: skip
        self.send_all(spectators, thought)

    def _end(self, connection: int, error: ProtocolError, code: int) -> None:
        self.effects += (Send((connection,), error_message(error)), Close(connection, code, error.code.value))

    def publish(self, audience: tuple[int, ...], events: Sequence[MatchEvent]) -> None:
        """Tells all around a table what happened; events on which nobody has to act may share a later frame."""
        if audience:
            for event in events:
                self.effects.append(Send(audience, event, type(event) not in _UNHURRIED))

    def ok(self, session: Session, request: int, *, prompt: bool = True) -> None:
        """`request` is done."""
        self.send(session, Ok(request), prompt=prompt)

    def ok_table(self, session: Session, request: int, table: Table, *, prompt: bool = True) -> None:
        """`request` is done; it led to this table."""
        code = UNSET if table.code is None else table.code
        link = UNSET if table.link is None else table.link
        self.send(session, Ok(request, table.match.id, code, link), prompt=prompt)

    def your_turn(self, table: Table, now: float) -> None:
        """Asks the next player for a move; their time runs once the shell has handed this over."""
        match = table.match
        to_move = match.to_move
        session = table.sessions.get(to_move)
        if session is None or session.connection is None:
            return
        match.hold()
        clocks = match.clocks(now)
        left = None if clocks is None else clocks[0] if to_move is _FIRST else clocks[1]
        rtt_ms, allowance_ms = self._told_lag(table, session)
        turn = YourTurn(match.id, len(match.moves), match.position.legal_moves(), clocks, left, rtt_ms, allowance_ms)
        self.effects.append(Send((session.connection,), turn))

    def board(self, match: MatchState, connections: tuple[int, ...]) -> None:
        """How the board of a match looks now."""
        drawn = draw(match.game, match.position, match.ply, last_of(match.game, match.before, match.moves))
        self.send_all(connections, Drawn(match.id, drawn))

    def invitation(self, table: Table, guest: Session, seat: Seat) -> None:
        """Asks `guest` to take a seat."""
        match, by = table.match, "" if table.creator is None else table.creator.name
        self.send(
            guest,
            Invitation(match.id, match.game.spec, by, seat_number(seat), match.time_control, table.seed, match.network),
        )

    def snapshot(self, table: Table, session: Session, now: float, *, prompt: bool = True) -> None:
        """The whole match as `session` may see it, and whether it is its turn."""
        match = table.seen_by(session)
        seat = table.seat_of(session)
        playing = match.status is Status.PLAYING
        snapshot = Snapshot(
            match=match.id,
            seq=match.history.seq,
            game=match.game.spec,
            status=match.status.value,
            players=(match.players.get(Seat.FIRST), match.players.get(Seat.SECOND)),
            seat=None if seat is None else seat_number(seat),
            moves=tuple(match.moves),
            ply=match.ply,
            to_move=seat_number(match.to_move),
            legal=match.position.legal_moves() if playing else (),
            clock=match.time_control,
            clocks=match.clocks(now),
            offers={what: seat_number(by) for what, by in match.offers.items()},
            result=match.result,
            code=table.code,
            link=table.link,
            viewers=len(table.viewers),
            network=match.network,
            delay_ms=table.late.delay_ms if table.late is not None and table.is_delayed_for(session) else 0,
            arranged=table.is_arranged(),
        )
        self.send(session, snapshot, prompt=prompt)
        if session.boards and session.connection is not None:
            self.board(match, (session.connection,))
        if playing and seat is match.to_move:
            self.your_turn(table, now)

    def report(self, table: Table) -> None:
        """How a match ended, for the one who opened it and did not follow it, if there is one."""
        match = table.match
        if table.reports and table.creator is not None and match.result is not None:
            players = (match.players.get(Seat.FIRST), match.players.get(Seat.SECOND))
            used = (match.used_ms[0], match.used_ms[1])
            away = (match.outage.away_ms[0], match.outage.away_ms[1])
            declined = None if table.declined is None else seat_number(table.declined)
            moves, times = tuple(match.moves), match.move_times()
            report = Report(match.id, players, match.result, moves, used, declined, away, times)
            self.send(table.creator, report)

    def catch_up(self, table: Table, session: Session, seq: int, now: float) -> None:
        """What `session` missed since event `seq`, or the whole if that is not held; and whether it is its turn.

        It is the whole, too, if time was given: a client that does not know that event would find the same gap for
        ever.
        """
        if table.reports_to(session) and not table.is_open():
            self.report(table)
            if not table.is_seen_by(session):
                return
        match = table.seen_by(session)
        missing = match.history.since(seq) if seq else None
        if missing is None or any(isinstance(event, GaveTime) for event in missing):
            self.snapshot(table, session, now)
            return
        for event in missing:
            self.send(session, event)
        if session.boards and session.connection is not None:
            self.board(match, (session.connection,))
        if table.is_playing() and table.seat_of(session) is table.match.to_move:
            self.your_turn(table, now)
