"""Frames that are wrong: each message gets its own answer, in order, and nothing but a ProtocolError comes out."""

from __future__ import annotations

import pytest
from msgspec import UNSET, UnsetType

from protocol.bounds import MAX_BATCH
from protocol.codec import decode_client, decode_server, encode, error_message
from protocol.errors import ErrorCode, ProtocolError
from protocol.messages import Chat, Claim, ClientMessage, Error, Ok, Resign, Thinking

RESIGN = '{"type":"resign","id":1,"match":"a"}'
DEEP = "[" * 100_000 + "]" * 100_000

Request = int | UnsetType


def _one(frame: str | bytes) -> ClientMessage | ProtocolError:
    (answer,) = decode_client(frame)
    return answer


def _refusal(frame: str | bytes) -> ProtocolError:
    answer = _one(frame)
    assert isinstance(answer, ProtocolError), answer
    assert not answer.fatal
    assert len(encode(error_message(answer))) < 1500, "an error does not echo megabytes"
    return answer


@pytest.mark.parametrize(
    ("frame", "code"),
    [
        ("", ErrorCode.BAD_MESSAGE),
        ("  ", ErrorCode.BAD_MESSAGE),
        ("null", ErrorCode.BAD_MESSAGE),
        ("42", ErrorCode.BAD_MESSAGE),
        ('"resign"', ErrorCode.BAD_MESSAGE),
        ("{}", ErrorCode.BAD_MESSAGE),
        ("[]", ErrorCode.BAD_MESSAGE),
        (" [ ] ", ErrorCode.BAD_MESSAGE),
        ("[", ErrorCode.BAD_MESSAGE),
        (RESIGN + RESIGN, ErrorCode.BAD_MESSAGE),
        (f"[{RESIGN},]", ErrorCode.BAD_MESSAGE),
        (f"[{RESIGN}", ErrorCode.BAD_MESSAGE),
        ("[" + ",".join([RESIGN] * (MAX_BATCH + 1)) + "]", ErrorCode.TOO_LARGE),
        ("[" + "1," * 100_000 + "1]", ErrorCode.TOO_LARGE),
        (DEEP, ErrorCode.BAD_MESSAGE),
        ("[" * 100_000, ErrorCode.BAD_MESSAGE),
        ('{"type":' * 100_000, ErrorCode.BAD_MESSAGE),
        (f"[{RESIGN},{DEEP}]", ErrorCode.BAD_MESSAGE),
    ],
    ids=lambda value: value[:40] if isinstance(value, str) else None,
)
def test_a_frame_that_is_no_message(frame: str, code: ErrorCode) -> None:
    for written in (frame, frame.encode()):
        error = _refusal(written)
        assert (error.code, error.request) == (code, UNSET)


@pytest.mark.parametrize(
    ("frame", "request_id"),
    [
        ('{"type":"dance","id":5}', 5),
        ("\ufeff" + RESIGN, 1),
        ("\xa0" + RESIGN, 1),
        (RESIGN + "}", 1),
        ('{"type":"' + "x" * 1_000_000 + '","id":5}', 5),
        ('{"type":null,"id":5}', 5),
        ('{"type":["resign"],"id":5,"match":"a"}', 5),
        ('{"type":"ok","id":5}', 5),
        ('{"type":"Resign","id":5,"match":"a"}', 5),
        ('{"id":5,"match":"a"}', 5),
        ('{"type":"resign","match":"a"}', UNSET),
        ('{"type":"resign","id":null,"match":"a"}', UNSET),
        ('{"type":"resign","id":123456789012345678901234567890,"match":"a"}', UNSET),
        ('{"type":"resign","id":' + "9" * 5000 + ',"match":"a"}', UNSET),
        ('{"type":"resign","id":5,"match":"a","' + "y" * 1_000_000 + '":1}', 5),
        ('{"type":"hello","id":5,"protocol":1,"client":"","kind":"' + "z" * 1_000_000 + '","name":"n"}', 5),
        ('{"type":"thinking","id":5,"match":"a","ply":1,"score":1e999}', 5),
        ('{"type":"thinking","id":5,"match":"a","ply":1,"score":' + "9" * 400 + "}", 5),
        ('{"type":"thinking","id":5,"match":"a","ply":1,"score":NaN}', 5),
        ('{"type":"thinking","id":5,"match":"a","ply":1,"score":-Infinity}', 5),
        ('{"type":"thinking","id":5,"match":"a","ply":1,"nodes":123456789012345678901234567890}', 5),
        ('{"type":"resign","id":5,"match":"a","x":' + DEEP + "}", 5),
        ('{"type":"resign","type":"claim","id":5,"match":"a"}', 5),
        ('{"type":"chat","id":5,"match":"a","text":"raw \x00 NUL"}', 5),
        ('{"type":"chat","id":5,"match":"a","text":"half an emoji \\ud83d"}', 5),
        ('{"type":"chat","match":"a","text":"\\udc00\\ud800","id":5}', 5),
        ('{"type":"chat","id":5,"match":"a","text":"x', 5),
        ('{"type":"chat","match":"a","text":"\\ud83d \\",\\"id\\":6,"}', UNSET),
        ('{"type":"chat","id":5,"match":"a","id":6,"text":"\\ud83d"}', UNSET),
        ('{"type":"chat","id":9007199254740992,"match":"a","text":"\\ud83d"}', UNSET),
    ],
    ids=lambda value: value[:60] if isinstance(value, str) else None,
)
def test_the_id_is_recovered_where_it_can_be_read(frame: str, request_id: Request) -> None:
    for written in (frame, frame.encode()):
        error = _refusal(written)
        assert (error.code, error.request) == (ErrorCode.BAD_MESSAGE, request_id)


