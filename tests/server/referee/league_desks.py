"""Hosts and guests of leagues at the desk, also after a restart of the server."""

from dataclasses import replace

from msgspec import UNSET, UnsetType

from protocol.messages import Entrant, Error, HostLeague, RosterEntry
from protocol.values import personal_hash
from server.referee.effects import (
    EntriesFreed,
    EntryBound,
    LeagueClosed,
    LeagueHosted,
    SessionForgotten,
    SessionOpened,
    TokenChanged,
)
from server.referee.stored import StoredEntry, StoredLeague, StoredSession
from tests.server.desk import Desk, User


def opened(host: User, code: str | None = None) -> str:
    """The code of a league that `host` opens; one that it had opens again."""
    answer = host.ok(HostLeague(host.desk.request_id(), code))
    assert isinstance(answer.code, str)
    return answer.code


def heard(host: User) -> list[tuple[str, bool]]:
    """Who has entered, and whether they are there, as the host was told by the last step."""
    return [(entrant.player.name, entrant.player.present) for entrant in host.said(Entrant)]


def restarted(desk: Desk) -> Desk:
    """A desk whose referee has what the records of the one before it keep of sessions and leagues."""
    sessions: dict[str, StoredSession] = {}
    leagues: dict[str, StoredLeague] = {}
    for record in desk.records:
        match record:
            case SessionOpened(session, name, kind, token):
                sessions[session] = StoredSession(session, name, kind, token, None)
            case TokenChanged(session, token, previous):
                sessions[session] = replace(sessions[session], token=token, previous=previous)
            case SessionForgotten(session):
                del sessions[session]
            case LeagueHosted(code, session, roster):
                leagues[code] = StoredLeague(code, session, roster, leagues[code].entries if code in leagues else ())
            case LeagueClosed(code):
                del leagues[code]
            case EntryBound(league, name, code, hash_, session):
                others = [one for one in leagues[league].entries if one.name != name]
                kept = (*others, StoredEntry(name, code, hash_, session))
                leagues[league] = replace(leagues[league], entries=kept)
            case EntriesFreed(league):
                leagues[league] = replace(leagues[league], entries=())
            case _:
                raise AssertionError(record)
    again = Desk(now=desk.now)
    again.perform(again.referee.restore(sessions.values(), (), again.now, leagues.values()))
    return again


def returned(user: User, desk: Desk) -> User:
    """The same user, with the same token, at a desk after a restart."""
    again = User(desk, user.name, user.kind)
    again.token = user.token
    again.hello()
    return again


def roster(code: str, **codes: str) -> tuple[RosterEntry, ...]:
    return tuple(RosterEntry(name, personal_hash(code, personal)) for name, personal in codes.items())


def closed_league(host: User, **codes: str) -> str:
    """The code of a league that only those enter who know a personal code."""
    code = opened(host)
    host.ok(HostLeague(host.desk.request_id(), code, roster(code, **codes)))
    return code


def why(user: User) -> list[object]:
    """Why the last step has put a user out of a league."""
    said = user.said(Error)
    assert all(error.code == "out_of_league" and not error.fatal and error.id is UNSET for error in said)
    return [error.data["why"] for error in said if not isinstance(error.data, UnsetType)]
