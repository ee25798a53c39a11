"""A private match is not to be told from none: by its id, its code or its link."""

from __future__ import annotations

import re
import string

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from protocol.messages import (
    Abort,
    Answer,
    Chat,
    Claim,
    ClientMessage,
    Create,
    Decline,
    Error,
    GiveTime,
    Join,
    Leave,
    MakeMove,
    Offer,
    Ok,
    Resign,
    Review,
    SeatLink,
    Sync,
    Thinking,
    Watch,
)
from protocol.schema import CLIENT_MESSAGES
from tests.server.desk import Desk, User

REQUESTS: tuple[ClientMessage, ...] = (
    Abort(1, "x"),
    Answer(1, "x", "draw", True),
    Answer(1, "x", "rematch", False),
    Chat(1, "x", "hello"),
    Claim(1, "x"),
    Decline(1, "x"),
    GiveTime(1, "x"),
    Join(1, "x"),
    Leave(1, "x"),
    MakeMove(1, "x", 0, "a1"),
    Offer(1, "x", "takeback"),
    Offer(1, "x", "rematch"),
    Resign(1, "x"),
    Review(1, match="x"),
    SeatLink(1, "x"),
    Sync(1, "x", 3),
    Thinking(1, "x", 0),
    Watch(1, "x"),
)
"""Every request about one match that a user may make; those of organisers are refused before a match is looked for."""


def test_the_requests_are_all_that_name_a_match() -> None:
    organisers = {"pause", "resume", "adjudicate", "terminate"}
    naming = {message for message in CLIENT_MESSAGES if "match" in message.__struct_fields__}
    tags = {str(message.__struct_config__.tag) for message in naming}
    assert tags - organisers == {str(type(message).__struct_config__.tag) for message in REQUESTS}


def private(desk: Desk, state: str) -> tuple[str, Ok]:
    """A private match of others, as far as `state`; its id and what opened it."""
    ada, bob = desk.user("Ada"), desk.user("Bob")
    opened = ada.ok(Create(desk.request_id(), "morpion", public=False, seat="first"))
    match, code = opened.match, opened.code
    assert isinstance(match, str)
    assert isinstance(code, str)
    if state != "waiting":
        bob.ok(Join(desk.request_id(), code=code))
    if state == "played":
        ada.ok(MakeMove(desk.request_id(), match, 0, "a1"))
    elif state == "offered":
        ada.ok(Offer(desk.request_id(), match, "draw"))
    elif state == "over":
        ada.ok(Resign(desk.request_id(), match))
    return match, opened


@settings(deadline=None, max_examples=150)
@given(st.sampled_from(REQUESTS), st.sampled_from(("waiting", "full", "played", "offered", "over")), st.booleans())
def test_a_stranger_hears_of_a_private_match_what_he_hears_of_none(
    request: ClientMessage, state: str, was_there: bool
) -> None:
    desk = Desk()
    match, _ = private(desk, state)
    eve = desk.user("Eve")
    if was_there:  # a match of his own does not help
        eve.ok(Create(desk.request_id(), "morpion"))

    def heard(match_id: str) -> Error:
        number = desk.request_id()
        answer = eve.ask(replace(request, id=number, match=match_id))
        assert isinstance(answer, Error)
        assert desk.step == [(eve.connection, answer)]
        return replace(answer, id=0)

    assert heard(match) == heard("nosuchid") == heard(match[:-1] + ("a" if match[-1] != "a" else "b"))
    assert heard(match).code == "no_such_match"


def test_who_left_a_private_match_knows_nothing_of_it_any_more() -> None:
    desk = Desk()
    match, opened = private(desk, "full")
    assert isinstance(opened.link, str)
    eve = desk.user("Eve")
    eve.ok(Watch(desk.request_id(), link=opened.link))
    eve.ok(Leave(desk.request_id(), match))
    assert eve.refused(Sync(desk.request_id(), match)) == "no_such_match"


def test_a_guest_may_hear_that_his_match_is_over() -> None:
    desk = Desk()
    ada, bob = desk.user("Ada"), desk.user("Bob")
    match = ada.ok(Create(desk.request_id(), "morpion", public=False, invite=("Bob",))).match
    assert isinstance(match, str)
    ada.ok(Abort(desk.request_id(), match))
    assert bob.refused(Join(desk.request_id(), match)) == "game_over"
    bob.ok(Decline(desk.request_id(), match))


