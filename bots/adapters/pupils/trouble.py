"""Where in a pupil's own files something happened: their line, never one of ours or of a library.

`Sources` holds every file of theirs that was run, as text, so that a line can be shown whatever its encoding.
"""

import io
import linecache
import tokenize
from types import FrameType, TracebackType

from bots.adapters.pupils.facts import Kind, Place, Trouble, clip

_UTF_16 = (b"\xff\xfe", b"\xfe\xff")
_OLD_WINDOWS = "cp1252"


def decode(data: bytes) -> str:
    """The text of a Python file: as its coding line or its byte order mark says, UTF-8, or else Windows-1252."""
    if data.startswith(_UTF_16):
        return data.decode("utf-16", errors="replace")
    try:
        encoding = tokenize.detect_encoding(io.BytesIO(data).readline)[0]
        text = data.decode(encoding)
    except (SyntaxError, UnicodeDecodeError):
        text = data.decode(_OLD_WINDOWS, errors="replace")
    return text.replace("\r\n", "\n").replace("\r", "\n")


class Sources:
    """The files of the pupil's that were run: full path -> name to show."""

    def __init__(self) -> None:
        self._names: dict[str, str] = {}

    def add(self, path: str, name: str, text: str) -> None:
        """Remembers a file, and lets the interpreter show its lines, too."""
        self._names[path] = name
        linecache.cache[path] = (len(text), None, text.splitlines(keepends=True), path)

    def holds(self, path: str) -> bool:
        """Whether this file is one of theirs."""
        return path in self._names

    def place(self, path: str, line: int, function: str = "") -> Place:
        """The place of a line of theirs."""
        shown = "" if function.startswith("<") else function
        return Place(self._names[path], line, clip(linecache.getline(path, line)), shown)

    def of_traceback(self, trace: TracebackType | None) -> Place:
        """The innermost line of theirs that an exception went through."""
        place = Place()
        while trace is not None:
            code = trace.tb_frame.f_code
            if self.holds(code.co_filename):
                place = self.place(code.co_filename, trace.tb_lineno, code.co_name)
            trace = trace.tb_next
        return place

    def of_frame(self, frame: FrameType | None) -> Place:
        """The innermost line of theirs that is being run."""
        while frame is not None:
            code = frame.f_code
            if self.holds(code.co_filename):
                return self.place(code.co_filename, frame.f_lineno, code.co_name)
            frame = frame.f_back
        return Place()

    def describe(self, error: BaseException) -> Trouble:
        """The trouble of an exception of theirs."""
        if isinstance(error, SyntaxError) and self.holds(error.filename or ""):
            place = self.place(error.filename or "", error.lineno or 0)
            return Trouble("syntax", place, error=type(error).__name__, detail=clip(error.msg))
        kind: Kind = "raised"
        detail = clip(_text(error))
        if isinstance(error, ModuleNotFoundError) and error.name:
            kind, detail = "missing", error.name
        return Trouble(kind, self.of_traceback(error.__traceback__), error=type(error).__name__, detail=detail)


def _text(error: BaseException) -> str:
    try:
        return str(error)
    except Exception:  # noqa: BLE001 - an exception class of theirs may fail to say what it is
        return ""
