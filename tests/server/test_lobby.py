"""Codes that can be said aloud, ids, and finished matches that give way."""

from __future__ import annotations

import random

import pytest

from games import parse
from protocol.errors import ProtocolError
from protocol.messages import Said
from server.history import HELD, History
from server.lobby import Lobby
from server.match import Match
from server.terms import Surroundings
from server.sessions import Sessions
from server.table import Table


def table(lobby: Lobby, *, public: bool = False) -> Table:
    match = Match(lobby.new_id(), parse("morpion"), None, Surroundings(), 0.0)
    made = Table(match, public=public, code=None if public else lobby.new_code())
    lobby.add(made)
    return made


def fill(lobby: Lobby) -> tuple[list[Table], ProtocolError]:
    """Opens private matches until there are no more codes."""
    tables: list[Table] = []
    while True:
        try:
            tables.append(table(lobby))
        except ProtocolError as refusal:
            return tables, refusal


def test_codes_are_four_letters_each_once_until_there_are_none() -> None:
    lobby = Lobby(random.Random(1))
    tables, refusal = fill(lobby)
    codes = [made.code or "" for made in tables]
    assert len(codes) == len(set(codes)) > 3000
    assert all(len(code) == 4 and code.isascii() and code.isalpha() and code.isupper() for code in codes)
    assert refusal.retry_after_ms == 60_000


def test_a_code_goes_with_its_match() -> None:
    lobby = Lobby(random.Random(1), finished_kept=0)
    for _ in range(4000):
        made = table(lobby)
        made.match.abort(0.0)
        lobby.finished(made, 0.0)
    assert len(lobby) == 0


def test_finished_matches_that_are_held_give_up_their_codes_when_no_other_is_left() -> None:
    lobby = Lobby(random.Random(1), finished_kept=10_000)
    anyone, _ = Sessions(lambda: "t").open("Ana", "human")
    old = table(lobby)
    assert lobby.find_open(anyone, None, old.code) is old
    old.match.abort(0.0)
    lobby.finished(old, 0.0)
    tables, _ = fill(lobby)
    (heir,) = [made for made in tables if made.code == old.code]
    assert lobby.find_open(anyone, None, old.code) is heir
    lobby._finished_kept = 0
    tables[0].match.abort(0.0)
    lobby.finished(tables[0], 0.0)
    assert lobby.find_open(anyone, None, old.code) is heir


def test_ids_are_unique() -> None:
    lobby = Lobby(random.Random(1))
    assert len({table(lobby, public=True).match.id for _ in range(2000)}) == 2000
    assert len(lobby) == 2000


def test_a_match_finishes_once() -> None:
    lobby = Lobby(random.Random(1))
    made = table(lobby)
    made.match.abort(0.0)
    lobby.finished(made, 5.0)
    lobby.finished(made, 9.0)
    assert made.finished_at == 5.0
    assert len(lobby) == 0


class TestHistory:
    def test_what_came_since(self) -> None:
        history = History([], b"")
        events = [Said("m", seq, 1, "hm") for seq in range(1, 6)]
        for event in events:
            history.append(event)
        assert history.since(0) == events
        assert history.since(3) == events[3:]
        assert history.since(5) == []
        assert history.since(6) is None

    def test_what_is_no_longer_held(self) -> None:
        history = History([], b"")
        for seq in range(1, HELD + 11):
            history.append(Said("m", seq, 1, "hm"))
        assert history.since(9) is None
        held = history.since(10)
        assert held is not None
        assert [event.seq for event in held] == list(range(11, HELD + 11))

    def test_a_gap_is_our_bug(self) -> None:
        history = History([], b"")
        with pytest.raises(AssertionError):
            history.append(Said("m", 2, 1, "hm"))
