"""The stage on which a pupil's code runs: a thread with a time limit, no keyboard, and standard error as its screen.

Code that asks the keyboard waits for ever, and `Stage.wait` reports it. An exception instead could be caught by an
`except:` in a loop, which would then never end. What a file has defined before it asks can still be used.
"""

import builtins
import faulthandler
import io
import os
import queue
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from types import FrameType
from typing import Any, NoReturn

from bots.adapters.pupils.facts import Location, Trouble, clip
from bots.adapters.pupils.patience import Deadline
from bots.adapters.pupils.trouble import Sources

STACK_BYTES = 16 << 20
"""Room for a deep recursion through C code; the system takes only the memory that is used."""

_TRACE_AFTER_S = 0.25
_LOOK_S = 0.05
"""The seconds between two looks at the processor time that was used."""

_STOP_S = 1.0
_STOP_AGAIN_S = 0.05


@dataclass(frozen=True, slots=True)
class Done:
    """The code ran to its end."""

    value: Any


@dataclass(frozen=True, slots=True)
class Raised:
    """The code ended with an exception."""

    error: BaseException


@dataclass(frozen=True, slots=True)
class AwaitsKeyboard:
    """The code waits for the keyboard, for ever."""

    place: Location
    prompt: str


@dataclass(frozen=True, slots=True)
class Slow:
    """The code is still running, on `thread`."""

    place: Location
    thread: threading.Thread


Outcome = Done | Raised | AwaitsKeyboard | Slow


class Halted(BaseException):
    """Is thrown into code that runs too long."""


@dataclass(frozen=True, slots=True)
class Running:
    """A piece of code that has been started; setting `end` asks it to end."""

    thread: threading.Thread
    outcomes: "queue.SimpleQueue[Outcome]"
    end: threading.Event


