"""Bytes to messages and back. Whatever arrives, decoding yields messages or ProtocolErrors and raises nothing else."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Annotated, get_args

from msgspec import UNSET, Meta, MsgspecError, Raw, Struct, UnsetType, ValidationError
from msgspec.json import Decoder, Encoder

from protocol.bounds import MAX_BATCH, RequestId
from protocol.errors import ErrorCode, ProtocolError
from protocol.messages import ClientMessage, Error, ServerMessage

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

_encoder = Encoder()

encode: Callable[[ClientMessage | ServerMessage], bytes] = _encoder.encode
"""One message as UTF-8 JSON."""

# One decoder for a message and for an array of them: looking first which it is would cost a fifth more for each move.
_client: Decoder[ClientMessage | list[ClientMessage]] = Decoder(
    ClientMessage | Annotated[list[ClientMessage], Meta(max_length=MAX_BATCH)]
)
_client_one: Decoder[ClientMessage] = Decoder(ClientMessage)
_server: Decoder[ServerMessage | list[ServerMessage]] = Decoder(ServerMessage | list[ServerMessage])
_server_one: Decoder[ServerMessage] = Decoder(ServerMessage)
_raws: Decoder[list[Raw]] = Decoder(Annotated[list[Raw], Meta(max_length=MAX_BATCH)])

_FAILURES = (MsgspecError, UnicodeError, RecursionError, ValueError)
"""What msgspec raises on bad input: its own errors, and three of Python's (bad UTF-8, deep nesting, surrogates)."""

_MAX_MESSAGE = 300
"""Characters of an error message: some repeat what a client wrote."""

_ID_FIELD = re.compile(rb'[{,]\s*"id"\s*:\s*([0-9]{1,16})\s*[,}]')
"""An `id` field in text that is not JSON. It can't match inside a string, where each quote follows a backslash."""


class _OnlyId(Struct):
    """The one field that an answer needs, read from a message that is otherwise wrong."""

    id: RequestId | UnsetType = UNSET


class _OnlyType(Struct):
    """The one field that tells whether a message is known."""

    type: str


_only_id: Decoder[_OnlyId] = Decoder(_OnlyId)
_only_type: Decoder[_OnlyType] = Decoder(_OnlyType)
_SERVER_TYPES = frozenset(kind.__struct_config__.tag for kind in get_args(ServerMessage))


def decode_client(frame: str | bytes) -> Sequence[ClientMessage | ProtocolError]:
    """The messages of one text frame from a client, in order; what can't be read stands there as a ProtocolError."""
    try:
        decoded = _client.decode(frame)
    except _FAILURES as error:
        return _decode_each(frame) if _is_batch(frame) else (_refusal(error, frame),)
    if isinstance(decoded, list):
        return decoded or (ProtocolError(ErrorCode.BAD_MESSAGE, "the batch is empty"),)
    return (decoded,)


def decode_server(frame: str | bytes) -> Sequence[ServerMessage]:
    """The messages of one text frame from the server; raises ProtocolError if they can't be read.

    Messages of a type that this version does not know are left out: a newer server may have more to say.
    """
    try:
        decoded = _server.decode(frame)
    except _FAILURES as error:
        return _decode_known(frame, error)
    return decoded if isinstance(decoded, list) else (decoded,)


def _decode_known(frame: str | bytes, error: Exception) -> Sequence[ServerMessage]:
    """The messages of a frame without those of unknown types; raises ProtocolError if that is not what is wrong."""
    wrong: str | bytes | Raw = frame
    try:
        known: list[ServerMessage] = []
        for wrong in _raws.decode(frame) if _is_batch(frame) else [Raw(frame)]:
            if _only_type.decode(wrong).type in _SERVER_TYPES:
                known.append(_server_one.decode(wrong))
    except _FAILURES as found:
        raise ProtocolError(ErrorCode.BAD_MESSAGE, _readable(found, wrong)) from error
    return known


def join(encoded: Sequence[bytes]) -> bytes:
    """Encoded messages as one frame: the message itself, or an array of several."""
    return encoded[0] if len(encoded) == 1 else b"[%b]" % b",".join(encoded)


def encode_batch(messages: Iterable[ClientMessage | ServerMessage]) -> bytes:
    """Messages as one frame."""
    return join([_encoder.encode(message) for message in messages])


def error_message(error: ProtocolError, request: int | UnsetType = UNSET) -> Error:
    """The `error` that tells a client of `error`, as the answer to `request`."""
    return Error(
        code=error.code.value,
        message=error.message[:_MAX_MESSAGE],
        id=error.request if request is UNSET else request,
        fatal=error.fatal,
        retry_after_ms=error.retry_after_ms,
        data=error.data,
    )


def _is_batch(frame: str | bytes) -> bool:
    return frame.lstrip()[:1] in ("[", b"[")


def _decode_each(frame: str | bytes) -> Sequence[ClientMessage | ProtocolError]:
    try:
        raws = _raws.decode(frame)
    except ValidationError:
        return (ProtocolError(ErrorCode.TOO_LARGE, f"an array has at most {MAX_BATCH} messages"),)
    except _FAILURES as error:
        return (ProtocolError(ErrorCode.BAD_MESSAGE, _readable(error, frame)),)
    return [_decode_one(raw) for raw in raws]


def _decode_one(text: Raw) -> ClientMessage | ProtocolError:
    try:
        return _client_one.decode(text)
    except _FAILURES as error:
        return _refusal(error, text)


def _refusal(error: Exception, text: str | bytes | Raw) -> ProtocolError:
    return ProtocolError(ErrorCode.BAD_MESSAGE, _readable(error, text), request=_request_of(text))


def _request_of(text: str | bytes | Raw) -> int | UnsetType:
    try:
        return _only_id.decode(text).id
    except ValidationError:
        return UNSET
    except _FAILURES:
        return _request_in(text.encode(errors="replace") if isinstance(text, str) else bytes(text))


def _request_in(text: bytes) -> int | UnsetType:
    """The request that something is the failed attempt of: half an emoji in a chat is no JSON, yet wants its answer."""
    found = _ID_FIELD.findall(text)
    request = int(found[0]) if len(found) == 1 else 2**53
    return request if request < 2**53 else UNSET


def _readable(error: Exception, text: str | bytes | Raw) -> str:
    from protocol.complaints import complaint  # the first wrong message pays for what it imports

    try:
        tag = _only_type.decode(text).type
    except _FAILURES:
        tag = None
    return complaint(error, text, tag)
