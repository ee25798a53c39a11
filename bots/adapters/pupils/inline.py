"""A stage without threads, for an interpreter that has none: in a browser, code runs on the one thread there is.

What limits the time is a clock of the page, which interrupts the interpreter. Code that reads the keyboard can't wait
for ever here: it is ended, whatever it catches, and so is code that is too slow.
"""

import builtins
import io
import signal
import sys
import threading
from collections.abc import Callable
from types import CodeType, FrameType
from typing import Any, Final, NoReturn, Protocol

from bots.adapters.pupils.facts import clip
from bots.adapters.pupils.stage import AwaitsKeyboard, Done, Halted, Keyboard, Outcome, Raised, Slow, Stage
from bots.adapters.pupils.trouble import Sources

_TOOL: Final = 4
"""Our tool id for `sys.monitoring`; debuggers and profilers have others."""


class Clock(Protocol):
    """Interrupts the interpreter (SIGINT) once, when the seconds given to `start` are over; knows how large it is."""

    def start(self, seconds: float, /) -> None:
        """Starts to count; replaces an earlier start."""

    def stop(self) -> None:
        """Cancels the interrupt."""

    def used(self) -> int:
        """The bytes of memory that the interpreter holds."""
        ...


class InlineStage(Stage):
    """Runs pieces of a pupil's code where it is called; show: told what is printed."""

    def __init__(self, sources: Sources, clock: Clock, show: Callable[[str], object]) -> None:
        super().__init__(sources)
        self._clock = clock
        self._show = show
        self._is_running = False
        self._cut: AwaitsKeyboard | Slow | None = None
        self._frame: FrameType | None = None

    def furnish(self) -> None:
        """Takes the keyboard away, and has what is printed shown."""
        sys.stdout = sys.stderr = _Sheet(self, self._show)
        sys.stdin = Keyboard(self)
        builtins.input = self._input
        signal.signal(signal.SIGINT, self._late)

    def run(self, work: Callable[[], object], within_s: float, cpu_s: "float | None" = None) -> Outcome:
        """Runs `work`; returns how it ended, or where it was cut off when its time was over. It never runs on later."""
        self.printed = self._cut = self._frame = None
        self._is_running = True
        self._clock.start(max(0.0, within_s if cpu_s is None else min(within_s, cpu_s)))
        try:
            outcome: Outcome = Done(work())
        except BaseException as error:  # noqa: BLE001 - we report everything that a pupil's file raises, exit() too
            outcome = Raised(error)
        self._is_running = False
        self._clock.stop()
        _let_be()
        return self._take_cut() or outcome

    def _take_cut(self) -> AwaitsKeyboard | Slow | None:
        return self._cut

    def where(self, slow: Slow) -> "FrameType | None":
        """What code that ran too long was doing."""
        del slow
        return self._frame

    def used_bytes(self) -> int:
        """What the page knows: here the system tells nothing."""
        return self._clock.used()

    def stop(self, slow: Slow) -> bool:
        """It has ended already."""
        del slow
        return True

    def ask(self, prompt: str) -> NoReturn:
        """Notes that the code asks the keyboard, and ends it."""
        place = self._sources.of_frame(sys._getframe(1))  # noqa: SLF001 - as in the stage with threads
        if self._cut is None:
            self._cut = AwaitsKeyboard(place, clip(prompt))
        self._throw_on()
        raise Halted

    def _late(self, number: int, frame: "FrameType | None") -> None:
        """Handles SIGINT: the time is over."""
        del number
        if not self._is_running or frame is None or frame.f_code is _RUN:
            return
        if self._cut is None:
            self._cut, self._frame = Slow(self._sources.of_frame(frame), threading.current_thread()), frame
        self._throw_on()
        raise Halted

    def _throw_on(self) -> None:
        """Throws `Halted` at each further line of the author's, so that no `except:` and no loop goes on."""
        tools: Any = getattr(sys, "monitoring", None)  # from Python 3.12 on; browsers have a newer one
        if tools is None or tools.get_tool(_TOOL) is not None:
            return

        def throw(code: CodeType, line: int) -> None:
            del line
            if self._is_running and self._sources.holds(code.co_filename):
                raise Halted

        tools.use_tool_id(_TOOL, "arbitre")
        tools.register_callback(_TOOL, tools.events.LINE, throw)
        tools.set_events(_TOOL, tools.events.LINE)


_RUN: Final = InlineStage.run.__code__


def _let_be() -> None:
    """Undoes `InlineStage._throw_on`."""
    tools: Any = getattr(sys, "monitoring", None)
    if tools is not None and tools.get_tool(_TOOL) is not None:
        tools.set_events(_TOOL, 0)
        tools.free_tool_id(_TOOL)


class _Sheet(io.TextIOBase):
    """Standard output and error for pupils: what the page shows below the editor."""

    def __init__(self, stage: Stage, show: Callable[[str], object]) -> None:
        self._stage = stage
        self._show = show

    def writable(self) -> bool:
        return True

    def write(self, text: str, /) -> int:
        self._stage.note_print(text)
        self._show(text)
        return len(text)
