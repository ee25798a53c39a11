"""Leagues on a server: who hosts, who enters, who is there."""

from typing import Literal

import pytest
from msgspec import UNSET, structs

from protocol.messages import Create, Dismiss, Enter, Entrant, Error, Hello, HostLeague, Kick, Player, RosterEntry
from server.referee.effects import (
    LeagueClosed,
)
from server.referee.leagues import Leagues
from server.referee.sessions import HOST_KEPT_SECONDS
from server.referee.stored import RestoreError, StoredLeague, StoredSession
from tests.server.desk import Desk, User
from tests.server.referee.league_desks import closed_league, heard, opened, restarted, returned, roster, why


@pytest.fixture
def desk() -> Desk:
    return Desk()


def test_the_host_hears_who_enters_goes_and_comes_back(desk: Desk) -> None:
    host, ada, bob = desk.user("Host"), desk.user("Ada", "bot"), desk.user("Bob", "bot")
    code = opened(host)
    ada.ok(Enter(desk.request_id(), code.lower()))
    assert heard(host) == [("Ada", True)]
    ada.ok(Enter(desk.request_id(), code))
    ada.drop()
    assert heard(host)[-1] == ("Ada", False)
    ada.connection = desk.connect()
    ada.hello()
    assert heard(host)[-1] == ("Ada", True)
    bob.ok(Enter(desk.request_id(), code))
    assert {entrant.code for entrant in host.said(Entrant)} == {code}
    assert not ada.said(Entrant)


def test_a_host_that_returns_hears_of_everybody_again(desk: Desk) -> None:
    host, ada = desk.user("Host"), desk.user("Ada", "bot")
    code = opened(host)
    ada.ok(Enter(desk.request_id(), code))
    host.drop()
    host.connection = desk.connect()
    host.hello()
    assert opened(host, code) == code
    assert heard(host)[-1] == ("Ada", True)


@pytest.mark.parametrize("kind", ["human", "bot"])
def test_no_stranger_keeps_a_host_from_inviting_who_has_entered(desk: Desk, kind: Literal["human", "bot"]) -> None:
    host, zoe, stranger = desk.user("Host"), desk.user("Zoe", kind), desk.user("Stranger")
    zoe.ok(Enter(desk.request_id(), opened(host)))

    def invites(user: User) -> str:
        answer = user.ask(Create(desk.request_id(), "morpion", invite=("Zoe",)))
        return answer.code if isinstance(answer, Error) else "ok"

    said = [invites(stranger) for _ in range(12)]
    assert said[-1] == "busy"
    assert ("ok" in said) is (kind == "human")  # a bot in a league plays for its host only
    assert [invites(host) for _ in range(12)] == ["ok"] * 12


def test_a_code_that_was_never_given_out_opens_nothing(desk: Desk) -> None:
    """Who says first what code he wants has no right to it."""
    host = desk.user("Host")
    assert host.refused(HostLeague(desk.request_id(), "BATOMI")) == "no_such_league"
    assert not desk.records[1:]


def test_nobody_takes_the_league_of_another(desk: Desk) -> None:
    """The answer does not tell whether there is such a league."""
    host, eve = desk.user("Host"), desk.user("Eve")
    code = opened(host)
    theirs = eve.ask(HostLeague(desk.request_id(), code))
    nobodys = eve.ask(HostLeague(desk.request_id(), "QUOXIL"))
    assert isinstance(theirs, Error)
    assert isinstance(nobodys, Error)
    assert theirs.code == "no_such_league"
    assert replace_id(theirs) == replace_id(nobodys)
    assert eve.refused(Dismiss(desk.request_id(), code)) == "no_such_league"
    assert opened(eve) != code


def replace_id(error: Error) -> Error:
    """The error without the number of the request that it answers."""
    return structs.replace(error, id=UNSET)


