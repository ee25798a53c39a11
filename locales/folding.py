"""Sentences broken into lines between words, for a terminal of so many columns. Pure, but for `columns` and `echo`."""

from __future__ import annotations

import shutil
import sys
import textwrap
from typing import TextIO

_AS_IT_IS = (" ", ">")
"""How lines begin that are commands, boards and tables: they are never broken, so that they can be copied."""


def fold(text: str, width: int) -> str:
    """`text` with each sentence that is wider than `width` columns broken between words; a longer word stays whole.

    Lines that are indented, a board's, or coloured stay as they are. No-break spaces hold together what they join.
    """
    return "\n".join(_folded(line, width) for line in text.split("\n"))


def columns(stream: TextIO) -> int | None:
    """The width of the terminal behind `stream`; None for a file or a pipe, whose lines are for programs."""
    return shutil.get_terminal_size().columns if stream.isatty() else None


def fold_for(stream: TextIO, text: str) -> str:
    """`text` as `stream` is to show it."""
    width = columns(stream)
    return text if width is None else fold(text, width)


def echo(text: str, *, err: bool = False) -> None:
    """Prints a text for people, as wide as their terminal at most."""
    stream = sys.stderr if err else sys.stdout
    stream.write(f"{fold_for(stream, text)}\n")
    stream.flush()


def _folded(line: str, width: int) -> str:
    if len(line) <= width or line.startswith(_AS_IT_IS) or "\x1b" in line:
        return line
    return "\n".join(textwrap.wrap(line, width, break_long_words=False, break_on_hyphens=False))
