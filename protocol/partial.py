"""Parts of messages that can't be read as a whole: each struct has one field, and the rest is ignored."""

from __future__ import annotations

from msgspec import UNSET, Struct, UnsetType

from protocol.bounds import RequestId


class OnlyId(Struct):
    """The one field that an answer needs."""

    id: RequestId | UnsetType = UNSET


class OnlyType(Struct):
    """The one field that tells whether a message is known."""

    type: str
