"""Texts of others that are safe to show: nothing in them moves a cursor, hides, climbs over other lines, or has no end.

What a file, a server or an announcement says gets into our own sentences: names, keys, paths. Pure.
"""

from __future__ import annotations

import unicodedata
from itertools import islice
from typing import Final

MOST_MARKS: Final = 3
"""Combining marks in a row: accents pass, towers of them don't."""

LONGEST_LINE: Final = 4000
"""Characters of a line: the longest path on most systems fits."""

MOST_LINES: Final = 200

_MARKS: Final = frozenset(("Mn", "Me"))


def plain(text: str) -> str:
    """`text` without control, format and bidirectional characters, and with MOST_MARKS on a letter at most."""
    if text.isascii() and text.isprintable():
        return text
    kept: list[str] = []
    marks = 0
    for character in text:
        category = unicodedata.category(character)
        marks = marks + 1 if category in _MARKS else 0
        if category[0] != "C" and category not in ("Zl", "Zp") and marks <= MOST_MARKS:
            kept.append(character)
    return "".join(kept)


def sentences(text: str) -> str:
    """What is said in one or more lines, each made `plain` and no longer than LONGEST_LINE, MOST_LINES at most."""
    lines = list(islice(text.splitlines(), MOST_LINES + 1))
    shown = [_shortened(plain(line.replace("\t", " "))) for line in lines[:MOST_LINES]]
    return "\n".join(shown if len(lines) <= MOST_LINES else [*shown, "..."])


def _shortened(line: str) -> str:
    """`line` without its middle, if it is too long: what is wrong with a text mostly stands behind it."""
    half = LONGEST_LINE // 2
    return line if len(line) <= LONGEST_LINE else f"{line[:half]} ... {line[-half:]}"
