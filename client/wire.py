"""One connection to a server as the client needs it: text frames in and out. `dial` opens one with websockets."""

from __future__ import annotations

import asyncio
import ssl
from typing import Protocol

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidStatus, InvalidURI
from websockets.typing import Subprotocol

from protocol.errors import SUBPROTOCOL

MAX_FRAME_BYTES = 1 << 20
PING_S = 5.0
CLOSE_TIMEOUT_S = 2.0
REPLACED = 4001
"""The close code of a session that a newer connection took over."""

KICKED = 4002
"""The close code of somebody whom an organiser has sent away."""

_PERMANENT = frozenset({400, 401, 403, 404, 405, 426})


class WireClosed(Exception):  # noqa: N818 - what happened; never leaves this package
    """The connection is over; `code` is the close code, 1006 if it just broke."""

    def __init__(self, code: int = 1006, reason: str = "") -> None:
        super().__init__(f"{code} {reason}".strip())
        self.code = code
        self.reason = reason


class Unreachable(Exception):  # noqa: N818 - as above
    """No connection could be opened; `permanent` if trying again won't help."""

    def __init__(self, reason: str, *, permanent: bool = False) -> None:
        super().__init__(reason)
        self.permanent = permanent


class Wire(Protocol):
    """A connection that is open."""

    async def send(self, frame: bytes) -> None:
        """Sends one text frame; raises WireClosed."""
        ...

    async def receive(self) -> str | bytes:
        """The next text frame; raises WireClosed."""
        ...

    async def close(self) -> None:
        """Ends the connection, politely but within bounds."""
        ...

    def abort(self) -> None:
        """Drops the connection at once."""
        ...


class Dial(Protocol):
    """Opens a connection to a server."""

    async def __call__(self, url: str) -> Wire:
        """The open connection; raises Unreachable."""
        ...


class WebSocketWire:
    """A websockets connection."""

    def __init__(self, connection: ClientConnection) -> None:
        self._connection = connection

    async def send(self, frame: bytes) -> None:
        """Sends one text frame; raises WireClosed."""
        try:
            await self._connection.send(frame, text=True)
        except ConnectionClosed as closed:
            raise _closed(closed) from None

    async def receive(self) -> str | bytes:
        """The next frame as it came; raises WireClosed."""
        try:
            return await self._connection.recv(decode=False)
        except ConnectionClosed as closed:
            raise _closed(closed) from None

    async def close(self) -> None:
        """Closes with 1000; a peer that does not answer in time is dropped."""
        try:
            async with asyncio.timeout(CLOSE_TIMEOUT_S):
                await self._connection.close()
        except TimeoutError:
            self.abort()

    def abort(self) -> None:
        """Drops the connection at once."""
        self._connection.transport.abort()


async def dial(url: str, *, tls: ssl.SSLContext | None = None) -> Wire:
    """Opens a WebSocket to `url`; raises Unreachable."""
    try:
        connection = await connect(
            url,
            ssl=tls,
            proxy=None,
            compression=None,
            subprotocols=[Subprotocol(SUBPROTOCOL)],
            max_size=MAX_FRAME_BYTES,
            max_queue=64,
            ping_interval=PING_S,
            ping_timeout=PING_S,
            close_timeout=CLOSE_TIMEOUT_S,
            open_timeout=None,
        )
    except InvalidStatus as error:
        status = error.response.status_code
        raise Unreachable(f"HTTP {status}", permanent=status in _PERMANENT) from error
    except (InvalidHandshake, InvalidURI) as error:
        broke = isinstance(error.__cause__, EOFError)
        raise Unreachable(str(error), permanent=not broke) from error
    except (OSError, EOFError) as error:
        raise Unreachable(str(error)) from error
    if connection.subprotocol != SUBPROTOCOL:
        await connection.close()
        raise Unreachable("this is not an Arbitre server", permanent=True)
    return WebSocketWire(connection)


def _closed(closed: ConnectionClosed) -> WireClosed:
    return WireClosed(closed.rcvd.code, closed.rcvd.reason) if closed.rcvd else WireClosed()
