"""Time that players give each other, at a desk: who may, who may not, and what old clients make of it."""

from __future__ import annotations

from pathlib import Path

import pytest

from protocol.messages import (
    Clock,
    Create,
    GaveTime,
    GiveTime,
    Join,
    MakeMove,
    Resign,
    Snapshot,
    Sync,
    YourTurn,
)
from server.match.terms import GIVEN_MS, MAX_GIFTS
from tests.server.desk import Desk

CLOCK = Clock(60_000)


def gift(desk: Desk, match: str) -> GiveTime:
    return GiveTime(desk.request_id(), match)


def test_it_is_as_much_as_the_page_says() -> None:
    page = (Path(__file__).parents[4] / "docs" / "protocol.md").read_text(encoding="utf-8")
    assert f"Gives the opponent {GIVEN_MS // 1000} seconds, at most {MAX_GIFTS} times in a match" in page


def test_all_who_see_the_match_hear_of_it_and_nobody_is_asked_again() -> None:
    desk = Desk()
    one, two, match = desk.pair("morpion", CLOCK)
    viewer = desk.user("Eve")
    viewer.watch(match)
    one.ok(MakeMove(desk.request_id(), match, 0, "a1"))
    desk.now += 20
    one.ok(gift(desk, match))
    for user in (one, two, viewer):
        (given,) = user.said(GaveTime)
        assert (given.seat, given.added_ms, given.clocks) == (1, GIVEN_MS, (60_000, 40_000 + GIVEN_MS))
    assert not two.said(YourTurn)
    desk.now += 50
    two.ok(MakeMove(desk.request_id(), match, 1, "b1"))


def test_a_flag_that_was_kept_for_earlier_falls_later_and_by_itself() -> None:
    desk = Desk()
    one, _two, match = desk.pair("morpion", CLOCK)
    one.ok(MakeMove(desk.request_id(), match, 0, "a1"))
    one.ok(gift(desk, match))
    desk.now += 61
    desk.tick()
    assert desk.referee.lobby.find(match).is_playing()
    desk.now += 15
    desk.tick()
    assert not desk.referee.lobby.find(match).is_open()


def test_strangers_and_spectators_give_nothing() -> None:
    desk = Desk()
    one, _two, match = desk.pair("morpion", CLOCK)
    viewer = desk.user("Eve")
    viewer.watch(match)
    for user in (viewer, desk.user("Mallory")):
        assert user.refused(gift(desk, match)) == "not_allowed"
        assert user.refused(gift(desk, "nowhere")) == "no_such_match"
    assert not one.said(GaveTime)


def test_it_is_given_so_often_and_no_more() -> None:
    desk = Desk()
    one, two, match = desk.pair("morpion", CLOCK)
    for player in (one, two):
        for _ in range(MAX_GIFTS):
            player.ok(gift(desk, match))
        assert player.refused(gift(desk, match)) == "not_allowed"


@pytest.mark.parametrize("clock", [None, Clock(move_ms=5000)])
def test_there_must_be_a_clock_for_the_game(clock: Clock | None) -> None:
    desk = Desk()
    one, _two, match = desk.pair("morpion", clock)
    assert one.refused(gift(desk, match)) == "not_allowed"


def test_programs_give_each_other_nothing_but_a_person_may_give_to_one() -> None:
    desk = Desk()
    bots = [desk.user("Rob", kind="bot"), desk.user("Bot", kind="bot")]
    person = desk.user("Ada")
    match = desk.seat(bots[0], bots[1], "morpion", CLOCK)
    assert bots[0].refused(gift(desk, match)) == "not_allowed"
    match = desk.seat(person, bots[1], "morpion", CLOCK)
    person.ok(gift(desk, match))


def test_a_match_that_somebody_else_arranged_keeps_its_clocks() -> None:
    desk = Desk()
    organiser, one, two = desk.user("Org"), desk.user("Ada"), desk.user("Bob")
    match = organiser.ok(Create(desk.request_id(), "morpion", clock=CLOCK, play=False)).match
    assert isinstance(match, str)
    one.ok(Join(desk.request_id(), match))
    two.ok(Join(desk.request_id(), match))
    for user in (one, two):
        assert user.refused(gift(desk, match)) == "not_allowed"
    assert organiser.refused(gift(desk, match)) == "not_allowed"


def test_who_has_missed_a_gift_gets_the_whole_match() -> None:
    """A client that does not know of gifts would ask for the same events for ever."""
    desk = Desk()
    one, two, match = desk.pair("morpion", CLOCK)
    one.ok(MakeMove(desk.request_id(), match, 0, "a1"))
    seq = desk.referee.lobby.find(match).match.history.seq
    one.ok(gift(desk, match))
    two.ok(Sync(desk.request_id(), match, seq))
    (whole,) = two.said(Snapshot)[-1:]
    assert (whole.seq, whole.clocks) == (seq + 1, (60_000, 60_000 + GIVEN_MS))


def test_what_is_over_takes_no_gift() -> None:
    desk = Desk()
    one, two, match = desk.pair("morpion", CLOCK)
    two.ok(Resign(desk.request_id(), match))
    assert one.refused(gift(desk, match)) == "game_over"
