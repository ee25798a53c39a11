"""Reads the dump that the interpreter writes of a file's threads when none of its Python code can run any more.

It is Python's `faulthandler` that writes it, to the file's standard error, behind what the file has printed.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from bots.adapters.pupils.facts import Location, clip
from bots.adapters.pupils.trouble import decode

_HEAD: Final = re.compile(r"^(Timeout \([0-9:.]+\)!|Thread 0x[0-9a-f]+ .*\(most recent call first\):)$", re.MULTILINE)
_FRAME: Final = re.compile(r'^ *File "(?P<file>.+)", line (?P<line>[0-9]+) in (?P<function>.+)$', re.MULTILINE)
_ESCAPED: Final = re.compile(r"\\(?:x([0-9a-f]{2})|u([0-9a-f]{4})|U([0-9a-f]{8}))")
"""How it writes what is not ASCII."""


def printed(stderr: str) -> str:
    """What the file itself has printed, without a dump."""
    head = _HEAD.search(stderr)
    return stderr if head is None else stderr[: head.start()].rstrip()


def place(stderr: str, file: Path) -> Location | None:
    """Where `file`, or a neighbour of it, was: its innermost line, or that of a library if it has none; or None."""
    frames = list(_frames(stderr))
    folder = file.absolute().parent
    at = next((frame for frame in frames if Path(frame[0]).parent in (folder, folder.resolve())), None)
    if at is None and not frames:
        return None
    path, line, function = at or frames[0]
    shown = "" if function.startswith("<") else function
    return Location(Path(path).name, line, "" if at is None else _line_of(Path(path), line), shown)


def _frames(stderr: str) -> Iterator[tuple[str, int, str]]:
    """The file, line and function of each frame, the innermost first; each file as it is written and unescaped."""
    for found in _FRAME.finditer(stderr):
        file, line, function = found["file"], int(found["line"]), _plain(found["function"])
        yield (file if Path(file).exists() else _plain(file)), line, function


def _plain(text: str) -> str:
    return _ESCAPED.sub(lambda found: chr(int(found[1] or found[2] or found[3], 16)), text)


def _line_of(path: Path, line: int) -> str:
    """A line of a file of Python; "" if it can't be read."""
    try:
        lines = decode(path.read_bytes()).split("\n")
    except OSError:
        return ""
    return clip(lines[line - 1]) if path.suffix == ".py" and 0 < line <= len(lines) else ""
