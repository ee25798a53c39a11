"""Runs work that Ctrl-C, SIGTERM and SIGHUP stop cleanly, with no process left behind.

A program calls `handle_signals` first and `leave_with` last: no signal kills it in between, so it always has the exit
code that it promises. Before and after the work that `run` runs, SIGTERM and SIGHUP raise Stopped wherever it is,
as Ctrl-C raises KeyboardInterrupt. A hang-up that whoever started us ignores (nohup) stays ignored.

Work that must end soon, whatever its server does, gets a deadline: then a thread ends the process, even if the event
loop is stuck, or a write to a terminal that nobody reads.

asyncio is imported where work is run: each command imports this module when it starts.
"""

from __future__ import annotations

import atexit
import gc
import os
import signal
import sys
import threading
from collections.abc import Callable, Coroutine, Generator, Sequence
from contextlib import contextmanager, suppress
from types import FrameType
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    import asyncio

T = TypeVar("T")

SIGNALS = tuple(getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name))

ALL_BUT_CTRL_C = tuple(number for number in SIGNALS if number is not signal.SIGINT)
"""For work in which Ctrl-C is a key like others."""

AT_MOST_S = 0.9
"""How long work that waits for a server may take to end."""

TIDY_S = 5.0
"""How long a program may take to end if the signal came while no work ran."""


class Stopped(SystemExit):
    """A signal asked the program or its work to end; `number` is the signal's.

    A caller that wants another exit code, or has something to say, catches it. Else the program exits with 128 plus the
    number.
    """

    def __init__(self, number: int) -> None:
        super().__init__(128 + number)
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
        """Starts the deadline at the first signal."""
        if self.within_s is not None and not self._number:
            self._number = number
            self.move(self.within_s)

    def move(self, seconds: float) -> None:
        """Moves the deadline to `seconds` from now, if a signal has come."""
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
    """Extends the deadline of work that was asked to end, so that child processes can leave politely."""
    _deadline.move(seconds)


def before_the_end(tidy: Callable[[], object]) -> Callable[[], None]:
    """Has `tidy` called on another thread before a stuck process is ended. Returns a function that undoes this."""
    _deadline.last.append(tidy)

    def undo() -> None:
        with suppress(ValueError):
            _deadline.last.remove(tidy)

    return undo


def handle_signals() -> None:
    """From now on SIGTERM and SIGHUP raise Stopped on the main thread; for the start of a program.

    They do so once: further signals don't interrupt the cleanup, which may take TIDY_S seconds.
    """
    atexit.register(_set, SIGNALS, signal.SIG_IGN)  # the first to be registered is the last to be called
    for number in ALL_BUT_CTRL_C:
        if signal.getsignal(number) is signal.SIG_DFL:
            signal.signal(number, _raise)


def _raise(number: int, _frame: FrameType | None) -> None:
    for each in ALL_BUT_CTRL_C:
        if signal.getsignal(each) is _raise:
            signal.signal(each, _do_nothing)
    _deadline.within_s = TIDY_S
    _deadline.signalled(number)
    raise Stopped(number)


def _do_nothing(_number: int, _frame: FrameType | None) -> None:
    pass


def leave_with(code: int) -> None:
    """Fixes the exit code: only Python's own shutdown is left, and no signal changes `code` any more.

    Output that nobody reads and threads that don't end are no longer waited for once a signal has come.
    """

    def end(_number: int, _frame: FrameType | None) -> None:
        os._exit(code)

    _set([number for number in SIGNALS if not _is_ignored_hangup(number)], end)
    _deadline.over()
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError):  # Python reports it when it flushes them again at exit
            stream.flush()
    gc.freeze()  # else the shutdown runs several full collections, a fifth of the time of a short command


def _set(numbers: Sequence[int], handler: Callable[[int, FrameType | None], object] | signal.Handlers) -> None:
    for number in numbers:
        signal.signal(number, handler)


def run(work: Coroutine[object, object, T], signals: Sequence[int] = SIGNALS, *, within_s: float | None = None) -> T:
    """Runs `work` on a loop of its own, cancelled at the first of `signals`; raises Stopped if that is how it ended.

    A signal that comes before the loop turns, or while it is closed, stops the work as well.
    within_s: how long it may take to end after any signal, Ctrl-C too; then the process is ended at once.
    """
    stop = _Stop()
    _deadline.within_s = within_s
    try:
        with _listening(signals, stop.ask):
            result = _run(work, stop, [number for number in SIGNALS if number not in signals])
    finally:
        work.close()  # if it never began: Python would warn of it
        _deadline.over()
    if stop.number is not None and not stop.is_told:
        raise Stopped(stop.number)
    return result


def _run(work: Coroutine[object, object, T], stop: _Stop, others: Sequence[int]) -> T:
    import asyncio

    try:
        return asyncio.run(_guard(work, stop, others))
    except asyncio.CancelledError:
        if stop.number is None:
            raise
        raise Stopped(stop.number) from None


class _Stop:
    """The stop request of one `run`, and its task while it runs.

    is_told: the work was cancelled, so its result already takes the signal into account.
    """

    def __init__(self) -> None:
        self.number: int | None = None
        self.is_told = False
        self._loop: asyncio.AbstractEventLoop | None = None
        self._task: asyncio.Task[object] | None = None

    def ask(self, number: int) -> None:
        """Handles a signal at any moment; further signals don't interrupt the cleanup."""
        if self.number is not None:
            return
        self.number = number
        if self._loop is not None:
            with suppress(RuntimeError):  # the loop is closed
                self._loop.call_soon_threadsafe(self._cancel)

    def begin(self, loop: asyncio.AbstractEventLoop, task: asyncio.Task[object]) -> None:
        """Notes the task of the work; cancels it at once if a signal came before."""
        self._loop, self._task = loop, task
        if self.number is not None:
            self._cancel()

    def over(self) -> None:
        """The work has ended."""
        self._task = None

    def _cancel(self) -> None:
        if self._task is not None:
            self.is_told = self._task.cancel()


async def _guard(work: Coroutine[object, object, T], stop: _Stop, others: Sequence[int]) -> T:
    import asyncio

    task = asyncio.current_task()
    assert task is not None
    stop.begin(asyncio.get_running_loop(), task)
    try:
        with _listening(others):
            return await work
    finally:
        stop.over()


@contextmanager
def _listening(numbers: Sequence[int], ask: Callable[[int], None] | None = None) -> Generator[None]:
    """Handles signals between two instructions of Python, even if the loop is stuck; restores the handlers at the end.

    ask: what to do at a signal. If it is None, the earlier handler is called; only the deadline starts here.
    """
    before = {number: signal.getsignal(number) for number in numbers}

    def handle(number: int, frame: FrameType | None) -> None:
        _deadline.signalled(number)
        did = before[number]
        if ask is not None:
            ask(number)
        elif callable(did):
            did(number, frame)

    on_main = threading.current_thread() is threading.main_thread()  # else no handler can be set: in some tests
    heard = [number for number in numbers if on_main and not _is_ignored_hangup(number)]
    _set(heard, handle)
    try:
        yield
    finally:
        for number in heard:
            if (did := before[number]) is not None:
                signal.signal(number, did)


def _is_ignored_hangup(number: int) -> bool:
    return number == getattr(signal, "SIGHUP", None) and signal.getsignal(number) is signal.SIG_IGN
