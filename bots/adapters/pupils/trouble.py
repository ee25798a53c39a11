"""Finds where in a pupil's own files something happened: a line of theirs, never one of ours or of a library.

`Sources` holds the text of each of these files that was run, so that its lines can be shown in any encoding.
"""

import io
import linecache
import tokenize
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from contextlib import suppress
from types import FrameType, TracebackType

from bots.adapters.pupils import writing
from bots.adapters.pupils.facts import Kind, Location, Trouble, clip

_UTF_16 = (b"\xff\xfe", b"\xfe\xff")
_OLD_WINDOWS = "cp1252"


def decode(data: bytes) -> str:
    """The text of a Python file: UTF-8 or UTF-16 if it can be, else by its coding line, else Windows-1252.

    The coding line comes after UTF-8: what a browser or another editor has saved anew is UTF-8, whatever the line says.
    """
    return _decoded(data).replace("\r\n", "\n").replace("\r", "\n")


def _decoded(data: bytes) -> str:
    if data.startswith(_UTF_16):
        return data.decode("utf-16", errors="replace")
    with suppress(UnicodeDecodeError):
        return data.decode("utf-8-sig")
    with suppress(SyntaxError, UnicodeDecodeError):
        return data.decode(tokenize.detect_encoding(io.BytesIO(data).readline)[0])
    return data.decode(_OLD_WINDOWS, errors="replace")


class Sources:
    """The pupil's files that were run: full path -> name to show."""

    def __init__(self) -> None:
        self._names: dict[str, str] = {}
        self._cells: dict[str, Sequence[int]] = {}

    def add(self, path: str, name: str, text: str, cells: Sequence[int] = ()) -> None:
        """Remembers a file; the interpreter can then show its lines, too. cells: a notebook's, by their first lines."""
        self._names[path] = name
        self._cells[path] = cells
        linecache.cache[path] = (len(text), None, text.splitlines(keepends=True), path)

    def texts(self) -> Iterator[tuple[str, str]]:
        """The full path and the text of each file."""
        for path in self._names:
            yield path, "".join(linecache.getlines(path))

    def holds(self, path: str) -> bool:
        """Whether this file is one of the pupil's."""
        return path in self._names

    def place(self, path: str, line: int, function: str = "") -> Location:
        """The place of a line in one of the pupil's files."""
        shown = "" if function.startswith("<") else function
        code = clip(linecache.getline(path, line))
        starts = self._cells[path]
        cell = bisect_right(starts, line)
        if not cell:
            return Location(self._names[path], line, code, shown)
        return Location(self._names[path], line - starts[cell - 1] + 1, code, shown, cell)

    def of_traceback(self, trace: TracebackType | None) -> Location:
        """The innermost line of the pupil's that an exception went through."""
        place = Location()
        while trace is not None:
            code = trace.tb_frame.f_code
            if self.holds(code.co_filename):
                place = self.place(code.co_filename, trace.tb_lineno, code.co_name)
            trace = trace.tb_next
        return place

    def of_frame(self, frame: FrameType | None) -> Location:
        """The innermost line of the pupil's in a stack."""
        while frame is not None:
            code = frame.f_code
            if self.holds(code.co_filename):
                return self.place(code.co_filename, frame.f_lineno, code.co_name)
            frame = frame.f_back
        return Location()

    def describe(self, error: BaseException) -> Trouble:
        """The trouble that an exception of the pupil's code is reported as."""
        if isinstance(error, SyntaxError) and self.holds(error.filename or ""):
            place = self.place(error.filename or "", error.lineno or 0)
            likely = self._guess(error, place)
            return Trouble("syntax", place, error=type(error).__name__, detail=clip(error.msg), hints=likely)
        kind: Kind = "raised"
        detail = clip(_text(error))
        if isinstance(error, ModuleNotFoundError) and error.name:
            kind, detail = "missing", error.name
        place = self.of_traceback(error.__traceback__)
        return Trouble(kind, place, error=type(error).__name__, detail=detail, hints=self._guess(error, place))

    def _guess(self, error: BaseException, place: Location) -> "Sequence[writing.Hint]":
        """What is likely to be misspelled; nothing if the guess fails, as it may over objects of the author's."""
        with suppress(Exception):
            return writing.of_error(error, place.code) if place.line else ()
        return ()


def _text(error: BaseException) -> str:
    try:
        return str(error)
    except Exception:  # noqa: BLE001 - the __str__ of a pupil's exception may fail
        return ""
