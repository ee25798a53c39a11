"""What is wrong with a frame, in a sentence of our own: which field, and what it must be. Pure.

The decoder's words are its own affair: they name Python's types, and change with its versions. What a field must be is
told by the same types that docs/protocol.md is made of.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

from msgspec import MsgspecError, Raw, Struct, ValidationError

from protocol.schema import CLIENT_MESSAGES, SERVER_MESSAGES, bounds, fields_of, in_words, structs_in, tag_of

NOT_JSON = "the frame is not JSON"
HALF_PAIR = "a text has half of a surrogate pair: send whole characters"
TOO_DEEP = "the message is nested too deeply"
NOT_UTF8 = "the message is not UTF-8"
NO_OBJECT = "a message is an object with a `type`, and a frame is one message or an array of them"

_PLACE = re.compile(r" - at (?:`key` in )?`\$([^`]*)`\Z")
_FIELD = re.compile(r"(unknown|required) field `(.*)`", re.DOTALL)
_NAME = re.compile(r"\.(\w+)")
_LINK = re.compile(r"\[(\w+)\]\(#\w+\)")
_HIGH, _LOW = rb"\\u[dD][89abAB][0-9a-fA-F]{2}", rb"\\u[dD][c-fC-F]"
_HALF = re.compile(rb"%b(?!%b)|(?<!%b)%b" % (_HIGH, _LOW, _HIGH, _LOW))
_QUOTED = 40

_MESSAGES: dict[str, type[Struct]] = {tag_of(struct): struct for struct in (*CLIENT_MESSAGES, *SERVER_MESSAGES)}


def complaint(error: Exception, text: str | bytes | Raw, tag: str | None) -> str:
    """What made the decoder raise `error` on `text`, a frame or a message of one; `tag`: its `type`, if it has one."""
    match error:
        case RecursionError():
            return TOO_DEEP
        case UnicodeError():
            return NOT_UTF8
        case ValidationError():
            return _misfit(str(error), tag)
        case MsgspecError():
            raw = text.encode(errors="replace") if isinstance(text, str) else bytes(text)
            return HALF_PAIR if _HALF.search(raw) else NOT_JSON
        case _:
            return NOT_JSON


def _misfit(said: str, tag: str | None) -> str:
    place = _PLACE.search(said)
    names = _NAME.findall(place[1]) if place else []
    if names == ["type"]:
        return (
            "`type` is none of those that are known here" if tag is None else f"no message has the type {_quote(tag)}"
        )
    where = _owner(names, tag)
    if field := _FIELD.search(said):
        return f"{where} has no field {_quote(field[2])}" if field[1] == "unknown" else f"{where} needs `{field[2]}`"
    if not names:
        return NO_OBJECT
    return _must_be(tag, tuple(names)) or f"`{names[-1]}` is not what it must be"


def _owner(names: Sequence[str], tag: str | None) -> str:
    message = f"`{tag}`" if tag in _MESSAGES else "the message"
    return f"`{names[-1]}` of {message}" if names else message


@cache
def _must_be(tag: str | None, names: tuple[str, ...]) -> str:
    """What the field at the end of `names` must be; empty if that is not known."""
    structs = [_MESSAGES[tag]] if tag in _MESSAGES else list(_MESSAGES.values())
    found = None
    for name in names:
        found = next((field for struct in structs for field in fields_of(struct) if field.encode_name == name), None)
        if found is None:
            return ""
        structs = list(structs_in(found.type))
    if found is None:
        return ""
    what = ", ".join(filter(None, (_LINK.sub(r"\1", in_words(found.type)), bounds(found.type))))
    return f"{_owner(names, tag)} must be {what}"


def _quote(text: str) -> str:
    return f"`{ascii(text[:_QUOTED])[1:-1]}`"
