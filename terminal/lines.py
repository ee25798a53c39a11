"""Lines in, lines out, for people: typing is never garbled by what happens meanwhile, and no line is lost.

On a terminal, a small line editor: what is typed is redrawn below each message. With pipes (and dumb terminals, and
systems without termios) a thread reads whole lines. Either way, `None` ends the lines.
"""

from __future__ import annotations

import asyncio
import codecs
import os
import signal
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from types import TracebackType
from typing import Protocol, Self

from locales.folding import fold_for
from processes import stopping
from terminal.text import cells_wide

if sys.platform != "win32":
    import termios

PROMPT = "> "
_READ = 4096
_CLEAR = "\r\x1b[K"


class Terminal(Protocol):
    """Where a person reads and types."""

    interactive: bool
    """Whether somebody sits there and sees each message at once."""

    def show(self, *lines: str) -> None:
        """Writes lines."""
        ...

    async def line(self) -> str | None:
        """The next line that was typed, None after the last."""
        ...

    def __enter__(self) -> Self: ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...


def open_terminal() -> Terminal:
    """The terminal that suits standard input and output."""
    editable = sys.stdin.isatty() and sys.stdout.isatty() and os.environ.get("TERM", "dumb") != "dumb"
    return EditedTerminal() if editable and sys.platform != "win32" else PipedTerminal()


async def ask(question: str) -> str | None:
    """The line that a person types in answer, None if there is none; for what is asked before there is a `Terminal`."""
    terminal = open_terminal()
    if isinstance(terminal, EditedTerminal):
        with terminal:
            terminal.show(question)
            return await terminal.line()
    sys.stdout.write(f"{fold_for(sys.stdout, question)}\n")
    sys.stdout.flush()
    loop = asyncio.get_running_loop()
    answer: asyncio.Future[str | None] = loop.create_future()
    threading.Thread(target=_read_line, args=(loop, answer), daemon=True, name="stdin").start()
    return await answer


def _read_line(loop: asyncio.AbstractEventLoop, answer: asyncio.Future[str | None]) -> None:
    """Reads one line byte by byte: what follows it is for whoever reads next."""
    typed = bytearray()
    try:
        while (one := os.read(sys.stdin.fileno(), 1)) and one != b"\n":
            typed += one
    except OSError:
        one = b""
    text = typed.decode(sys.stdin.encoding or "utf-8", "replace").rstrip("\r") if typed or one else None
    with suppress(RuntimeError):  # the program ended first
        loop.call_soon_threadsafe(lambda: None if answer.done() else answer.set_result(text))


class _Output:
    def __init__(self) -> None:
        self._lines: asyncio.Queue[str | None] = asyncio.Queue()

    async def line(self) -> str | None:
        """The next line that was typed, None after the last."""
        return await self._lines.get()


class PipedTerminal(_Output):
    """Whole lines, read by a thread: regular files and pipes that are shared with others can't be polled everywhere."""

    def __init__(self) -> None:
        super().__init__()
        self.interactive = sys.stdin.isatty()

    def show(self, *lines: str) -> None:
        """Writes lines."""
        sys.stdout.write("".join(f"{fold_for(sys.stdout, line)}\n" for line in lines))
        sys.stdout.flush()

    def __enter__(self) -> Self:
        loop = asyncio.get_running_loop()
        threading.Thread(target=self._read, args=(loop,), daemon=True, name="stdin").start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        pass

    def _read(self, loop: asyncio.AbstractEventLoop) -> None:
        """Reads the descriptor itself: a lock on sys.stdin held here would abort the interpreter at its end."""
        decode = codecs.getincrementaldecoder(sys.stdin.encoding or "utf-8")(errors="replace").decode
        rest = ""
        try:
            while chunk := os.read(sys.stdin.fileno(), _READ):
                *lines, rest = (rest + decode(chunk)).split("\n")
                for line in lines:
                    loop.call_soon_threadsafe(self._lines.put_nowait, line)
        except OSError:
            pass
        try:
            if rest:
                loop.call_soon_threadsafe(self._lines.put_nowait, rest)
            loop.call_soon_threadsafe(self._lines.put_nowait, None)
        except RuntimeError:
            pass  # the program ended first


