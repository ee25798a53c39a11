"""Work that whoever started it may stop: Ctrl-C, SIGTERM and SIGHUP end it in order, with no process left behind."""

from __future__ import annotations

import asyncio
import signal
import sys
from collections.abc import Callable, Coroutine, Sequence
from contextlib import suppress
from typing import TypeVar

T = TypeVar("T")

SIGNALS = tuple(getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name))

ALL_BUT_CTRL_C = tuple(number for number in SIGNALS if number is not signal.SIGINT)
"""For work in which Ctrl-C is a key like others."""


class Stopped(Exception):  # noqa: N818 - what happened
    """A signal asked the work to end, and it has; `number` is the signal's."""

    def __init__(self, number: int) -> None:
        super().__init__(f"stopped by signal {number}")
        self.number = number


def run(work: Coroutine[object, object, T], signals: Sequence[int] = SIGNALS) -> T:
    """Runs `work` on a loop of its own, cancelled at the first of `signals`; raises Stopped if that is how it ended."""
    return asyncio.run(_guard(work, signals))


async def _guard(work: Coroutine[object, object, T], signals: Sequence[int]) -> T:
    task = asyncio.current_task()
    assert task is not None
    asked: list[int] = []

    def stop(number: int) -> None:
        if not asked:  # whoever insists does not interrupt the tidying up
            asked.append(number)
            task.cancel()

    for number in signals:
        _listen(number, stop)
    try:
        return await work
    except asyncio.CancelledError:
        if not asked:
            raise
        raise Stopped(asked[0]) from None


def _listen(number: int, stop: Callable[[int], None]) -> None:
    loop = asyncio.get_running_loop()
    with suppress(ValueError):  # not on the main thread: a test
        if sys.platform == "win32":
            signal.signal(number, lambda number, _frame: loop.call_soon_threadsafe(stop, number))
        else:
            loop.add_signal_handler(number, stop, number)
