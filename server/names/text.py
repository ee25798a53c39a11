"""Names and chat that are safe to show: no user can type what moves another's cursor or imitates another's name."""

from __future__ import annotations

import re
import unicodedata

from protocol.bounds import MAX_NAME
from protocol.errors import ErrorCode, ProtocolError
from server.names.lookalikes import fold, is_one_script

_UNSEEN = frozenset(("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"))
"""Unicode categories that draw nothing of their own: controls (ANSI escapes), bidi marks, surrogates, unassigned."""

_BLANK = re.compile("[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef]")
"""Letters, marks and symbols that draw nothing: fillers, selectors of a variant, the empty braille cell."""

_SPACES = re.compile(r"\s+")
_MAX_MARKS = 3
"""Combining marks in a row: accents pass, towers of them don't."""


def display_name(typed: str) -> str:
    """`typed` as the name that others see (NFKC, single spaces); raises ProtocolError(bad_name)."""
    name = _SPACES.sub(" ", unicodedata.normalize("NFKC", typed)).strip()
    if _BLANK.search(typed) or any(unicodedata.category(character) in _UNSEEN for character in name + typed):
        raise ProtocolError(ErrorCode.BAD_NAME, "a name has no control, bidi or invisible characters")
    if not 1 <= len(name) <= MAX_NAME:
        raise ProtocolError(ErrorCode.BAD_NAME, f"a name has 1 to {MAX_NAME} characters")
    if not any(character.isalnum() for character in name) or _towers(name):
        raise ProtocolError(ErrorCode.BAD_NAME, "a name needs a letter or a digit")
    if not is_one_script(name):
        raise ProtocolError(ErrorCode.BAD_NAME, "the letters of a name are of one script: all Latin, all Cyrillic, ...")
    return name


def name_key(name: str) -> str:
    """What a name is looked up by: the same in upper and lower case."""
    return fold(name)


def label(given: str, what: str) -> str:
    """`given`, if it is safe to show to others; raises ProtocolError(bad_message), which calls it `what`."""
    if _BLANK.search(given) or not is_showable(given) or _towers(given):
        raise ProtocolError(ErrorCode.BAD_MESSAGE, f"{what} has no control, bidi or invisible characters")
    return given


def chat_text(typed: str) -> str:
    """`typed` without what must not reach a terminal; raises ProtocolError(bad_message) if nothing is left."""
    text = visible(typed).strip()
    if not text or _towers(text):
        raise ProtocolError(ErrorCode.BAD_MESSAGE, "the text has nothing to show")
    return text


def visible(text: str) -> str:
    """`text` without what draws nothing or moves a cursor; ends of lines and tabs become spaces."""
    spaced = (" " if character in "\t\n\r" else character for character in _BLANK.sub("", text))
    return "".join(c for c in spaced if unicodedata.category(c) not in _UNSEEN)


def is_showable(text: str) -> bool:
    """Whether `text` has nothing that could move a cursor, turn the line around or hide."""
    return all(unicodedata.category(character) not in _UNSEEN for character in text)


def _towers(text: str) -> bool:
    marks = 0
    for character in unicodedata.normalize("NFD", text):
        marks = marks + 1 if unicodedata.category(character) in ("Mn", "Me") else 0
        if marks > _MAX_MARKS:
            return True
    return False
