"""Decodes the list of a class, whichever program and system saved it. Pure.

Text is UTF-8 or UTF-16, else in a single-byte encoding: Windows-1252, or Mac Roman, which Excel on a Mac still writes.
A wrong guess shows in the non-ASCII characters: capitals inside words, and symbols that no name contains.
"""

from __future__ import annotations

import unicodedata
from typing import Final

UTF_16: Final = (b"\xff\xfe", b"\xfe\xff")
"""The byte order marks of UTF-16: in such a text a zero byte does not mean a binary file."""

_WINDOWS: Final = "cp1252"
_MAC: Final = "mac_roman"

_BETWEEN: Final = frozenset("\u2019\u2013\u2014\xb7")
"""What may stand between two letters: an apostrophe, dashes, the point of inclusive forms."""

_AFTER: Final = frozenset("\xa0\xbb\u201d\u2026\xb0\u20ac") | _BETWEEN
"""What may stand behind a letter, but not before one: spaces, closing quotes, an ellipsis, degrees."""

_BEFORE: Final = frozenset("\xa0\xab\u201c\u2018\xb0")
"""What may stand before a letter, but not behind one."""

_LIGATURES: Final = frozenset("\xe6\xc6\u0153\u0152\xdf\xf8\xd8")


def decoded(data: bytes) -> str:
    """The text of a list."""
    if data.startswith(UTF_16):
        return data.decode("utf-16", errors="replace")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        texts = [data.decode(encoding, errors="replace") for encoding in (_WINDOWS, _MAC)]
        return min(texts, key=_oddities)


def _oddities(text: str) -> int:
    """How many non-ASCII characters are where no name has them."""
    around = zip(f" {text}", text, f"{text[1:]} ", strict=False)
    return sum(not letter.isascii() and _is_odd(before, letter, after) for before, letter, after in around)


def _is_odd(before: str, letter: str, after: str) -> bool:
    if not (letter in _LIGATURES or (letter.isalpha() and unicodedata.normalize("NFD", letter)[0].isascii())):
        return not any(
            (
                letter in _BETWEEN,
                letter in _AFTER and not after.isalpha(),
                letter in _BEFORE and not before.isalpha(),
            )
        )
    if letter.isupper():
        return before.islower() or (before.isupper() and after.islower())
    return after.isupper()
