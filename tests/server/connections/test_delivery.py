"""The way out: nothing leaves before it is recorded, nothing overtakes, nobody waits for one who does not read."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence

import pytest

from server.connections.connection_bounds import Bounds
from server.connections.delivery import STALLED_RETRY, Delivery
from server.connections.peer import Turn
from server.store.writing import Row
from tests.faults.simulation.virtual import run
from tests.server.lines import Heard

ROW: Row = ("", ())
BOUNDS = Bounds(backlog=1000, high_water=100, send=10, linger=0.01)

Scene = Callable[["Way"], Awaitable[None]]


class Way:
    """A delivery whose store the test holds: what was submitted is in `tickets`."""

    def __init__(self) -> None:
        self.tickets: list[Sequence[Row]] = []
        self.handed: list[Turn] = []
        self.delivery = Delivery(BOUNDS, self._submit, lambda _peer, turns: self.handed.extend(turns))
        self.ada, self.bob = Heard(), Heard()

    def _submit(self, rows: Sequence[Row]) -> int:
        self.tickets.append(rows)
        return len(self.tickets)

    def say(self, heard: Heard, text: bytes, *, prompt: bool = True) -> None:
        self.delivery.post(heard.peer, text, asyncio.get_running_loop().time(), prompt=prompt)


async def turn() -> None:
    """The end of the turn, and what it called."""
    for _ in range(3):
        await asyncio.sleep(0)


def played(scene: Scene) -> None:
    async def main() -> None:
        await scene(Way())

    run(main())


def test_what_a_turn_says_waits_for_its_record() -> None:
    async def scene(way: Way) -> None:
        way.delivery.keep(ROW)
        way.say(way.ada, b"ok")
        await turn()
        assert (len(way.tickets), way.ada.take()) == (1, [])
        way.delivery.committed(1)
        assert way.ada.take() == [b"ok"]

    played(scene)


def test_the_records_of_a_turn_have_one_ticket() -> None:
    async def scene(way: Way) -> None:
        for _ in range(3):
            way.delivery.keep(ROW)
        await turn()
        assert way.tickets == [[ROW, ROW, ROW]]

    played(scene)


def test_what_is_said_later_waits_for_the_same_record_and_keeps_its_place() -> None:
    async def scene(way: Way) -> None:
        way.delivery.keep(ROW)
        way.say(way.ada, b"1")
        await turn()
        way.say(way.ada, b"2")  # nothing of it is recorded, but it may speak of what is
        way.say(way.bob, b"3")
        await turn()
        assert (way.ada.take(), way.bob.take()) == ([], [])
        way.delivery.committed(1)
        assert (way.ada.take(), way.bob.take()) == ([b"1", b"2"], [b"3"])

    played(scene)


def test_a_commit_lets_go_only_what_it_recorded() -> None:
    async def scene(way: Way) -> None:
        for text in (b"1", b"2"):
            way.delivery.keep(ROW)
            way.say(way.ada, text)
            await turn()
        way.delivery.committed(1)
        assert way.ada.take() == [b"1"]
        way.delivery.committed(2)
        assert way.ada.take() == [b"2"]

    played(scene)


def test_what_lingers_does_not_leave_between_its_message_and_the_end_of_the_turn() -> None:
    async def scene(way: Way) -> None:
        way.say(way.ada, b"old", prompt=False)  # starts the timer
        loop = asyncio.get_running_loop()

        def message() -> None:  # in the turn in which the timer goes off, just before it
            way.delivery.keep(ROW)
            way.say(way.ada, b"acknowledged", prompt=False)

        loop.call_at(loop.time() + BOUNDS.linger - loop._clock_resolution / 2, message)  # type: ignore[attr-defined]
        await asyncio.sleep(2 * BOUNDS.linger)
        assert way.tickets
        assert b"acknowledged" not in way.ada.frames
        way.delivery.committed(len(way.tickets))
        assert b"acknowledged" in way.ada.frames

    played(scene)


def test_what_nobody_waits_for_travels_with_what_comes_next() -> None:
    async def scene(way: Way) -> None:
        way.ada.peer.batch = True
        way.say(way.ada, b"1", prompt=False)
        await turn()
        assert way.ada.take() == []
        way.say(way.ada, b"2")
        await turn()
        assert way.ada.take() == [b"[1,2]"]
        await asyncio.sleep(2 * BOUNDS.linger)
        assert way.ada.take() == []

    played(scene)


def test_what_lingers_waits_for_company_at_least_half_of_its_time_and_for_a_bot_longer() -> None:
    async def scene(way: Way) -> None:
        loop = asyncio.get_running_loop()
        way.bob.peer.is_bot = True
        began = loop.time()
        left: dict[str, float] = {}
        way.say(way.ada, b"1", prompt=False)
        way.say(way.ada, b"2")  # leaves at once, and the timer that "1" had started goes on
        await asyncio.sleep(BOUNDS.linger / 3)
        posted = loop.time()
        for name in ("ada", "bob"):
            way.say(getattr(way, name), b"3", prompt=False)
        way.ada.take()
        while len(left) < 2:
            await asyncio.sleep(0.0005)
            for name in ("ada", "bob"):
                if name not in left and getattr(way, name).take():
                    left[name] = loop.time() - posted
        assert posted - began < BOUNDS.linger / 2 <= left["ada"] < left["bob"]
        assert left["bob"] >= BOUNDS.linger_bot / 2

    played(scene)


def test_a_connection_closes_after_what_was_said_to_it() -> None:
    async def scene(way: Way) -> None:
        way.delivery.keep(ROW)
        way.say(way.ada, b"sorry")
        way.delivery.close(way.ada.peer, 1008, "")
        await turn()
        assert (way.ada.take(), way.ada.codes) == ([], [])
        way.delivery.committed(1)
        await turn()
        assert (way.ada.take(), way.ada.codes) == ([b"sorry"], [1008])

    played(scene)


def test_nothing_is_written_to_one_who_is_gone() -> None:
    async def scene(way: Way) -> None:
        way.delivery.keep(ROW)
        way.say(way.ada, b"1")
        way.say(way.bob, b"1")
        await turn()
        way.ada.line.lose()
        way.delivery.forget(way.ada.peer)
        way.delivery.committed(1)
        assert (way.ada.take(), way.bob.take()) == ([], [b"1"])

    played(scene)


def test_one_who_reads_again_gets_all_in_order() -> None:
    async def scene(way: Way) -> None:
        way.ada.line.wire.unread = BOUNDS.high_water + 1
        for text in (b"1", b"2"):
            way.say(way.ada, text)
            way.say(way.bob, text)
            await turn()
        assert (way.ada.take(), way.bob.take(), way.delivery.depth) == ([], [b"1", b"2"], 2)
        way.ada.line.wire.unread = 0
        await asyncio.sleep(2 * STALLED_RETRY)
        assert (way.ada.take(), way.delivery.depth) == ([b"1", b"2"], 0)

    played(scene)


@pytest.mark.parametrize("size", [1, BOUNDS.backlog + 1])
def test_one_who_does_not_read_is_cut_off(size: int) -> None:
    async def scene(way: Way) -> None:
        way.ada.line.wire.unread = BOUNDS.high_water + 1
        way.say(way.ada, b"x" * size)
        await turn()
        assert bool(way.ada.codes) is (size > BOUNDS.backlog)
        await asyncio.sleep(BOUNDS.send + 2 * STALLED_RETRY)
        assert (way.ada.codes, way.delivery.aborted) == ([1006], 1)

    played(scene)


def test_drained_waits_for_the_store_and_for_nobody_else() -> None:
    async def scene(way: Way) -> None:
        way.delivery.keep(ROW)
        way.say(way.ada, b"1")
        await turn()
        waiting = asyncio.ensure_future(way.delivery.drained())
        await turn()
        assert not waiting.done()
        way.delivery.committed(1)
        await waiting

    played(scene)


def test_what_waits_only_for_the_peer_to_read_counts_as_handed_over() -> None:
    """Else who does not read could think without a clock."""

    async def scene(way: Way) -> None:
        way.ada.line.wire.unread = 101
        way.delivery.post(way.ada.peer, b"go", 0.0, prompt=True, turn=("m", 4))
        await turn()
        assert way.ada.take() == []
        assert way.handed == [("m", 4)]
        way.ada.line.wire.unread = 0
        await asyncio.sleep(2 * STALLED_RETRY)
        assert (way.ada.take(), way.handed) == ([b"go"], [("m", 4)])

    played(scene)


def test_a_peer_that_has_said_that_it_closes_counts_as_asked() -> None:
    """Else whoever says so, and keeps TCP open, could think without a clock until the server ends it."""

    async def scene(way: Way) -> None:
        way.ada.peer.is_open = False
        way.delivery.post(way.ada.peer, b"go", 0.0, prompt=True, turn=("m", 4))
        await turn()
        assert (way.ada.take(), way.handed) == ([], [("m", 4)])

    played(scene)


def test_what_waits_for_the_store_is_not_handed_over() -> None:
    async def scene(way: Way) -> None:
        way.delivery.keep(ROW)
        way.delivery.post(way.ada.peer, b"go", 0.0, prompt=True, turn=("m", 4))
        await turn()
        assert way.handed == []
        way.delivery.committed(1)
        assert way.handed == [("m", 4)]

    played(scene)
