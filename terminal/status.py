"""One line on standard error with the progress of long work: in a terminal it is rewritten in place.

Elsewhere a line comes now and then, so that a log is not flooded. Nothing is said of work that is over at once.
"""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Callable
from types import TracebackType
from typing import Self, TextIO

from terminal.text import cells_wide
from terminal.timeleft import NowAndThen

_PATIENCE_S = 0.5
"""In a terminal, work that takes less time than this shows nothing."""

_EVERY_S = 0.25
"""How often the line is written anew."""

_CLEAR = "\r\x1b[K"


class StatusLine:
    """A status line as a context manager; `say` is called when it is due, and makes the text.

    tick: whether a thread writes the line when it is due; else the work itself calls `look`, as often as it likes.
    """

    def __init__(
        self,
        say: Callable[[], str],
        *,
        tick: bool = False,
        stream: TextIO | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._say = say
        self._tick = tick
        self._stream = stream or sys.stderr
        self._clock = clock
        self._in_place = self._stream.isatty() and os.environ.get("TERM", "") not in ("", "dumb")
        self._lines = NowAndThen(clock())
        self._due = clock() + _PATIENCE_S
        self._shown = False
        self._ended = threading.Event()
        self._thread: threading.Thread | None = None

    def __enter__(self) -> Self:
        """Starts the thread, if `tick` asks for one."""
        if self._tick:
            self._thread = threading.Thread(target=self._watch, daemon=True, name="status")
            self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._ended.set()
        if self._thread is not None:
            self._thread.join()
        self.hide()

    def look(self) -> None:
        """Writes the line if it is due."""
        now = self._clock()
        if self._in_place and now >= self._due:
            self._due = now + _EVERY_S
            self._shown = True
            self._stream.write(f"{_CLEAR}{_cut(self._say(), _columns(self._stream) - 1)}")
            self._stream.flush()
        elif not self._in_place and self._lines.is_due(now):
            self._stream.write(f"{self._say()}\n")
            self._stream.flush()

    def hide(self) -> None:
        """Takes the line away, for something else to be written there; `look` brings it back."""
        if self._shown:
            self._shown = False
            self._stream.write(_CLEAR)
            self._stream.flush()

    def _watch(self) -> None:
        while not self._ended.wait(_EVERY_S):
            self.look()


def _columns(stream: TextIO) -> int:
    try:
        return os.get_terminal_size(stream.fileno()).columns or 80
    except (OSError, ValueError):
        return 80


def _cut(text: str, width: int) -> str:
    while text and cells_wide(text) > max(width, 1):
        text = text[:-1]
    return text
