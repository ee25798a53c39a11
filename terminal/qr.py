"""A link as a QR code of half blocks, to be read off a terminal by a phone."""

from __future__ import annotations

import os
from typing import Final, TextIO
from urllib.parse import urlsplit

QUIET: Final = 2
"""Empty modules around a code: half of what the standard asks for, and enough for phones."""

_GLYPHS: Final = " ▄▀█"
_DARK_ON_LIGHT: Final = "\x1b[38;5;16;48;5;231m"
_RESET: Final = "\x1b[0m"


def shows_codes(stream: TextIO) -> bool:
    """Whether `stream` is a terminal that can show a code."""
    if not stream.isatty() or os.environ.get("TERM") == "dumb":
        return False
    try:
        _GLYPHS.encode(stream.encoding or "ascii")
    except UnicodeError:
        return False
    return True


def code(link: str, *, colour: bool) -> list[str]:
    """The lines of the code, 15 for a link of ours to a match: one character is two modules, one above the other.

    Without colour the terminal is taken to be dark.
    """
    import segno

    matrix = segno.make(compact(link), error="l", boost_error=False, micro=False).matrix
    width = len(matrix) + 2 * QUIET
    rows = [[0] * width for _ in range(QUIET)]
    rows += [[0] * QUIET + [int(cell) for cell in row] + [0] * QUIET for row in matrix]
    while len(rows) < width or len(rows) % 2:
        rows.append([0] * width)
    ink = 1 if colour else 0
    lines = [
        "".join(_GLYPHS[2 * (above == ink) + (below == ink)] for above, below in zip(*pair, strict=True))
        for pair in zip(rows[::2], rows[1::2], strict=True)
    ]
    return [f"{_DARK_ON_LIGHT}{line}{_RESET}" if colour else line for line in lines]


def compact(link: str) -> str:
    """The link in capitals if it means the same then: a code of capitals needs two thirds of the room.

    Scheme and host mean the same in either case (RFC 3986, 6.2.2.1), and the page accepts codes and ids of matches in
    capitals.
    """
    parts = urlsplit(link)
    kind, _slash, name = parts.path.removeprefix("/").partition("/")
    means_the_same = parts.path in ("", "/") or (kind in ("j", "m") and (kind == "m" or len(name) == 6))
    return link.upper() if means_the_same and not (parts.query or parts.fragment) else link
