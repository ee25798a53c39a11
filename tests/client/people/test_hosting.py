"""A host's server is started again when it dies, but not without end."""

import asyncio
from collections.abc import Sequence
from typing import ClassVar

import pytest

from client.people import hosting
from client.people.hosting import RESTARTS, HostedServer
from processes.child import ChildError

pytestmark = [pytest.mark.looptime]


class FakeChild:
    """A process that ends when the test says so, or fails at its start."""

    made: ClassVar[list["FakeChild"]] = []
    fails: ClassVar[int] = 0

    def __init__(self, arguments: Sequence[str]) -> None:
        self.arguments = arguments
        self.ended = asyncio.Event()
        self.stopped = False
        self.made.append(self)

    async def start(self) -> None:
        pass

    async def wait(self) -> int:
        await self.ended.wait()
        return -9

    async def stop(self) -> None:
        self.stopped = True
        self.ended.set()

    async def address(self, timeout_s: float) -> str:
        if FakeChild.fails and len(FakeChild.made) > 1:
            FakeChild.fails -= 1
            self.ended.set()
            raise ChildError("the port is taken")
        return "ws://127.0.0.1:8765"


@pytest.fixture
def children(monkeypatch: pytest.MonkeyPatch) -> list[FakeChild]:
    monkeypatch.setattr(hosting, "Command", FakeChild)
    FakeChild.made, FakeChild.fails = [], 0
    return FakeChild.made


async def test_it_is_started_again_on_its_port(children: list[FakeChild]) -> None:
    said: list[str] = []
    async with HostedServer(8765) as server:
        server.tell = said.append
        assert server.address == "ws://127.0.0.1:8765"
        children[0].ended.set()
        await asyncio.sleep(0.1)
        assert [child.arguments for child in children] == [["serve", "--port", "8765"]] * 2
        assert said == ["The server has ended. It is being started again ..."]
    assert all(child.stopped for child in children)


async def test_not_more_than_five_times_a_minute(children: list[FakeChild]) -> None:
    said: list[str] = []
    async with HostedServer(8765) as server:
        server.tell = said.append
        for _ in range(RESTARTS + 3):
            children[-1].ended.set()
            await asyncio.sleep(5)
        assert len(children) == RESTARTS + 1
        assert said[-1] == "The server keeps ending and is not started again: leave with quit."
        assert len(said) == RESTARTS + 1


async def test_for_ever_if_it_dies_now_and_then(children: list[FakeChild]) -> None:
    async with HostedServer(8765):
        for _ in range(3 * RESTARTS):
            children[-1].ended.set()
            await asyncio.sleep(20)
        assert len(children) == 3 * RESTARTS + 1


async def test_a_start_that_fails_is_tried_again(children: list[FakeChild]) -> None:
    FakeChild.fails = 2
    async with HostedServer(8765):
        children[0].ended.set()
        await asyncio.sleep(10)
        assert len(children) == 4
        assert not children[-1].ended.is_set()


async def test_on_a_port_that_nobody_knows_it_is_not(children: list[FakeChild]) -> None:
    async with HostedServer(0):
        children[0].ended.set()
        await asyncio.sleep(10)
        assert len(children) == 1
