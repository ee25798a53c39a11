"""Bytes to messages and back. Whatever arrives, decoding yields messages or ProtocolErrors and raises nothing else."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Annotated

from msgspec import UNSET, Meta, MsgspecError, Raw, Struct, UnsetType
from msgspec.json import Decoder, Encoder

from protocol.errors import ErrorCode, ProtocolError
from protocol.messages import MAX_BATCH, ClientMessage, Error, RequestId, ServerMessage

_encoder = Encoder()
_client: Decoder[ClientMessage] = Decoder(ClientMessage)
_clients: Decoder[list[ClientMessage]] = Decoder(Annotated[list[ClientMessage], Meta(max_length=MAX_BATCH)])
_server: Decoder[ServerMessage] = Decoder(ServerMessage)
_servers: Decoder[list[ServerMessage]] = Decoder(list[ServerMessage])
_raws: Decoder[list[Raw]] = Decoder(Annotated[list[Raw], Meta(min_length=1, max_length=MAX_BATCH)])

_FAILURES = (MsgspecError, UnicodeError, RecursionError, ValueError)
"""What msgspec raises on bad input: its own errors, and three of Python's (bad UTF-8, deep nesting, surrogates)."""


class _OnlyId(Struct):
    """The one field that an answer needs, read from a message that is otherwise wrong."""

    id: RequestId | UnsetType = UNSET


_only_id: Decoder[_OnlyId] = Decoder(_OnlyId)


def decode_client(frame: str | bytes) -> Sequence[ClientMessage | ProtocolError]:
    """The messages of one text frame from a client, in order; what can't be read stands there as a ProtocolError."""
    if not _is_batch(frame):
        return (_decode_one(frame),)
    try:
        batch = _clients.decode(frame)
    except _FAILURES:
        return _decode_each(frame)
    return batch or (ProtocolError(ErrorCode.BAD_MESSAGE, "the batch is empty"),)


def decode_server(frame: str | bytes) -> Sequence[ServerMessage]:
    """The messages of one text frame from the server; raises ProtocolError if they can't be read."""
    try:
        return _servers.decode(frame) if _is_batch(frame) else (_server.decode(frame),)
    except _FAILURES as error:
        raise ProtocolError(ErrorCode.BAD_MESSAGE, str(error)) from error


def encode(message: ClientMessage | ServerMessage) -> bytes:
    """One message as UTF-8 JSON."""
    return _encoder.encode(message)


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
        message=error.message,
        id=error.request if request is UNSET else request,
        fatal=error.fatal,
        retry_after_ms=error.retry_after_ms,
        data=error.data,
    )


def _is_batch(frame: str | bytes) -> bool:
    start = frame[:64].lstrip()[:1]
    return start in ("[", b"[")


def _decode_one(text: str | bytes | Raw) -> ClientMessage | ProtocolError:
    try:
        return _client.decode(text)
    except _FAILURES as error:
        return ProtocolError(ErrorCode.BAD_MESSAGE, _readable(error), request=_request_of(text))


def _decode_each(frame: str | bytes) -> Sequence[ClientMessage | ProtocolError]:
    try:
        raws = _raws.decode(frame)
    except _FAILURES as error:
        return (ProtocolError(ErrorCode.BAD_MESSAGE, _readable(error)),)
    return [_decode_one(raw) for raw in raws]


def _request_of(text: str | bytes | Raw) -> int | UnsetType:
    try:
        return _only_id.decode(text).id
    except _FAILURES:
        return UNSET


def _readable(error: Exception) -> str:
    if isinstance(error, RecursionError):
        return "the message is nested too deeply"
    if isinstance(error, UnicodeError):
        return "the message is not UTF-8"
    return str(error)[:300]
