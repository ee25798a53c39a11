"""What is wrong with a message is said in plain sentences that name the field; the decoder's words never get out."""

from __future__ import annotations

import json
import re

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.codec import decode_client, decode_server
from protocol.errors import ProtocolError
from protocol.schema import CLIENT_MESSAGES, SERVER_MESSAGES, tag_of
from tests.protocol.wire_types import Json, sample_struct, struct_edges

DECODERS = re.compile(
    r"Expected|got `|`(str|int|float|object|array|null|bool)`|Invalid|Object |Input|malformed|\$|byte \d"
)
"""Phrases of msgspec; none of ours holds a `$` outside a pattern."""

OTHER_TYPES: tuple[Json, ...] = (None, True, 7, -1.5, "\x00", [], {}, [[]], {"a": {}}, 10**30)


def said_of_client(frame: str | bytes) -> list[str]:
    return [answer.message for answer in decode_client(frame) if isinstance(answer, ProtocolError)]


def said_of_server(frame: str | bytes) -> list[str]:
    try:
        decode_server(frame)
    except ProtocolError as error:
        return [error.message]
    return []


def is_plain(sentence: str) -> bool:
    return not DECODERS.search(re.sub(r"matches \S+", "", sentence))


@pytest.mark.parametrize(
    ("message", "sentence"),
    [
        ({"name": 5}, "field `name` must be text of at most 200 characters"),
        ({"kind": "cat"}, 'field `kind` must be one of "bot", "human"'),
        ({"batch": 1}, "field `batch` must be true or false"),
        ({"seen": {"a": -1}}, "a value in field `seen` must be a whole number from 0 to 2147483647"),
        ({"seen": {"": 1}}, "a key in field `seen` must be text of 1 to 16 characters"),
        ({"protocol": 1.5}, "field `protocol` must be a whole number from 0 to 1000000"),
        ({"token": 1}, "field `token` must be text of at most 128 characters or null"),
        ({"colour": 1}, "field `colour` is unknown"),
        ({"type": "dance"}, "field `type` must name a message of protocol 1"),
    ],
)
def test_sentences(message: dict[str, Json], sentence: str) -> None:
    hello = {"type": "hello", "id": 1, "protocol": 1, "client": "", "kind": "bot", "name": "Ada"}
    assert said_of_client(json.dumps({**hello, **message})) == [sentence]


def test_fields_of_fields() -> None:
    create: dict[str, Json] = {"type": "create", "id": 1, "game": "othello"}
    wrong: list[dict[str, Json]] = [
        {"clock": {"move_ms": -1}},
        {"clock": 5},
        {"clock": {"delay": 5}},
        {"invite": ["a", ""]},
    ]
    assert said_of_client(json.dumps([{**create, **one} for one in wrong])) == [
        "field `clock.move_ms` must be a whole number from 0 to 86400000",
        "field `clock` must be an object or null",
        "field `clock.delay` is unknown",
        "field `invite[1]` must be text of 1 to 32 characters",
    ]


def test_what_is_no_message() -> None:
    assert said_of_client('{"type":"resign","id":1}') == ["field `match` is missing"]
    assert said_of_client("5") == ["a message must be an object with a field `type`, or an array of such objects"]
    assert said_of_client("{") == ["the message is not valid JSON"]
    assert said_of_client("[" + "{}," * 600 + "{}]") == ["an array may have at most 512 messages"]


def test_a_server_s_sentence_names_its_message() -> None:
    welcome = {"type": "welcome", "protocol": 1, "session": "s", "token": "t", "name": "Ada", "features": []}
    limits = {"max_frame_bytes": 65536, "max_batch": 0, "max_chat": 300, "max_matches": 1, "absence_ms": 0}
    frame = json.dumps([{"type": "ok", "id": 1}, {**welcome, "games": [], "server_time_ms": 0, "limits": limits}])
    assert said_of_server(frame) == [
        "welcome: field `limits.max_batch` must be a whole number from 1 to 9007199254740991"
    ]
    assert said_of_server("[5]") == ["a message must be an object with a field `type`, or an array of such objects"]


@pytest.mark.parametrize("field", ["max_frame_bytes", "max_batch", "max_chat", "max_matches"])
def test_no_limit_of_a_server_is_nothing(field: str) -> None:
    limits = {"max_frame_bytes": 65536, "max_batch": 1, "max_chat": 1, "max_matches": 1, "absence_ms": 0}
    welcome = {"type": "welcome", "protocol": 1, "session": "s", "token": "t", "name": "Ada", "features": []}
    whole = {**welcome, "games": [], "server_time_ms": 0}
    assert said_of_server(json.dumps({**whole, "limits": limits})) == []
    assert f"`limits.{field}`" in said_of_server(json.dumps({**whole, "limits": {**limits, field: 0}}))[0]


@pytest.mark.parametrize("struct", CLIENT_MESSAGES + SERVER_MESSAGES, ids=tag_of)
def test_no_phrase_of_the_decoder_gets_out(struct: type[msgspec.Struct]) -> None:
    says = said_of_client if struct in CLIENT_MESSAGES else said_of_server
    whole = sample_struct(struct)
    wrong = [value for _, value, fits in struct_edges(struct, "") if not fits]
    wrong += [{**whole, name: other} for name in whole if name != "type" for other in OTHER_TYPES]
    wrong += [{key: value for key, value in whole.items() if key != name} for name in whole]
    heard = [(value, sentence) for value in wrong for sentence in says(json.dumps(value))]
    assert all(is_plain(sentence) and "`" in sentence for _, sentence in heard), [
        (json.dumps(value)[:200], sentence) for value, sentence in heard if not is_plain(sentence)
    ]


@given(st.text(alphabet='{}[]",:\\u0dtypeidmatch15.-\n\x00é ', max_size=60))
def test_nor_does_it_for_what_is_hardly_json(frame: str) -> None:
    assert all(map(is_plain, said_of_client(frame) + said_of_server(frame)))
