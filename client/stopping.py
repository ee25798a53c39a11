"""Work that whoever started it may stop: Ctrl-C, SIGTERM and SIGHUP end it in order, with no process left behind.

What must end soon, whatever a server does to it, is given a bound: a thread of its own ends the process then, also if
the event loop is stuck, or a write to a terminal that nobody reads.
"""

from __future__ import annotations

import asyncio
import os
import signal
import threading
from collections.abc import Callable, Coroutine, Sequence
from contextlib import suppress
from types import FrameType
from typing import Any, TypeVar

T = TypeVar("T")

SIGNALS = tuple(getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name))

ALL_BUT_CTRL_C = tuple(number for number in SIGNALS if number is not signal.SIGINT)
"""For work in which Ctrl-C is a key like others."""

AT_MOST_S = 0.9
"""What work on the word of a server may take to end."""


class Stopped(Exception):  # noqa: N818 - what happened
    """A signal asked the work to end, and it has; `number` is the signal's."""

    def __init__(self, number: int) -> None:
        super().__init__(f"stopped by signal {number}")
        self.number = number


class _Deadline:
    """Ends the process some time after a signal, unless the work has ended before; `last` is done first."""

    def __init__(self) -> None:
        self.within_s: float | None = None
        self.last: list[Callable[[], object]] = []
        self._lock = threading.Lock()
        self._timer: threading.Timer | None = None
        self._number = 0

    def signalled(self, number: int) -> None:
        """The first signal starts the time that there is."""
        if self.within_s is not None and not self._number:
            self._number = number
            self.move(self.within_s)

    def move(self, seconds: float) -> None:
        """From now on there are so many seconds, if a signal has come."""
        with self._lock:
            if self._number:
                self._drop()
                self._timer = threading.Timer(seconds, self._end)
                self._timer.daemon = True
                self._timer.start()

    def over(self) -> None:
        """The work has ended."""
        with self._lock:
            self._drop()
            self._number, self.within_s = 0, None

    def _drop(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _end(self) -> None:
        for tidy in self.last:
            with suppress(Exception):
                tidy()
        os._exit(128 + self._number)


_deadline = _Deadline()


def postpone(seconds: float) -> None:
    """Gives work that was asked to end so much time from now on: for processes of ours that are to leave politely."""
    _deadline.move(seconds)


def before_the_end(tidy: Callable[[], object]) -> Callable[[], None]:
    """`tidy` is called, on another thread, before the process ends in spite of work that is stuck. Returns its undo."""
    _deadline.last.append(tidy)

    def undo() -> None:
        with suppress(ValueError):
            _deadline.last.remove(tidy)

    return undo


def run(work: Coroutine[object, object, T], signals: Sequence[int] = SIGNALS, *, within_s: float | None = None) -> T:
    """Runs `work` on a loop of its own, cancelled at the first of `signals`; raises Stopped if that is how it ended.

    within_s: how long it may take to end after any signal, Ctrl-C too; then the process is ended at once.
    """
    _deadline.within_s = within_s
    try:
        return asyncio.run(_guard(work, signals))
    finally:
        _deadline.over()


async def _guard(work: Coroutine[object, object, T], signals: Sequence[int]) -> T:
    task = asyncio.current_task()
    assert task is not None
    loop = asyncio.get_running_loop()
    asked: list[int] = []

    def stop(number: int) -> None:
        if not asked:  # whoever insists does not interrupt the tidying up
            asked.append(number)
            task.cancel()

    before = {number: _listen(number, loop, stop if number in signals else None) for number in SIGNALS}
    try:
        return await work
    except asyncio.CancelledError:
        if not asked:
            raise
        raise Stopped(asked[0]) from None
    finally:
        for number, handler in before.items():
            with suppress(ValueError):
                if handler is not None:
                    signal.signal(number, handler)


def _listen(number: int, loop: asyncio.AbstractEventLoop, stop: Callable[[int], None] | None) -> Any:
    """Handles a signal between two instructions of Python, even if the loop never turns; returns what did before."""
    before = signal.getsignal(number)

    def handle(number: int, frame: FrameType | None) -> None:
        _deadline.signalled(number)
        if stop is not None:
            with suppress(RuntimeError):  # the loop is closed
                loop.call_soon_threadsafe(stop, number)
        elif callable(before):
            before(number, frame)

    with suppress(ValueError):  # not on the main thread: a test
        signal.signal(number, handle)
        return before
    return None