class LineEditor:
    """The line that is being typed. Pure: characters in, finished lines out."""

    def __init__(self, finished: Callable[[str | None], None]) -> None:
        self.text = ""
        self._finished = finished
        self._escape = ""

    def feed(self, characters: str) -> None:
        """Takes what was typed."""
        for character in characters:
            if self._escape:
                self._skip(character)
            else:
                self._take(character)

    def _take(self, character: str) -> None:
        match character:
            case "\r" | "\n":
                line, self.text = self.text, ""
                self._finished(line)
            case "\x7f" | "\b":
                self.text = self.text[:-1]
            case "\x15":
                self.text = ""
            case "\x17":
                self.text = self.text.rstrip().rpartition(" ")[0]
            case "\x04":
                if not self.text:
                    self._finished(None)
            case "\x1b":
                self._escape = character
            case _ if character.isprintable():
                self.text += character
            case _:
                pass

    def _skip(self, character: str) -> None:
        """Passes over an arrow or function key: ESC, perhaps [ or O, parameters, one letter."""
        self._escape += character
        if self._escape[1:] not in ("[", "O") and not (character.isdigit() or character == ";"):
            self._escape = ""


class EditedTerminal(_Output):
    """A POSIX terminal in which every key arrives at once; echo and editing are done here."""

    interactive = True

    def __init__(self) -> None:
        super().__init__()
        self._editor = LineEditor(self._finish)
        self._decode = codecs.getincrementaldecoder("utf-8")(errors="replace").decode
        self._input = sys.stdin.fileno()

    def show(self, *lines: str) -> None:
        """Writes lines above what is being typed."""
        sys.stdout.write(_CLEAR + "".join(f"{fold_for(sys.stdout, line)}\n" for line in lines))
        self._draw()

    def __enter__(self) -> Self:
        saved = self._saved = termios.tcgetattr(self._input)
        self._forget = stopping.before_the_end(lambda: termios.tcsetattr(self._input, termios.TCSANOW, saved))
        self._grab()
        loop = asyncio.get_running_loop()
        loop.add_reader(self._input, self._read)
        loop.add_signal_handler(signal.SIGCONT, self._resume)
        self._draw()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        loop = asyncio.get_running_loop()
        loop.remove_reader(self._input)
        loop.remove_signal_handler(signal.SIGCONT)
        termios.tcsetattr(self._input, termios.TCSADRAIN, self._saved)
        self._forget()
        sys.stdout.write(_CLEAR)
        sys.stdout.flush()

    def _grab(self) -> None:
        mode = termios.tcgetattr(self._input)
        mode[3] &= ~(termios.ICANON | termios.ECHO)
        termios.tcsetattr(self._input, termios.TCSADRAIN, mode)

    def _resume(self) -> None:
        self._grab()
        self._draw()

    def _read(self) -> None:
        try:
            chunk = os.read(self._input, _READ)
        except OSError:
            chunk = b""
        if not chunk:
            asyncio.get_running_loop().remove_reader(self._input)
            self._finish(None)
            return
        self._editor.feed(self._decode(chunk))
        self._draw()

    def _finish(self, line: str | None) -> None:
        if line is not None:
            sys.stdout.write(f"{_CLEAR}{PROMPT}{line}\n")
        self._lines.put_nowait(line)

    def _draw(self) -> None:
        room = max(10, os.get_terminal_size(sys.stdout.fileno()).columns - len(PROMPT) - 1)
        shown = self._editor.text
        while cells_wide(shown) > room:
            shown = shown[1:]
        sys.stdout.write(f"{_CLEAR}{PROMPT}{shown}")
        sys.stdout.flush()
