"""Services are started again when they end, so many times; they end with the server. No process is started here."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable

import pytest

from processes.child import ChildError
from services import supervision
from services.supervision import PAUSE_S, RESTARTS, Service, beside, keep


class FakeChild:
    """A process that ends when it is told to: at once with `code`, or not before `stop` with None."""

    def __init__(self, code: int | None = 3, *, starts: bool = True) -> None:
        self.calls: list[str] = []
        self._code = code
        self._starts = starts

    async def start(self) -> None:
        self.calls.append("start")
        if not self._starts:
            raise ChildError("no such program")

    async def wait(self) -> int:
        self.calls.append("wait")
        if self._code is None:
            await asyncio.Event().wait()
        return self._code or 0

    async def stop(self) -> None:
        self.calls.append("stop")


class Factory:
    """Makes children; each is kept."""

    def __init__(self, make: Callable[[], FakeChild]) -> None:
        self.made: list[FakeChild] = []
        self.pauses: list[float] = []
        self._make = make

    def __call__(self) -> FakeChild:
        self.made.append(self._make())
        return self.made[-1]

    async def pause(self, seconds: float) -> None:
        self.pauses.append(seconds)


@pytest.mark.parametrize("starts", [True, False])
async def test_what_ends_is_started_again_so_many_times(caplog: pytest.LogCaptureFixture, *, starts: bool) -> None:
    factory = Factory(lambda: FakeChild(starts=starts))
    with caplog.at_level(logging.WARNING):
        await keep("house", factory, factory.pause)
    assert len(factory.made) == RESTARTS + 1
    assert factory.pauses == [PAUSE_S] * RESTARTS
    assert all(child.calls[-1] == "stop" for child in factory.made), "whatever it has started ends, too"
    events = [record.event for record in caplog.records]  # type: ignore[attr-defined]  # given by `note`
    assert events == ["service_ended"] * RESTARTS + ["service_given_up"]


async def test_it_ends_with_the_server() -> None:
    factory = Factory(lambda: FakeChild(None))
    task = asyncio.create_task(keep("house", factory, factory.pause))
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    (child,) = factory.made
    assert child.calls == ["start", "wait", "stop"]


async def test_services_live_as_long_as_what_is_beside_the_server(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[tuple[str, str, str]] = []
    children: list[FakeChild] = []

    def starter(service: Service, address: str, secret: str) -> Callable[[], FakeChild]:
        seen.append((service.name, address, secret))
        children.append(FakeChild(None))
        return lambda: children[-1]

    monkeypatch.setattr(supervision, "_starter", starter)
    both = beside((Service("house", "services.house.process"),))
    assert both is not None
    async with both.open("ws://127.0.0.1:1"):
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        assert seen == [("house", "ws://127.0.0.1:1", both.secret)]
        assert children[0].calls == ["start", "wait"]
    assert children[0].calls[-1] == "stop"


def test_without_services_there_is_no_secret_either() -> None:
    assert beside(()) is None
