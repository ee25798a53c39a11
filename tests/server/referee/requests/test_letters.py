"""Letters between the host of a league and its entrants; what organisers switch off."""

from __future__ import annotations

import pytest

from protocol.messages import (
    Chat,
    Create,
    Enter,
    Explain,
    HostLeague,
    Join,
    Kick,
    Letter,
    MakeMove,
    Offer,
    Review,
    RosterEntry,
    Switch,
    Switched,
    Tell,
    Told,
    Write,
)
from protocol.values import personal_hash
from server.ratelimit import AddressMeter, Meter, Rates
from server.referee.effects import Send
from server.referee.requests.letters import MOST_UNREAD
from tests.faults.simulation.virtual import run
from tests.server.desk import Desk, User
from tests.server.hall import Guest, Hall

TEXT = '{"type":"ready"}'


@pytest.fixture
def desk() -> Desk:
    return Desk()


def league(desk: Desk, *names: str) -> tuple[User, str, list[User]]:
    """A host, the code of its league, and who has entered it."""
    host = desk.user("Host")
    code = str(host.ok(HostLeague(desk.request_id())).code)
    users = [desk.user(name) for name in names]
    for user in users:
        user.ok(Enter(desk.request_id(), code))
    return host, code, users


def organiser(desk: Desk, name: str = "Prof") -> User:
    """Somebody with the organisers' secret."""
    user = desk.user(name)
    session = desk.referee.sessions.named(name)
    assert session is not None
    session.directs = True
    return user


def test_what_an_entrant_writes_reaches_the_host_alone(desk: Desk) -> None:
    host, code, (ada, bob) = league(desk, "Ada", "Bob")
    ada.ok(Write(desk.request_id(), code.lower(), TEXT))
    (letter,) = host.said(Letter)
    assert (letter.code, letter.text, letter.entry, letter.directs) == (code, TEXT, "Ada", False)
    assert not ada.said(Letter)
    assert not bob.said(Letter)


def test_on_a_roster_the_letter_comes_from_the_name_that_the_code_stands_for(desk: Desk) -> None:
    host, ada = desk.user("Host"), desk.user("somebody")
    code = str(host.ok(HostLeague(desk.request_id(), roster=())).code)
    host.ok(HostLeague(desk.request_id(), code, (RosterEntry("Ada", personal_hash(code, "BAFIDOLU")),)))
    ada.ok(Enter(desk.request_id(), code, personal="bafidolu"))
    ada.ok(Write(desk.request_id(), code, TEXT))
    assert [letter.entry for letter in host.said(Letter)] == ["Ada"]


def test_who_has_not_entered_is_answered_as_if_there_were_no_league(desk: Desk) -> None:
    host, code, _ = league(desk)
    eve = desk.user("Eve")
    assert eve.refused(Write(desk.request_id(), code, TEXT)) == "no_such_league"
    assert eve.refused(Write(desk.request_id(), "BATOMI", TEXT)) == "no_such_league"
    assert eve.refused(Tell(desk.request_id(), code, TEXT)) == "no_such_league"
    assert not host.said(Letter)


def test_an_organiser_writes_without_entering_and_is_known_as_one(desk: Desk) -> None:
    host, code, _ = league(desk, "Ada")
    prof = organiser(desk)
    prof.ok(Write(desk.request_id(), code, TEXT))
    (letter,) = host.said(Letter)
    assert letter.directs
    assert not isinstance(letter.entry, str)
    host.ok(Tell(desk.request_id(), code, TEXT, (letter.session,)))
    assert [told.text for told in prof.said(Told)] == [TEXT]


def test_a_host_tells_one_or_all_and_strangers_nothing(desk: Desk) -> None:
    host, code, (ada, bob) = league(desk, "Ada", "Bob")
    eve = desk.user("Eve")
    ada.ok(Write(desk.request_id(), code, TEXT))
    session = host.said(Letter)[0].session
    host.ok(Tell(desk.request_id(), code, TEXT, (session, session, "nobody")))
    assert [told.code for told in ada.said(Told)] == [code]
    assert not bob.said(Told)
    strangers = desk.referee.sessions.named("Eve")
    assert strangers is not None
    host.ok(Tell(desk.request_id(), code, TEXT, (strangers.id,)))
    assert not eve.said(Told)
    host.ok(Tell(desk.request_id(), code, TEXT))
    assert ada.said(Told)
    assert bob.said(Told)
    assert not eve.said(Told)


