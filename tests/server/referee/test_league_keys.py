"""Whom a name in a league belongs to: to a key, or to the session that came first; names alone to nobody."""

import pytest
from msgspec import UNSET, convert
from msgspec import ValidationError as Invalid

from protocol.messages import BoundName, Create, Dismiss, Enter, Entrant, EntryRefused, Error, HostLeague, Ok, Player
from protocol.values import key_hash
from server.referee.bindings import MOST_BOUND, MOST_OF_KEY, Binding, Bindings
from server.referee.effects import EntriesFreed, EntryBound, LeagueClosed, SessionForgotten
from server.referee.leagues import MOST_OF_ADDRESS, TOLD_SECONDS
from server.referee.sessions import ENTRY_KEPT_SECONDS
from server.referee.settings import Settings, Shares
from tests.server.desk import Desk, User
from tests.server.referee.league_desks import closed_league, heard, opened, restarted, returned, why

ANNS = "anns-key-of-22-letters"
EVES = "eves-key-of-22-letters"


@pytest.fixture
def desk() -> Desk:
    return Desk()


def enter(user: User, code: str, key: str | None = None, **more: object) -> Enter:
    fields = {"type": "enter", "id": user.desk.request_id(), "code": code, "key": key, **more}
    return convert(fields, Enter)


def answer(user: User, code: str, key: str | None = None, **more: object) -> str:
    """The code with which somebody is refused, "ok" if they are not."""
    said = user.ask(enter(user, code, key, **more))
    return "ok" if isinstance(said, Ok) else said.code


def refused_names(host: User) -> list[tuple[str, int]]:
    """What a host has been told so far."""
    told = host.desk.received[host.connection]
    return [(one.name, one.count) for one in told if isinstance(one, EntryRefused)]


# ---------------------------------------------------------------------------------------- who enters is who was there


@pytest.mark.parametrize("key", [ANNS, None], ids=["key", "token"])
def test_nobody_plays_for_somebody_whose_link_is_cut(desk: Desk, key: str | None) -> None:
    """The name is not given out while the league lives; after two hours it is, and opens no entry."""
    host, ann = desk.user("Host"), desk.user("Ann", "bot")
    code = opened(host)
    ann.ok(enter(ann, code, key))
    ann.drop()
    for wait in (0, 400, ENTRY_KEPT_SECONDS - 1000):
        desk.wait(wait)
        eve = User(desk, "Ann", "bot")
        with pytest.raises(AssertionError, match="name_taken"):
            eve.hello()
    ann.back()
    ann.ok(enter(ann, code, key, again=True))
    assert heard(host)[-1] == ("Ann", True)
    ann.drop()
    desk.wait(ENTRY_KEPT_SECONDS + 301)
    eve = desk.user("Ann", "bot")
    assert [answer(eve, code, one) for one in (None, EVES)] == ["not_yours"] * 2
    assert refused_names(host) == [("Ann", 1)]


def test_a_name_is_refused_to_another_key_and_to_none(desk: Desk) -> None:
    host, ann, eve = desk.user("Host"), desk.user("Ann", "bot"), desk.user("Ann 2", "bot")
    code = opened(host)
    ann.ok(enter(ann, code, ANNS))
    ann.drop()
    kept = len(desk.records)
    for key in (EVES, None, ANNS[:-1] + "S"):
        assert answer(eve, code, key, name="Ann") == "not_yours"
    assert answer(eve, code, EVES, name="aNN") == "not_yours", "names that look alike are one"
    assert len(desk.records) == kept
    assert answer(eve, code, EVES, name="A\u202enn") == "bad_name"
    ann.back()
    ann.ok(enter(ann, code, ANNS, again=True))


def test_the_same_key_takes_the_entry_over_from_any_session(desk: Desk) -> None:
    host, ann, two = desk.user("Host"), desk.user("Ann", "bot"), desk.user("Ann 2", "bot")
    code = opened(host)
    ann.ok(enter(ann, code, ANNS))
    bound = BoundName("Ann", code, key_hash(code, ANNS))
    assert host.said(Entrant) == [Entrant(code, Player("Ann", "bot"), bound=bound)]
    two.ok(enter(two, code, ANNS, name="Ann"))
    assert host.said(Entrant) == [Entrant(code, Player("Ann 2", "bot"), "Ann", "Ann", bound)]
    assert why(ann) == ["replaced"]
    host.ok(Dismiss(desk.request_id(), code, "Ann"))
    assert why(two) == ["removed"]
    ann.ok(enter(ann, code, ANNS))


