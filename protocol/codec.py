"""Bytes to messages and back. Whatever arrives, decoding yields messages or ProtocolErrors and raises nothing else."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Annotated, Final, get_args

from msgspec import UNSET, Meta, MsgspecError, Raw, Struct, UnsetType, ValidationError
from msgspec.json import Decoder, Encoder

from protocol.bounds import MAX_BATCH
from protocol.errors import ErrorCode, ProtocolError
from protocol.messages import ClientMessage, Error, ServerMessage
from protocol.partial import OnlyId, OnlyType

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

_encoder: Final = Encoder()

encode: Final[Callable[[ClientMessage | ServerMessage], bytes]] = _encoder.encode
"""One message as UTF-8 JSON."""

# A decoder takes 4 ms to make, and neither a client nor a server needs both: each is made when it is first used. It is
# one for a message and for an array of them: looking first which it is would cost a fifth more for each move.


@cache
def _client() -> Decoder[ClientMessage | list[ClientMessage]]:
    return Decoder(ClientMessage | Annotated[list[ClientMessage], Meta(max_length=MAX_BATCH)])


@cache
def _client_one() -> Decoder[ClientMessage]:
    return Decoder(ClientMessage)


@cache
def _server() -> Decoder[ServerMessage | list[ServerMessage]]:
    return Decoder(ServerMessage | list[ServerMessage])


@cache
def _server_one() -> Decoder[ServerMessage]:
    return Decoder(ServerMessage)


_raws: Final[Decoder[list[Raw]]] = Decoder(Annotated[list[Raw], Meta(max_length=MAX_BATCH)])

_FAILURES: Final = (MsgspecError, UnicodeError, RecursionError, ValueError)
"""What msgspec raises on bad input: its own errors, and three of Python's (bad UTF-8, deep nesting, surrogates)."""

_MAX_MESSAGE: Final = 300
"""Characters of an error message."""

_ID_FIELD: Final = re.compile(rb'[{,]\s*"id"\s*:\s*([0-9]{1,16})\s*[,}]')
"""An `id` field in text that is not JSON. It can't match inside a string, where each quote follows a backslash."""


_only_id: Final[Decoder[OnlyId]] = Decoder(OnlyId)
_only_type: Final[Decoder[OnlyType]] = Decoder(OnlyType)


def _by_type(kinds: Iterable[type[Struct]]) -> dict[str, type[Struct]]:
    return {str(kind.__struct_config__.tag): kind for kind in kinds}


_CLIENT_TYPES: Final = _by_type(get_args(ClientMessage))
SERVER_TYPES: Final = _by_type(get_args(ServerMessage))
"""The messages of the server by their `type`."""


def decode_client(frame: str | bytes) -> Sequence[ClientMessage | ProtocolError]:
    """The messages of one text frame from a client, in order; what can't be read stands there as a ProtocolError."""
    try:
        decoded = _client().decode(frame)
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
        decoded = _server().decode(frame)
    except _FAILURES:
        return _decode_known(frame)
    return decoded if isinstance(decoded, list) else (decoded,)


def _decode_known(frame: str | bytes) -> Sequence[ServerMessage]:
    """The messages of a frame without those of unknown types; raises ProtocolError, which names a wrong one."""
    kind = ""
    found: list[ServerMessage] = []
    try:
        for text in _raws.decode(frame) if _is_batch(frame) else [Raw(frame)]:
            kind = ""
            kind = _only_type.decode(text).type
            if kind in SERVER_TYPES:
                found.append(_server_one().decode(text))
    except _FAILURES as error:
        reason = _sentence(error, SERVER_TYPES.get(kind))
        raise ProtocolError(ErrorCode.BAD_MESSAGE, f"{kind}: {reason}" if kind else reason) from error
    return found


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
        return (ProtocolError(ErrorCode.TOO_LARGE, f"an array may have at most {MAX_BATCH} messages"),)
    except _FAILURES as error:
        return (ProtocolError(ErrorCode.BAD_MESSAGE, _sentence(error, None)),)
    return [_decode_one(raw) for raw in raws]


def _decode_one(text: Raw) -> ClientMessage | ProtocolError:
    try:
        return _client_one().decode(text)
    except _FAILURES as error:
        return _refusal(error, text)


def _refusal(error: Exception, text: str | bytes | Raw) -> ProtocolError:
    return ProtocolError(ErrorCode.BAD_MESSAGE, _sentence(error, _kind_of(text)), request=_request_of(text))


def _sentence(error: Exception, kind: type[Struct] | None) -> str:
    """What is wrong, in words; their module is imported only when a message can't be read."""
    from protocol import wording

    return wording.sentence(error, kind)


def _kind_of(text: str | bytes | Raw) -> type[Struct] | None:
    try:
        return _CLIENT_TYPES.get(_only_type.decode(text).type)
    except _FAILURES:
        return None


def _request_of(text: str | bytes | Raw) -> int | UnsetType:
    try:
        return _only_id.decode(text).id
    except ValidationError:
        return UNSET
    except _FAILURES:
        return _request_in(text.encode(errors="replace") if isinstance(text, str) else bytes(text))


def _request_in(text: bytes) -> int | UnsetType:
    """The id of a request that is not valid JSON (half an emoji in a chat, say), so that it still gets an answer."""
    found = _ID_FIELD.findall(text)
    request = int(found[0]) if len(found) == 1 else 2**53
    return request if request < 2**53 else UNSET