def test_a_code_belongs_to_its_host_also_after_a_restart(desk: Desk) -> None:
    host, eve = desk.user("Host"), desk.user("Eve")
    code = opened(host)
    desk = restarted(desk)
    eve = returned(eve, desk)
    assert eve.refused(HostLeague(desk.request_id(), code)) == "no_such_league"
    assert desk.user("Host 2").refused(HostLeague(desk.request_id(), code)) == "no_such_league"
    eve.ok(Enter(desk.request_id(), code))
    host = returned(host, desk)
    assert opened(host, code) == code
    assert heard(host) == [("Eve", True)]


def test_a_restart_keeps_the_roster_too(desk: Desk) -> None:
    host, ada = desk.user("Host"), desk.user("Ada", "bot")
    code = opened(host)
    host.ok(HostLeague(desk.request_id(), code, roster(code, Ada="bidule")))
    assert "bidule" not in repr(desk.records).lower()
    desk = restarted(desk)
    ada = returned(ada, desk)
    assert ada.refused(Enter(desk.request_id(), code)) == "bad_code"
    ada.ok(Enter(desk.request_id(), code, "Bidule"))


def test_a_league_whose_host_is_forgotten_does_not_come_back(desk: Desk) -> None:
    host = desk.user("Host")
    code = opened(host)
    host.drop()
    desk.wait(HOST_KEPT_SECONDS + 301)
    assert LeagueClosed(code) in desk.records
    desk = restarted(desk)
    assert desk.user("Ada").refused(Enter(desk.request_id(), code)) == "no_such_league"


def test_a_roster_that_can_t_be_read_is_damage() -> None:
    desk = Desk()
    kept = StoredSession("s1", "Host", "human", b"", None)
    with pytest.raises(RestoreError, match="BATOMI"):
        desk.referee.restore([kept], (), 0.0, [StoredLeague("BATOMI", "s1", "[{")])


def test_a_code_that_is_taken_is_drawn_again_but_not_for_ever() -> None:
    drawn = iter(["BATOMI", "BATOMI", "BATIMU"])
    leagues = Leagues(lambda: next(drawn, "BATOMI"))
    desk = Desk()
    desk.referee.leagues = leagues
    host, other = desk.user("Host"), desk.user("Other")
    assert opened(host) == "BATOMI"
    assert opened(other) == "BATIMU"
    assert other.refused(HostLeague(desk.request_id())) == "server_full"


def test_a_session_hosts_so_many_and_no_more(desk: Desk) -> None:
    host = desk.user("Host")
    codes = {opened(host) for _ in range(10)}
    assert len(codes) == 10
    assert host.refused(HostLeague(desk.request_id())) == "server_full"


def test_a_league_waits_for_its_host_while_somebody_is_there(desk: Desk) -> None:
    """Nobody else gets the code or the host's name meanwhile, and the host finds again who is there."""
    host, ada, bob, eve = desk.user("Host"), desk.user("Ada", "bot"), desk.user("Bob", "bot"), desk.user("Eve")
    code = opened(host)
    ada.ok(Enter(desk.request_id(), code))
    bob.ok(Enter(desk.request_id(), code))
    host.drop()
    bob.drop()
    desk.wait(3 * 3600)
    assert eve.refused(HostLeague(desk.request_id(), code)) == "no_such_league"
    late = desk.user("Late", "bot")
    late.ok(Enter(desk.request_id(), code))
    host.connection = desk.connect()
    host.hello()
    assert opened(host, code) == code
    assert heard(host)[-2:] == [("Ada", True), ("Late", True)]
    ada.drop()
    assert heard(host)[-1] == ("Ada", False)


def test_a_league_that_a_day_has_gone_over_ends_with_the_last_who_waits(desk: Desk) -> None:
    host, ada = desk.user("Host"), desk.user("Ada", "bot")
    code = opened(host)
    ada.ok(Enter(desk.request_id(), code))
    host.drop()
    desk.wait(2 * HOST_KEPT_SECONDS)
    late = desk.user("Late", "bot")
    late.ok(Enter(desk.request_id(), code))
    ada.drop()
    desk.wait(301)
    late.drop()
    desk.wait(301)
    assert not desk.referee.sessions.named("Host")
    assert desk.user("Eve").refused(Enter(desk.request_id(), code)) == "no_such_league"


