"""Every integer, string, list and object of the wire has bounds, and they hold at the edge."""

from __future__ import annotations

import json

import msgspec
import pytest

from protocol.codec import decode_client, decode_server, encode
from protocol.errors import ErrorCode, ProtocolError
from protocol.messages import ClientMessage, Closing, MakeMove, Resign
from protocol.schema import CLIENT_MESSAGES, SERVER_MESSAGES, tag_of
from tests.protocol.wire_types import Json, sample_struct, struct_edges, unbounded


@pytest.mark.parametrize("struct", CLIENT_MESSAGES + SERVER_MESSAGES, ids=tag_of)
def test_everything_is_bounded(struct: type[msgspec.Struct]) -> None:
    assert list(unbounded(msgspec.inspect.type_info(struct), tag_of(struct))) == []


@pytest.mark.parametrize("struct", CLIENT_MESSAGES, ids=tag_of)
def test_bounds_of_clients_hold_at_the_edge(struct: type[msgspec.Struct]) -> None:
    held = 0
    for where, value, fits in struct_edges(struct, tag_of(struct)):
        accepted = not isinstance(_client(value), ProtocolError)
        assert accepted == fits, f"{where}: {json.dumps(value)[:200]}"
        held += 1
    assert held >= 4, "at least the edges of `id`"


@pytest.mark.parametrize("struct", SERVER_MESSAGES, ids=tag_of)
def test_bounds_of_servers_hold_at_the_edge(struct: type[msgspec.Struct]) -> None:
    for where, value, fits in struct_edges(struct, tag_of(struct)):
        assert _server_accepts(value) == fits, f"{where}: {json.dumps(value)[:200]}"


@pytest.mark.parametrize("struct", CLIENT_MESSAGES, ids=tag_of)
def test_unknown_fields_of_clients_are_refused(struct: type[msgspec.Struct]) -> None:
    error = _client(sample_struct(struct) | {"id": 7, "colour": "red"})
    assert isinstance(error, ProtocolError)
    assert (error.code, error.request) == (ErrorCode.BAD_MESSAGE, 7)
    assert "colour" in error.message


def test_unknown_fields_of_a_clock_are_refused() -> None:
    create = {"type": "create", "id": 7, "game": "othello", "clock": {"move_ms": 1, "delay_ms": 5}}
    assert isinstance(_client(create), ProtocolError)


@pytest.mark.parametrize("struct", SERVER_MESSAGES, ids=tag_of)
def test_unknown_fields_of_servers_are_ignored(struct: type[msgspec.Struct]) -> None:
    value = sample_struct(struct)
    plain = decode_server(json.dumps(value))
    assert decode_server(json.dumps({"weather": ["wet"], **value, "colour": {"red": 1}})) == plain


@pytest.mark.parametrize("struct", CLIENT_MESSAGES, ids=tag_of)
def test_every_required_field_is_required(struct: type[msgspec.Struct]) -> None:
    whole = sample_struct(struct)
    for name in whole:
        error = _client({key: value for key, value in whole.items() if key != name})
        assert isinstance(error, ProtocolError), name
        assert f"`{name}`" in error.message


@pytest.mark.parametrize("match", ["a", "0", "a1b2c3d4e5f6g7h8"])
def test_match_ids(match: str) -> None:
    assert _client({"type": "resign", "id": 1, "match": match}) == Resign(1, match)


@pytest.mark.parametrize("match", ["", "a" * 17, 5, None])
def test_what_is_no_match_id(match: Json) -> None:
    assert isinstance(_client({"type": "resign", "id": 1, "match": match}), ProtocolError)


@pytest.mark.parametrize("wrong", [-1, 2**53, 10**30, 1.0, 1.5, "1", True, None, [], {}])
def test_what_is_no_id(wrong: Json) -> None:
    error = _client({"type": "move", "id": wrong, "match": "a", "ply": 0, "move": "d3"})
    assert isinstance(error, ProtocolError)
    assert error.request is msgspec.UNSET, "an id that can't be read is not answered with"


@pytest.mark.parametrize("wrong", [-1, 10_001, 10**30, 0.5, "0", None, [0]])
def test_the_id_is_recovered(wrong: Json) -> None:
    error = _client({"type": "move", "id": 2**53 - 1, "match": "a", "ply": wrong, "move": "d3"})
    assert isinstance(error, ProtocolError)
    assert error.request == 2**53 - 1


@pytest.mark.parametrize("move", ["\x1b[2J", "\u202ea1", "a 1", "é", "a1\n", "", "a1b2c3d4e5f6g7h8i"])
def test_what_can_be_no_move_is_no_thought(move: str) -> None:
    assert isinstance(_client({"type": "thinking", "id": 1, "match": "a", "ply": 0, "pv": ["d3", move]}), ProtocolError)


def test_the_edge_itself() -> None:
    assert _client({"type": "move", "id": 2**53 - 1, "match": "a" * 16, "ply": 10_000, "move": "a100"}) == MakeMove(
        2**53 - 1, "a" * 16, 10_000, "a100"
    )


def _client(value: Json) -> ClientMessage | ProtocolError:
    (answer,) = decode_client(json.dumps(value))
    return answer


def _server_accepts(value: Json) -> bool:
    try:
        decode_server(json.dumps(value))
    except ProtocolError:
        return False
    return True


def test_messages_of_unknown_types_from_servers_are_left_out() -> None:
    unknown, known = b'{"type":"weather","sky":[1,{"a":null}]}', encode(Closing())
    assert decode_server(unknown) == []
    assert decode_server(b"[%b,%b,%b]" % (unknown, known, unknown)) == [Closing()]


def test_a_known_message_that_is_wrong_is_an_error_beside_an_unknown_one() -> None:
    with pytest.raises(ProtocolError):
        decode_server(b'[{"type":"weather"},{"type":"ok","id":"five"}]')
