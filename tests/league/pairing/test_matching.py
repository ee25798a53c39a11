"""The cheapest pairing against every other one."""

import random
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from league.pairing.matching import cheapest


def least(costs: list[list[int]]) -> int:
    """By trying every partner of the first player that is left."""

    @cache
    def best(left: tuple[int, ...]) -> int:
        if not left:
            return 0
        first, *others = left
        return min(costs[first][other] + best(tuple(x for x in others if x != other)) for other in others)

    return best(tuple(range(len(costs))))


def total(costs: list[list[int]], mate: list[int]) -> int:
    assert all(mate[mate[player]] == player != mate[player] for player in range(len(mate)))
    return sum(costs[one][two] for one, two in enumerate(mate) if one < two)


def symmetric(size: int, rng: random.Random, highest: int) -> list[list[int]]:
    costs = [[0] * size for _row in range(size)]
    for one in range(size):
        for two in range(one):
            costs[one][two] = costs[two][one] = rng.randrange(highest)
    return costs


@given(st.integers(0, 4), st.sampled_from([2, 3, 10, 10**30]), st.integers(0, 2**32))
@settings(max_examples=250, deadline=None)
def test_no_pairing_is_cheaper(half: int, highest: int, seed: int) -> None:
    """Few different costs make many blossoms; huge ones must stay exact."""
    costs = symmetric(2 * half, random.Random(seed), highest)
    assert total(costs, cheapest(costs)) == least(costs)


@pytest.mark.timeout(30)
def test_no_pairing_is_cheaper_between_two_odd_groups() -> None:
    """There blossoms have to be opened again, on both of the ways through them."""
    rng = random.Random(3)
    for _case in range(300):
        size, highest = rng.choice((8, 10, 12)), rng.choice((3, 6, 20, 100))
        costs = symmetric(size, rng, highest)
        for one in range(size):
            for two in range(size):
                costs[one][two] += highest * ((one < size // 2 - 1) != (two < size // 2 - 1))
        assert total(costs, cheapest(costs)) == least(costs)


@pytest.mark.parametrize("seed", range(8))
def test_many_players_against_a_planted_pairing(seed: int) -> None:
    """Where a pairing without any cost is hidden, it is found."""
    rng = random.Random(seed)
    size = 40
    costs = symmetric(size, rng, 6)
    order = rng.sample(range(size), size)
    for one, two in zip(order[::2], order[1::2], strict=True):
        costs[one][two] = costs[two][one] = 0
    assert total(costs, cheapest(costs)) == 0


def test_an_odd_number_is_refused() -> None:
    with pytest.raises(ValueError, match="odd"):
        cheapest([[0]])
