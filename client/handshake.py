"""Opening a session: dial, say hello, and what each way in which that fails means."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from client.errors import HelloRefused, HungUp, NotArbitre, Replaced, ServerFull, ServerGone, Untrusted
from client.wire import REPLACED, Dial, Unreachable, Wire, WireClosed
from protocol import codec
from protocol.errors import ErrorCode, ProtocolError
from protocol.messages import Error, Hello, ServerMessage, Welcome

OPEN_TIMEOUT_S = 10.0

PASSWORD = "ARBITRE_PASSWORD"  # noqa: S105 - the name of a variable
"""The environment variable with the server's password, for all clients that are started here."""

_TRANSIENT = {ErrorCode.SERVER_FULL.value, ErrorCode.RATE_LIMITED.value, ErrorCode.SHUTTING_DOWN.value}


class Again(Exception):  # noqa: N818 - a signal that never leaves this package
    """Opening the session failed in a way that may pass, perhaps after `pause_s`; if it never does, it `ends` so."""

    def __init__(self, reason: str, pause_s: float = 0.0, ends: type[ServerGone] = ServerGone) -> None:
        super().__init__(reason)
        self.pause_s = pause_s
        self.ends = ends


async def open_session(dial: Dial, url: str, hello: Hello) -> tuple[Wire, Welcome, Sequence[ServerMessage]]:
    """The open connection, the welcome, and what the server said in the same breath after it.

    Raises Again, or for good HelloRefused, Replaced, NotArbitre.
    """
    wire: Wire | None = None
    try:
        async with asyncio.timeout(OPEN_TIMEOUT_S):
            wire = await dial(url)
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
        case WireClosed() if error.code == REPLACED:
            return Replaced(error.reason)
        case Unreachable() if error.untrusted:
            return Untrusted(str(error), pinned=error.pinned)
        case Unreachable() if error.full:
            return Again(str(error), error.pause_s, ServerFull)
        case Unreachable() if error.hung_up:
            return Again(str(error), ends=HungUp)
        case Unreachable() if error.permanent:
            return NotArbitre(str(error))
        case HelloRefused() if error.code in _TRANSIENT:
            return Again(str(error), (error.retry_after_ms or 0) / 1000)
        case TimeoutError():
            return Again("the server does not answer")
        case WireClosed() | Unreachable():
            return Again(str(error))
        case ProtocolError():
            return NotArbitre(f"this is not an Arbitre server: {error.message}")
        case _:
            return error
