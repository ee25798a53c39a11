"""What a hostile server may do to those who come to it: a table of scripts, and what is to become of its clients."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from typing import Any, NamedTuple

from client.errors import (
    BadAnswer,
    ClientError,
    HelloRefused,
    HungUp,
    Kicked,
    NoProgress,
    NotArbitre,
    Silent,
    TurnedAway,
    Unreadable,
    ViewError,
)
from tests.faults.rawsocket import BINARY, CLOSE, PING, TEXT, frame
from tests.faults.scripted import LIMITS, Message, Peer, Script, snapshot, welcome, your_turn

ESCAPES = "\x1b[2J\x1b]0;owned\x07\u202e"


class Hostile(NamedTuple):
    """A behaviour: what ends a bot and a person who come (None: they go on until they leave), and what they are told.

    words: in the sentence. dials: how often they may come in a few seconds. scheme: of the address.
    """

    script: Script
    bot: type[ClientError] | None
    person: type[ClientError] | None
    words: str = ""
    dials: int = 1
    scheme: str = "ws"


def event(kind: str, seq: int, match: str = "m", **fields: Any) -> Message:
    return {"type": kind, "match": match, "seq": seq} | fields


# -------------------------------------------------------------------------------- before there is a session


async def closes_at_once(peer: Peer) -> None:
    peer.writer.close()


async def resets_at_once(peer: Peer) -> None:
    peer.reset()


async def says_nothing(peer: Peer) -> None:
    await peer.hold()


async def half_a_handshake(peer: Peer) -> None:
    await peer.request()
    await peer.raw(b"HTTP/1.1 101 Switching Proto")
    await peer.hold()


async def headers_without_end(peer: Peer) -> None:
    await peer.request()
    await peer.raw(b"HTTP/1.1 101 Switching Protocols\r\n")
    while True:
        await peer.raw(b"X-More: and more\r\n" * 100)


async def a_body_without_end(peer: Peer) -> None:
    await peer.request()
    await peer.raw(b"HTTP/1.1 404 Not Found\r\n\r\n")
    while True:
        await peer.raw(b"no" * 10_000)


def http(status: str, headers: str = "") -> Script:
    async def answers(peer: Peer) -> None:
        await peer.request()
        await peer.raw(f"HTTP/1.1 {status}\r\n{headers}Content-Length: 2\r\n\r\nno".encode())

    return answers


async def garbage(peer: Peer) -> None:
    await peer.raw(bytes(range(256)) * 10)
    await peer.hold()


async def another_subprotocol(peer: Peer) -> None:
    await peer.shake_hands(subprotocol="chess.v1")


async def no_subprotocol(peer: Peer) -> None:
    await peer.shake_hands(subprotocol=None)
    await peer.hold()


async def a_wrong_key(peer: Peer) -> None:
    await peer.shake_hands(key="AAAAAAAAAAAAAAAAAAAAAAAAAAA=")


async def ends_before_welcome(peer: Peer) -> None:
    await peer.shake_hands()
    await peer.hear()
    await peer.raw(frame((1011).to_bytes(2, "big") + ESCAPES.encode(), CLOSE, mask=None))


async def no_welcome(peer: Peer) -> None:
    await peer.shake_hands()
    await peer.listen()


async def talks_before_welcome(peer: Peer) -> None:
    await peer.shake_hands()
    while True:
        await peer.say({"type": "closing"}, {"type": "ok", "id": 1})


def says_welcome(**fields: Any) -> Script:
    async def welcomes(peer: Peer) -> None:
        await peer.shake_hands()
        await peer.hear()
        await peer.say(welcome(**fields))
        await peer.listen()

    return welcomes


def refuses(retry_after_ms: int) -> Script:
    async def refuse(peer: Peer) -> None:
        await peer.shake_hands()
        (hello,) = await peer.hear()
        await peer.say(
            {"type": "error", "id": hello["id"], "code": "rate_limited", "message": ESCAPES, "fatal": True}
            | {"retry_after_ms": retry_after_ms}
        )

    return refuse


# -------------------------------------------------------------------------------- about connections


async def hangs_up_again_and_again(peer: Peer) -> None:
    await peer.let_in(token=f"t{peer.number}")


async def resets_again_and_again(peer: Peer) -> None:
    await peer.let_in()
    peer.reset()


async def asks_and_hangs_up(peer: Peer) -> None:
    await (peer.seat(snapshot(), your_turn()) if peer.number == 1 else peer.let_in(resumed=True))
    await peer.say(snapshot(), your_turn())


async def closes_for_years(peer: Peer) -> None:
    await peer.seat()
    await peer.say(*[{"type": "closing", "retry_after_ms": 2**40}] * 100)


async def kicks_in_colour(peer: Peer) -> None:
    await peer.seat()
    await peer.raw(frame((4002).to_bytes(2, "big") + ESCAPES.encode(), CLOSE, mask=None))


def breaks(*chunks: bytes) -> Script:
    """Lets in, says that, and waits."""

    async def broken(peer: Peer) -> None:
        await (peer.seat() if peer.number == 1 else peer.let_in(resumed=True))
        await peer.raw(*chunks)
        await peer.listen()

    return broken


def says(*messages: Message) -> Script:
    return breaks(frame(json.dumps(messages).encode(), mask=None))


async def parts_without_end(peer: Peer) -> None:
    await (peer.seat() if peer.number == 1 else peer.let_in(resumed=True))
    await peer.raw(frame(b"[", TEXT, final=False, mask=None))
    while True:
        await peer.raw(frame(b"", 0, final=False, mask=None) * 1000)


async def pings_without_end(peer: Peer) -> None:
    await (peer.seat() if peer.number == 1 else peer.let_in(resumed=True))
    while True:
        await peer.raw(frame(b"x" * 125, PING, mask=None) * 100)


async def frame_without_end(peer: Peer) -> None:
    await (peer.seat() if peer.number == 1 else peer.let_in(resumed=True))
    await peer.raw(b"\x81\x7f" + (1 << 19).to_bytes(8, "big"))
    for _ in range(1000):
        await peer.raw(b"x")
        await asyncio.sleep(0.05)


async def drips(peer: Peer) -> None:
    """A byte at a time, and the ping of a client is never answered."""
    await peer.seat()
    for byte in frame(json.dumps([snapshot()]).encode(), mask=None) * 1000:
        await peer.raw(bytes((byte,)))
        await asyncio.sleep(0.005)


# -------------------------------------------------------------------------------- about messages


def floods(*messages: Message) -> Script:
    async def flood(peer: Peer) -> None:
        await peer.seat()
        listening = asyncio.create_task(peer.listen())
        try:
            while True:
                await peer.say(*messages)
        finally:
            listening.cancel()

    return flood


async def floods_before_answering(peer: Peer) -> None:
    """Nobody hears what comes while a request waits for its answer."""
    await peer.let_in()
    while True:
        await peer.say(*[{"type": "murmur", "match": "m", "name": "Eve", "text": "x" * 300}] * 500)


async def answers_nothing(peer: Peer) -> None:
    await peer.let_in()
    await peer.listen()


async def ok_without_match(peer: Peer) -> None:
    await peer.let_in()
    if peer.kind == "bot":
        await peer.say({"type": "invitation", "match": "m", "game": "morpion", "by": "Eve", "seat": 1})
    while True:
        for message in await peer.hear():
            await peer.say({"type": "ok", "id": message["id"]})


async def seq_jumps(peer: Peer) -> None:
    """Whoever asks for what is missing gets a snapshot, and an event far after it."""
    await (peer.seat() if peer.number == 1 else peer.let_in(resumed=True))
    seq = 1 + 1000 * peer.number
    while True:
        seq += 100
        await peer.say(snapshot(seq=seq), event("said", seq + 50, seat=2, text="hm"))
        while not any(message["type"] == "sync" for message in await peer.hear()):
            pass


async def events_of_unknown_matches(peer: Peer) -> None:
    await (peer.seat() if peer.number == 1 else peer.let_in(resumed=True))
    for number in range(5000):
        await peer.say(event("said", 7, match=f"x{number}", seat=2, text="hm"))
    await peer.listen()


async def refuses_every_move(peer: Peer) -> None:
    """And asks again, and says that it is worth trying again in a millisecond."""
    await peer.seat(snapshot(), your_turn())
    while True:
        for message in await peer.hear():
            error = {"type": "error", "code": "rate_limited", "message": "no", "retry_after_ms": 1}
            await peer.say(error | {"id": message["id"]}, error, your_turn())


async def asks_the_same_ply_for_ever(peer: Peer) -> None:
    await peer.seat(snapshot(), your_turn())
    while True:
        for message in await peer.hear():
            await peer.say({"type": "ok", "id": message["id"]}, your_turn())


async def lets_claim_and_refuses(peer: Peer) -> None:
    away = event("presence", 2, seat=2, present=False, claimable_ms=0)
    await peer.seat(snapshot(), away, limits={**LIMITS, "absence_ms": 0})
    while True:
        for message in await peer.hear():
            error = {"type": "error", "id": message["id"], "code": "too_early", "message": "no", "retry_after_ms": 1}
            await peer.say(error)


async def invites_without_end(peer: Peer) -> None:
    await peer.seat()
    listening = asyncio.create_task(peer.listen())
    number = 0
    try:
        while number < 200_000:
            names = range(number, number + 500)
            number += 500
            await peer.say(
                *(
                    {"type": "invitation", "match": f"i{one}", "game": "othello", "by": ESCAPES, "seat": 1}
                    for one in names
                )
            )
        await peer.hold()
    finally:
        listening.cancel()


async def never_reads(peer: Peer) -> None:
    """Asks for a move as fast as it can, and reads no answer."""
    await peer.seat(snapshot(), your_turn())
    while True:
        await peer.say(*[your_turn()] * 500)


OVER: list[str] = ["a3", "a1", "b3", "b1", "c3"]
LEGAL_ELSEWHERE = ["h8"]
NAMES = [{"name": ESCAPES, "kind": "human"}, {"name": ESCAPES, "kind": "bot"}]

BEFORE: Mapping[str, Hostile] = {
    "closes at once": Hostile(closes_at_once, HungUp, HungUp, "hangs up at once", dials=60),
    "resets at once": Hostile(resets_at_once, HungUp, HungUp, "hangs up at once", dials=60),
    "says nothing": Hostile(says_nothing, Silent, Silent, "does not answer", dials=4),
    "half a handshake": Hostile(half_a_handshake, Silent, Silent, "does not answer", dials=4),
    "headers without end": Hostile(headers_without_end, NotArbitre, NotArbitre, "not an Arbitre server"),
    "a body without end": Hostile(a_body_without_end, ClientError, ClientError, dials=4),
    "404": Hostile(http("404 Not Found"), BadAnswer, BadAnswer, "HTTP 404"),
    "500": Hostile(http("500 Oops"), BadAnswer, BadAnswer, "HTTP 500", dials=60),
    "200": Hostile(http("200 OK"), BadAnswer, BadAnswer, "HTTP 200", dials=60),
    "301": Hostile(http("301 Moved", "Location: ws://127.0.0.1:1/\r\n"), BadAnswer, BadAnswer, "HTTP 301"),
    "garbage": Hostile(garbage, NotArbitre, NotArbitre, "not an Arbitre server"),
    "garbage for TLS": Hostile(garbage, HungUp, HungUp, "wss://", dials=60, scheme="wss"),
    "another subprotocol": Hostile(another_subprotocol, NotArbitre, NotArbitre, "not an Arbitre server"),
    "no subprotocol": Hostile(no_subprotocol, NotArbitre, NotArbitre, "not an Arbitre server"),
    "a wrong key": Hostile(a_wrong_key, NotArbitre, NotArbitre, "not an Arbitre server"),
    "ends before welcome": Hostile(ends_before_welcome, TurnedAway, TurnedAway, "before it lets anybody in", dials=60),
    "no welcome": Hostile(no_welcome, Silent, Silent, "does not answer", dials=4),
    "talks before welcome": Hostile(talks_before_welcome, Silent, Silent, "does not answer", dials=4),
    "limits of 0": Hostile(
        says_welcome(limits=dict.fromkeys(LIMITS, 0)), Unreadable, Unreadable, "welcome: field `limits.max_frame_bytes`"
    ),
    "a token of another type": Hostile(says_welcome(token=5), Unreadable, Unreadable, "welcome: field `token`"),
    "refuses for years": Hostile(refuses(2**40), HelloRefused, HelloRefused, "slow down"),
    "refuses for no time": Hostile(refuses(0), HelloRefused, HelloRefused, "slow down", dials=60),
}

CONNECTIONS: Mapping[str, Hostile] = {
    "hangs up again and again": Hostile(hangs_up_again_and_again, NoProgress, NoProgress, "again and again", dials=8),
    "resets again and again": Hostile(resets_again_and_again, NoProgress, NoProgress, "again and again", dials=8),
    "asks and hangs up": Hostile(asks_and_hangs_up, NoProgress, NoProgress, "again and again", dials=10),
    "closes for years": Hostile(closes_for_years, None, None),
    "kicks in colour": Hostile(kicks_in_colour, Kicked, Kicked, "has sent you away"),
    "no JSON": Hostile(breaks(frame(b"}{", mask=None)), Unreadable, Unreadable, "not valid JSON", dials=3),
    "no UTF-8": Hostile(breaks(frame(b"\xff" * 9, mask=None)), Unreadable, Unreadable, "can't be read", dials=3),
    "binary": Hostile(breaks(frame(b"\x00" * 9, BINARY, mask=None)), Unreadable, Unreadable, "can't be read", dials=3),
    "a frame too long": Hostile(
        breaks(frame(b"x" * (1 << 20) + b"y", mask=None)), Unreadable, Unreadable, "1048577 bytes", dials=3
    ),
    "2^62 announced": Hostile(
        breaks(b"\x81\x7f" + (1 << 62).to_bytes(8, "big")), Unreadable, Unreadable, "bytes", dials=3
    ),
    "a mask": Hostile(breaks(frame(b"[]")), Unreadable, Unreadable, "mask", dials=3),
    "a reserved opcode": Hostile(breaks(frame(b"", 11, mask=None)), Unreadable, Unreadable, "opcode", dials=3),
    "parts without end": Hostile(parts_without_end, Unreadable, Unreadable, "1024 parts", dials=3),
    "pings without end": Hostile(pings_without_end, Unreadable, Unreadable, "does not read", dials=3),
    "a frame without end": Hostile(frame_without_end, None, None, dials=3),
    "drips": Hostile(drips, None, None, dials=3),
}

MESSAGES: Mapping[str, Hostile] = {
    "a field of another type": Hostile(
        says(event("moved", 2, ply=0, seat=3, move="a1", to_move=2)), Unreadable, Unreadable, "moved: field `seat`",
        dials=3,
    ),
    "welcome twice": Hostile(says(welcome()), Unreadable, Unreadable, "welcome: a second one", dials=3),
    "seq jumps": Hostile(seq_jumps, Unreadable, Unreadable, "sync: the events after", dials=3),
    "unknown matches": Hostile(events_of_unknown_matches, Unreadable, Unreadable, "sync: the events after", dials=3),
    "an unknown game": Hostile(says(snapshot(match="n", game="chess")), ViewError, ViewError, "chess"),
    "another game": Hostile(says(snapshot(game="othello")), ViewError, ViewError, "it was morpion"),
    "10,000 illegal moves": Hostile(says(snapshot(moves=["zz"] * 10_000)), ViewError, ViewError, "10000 moves"),
    "an illegal move": Hostile(
        says(event("moved", 2, ply=0, seat=1, move="z9", to_move=2)), ViewError, ViewError, "z9"
    ),
    "a ply that jumps": Hostile(
        says(event("moved", 2, ply=9, seat=1, move="a1", to_move=2)), ViewError, ViewError, "ply 9"
    ),
    "a game that is over": Hostile(says(snapshot(seq=9, moves=OVER, ply=5), your_turn(ply=5)), None, None),
    "legal elsewhere": Hostile(says(your_turn(legal=LEGAL_ELSEWHERE)), None, None),
    "nothing is legal": Hostile(says(your_turn(legal=[])), None, None),
    "turns of a match never seen": Hostile(floods(*(your_turn(match=f"n{one}") for one in range(500))), None, None),
    "names with escapes": Hostile(
        says(snapshot(players=NAMES), {"type": "murmur", "match": "m", "name": ESCAPES, "text": ESCAPES}), None, None
    ),
    "absurd clocks": Hostile(
        says(
            snapshot(clock={"initial_ms": 1}, clocks=[2**40, 0]),
            your_turn(clocks=[0, 2**40], deadline_ms=0),
            your_turn(clocks=[2**40, 0], deadline_ms=2**40),
        ),
        None, None,
    ),
    "a flood of talk": Hostile(
        floods(*[{"type": "murmur", "match": "m", "name": "Eve", "text": "x" * 300}] * 100), None, None
    ),
    "a flood of errors": Hostile(
        floods(*[{"type": "error", "code": "rate_limited", "message": "no", "retry_after_ms": 1}] * 500), None, None
    ),
    "answers to nothing": Hostile(floods(*({"type": "ok", "id": 10**9 + one} for one in range(500))), None, None),
    "a flood of snapshots": Hostile(
        floods(*(snapshot(match=f"s{one}", seq=one) for one in range(200))), None, None
    ),
    "a flood before the answer": Hostile(floods_before_answering, None, Unreadable, "more messages than", dials=3),
    "answers nothing": Hostile(answers_nothing, None, Silent, "does not answer"),
    "ok without a match": Hostile(ok_without_match, None, Unreadable, "field `match` is missing"),
    "refuses every move": Hostile(refuses_every_move, None, None),
    "the same ply for ever": Hostile(asks_the_same_ply_for_ever, None, None),
    "lets claim and refuses": Hostile(lets_claim_and_refuses, None, None),
    "invites without end": Hostile(invites_without_end, None, None),
    "never reads": Hostile(never_reads, None, None, dials=3),
}  # fmt: skip

HOSTILE: Mapping[str, Hostile] = {**BEFORE, **CONNECTIONS, **MESSAGES}
