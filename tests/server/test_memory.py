"""When cycles are looked for and memory is given back, and that connections which end need neither."""

from __future__ import annotations

import asyncio
import gc
import random
import weakref
from collections.abc import Callable, Iterator
from functools import partial

import pytest
from websockets.server import ServerProtocol

from server import memory
from server.app import App
from server.memory import CALM_LOOKS, FEW, LOOK_S, YOUNG, Collector, resident_bytes, trim
from server.referee.referee import Referee
from server.referee.settings import Settings
from tests.faults.rawsocket import RawSocket, request
from tests.faults.storms import batch


class Cycle:
    def __init__(self) -> None:
        self.itself = self


class Times:
    """A clock that goes on when it is told to, and how much the process works in it."""

    def __init__(self) -> None:
        self.now = 0.0
        self.worked = 0.0
        self.given_back: list[float] = []

    def give_back(self) -> None:
        self.given_back.append(self.now)

    def pass_by(self, collector: Collector, *, busy: bool) -> None:
        self.now += LOOK_S
        self.worked += LOOK_S * busy
        collector.tend()


@pytest.fixture
def times() -> Times:
    return Times()


@pytest.fixture
def collector(times: Times) -> Iterator[Collector]:
    collector = Collector(lambda: times.now, lambda: times.worked, times.give_back)
    collector.start()
    yield collector
    collector.stop()


def old_cycle() -> weakref.ref[Cycle]:
    """A cycle that nobody holds, and that was looked at while somebody did."""
    cycle = Cycle()
    gc.collect(1)
    return weakref.ref(cycle)


class TestCollector:
    def test_what_is_new_is_looked_through_when_there_is_enough_of_it(self, collector: Collector) -> None:
        first = Cycle()
        alive = weakref.ref(first)
        del first
        collector.tend()
        assert alive() is not None
        for _ in range(YOUNG):
            Cycle()
        collector.tend()
        assert alive() is None

    def test_all_is_looked_through_when_it_has_grown_and_the_server_is_calm(
        self, collector: Collector, times: Times
    ) -> None:
        alive = old_cycle()
        crowd = [[number] for number in range(10 * FEW)]
        times.pass_by(collector, busy=True)
        assert alive() is not None
        for _ in range(CALM_LOOKS - 1):
            times.pass_by(collector, busy=False)
        assert alive() is not None, "a moment without work is no calm"
        times.pass_by(collector, busy=False)
        assert alive() is None
        alive = old_cycle()
        times.pass_by(collector, busy=False)
        assert alive() is not None, "a crowd that stays is looked through once"
        del crowd

    def test_memory_is_given_back_once_things_are_calm(self, collector: Collector, times: Times) -> None:
        crowd = [[number] for number in range(10 * FEW)]
        times.pass_by(collector, busy=True)
        del crowd
        for _ in range(2 * CALM_LOOKS):
            times.pass_by(collector, busy=True)
        assert not times.given_back
        for _ in range(CALM_LOOKS - 1):
            times.pass_by(collector, busy=False)
        assert not times.given_back
        for _ in range(2 * CALM_LOOKS):
            times.pass_by(collector, busy=False)
        assert len(times.given_back) == 1

    def test_giving_back_is_harmless(self) -> None:
        trim()
        assert resident_bytes() >= 0

    def test_python_has_its_collector_back_at_the_end(self, monkeypatch: pytest.MonkeyPatch) -> None:
        done: list[str] = []
        monkeypatch.setattr(vars(memory)["gc"], "freeze", lambda: done.append("frozen"), raising=False)
        monkeypatch.setattr(vars(memory)["gc"], "unfreeze", lambda: done.append("thawed"), raising=False)
        collector = Collector()
        collector.start()
        assert not gc.isenabled()
        collector.stop()
        assert gc.isenabled()
        assert done == ["frozen", "thawed"]
        collector.tend()


def session(port: int) -> None:
    with RawSocket(port) as link:
        link.hello()


def handshake(port: int) -> None:
    with RawSocket(port) as link:
        link.shake_hands()


def half(port: int) -> None:
    with RawSocket(port) as link:
        link.send(request(port)[:40])


def silence(port: int) -> None:
    with RawSocket(port):
        pass


def nonsense(port: int) -> None:
    with RawSocket(port) as link:
        link.send(b"\r\n\r\n")
        link.rest()


def reset(port: int) -> None:
    with RawSocket(port) as link:
        link.hello()
        for _ in range(50):
            link.send(batch([{"type": "list"}]))  # what nobody reads when it closes is a reset


@pytest.mark.parametrize("visit", [session, handshake, half, silence, nonsense, reset])
def test_a_connection_that_ends_leaves_nothing_to_collect(visit: Callable[[int], None]) -> None:
    async def serve() -> int:
        app = App(partial(Referee, Settings(), random.Random(1), lambda: "secret", lambda: 0))
        server = await app.start("127.0.0.1", 0)
        try:
            await asyncio.to_thread(visit, server.sockets[0].getsockname()[1])
            async with asyncio.timeout(20):
                while app.admission.connections:  # noqa: ASYNC110 - nothing tells of the end
                    await asyncio.sleep(0.01)
            for _ in range(10):
                await asyncio.sleep(0)
            return sum(issubclass(type(one), ServerProtocol) for one in gc.get_objects())
        finally:
            await app.stop(server)

    gc.collect()  # what other tests have left
    assert asyncio.run(serve()) == 0
