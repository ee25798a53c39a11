"""Every request has a weight; whether it is right is what `bench weights` measures."""

from typing import get_args

import pytest

from benchmarks._weighed_cases import CASES
from protocol.errors import ProtocolError
from protocol.messages import Answer, ClientMessage, ListMatches, MakeMove
from protocol.weights import WEIGHTS, weigh

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


def test_a_rematch_costs_a_match() -> None:
    assert weigh(Answer(1, "abcdefgh", "rematch", accept=True)) > weigh(Answer(1, "abcdefgh", "draw", accept=True))
