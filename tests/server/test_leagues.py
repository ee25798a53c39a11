"""Leagues on a server: who hosts, who enters, who is there."""

import pytest

from protocol.messages import Enter, Entrant, HostLeague
from tests.server.desk import Desk, User


@pytest.fixture
def desk() -> Desk:
    return Desk()


def opened(host: User, code: str | None = None) -> str:
    answer = host.ok(HostLeague(host.desk.request_id(), code))
    assert isinstance(answer.code, str)
    return answer.code


def heard(host: User) -> list[tuple[str, bool]]:
    return [(entrant.player.name, entrant.player.present) for entrant in host.said(Entrant)]


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


def test_a_league_that_a_restart_has_lost_is_opened_under_its_code(desk: Desk) -> None:
    host, ada = desk.user("Host"), desk.user("Ada", "bot")
    assert ada.refused(Enter(desk.request_id(), "BATO")) == "no_such_league"
    assert opened(host, "BATO") == "BATO"
    ada.ok(Enter(desk.request_id(), "BATO"))


def test_nobody_takes_the_league_of_another(desk: Desk) -> None:
    host, eve = desk.user("Host"), desk.user("Eve")
    code = opened(host)
    assert eve.refused(HostLeague(desk.request_id(), code)) == "not_allowed"
    assert opened(eve) != code


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
    assert eve.refused(HostLeague(desk.request_id(), code)) == "not_allowed"
    late = desk.user("Late", "bot")
    late.ok(Enter(desk.request_id(), code))
    host.connection = desk.connect()
    host.hello()
    assert opened(host, code) == code
    assert heard(host)[-2:] == [("Ada", True), ("Late", True)]
    ada.drop()
    assert heard(host)[-1] == ("Ada", False)


def test_a_league_ends_with_the_last_who_waits_for_its_host(desk: Desk) -> None:
    host, ada = desk.user("Host"), desk.user("Ada", "bot")
    code = opened(host)
    ada.ok(Enter(desk.request_id(), code))
    host.drop()
    desk.wait(3600)
    ada.drop()
    desk.wait(301)
    assert opened(desk.user("Eve"), code) == code
    assert not desk.referee.sessions.named("Host")


def test_a_league_that_nobody_has_entered_ends_with_its_host(desk: Desk) -> None:
    host, ada = desk.user("Host"), desk.user("Ada", "bot")
    code = opened(host)
    host.drop()
    desk.wait(301)
    assert ada.refused(Enter(desk.request_id(), code)) == "no_such_league"
