"""What a class and its page write to each other, as TypeScript declarations for the page's scripts. Pure."""

from __future__ import annotations

from protocol.declarations import declared
from school.messages import ClassLetter, DeskLetter, PupilLetter

_HEAD = """\
/**
 * What a class and its page write to each other, generated from school/messages.py by `python -m school --write-docs`.
 * A field with a `?` may be left out.
 */
declare namespace School {
"""


def declarations() -> str:
    """The text of page/types/class.d.ts: an interface for each letter and part of one, and their unions."""
    unions = {"PupilLetter": PupilLetter, "DeskLetter": DeskLetter, "ClassLetter": ClassLetter}
    return _HEAD + declared({name: union.__args__ for name, union in unions.items()})
