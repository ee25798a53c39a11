"""The stage on which a pupil's code runs: a thread that may be waited for, no keyboard, and a screen apart.

Whoever asks the keyboard is left waiting for ever and the asker is told: so no `except:` of a pupil's can turn a
question into an endless loop, and what a file had defined before it asked can still be used.
"""

import builtins
import faulthandler
import io
import os
import queue
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, NoReturn

from bots.adapters.pupils.facts import Place, Trouble, clip
from bots.adapters.pupils.trouble import Sources

STACK_BYTES = 16 << 20
"""Room for a deep recursion through C code; what of it is not used is not taken."""

_TRACE_AFTER_S = 0.25
_STOP_S = 1.0


@dataclass(frozen=True, slots=True)
class Done:
    """It came to its end."""

    value: Any


@dataclass(frozen=True, slots=True)
class Raised:
    """It ended with an exception."""

    error: BaseException


@dataclass(frozen=True, slots=True)
class Asked:
    """It waits for the keyboard, and will for ever."""

    place: Place
    prompt: str


@dataclass(frozen=True, slots=True)
class Slow:
    """It is still running; `thread` is where."""

    place: Place
    thread: threading.Thread


Outcome = Done | Raised | Asked | Slow


class Stopped(BaseException):
    """Thrown into code that runs too long."""


class Stage:
    """Runs one piece of a pupil's code after the other.

    printed: the first thing that the last piece printed, if it printed.
    """

    def __init__(self, sources: Sources) -> None:
        self.printed: Trouble | None = None
        self._sources = sources
        self._outcomes: queue.SimpleQueue[Outcome] = queue.SimpleQueue()

    def furnish(self) -> None:
        """Takes the keyboard away, and shows what is printed on standard error instead. For the process's lifetime."""
        threading.stack_size(STACK_BYTES)
        sys.stdout = _Screen(self)
        sys.stdin = _Keyboard(self)
        builtins.input = self._input

    def run(self, work: Callable[[], object], within_s: float) -> Outcome:
        """What became of `work` within so many seconds."""
        within_s = max(0.0, within_s)
        outcomes = self._outcomes = queue.SimpleQueue[Outcome]()
        self.printed = None

        def perform() -> None:
            try:
                outcomes.put(Done(work()))
            except BaseException as error:  # noqa: BLE001 - exit() in a pupil's file, and all else, is for us to tell
                outcomes.put(Raised(error))

        thread = threading.Thread(target=perform, daemon=True)
        # This one fires even where no Python code of ours can: in a single endless instruction of the interpreter.
        faulthandler.dump_traceback_later(within_s + _TRACE_AFTER_S)
        thread.start()
        try:
            return outcomes.get(timeout=within_s)
        except queue.Empty:
            return Slow(self._sources.of_frame(sys._current_frames().get(thread.ident or 0)), thread)  # noqa: SLF001
        finally:
            faulthandler.cancel_dump_traceback_later()

    def stop(self, slow: Slow) -> bool:
        """Throws `Stopped` into code that runs too long; whether it has ended then."""
        import ctypes

        identity = ctypes.c_ulong(slow.thread.ident or 0)
        ctypes.pythonapi.PyThreadState_SetAsyncExc(identity, ctypes.py_object(Stopped))
        slow.thread.join(_STOP_S)
        return not slow.thread.is_alive()

    def note_print(self, text: str) -> None:
        """Remembers the first line that is printed, and by which line of theirs."""
        if self.printed is None and text.strip():
            place = self._sources.of_frame(sys._getframe(2))  # noqa: SLF001 - as in logging: who called the writer
            self.printed = Trouble("printed", place, detail=clip(text))

    def ask(self, prompt: str) -> NoReturn:
        """Tells that somebody asks the keyboard; never returns."""
        place = self._sources.of_frame(sys._getframe(1))  # noqa: SLF001
        self._outcomes.put(Asked(place, clip(prompt)))
        while True:
            threading.Event().wait()

    def _input(self, prompt: object = "", /) -> NoReturn:
        self.ask(str(prompt))


class _Screen(io.TextIOWrapper):
    """Standard output as pupils know it; it ends in standard error, whose reader keeps the last of it."""

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


class _Keyboard(io.TextIOBase):
    """Standard input: whoever reads it waits for ever."""

    def __init__(self, stage: Stage) -> None:
        self._stage = stage

    def readable(self) -> bool:
        return True

    def read(self, size: int | None = -1, /) -> NoReturn:
        del size
        self._stage.ask("")

    def readline(self, size: int = -1, /) -> NoReturn:  # type: ignore[override]  # typeshed knows no number for it
        del size
        self._stage.ask("")

    def __next__(self) -> NoReturn:
        self._stage.ask("")
