"""The wire types as tests see them: strategies within their bounds, samples, and values at and beyond each edge."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from typing import Any

import msgspec
from hypothesis import strategies as st
from msgspec import inspect

Json = Any
"""What json.dumps takes."""


def fields_of(struct: type[msgspec.Struct]) -> tuple[inspect.Field, ...]:
    info = inspect.type_info(struct)
    assert isinstance(info, inspect.StructType)
    return info.fields


# ---------------------------------------------------------------------------------------------------------- strategies


def structs(struct: type[msgspec.Struct]) -> st.SearchStrategy[msgspec.Struct]:
    """Any value of `struct` within the bounds of its types; fields with a default are left out now and then."""
    required = {field.name: values(field.type) for field in fields_of(struct) if field.required}
    optional = {field.name: values(field.type) for field in fields_of(struct) if not field.required}
    return st.fixed_dictionaries(required, optional=optional).map(lambda chosen: struct(**chosen))


def values(kind: inspect.Type) -> st.SearchStrategy[Any]:
    """Python values of a type, within its bounds; long collections are left to the tests of edges."""
    match kind:
        case inspect.Metadata(type=inner):
            return values(inner)
        case inspect.UnionType(types=kinds):
            return st.one_of(*map(values, kinds))
        case inspect.VarTupleType(item_type=item):
            return st.lists(values(item), max_size=min(kind.max_length or 8, 8)).map(tuple)
        case inspect.ListType(item_type=item):
            return st.lists(values(item), max_size=min(kind.max_length or 8, 8))
        case inspect.TupleType(item_types=items):
            return st.tuples(*map(values, items))
        case inspect.DictType(key_type=key, value_type=value):
            return st.dictionaries(values(key), values(value), max_size=min(kind.max_length or 4, 4))
        case inspect.StructType(cls=struct):
            return structs(struct)
        case _:
            return _scalars(kind)


def _scalars(kind: inspect.Type) -> st.SearchStrategy[Any]:
    match kind:
        case inspect.IntType(ge=low, le=high):
            return st.integers(low, high)
        case inspect.FloatType(ge=low, le=high):
            return st.floats(low, high, allow_nan=False)
        case inspect.StrType(pattern=str(pattern), min_length=low, max_length=high):
            return st.from_regex(pattern, fullmatch=True).filter(lambda text: (low or 0) <= len(text) <= (high or 0))
        case inspect.StrType(min_length=low, max_length=high):
            return st.text(min_size=low or 0, max_size=high)
        case inspect.BoolType():
            return st.booleans()
        case inspect.NoneType():
            return st.none()
        case inspect.LiteralType(values=options):
            return st.sampled_from(options)
        case _:
            raise AssertionError(f"no strategy for {kind}")


# --------------------------------------------------------------------------------------------------- samples and edges


def sample(kind: inspect.Type) -> Json:
    """The smallest JSON value of a type."""
    match kind:
        case inspect.Metadata(type=inner):
            return sample(inner)
        case inspect.IntType(ge=low) | inspect.FloatType(ge=low):
            return max(low or 0, 0)
        case inspect.StrType(min_length=low):
            return "a" * (low or 0)
        case inspect.BoolType():
            return False
        case inspect.LiteralType(values=options):
            return options[0]
        case inspect.UnionType(types=kinds):
            return None if kind.includes_none else sample(kinds[0])
        case inspect.VarTupleType() | inspect.ListType():
            return []
        case inspect.TupleType(item_types=items):
            return [sample(item) for item in items]
        case inspect.DictType():
            return {}
        case inspect.StructType(cls=struct):
            return sample_struct(struct)
        case _:
            raise AssertionError(f"no sample for {kind}")


def sample_struct(struct: type[msgspec.Struct]) -> dict[str, Json]:
    """The smallest JSON object of `struct`."""
    config = struct.__struct_config__
    tag = {config.tag_field: config.tag} if config.tag_field else {}
    return tag | {field.encode_name: sample(field.type) for field in fields_of(struct) if field.required}


Edge = tuple[str, Json, bool]
"""Where a bound stands, a value that touches it, and whether the value is still within."""


def edges(kind: inspect.Type, where: str) -> Iterator[Edge]:
    """Values just inside and just outside every bound in a type, at any depth."""
    match kind:
        case inspect.Metadata(type=inner):
            yield from edges(inner, where)
        case inspect.IntType(ge=int(low), le=int(high)):
            yield from ((where, low, True), (where, high, True), (where, low - 1, False), (where, high + 1, False))
        case inspect.FloatType(ge=low, le=high):
            beyond = (math.nextafter(low or 0, -math.inf), math.nextafter(high or 0, math.inf))
            yield from ((where, low, True), (where, high, True), (where, beyond[0], False), (where, beyond[1], False))
        case inspect.StrType():
            yield from _text_edges(kind, where)
        case inspect.LiteralType(values=options):
            yield from ((where, option, True) for option in options)
            yield from ((where, "other", False), (where, 3, False))
        case inspect.UnionType(types=kinds):
            for inner in kinds:
                yield from edges(inner, where)
        case inspect.VarTupleType(item_type=item) | inspect.ListType(item_type=item):
            yield from _size_edges([sample(item)] * (kind.max_length or 0), sample(item), where)
            yield from ((where, [value], fits) for where, value, fits in edges(item, f"{where}[]"))
        case inspect.TupleType(item_types=items):
            yield from _pair_edges([sample(item) for item in items], items, where)
        case inspect.DictType():
            yield from _dict_edges(kind, where)
        case inspect.StructType(cls=struct):
            yield from struct_edges(struct, where)
        case _:
            return


def struct_edges(struct: type[msgspec.Struct], where: str) -> Iterator[Edge]:
    """The edges of every field, each in an object that is otherwise as small as can be."""
    whole = sample_struct(struct)
    for field in fields_of(struct):
        for place, value, fits in edges(field.type, f"{where}.{field.encode_name}"):
            yield place, whole | {field.encode_name: value}, fits


def _text_edges(kind: inspect.StrType, where: str) -> Iterator[Edge]:
    low, high = kind.min_length or 0, kind.max_length or 0
    fits = next(letter for letter in "a0" if not kind.pattern or re.fullmatch(kind.pattern, letter * high))
    yield from ((where, fits * low, True), (where, fits * high, True), (where, fits * (high + 1), False))
    if low:
        yield where, fits * (low - 1), False
    if kind.pattern:
        yield from ((where, "*" * high, False), (where, fits * (high - 1) + "\n", False), (where, "é" * high, False))
    else:
        yield where, "\U0001f600" * high, True


def _size_edges(full: list[Json], item: Json, where: str) -> Iterator[Edge]:
    yield from ((where, [], True), (where, full, True), (where, [*full, item], False))


def _pair_edges(pair: list[Json], items: tuple[inspect.Type, ...], where: str) -> Iterator[Edge]:
    yield from ((where, pair, True), (where, pair[:-1], False), (where, [*pair, pair[0]], False))
    for at, item in enumerate(items):
        for place, value, fits in edges(item, f"{where}[{at}]"):
            yield place, [*pair[:at], value, *pair[at + 1 :]], fits


def _dict_edges(kind: inspect.DictType, where: str) -> Iterator[Edge]:
    yield where, {}, True
    if not isinstance(kind.key_type, inspect.LiteralType):
        full = {f"k{number}": sample(kind.value_type) for number in range((kind.max_length or 0) + 1)}
        yield where, full, False
        full.popitem()
        yield where, full, True
    key = next(value for _, value, fits in edges(kind.key_type, where) if fits and value)
    yield from (
        (place, {value: sample(kind.value_type)}, fits)
        for place, value, fits in edges(kind.key_type, where)
        if isinstance(value, str)
    )
    yield from ((place, {key: value}, fits) for place, value, fits in edges(kind.value_type, f"{where}{{}}"))


def unbounded(kind: inspect.Type, where: str) -> Iterator[str]:
    """Where a type lacks a bound."""
    match kind:
        case inspect.Metadata(type=inner):
            yield from unbounded(inner, where)
        case inspect.IntType(ge=low, le=high) | inspect.FloatType(ge=low, le=high):
            yield from [where] * (low is None or high is None)
        case inspect.StrType(max_length=high):
            yield from [where] * (high is None)
        case inspect.VarTupleType(item_type=item, max_length=high) | inspect.ListType(item_type=item, max_length=high):
            yield from [where] * (high is None)
            yield from unbounded(item, f"{where}[]")
        case inspect.DictType(key_type=key, value_type=value, max_length=high):
            yield from [where] * (high is None)
            yield from (*unbounded(key, f"{where}{{}}"), *unbounded(value, f"{where}{{}}"))
        case inspect.UnionType(types=kinds) | inspect.TupleType(item_types=kinds):
            for inner in kinds:
                yield from unbounded(inner, where)
        case inspect.StructType(cls=struct):
            for field in fields_of(struct):
                yield from unbounded(field.type, f"{struct.__name__}.{field.name}")
        case inspect.LiteralType() | inspect.BoolType() | inspect.NoneType():
            return
        case _:
            yield f"{where}: {kind}"