def test_two_that_come_back_by_themselves_put_each_other_out_once(desk: Desk) -> None:
    """The newest counts. Who was replaced while they were away hears of it when they come back, and stays out."""
    host, one, two = desk.user("Host"), desk.user("Ann", "bot"), desk.user("Ann 2", "bot")
    code = opened(host)
    one.ok(enter(one, code, ANNS))
    one.drop()
    two.ok(enter(two, code, ANNS, name="Ann"))
    for _ in range(3):
        one.back()
        assert answer(one, code, ANNS, again=True) == "out_of_league"
        one.drop()
        two.drop()
        two.back()
        two.ok(enter(two, code, ANNS, name="Ann", again=True))
    assert not why(two)
    one.back()
    one.ok(enter(one, code, ANNS))
    assert why(two) == ["replaced"]


def test_so_does_a_personal_code(desk: Desk) -> None:
    host, one, two = desk.user("Host"), desk.user("bot", "bot"), desk.user("bot 2", "bot")
    code = closed_league(host, Ada="bidule")
    one.ok(enter(one, code, personal="bidule"))
    one.drop()
    two.ok(enter(two, code, personal="bidule"))
    one.back()
    assert answer(one, code, personal="bidule", again=True) == "out_of_league"
    one.ok(enter(one, code, personal="bidule"))


def test_a_session_without_a_key_may_show_one_later(desk: Desk) -> None:
    host, ann = desk.user("Host"), desk.user("Ann", "bot")
    code = opened(host)
    ann.ok(enter(ann, code))
    assert host.said(Entrant)[-1].bound is UNSET
    ann.ok(enter(ann, code, ANNS))
    assert host.said(Entrant)[-1].bound is not UNSET
    ann.ok(enter(ann, code))
    assert answer(ann, code, EVES) == "not_yours", "a session that shows a wrong key is not believed"
    two = desk.user("Ann 2", "bot")
    assert answer(two, code, None, name="Ann") == "not_yours"
    two.ok(enter(two, code, ANNS, name="Ann"))


def test_a_name_that_nobody_has_is_nobody_s_wish(desk: Desk) -> None:
    """Who asks for the name of somebody who is here, and has not entered, does not take it from them."""
    host, ann, eve = desk.user("Host"), desk.user("Ann", "bot"), desk.user("Eve", "bot")
    code = opened(host)
    eve.ok(enter(eve, code, EVES, name="Ann"))
    assert heard(host) == [("Eve", True)]
    ann.ok(enter(ann, code, ANNS))


def test_a_key_of_another_league_opens_nothing_by_its_hash(desk: Desk) -> None:
    """What hosts keep of a key is of their own league, and is no key."""
    host, ann, eve = desk.user("Host"), desk.user("Ann", "bot"), desk.user("Ann 2", "bot")
    first, second = opened(host), opened(host)
    for code in (first, second):
        ann.ok(enter(ann, code, ANNS))
    hashes = {record.league: record.hash for record in desk.records if isinstance(record, EntryBound)}
    assert len(set(hashes.values())) == 2
    for key in (hashes[first][:64], hashes[second][:64], hashes[first][:22]):
        assert answer(eve, second, key, name="Ann") == "not_yours"
    assert ANNS not in repr(desk.records)


@pytest.mark.parametrize("key", ["", "short", "x" * 65, "x" * 1_000_000, "ä" * 22, "a b" * 8, "x" * 22 + "\n"])
def test_a_key_has_its_shape(desk: Desk, key: str) -> None:
    with pytest.raises(Invalid):
        enter(desk.user("Ann"), "BATOMI", key)


# -------------------------------------------------------------------------------------------------------- with a roster


