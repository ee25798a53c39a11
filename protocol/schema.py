"""The protocol as JSON Schema, generated from the structs and their docstrings; and what types say, in words. Pure."""

from __future__ import annotations

import inspect as python
import json
from collections.abc import Iterator
from typing import Any, get_args

import msgspec
from msgspec import inspect

from protocol import PROTOCOL
from protocol.bounds import MAX_BATCH
from protocol.fields import FIELDS
from protocol.messages import ClientMessage, ServerMessage

Structs = tuple[type[msgspec.Struct], ...]

CLIENT_MESSAGES: Structs = get_args(ClientMessage)
SERVER_MESSAGES: Structs = get_args(ServerMessage)

_REF = "#/$defs/{name}"

_END = r"(?![\s\S])"
"""What patterns of Python write for the end of the text, since its `$` allows a newline there; people read `$`."""


# ---------------------------------------------------------------------------------------------------------- JSON Schema


def schema() -> dict[str, Any]:
    """JSON Schema 2020-12 of a frame; `$defs` has each message, both unions, and the frames of either side."""
    unions, components = msgspec.json.schema_components((ClientMessage, ServerMessage), ref_template=_REF)
    # Through JSON, for the defaults among them: tuples become lists.
    definitions: dict[str, Any] = json.loads(msgspec.json.encode(dict(sorted(components.items()))))
    for struct in (*CLIENT_MESSAGES, *SERVER_MESSAGES, *nested_structs()):
        properties = definitions[struct.__name__]["properties"]
        for field in fields_of(struct):
            properties[field.encode_name]["description"] = meaning(struct, field)
    definitions["ClientMessage"], definitions["ServerMessage"] = unions
    definitions["ClientFrame"] = _frame("ClientMessage", MAX_BATCH)
    definitions["ServerFrame"] = _frame("ServerMessage", None)
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"Arbitre, protocol {PROTOCOL}",
        "description": "A text frame from a client or from the server.",
        "anyOf": [{"$ref": "#/$defs/ClientFrame"}, {"$ref": "#/$defs/ServerFrame"}],
        "$defs": definitions,
    }


def _frame(message: str, max_items: int | None) -> dict[str, Any]:
    one = {"$ref": f"#/$defs/{message}"}
    batch: dict[str, Any] = {"type": "array", "items": one, "minItems": 1}
    if max_items is not None:
        batch["maxItems"] = max_items
    return {"anyOf": [one, batch]}


# ------------------------------------------------------------------------------------------------------ what types say


def tag_of(struct: type[msgspec.Struct]) -> str:
    """The `type` of a message."""
    return str(struct.__struct_config__.tag)


def summary(struct: type[msgspec.Struct]) -> str:
    """The first sentence of its docstring."""
    first = python.cleandoc(struct.__doc__ or "").partition("\n\n")[0].replace("\n", " ")
    return first.partition(". ")[0].rstrip(".") + "."


def nested_structs(messages: Structs = (*CLIENT_MESSAGES, *SERVER_MESSAGES)) -> Structs:
    """The structs that are parts of messages, by name."""
    found = {part for struct in messages for part in _parts(struct)}
    return tuple(sorted(found, key=lambda struct: struct.__name__))


def meaning(struct: type[msgspec.Struct], field: inspect.Field) -> str:
    """What a field of `struct` means: from the table of fields, else from its type; KeyError if neither says it."""
    exact = FIELDS.get(f"{struct.__name__}.{field.name}")
    return exact or _description(field.type) or FIELDS[field.name]


def fields_of(struct: type[msgspec.Struct]) -> tuple[inspect.Field, ...]:
    """The fields of a message, or of a part of one."""
    info = inspect.type_info(struct)
    assert isinstance(info, inspect.StructType)
    return info.fields


def _parts(struct: type[msgspec.Struct]) -> Iterator[type[msgspec.Struct]]:
    for field in fields_of(struct):
        for part in structs_in(field.type):
            yield part
            yield from _parts(part)


def structs_in(kind: inspect.Type) -> Iterator[type[msgspec.Struct]]:
    """The structs that a value of this type may be, or hold."""
    match kind:
        case inspect.StructType(cls=struct):
            yield struct
        case inspect.Metadata(type=inner) | inspect.VarTupleType(item_type=inner):
            yield from structs_in(inner)
        case inspect.UnionType(types=inner_types) | inspect.TupleType(item_types=inner_types):
            for inner in inner_types:
                yield from structs_in(inner)
        case _:
            pass


def _description(kind: inspect.Type) -> str:
    match kind:
        case inspect.Metadata(extra_json_schema={"description": str(text)}):
            return text
        case inspect.UnionType(types=kinds):
            return next(filter(None, map(_description, kinds)), "")
        case _:
            return ""


def in_words(kind: inspect.Type) -> str:
    """A type as people say it: "array of strings"; the bounds stand apart."""
    match kind:
        case inspect.Metadata(type=inner):
            return in_words(inner)
        case inspect.StructType(cls=struct):
            return f"[{struct.__name__}](#{struct.__name__.lower()})"
        case inspect.LiteralType(values=values):
            return " or ".join(f"`{json.dumps(value)}`" for value in values)
        case inspect.UnionType(types=kinds):
            return " or ".join(in_words(kind) for kind in kinds)
        case inspect.VarTupleType(item_type=item) | inspect.ListType(item_type=item):
            return f"array of {in_words(item)}"
        case inspect.TupleType(item_types=items):
            return f"pair of {' and '.join(dict.fromkeys(map(in_words, items)))}"
        case inspect.DictType(key_type=key, value_type=value):
            return f"object, {in_words(key)} to {in_words(value)}"
        case _:
            return _PLAIN[type(kind)]


_PLAIN: dict[type[inspect.Type], str] = {
    inspect.StrType: "string",
    inspect.IntType: "integer",
    inspect.FloatType: "number",
    inspect.BoolType: "boolean",
    inspect.NoneType: "null",
}


def bounds(kind: inspect.Type) -> str:
    """The bounds of a type in words: "0 to 10000", "1 to 16 characters"; empty if it has none."""
    match kind:
        case inspect.Metadata(type=inner):
            return bounds(inner)
        case inspect.IntType(ge=int(low), le=int(high)):
            return f"{_integer(low)} to {_integer(high)}"
        case inspect.FloatType(ge=low, le=high):
            return f"{low:g} to {high:g}"
        case inspect.StrType(min_length=low, max_length=high, pattern=pattern):
            length = _span(low, high, "characters")
            return f"{length}, `{pattern.replace(_END, '$')}`" if pattern else length
        case inspect.VarTupleType(item_type=item) | inspect.ListType(item_type=item):
            return "; each ".join(filter(None, (_span(kind.min_length, kind.max_length, "items"), bounds(item))))
        case inspect.DictType(value_type=item):
            return "; each ".join(filter(None, (_span(kind.min_length, kind.max_length, "entries"), bounds(item))))
        case inspect.UnionType(types=kinds) | inspect.TupleType(item_types=kinds):
            return ", or ".join(dict.fromkeys(filter(None, map(bounds, kinds))))
        case _:
            return ""


def _span(low: int | None, high: int | None, unit: str) -> str:
    if low == high:
        return f"{high} {unit}"
    return f"{low} to {high} {unit}" if low else f"at most {high} {unit}"


def _integer(bound: int) -> str:
    """A bound as people write it: powers of two by their exponent, once they are long."""
    size, odd = abs(bound), bound & 1
    if size < 2**31 - 1:
        return str(bound)
    return f"{'-' * (bound < 0)}2^{size.bit_length() - (not odd)}{' - 1' * odd}"
