"""What is wrong with a message that can't be read, in a plain sentence: the field, and what is expected there. Pure.

The decoder says where it stopped; what is expected follows from the struct's types. The decoder's own words are never
quoted: they are about types of Python, and change with the library.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache

from msgspec import MsgspecError, Struct, ValidationError, inspect

_PATH = re.compile(r" - at (`key` in )?`\$([^`]*)`$")
_STEP = re.compile(r"\.(\w+)|\[(\d+|\.\.\.)\]")
_MISSING = re.compile(r"missing required field `(\w+)`")
_UNKNOWN = re.compile(r"unknown field `([^`]*)`", re.DOTALL)

_SHOWN = 40
"""How many characters of an unknown field's name are quoted."""


def sentence(error: Exception, kind: type[Struct] | None) -> str:
    """Why decoding a message of type `kind` (None if there is no such type) raised `error`; without a full stop."""
    if isinstance(error, RecursionError):
        return "the message is nested too deeply"
    if isinstance(error, UnicodeError):
        return "the message is not UTF-8"
    if isinstance(error, ValidationError):
        return _mismatch(str(error), kind)
    if isinstance(error, MsgspecError):
        return "the message is not valid JSON"
    return "the message can't be read"


def _mismatch(said: str, kind: type[Struct] | None) -> str:
    where = _PATH.search(said)
    path = where[2] if where is not None else ""
    steps = [step[1] or step[2] for step in _STEP.finditer(path)]
    if (missing := _MISSING.search(said)) is not None:
        return f"field `{_name([*steps, missing[1]])}` is missing"
    if steps == ["type"]:
        return "field `type` must name a message of protocol 1"
    if (unknown := _UNKNOWN.search(said)) is not None:
        return f"field `{_name([*steps, unknown[1][:_SHOWN]])}` is unknown"
    if kind is not None and not steps:
        return "it must be an object"
    if kind is None:
        return "a message must be an object with a field `type`, or an array of such objects"
    is_key = where is not None and where[1] is not None
    expected = _type_at(kind, steps, key=is_key)
    which = "a key in " if is_key else "a value in " if steps[-1] == "..." else ""
    field = f"{which}field `{_name(steps)}`"
    return f"{field} must be {describe(expected)}" if expected is not None else f"{field} has a wrong value"


def _name(steps: Sequence[str]) -> str:
    """How a field is written: "clock.move_ms", "invite[0]"."""
    name = ""
    for step in steps:
        if step == "..." or step.isdigit():
            name += "" if step == "..." else f"[{step}]"
        else:
            name += f".{step}" if name else step
    return name


def _type_at(kind: type[Struct], steps: Sequence[str], *, key: bool) -> inspect.Type | None:
    found: inspect.Type | None = _types_of(kind)
    for step in steps:
        found = None if found is None else _inner(found, step)
    while key and isinstance(found, inspect.Metadata):
        found = found.type
    if key:
        return found.key_type if isinstance(found, inspect.DictType) else None
    return found


@cache
def _types_of(kind: type[Struct]) -> inspect.Type:
    """The types of a message, cached: to find them takes ten times as long as to use them."""
    return inspect.type_info(kind)


def _inner(kind: inspect.Type, step: str) -> inspect.Type | None:
    match kind:
        case inspect.Metadata(type=inner):
            return _inner(inner, step)
        case inspect.UnionType(types=kinds):
            return next((found for one in kinds if (found := _inner(one, step)) is not None), None)
        case inspect.StructType(fields=fields):
            return next((field.type for field in fields if field.encode_name == step), None)
        case inspect.VarTupleType(item_type=item) | inspect.ListType(item_type=item) if _is_place(step):
            return item
        case inspect.TupleType(item_types=items) if _is_place(step):
            return items[int(step)] if step.isdigit() and int(step) < len(items) else None
        case inspect.DictType(value_type=value) if _is_place(step):
            return value
        case _:
            return None


def _is_place(step: str) -> bool:
    return step == "..." or step.isdigit()


def describe(kind: inspect.Type) -> str:  # noqa: PLR0911 - a table
    """What a value of a type looks like, for people who write one: "text of at most 200 characters"."""
    match kind:
        case inspect.Metadata(type=inner):
            return describe(inner)
        case inspect.UnionType(types=kinds):
            shown = [one for one in kinds if not isinstance(one, inspect.NoneType)]
            return " or ".join([*map(describe, shown), *["null"] * kind.includes_none])
        case inspect.IntType(ge=int(low), le=int(high)):
            return f"a whole number from {low} to {high}"
        case inspect.FloatType(ge=(float() | int()) as low, le=(float() | int()) as high):
            return f"a number from {low:g} to {high:g}"
        case inspect.StrType(pattern=str(pattern)):
            return f"text that matches {pattern}"
        case inspect.StrType(min_length=low, max_length=int(high)):
            return f"text of {low} to {high} characters" if low else f"text of at most {high} characters"
        case inspect.LiteralType(values=options):
            return "one of " + ", ".join(f'"{one}"' if isinstance(one, str) else str(one) for one in options)
        case inspect.TupleType(item_types=items):
            return f"an array of {len(items)}"
        case inspect.VarTupleType(max_length=int(most)) | inspect.ListType(max_length=int(most)):
            return f"an array of at most {most}"
        case inspect.DictType(max_length=int(most)):
            return f"an object of at most {most} fields"
        case _:
            return _PLAIN.get(type(kind), "another value")


_PLAIN: Mapping[type[inspect.Type], str] = {
    inspect.VarTupleType: "an array",
    inspect.ListType: "an array",
    inspect.StrType: "text",
    inspect.IntType: "a whole number",
    inspect.FloatType: "a number",
    inspect.BoolType: "true or false",
    inspect.NoneType: "null",
    inspect.StructType: "an object",
}
