"""An event loop whose time passes only when nothing else is left to do: hours of waiting take no time at all."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

T = TypeVar("T")


class StandstillError(Exception):
    """Nothing will ever happen any more, and the program waits for it."""


class VirtualLoop(asyncio.BaseEventLoop):
    """Timers in order, no sockets, no threads."""

    def __init__(self) -> None:
        super().__init__()
        self._now = 0.0
        self._selector = self
        self.failures: list[dict[str, Any]] = []
        self.set_exception_handler(lambda _, context: self.failures.append(context))

    def time(self) -> float:
        return self._now

    def stall(self, seconds: float) -> None:
        """The process stands still for that long, in the middle of whatever it does."""
        self._now += seconds

    def select(self, timeout: float | None) -> list[object]:
        """What the loop calls when nothing is ready: waits until the next timer."""
        if timeout is None:
            raise StandstillError
        self._now += timeout
        return []

    def close(self) -> None:
        if not self.is_closed():
            super().close()

    def _process_events(self, event_list: list[object]) -> None:
        pass

    def _write_to_self(self) -> None:
        pass


def virtual_loop() -> VirtualLoop:
    """The loop that runs now."""
    loop = asyncio.get_running_loop()
    assert isinstance(loop, VirtualLoop)
    return loop


def run(main: Coroutine[Any, Any, T]) -> T:
    """Runs `main` in a time of its own; an exception that nobody caught anywhere fails it."""
    loops: list[VirtualLoop] = []

    def make() -> VirtualLoop:
        loops.append(VirtualLoop())
        return loops[-1]

    with asyncio.Runner(loop_factory=make) as runner:
        result = runner.run(main)
    assert not loops[0].failures, loops[0].failures
    return result
