"""Who has entered which league: a session hosts it under a code, others enter with that. Pure.

What a league is, who meets whom and what comes of it is its host's business: the server only says who is there. A code
belongs to the session that it was drawn for, also over a restart: the token that brings this session back is what gives
the right to the code, and nothing else does. Who has entered is not kept: they enter again.

A host may hand over a roster: then whoever enters shows a personal code, and enters as the name on the roster that it
stands for, whatever the session is called. The newest session with a personal code counts.

Without a roster, a name belongs to whoever has entered under it first (see `server.referee.bindings`); with one, a key
that is shown beside the personal code is asked for from then on. The host hears of those who come with a name that is
not theirs.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence

from msgspec import UNSET, MsgspecError
from msgspec import json as msgjson
from msgspec.structs import replace

from protocol.codec import error_message
from protocol.errors import ErrorCode, ProtocolError
from protocol.messages import Dismiss, Enter, Entrant, EntryRefused, HostLeague, Ok, Roster
from protocol.values import personal_hash
from server.names.text import display_name
from server.referee.bindings import Binding, Bindings
from server.referee.effects import EntriesFreed, EntryBound, LeagueClosed, LeagueHosted
from server.referee.measurements import UNMEASURED, Measurements
from server.referee.outgoing import Outgoing
from server.referee.sessions import Session
from server.referee.stored import RestoreError, StoredLeague

MOST_HOSTED = 10
"""Leagues that one session may host."""

MOST_ENTERED = 10
"""Leagues that one session may have entered."""

MOST_OF_ADDRESS = 128
"""Names that one address may take in a league without a roster: one machine does not fill it."""

CODE_ATTEMPTS = 64
"""Draws before the server counts as full: with half of all codes taken, one attempt in 10^19 finds no free one."""

TOLD_SECONDS = 10.0
"""The least time between two messages to a host about the same name, however often somebody tries it."""

_roster = msgjson.Decoder(Roster)


class RefusedEntries:
    """Refused attempts to enter under one name: when the host was last told of them, and how many came since."""

    __slots__ = ("count", "told_at")

    def __init__(self) -> None:
        self.count = 0
        self.told_at = -math.inf


class Leagues:
    """All leagues, by code. `new_code` draws one that leads nowhere else."""

    def __init__(
        self,
        new_code: Callable[[], str],
        measured: Measurements = UNMEASURED,
    ) -> None:
        self._new_code = new_code
        self._measured = measured
        self._hosts: dict[str, Session] = {}
        self._rosters: dict[str, Mapping[str, str]] = {}  # of leagues that have one: hash of a personal code -> name
        self._bindings: dict[str, Bindings] = {}
        self._owners: dict[str, dict[str, Session]] = {}  # of names, by the session's id
        self._refusals: dict[str, dict[str, RefusedEntries]] = {}
        self._takers: dict[str, dict[str, str]] = {}  # the address that took each name, since the server started

    def restore(self, kept: Iterable[StoredLeague], find: Callable[[str], Session | None]) -> None:
        """Takes back the leagues whose hosts are still known; nobody has entered them. Raises RestoreError."""
        for league in kept:
            host = find(league.session)
            if host is None:
                continue
            self._hosts[league.code] = host
            host.hosts[league.code] = {}
            bindings = self._bindings[league.code] = Bindings()
            for entry in league.entries:
                bindings.put(Binding(*entry))
                self._own_name(league.code, find(entry.session))
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
        news = self._news(session, request)
        if request.roster is not None:
            _check(request.roster)
        if request.code is None:
            code = self._fresh_code(session)
            self._hosts[code] = session
            self._bindings[code] = Bindings()
            session.hosts[code] = {}
        else:
            code = self._own(session, request.code)
        if request.roster is not None:
            self._rosters[code] = {one.hash: one.name for one in request.roster}
        if request.roster is not None or request.code is None:
            text = "" if request.roster is None else msgjson.encode(request.roster).decode()
            out.record(LeagueHosted(code, session.id, text))
        for binding in news:
            self._bind(code, binding, out)
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
            if request.free:
                self._free(code, request.name, out)
            for entrant, entry in list(session.hosts[code].items()):
                if request.name == entry:
                    self._put_out(code, entrant, "removed", out)
        out.ok(session, request.id)

    def host_for(self, session: Session, code: str) -> Session:
        """The host of a league, for an entrant or an organiser; raises ProtocolError(no_such_league)."""
        if code not in self._hosts or not (code in session.entered or session.directs):
            raise _unknown()
        return self._hosts[code]

    def entrants(self, session: Session, code: str) -> Mapping[Session, str]:
        """Who has entered a league that `session` hosts, and as whom; raises ProtocolError(no_such_league)."""
        return session.hosts[self._own(session, code)]

    def _news(self, session: Session, request: HostLeague) -> Sequence[Binding]:
        """The bindings that a returning host hands over and that were not known here; raises ProtocolError."""
        bindings = Bindings() if request.code is None else self._bindings[self._own(session, request.code)]
        has_roster = request.roster is not None or (request.code or "").upper() in self._rosters
        return bindings.news(request.bound, has_roster=has_roster)

    def _own(self, session: Session, typed: str) -> str:
        """The code of a league that `session` hosts."""
        code = typed.upper()
        if code not in session.hosts:
            raise _unknown()
        return code

    def _fresh_code(self, session: Session) -> str:
        if len(session.hosts) >= MOST_HOSTED:
            raise ProtocolError(ErrorCode.SERVER_FULL, "you host as many leagues as one may", retry_after_ms=60_000)
        for _ in range(CODE_ATTEMPTS):
            if (code := self._new_code()) not in self._hosts:
                return code
        raise ProtocolError(ErrorCode.SERVER_FULL, "too many leagues are open", retry_after_ms=60_000)

    # --------------------------------------------------------------------------------------------------- who comes in

    def enter(self, session: Session, request: Enter, out: Outgoing, now: float) -> None:
        """Enters a league; entering again is harmless.

        Raises ProtocolError (no_such_league, bad_code, bad_name, not_yours, out_of_league, server_full).
        """
        code = request.code.upper()
        if code not in self._hosts:
            raise _unknown()
        known = self._known(code, session, request)
        if not known.admits(session.id, request.key):
            self._refused(code, known.name, session, out, now)
            raise ProtocolError(ErrorCode.NOT_YOURS, "the name belongs to somebody else in this league")
        entry, entrants = known.name, self._hosts[code].hosts[code]
        before = entrants.get(session)
        others = [one for one, its in entrants.items() if its == entry and one is not session]
        if request.again and others:
            raise _OUT["replaced"]
        if request.again and known.is_free and self._bindings[code].exact(entry) is not None:
            raise _OUT["removed"]  # the name was given free, so that somebody else may have it
        if code not in session.entered and len(session.entered) >= MOST_ENTERED:
            raise ProtocolError(ErrorCode.SERVER_FULL, "you have entered as many leagues as one may")
        if request.key is not None or code not in self._rosters:
            self._claim(code, known, session, request.key, out)
        for other in others:
            self._put_out(code, other, "replaced", out, heard=False)
        if before is not None and before != entry:
            self._tell(code, session, out, gone=True)
        entrants[session] = entry
        session.entered[code] = None
        out.send(session, Ok(request.id, code=code))
        self._tell(code, session, out, replaced=others[0].name if others else None)

    def _known(self, code: str, session: Session, request: Enter) -> Binding:
        """As whom somebody enters, and whom that name belongs to; raises ProtocolError (bad_code, bad_name).

        A name that belongs to nobody comes with neither a hash nor a session.
        """
        bindings = self._bindings[code]
        if code in self._rosters:
            name = self._on_roster(code, request.personal)
            return bindings.exact(name) or Binding(name, code, "", "")
        wished = None if request.name is None else bindings.like(display_name(request.name))
        return wished or bindings.like(session.name) or Binding(session.name, code, "", "")

    def _on_roster(self, code: str, personal: str | None) -> str:
        """The name on the roster that a personal code stands for; raises ProtocolError(bad_code).

        The answer does not say whether a code was missing, wrong, or that of another league.
        """
        name = None if personal is None else self._rosters[code].get(personal_hash(code, personal))
        if name is None:
            raise ProtocolError(ErrorCode.BAD_CODE, "this league asks for a personal code, and this is none of its")
        return name

    def _claim(self, code: str, known: Binding, session: Session, key: str | None, out: Outgoing) -> None:
        """Binds the name to the session that enters under it; raises ProtocolError(server_full)."""
        binding = known.entered(code, session.id, key)
        if binding != self._bindings[code].exact(known.name):
            self._bindings[code].check(binding)
            self._count(code, known, session)
            self._bind(code, binding, out)
            self._disown(code, known.session)
        self._own_name(code, session)

    def _count(self, code: str, known: Binding, session: Session) -> None:
        """Charges a name that was nobody's to an address's share; raises ProtocolError(server_full).

        Personal codes are handed out by the host, so names on a roster are nobody's share.
        """
        connection = session.connection
        origin = None if connection is None else self._measured.address_of(connection)
        if origin is None or not known.is_free or code in self._rosters:
            return
        takers = self._takers.setdefault(code, {})
        if sum(one == origin for name, one in takers.items() if name != known.name) >= MOST_OF_ADDRESS:
            raise ProtocolError(ErrorCode.SERVER_FULL, "your address has as many names in this league as it may")
        takers[known.name] = origin

    def _own_name(self, code: str, owner: Session | None) -> None:
        """A name in a league belongs to a session (and perhaps to a key), which is expected back."""
        if owner is not None:
            self._owners.setdefault(code, {})[owner.id] = owner
            owner.bound.add(code)

    def _disown(self, code: str, session_id: str) -> None:
        """A session has lost a name; if it has no other in this league, it is no longer an owner of names there."""
        if all(one.session != session_id for one in self._bindings[code]):
            owner = self._owners.get(code, {}).pop(session_id, None)
            if owner is not None:
                owner.bound.discard(code)

    def _bind(self, code: str, binding: Binding, out: Outgoing) -> None:
        self._bindings[code].put(binding)
        out.record(EntryBound(code, *binding))

    def _free(self, code: str, name: str, out: Outgoing) -> None:
        """A name belongs to nobody any more; raises ProtocolError(server_full)."""
        freed, free = self._bindings[code].exact(name), Binding(name, code, "", "")
        if freed != free:
            self._bindings[code].check(free)
            self._bind(code, free, out)
        if freed is not None:
            self._disown(code, freed.session)
        self._refusals.get(code, {}).pop(name, None)
        self._takers.get(code, {}).pop(name, None)

    def _refused(self, code: str, name: str, session: Session, out: Outgoing, now: float) -> None:
        """Tells the host that somebody wanted a name that is not theirs, at most once in TOLD_SECONDS.

        Their address is told only to a host with the organisers' secret, who can see it in the log anyway.
        """
        refused = self._refusals.setdefault(code, {}).setdefault(name, RefusedEntries())
        refused.count += 1
        host = self._hosts[code]
        if host.connection is None or now - refused.told_at < TOLD_SECONDS:
            return
        asked = session.connection
        origin = self._measured.address_of(asked) if host.directs and asked is not None else None
        out.send(host, EntryRefused(code, name, refused.count, UNSET if origin is None else origin))
        refused.count, refused.told_at = 0, now

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
        for code in session.bound:
            del self._owners[code][session.id]
        session.bound.clear()

    def _close(self, code: str, out: Outgoing) -> None:
        host = self._hosts[code]
        if len(self._bindings[code]):
            out.record(EntriesFreed(code))
        out.record(LeagueClosed(code))
        for entrant in list(host.hosts[code]):
            self._put_out(code, entrant, "closed", out, heard=False)
        del self._hosts[code], host.hosts[code], self._bindings[code]
        self._rosters.pop(code, None)
        self._refusals.pop(code, None)
        self._takers.pop(code, None)
        for owner in self._owners.pop(code, {}).values():
            owner.bound.discard(code)

    def _put_out(self, code: str, session: Session, why: str, out: Outgoing, *, heard: bool = True) -> None:
        """Takes somebody out of a league and tells them why; `heard`: whether the host is told, too."""
        if heard:
            self._tell(code, session, out, gone=True)
        del self._hosts[code].hosts[code][session]
        session.entered.pop(code, None)
        out.send(session, error_message(_OUT[why], UNSET))

    def _tell(
        self, code: str, session: Session, out: Outgoing, *, replaced: str | None = None, gone: bool = False
    ) -> None:
        host = self._hosts[code]
        entry, player, connection = host.hosts[code][session], session.player, session.connection
        if gone:
            player = replace(player, present=False)
        binding = self._bindings[code].exact(entry)
        bound = None if binding is None else binding.told()
        shown = entry if code in self._rosters or entry != player.name else UNSET
        rtt_ms = 0 if gone or connection is None else self._measured.lag_ms(connection)
        out.send(host, Entrant(code, player, shown, replaced or UNSET, bound or UNSET, rtt_ms or UNSET))


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