@pytest.mark.parametrize(
    "frame",
    [
        b'{"type":"chat","id":5,"match":"a","text":"\xff"}',
        b'{"type":"chat","id":5,"match":"a","text":"\xed\xa0\x80"}',
        b'{"type":"chat","id":5,"match":"a","text":"\xc0\x80"}',
        b'{"type":"chat","id":5,"match":"a","text":"\xf0\x9f\x98"}',
        '{"type":"chat","id":5,"match":"a","text":"\ud83d"}',
    ],
)
def test_what_is_not_utf_8(frame: str | bytes) -> None:
    error = _refusal(frame)
    assert (error.code, error.message, error.request) == (ErrorCode.BAD_MESSAGE, "the message is not UTF-8", 5)


@pytest.mark.parametrize("frame", [b"\xff", b"\xff\xfe{\x00}\x00", b"\x00", RESIGN.encode("utf-16")])
def test_bytes_that_are_no_json(frame: bytes) -> None:
    assert _refusal(frame).request is UNSET


def test_deep_nesting_is_named() -> None:
    assert _refusal(DEEP).message == "the message is nested too deeply"


def test_unusual_frames_that_are_right() -> None:
    assert _one(f"\r\n\t {RESIGN} \n") == Resign(1, "a")
    assert _one(" " * 1000 + f"[{RESIGN}]") == Resign(1, "a")
    assert _one('{"\\u0074ype":"res\\u0069gn","id":1,"match":"\\u0061"}') == Resign(1, "a")
    assert _one('{"match":"a","id":1,"type":"claim"}') == Claim(1, "a")
    assert _one('{"type":"resign","id":-0,"match":"a"}') == Resign(0, "a")
    assert _one('{"type":"chat","id":1,"match":"a","text":"\\u0000\\ud83d\\ude00"}') == Chat(1, "a", "\x00\U0001f600")
    assert _one('{"type":"thinking","id":1,"match":"a","ply":1,"score":1}') == Thinking(1, "a", 1, score=1.0)


def test_the_last_of_a_key_that_stands_twice_counts() -> None:
    assert _one('{"type":"resign","id":1,"match":"a","id":2,"match":"b"}') == Resign(2, "b")


def test_every_message_of_a_batch_gets_its_own_answer_in_order() -> None:
    batch = (
        f'[{RESIGN},{{"type":"dance","id":2}},3,"x",null,[{RESIGN}],{{"id":7}},'
        f'{{"type":"claim","id":8,"match":"a"}},{{"type":"resign","id":9,"match":""}},{{}}]'
    )
    answers = decode_client(batch)
    assert [answer.request if isinstance(answer, ProtocolError) else answer for answer in answers] == [
        Resign(1, "a"), 2, UNSET, UNSET, UNSET, UNSET, 7, Claim(8, "a"), 9, UNSET,
    ]  # fmt: skip
    assert list(map(str, decode_client(batch.encode()))) == list(map(str, answers))


def test_blanks_before_a_batch_don_t_hide_it() -> None:
    first, second = decode_client(" " * 1000 + f"[{RESIGN},5]")
    assert first == Resign(1, "a")
    assert isinstance(second, ProtocolError)


def test_one_message_that_is_not_utf_8_spoils_no_other() -> None:
    first, second = decode_client(f'[{RESIGN},{{"type":"chat","id":2,"match":"a","text":"'.encode() + b'\xff"}]')
    assert first == Resign(1, "a")
    assert isinstance(second, ProtocolError)
    assert second.request == 2


def test_a_batch_has_up_to_512_messages() -> None:
    assert decode_client("[" + ",".join([RESIGN] * MAX_BATCH) + "]") == [Resign(1, "a")] * MAX_BATCH
    mixed = decode_client("[" + ",".join([RESIGN] * (MAX_BATCH - 1)) + ",5]")
    assert len(mixed) == MAX_BATCH
    assert sum(isinstance(answer, ProtocolError) for answer in mixed) == 1


def test_an_error_answers_the_request_that_it_was_asked_to() -> None:
    error = ProtocolError(ErrorCode.TOO_EARLY, "m" * 5000, request=3, retry_after_ms=5, data={"why": "x"})
    assert error_message(error) == Error("too_early", "m" * 300, 3, retry_after_ms=5, data={"why": "x"})
    assert error_message(error, 4).id == 4
    assert error_message(ProtocolError(ErrorCode.INTERNAL, "m")).id is UNSET


def test_what_the_server_sends_is_read_or_refused() -> None:
    assert decode_server('[{"type":"ok","id":1},{"type":"ok","id":2,"later":[]}]') == [Ok(1), Ok(2)]
    assert decode_server(" " * 100 + '[{"type":"ok","id":1}]') == [Ok(1)]
    for frame in (
        "",
        "5",
        '{"kind":"dance"}',
        '[{"type":"ok"}]',
        DEEP,
        '{"type":"ok","id":1,"x":' + DEEP + "}",
        b"\xff",
    ):
        with pytest.raises(ProtocolError):
            decode_server(frame)


def test_an_error_of_the_server_is_not_echoed_at_length() -> None:
    with pytest.raises(ProtocolError) as raised:
        decode_server('{"type":"ok","id":"' + "x" * 1_000_000 + '"}')
    assert len(str(raised.value)) < 500
