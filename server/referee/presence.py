"""Who is there: a session comes, goes and comes back, and what the tables around it hear of that. Pure."""

from __future__ import annotations

from protocol import PROTOCOL
from protocol.bounds import Serves
from protocol.errors import ErrorCode, ProtocolError
from protocol.messages import ClientMessage, Hello
from server.referee.access import admit, serves, welcome
from server.referee.effects import SessionOpened, TokenChanged
from server.referee.hub import Hub
from server.referee.liveness import Liveness
from server.referee.requests.reviewing import Reviewing
from server.referee.sessions import Session


class SessionPresence:
    """The comings and goings of the sessions of `hub`, whose silence `liveness` notices."""

    def __init__(self, hub: Hub, liveness: Liveness, reviewing: Reviewing) -> None:
        self._hub = hub
        self._liveness = liveness
        self._reviewing = reviewing

    def come(self, connection: int, hello: ClientMessage, now: float) -> None:
        """The first message of a connection: it opens a session, or goes on with one. Raises ProtocolError."""
        if not isinstance(hello, Hello):
            raise ProtocolError(ErrorCode.HELLO_REQUIRED, "say hello first")
        if hello.protocol != PROTOCOL:
            raise ProtocolError(ErrorCode.UNSUPPORTED_PROTOCOL, f"this server speaks protocol {PROTOCOL}", fatal=True)
        hub, access = self._hub, self._hub.settings.access
        directs, service = admit(access, hello), serves(access, hello)
        session, token, resumed = self._session(connection, hello, service)
        session.directs, session.service = directs, service
        if (origin := hub.measured.address_of(connection)) is not None:
            hub.quotas.settle(session, origin)
        since = session.changed_at
        if session.connection is not None:  # cut off, perhaps, which was not noticed yet
            self._liveness.heard(session.connection, now)
            self._liveness.leave(session.connection)
        self._tell_tables(session, present=True, now=now)
        replaced = hub.sessions.connect(session, connection, now, batch=hello.batch, boards=hello.boards)
        for table in hub.lobby.around(session):
            table.changed()
            if table.is_open():
                hub.concealed.enter(table, now)
        if replaced is not None:  # as if the older connection had ended first
            self._stop_following(session, now)
            self._begin_turns(session, now)
            hub.out.replaced(replaced)
        self._tell_lists(session)
        self._welcome(session, token, resumed=resumed)
        hub.out.ok(session, hello.id)
        if resumed:
            self._catch_up(session, hello.seen, since, now)

    def go(self, connection: int, now: float) -> None:
        """The end of a connection; nothing if its session already goes on over another."""
        since = min(now, self._liveness.last_sign(connection, now))
        self._liveness.leave(connection)
        session = self._hub.sessions.disconnect(connection, now)
        if session is not None:
            self._tell_tables(session, present=False, now=now, since=since)
            self._stop_following(session, now)
            self._tell_lists(session)

    # ------------------------------------------------------------------------------------------- what others are told

    def _tell_tables(self, session: Session, *, present: bool, now: float, since: float | None = None) -> None:
        """Settles what is due around a session, then tells the others that it came or went (if they don't know it).

        since: the time of the session's last sign of life, if it has gone.
        """
        hub = self._hub
        for table in hub.lobby.around(session):
            table.changed()
            seat = table.seat_of(session)
            if present or since is None or seat is None or not table.match.would_stand(seat, since):
                hub.settle(table, now)
        if not present:
            self._begin_turns(session, now)
        for match_id in tuple(session.playing):
            table, seat = hub.lobby.find(match_id), session.seats[match_id]
            if table.is_open():
                events = table.match.presence(seat, present=present, now=now, since=since)
                hub.out.publish(table.audience(), events)
                hub.schedule(table)
        for match_id in () if present else tuple(session.created):
            hub.schedule(hub.lobby.find(match_id))

    def _tell_lists(self, session: Session) -> None:
        """Tells those who look at the lobby, and the hosts of the leagues that the session has entered."""
        self._hub.feed.came_or_went(session)
        self._hub.leagues.presence(session, self._hub.out)

    # --------------------------------------------------------------------------------------- what the end of one ends

    def _begin_turns(self, session: Session, now: float) -> None:
        """Starts the clocks that are on hold for `session`: its connection is gone, so no `your_turn` gets there."""
        for match_id in session.playing:
            table = self._hub.lobby.find(match_id)
            if table.match.to_move is session.seats[match_id] and table.match.begin(table.match.ply, now):
                self._hub.schedule(table)

    def _stop_following(self, session: Session, now: float) -> None:
        """Ends what a session followed, asked a service for, or offered as one, over the connection that is gone."""
        self._hub.feed.leave(session)
        self._hub.scoreboards.leave(session)
        self._reviewing.left(session, now)

    # ----------------------------------------------------------------------------------------------- what hello brings

    def _session(self, connection: int, hello: Hello, service: Serves | None) -> tuple[Session, str, bool]:
        """The session that `hello` opens or goes on with, its next token, and whether it was there before."""
        hub = self._hub
        found: tuple[Session, str] | None = None
        if hello.token is not None:
            found = hub.sessions.resume(hello.token)
        elif service is not None:
            found = hub.sessions.reclaim(hello.name, service)
        if found is None:
            session, token = self._open(connection, hello)
            hub.forget_expired()
            hub.out.record(SessionOpened(session.id, session.name, session.kind, session.token_hash))
            return session, token, False
        session, token = found
        hub.out.record(TokenChanged(session.id, session.token_hash, session.previous_hash))
        return session, token, True

    def _open(self, connection: int, hello: Hello) -> tuple[Session, str]:
        """A new session; at an address that has its share, who is away longest makes room. Raises ProtocolError."""
        hub = self._hub
        if len(hub.sessions) >= hub.settings.max_sessions:
            raise ProtocolError(ErrorCode.SERVER_FULL, "too many users are here", retry_after_ms=10_000)
        origin = hub.measured.address_of(connection)
        to_evict = None if origin is None else hub.quotas.to_evict(origin)
        opened = hub.sessions.open(hello.name, hello.kind)
        if to_evict is not None and hub.sessions.get(to_evict.id) is to_evict:
            hub.sessions.expel(to_evict)
        return opened

    def _welcome(self, session: Session, token: str, *, resumed: bool) -> None:
        hub = self._hub
        tables, date = hub.lobby.around(session), hub.wall_ms()
        hub.out.send(session, welcome(session, token, hub.settings, tables, date, resumed=resumed))
        if not hub.switches.is_usual():
            hub.out.send(session, hub.switches.allowed)

    def _catch_up(self, session: Session, seen: dict[str, int], since: float, now: float) -> None:
        """Brings a session up to date: what it missed of each match, or the whole, and whether it is its turn."""
        out = self._hub.out
        for table in self._hub.lobby.around(session):
            if table.match.id in seen:
                out.catch_up(table, session, seen[table.match.id], now)
            elif table.finished_at is None or table.told_end(session) >= since:
                out.snapshot(table, session, now)
        for match_id, seat in session.invitations.items():
            out.invitation(self._hub.lobby.find(match_id), session, seat)