def test_an_overheard_personal_code_is_not_enough_once_a_key_is_bound(desk: Desk) -> None:
    host, ann, eve = desk.user("Host"), desk.user("bot", "bot"), desk.user("Eve", "bot")
    code = closed_league(host, Ada="bidule")
    ann.ok(enter(ann, code, ANNS, personal="bidule"))
    for key in (None, EVES):
        assert answer(eve, code, key, personal="bidule") == "not_yours"
    assert refused_names(host) == [("Ada", 1)]
    assert not why(ann)
    assert answer(eve, code, ANNS, personal="fatima") == "bad_code"
    host.ok(Dismiss(desk.request_id(), code, "Ada", free=True))
    assert why(ann) == ["removed"]
    eve.ok(enter(eve, code, EVES, personal="bidule"))


def test_without_a_key_the_newest_personal_code_counts_as_ever(desk: Desk) -> None:
    host, one, two = desk.user("Host"), desk.user("bot", "bot"), desk.user("bot 2", "bot")
    code = closed_league(host, Ada="bidule")
    for user in (one, two, one):
        user.ok(enter(user, code, personal="bidule"))
    assert why(two) == ["replaced"]
    two.ok(enter(two, code, ANNS, personal="bidule"))
    assert answer(one, code, personal="bidule") == "not_yours"


# ----------------------------------------------------------------------------------------------- what the host does


def test_a_name_that_is_given_free_goes_to_who_comes_next(desk: Desk) -> None:
    host, ann, eve = desk.user("Host"), desk.user("Ann", "bot"), desk.user("Ann 2", "bot")
    code = opened(host)
    ann.ok(enter(ann, code))
    host.ok(Dismiss(desk.request_id(), code, "Ann", free=True))
    assert why(ann) == ["removed"]
    assert desk.records[-1] == EntryBound(code, "Ann", code, "", "")
    host.ok(Dismiss(desk.request_id(), code, "Ann", free=True))
    host.ok(Dismiss(desk.request_id(), code, "nobody", free=True))
    ann.drop()
    desk.wait(301)
    assert any(isinstance(record, SessionForgotten) for record in desk.records), "nothing holds it any more"
    ann = desk.user("Ann", "bot")
    assert answer(ann, code, ANNS, again=True) == "out_of_league", "who comes back by himself was not meant"
    eve.ok(enter(eve, code, EVES, name="Ann"))
    assert [(one.player.name, one.entry) for one in host.said(Entrant)] == [("Ann 2", "Ann")]
    assert answer(ann, code, ANNS) == "not_yours"
    host.ok(Dismiss(desk.request_id(), code, "Zoé", free=True))
    ann.ok(enter(ann, code, ANNS, name="Zoé"))


def test_a_host_is_told_of_doubles_but_not_without_an_end(desk: Desk) -> None:
    host, ann, eve = desk.user("Host"), desk.user("Ann", "bot"), desk.user("Eve", "bot")
    code = opened(host)
    ann.ok(enter(ann, code, ANNS))
    for _ in range(100):
        answer(eve, code, EVES, name="Ann")
        desk.wait(TOLD_SECONDS / 10)
    told = refused_names(host)
    assert 9 <= len(told) <= 11
    assert sum(count for _name, count in told) >= 90
    host.drop()
    assert answer(eve, code, EVES, name="Ann") == "not_yours"


def test_where_a_double_came_from_is_told_to_who_runs_the_server_alone(desk: Desk) -> None:
    desk.measured.origins = {connection: f"192.0.2.{connection}" for connection in range(1, 10)}
    host, ann, eve = desk.user("Host"), desk.user("Ann", "bot"), desk.user("Eve", "bot")
    code = opened(host)
    ann.ok(enter(ann, code, ANNS))
    answer(eve, code, EVES, name="Ann")
    assert [one.origin for one in host.said(EntryRefused)] == [UNSET]
    session = desk.referee.sessions.named("Host")
    assert session is not None
    session.directs = True
    desk.wait(TOLD_SECONDS)
    answer(eve, code, EVES, name="Ann")
    assert [one.origin for one in host.said(EntryRefused)] == [f"192.0.2.{eve.connection}"]


def test_a_host_hears_the_round_trip(desk: Desk) -> None:
    desk.measured.lags = dict.fromkeys(range(1, 10), 41)
    host, ann = desk.user("Host"), desk.user("Ann", "bot")
    code = opened(host)
    ann.ok(enter(ann, code, ANNS))
    assert [one.rtt_ms for one in host.said(Entrant)] == [41]
    ann.drop()
    assert [one.rtt_ms for one in host.said(Entrant)] == [UNSET]


