"""What the referee asks its shell to do, in this order. Effects are frozen and without behaviour."""

from __future__ import annotations

from typing import NamedTuple

from protocol.messages import ServerMessage


class Send(NamedTuple):
    """Send one message, encoded once, to each of these connections."""

    connections: tuple[int, ...]
    message: ServerMessage


class Close(NamedTuple):
    """Close a connection once what was sent to it is written; `code` is the WebSocket close code."""

    connection: int
    code: int
    reason: str


Effect = Send | Close
