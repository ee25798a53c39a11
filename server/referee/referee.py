"""The referee: what every message, lost connection and passing moment does. Pure: (event, now) -> effects.

It finds the session that asks and, by the type of the message, the handler that answers. Each module of
`server.referee.requests` has one family of handlers; who enters leagues is handled by `server.referee.leagues`. An
answer is an `ok` to the session that asked, the events to all around the table, and `your_turn` to the player who is
next.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final, TypeVar

from protocol.errors import ErrorCode, ProtocolError
from protocol.messages import (
    Abort,
    Adjudicate,
    Answer,
    Boards,
    Chat,
    Claim,
    ClientMessage,
    Closing,
    Create,
    Decline,
    Dismiss,
    Enter,
    Explain,
    FollowLeague,
    FollowLobby,
    GiveTime,
    Hello,
    HostLeague,
    Join,
    Judgement,
    Kick,
    Leave,
    ListMatches,
    MakeMove,
    Offer,
    Pause,
    Resign,
    Resume,
    Review,
    SeatLink,
    Serve,
    ShowLeague,
    Switch,
    Sync,
    Tell,
    Terminate,
    Thinking,
    Watch,
    Write,
)
from server.referee.effects import Effect
from server.referee.hub import Hub
from server.referee.liveness import Liveness
from server.referee.measurements import UNMEASURED, Measurements
from server.referee.outgoing import Outgoing
from server.referee.presence import SessionPresence
from server.referee.requests.administration import Administration
from server.referee.requests.arranging import Arranging
from server.referee.requests.letters import Letters
from server.referee.requests.offers import Offers
from server.referee.requests.play import Play
from server.referee.requests.reviewing import Reviewing
from server.referee.requests.talk import Talk
from server.referee.sessions import Session
from server.referee.settings import Settings
from server.referee.stored import StoredLeague, StoredMatch, StoredSession

M = TypeVar("M", bound=ClientMessage)

Handler = Callable[[Session, Any, float], None]
"""Answers one kind of message of a session, at a time."""

_BEGINS: Final = (Hello, Create, Join, HostLeague, Enter, Pause, Resume)
"""Messages that begin something (a session, a match, a clock, a league, an entry): refused once the server closes.

