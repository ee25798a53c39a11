"""In which order tests run where several processes share them: each begins with slow ones and ends with fast ones.

xdist's `worksteal` deals the list out in as many parts of equal length as there are processes, and who is done takes
over half of what another has left. So no part may have all the slow ones, and none a long one at its end: one process
would work alone while the others are done.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import TypeVar

import pytest

T = TypeVar("T")

LONGEST = (
    "tests/page/test_studio_same.py::test_files_play_and_fail_as_under_cpython",
    "tests/benchmarks/test_benchmarks.py::test_a_class_with_accidents_comes_to_the_same_table",
    "tests/league/test_league_accidents.py::test_a_room_in_which_everything_goes_wrong",
    "tests/faults/test_pulled_cables.py::test_who_is_away_for_longer_plays_that_game_again_once",
    "tests/faults/test_kill.py::test_a_killed_server_has_all_that_it_acknowledged",
    "tests/bots/strong/test_strong.py::test_a_cold_and_a_warm_start_find_the_same",
    "tests/test_run.py::test_a_fresh_copy_sets_itself_up_and_helps_in_french",
    "tests/services/test_reviews.py::test_a_service_that_is_killed_in_the_middle_is_replaced",
    "tests/faults/test_pulled_cables.py::test_nobody_loses_a_game_by_an_outage",
    "tests/league/executors/test_cluster.py::test_a_league_whose_scheduler_dies_stops_and_goes_on_elsewhere",
)
"""Tests of half a minute and more, the longest first."""


def in_order(items: Sequence[pytest.Item], processes: int) -> list[pytest.Item]:
    """The tests in the order for so many processes; the same in each of them."""
    longest, slow, fast = list[list[pytest.Item]](), list[list[pytest.Item]](), list[pytest.Item]()
    for _file, group in groupby(items, lambda item: item.path):
        rest = list[pytest.Item]()
        for item in group:
            if _rank(item) < len(LONGEST):
                longest.append([item])
            elif item.get_closest_marker("slow") is not None:
                rest.append(item)
            else:
                fast.append(item)
        slow.append(rest)
    longest.sort(key=lambda group: _rank(group[0]))
    return deal([*longest, *slow], fast, processes)


def deal(groups: Sequence[Sequence[T]], fillers: Sequence[T], shares: int) -> list[T]:
    """Deals out groups that stay together, and lets fillers make all shares equally long; share after share.

    What `worksteal` cuts the list into are the shares, unless one has too much already.
    """
    dealt: list[list[T]] = [[] for _ in range(shares)]
    for number, group in enumerate(groups):
        dealt[number % shares] += group
    rest, total = list(fillers), len(fillers) + sum(map(len, groups))
    order: list[T] = []
    for number, share in enumerate(dealt, 1):
        missing = max(0, number * total // shares - len(order) - len(share))
        order += [*share, *rest[:missing]]
        del rest[:missing]
    return order + rest


def _rank(item: pytest.Item) -> int:
    name = item.nodeid.partition("[")[0]
    return LONGEST.index(name) if name in LONGEST else len(LONGEST)