def test_a_host_has_a_day_to_come_back(desk: Desk) -> None:
    """Meanwhile nobody gets the name of the session, and with it the end of the league."""
    host = desk.user("Host")
    code = opened(host)
    host.drop()
    desk.wait(HOST_KEPT_SECONDS - 1)
    eve = User(desk, "Host")
    answer = desk.ask(eve.connection, Hello(desk.request_id(), 1, "test", "human", "Host"))
    assert isinstance(answer, Error)
    assert answer.code == "name_taken"
    host.back()
    assert opened(host, code) == code
    host.drop()
    desk.wait(HOST_KEPT_SECONDS + 301)
    assert desk.user("Ada").refused(Enter(desk.request_id(), code)) == "no_such_league"


# ------------------------------------------------------------------------------------------------------ personal codes


def test_who_enters_with_a_personal_code_enters_as_its_name(desk: Desk) -> None:
    host, eve = desk.user("Host"), desk.user("whoever", "bot")
    code = closed_league(host, Ada="bidule", Bob="fatima")
    eve.ok(Enter(desk.request_id(), code.lower(), "biDule"))
    assert host.said(Entrant) == [Entrant(code, Player("whoever", "bot"), "Ada")]
    eve.ok(Enter(desk.request_id(), code, "bidule"))
    assert host.said(Entrant) == [Entrant(code, Player("whoever", "bot"), "Ada")]
    eve.ok(Enter(desk.request_id(), code, "fatima"))
    assert host.said(Entrant) == [
        Entrant(code, Player("whoever", "bot", present=False), "Ada"),
        Entrant(code, Player("whoever", "bot"), "Bob"),
    ]


def test_a_name_opens_nothing_and_all_refusals_are_alike(desk: Desk) -> None:
    host, eve = desk.user("Host"), desk.user("Ada", "bot")
    code = closed_league(host, Ada="bidule")
    other = closed_league(desk.user("Other host"), Ada="fatima")
    tried = [None, "", "Ada", "fatima", code, other, "bidul", "bidulee", "\ud800"]
    answers = [eve.ask(Enter(desk.request_id(), code, personal)) for personal in tried]
    assert len({(one.code, one.message) for one in answers if isinstance(one, Error)}) == 1
    assert {one.code for one in answers if isinstance(one, Error)} == {"bad_code"}
    assert all(isinstance(one, Error) for one in answers)
    assert not [said for said in desk.received[host.connection] if isinstance(said, Entrant)]


def test_the_newest_session_with_a_personal_code_counts(desk: Desk) -> None:
    host, one, two = desk.user("Host"), desk.user("Ada", "bot"), desk.user("Ada 2", "bot")
    code = closed_league(host, Ada="bidule")
    one.ok(Enter(desk.request_id(), code, "bidule"))
    two.ok(Enter(desk.request_id(), code, "bidule"))
    assert host.said(Entrant) == [Entrant(code, Player("Ada 2", "bot"), "Ada", "Ada")]
    assert why(one) == ["replaced"]
    one.drop()
    assert not host.said(Entrant), "it is no longer in the league"
    two.drop()
    assert host.said(Entrant) == [Entrant(code, Player("Ada 2", "bot", present=False), "Ada")]


def test_who_is_taken_off_the_roster_is_out(desk: Desk) -> None:
    host, ada, bob = desk.user("Host"), desk.user("Ada", "bot"), desk.user("Bob", "bot")
    code = closed_league(host, Ada="bidule", Bob="fatima")
    ada.ok(Enter(desk.request_id(), code, "bidule"))
    bob.ok(Enter(desk.request_id(), code, "fatima"))
    host.ok(HostLeague(desk.request_id(), code))
    assert heard(host) == [("Ada", True), ("Bob", True)], "a league keeps its roster when none is given"
    host.ok(HostLeague(desk.request_id(), code, roster(code, Bob="fatima")))
    assert heard(host) == [("Ada", False), ("Bob", True)]
    assert (why(ada), why(bob)) == (["removed"], [])
    assert ada.refused(Enter(desk.request_id(), code, "bidule")) == "bad_code"