class Stage:
    """Runs pieces of a pupil's code, one after the other.

    printed: the first text that the last piece printed, None if it printed nothing.
    """

    def __init__(self, sources: Sources) -> None:
        self.printed: Trouble | None = None
        self._sources = sources
        self._outcomes: queue.SimpleQueue[Outcome] = queue.SimpleQueue()
        self._is_traced = False

    def furnish(self) -> None:
        """Takes the keyboard away, and sends what is printed to standard error. Only `clear` ends this."""
        threading.stack_size(STACK_BYTES)
        sys.stdout = _Screen(self)
        sys.stdin = Keyboard(self)
        builtins.input = self._input
        threading.excepthook = _ignore_halted

    def clear(self) -> None:
        """Restores keyboard and screen, for a debugger."""
        sys.stdin, sys.stdout, builtins.input = sys.__stdin__, sys.__stdout__, _INPUT

    def start(self, work: Callable[[], object], end: "threading.Event | None" = None) -> Running:
        """Starts `work` on a thread of its own; setting `end` asks it to end."""
        outcomes: queue.SimpleQueue[Outcome] = queue.SimpleQueue()
        self._outcomes = outcomes
        self.printed = None

        def perform() -> None:
            try:
                outcomes.put(Done(work()))
            except BaseException as error:  # noqa: BLE001 - we report everything that a pupil's file raises, exit() too
                outcomes.put(Raised(error))

        thread = threading.Thread(target=perform, daemon=True)
        thread.start()
        return Running(thread, outcomes, end or threading.Event())

    def wait(self, running: Running, within_s: float, cpu_s: "float | None" = None) -> Outcome:
        """Waits for the end of the code or of its time (elapsed, processor); returns how it ended, or where it is."""
        deadline, end_cpu_s = Deadline(within_s, worked=time.process_time), time.process_time() + (cpu_s or 0.0)
        gaps = 0
        while True:
            slice_s = deadline.slice_s
            if self._is_traced and deadline.gaps > gaps:
                gaps = deadline.gaps
                # A dump that is due now would read frames while the file runs on.
                faulthandler.dump_traceback_later(deadline.left_s + _TRACE_AFTER_S)
            is_over = slice_s <= 0 or (cpu_s is not None and time.process_time() >= end_cpu_s)
            with suppress(queue.Empty):
                # With a timeout of 0, some versions of Python wait for ever.
                if is_over:
                    return running.outcomes.get_nowait()
                return running.outcomes.get(timeout=slice_s if cpu_s is None else min(slice_s, _LOOK_S))
            if not is_over:
                continue
            return Slow(self._sources.of_frame(self._frame_of(running.thread)), running.thread)

    def run(self, work: Callable[[], object], within_s: float, cpu_s: "float | None" = None) -> Outcome:
        """Runs `work`; returns how it ended, or where it is when its time is over, as `wait` does."""
        # The dump works even if a single instruction of the interpreter takes that long and no Python code can run.
        faulthandler.dump_traceback_later(max(0.0, within_s) + _TRACE_AFTER_S)
        self._is_traced = True
        try:
            return self.wait(self.start(work), within_s, cpu_s)
        finally:
            self._is_traced = False
            faulthandler.cancel_dump_traceback_later()

    def where(self, slow: Slow) -> "FrameType | None":
        """What code that runs too long is doing."""
        return self._frame_of(slow.thread)

    def used_bytes(self) -> int:
        """The memory that this process holds; 0 where the system does not tell."""
        with suppress(OSError, ValueError, IndexError):
            return int(Path("/proc/self/statm").read_bytes().split()[1]) * os.sysconf("SC_PAGE_SIZE")
        return 0

    def _frame_of(self, thread: threading.Thread) -> "FrameType | None":
        return sys._current_frames().get(thread.ident or 0)  # noqa: SLF001 - there is no other way

    def stop(self, slow: Slow) -> bool:
        """Throws `Halted` into code that runs too long, again if the code catches it; returns whether it has ended."""
        import ctypes

        identity = ctypes.c_ulong(slow.thread.ident or 0)
        end = time.monotonic() + _STOP_S
        while slow.thread.is_alive() and time.monotonic() < end:
            ctypes.pythonapi.PyThreadState_SetAsyncExc(identity, ctypes.py_object(Halted))
            slow.thread.join(_STOP_AGAIN_S)
        return not slow.thread.is_alive()

    def end(self, running: Running, grace_s: float) -> Outcome:
        """Asks the code to end, and stops it if it has not done so within `grace_s`; returns how it ended."""
        running.end.set()
        outcome = self.wait(running, grace_s)
        if not isinstance(outcome, Slow) or not self.stop(outcome):
            return outcome
        return Done(None) if running.outcomes.empty() else self.wait(running, 0.0)

    def note_print(self, text: str) -> None:
        """Remembers the first text that is printed, and the author's line that printed it."""
        if self.printed is None and text.strip():
            place = self._sources.of_frame(sys._getframe(2))  # noqa: SLF001 - as in logging: who called the writer
            self.printed = Trouble("printed", place, detail=clip(text))

    def ask(self, prompt: str) -> NoReturn:
        """Reports that the code asks the keyboard; never returns."""
        place = self._sources.of_frame(sys._getframe(1))  # noqa: SLF001
        self._outcomes.put(AwaitsKeyboard(place, clip(prompt)))
        while True:
            threading.Event().wait()

    def _input(self, prompt: object = "", /) -> NoReturn:
        self.ask(str(prompt))


_INPUT = builtins.input
_TELL_OF_THREAD = threading.excepthook


def _ignore_halted(arguments: Any) -> None:
    """Hides the exception of a thread that was stopped just as it ended; others are shown as usual."""
    if not issubclass(arguments.exc_type, Halted):
        _TELL_OF_THREAD(arguments)


class _Screen(io.TextIOWrapper):
    """Standard output for pupils; it goes to standard error, of which the parent process keeps the end."""

    def __init__(self, stage: Stage) -> None:
        super().__init__(
            os.fdopen(os.dup(2), "wb", buffering=0), encoding="utf-8", errors="backslashreplace", write_through=True
        )
        self._stage = stage

    def write(self, text: str, /) -> int:
        self._stage.note_print(text)
        with suppress(OSError):
            super().write(text)
        return len(text)


class Keyboard(io.TextIOBase):
    """Standard input: whoever reads it waits for ever."""

    def __init__(self, stage: Stage) -> None:
        self._stage = stage

    def readable(self) -> bool:
        """As a keyboard is."""
        return True

    def read(self, size: int | None = -1, /) -> NoReturn:
        """Reports that the code reads."""
        del size
        self._stage.ask("")

    def readline(self, size: int = -1, /) -> NoReturn:  # type: ignore[override]  # typeshed has another signature
        """Reports that the code reads."""
        del size
        self._stage.ask("")

    def __next__(self) -> NoReturn:
        self._stage.ask("")
