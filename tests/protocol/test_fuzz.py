"""20,000 random and mutated frames: each yields messages or ProtocolErrors, and nothing else."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Sequence

import msgspec
import pytest

from protocol.bounds import MAX_BATCH
from protocol.codec import decode_client, decode_server, encode, error_message
from protocol.errors import ErrorCode, ProtocolError
from protocol.examples import CLIENT_EXAMPLES, SERVER_EXAMPLES
from protocol.messages import ServerMessage
from protocol.schema import CLIENT_MESSAGES, SERVER_MESSAGES

FRAMES = 20_000
LONGEST_ERROR = 1500
"""Bytes: 300 characters of four bytes each, and what stands around them."""

GOLDEN = [text.encode() for table in (CLIENT_EXAMPLES, SERVER_EXAMPLES) for texts in table.values() for text in texts]

VALUES = (
    b"null", b"true", b"0", b"-1", b"1.5", b"1e999", b"-0", b"9" * 30, b"9" * 5000, b"NaN", b"Infinity", b'""',
    b'"a\\u0000b"',
    b'"\\ud83d"', b'"\\ude00\\ud83d"', b'"\xff"', b'"\xed\xa0\x80"', b"[]", b"{}", b"[[[]]]", b"[" * 2000 + b"]" * 2000,
    b'{"a":' * 2000, b'"' + b"x" * 5000 + b'"', b"\xef\xbb\xbf", b"'a'", b"// x\n", b"\x00",
)  # fmt: skip

Mutation = Callable[[random.Random, bytes], bytes]


def _flip(rng: random.Random, frame: bytes) -> bytes:
    changed = bytearray(frame)
    for _ in range(rng.randint(1, 4)):
        changed[rng.randrange(len(changed))] ^= 1 << rng.randrange(8)
    return bytes(changed)


def _overwrite(rng: random.Random, frame: bytes) -> bytes:
    at = rng.randrange(len(frame))
    return frame[:at] + rng.randbytes(rng.randint(1, 3)) + frame[at + 1 :]


def _truncate(rng: random.Random, frame: bytes) -> bytes:
    first, last = sorted((rng.randrange(len(frame)), rng.randrange(len(frame))))
    return frame[first:] if rng.random() < 0.3 else frame[: last + 1]


def _duplicate(rng: random.Random, frame: bytes) -> bytes:
    first, last = sorted((rng.randrange(len(frame)), rng.randrange(len(frame))))
    return frame[:last] + frame[first:last] * rng.randint(1, 3) + frame[last:]


def _splice(rng: random.Random, frame: bytes) -> bytes:
    other = rng.choice(GOLDEN)
    return frame[: rng.randrange(len(frame))] + other[rng.randrange(len(other)) :]


def _swap_value(rng: random.Random, frame: bytes) -> bytes:
    parts = frame.split(b":")
    at = rng.randrange(len(parts))
    _, separator, rest = parts[at].partition(rng.choice((b",", b"}")))
    parts[at] = rng.choice(VALUES) + separator + rest
    return b":".join(parts)


def _swap_tag(rng: random.Random, frame: bytes) -> bytes:
    tag = rng.choice((*CLIENT_EXAMPLES, *SERVER_EXAMPLES)).encode()
    return re.sub(rb'"type":"\w*"', b'"type":"%b"' % tag, frame)


def _array(rng: random.Random, frame: bytes) -> bytes:
    parts = [rng.choice((frame, rng.choice(GOLDEN), rng.choice(VALUES))) for _ in range(rng.randint(0, 6))]
    return b"[" + b",".join(parts) + rng.choice((b"]", b"]", b"]", b",]", b"", b"]]"))


def _keep(rng: random.Random, frame: bytes) -> bytes:
    return b" " * rng.choice((0, 1, 100)) + frame


MUTATIONS: Sequence[Mutation] = (
    _flip, _overwrite, _truncate, _duplicate, _splice, _swap_value, _swap_tag, _array, _array, _keep, _keep,
)  # fmt: skip


def _frame(rng: random.Random) -> bytes:
    kind = rng.random()
    if kind < 0.05:
        return rng.randbytes(rng.randint(0, 60))
    if kind < 0.1:
        return "".join(
            rng.choices('{}[]",:\\u0123456789eE+-.tfn idtypehlo\n\u00e9\U0001f600', k=rng.randint(0, 80))
        ).encode()
    frame = rng.choice(GOLDEN)
    for _ in range(rng.choice((1, 1, 1, 2, 3))):
        frame = rng.choice(MUTATIONS)(rng, frame) if frame else frame
    return frame


def _check_client(frame: str | bytes) -> list[bool]:
    """Whether each answer is a message; fails if it is neither that nor an error that can be sent."""
    answers = decode_client(frame)
    assert 1 <= len(answers) <= MAX_BATCH
    for answer in answers:
        if isinstance(answer, ProtocolError):
            assert answer.code in (ErrorCode.BAD_MESSAGE, ErrorCode.TOO_LARGE)
            assert answer.request is msgspec.UNSET or 0 <= answer.request < 2**53
            assert len(encode(error_message(answer))) < LONGEST_ERROR
        else:
            assert isinstance(answer, CLIENT_MESSAGES)
            assert decode_client(encode(answer)) == (answer,)
    return [not isinstance(answer, ProtocolError) for answer in answers]


def _check_server(frame: str | bytes) -> bool:
    refused: ProtocolError | None = None
    messages: Sequence[ServerMessage] = ()
    try:
        messages = decode_server(frame)
    except ProtocolError as error:
        refused = error
    assert refused is None or len(refused.message) <= 300
    assert all(isinstance(message, SERVER_MESSAGES) for message in messages)
    return refused is None


@pytest.mark.parametrize("seed", range(4))
def test_whatever_arrives_is_a_message_or_a_protocol_error(seed: int) -> None:
    rng = random.Random(seed)
    seen: list[bool] = []
    read = 0
    for _ in range(FRAMES // 4):
        frame = _frame(rng)
        answers = _check_client(frame)
        text = frame.decode(errors=rng.choice(("replace", "surrogateescape", "ignore")))
        if text.encode(errors="replace") == frame:
            assert _check_client(text) == answers, "text and bytes are read alike"
        else:
            _check_client(text)
        seen += answers
        read += _check_server(frame)
        _check_server(text)
    assert seen.count(True) > 250, "the mutations leave some messages whole"
    assert seen.count(False) > 3000
    assert read > 300
