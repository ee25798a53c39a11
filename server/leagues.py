"""Who has entered which league: a session hosts it under a code, others enter with that. Nothing of it is kept. Pure.

What a league is, who meets whom and what comes of it is its host's business: the server only says who is there. While
somebody who has entered is connected, the league waits for its host, however long: the token that brings the host's
session back is what gives the right to the code.
"""

from __future__ import annotations

from collections.abc import Callable

from protocol.errors import ErrorCode, ProtocolError
from protocol.messages import Enter, Entrant, HostLeague, Ok
from server.outgoing import Outgoing
from server.sessions import Session

_ATTEMPTS = 64
"""Codes that are drawn before there is none."""

MOST_HOSTED = 10
"""Leagues that one session may host."""


class Leagues:
    """All leagues, by code. `new_code` draws one that leads nowhere else."""

    def __init__(self, new_code: Callable[[], str]) -> None:
        self._new_code = new_code
        self._hosts: dict[str, Session] = {}

    def host(self, session: Session, request: HostLeague, out: Outgoing) -> None:
        """Opens a league, or takes it over again; raises ProtocolError."""
        code = None if request.code is None else request.code.upper()
        if code is None or code not in self._hosts:
            if len(session.hosts) >= MOST_HOSTED:
                raise ProtocolError(ErrorCode.SERVER_FULL, "you host as many leagues as one may", retry_after_ms=60_000)
            code = code or self._fresh_code()
            self._hosts[code] = session
            session.hosts[code] = {}
        elif self._hosts[code] is not session:
            raise ProtocolError(ErrorCode.NOT_ALLOWED, "this league is hosted by somebody else")
        out.send(session, Ok(request.id, code=code))
        for entrant in session.hosts[code]:
            self._tell(code, entrant, out)

    def enter(self, session: Session, request: Enter, out: Outgoing) -> None:
        """Enters a league; entering again is harmless. Raises ProtocolError(no_such_league)."""
        code = request.code.upper()
        if code not in self._hosts:
            raise ProtocolError(ErrorCode.NO_SUCH_LEAGUE, "there is no league with this code", retry_after_ms=2000)
        self._hosts[code].hosts[code][session] = None
        out.send(session, Ok(request.id, code=code))
        self._tell(code, session, out)

    def presence(self, session: Session, out: Outgoing) -> None:
        """Tells the hosts of a session's leagues that it came or went."""
        for code, host in self._hosts.items():
            if session in host.hosts[code]:
                self._tell(code, session, out)

    def forget(self, session: Session) -> None:
        """A session is over: its leagues are closed, and it has left those of others."""
        for code in session.hosts:
            del self._hosts[code]
        session.hosts = {}
        for code, host in self._hosts.items():
            host.hosts[code].pop(session, None)

    def _tell(self, code: str, session: Session, out: Outgoing) -> None:
        out.send(self._hosts[code], Entrant(code, session.player))

    def _fresh_code(self) -> str:
        for _ in range(_ATTEMPTS):
            if (code := self._new_code()) not in self._hosts:
                return code
        raise ProtocolError(ErrorCode.SERVER_FULL, "too many leagues are hosted", retry_after_ms=60_000)
