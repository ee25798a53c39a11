"""tests.spreading: which process begins with which tests."""

from __future__ import annotations

from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from tests.naming import names_in
from tests.spreading import LONGEST, deal

ROOT = Path(__file__).parents[1]


@given(st.lists(st.integers(0, 9), max_size=12), st.integers(0, 60), st.integers(1, 7))
def test_all_are_dealt_once_and_each_share_begins_with_its_groups(sizes: list[int], fast: int, shares: int) -> None:
    groups = [[(number, place) for place in range(size)] for number, size in enumerate(sizes)]
    fillers = [(-1, place) for place in range(fast)]
    order = deal(groups, fillers, shares)
    assert sorted(order) == sorted([*fillers, *(item for group in groups for item in group)])
    length = len(order) / shares
    if all(sum(sizes[share::shares]) <= length for share in range(shares)):
        for share in range(shares):
            start = share * len(order) // shares
            wanted = [item for group in groups[share::shares] for item in group]
            assert order[start : start + len(wanted)] == wanted


def test_the_longest_are_there() -> None:
    for file, _, name in (test.partition("::") for test in LONGEST):
        assert name in names_in(ROOT / file)