# ------------------------------------------------------------------------------------------------------- restarts


@pytest.mark.parametrize("key", [ANNS, None], ids=["key", "token"])
def test_a_restart_forgets_no_owner(desk: Desk, key: str | None) -> None:
    """Killed and started again: whoever was not there before comes first, and gets neither the name nor the entry."""
    host, ann, eve = desk.user("Host"), desk.user("Ann", "bot"), desk.user("Ann 2", "bot")
    code = opened(host)
    ann.ok(enter(ann, code, key))
    desk = restarted(desk)
    with pytest.raises(AssertionError, match="name_taken"):
        User(desk, "Ann", "bot").hello()
    eve = returned(eve, desk)
    assert answer(eve, code, EVES, name="Ann") == "not_yours"
    ann = returned(ann, desk)
    ann.ok(enter(ann, code, key, again=True))


def test_a_session_that_is_forgotten_lends_its_number_to_nobody(desk: Desk) -> None:
    """A name that belongs to a session alone belongs to that one, also after a restart."""
    host, ann = desk.user("Host"), desk.user("Ann", "bot")
    code = opened(host)
    ann.ok(enter(ann, code))
    number = ann.token
    ann.drop()
    desk.wait(ENTRY_KEPT_SECONDS + 301)
    desk = restarted(desk)
    eve = desk.user("Ann", "bot")
    assert number is not None
    assert eve.token is not None
    assert number.partition(".")[0] != eve.token.partition(".")[0]
    assert answer(eve, code) == "not_yours"


def test_a_server_that_has_forgotten_the_league_is_told_whom_names_belong_to(desk: Desk) -> None:
    """Under the new code the same keys open the same names."""
    host, ann = desk.user("Host"), desk.user("Ann", "bot")
    old = opened(host)
    ann.ok(enter(ann, old, ANNS))
    bound = host.said(Entrant)[-1].bound
    assert isinstance(bound, BoundName)
    desk = Desk(seed=1)
    host, ann, eve = desk.user("Host"), desk.user("bot", "bot"), desk.user("Ann", "bot")
    given = host.ok(HostLeague(desk.request_id(), bound=(bound,)))
    assert isinstance(given.code, str)
    assert given.code != old
    assert answer(eve, given.code, EVES) == "not_yours"
    assert answer(eve, given.code) == "not_yours"
    ann.ok(enter(ann, given.code, ANNS, name="Ann"))
    assert [(one.entry, one.bound) for one in host.said(Entrant)] == [("Ann", bound)]


def test_what_a_host_hands_over_takes_no_name_from_who_has_it(desk: Desk) -> None:
    host, ann = desk.user("Host"), desk.user("Ann", "bot")
    code = opened(host)
    ann.ok(enter(ann, code, ANNS))
    theirs = tuple(BoundName(name, "QUOXIL", key_hash("QUOXIL", EVES)) for name in ("Ann", "aNN", "Bob"))
    host.ok(HostLeague(desk.request_id(), code, bound=theirs))
    ann.ok(enter(ann, code, ANNS))
    bob = desk.user("Bob", "bot")
    assert answer(bob, code, ANNS) == "not_yours"
    bob.ok(enter(bob, code, EVES))


# --------------------------------------------------------------------------------------------------------- bounds


def test_one_key_has_so_many_names_in_a_league_and_no_more(desk: Desk) -> None:
    host = desk.user("Host")
    code = opened(host)
    users = [desk.user(f"Ann {number}", "bot") for number in range(MOST_OF_KEY + 2)]
    assert [answer(user, code, ANNS) for user in users] == ["ok"] * MOST_OF_KEY + ["server_full"] * 2
    assert answer(users[-1], code, EVES) == "ok"
    assert answer(users[0], code, ANNS) == "ok"