def test_a_host_that_is_away_is_said_to_be(desk: Desk) -> None:
    host, code, (ada,) = league(desk, "Ada")
    host.drop()
    assert ada.refused(Write(desk.request_id(), code, TEXT)) == "host_away"
    host.back()
    ada.ok(Write(desk.request_id(), code, TEXT))
    assert host.said(Letter)


def test_a_host_that_has_much_to_read_gets_no_more_and_nothing_is_acknowledged(desk: Desk) -> None:
    host, code, (ada,) = league(desk, "Ada")
    assert host.connection is not None
    desk.measured.behind[host.connection] = MOST_UNREAD + 1
    assert ada.refused(Write(desk.request_id(), code, TEXT)) == "rate_limited"
    assert not host.said(Letter)
    desk.measured.behind[host.connection] = MOST_UNREAD
    ada.ok(Write(desk.request_id(), code, TEXT))
    assert host.said(Letter)


def test_who_is_put_out_writes_no_more(desk: Desk) -> None:
    _, code, (ada,) = league(desk, "Ada")
    organiser(desk).ok(Kick(desk.request_id(), "Ada"))
    assert ada.refused(Write(desk.request_id(), code, TEXT)) != "host_away"


def test_long_letters_count_as_several() -> None:
    rates = Rates(letters=1.0, letters_burst=10.0)
    meter = Meter(rates, AddressMeter(rates))
    assert meter.passes_letter(0.0, 30_000)
    assert not meter.passes_letter(0.0, 30_000)
    assert meter.passes_letter(0.0, 10)
    wait = meter.letter_wait_ms(0.0, 30_000)
    assert not meter.passes_letter(wait / 1000 - 0.01, 30_000)
    assert meter.passes_letter(wait / 1000, 30_000)


class TestSwitches:
    def test_only_organisers_turn_them(self, desk: Desk) -> None:
        ada = desk.user("Ada")
        assert ada.refused(Switch(desk.request_id(), chat=False)) == "not_allowed"

    def test_all_are_told_of_a_change_and_of_nothing_else(self, desk: Desk) -> None:
        prof, ada = organiser(desk), desk.user("Ada")
        prof.ok(Switch(desk.request_id(), chat=True))
        assert not ada.said(Switched)
        prof.ok(Switch(desk.request_id(), chat=False))
        assert ada.said(Switched) == prof.said(Switched) == [Switched(chat=False)]
        prof.ok(Switch(desk.request_id(), values=False))
        assert ada.said(Switched) == [Switched(chat=False, values=False)]

    def test_who_comes_later_is_told_what_is_off(self, desk: Desk) -> None:
        organiser(desk).ok(Switch(desk.request_id(), takebacks=False))
        ada = desk.user("Ada")
        assert ada.said(Switched) == [Switched(takebacks=False)]

    def test_what_is_off_is_refused_to_all_but_organisers(self, desk: Desk) -> None:
        prof, ada, bob = organiser(desk), desk.user("Ada"), desk.user("Bob")
        match = str(ada.ok(Create(desk.request_id(), "morpion", seat="first")).match)
        bob.ok(Join(desk.request_id(), match))
        ada.ok(MakeMove(desk.request_id(), match, 0, "a1"))
        bob.ok(MakeMove(desk.request_id(), match, 1, "a2"))
        prof.watch(match)
        prof.ok(Switch(desk.request_id(), chat=False, takebacks=False, values=False))
        for request in (
            Chat(desk.request_id(), match, "hi"),
            Offer(desk.request_id(), match, "takeback"),
            Review(desk.request_id(), "morpion", ("a1",)),
            Explain(desk.request_id(), "morpion", ("a1",)),
        ):
            assert ada.refused(request) == "switched_off"
        ada.ok(Offer(desk.request_id(), match, "draw"))
        prof.ok(Chat(desk.request_id(), match, "hi"))
        prof.ok(Switch(desk.request_id(), chat=True, takebacks=True))
        ada.ok(Chat(desk.request_id(), match, "hi"))
        ada.ok(Offer(desk.request_id(), match, "takeback"))


def test_a_long_letter_to_many_counts_for_more_than_a_short_one() -> None:
    async def scene() -> None:
        hall = Hall()
        ada = Guest("Ada")
        await ada.come(hall)
        there = (ada.line.peer.number,) * 100

        def readers(text: str) -> int:
            return hall.app._perform((Send(there, Told("BATOMI", text), prompt=True),), 0.0)[0]

        assert readers("[]") == 100
        assert readers("x" * 40_000) > 3000

    run(scene())
