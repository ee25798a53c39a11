"""Whatever a struct may hold within its bounds comes back from the wire as it was."""

from __future__ import annotations

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from protocol.codec import decode_client, decode_server, encode, encode_batch
from protocol.messages import ClientMessage, ServerMessage
from protocol.schema import CLIENT_MESSAGES, SERVER_MESSAGES, tag_of
from tests.protocol.wire_types import structs

_client_messages: st.SearchStrategy[ClientMessage] = st.one_of(*map(structs, CLIENT_MESSAGES))
_server_messages: st.SearchStrategy[ServerMessage] = st.one_of(*map(structs, SERVER_MESSAGES))


@pytest.mark.parametrize("struct", CLIENT_MESSAGES, ids=tag_of)
def test_messages_of_clients(struct: type[msgspec.Struct]) -> None:
    @settings(max_examples=20, deadline=None)
    @given(structs(struct))
    def comes_back(message: ClientMessage) -> None:
        frame = encode(message)
        assert decode_client(frame) == (message,)
        assert decode_client(frame.decode()) == (message,)

    comes_back()


@pytest.mark.parametrize("struct", SERVER_MESSAGES, ids=tag_of)
def test_messages_of_servers(struct: type[msgspec.Struct]) -> None:
    @settings(max_examples=20, deadline=None)
    @given(structs(struct))
    def comes_back(message: ServerMessage) -> None:
        frame = encode(message)
        assert decode_server(frame) == (message,)
        assert decode_server(frame.decode()) == (message,)

    comes_back()


@settings(max_examples=100, deadline=None)
@given(st.lists(_client_messages, min_size=1, max_size=20), st.sampled_from(("", " ", "\n\t \r", " " * 200)))
def test_batches_of_clients(messages: list[ClientMessage], blanks: str) -> None:
    frame = encode_batch(messages).decode()
    assert list(decode_client(blanks + frame + blanks)) == messages


@settings(max_examples=100, deadline=None)
@given(st.lists(_server_messages, min_size=1, max_size=20))
def test_batches_of_servers(messages: list[ServerMessage]) -> None:
    assert list(decode_server(encode_batch(messages))) == messages