def test_names_in_a_league_are_bounded() -> None:
    bindings = Bindings()
    for number in range(MOST_BOUND):
        binding = Binding(f"Ann {number}", "BATOMI", "", f"s{number}")
        bindings.check(binding)
        bindings.put(binding)
    with pytest.raises(Exception, match="server_full"):
        bindings.check(Binding("Zoé", "BATOMI", "", "s1"))
    with pytest.raises(Exception, match="server_full"):
        bindings.news([BoundName("Zoé", "BATOMI", "0" * 64)], has_roster=False)
    bindings.check(Binding("Ann 7", "BATOMI", "0" * 64, "s1"))


def test_names_that_were_given_free_take_no_room_of_others() -> None:
    bindings = Bindings()
    for number in range(MOST_BOUND + 50):
        bindings.put(Binding(f"Ann {number}", "BATOMI", "", "" if number < 51 else f"s{number}"))
    zoe = Binding("Zoé", "BATOMI", "", "s1")
    bindings.check(zoe)
    bindings.put(zoe)
    with pytest.raises(Exception, match="server_full"):
        bindings.check(Binding("Bob", "BATOMI", "", "s2"))


def test_one_address_takes_so_many_names_and_leaves_room_for_others(desk: Desk) -> None:
    host = desk.user("Host")
    code = opened(host)
    crowd = [desk.user(f"q{number}x", "bot") for number in range(MOST_OF_ADDRESS + 2)]
    late = desk.user("Late", "bot")
    desk.measured.origins = {**{user.connection: "192.0.2.1" for user in crowd}, late.connection: "192.0.2.2"}
    answers = [answer(user, code, None) for user in crowd]
    assert answers == ["ok"] * MOST_OF_ADDRESS + ["server_full"] * 2
    assert answer(late, code, None) == "ok"
    assert answer(crowd[0], code, ANNS) == "ok", "who has a name keeps it"
    host.ok(Dismiss(desk.request_id(), code, crowd[1].name, free=True))
    assert answer(crowd[-1], code, None) == "ok", "a name that was given free leaves room"
    assert answer(crowd[-2], closed_league(host, Ann="K7QW3RTX"), ANNS, personal="K7QW3RTX") == "ok"


def test_a_league_that_is_over_holds_nobody(desk: Desk) -> None:
    host, ann = desk.user("Host"), desk.user("Ann", "bot")
    code = opened(host)
    ann.ok(enter(ann, code, ANNS))
    ann.drop()
    host.ok(Dismiss(desk.request_id(), code))
    assert desk.records[-2:] == [EntriesFreed(code), LeagueClosed(code)]
    desk.user("Ann", "bot")


def test_entrants_make_room_at_a_full_address_last_and_keep_their_names(desk: Desk) -> None:
    desk = Desk(Settings(shares=Shares(sessions=3)))
    desk.measured.origins = dict.fromkeys(range(1, 10), "192.0.2.7")
    host, ann, bob = desk.user("Host"), desk.user("Ann", "bot"), desk.user("Bob")
    code = opened(host)
    ann.ok(enter(ann, code, ANNS))
    ann.drop()
    desk.wait(1)
    bob.drop()
    eve = desk.user("Eve")
    assert desk.referee.sessions.named("Bob") is None
    dan = desk.user("Dan")
    assert desk.referee.sessions.named("Ann") is None
    assert answer(eve, code, EVES, name="Ann") == "not_yours"
    dan.ok(enter(dan, code, ANNS, name="Ann"))


def test_who_is_invited_keeps_their_name_while_they_are_away(desk: Desk) -> None:
    host, ann = desk.user("Host"), desk.user("Ann", "bot")
    host.ok(Create(desk.request_id(), "morpion", invite=("Ann",)))
    ann.drop()
    with pytest.raises(AssertionError, match="name_taken"):
        User(desk, "Ann", "bot").hello()


def test_all_that_is_refused_changes_nothing_and_says_why(desk: Desk) -> None:
    host, ann, eve = desk.user("Host"), desk.user("Ann", "bot"), desk.user("Eve", "bot")
    code = opened(host)
    ann.ok(enter(ann, code, ANNS))
    kept, session = len(desk.records), desk.referee.sessions.named("Eve")
    said = eve.ask(enter(eve, code, EVES, name="Ann"))
    assert isinstance(said, Error)
    assert session is not None
    assert (len(desk.records), session.entered, session.bound) == (kept, {}, set())
