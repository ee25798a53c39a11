"""Opens a session: dials, sends `hello`, and tells what each kind of failure means."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence

from client.errors import (
    BadAnswer,
    ClientError,
    HelloRefused,
    HungUp,
    NotArbitre,
    Replaced,
    ServerFull,
    ServerGone,
    Silent,
    TurnedAway,
    Unreadable,
    Untrusted,
)
from client.wire import OPEN_TIMEOUT_S, REPLACED, Dial, Unreachable, Wire, WireClosed
from protocol import codec
from protocol.errors import ErrorCode, ProtocolError
from protocol.messages import Error, Hello, ServerMessage, Welcome

_TRANSIENT = {ErrorCode.SERVER_FULL.value, ErrorCode.RATE_LIMITED.value, ErrorCode.SHUTTING_DOWN.value}


class Again(Exception):  # noqa: N818 - a signal that never leaves this package
    """Opening the session failed in a way that may pass, perhaps after `pause_s`; `end` is the error if it never does.

    A plain ServerGone says that nobody is there.
    """

    def __init__(self, reason: str, pause_s: float = 0.0, ends: Callable[[str], ClientError] = ServerGone) -> None:
        super().__init__(reason)
        self.pause_s = pause_s
        self.end = ends(reason)


async def open_session(dial: Dial, url: str, hello: Hello) -> tuple[Wire, Welcome, Sequence[ServerMessage]]:
    """The open connection, the welcome, and the messages that came after it in the same frame.

    Raises Again, or for good HelloRefused, Replaced, NotArbitre, Unreadable.
    """
    wire: Wire | None = None
    try:
        wire = await dial(url)
        async with asyncio.timeout(OPEN_TIMEOUT_S):
            await wire.send(codec.encode(hello))
            return wire, *(await _welcomed(wire))
    except BaseException as error:
        if wire is not None:
            wire.abort()
        meaning = _meaning(error)
        if meaning is error:
            raise
        raise meaning from error


async def _welcomed(wire: Wire) -> tuple[Welcome, Sequence[ServerMessage]]:
    while True:
        messages = codec.decode_server(await wire.receive())
        for index, message in enumerate(messages):
            if isinstance(message, Welcome):
                return message, messages[index + 1 :]
            if isinstance(message, Error):
                raise HelloRefused(message)


def _meaning(error: BaseException) -> BaseException:
    match error:
        case Unreachable():
            return _why_unreachable(error)
        case WireClosed() if error.code == REPLACED:
            return Replaced(error.reason)
        case HelloRefused() if error.code in _TRANSIENT:
            return Again(str(error), (error.retry_after_ms or 0) / 1000, lambda _reason: error)
        case TimeoutError():
            return Again("the server does not answer", ends=Silent)
        case WireClosed() if error.unreadable:
            return Unreadable(error.reason)
        case WireClosed():
            return Again(str(error), ends=TurnedAway)
        case ProtocolError():
            return Unreadable(error.message)
        case _:
            return error


def _why_unreachable(error: Unreachable) -> Again | ClientError:
    """What it means that no connection could be opened."""
    match error.obstacle:
        case "untrusted" | "other_certificate":
            return Untrusted(str(error), pinned=error.obstacle == "other_certificate")
        case "full":
            return Again(str(error), error.pause_s, ServerFull)
        case "hung_up":
            return Again(str(error), ends=HungUp)
        case "silent":
            return Again(str(error), ends=Silent)
        case "unknown":
            pass
    if error.permanent:
        return BadAnswer(str(error)) if error.status else NotArbitre(str(error))
    return Again(str(error), error.pause_s, BadAnswer) if error.status else Again(str(error))
