"""Letters between the host of a league and who has entered it: the server carries them, and reads none. Pure.

What a class does beyond matches (handing in files, answering the teacher's question) is its host's business alone.
"""

from __future__ import annotations

from msgspec import UNSET

from protocol.errors import ErrorCode, ProtocolError
from protocol.messages import Letter, Tell, Told, Write
from server.referee.hub import Hub
from server.referee.sessions import Session

RETRY_MS = 2_000
"""When it is worth writing again to a host that is away: it comes back by itself."""


MOST_UNREAD = 1 << 18
"""Bytes that a host has not read, from which on it gets no more letters: far below what cuts it off."""

READ_MS = 500
"""When it is worth writing again to a host that has much to read."""


class Letters:
    """Carries letters on `hub`."""

    def __init__(self, hub: Hub) -> None:
        self._hub = hub

    def write(self, session: Session, request: Write, _now: float) -> None:
        """Somebody writes to a league's host; raises ProtocolError (no_such_league, host_away, rate_limited).

        A host that has much to read gets no more letters: an acknowledged one would be lost if the host is cut off.
        """
        code = request.code.upper()
        host, out = self._hub.leagues.host_for(session, code), self._hub.out
        if host.connection is None:
            raise ProtocolError(ErrorCode.HOST_AWAY, "the host of this league is away", retry_after_ms=RETRY_MS)
        if self._hub.measured.unread(host.connection) > MOST_UNREAD:
            raise ProtocolError(ErrorCode.RATE_LIMITED, "the host has much to read", retry_after_ms=READ_MS)
        out.ok(session, request.id)
        entry = host.hosts[code].get(session, UNSET)
        out.send(host, Letter(code, session.id, request.text, entry, session.directs))

    def tell(self, session: Session, request: Tell, _now: float) -> None:
        """A host writes to those of its league; raises ProtocolError(no_such_league)."""
        code = request.code.upper()
        entrants, out = self._hub.leagues.entrants(session, code), self._hub.out
        if request.to is None:
            readers = list(entrants)
        else:
            named = (self._hub.sessions.get(one) for one in dict.fromkeys(request.to))
            readers = [one for one in named if one is not None and (one in entrants or one.directs)]
        out.ok(session, request.id, prompt=False)
        connections = tuple(one.connection for one in readers if one.connection is not None)
        out.send_all(connections, Told(code, request.text))
