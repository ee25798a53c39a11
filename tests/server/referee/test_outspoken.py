"""Whatever a client writes into whichever field: nothing of it that hides, or moves a cursor, reaches anybody else."""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from protocol.codec import decode_client, encode
from protocol.errors import ProtocolError
from protocol.messages import Chat, ClientMessage, Create, Invitation, ListMatches, Murmur, Said, Thinking, Thought
from protocol.schema import CLIENT_MESSAGES, tag_of
from server.referee.effects import EventHappened, MatchOpened, SessionOpened
from server.referee.settings import Access
from tests.protocol.wire_types import fields_of, structs
from tests.server.desk import Desk, User

UNSEEN = (
    "\x00\x07\x1b\x7f\x9b\u00ad\u034f\u061c\u115f\u200b\u200d\u202e\u2028\u2066\u2800\u3164\ufe0f\ufeff\ue000\U000e0101"
)
SECRET = "organisers"

texts = st.text(st.sampled_from("aB1 :,=" + UNSEEN), min_size=1, max_size=12)


class Room:
    """Two who play, one who watches, one who came to invite others: each is the one who writes, in turn."""

    def __init__(self) -> None:
        self.desk = Desk()
        self.desk.settings(access=replace(Access(), organiser=SECRET))
        self.first, self.second, self.match = self.desk.pair(kind="bot")
        self.viewer, self.other = self.desk.user("Eve"), self.desk.user("Cleo")
        self.viewer.watch(self.match)
        self.neighbour = self.desk.user("Dan")
        self.neighbour.watch(self.match)

    def writers(self) -> tuple[User, ...]:
        return self.first, self.second, self.viewer, self.other


def _strings(value: Any) -> Iterator[str]:
    match value:
        case str():
            yield value
        case dict():
            for key, inner in value.items():
                yield from (key, *_strings(inner))
        case list():
            for inner in value:
                yield from _strings(inner)
        case _:
            pass


def _check(room: Room, writer: int) -> None:
    said = [json.loads(encode(message)) for reader, message in room.desk.step if reader != writer]
    for record in room.desk.records:
        match record:
            case EventHappened(event):
                said.append(json.loads(encode(event)))
            case SessionOpened():
                said.append(record.name)
            case MatchOpened():
                said += [record.game, list(record.opening)]
            case _:
                pass
    found = {character for value in said for text in _strings(value) for character in text}
    assert not found & set(UNSEEN)
    assert not {c for c in found if unicodedata.category(c) in ("Cc", "Cf", "Cs", "Zl", "Zp")}


@pytest.mark.parametrize("struct", CLIENT_MESSAGES, ids=tag_of)
@settings(max_examples=8, deadline=None)
@given(st.data())
def test_nothing_that_hides_reaches_another(struct: type[msgspec.Struct], data: st.DataObject) -> None:
    _hear(struct, data)


@pytest.mark.slow
@pytest.mark.parametrize("struct", CLIENT_MESSAGES, ids=tag_of)
@settings(max_examples=30, deadline=None)
@given(st.data())
def test_nothing_that_hides_reaches_another_whatever_is_tried(
    struct: type[msgspec.Struct], data: st.DataObject
) -> None:
    _hear(struct, data)


def _hear(struct: type[msgspec.Struct], data: st.DataObject) -> None:
    """Let somebody in a room say something, and read what the others and the record get."""
    room = Room()
    draw = data.draw
    message = draw(structs(struct))
    known = {
        "match": room.match, "name": room.neighbour.name, "invite": (room.neighbour.name,), "protocol": 1,
        "organiser": draw(st.sampled_from([None, SECRET])), "token": None, "password": None, "ply": 0,
        "game": draw(st.sampled_from(["morpion", "othello:size=6"])), "clock": None, "opening": (),
        "text": draw(texts), "seed": draw(st.none() | texts), "client": draw(texts), "code": None,
        "pv": draw(st.just(()) | st.lists(texts, max_size=2).map(tuple)),
    }  # fmt: skip
    if tag_of(struct) == "hello":
        known["name"] = draw(texts)
    true = {name: known[name] for name in (field.name for field in fields_of(struct)) if name in known}
    kept = {name: value for name, value in true.items() if draw(st.integers(0, 9))}
    frame = encode(msgspec.structs.replace(message, **kept))  # type: ignore[arg-type]  # structs() gives any struct
    (read,) = decode_client(frame)
    writer = draw(st.sampled_from(room.writers())).connection if tag_of(struct) != "hello" else room.desk.connect()
    _tell(room, writer, read)
    _check(room, writer)
    room.other.ask(ListMatches(room.desk.request_id()))
    _check(room, writer if writer != room.other.connection else 0)


def _tell(room: Room, writer: int, read: ClientMessage | ProtocolError) -> None:
    if isinstance(read, ProtocolError):
        room.desk.spoil(writer, read)
    else:
        room.desk.ask(writer, read)


def test_what_does_not_hide_reaches_them() -> None:
    room = Room()
    number = room.desk.request_id
    room.first.ok(Chat(number(), room.match, "Bien jou\u00e9 !"))
    assert room.second.said(Said)[0].text == "Bien jou\u00e9 !"
    room.viewer.ok(Chat(number(), room.match, "\u3164\ud55c\u200b \u2764\ufe0f"))
    assert room.neighbour.said(Murmur)[0].text == "\ud55c \u2764"
    room.first.ok(Thinking(number(), room.match, 0, pv=("a1", "10")))
    assert room.neighbour.said(Thought)[0].pv == ("a1", "10")
    room.other.ok(Create(number(), "morpion", invite=(room.neighbour.name,), seed="\u00e9t\u00e9 7:12"))
    assert room.neighbour.said(Invitation)[0].seed == "\u00e9t\u00e9 7:12"


@pytest.mark.parametrize("seed", ["\x1b[2J", "a\u202eb", "\u3164", "a" + "\u0301" * 9, "7\n"])
def test_a_seed_that_hides_something_is_refused(seed: str) -> None:
    room = Room()
    refused = room.other.ask(Create(1, "morpion", invite=(room.neighbour.name,), seed=seed))
    assert "a seed has no control, bidi or invisible characters" in str(refused)
    assert len(room.desk.referee.lobby) == 1


def test_talk_that_shows_nothing_is_refused() -> None:
    room = Room()
    assert room.first.refused(Chat(1, room.match, "\u3164\ufe0f\u2800 ")) == "bad_message"
