import gc
import weakref
from collections.abc import Iterator
from itertools import pairwise

import pytest

from server.memory import FEWEST, Collector


class Cycle:
    def __init__(self) -> None:
        self.itself = self


@pytest.fixture
def collector() -> Iterator[Collector]:
    collector = Collector()
    collector.start()
    yield collector
    collector.stop()


class TestCollector:
    def test_small_things_coming_by_are_no_reason(self, collector: Collector) -> None:
        for _ in range(3):
            passing: list[list[int]] = [[] for _ in range(FEWEST // 2)]
            del passing
            assert not collector.tend()

    def test_what_only_a_collection_frees_is_freed(self, collector: Collector) -> None:
        first = Cycle()
        alive = weakref.ref(first)
        del first
        assert not collector.tend()
        assert alive() is not None
        for _ in range(FEWEST):
            Cycle()
        assert collector.tend()
        assert alive() is None

    def test_a_crowd_is_looked_through_each_time_that_it_has_grown_by_half(self, collector: Collector) -> None:
        crowd: list[list[int]] = []
        sizes = []
        while len(crowd) < 10 * FEWEST:
            crowd.extend([] for _ in range(FEWEST // 10))
            if collector.tend():
                sizes.append(len(crowd))
        assert len(sizes) in range(5, 9)
        assert all(later / earlier > 1.3 for earlier, later in pairwise(sizes[2:]))

    def test_python_has_its_collector_back_at_the_end(self) -> None:
        collector = Collector()
        collector.start()
        assert not gc.isenabled()
        collector.stop()
        assert gc.isenabled()
        assert gc.get_freeze_count() == 0
        assert not collector.tend()
