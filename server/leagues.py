"""Who has entered which league: a session hosts it under a code, others enter with that. Pure.

What a league is, who meets whom and what comes of it is its host's business: the server only says who is there. A code
belongs to the session that it was drawn for, also over a restart: the token that brings this session back is what gives
the right to the code, and nothing else does. Who has entered is not kept: they enter again.

A host may hand over a roster: then whoever enters shows a personal code, and enters as the name on the roster that it
stands for, whatever the session is called. The newest session with a personal code counts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from msgspec import UNSET, MsgspecError
from msgspec import json as msgjson

from protocol.codec import error_message
from protocol.errors import ErrorCode, ProtocolError
from protocol.messages import Dismiss, Enter, Entrant, HostLeague, Ok, Roster
from protocol.values import Player, personal_hash
from server.effects import LeagueClosed, LeagueHosted
from server.outgoing import Outgoing
from server.sessions import Session
from server.stored import RestoreError, StoredLeague

MOST_HOSTED = 10
"""Leagues that one session may host."""

MOST_ENTERED = 10
"""Leagues that one session may have entered."""

DRAWS = 64
"""Codes that are drawn before a server counts as full: half of all taken, one in 10^19 finds none that is free."""

_roster = msgjson.Decoder(Roster)


class Leagues:
    """All leagues, by code. `new_code` draws one that leads nowhere else."""

    def __init__(self, new_code: Callable[[], str]) -> None:
        self._new_code = new_code
        self._hosts: dict[str, Session] = {}
        self._rosters: dict[str, Mapping[str, str]] = {}  # of leagues that have one: hash of a personal code -> name

    def restore(self, kept: Iterable[StoredLeague], find: Callable[[str], Session | None]) -> None:
        """Takes back the leagues whose hosts are still known; nobody has entered them. Raises RestoreError."""
        for league in kept:
            host = find(league.session)
            if host is None:
                continue
            self._hosts[league.code] = host
            host.hosts[league.code] = {}
            if league.roster:
                try:
                    roster = _roster.decode(league.roster)
                except MsgspecError as error:
                    raise RestoreError(f"league {league.code}: {error}") from error
                self._rosters[league.code] = {one.hash: one.name for one in roster}

    # ------------------------------------------------------------------------------------------------------- the host

    def host(self, session: Session, request: HostLeague, out: Outgoing) -> None:
        """Opens a league, or takes over one's own again; raises ProtocolError.

        A code that was never given out and one that belongs to another session are refused alike.
        """
        if request.roster is not None:
            _check(request.roster)
        if request.code is None:
            code = self._fresh_code(session)
            self._hosts[code] = session
            session.hosts[code] = {}
        else:
            code = self._own(session, request.code)
        if request.roster is not None:
            self._rosters[code] = {one.hash: one.name for one in request.roster}
        if request.roster is not None or request.code is None:
            text = "" if request.roster is None else msgjson.encode(request.roster).decode()
            out.record(LeagueHosted(code, session.id, text))
        out.send(session, Ok(request.id, code=code))
        if request.roster is not None:
            names = {one.name for one in request.roster}
            for entrant in [one for one, entry in session.hosts[code].items() if entry not in names]:
                self._put_out(code, entrant, "removed", out)
        for entrant in session.hosts[code]:
            self._tell(code, entrant, out)

    def dismiss(self, session: Session, request: Dismiss, out: Outgoing) -> None:
        """Sends away who has entered under a name, or closes the league; raises ProtocolError(no_such_league)."""
        code = self._own(session, request.code)
        if request.name is None:
            self._close(code, out)
        else:
            for entrant, entry in list(session.hosts[code].items()):
                if request.name == (entry or entrant.name):
                    self._put_out(code, entrant, "removed", out)
        out.ok(session, request.id)

    def _own(self, session: Session, typed: str) -> str:
        """The code of a league that `session` hosts."""
        code = typed.upper()
        if code not in session.hosts:
            raise _unknown()
        return code

    def _fresh_code(self, session: Session) -> str:
        if len(session.hosts) >= MOST_HOSTED:
            raise ProtocolError(ErrorCode.SERVER_FULL, "you host as many leagues as one may", retry_after_ms=60_000)
        for _ in range(DRAWS):
            if (code := self._new_code()) not in self._hosts:
                return code
        raise ProtocolError(ErrorCode.SERVER_FULL, "too many leagues are open", retry_after_ms=60_000)

    # --------------------------------------------------------------------------------------------------- who comes in

    def enter(self, session: Session, request: Enter, out: Outgoing) -> None:
        """Enters a league; entering again is harmless. Raises ProtocolError (no_such_league, bad_code, server_full)."""
        code = request.code.upper()
        if code not in self._hosts:
            raise _unknown()
        entry = self._entry(code, request.personal)
        if code not in session.entered and len(session.entered) >= MOST_ENTERED:
            raise ProtocolError(ErrorCode.SERVER_FULL, "you have entered as many leagues as one may")
        entrants = self._hosts[code].hosts[code]
        before = entrants.get(session)
        others = [one for one, its in entrants.items() if entry is not None and its == entry and one is not session]
        for other in others:
            self._put_out(code, other, "replaced", out, heard=False)
        if before is not None and before != entry:
            self._tell(code, session, out, gone=True)
        entrants[session] = entry
        session.entered[code] = None
        out.send(session, Ok(request.id, code=code))
        self._tell(code, session, out, replaced=others[0].name if others else None)

    def _entry(self, code: str, personal: str | None) -> str | None:
        """The name on the roster that a personal code stands for, None without a roster; raises bad_code.

        The answer does not say whether a code was missing, wrong, or of a league of which it is not.
        """
        roster = self._rosters.get(code)
        if roster is None:
            return None
        name = None if personal is None else roster.get(personal_hash(code, personal))
        if name is None:
            raise ProtocolError(ErrorCode.BAD_CODE, "this league asks for a personal code, and this is none of its")
        return name

    # ------------------------------------------------------------------------------------------------- who comes, goes

    def presence(self, session: Session, out: Outgoing) -> None:
        """Tells the hosts of a session's leagues that it came or went."""
        for code in session.entered:
            self._tell(code, session, out)

    def forget(self, session: Session, out: Outgoing) -> None:
        """A session is over: its leagues are closed, and it has left those of others."""
        for code in list(session.hosts):
            self._close(code, out)
        for code in session.entered:
            del self._hosts[code].hosts[code][session]
        session.entered.clear()

    def _close(self, code: str, out: Outgoing) -> None:
        host = self._hosts[code]
        out.record(LeagueClosed(code))
        for entrant in list(host.hosts[code]):
            self._put_out(code, entrant, "closed", out, heard=False)
        del self._hosts[code], host.hosts[code]
        self._rosters.pop(code, None)

    def _put_out(self, code: str, session: Session, why: str, out: Outgoing, *, heard: bool = True) -> None:
        """Somebody is no longer in a league, and is told why; `heard` by its host, too."""
        if heard:
            self._tell(code, session, out, gone=True)
        del self._hosts[code].hosts[code][session]
        session.entered.pop(code, None)
        out.send(session, error_message(_OUT[why], UNSET))

    def _tell(
        self, code: str, session: Session, out: Outgoing, *, replaced: str | None = None, gone: bool = False
    ) -> None:
        host = self._hosts[code]
        entry, player = host.hosts[code][session], session.player
        if gone:
            player = Player(player.name, player.kind, present=False)
        out.send(host, Entrant(code, player, entry or UNSET, replaced or UNSET))


_OUT: Mapping[str, ProtocolError] = {
    why: ProtocolError(ErrorCode.OUT_OF_LEAGUE, message, data={"why": why})
    for why, message in (
        ("replaced", "somebody has entered the league with your personal code since"),
        ("removed", "the host has sent you away from the league"),
        ("closed", "the league is over"),
    )
}


def _unknown() -> ProtocolError:
    return ProtocolError(ErrorCode.NO_SUCH_LEAGUE, "there is no league with this code", retry_after_ms=2000)


def _check(roster: Roster) -> None:
    """Raises ProtocolError(bad_message) for a roster on which a name, or a code, stands twice."""
    if len({one.name for one in roster}) < len(roster) or len({one.hash for one in roster}) < len(roster):
        raise ProtocolError(ErrorCode.BAD_MESSAGE, "each name and each hash stands once on a roster")
