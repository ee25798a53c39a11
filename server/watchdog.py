"""A thread beside the event loop: logs where a stuck loop stands, and ends a process that does not stop by itself.

Nothing in the loop can do that, since asyncio's signal handlers are callbacks of the loop, too. So another thread here
waits for the signals that ask the process to stop, without help from the loop.
"""

from __future__ import annotations

import asyncio
import os
import signal
import sys
import threading
import time
import traceback
from collections.abc import Callable, Sequence
from pathlib import Path

from server.logs import Event, note

STUCK_SECONDS = 2.0
"""A loop that has shown no sign of life for this long is stuck; the next report follows after twice as long."""

GRACE_SECONDS = 9.0
"""From the signal that asks the process to stop until it is ended, whatever it does."""

_LOOK_SECONDS = 0.25
_FRAMES = 6


class Watchdog:
    """Watches the loop of the thread that makes it, from `start` to `close`. end: ends the process at once."""

    def __init__(self, *, end: Callable[[int], None] = os._exit) -> None:
        self._end = end
        self._watched = threading.get_ident()
        self._beaten = time.monotonic()
        self._limit = STUCK_SECONDS
        self._asked = 0.0
        self._closed = threading.Event()
        self._thread = threading.Thread(target=self._watch, name="watchdog", daemon=True)

    def start(self) -> None:
        """Begins to watch."""
        self._thread.start()

    def close(self) -> None:
        """Ends the watch."""
        self._closed.set()
        self._thread.join()

    def beat(self) -> None:
        """The loop is alive."""
        self._beaten = time.monotonic()
        self._limit = STUCK_SECONDS

    @property
    def is_stopping(self) -> bool:
        """Whether the process was asked to stop."""
        return self._asked > 0

    def stopping(self) -> None:
        """The process was asked to stop: it has GRACE_SECONDS. A second time ends it at once."""
        if self._asked:
            self._end(1)
        self._asked = time.monotonic()

    def place(self) -> str:
        """Where the watched thread stands: its innermost functions first."""
        frame = sys._current_frames().get(self._watched)  # noqa: SLF001 - the documented way to another thread's stack
        frames = traceback.extract_stack(frame)[-_FRAMES:]
        return " < ".join(f"{Path(f.filename).name}:{f.lineno} {f.name}" for f in reversed(frames))

    def _watch(self) -> None:
        while not self._closed.wait(_LOOK_SECONDS):
            now = time.monotonic()
            still = now - self._beaten
            if still > self._limit:
                self._limit *= 2
                note(Event.LOOP_STUCK, seconds=round(still, 1), place=self.place())
            if self._asked and now - self._asked > GRACE_SECONDS:
                note(Event.ENDED_BY_FORCE, place=self.place())
                self._end(1)


def hold_signals() -> None:
    """Lets signals that ask the process to stop wait for `on_signals`; to be called before any thread is started.

    They are blocked in all threads, so that they reach the one that asks for them, however busy the others are.
    """
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_BLOCK, _signals())


def _signals() -> Sequence[signal.Signals]:
    """Those that ask the process to stop; a hang-up that whoever started us ignores (nohup) asks nothing."""
    hangup = getattr(signal, "SIGHUP", None)
    if hangup is None or signal.getsignal(hangup) is signal.SIG_IGN:
        return (signal.SIGINT, signal.SIGTERM)
    return (signal.SIGINT, signal.SIGTERM, hangup)


def on_signals(watchdog: Watchdog, stop: Callable[[], None]) -> None:
    """Lets `stop` be called, in the running loop, when a signal asks the process to stop."""
    loop, signals = asyncio.get_running_loop(), _signals()

    def asked(number: int) -> None:
        if number in (signal.SIGINT, signal.SIGTERM) or not watchdog.is_stopping:  # terminals hang up twice
            watchdog.stopping()
        loop.call_soon_threadsafe(stop)

    if hasattr(signal, "pthread_sigmask"):

        def wait() -> None:
            while True:
                asked(signal.sigwait(signals))

        threading.Thread(target=wait, name="signals", daemon=True).start()
    else:
        for number in signals:
            signal.signal(number, lambda number, _frame: asked(number))
