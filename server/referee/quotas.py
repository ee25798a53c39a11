"""How much of a server one address may take: sessions, matches, leagues. Pure.

A session is free to make, so what is bounded by session alone is not bounded. A class of thirty sits behind one
address: it never meets these shares. Addresses that the operator trusts, and organisers, have no bounds.
"""

from __future__ import annotations

from protocol.errors import ErrorCode, ProtocolError
from server.referee.sessions import Session
from server.referee.settings import Shares
from server.referee.table import Table

RETRY_MS = 10_000


class AddressUse:
    """One address: the sessions that were opened from there, and the open matches that these have opened.

    arrangers: those of the sessions that host or show leagues, or did.
    """

    __slots__ = ("arrangers", "key", "matches", "sessions", "waiting")

    def __init__(self, key: str) -> None:
        self.key = key
        self.sessions: dict[Session, None] = {}
        self.arrangers: set[Session] = set()
        self.matches: set[str] = set()
        self.waiting: set[str] = set()


class Quotas:
    """All addresses that have something; `shares` may be changed while the server runs."""

    def __init__(self, shares: Shares) -> None:
        self.shares = shares
        self._uses: dict[str, AddressUse] = {}
        self._of: dict[Session, AddressUse] = {}
        self._opened: dict[str, AddressUse] = {}

    def settle(self, session: Session, key: str) -> None:
        """A session is opened, or was found again, at this address; a session that has an address keeps it."""
        if session not in self._of:
            use = self._uses.setdefault(key, AddressUse(key))
            use.sessions[session] = None
            self._of[session] = use
            self.arranges(session)
            for match_id in () if session.directs else session.created:
                use.matches.add(match_id)
                self._opened[match_id] = use

    def address(self, session: Session) -> str | None:
        """The address that a session is counted under; None for one without bounds."""
        use = self._of.get(session)
        return None if use is None or session.directs else use.key

    def address_of(self, match_id: str) -> str | None:
        """The address at which an open match is counted, if it is."""
        use = self._opened.get(match_id)
        return None if use is None else use.key

    def leave(self, session: Session) -> None:
        """A session is over."""
        use = self._of.pop(session, None)
        if use is not None:
            del use.sessions[session]
            use.arrangers.discard(session)
            if not use.sessions:
                del self._uses[use.key]

    def to_evict(self, key: str) -> Session | None:
        """The session to forget so that another one fits in: the idle one that left first, entrants last of all.

        A name in a league still belongs to its key, and to nobody else.

        None while there is room; raises ProtocolError(server_full) if all of the share is in use.
        """
        use = self._uses.get(key)
        if use is None or len(use.sessions) < self.shares.sessions:
            return None
        away = (session for session in use.sessions if not (session.connection or session.hosts) and session.is_idle())
        oldest = min(away, key=lambda session: (session.is_entrant(), session.changed_at), default=None)
        if oldest is None:
            raise _full("your address has as many users here as it may")
        return oldest

    def check_match(self, session: Session, *, waiting: bool) -> None:
        """Raises ProtocolError(server_full) if the address of `session` has its share of matches.

        Somebody who has none may always open one: a neighbour who takes the whole share keeps nobody from playing.
        """
        use = self._of.get(session)
        if use is None or session.directs or not (session.created or session.playing):
            return
        if len(use.matches) >= self.shares.matches:
            raise _full("your address has as many matches open as it may")
        if waiting and len(use.waiting) >= self.shares.waiting:
            raise _full("too many matches that were opened from your address wait for players")

    def taken_over(self, session: Session, table: Table) -> None:
        """A match that is counted goes on for `session`: it is counted at their address from now on.

        Else somebody could open one match after the other, and hand each to somebody who holds many.
        """
        before, use = self._opened.pop(table.match.id, None), self._of.get(session)
        for matches in () if before is None else (before.matches, before.waiting):
            matches.discard(table.match.id)
        if use is not None and not session.directs:
            self._count(use, table)

    def check_league(self, session: Session) -> None:
        """Raises ProtocolError(server_full) if the address of `session` hosts its share of leagues."""
        use = self._of.get(session)
        if use is None or session.directs:
            return
        if sum(len(host.hosts) for host in use.arrangers if not host.directs) >= self.shares.leagues:
            raise _full("your address hosts as many leagues as it may")

    def arranges(self, session: Session) -> None:
        """A session may host or show leagues now."""
        use = self._of.get(session)
        if use is not None:
            if session.hosts or session.shows:
                use.arrangers.add(session)
            else:
                use.arrangers.discard(session)

    def check_scoreboard(self, session: Session) -> None:
        """Raises ProtocolError(server_full) if the address of `session` shows its share of leagues."""
        use = self._of.get(session)
        if use is None or session.directs:
            return
        if sum(len(one.shows) for one in use.arrangers if not one.directs) >= self.shares.leagues:
            raise _full("your address shows as many leagues as it may")

    def opened(self, session: Session, table: Table) -> None:
        """A session has opened a match; those of organisers take nothing from others at their address."""
        use = self._of.get(session)
        if use is not None and not session.directs:
            self._count(use, table)

    def _count(self, use: AddressUse, table: Table) -> None:
        use.matches.add(table.match.id)
        self._opened[table.match.id] = use
        if table.is_waiting() and len(table.sessions) + len(table.invited) < 2:
            use.waiting.add(table.match.id)

    def started(self, table: Table) -> None:
        """A match waits no longer."""
        use = self._opened.get(table.match.id)
        if use is not None:
            use.waiting.discard(table.match.id)

    def closed(self, table: Table) -> None:
        """A match is over."""
        use = self._opened.pop(table.match.id, None)
        if use is not None:
            use.matches.discard(table.match.id)
            use.waiting.discard(table.match.id)


def _full(text: str) -> ProtocolError:
    return ProtocolError(ErrorCode.SERVER_FULL, text, retry_after_ms=RETRY_MS)
