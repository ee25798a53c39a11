"""The JSON Schema says what the codec does: each golden message fits it, and what the codec refuses it refuses."""

from __future__ import annotations

import json
import re
from typing import Any

import msgspec
import pytest

from protocol.__main__ import main
from protocol.codec import decode_client
from protocol.errors import ErrorCode, ProtocolError
from protocol.examples import CLIENT_EXAMPLES, SERVER_EXAMPLES
from protocol.fields import FIELDS
from protocol.guide import ERRORS
from protocol.schema import CLIENT_MESSAGES, SERVER_MESSAGES, nested_structs, schema, tag_of
from tests.protocol.wire_types import Json, fields_of, struct_edges

SCHEMA = schema()
STRUCTS = (*CLIENT_MESSAGES, *SERVER_MESSAGES, *nested_structs())

_TYPES: dict[str, type | tuple[type, ...]] = {
    "array": list,
    "boolean": bool,
    "integer": int,
    "null": type(None),
    "number": (int, float),
    "object": dict,
    "string": str,
}
_NOTES = {"$schema", "$defs", "title", "description", "default", "discriminator"}


def _fits(rule: dict[str, Any], value: Json) -> bool:
    """Whether `value` is valid: the part of JSON Schema 2020-12 that our schema uses; fails on a keyword beyond it."""
    return all(_holds(keyword, rule, value) for keyword in rule if keyword not in _NOTES)


def _holds(keyword: str, rule: dict[str, Any], value: Json) -> bool:  # noqa: C901, PLR0911, PLR0912 - one line a keyword
    wanted = rule[keyword]
    match keyword:
        case "$ref":
            return _fits(SCHEMA["$defs"][wanted.removeprefix("#/$defs/")], value)
        case "anyOf":
            return any(_fits(option, value) for option in wanted)
        case "type":
            return isinstance(value, _TYPES[wanted]) and not (
                isinstance(value, bool) and wanted in ("integer", "number")
            )
        case "enum":
            return value in wanted and not isinstance(value, bool)
        case "minimum" | "maximum" if isinstance(value, (int, float)):
            return bool(wanted <= value if keyword == "minimum" else value <= wanted)
        case "minLength" | "minItems" | "minProperties" if isinstance(value, (str, list, dict)):
            return len(value) >= int(wanted)
        case "maxLength" | "maxItems" | "maxProperties" if isinstance(value, (str, list, dict)):
            return len(value) <= int(wanted)
        case "pattern":
            return re.search(wanted.replace("$", r"\Z"), value) is not None
        case "required":
            return set(wanted) <= set(value)
        case "properties":
            return all(_fits(wanted[name], part) for name, part in value.items() if name in wanted)
        case "additionalProperties" if wanted is False:
            return set(value) <= set(rule["properties"])
        case "additionalProperties":
            return all(_fits(wanted, part) for part in value.values())
        case "propertyNames":
            return all(_fits(wanted, name) for name in value)
        case "prefixItems":
            return all(_fits(part, item) for part, item in zip(wanted, value, strict=False))
        case "items" if wanted is False:
            return len(value) <= len(rule["prefixItems"])
        case "items":
            return all(_fits(wanted, item) for item in value)
        case _:
            raise AssertionError(f"{keyword} of {value!r}: {wanted!r}")


def _refs(node: Json) -> set[str]:
    if isinstance(node, dict):
        own = {node["$ref"]} if "$ref" in node else set()
        return own.union(*map(_refs, node.values()))
    return set[str]().union(*map(_refs, node)) if isinstance(node, list) else set()


def test_it_is_json_of_the_2020_12_dialect() -> None:
    assert SCHEMA["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    assert json.loads(json.dumps(SCHEMA)) == SCHEMA
    assert schema() == SCHEMA, "the same each time"


def test_every_reference_leads_somewhere() -> None:
    assert _refs(SCHEMA) == {f"#/$defs/{name}" for name in SCHEMA["$defs"]}


def test_both_unions_are_whole() -> None:
    for union, structs in (("ClientMessage", CLIENT_MESSAGES), ("ServerMessage", SERVER_MESSAGES)):
        options = [option["$ref"] for option in SCHEMA["$defs"][union]["anyOf"]]
        assert sorted(options) == sorted(f"#/$defs/{struct.__name__}" for struct in structs)


def test_only_what_clients_send_is_closed() -> None:
    for struct in STRUCTS:
        closed = SCHEMA["$defs"][struct.__name__].get("additionalProperties") is False
        values = ("Clock", "SeatClock", "Network", "RosterEntry", "BoundName", "ScoreRow", "LeagueGame", "LeagueMatch")
        assert closed == (struct in CLIENT_MESSAGES or struct.__name__ in values), struct


@pytest.mark.parametrize("text", [text for texts in CLIENT_EXAMPLES.values() for text in texts])
def test_golden_messages_of_clients_fit(text: str) -> None:
    assert _fits(SCHEMA["$defs"]["ClientFrame"], json.loads(text))
    assert _fits(SCHEMA["$defs"]["ClientFrame"], [json.loads(text)] * 2)
    assert not _fits(SCHEMA["$defs"]["ServerFrame"], json.loads(text))
    assert _fits(SCHEMA, json.loads(text))


@pytest.mark.parametrize("text", [text for texts in SERVER_EXAMPLES.values() for text in texts])
def test_golden_messages_of_servers_fit(text: str) -> None:
    assert _fits(SCHEMA["$defs"]["ServerFrame"], json.loads(text))
    assert _fits(SCHEMA["$defs"]["ServerFrame"], json.loads(text) | {"later": 1})
    assert not _fits(SCHEMA["$defs"]["ClientFrame"], json.loads(text))


@pytest.mark.parametrize("struct", CLIENT_MESSAGES, ids=tag_of)
def test_schema_and_codec_agree_at_every_edge(struct: type[msgspec.Struct]) -> None:
    for where, value, _ in struct_edges(struct, tag_of(struct)):
        (answer,) = decode_client(json.dumps(value))
        decoded = not isinstance(answer, ProtocolError)
        assert _fits(SCHEMA["$defs"]["ClientFrame"], value) == decoded, f"{where}: {json.dumps(value)[:200]}"


def test_a_batch_is_bounded() -> None:
    one = json.loads(CLIENT_EXAMPLES["resign"][0])
    assert [_fits(SCHEMA["$defs"]["ClientFrame"], [one] * count) for count in (0, 1, 512, 513)] == [
        False,
        True,
        True,
        False,
    ]


def test_everything_is_described() -> None:
    used = set[str]()
    for struct in STRUCTS:
        definition = SCHEMA["$defs"][struct.__name__]
        assert definition["description"], struct
        for field in fields_of(struct):
            said = definition["properties"][field.encode_name]["description"]
            assert len(said) > 3, (struct, field.name)
            used |= {key for key in (f"{struct.__name__}.{field.name}", field.name) if FIELDS.get(key) == said}
    assert used == set(FIELDS), "no description is left over"
    assert set(ERRORS) == set(ErrorCode)


def test_the_command_prints_it(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--schema"]) == 0
    assert json.loads(capsys.readouterr().out) == SCHEMA
    assert main(["--help"]) == 2
