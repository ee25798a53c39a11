"""Every request has a weight; whether it is right is what `bench weights` measures."""

from typing import Any, cast, get_args

import pytest
from msgspec.structs import replace

from benchmarks._weighed_cases import CASES
from protocol.errors import ProtocolError
from protocol.messages import (
    Answer,
    Boards,
    ClientMessage,
    Create,
    Explain,
    HostLeague,
    ListMatches,
    MakeMove,
    Offer,
    Rematched,
    Review,
    ShowLeague,
    TookBack,
)
from protocol.weights import WEIGHTS, weigh, weigh_accepted

REQUESTS = (*get_args(ClientMessage), ProtocolError)


@pytest.mark.parametrize("kind", REQUESTS)
def test_every_request_has_a_weight_that_is_measured(kind: type[ClientMessage | ProtocolError]) -> None:
    assert WEIGHTS[kind] > 0
    assert any(case.kind is kind for case in CASES)


def test_nothing_else_has_one() -> None:
    assert set(WEIGHTS) == set(REQUESTS)


def test_a_move_is_the_unit() -> None:
    assert weigh(MakeMove(1, "abcdefgh", 0, "d3")) == 1.0


def test_a_page_costs_what_it_shows() -> None:
    assert weigh(ListMatches(1, limit=100)) > weigh(ListMatches(1, limit=1))


@pytest.mark.parametrize("kind", [Boards, Review, Explain])
def test_a_game_costs_its_moves(kind: type[Boards | Review | Explain]) -> None:
    assert weigh(kind(1, "morpion", ("b2", "a1"))) > weigh(kind(1, "morpion", ("b2",))) > WEIGHTS[kind]


def test_a_league_costs_the_names_that_come_with_it() -> None:
    several, one, none = (HostLeague(1, bound=(cast("Any", None),) * count) for count in (2, 1, 0))
    assert weigh(several) > weigh(one) > weigh(none) == WEIGHTS[HostLeague]


@pytest.mark.parametrize("what", ["rows", "playing", "games"])
def test_a_league_that_is_shown_costs_what_is_shown(what: str) -> None:
    shown = ShowLeague(1, "k" * 64, "League", "morpion", "running")
    rows = replace(shown, **{what: (cast("Any", None),) * 3})
    assert weigh(rows) > weigh(shown) == WEIGHTS[ShowLeague]


def test_a_rematch_costs_a_match() -> None:
    assert weigh(Answer(1, "abcdefgh", "rematch", accept=True)) > weigh(Answer(1, "abcdefgh", "draw", accept=True))


def test_an_opening_costs_its_moves() -> None:
    assert weigh(Create(1, "morpion", opening=("b2", "a1"))) > weigh(Create(1, "morpion")) == WEIGHTS[Create]


@pytest.mark.parametrize("request_", [Offer(1, "m", "takeback"), Answer(1, "m", "takeback", accept=True)])
def test_a_takeback_costs_the_moves_that_are_played_again(request_: Offer | Answer) -> None:
    few, many = (weigh_accepted(request_, [TookBack("m", 9, ply, 1, 1)]) for ply in (3, 60))
    assert many > few > weigh_accepted(request_, []) == 0


def test_a_rematch_costs_a_match_by_whichever_request_it_is_accepted() -> None:
    told = [Rematched("m", 9, "n")]
    offer, answer = Offer(1, "m", "rematch"), Answer(1, "m", "rematch", accept=True)
    assert weigh(offer) + weigh_accepted(offer, told) == weigh(answer) + weigh_accepted(answer, told)
