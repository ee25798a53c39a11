"""Who goes on with a match on another device takes the seat over, once, by a link."""

from __future__ import annotations

import pytest

from protocol.messages import (
    Clock,
    Create,
    GiveTime,
    Join,
    MakeMove,
    Presence,
    Resign,
    SeatLink,
    Watch,
    YourTurn,
)
from server.referee.effects import PlaceKept, SeatTaken
from server.referee.requests import arranging
from tests.server.desk import Desk, User


@pytest.fixture
def desk() -> Desk:
    return Desk()


def link_of(user: User, match: str) -> str:
    link = user.ok(SeatLink(user.desk.request_id(), match)).link
    assert isinstance(link, str)
    return link


def take(user: User, link: str) -> None:
    user.ok(Join(user.desk.request_id(), link=link))


def test_the_seat_changes_hands_and_nothing_else(desk: Desk) -> None:
    ada, bob, match = desk.pair(clock=Clock(60_000), public=False)
    phone = desk.user("phone")
    take(phone, link_of(ada, match))
    assert (phone.snapshot().seat, ada.snapshot().seat) == (1, None)
    assert phone.said(YourTurn)
    first = phone.snapshot().players[0]
    assert first is not None
    assert first.name == ada.name
    assert ada.refused(MakeMove(desk.request_id(), match, 0, "b2")) == "not_allowed"
    phone.ok(MakeMove(desk.request_id(), match, 0, "b2"))
    bob.ok(MakeMove(desk.request_id(), match, 1, "a1"))
    phone.ok(GiveTime(desk.request_id(), match))  # a match of its players, not one that somebody has arranged
    ada.ok(Watch(desk.request_id(), match))
    phone.ok(Resign(desk.request_id(), match))


def test_it_opens_the_seat_once_and_a_new_one_replaces_it(desk: Desk) -> None:
    ada, _bob, match = desk.pair()
    older, link = link_of(ada, match), link_of(ada, match)
    eve = desk.user("Eve")
    assert eve.refused(Join(desk.request_id(), link=older)) == "no_such_match"
    assert eve.refused(Watch(desk.request_id(), link=link)) == "no_such_match"
    take(eve, link)
    assert desk.user("Zoe").refused(Join(desk.request_id(), link=link)) == "no_such_match"
    take(ada, link_of(eve, match))
    assert ada.snapshot().seat == 1


def test_it_ends_with_the_match(desk: Desk) -> None:
    ada, bob, match = desk.pair()
    link = link_of(ada, match)
    bob.ok(Resign(desk.request_id(), match))
    assert desk.user("Eve").refused(Join(desk.request_id(), link=link)) == "no_such_match"
    assert ada.refused(SeatLink(desk.request_id(), match)) == "game_over"
    assert not desk.referee.lobby._by_seat_link


def test_who_has_a_seat_already_keeps_it(desk: Desk) -> None:
    ada, bob, match = desk.pair()
    link = link_of(ada, match)
    for user, seat in ((ada, 1), (bob, 2)):
        take(user, link)
        assert user.snapshot().seat == seat
    assert desk.user("Eve").refused(SeatLink(desk.request_id(), match)) == "not_allowed"


def test_programs_and_arranged_matches_keep_their_seats(desk: Desk) -> None:
    one, _two, match = desk.pair(kind="bot")
    assert one.refused(SeatLink(desk.request_id(), match)) == "not_allowed"
    ada, _bob, match = desk.pair()
    assert desk.user("bot", "bot").refused(Join(desk.request_id(), link=link_of(ada, match))) == "not_allowed"
    host, ada, bob = desk.user("Host"), desk.user("Ada"), desk.user("Bob")
    wish = Create(desk.request_id(), "morpion", play=False, invite=("Ada", "Bob"), seat="first")
    arranged = str(host.ok(wish).match)
    for user in (ada, bob):
        user.ok(Join(desk.request_id(), arranged))
    assert ada.refused(SeatLink(desk.request_id(), arranged)) == "not_allowed"


def test_who_lost_the_tab_is_there_again_by_the_link(desk: Desk) -> None:
    ada, bob, match = desk.pair()
    link = link_of(ada, match)
    desk.drop(ada.connection)
    phone = desk.user("phone")
    take(phone, link)
    assert bob.said(Presence)[-1].present
    session = desk.referee.sessions.at(phone.connection)
    assert session is not None
    assert SeatTaken(match, 1, session.id) in desk.records
    assert PlaceKept(match, 0, session.id) in desk.records
    desk.wait(1000)  # nobody is away
    phone.ok(MakeMove(desk.request_id(), match, 0, "b2"))


def test_who_gives_seats_away_follows_no_more_matches_than_one_may(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(arranging, "MOST_WATCHED", 2)
    ada, phone = desk.user("ada"), desk.user("phone")
    links = [link_of(ada, str(ada.ok(Create(desk.request_id(), "morpion")).match)) for _ in range(3)]
    for link in links[:2]:
        take(phone, link)
    assert phone.refused(Join(desk.request_id(), link=links[2])) == "server_full"
