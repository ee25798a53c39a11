"""What is wrong with a message is said in our words: the field, and what it must be. No decoder is quoted."""

from __future__ import annotations

import json
import re

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.codec import decode_client, decode_server
from protocol.errors import ProtocolError
from protocol.schema import CLIENT_MESSAGES, SERVER_MESSAGES, fields_of, tag_of
from tests.protocol.wire_types import Json, sample_struct, struct_edges

MOVE = '{"type":"move","id":1,"match":"a","ply":0,"move":"d3"}'
HELLO = '{"type":"hello","id":1,"protocol":1,"client":"x","kind":"bot","name":"Ada"}'
CREATE = '{"type":"create","id":1,"game":"othello"}'

DECODERS = re.compile(r"Expected|Invalid|Object |Input|truncated|malformed|`int`|`str`|\$|byte \d")


def _said(text: str | bytes) -> str:
    (answer,) = decode_client(text)
    assert isinstance(answer, ProtocolError), text
    return answer.message


def _with(text: str, **fields: Json) -> str:
    return json.dumps(json.loads(text) | fields)


@pytest.mark.parametrize(
    ("frame", "sentence"),
    [
        ("{", "the frame is not JSON"),
        ("", "the frame is not JSON"),
        ('{"type":"chat","id":1,"match":"a","text":"\\ud83d"}', "half of a surrogate pair"),
        ('{"type":"chat","id":1,"match":"a","text":"x\\ude00"}', "half of a surrogate pair"),
        ('{"type":"chat","id":1,"match":"a","text":"\\ud83d\\ude00"', "the frame is not JSON"),
        ("5", "a message is an object with a `type`"),
        ("[5]", "a message is an object with a `type`"),
        ('{"id":1}', "the message needs `type`"),
        ('{"id":1,"type":5}', "`type` is none of those that are known here"),
        ('{"id":1,"type":"dance"}', "no message has the type `dance`"),
        ('{"id":1,"type":"da\\u001b[2J"}', "no message has the type `da\\x1b[2J`"),
        ('{"type":"move","id":1}', "`move` needs `match`"),
        (_with(MOVE, colour=1), "`move` has no field `colour`"),
        (_with(MOVE, **{"\x1b": 1}), "`move` has no field `\\x1b`"),
        (_with(MOVE, ply=-1), "`ply` of `move` must be integer, 0 to 10000"),
        (_with(MOVE, ply="1"), "`ply` of `move` must be integer, 0 to 10000"),
        (_with(MOVE, move="abcde"), "`move` of `move` must be string, 1 to 4 characters"),
        (_with(MOVE, id=1.5), "`id` of `move` must be integer, 0 to 2^53 - 1"),
        (_with(HELLO, kind="cat"), '`kind` of `hello` must be `"bot"` or `"human"`'),
        (_with(HELLO, seen={"a": -1}), "`seen` of `hello` must be object, string to integer, at most 4096 entries"),
        (_with(HELLO, seen={"": 1}), "`seen` of `hello` must be object, string to integer, at most 4096 entries"),
        (_with(CREATE, clock={"move": 1}), "`clock` of `create` has no field `move`"),
        (_with(CREATE, clock={"move_ms": -1}), "`move_ms` of `create` must be integer, 0 to 86400000"),
        (_with(CREATE, clock=5), "`clock` of `create` must be Clock or null"),
        (_with(CREATE, opening=["d3", ""]), "`opening` of `create` must be array of string, at most 64 items"),
        (f"[{MOVE},{{]", "the frame is not JSON"),
    ],
)
def test_a_complaint_names_the_field_and_what_it_must_be(frame: str, sentence: str) -> None:
    assert sentence in _said(frame)


def test_too_many_messages() -> None:
    assert _said(f"[{','.join([MOVE] * 513)}]") == "an array has at most 512 messages"


@pytest.mark.parametrize("struct", CLIENT_MESSAGES, ids=tag_of)
def test_no_decoder_is_quoted(struct: type[msgspec.Struct]) -> None:
    whole = sample_struct(struct)
    wrong = [value for _, value, fits in struct_edges(struct, tag_of(struct)) if not fits]
    values: tuple[Json, ...] = (5.5, "\x1b", [], {})
    wrong += [whole | {field.encode_name: value} for field in fields_of(struct) for value in values]
    for value in wrong:
        (answer,) = decode_client(json.dumps(value))
        if isinstance(answer, ProtocolError):
            assert not DECODERS.search(answer.message.replace("$`", "")), answer.message
            assert answer.message.isprintable()


@given(st.text() | st.binary())
def test_whatever_comes_is_complained_of_in_one_line(frame: str | bytes) -> None:
    for answer in decode_client(frame):
        assert isinstance(answer, ProtocolError)
        assert answer.message.isprintable()
        assert not DECODERS.search(answer.message)


def test_of_a_batch_from_a_server_the_wrong_message_is_named() -> None:
    good = json.dumps(sample_struct(next(s for s in SERVER_MESSAGES if tag_of(s) == "closing")))
    with pytest.raises(ProtocolError) as wrong:
        decode_server(f'[{good},{{"type":"ok","id":"five"}},{good}]')
    assert wrong.value.message == "`id` of `ok` must be integer, 0 to 2^53 - 1"