@pytest.mark.parametrize("twice", ["name", "hash"])
def test_a_roster_with_one_twice_changes_nothing(desk: Desk, twice: str) -> None:
    host = desk.user("Host")
    code = closed_league(host, Ada="bidule")
    (one,) = roster(code, Bob="fatima")
    other = RosterEntry("Bob", "0" * 64) if twice == "name" else RosterEntry("Cleo", one.hash)
    kept = len(desk.records)
    assert host.refused(HostLeague(desk.request_id(), code, (one, other))) == "bad_message"
    assert host.refused(HostLeague(desk.request_id(), None, (one, other))) == "bad_message"
    assert len(desk.records) == kept
    desk.user("Ada").ok(Enter(desk.request_id(), code, "bidule"))


def test_a_league_without_a_roster_looks_at_no_personal_code(desk: Desk) -> None:
    host, ada = desk.user("Host"), desk.user("Ada", "bot")
    code = opened(host)
    ada.ok(Enter(desk.request_id(), code, "whatever"))
    assert host.said(Entrant) == [Entrant(code, Player("Ada", "bot"))]


# ------------------------------------------------------------------------------------------------------------ farewell


def test_a_host_sends_somebody_away(desk: Desk) -> None:
    host, ada, bob = desk.user("Host"), desk.user("Ada", "bot"), desk.user("Bob", "bot")
    code = opened(host)
    for one in (ada, bob):
        one.ok(Enter(desk.request_id(), code))
    host.ok(Dismiss(desk.request_id(), code, "Ada"))
    assert heard(host) == [("Ada", False)]
    assert (why(ada), why(bob)) == (["removed"], [])
    host.ok(Dismiss(desk.request_id(), code, "nobody"))
    ada.drop()
    assert not host.said(Entrant)


def test_a_host_closes_the_league(desk: Desk) -> None:
    host, ada = desk.user("Host"), desk.user("Ada", "bot")
    code = opened(host)
    ada.ok(Enter(desk.request_id(), code))
    host.ok(Dismiss(desk.request_id(), code))
    assert why(ada) == ["closed"]
    assert desk.records[-1] == LeagueClosed(code)
    assert ada.refused(Enter(desk.request_id(), code)) == "no_such_league"
    assert host.refused(HostLeague(desk.request_id(), code)) == "no_such_league"
    for _ in range(12):
        host.ok(Dismiss(desk.request_id(), opened(host)))
    ada.drop()
    host.drop()
    desk.wait(301)
    assert not desk.referee.sessions.named("Host")


def test_a_session_enters_so_many_and_no_more(desk: Desk) -> None:
    ada = desk.user("Ada")
    codes = [opened(desk.user(f"Host {number}")) for number in range(11)]
    for code in codes[:10]:
        ada.ok(Enter(desk.request_id(), code))
    assert ada.refused(Enter(desk.request_id(), codes[10])) == "server_full"
    ada.ok(Enter(desk.request_id(), codes[0]))


def test_a_host_that_is_sent_off_the_server_leaves_no_league(desk: Desk) -> None:
    host, ada, chief = desk.user("Host"), desk.user("Ada", "bot"), desk.user("Chief")
    code = opened(host)
    ada.ok(Enter(desk.request_id(), code))
    session = desk.referee.sessions.named("Chief")
    assert session is not None
    session.directs = True
    chief.ok(Kick(desk.request_id(), "Host"))
    assert why(ada) == ["closed"]
    assert ada.refused(Enter(desk.request_id(), code)) == "no_such_league"
