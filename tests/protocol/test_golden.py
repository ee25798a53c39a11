"""The exact bytes of every message; they change only with the version of the protocol."""

from __future__ import annotations

import json
from typing import Any, get_args

import msgspec
import pytest

from protocol.codec import decode_client, decode_server, encode, encode_batch, join
from protocol.examples import CLIENT_EXAMPLES, SERVER_EXAMPLES
from protocol.messages import (
    Clock,
    Create,
    Error,
    Finished,
    Hello,
    MakeMove,
    MatchEvent,
    Moved,
    Ok,
    Player,
    Result,
    Seated,
    Snapshot,
    Thinking,
)
from protocol.schema import CLIENT_MESSAGES, SERVER_MESSAGES, nested_structs, tag_of
from tests.protocol.wire_types import fields_of

GOLDEN = [
    (Hello(1, 1, "my-bot 0.1", "bot", "Ada", batch=True), CLIENT_EXAMPLES["hello"][0]),
    (
        Hello(1, 1, "my-bot 0.1", "bot", "Ada", token="s1.Zm9vYmFyYmF6cXV4", batch=True, seen={"88bc4zxj": 5}),
        CLIENT_EXAMPLES["hello"][1],
    ),
    (
        Hello(1, 1, "arbitre/0.1", "human", "Cleo", password="sesame", organiser="Zm9vYmFyYmF6cXV4"),
        CLIENT_EXAMPLES["hello"][2],
    ),
    (Create(2, "puissance4"), CLIENT_EXAMPLES["create"][0]),
    (Create(2, "morpion:width=5,height=5,k=4", Clock(move_ms=2000)), CLIENT_EXAMPLES["create"][2]),
    (MakeMove(3, "88bc4zxj", 0, "b2"), CLIENT_EXAMPLES["move"][0]),
    (Thinking(7, "88bc4zxj", 2, 7, 0.5, ("c1", "a3"), 181440, 62), CLIENT_EXAMPLES["thinking"][0]),
    (Ok(3), SERVER_EXAMPLES["ok"][0]),
    (Ok(2, "88bc4zxj", "BATOMI", "Zm9vYmFyYmF6cXV4Zm9vYg"), SERVER_EXAMPLES["ok"][1]),
    (Error("rate_limited", "too many requests", 7, retry_after_ms=1000), SERVER_EXAMPLES["error"][2]),
    (Seated("88bc4zxj", 2, 2, Player("Bob", "human")), SERVER_EXAMPLES["seated"][0]),
    (Moved("88bc4zxj", 4, 0, 1, "b2", 2, (59500, 60000), 1500, 40, 120), SERVER_EXAMPLES["moved"][0]),
    (
        Finished("88bc4zxj", 11, Result(1, "line", (1, 0), cells=((2, 0), (1, 1), (0, 2))), (59901, 55050)),
        SERVER_EXAMPLES["finished"][0],
    ),
    (
        Snapshot(
            "88bc4zxj", 4, "morpion", "finished", (Player("Ada", "bot", False), Player("Bob", "human")), None, (), 0, 1,
            (), result=Result(2, "abandoned", (0, 0)), delay_ms=30_000,
        ),
        SERVER_EXAMPLES["snapshot"][1],
    ),
]  # fmt: skip


def _cases(examples: dict[str, tuple[str, ...]]) -> list[tuple[str, str]]:
    return [(tag, example) for tag, texts in examples.items() for example in texts]


def test_every_message_has_an_example() -> None:
    assert list(CLIENT_EXAMPLES) == [tag_of(struct) for struct in CLIENT_MESSAGES]
    assert list(SERVER_EXAMPLES) == [tag_of(struct) for struct in SERVER_MESSAGES]
    assert set(get_args(MatchEvent)) < set(SERVER_MESSAGES)


@pytest.mark.parametrize(("tag", "example"), _cases(CLIENT_EXAMPLES))
def test_examples_of_clients_are_exact(tag: str, example: str) -> None:
    (message,) = decode_client(example)
    assert isinstance(message, msgspec.Struct)
    assert tag_of(type(message)) == tag
    assert encode(message) == example.encode()


@pytest.mark.parametrize(("tag", "example"), _cases(SERVER_EXAMPLES))
def test_examples_of_servers_are_exact(tag: str, example: str) -> None:
    (message,) = decode_server(example)
    assert tag_of(type(message)) == tag
    assert encode(message) == example.encode()


@pytest.mark.parametrize(("message", "example"), GOLDEN)
def test_a_message_is_written_as_the_example(message: Any, example: str) -> None:
    assert encode(message) == example.encode()


def test_the_examples_show_every_field() -> None:
    shown: dict[str, set[str]] = {}
    for tag, example in _cases(CLIENT_EXAMPLES) + _cases(SERVER_EXAMPLES):
        shown.setdefault(tag, set()).update(json.loads(example))
    for struct in (*CLIENT_MESSAGES, *SERVER_MESSAGES):
        assert shown[tag_of(struct)] == {"type", *(field.name for field in fields_of(struct))}, struct
    everything = " ".join(example for _, example in _cases(CLIENT_EXAMPLES) + _cases(SERVER_EXAMPLES))
    for struct in nested_structs():
        assert all(f'"{field.name}":' in everything for field in fields_of(struct)), struct


def test_several_messages_are_an_array() -> None:
    first, second = encode(Ok(1)), encode(Ok(2))
    assert join([first]) == first == b'{"type":"ok","id":1}'
    assert join([first, second]) == encode_batch([Ok(1), Ok(2)]) == b'[{"type":"ok","id":1},{"type":"ok","id":2}]'
    assert decode_server(join([first, second])) == [Ok(1), Ok(2)]
