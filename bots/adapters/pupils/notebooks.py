"""Notebooks (`.ipynb`): the Python in their code cells as one text, each line of which belongs to a cell.

Cells are counted as their reader counts them, code cells only, from 1. What a notebook's program understands but Python
does not (`%time`, `!pip`, `help?`, `%%bash`) is left out; all else stays on its line. A notebook is read by the process
that runs it, whose memory is bounded, and only as far as `LARGEST`.
"""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal

SUFFIX: Final = ".ipynb"

LARGEST: Final = 32 << 20
"""The largest notebook that is read, in bytes: the code is small, but pictures are kept beside it."""

NotebookFault = Literal["huge", "json", "format", "language", "empty"]
"""Why a file is no notebook that could be run: too large, no JSON, no notebook, in another language, without code."""

_PYTHON: Final = "python"
_LINE_MAGIC: Final = re.compile(r"\s*(?:[%!?]|[\w.]+(?:\s*,\s*[\w.]+)*\s*=\s*[%!]|[\w.*%]+\?{1,2}\s*$)")
_CELL_MAGIC: Final = re.compile(r"\s*%%\s*(?P<name>\w+)")
_OF_PYTHON: Final = frozenset({"time", "timeit", "capture", "prun", "python", "python3", "pypy"})
"""The magics of a whole cell below which Python goes on."""

_TOKEN: Final = re.compile(r"\\.|'''|\"\"\"|'(?:\\.|[^'\\])*'|\"(?:\\.|[^\"\\])*\"|#.*|[(\[{]|[)\]}]")
_CLOSING: Final = {mark: re.compile(rf"(?:\\.|[^\\])*?{mark}") for mark in ("'''", '"""')}


class NotebookError(Exception):
    """Why a file can't be used as a notebook; `detail` is its language, if that is the reason."""

    def __init__(self, fault: NotebookFault, detail: str = "") -> None:
        super().__init__(fault)
        self.fault = fault
        self.detail = detail


@dataclass(frozen=True, slots=True)
class Left:
    """The first line that was left out: its number in the text of the notebook, and its text. count: how many were."""

    line: int
    text: str
    count: int


@dataclass(frozen=True, slots=True)
class Notebook:
    """text: the code of all cells. starts: the line of the text, from 1, on which each of them begins."""

    text: str
    starts: Sequence[int]
    left: "Left | None" = None


def read(data: bytes) -> Notebook:
    """Reads a notebook of any version from 2 to 4; raises NotebookError."""
    if len(data) > LARGEST:
        raise NotebookError("huge")
    try:
        found = json.loads(data.decode("utf-8-sig"))
    except (ValueError, RecursionError, MemoryError) as error:
        raise NotebookError("json") from error
    cells = _code_cells(found)
    if not any(cell.strip() for cell in cells):
        raise NotebookError("empty")
    lines: list[str] = []
    starts: list[int] = []
    left: list[tuple[int, str]] = []
    for cell in cells:
        starts.append(len(lines) + 1)
        kept, skipped = without_magics(cell.split("\n"))
        left += [(len(lines) + number, text) for number, text in skipped]
        lines += kept
    first = Left(left[0][0], left[0][1], len(left)) if left else None
    return Notebook("\n".join(lines) + "\n", tuple(starts), first)


def _code_cells(found: Any) -> list[str]:
    """The text of each code cell; raises NotebookError."""
    if not isinstance(found, dict):
        raise NotebookError("format")
    sheets = found.get("worksheets", [found])  # before version 4 a notebook has sheets
    if not isinstance(sheets, list) or not all(isinstance(sheet, dict) for sheet in sheets):
        raise NotebookError("format")
    language = _language(found)
    if language and not language.startswith(_PYTHON):
        raise NotebookError("language", language)
    texts: list[str] = []
    for sheet in sheets:
        cells = sheet.get("cells")
        if not isinstance(cells, list) or not all(isinstance(cell, dict) for cell in cells):
            raise NotebookError("format")
        texts += [_source(cell) for cell in cells if cell.get("cell_type") == "code"]
    return texts


def _source(cell: Any) -> str:
    source = cell.get("source", cell.get("input", ""))
    if isinstance(source, list) and all(isinstance(line, str) for line in source):
        source = "".join(source)
    if not isinstance(source, str):
        raise NotebookError("format")
    return source.replace("\r\n", "\n").replace("\r", "\n").rstrip("\n")


def _language(found: Any) -> str:
    """The language that a notebook says its code is in, "" if it says none."""
    metadata = found.get("metadata")
    for part, key in (("language_info", "name"), ("kernelspec", "language")):
        said = metadata.get(part) if isinstance(metadata, dict) else None
        name = said.get(key) if isinstance(said, dict) else None
        if isinstance(name, str) and name:
            return name.lower()
    return ""


def without_magics(lines: Sequence[str]) -> tuple[list[str], list[tuple[int, str]]]:
    """The lines of a cell, with those that are not Python replaced; and the replaced ones with their numbers from 1."""
    first = next((number for number, line in enumerate(lines) if line.strip()), 0)
    magic = _CELL_MAGIC.match(lines[first]) if lines else None
    if magic is not None and magic["name"] not in _OF_PYTHON:
        return [""] * len(lines), [(first + 1, lines[first].strip())]
    kept: list[str] = []
    skipped: list[tuple[int, str]] = []
    state, goes_on = _State(), False
    for number, line in enumerate(lines, 1):
        is_magic = goes_on or (state.is_clear and _LINE_MAGIC.match(line) is not None)
        if is_magic and not goes_on:
            skipped.append((number, line.strip()))
        if goes_on:
            kept.append("")
        elif is_magic:  # `pass` keeps an `if` whole that has nothing else below it
            kept.append(line[: len(line) - len(line.lstrip())] + "pass")
        else:
            kept.append(line)
            state.read(line)
        goes_on = is_magic and line.endswith("\\")
    return kept, skipped


class _State:
    """Where a line of Python ends: inside a text in triple quotes, inside brackets, or between two statements."""

    def __init__(self) -> None:
        self._quote = ""
        self._depth = 0
        self._continues = False

    @property
    def is_clear(self) -> bool:
        """Whether the next line begins a statement."""
        return not self._quote and self._depth <= 0 and not self._continues

    def read(self, line: str) -> None:
        """Takes the next line."""
        place = 0
        while True:
            if self._quote:
                closed = _CLOSING[self._quote].match(line, place)
                if closed is None:
                    return
                place, self._quote = closed.end(), ""
            found = _TOKEN.search(line, place)
            if found is None:
                break
            place, mark = found.end(), found[0]
            if mark in _CLOSING:
                self._quote = mark
            elif mark in ("(", "[", "{"):
                self._depth += 1
            elif mark in (")", "]", "}"):
                self._depth -= 1
        self._continues = line.endswith("\\")
