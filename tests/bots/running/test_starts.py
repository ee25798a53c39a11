"""The queue of programs that start: in virtual time, with starts that only sleep."""

import asyncio

import pytest

from bots.running import starts
from bots.running.starts import Starts

LOADED_S = 1.0
"""What one start takes on the machine of these tests, whoever else starts."""


class Machine:
    """Starts programs that take `LOADED_S` each; counts them."""

    def __init__(self, places: int, at_a_time: int) -> None:
        self.queue = Starts(places, at_a_time)
        self.running = self.starting = 0
        self.most_running = self.most_starting = 0
        self.begun: list[int] = []

    async def run(self, number: int, plays_s: float) -> float:
        """Runs a program for a match of so many seconds; what its start took by the clock it is given for that."""
        await self.queue.take_place()
        self.running += 1
        self.most_running = max(self.most_running, self.running)
        async with self.queue.turn():
            self.begun.append(number)
            began = asyncio.get_running_loop().time()
            self.starting += 1
            self.most_starting = max(self.most_starting, self.starting)
            await asyncio.sleep(LOADED_S)
            self.starting -= 1
            took = asyncio.get_running_loop().time() - began
        await asyncio.sleep(plays_s)
        self.running -= 1
        self.queue.leave_place()
        return took


@pytest.mark.looptime
async def test_two_hundred_at_once_start_two_at_a_time_and_in_their_order() -> None:
    machine = Machine(places=32, at_a_time=2)
    took = await asyncio.gather(*(machine.run(number, 5.0) for number in range(200)))
    assert (machine.most_starting, machine.most_running) == (2, 32)
    assert max(took) == pytest.approx(LOADED_S)
    assert machine.begun == list(range(200))


@pytest.mark.looptime
async def test_who_gives_up_waiting_leaves_no_hole() -> None:
    machine = Machine(places=1, at_a_time=1)
    first = asyncio.create_task(machine.run(1, 30.0))
    await asyncio.sleep(0)
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(20.0):
            await machine.queue.take_place()
    second = asyncio.create_task(machine.run(2, 1.0))
    await asyncio.gather(first, second)
    assert machine.begun == [1, 2]
    await asyncio.wait_for(machine.queue.take_place(), 0.1)


@pytest.mark.looptime
async def test_who_gives_up_as_a_place_comes_is_passed_over_and_fails_in_nothing() -> None:
    queue = Starts(1, 1)
    await queue.take_place()
    late, next_one = (asyncio.create_task(queue.take_place()) for _ in range(2))
    await asyncio.sleep(0)
    late.cancel()
    queue.leave_place()
    with pytest.raises(asyncio.CancelledError):
        await late
    await asyncio.wait_for(next_one, 1.0)


@pytest.mark.looptime
async def test_a_place_that_comes_as_one_gives_up_goes_to_the_next() -> None:
    queue = Starts(1, 1)
    await queue.take_place()
    late, next_one = (asyncio.create_task(queue.take_place()) for _ in range(2))
    await asyncio.sleep(0)
    queue.leave_place()
    late.cancel()
    await asyncio.wait_for(next_one, 1.0)


@pytest.mark.looptime
async def test_a_seat_that_it_has_anyhow_counts() -> None:
    queue = Starts(1, 1)
    queue.hold_place()
    with pytest.raises(TimeoutError):
        await asyncio.wait_for(queue.take_place(), 1.0)
    queue.leave_place()
    await asyncio.wait_for(queue.take_place(), 1.0)


def test_short_memory_leaves_fewer_places(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(starts, "cores", lambda: 2)
    monkeypatch.setattr(starts, "available_bytes", lambda: None)
    assert starts.usual_places() == 32
    monkeypatch.setattr(starts, "available_bytes", lambda: 100 << 20)
    assert starts.usual_places() == 2
    monkeypatch.setattr(starts, "available_bytes", lambda: 0)
    assert starts.usual_places() == 1
