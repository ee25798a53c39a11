"""Exports of IPython and of notebooks as text: code below headings `In [7]:`, outputs and explanations between.

Nothing says where code ends and text begins, so code is what Python understands of the paragraphs below a heading. All
else becomes empty lines: the code keeps its lines. What a session in a terminal shows is read, too, with its prompts.
"""

import ast
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from bots.adapters.pupils import notebooks
from bots.adapters.pupils.notebooks import Notebook
from bots.adapters.pupils.parts import NOT_PYTHON

_IN = re.compile(r"In ?\[(?: |\*|\d*|None)\] ?:(?: (?P<code>.*\S.*))?\s*$")
_OUT = re.compile(r"Out ?\[(?: |\*|\d*)\] ?:")
_GOES_ON = re.compile(r"\s*\.{3,}:(?: (?P<code>.*))?$")
_CODE = re.compile(
    r"\s*(?:(?:def|class|import|from|for|while|if|elif|else|try|except|finally|with|return|print|raise|assert|global)\b"
    r".*[:()\w]|@\w|\w+(?:\[[^]]*\]|\.\w+)* ?[-+*/%]?= ?\S)|\s+[\w.]+\("
)
"""The beginnings of lines that were meant as code, even if they are not valid Python."""


@dataclass(frozen=True)
class _Cell:
    """start: the index of its first line. lines: those of its lines that may be code."""

    start: int
    lines: Sequence[str]


def is_export(text: str) -> bool:
    """Whether a text has headings `In [7]:` and is not valid Python as it stands."""
    if not any(map(_IN.match, text.split("\n"))):
        return False
    try:
        ast.parse(text)
    except NOT_PYTHON:
        return True
    return False


def read(text: str) -> Notebook:
    """The code of an export, on its lines; the other lines are empty. Its cells begin where their code does."""
    lines = [""] * (text.count("\n") + 1)
    starts: list[int] = []
    left: list[notebooks.Left] = []
    for cell in _cells(text.split("\n")):
        kept, skipped = notebooks.without_magics(cell.lines)
        used = 0
        for begin, code in _pieces(kept):
            starts.append(cell.start + begin + 1)
            lines[cell.start + begin : cell.start + begin + len(code)] = code
            used = begin + len(code)
        left += [notebooks.Left(cell.start + number, said, 1) for number, said in skipped if number <= used]
    first = notebooks.Left(left[0].line, left[0].text, len(left)) if left else None
    return Notebook("\n".join(lines) + "\n", tuple(starts), first)


def _cells(lines: Sequence[str]) -> Iterator[_Cell]:
    """What stands below each heading, up to the next one or to an output."""
    start, found, is_session = -1, list[str](), False
    for number, line in enumerate(lines):
        prompt, more = _IN.match(line), _GOES_ON.match(line) if is_session else None
        if prompt is not None or _OUT.match(line):
            if start >= 0 and found:
                yield _Cell(start, found)
            code = None if prompt is None else prompt["code"]
            is_session = code is not None
            start, found = (-1 if prompt is None else number + (not is_session)), [] if code is None else [code]
        elif start >= 0 and is_session:
            if more is None:
                yield _Cell(start, found)
                start, is_session = -1, False
            else:
                found.append(more["code"] or "")
        elif start >= 0:
            found.append(line)
    if start >= 0 and found:
        yield _Cell(start, found)


def _pieces(lines: Sequence[str]) -> Sequence["tuple[int, Sequence[str]]"]:
    """The code of a cell in pieces, each with the index of its first line: valid Python, then what was meant to be.

    A paragraph with a mistake is a piece of its own; if it begins indented, all lines above it belong to the piece.
    """
    broken: list[tuple[int, Sequence[str]]] = []
    end = len(lines)
    while end:
        try:
            tree = ast.parse("\n".join(lines[:end]))
        except NOT_PYTHON as error:
            at = min(getattr(error, "lineno", None) or end, end)
            begin = _paragraph(lines, at - 1)
            if _CODE.match(lines[begin]):
                meant = _meant(lines[:end], begin)
                if lines[begin][0].isspace():
                    return [(0, lines[:meant]), *broken]
                broken.insert(0, (begin, lines[begin:meant]))
            end = begin
        else:
            return [(0, lines[: _useful(tree)]), *broken]
    return broken


def _paragraph(lines: Sequence[str], at: int) -> int:
    """Where the paragraph of a line begins."""
    while at > 0 and lines[at - 1].strip():
        at -= 1
    return at


def _meant(lines: Sequence[str], begin: int) -> int:
    """The index at which broken code from `begin` on ends: the first line that does not look like code."""
    return next((at for at in range(begin, len(lines)) if lines[at].strip() and not _CODE.match(lines[at])), len(lines))


def _useful(tree: ast.Module) -> int:
    """The last line of code that does something: an output that happens to be Python, as `(0, 0)`, may follow it."""
    return max((_last(node) for node in tree.body if _does_something(node)), default=0)


def _last(node: ast.stmt) -> int:
    return node.end_lineno or node.lineno


def _does_something(node: ast.stmt) -> bool:
    is_bare = isinstance(node, ast.Expr) or (isinstance(node, ast.AnnAssign) and node.value is None)
    return not is_bare or any(isinstance(inner, (ast.Call, ast.Await, ast.NamedExpr)) for inner in ast.walk(node))