class TestCodes:
    def test_their_form(self) -> None:
        _, opened = private(Desk(), "waiting")
        assert isinstance(opened.code, str)
        assert isinstance(opened.link, str)
        assert re.fullmatch("(?:[BDFGKLMNPRSTVZ][AIOU]){3}", opened.code)
        assert re.fullmatch("[A-Za-z0-9_-]{22}", opened.link)

    @pytest.mark.parametrize("kind", [Join, Watch])
    @pytest.mark.parametrize("by", ["code", "link"])
    @pytest.mark.parametrize("state", ["waiting", "full", "over"])
    def test_what_they_open(self, kind: type[Join | Watch], by: str, state: str) -> None:
        desk = Desk()
        match, opened = private(desk, state)
        eve = desk.user("Eve")
        request = kind(desk.request_id(), **{by: getattr(opened, by)})
        opens = state == "waiting" or (state == "full" and kind is Watch)
        if opens:
            assert eve.ok(request).match == match
            assert eve.ok(replace(request, id=desk.request_id())).match == match
        else:
            assert eve.refused(request) == "no_such_match"

    @pytest.mark.parametrize("kind", [Join, Watch])
    def test_wrong_closed_and_full_are_one_answer(self, kind: type[Join | Watch]) -> None:
        desk = Desk()
        _, opened = private(desk, "over")
        eve = desk.user("Eve")
        assert isinstance(opened.code, str)
        assert isinstance(opened.link, str)
        said: set[tuple[str, str]] = set()
        for fields in (
            {"code": opened.code}, {"code": "ZUZUZU"}, {"link": opened.link}, {"link": "x" * 22}, {"match": "nosuch"},
        ):  # fmt: skip
            answer = eve.ask(kind(desk.request_id(), **fields))
            assert isinstance(answer, Error)
            said.add((answer.code, answer.message))
        assert len(said) == 1

    def test_a_code_is_heard_in_any_case_and_a_link_only_as_it_is(self) -> None:
        desk = Desk()
        match, opened = private(desk, "waiting")
        assert isinstance(opened.code, str)
        assert isinstance(opened.link, str)
        eve = desk.user("Eve")
        assert eve.ok(Watch(desk.request_id(), code=opened.code.lower())).match == match
        assert eve.refused(Watch(desk.request_id(), link=opened.link.swapcase())) == "no_such_match"

    @pytest.mark.parametrize("fields", [{}, {"match": "m", "code": "BADOMI"}, {"code": "BADOMI", "link": "x" * 22}])
    def test_one_way_in_is_named(self, fields: dict[str, str]) -> None:
        eve = Desk().user("Eve")
        assert eve.refused(Join(1000, **fields)) == "bad_message"
        assert eve.refused(Watch(1001, **fields)) == "bad_message"

    def test_a_code_is_free_again_when_its_match_is_over(self) -> None:
        """However many matches there were: only open ones hold codes, and none is drawn for ever."""
        desk = Desk()
        desk.referee.lobby._syllables = ("ba", "do")
        ada = desk.user("Ada")
        codes = set()
        for _ in range(20):
            opened = ada.ok(Create(desk.request_id(), "morpion", public=False))
            assert isinstance(opened.match, str)
            assert isinstance(opened.code, str)
            codes.add(opened.code)
            ada.ok(Abort(desk.request_id(), opened.match))
        assert len(codes) <= 8
        found = [ada.ask(Create(desk.request_id(), "morpion", public=False)) for _ in range(12)]
        taken = [answer.code for answer in found if isinstance(answer, Ok)]
        assert len(set(taken)) == len(taken) <= 8
        assert {answer.code for answer in found if isinstance(answer, Error)} == {"server_full"}

    def test_every_letter_of_a_code_can_be_typed(self) -> None:
        letters = set(string.ascii_uppercase)
        desk = Desk()
        assert all(set(desk.referee.lobby.new_code()) <= letters for _ in range(200))


def test_a_user_who_is_replaced_keeps_what_he_knows() -> None:
    desk = Desk()
    ada = User(desk, "Ada")
    ada.hello()
    match = ada.ok(Create(desk.request_id(), "morpion", public=False)).match
    assert isinstance(match, str)
    ada.back()
    ada.ok(Sync(desk.request_id(), match))
