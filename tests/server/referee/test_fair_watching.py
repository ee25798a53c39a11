"""While a match lasts, its players learn nothing from those who watch, nor from what a bot thinks."""

from __future__ import annotations

import pytest

from protocol.messages import Chat, Murmur, Resign, Sync, Thinking, Thought
from tests.server.desk import Desk, User


@pytest.fixture
def desk() -> Desk:
    return Desk()


def against_a_bot(desk: Desk) -> tuple[User, User, str]:
    person, bot = desk.user("Ada"), desk.user("minimax", "bot")
    return person, bot, desk.seat(person, bot)


def test_what_a_bot_thinks_against_a_person_is_told_to_nobody(desk: Desk) -> None:
    person, bot, match = against_a_bot(desk)
    second_tab = desk.user("Ada again")
    second_tab.watch(match)
    bot.ok(Thinking(desk.request_id(), match, 0, pv=("a1",)))
    assert not [said for _, said in desk.step if isinstance(said, Thought)]
    assert not person.said(Thought)


def test_what_bots_think_among_themselves_is_told_as_ever(desk: Desk) -> None:
    first, _, match = desk.pair(kind="bot")
    eve = desk.user("Eve")
    eve.watch(match)
    first.ok(Thinking(desk.request_id(), match, 0, pv=("a1",)))
    assert eve.said(Thought)[0].pv == ("a1",)


def test_players_hear_spectators_once_the_match_is_over(desk: Desk) -> None:
    first, second, match = desk.pair()
    eve, zoe = desk.user("Eve"), desk.user("Zoe")
    for viewer in (eve, zoe):
        viewer.watch(match)
    eve.ok(Chat(desk.request_id(), match, "b2 wins"))
    assert zoe.said(Murmur)
    assert not first.said(Murmur)
    first.ok(Sync(desk.request_id(), match))
    assert not first.said(Murmur), "nor does a snapshot hold what was said"
    second.ok(Resign(desk.request_id(), match))
    eve.ok(Chat(desk.request_id(), match, "well played"))
    assert [said.text for said in first.said(Murmur)] == ["well played"]
