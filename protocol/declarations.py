"""The protocol as TypeScript declarations, generated from the structs: the types of the page's scripts. Pure."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping

import msgspec
from msgspec import inspect

from protocol.messages import MatchEvent
from protocol.schema import CLIENT_MESSAGES, SERVER_MESSAGES, Structs, fields_of, nested_structs, summary, tag_of

_HEAD = """\
/**
 * Protocol 1, generated from its structs by `python -m protocol --write-docs`. docs/protocol.md says what it means.
 * A field with a `?` may be left out.
 */
declare namespace Protocol {
"""

_PLAIN: dict[type[inspect.Type], str] = {
    inspect.StrType: "string",
    inspect.IntType: "number",
    inspect.FloatType: "number",
    inspect.BoolType: "boolean",
    inspect.NoneType: "null",
    inspect.AnyType: "any",
}

_FEW = 3
"""An integer type with at most this many values is written as a list of them: seats are `1 | 2`."""


def declarations() -> str:
    """The text of page/types/protocol.d.ts: an interface for each message and part of one, and their unions."""
    events: Structs = MatchEvent.__args__
    unions = {"ClientMessage": CLIENT_MESSAGES, "ServerMessage": SERVER_MESSAGES}
    return _HEAD + declared(unions, {"MatchEvent": events})


def declared(messages: Mapping[str, Structs], parts: Mapping[str, Structs] | None = None) -> str:
    """The content of a namespace: an interface for each message, which its tag tells apart, and for each part of one.

    messages: the unions by their names. parts: unions of some of these messages.
    """
    structs = tuple(dict.fromkeys(struct for union in messages.values() for struct in union))
    inner = (line for struct in nested_structs(structs) for line in _interface(struct, None))
    outer = (line for struct in structs for line in _interface(struct, tag_of(struct)))
    ends = (line for name, union in (*messages.items(), *(parts or {}).items()) for line in _union(name, union))
    return "\n".join((*inner, *outer, *ends)).rstrip() + "\n}\n"


def _interface(struct: type[msgspec.Struct], tag: str | None) -> Iterator[str]:
    yield f"  /** {summary(struct)} */"
    yield f"  interface {struct.__name__} {{"
    if tag is not None:
        yield f"    type: {json.dumps(tag)};"
    for field in fields_of(struct):
        yield f"    {field.encode_name}{'' if field.required else '?'}: {_kind(field.type)};"
    yield "  }\n"


def _union(name: str, structs: Structs) -> Iterator[str]:
    yield f"  type {name} ="
    yield from (f"    | {struct.__name__}{';' * (struct is structs[-1])}" for struct in structs)
    yield ""


def _kind(kind: inspect.Type) -> str:
    """A type as TypeScript says it; bounds are lost."""
    match kind:
        case inspect.Metadata(type=inner):
            return _kind(inner)
        case inspect.StructType(cls=struct):
            return struct.__name__
        case inspect.IntType(ge=int(low), le=int(high)) if high - low < _FEW:
            return " | ".join(map(str, range(low, high + 1)))
        case inspect.LiteralType(values=values):
            return " | ".join(json.dumps(value) for value in values)
        case inspect.UnionType(types=kinds):
            return " | ".join(dict.fromkeys(map(_kind, kinds)))
        case inspect.VarTupleType(item_type=item) | inspect.ListType(item_type=item):
            return f"{_bracketed(item)}[]"
        case inspect.TupleType(item_types=items):
            return f"[{', '.join(map(_kind, items))}]"
        case inspect.DictType(key_type=key, value_type=value):
            record = f"Record<{_kind(key)}, {_kind(value)}>"
            return f"Partial<{record}>" if isinstance(key, inspect.LiteralType) else record
        case _:
            return _PLAIN[type(kind)]


def _bracketed(kind: inspect.Type) -> str:
    text = _kind(kind)
    return f"({text})" if " " in text and not text.startswith(("[", "Partial<", "Record<")) else text