A suspended match goes on by itself, paused or not.
"""


class Referee(Hub):
    """All sessions and all matches of a server, and what becomes of each event; for its parameters see Hub."""

    def __init__(
        self,
        settings: Settings,
        rng: random.Random,
        draw_token: Callable[[], str],
        wall_ms: Callable[[], int],
        measured: Measurements = UNMEASURED,
    ) -> None:
        super().__init__(settings, rng, draw_token, wall_ms, measured)
        self._liveness = Liveness(self)
        self.reviewing = Reviewing(self)
        self._presence = SessionPresence(self, self._liveness, self.reviewing)
        self._handlers = self._table_of_handlers()
        self._closing: Closing | None = None

    # ------------------------------------------------------------------------------------------ what the shell tells

    def receive(
        self, connection: int, message: ClientMessage | ProtocolError, now: float, heard: float | None = None
    ) -> Sequence[Effect]:
        """The effects of a message (or of a frame that could not be read); `heard` is when it was read, if before."""
        out = self.out = Outgoing(self._lag_teller)
        if type(message) is ProtocolError:  # `isinstance` asks the metaclass of a message
            out.refuse(connection, message, message.request)
            return out.effects
        session = self.sessions.at(connection)
        if connection in self._liveness:
            self._liveness.heard(connection, now)
        try:
            self._check_open(message)
            if session is None:
                self._presence.come(connection, message, now)
            else:
                self.heard = now if heard is None else heard
                self._handlers[type(message)](session, message, now)
        except ProtocolError as refusal:
            out.refuse(connection, refusal, message.id)
        return self.done(now)

    def handed(self, connection: int, match_id: str, ply: int, now: float) -> bool:
        """The `your_turn` of a match was handed to the network: from now on its player's time runs.

        Returns whether something is due earlier than before.
        """
        table = self.lobby.get(match_id)
        if table is None:
            return False
        match = table.match
        clock = match.clock
        if clock is None:
            return False
        begun = False
        if clock.held:
            session = table.sessions.get(match.to_move)
            begun = match.begin(ply, now, 0 if session is None else self.forgiven_ms(table, session))
        earlier = match.outage.pauses and self._liveness.watch(table, connection, now)
        return (begun and clock.flag_time() < table.scheduled and self.schedule(table)) or earlier

    def disconnect(self, connection: int, now: float) -> Sequence[Effect]:
        """The effects of the end of a connection; nothing if its session already goes on over another."""
        self.out = Outgoing(self._lag_teller)
        self._presence.go(connection, now)
        return self.done(now)

    def tick(self, now: float) -> Sequence[Effect]:
        """The effects of time alone."""
        self.out = Outgoing(self._lag_teller)
        self._liveness.beat(now)
        self.settle_due(now)
        self.delaying.release(now, self.out, self.told_late)
        self.sessions.expire(now)
        self.forget_expired()
        self.feed.tell(now, self.out)
        self.reviewing.tick(now)
        self.scoreboards.push(now, self.out)
        return self.done(now)

    def next_deadline(self) -> float:
        """When `tick` wants to be called; infinite if never."""
        return min(
            self.next_due(),
            self.sessions.deadline(),
            self.feed.deadline(),
            self.scoreboards.deadline(),
            self._liveness.deadline(),
            self.reviewing.deadline(),
            self.delaying.deadline(),
        )

    def restore(
        self,
        sessions: Iterable[StoredSession],
        matches: Iterable[StoredMatch],
        now: float,
        leagues: Iterable[StoredLeague] = (),
    ) -> Sequence[Effect]:
        """Takes back what was kept: everybody is away, and no clock runs. Raises RestoreError."""
        self.out = Outgoing(self._lag_teller)
        for s in sessions:
            self.sessions.restore(Session(s.id, s.name, s.kind, s.token, s.previous), now)
        leagues = list(leagues)
        for entry in (entry for league in leagues for entry in league.entries):
            self.sessions.reserve(entry.session)
        self.leagues.restore(leagues, self.sessions.get)
        for kept in matches:
            table = self.restored(kept, now)
            self.add(table, now)
            table.restore(kept, self.sessions.get)
            if table.match.result is not None:
                self.finish(table, now)
                continue
            table.match.reopen(now)
            self.house.restored(table)
            self.schedule(table)
        return self.done(now)

    def shutdown(self, retry_after_ms: int | None, now: float) -> Sequence[Effect]:
        """The server closes: says so to everyone. With `retry_after_ms` it comes back, and goes on with its matches."""
        self.out = Outgoing(self._lag_teller)
        if retry_after_ms is not None:
            for table in self.lobby.tables():
                self.out.publish(table.audience(), table.match.suspend(now))
        connections = tuple(s.connection for s in self.sessions if s.connection is not None)
        self._closing = Closing() if retry_after_ms is None else Closing(retry_after_ms)
        self.out.send_all(connections, self._closing)
        return self.done(now)

    def _check_open(self, message: ClientMessage) -> None:
        """Raises ProtocolError(shutting_down) for messages that begin something while the server stops.

        It says what `closing` said: when the server expects to be back, if it comes back.
        """
        if self._closing is None:
            return
        if isinstance(message, _BEGINS) or (isinstance(message, Offer | Answer) and message.what == "rematch"):
            text, wait = "the server stops: nothing new begins", self._closing.retry_after_ms
            raise ProtocolError(ErrorCode.SHUTTING_DOWN, text, retry_after_ms=wait)

    # ------------------------------------------------------------------------------------------------------ handlers

    def _table_of_handlers(self) -> Mapping[type[object], Handler]:
        """Who answers which message, family by family."""
        arranging = Arranging(self)
        play, offers, talk, organisers = Play(self), Offers(self, arranging), Talk(self), Administration(self)
        letters = Letters(self)
        return dict(
            (
                _on(MakeMove, play.move),
                _on(Resign, play.resign),
                _on(Abort, play.abort),
                _on(Claim, play.claim),
                _on(GiveTime, play.give_time),
                _on(Sync, play.sync),
                _on(Offer, offers.offer),
                _on(Answer, offers.answer),
                _on(Chat, talk.chat),
                _on(Thinking, talk.thinking),
                _on(Create, arranging.create),
                _on(Join, arranging.join),
                _on(SeatLink, arranging.seat_link),
                _on(Decline, arranging.decline),
                _on(Watch, arranging.watch),
                _on(Leave, arranging.leave),
                _on(ListMatches, arranging.list),
                _on(FollowLobby, arranging.follow),
                _on(Boards, arranging.boards),
                _on(Review, self.reviewing.review),
                _on(Explain, self.reviewing.explain),
                _on(Serve, self.reviewing.serve),
                _on(Judgement, self.reviewing.judgement),
                _on(ShowLeague, arranging.show),
                _on(FollowLeague, arranging.follow_league),
                _on(HostLeague, arranging.host),
                _on(Enter, lambda session, enter, now: self.leagues.enter(session, enter, self.out, now)),
                _on(Dismiss, lambda session, dismiss, _now: self.leagues.dismiss(session, dismiss, self.out)),
                _on(Pause, organisers.direct),
                _on(Resume, organisers.direct),
                _on(Adjudicate, organisers.direct),
                _on(Terminate, organisers.direct),
                _on(Kick, organisers.kick),
                _on(Switch, organisers.switch),
                _on(Write, letters.write),
                _on(Tell, letters.tell),
                _on(Hello, _has_said_hello),
            )
        )


def _on(kind: type[M], handler: Callable[[Session, M, float], None]) -> tuple[type[object], Handler]:
    """One line of the table of handlers."""
    return kind, handler


def _has_said_hello(_session: Session, _hello: Hello, _now: float) -> None:
    raise ProtocolError(ErrorCode.ALREADY_SAID_HELLO, "this connection has its session")
