"""One connection to a server: text frames in and out. `dial` opens one with websockets."""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import ssl
from collections.abc import Callable
from typing import Literal, Protocol

from websockets.exceptions import InvalidHandshake, InvalidStatus, InvalidURI
from websockets.uri import WebSocketURI, parse_uri

from client.address import split_pin
from client.link import CLOSE_TIMEOUT_S, Link
from protocol import SUBPROTOCOL

OPEN_TIMEOUT_S = 10.0
"""How long the connection and its handshake may take."""

REPLACED = 4001
"""The close code of a session that a newer connection took over."""

KICKED = 4002
"""The close code of somebody whom an organiser has sent away."""

_FULL = 503
_PERMANENT = frozenset({300, 301, 302, 303, 307, 308, 400, 401, 403, 404, 405, 426})
"""Answers that stay. Redirects are among them: only the server that was named gets our token and password."""

_MISREAD = frozenset({1002, 1003, 1007, 1009})
"""The codes with which we end a connection whose frames are wrong."""


class WireClosed(Exception):  # noqa: N818 - what happened; never leaves this package
    """The connection is over; `code` is the close code, 1006 if it just broke.

    unreadable: we ended it, since what came can't be read; the reason says what that was.
    """

    def __init__(self, code: int = 1006, reason: str = "", *, unreadable: bool = False) -> None:
        super().__init__(f"{code} {reason}".strip())
        self.code = code
        self.reason = reason
        self.unreadable = unreadable


Obstacle = Literal["full", "hung_up", "silent", "untrusted", "other_certificate", "unknown"]
"""What keeps a connection from being opened.

full: the server is there, but has too many connections. hung_up: it ended the connection before a word. silent: it took
the connection and did not answer. untrusted: nobody whom this machine trusts has signed its certificate.
other_certificate: that is not the one in the address.
"""


class Unreachable(Exception):  # noqa: N818 - as above
    """No connection could be opened, because of `obstacle`; `permanent` if trying again won't help.

    pause_s: how long the server asks to wait, if it does. status: what it answered by HTTP, 0 if it did not.
    """

    def __init__(
        self,
        reason: str,
        obstacle: Obstacle = "unknown",
        *,
        permanent: bool = False,
        pause_s: float = 0.0,
        status: int = 0,
    ) -> None:
        super().__init__(reason)
        self.obstacle: Obstacle = obstacle
        self.permanent, self.pause_s, self.status = permanent, pause_s, status


class Wire(Protocol):
    """A connection that is open."""

    def write(self, frame: bytes) -> bool:
        """Sends one text frame if that can be done at once; else says False and does nothing: `send` waits."""
        ...

    async def send(self, frame: bytes) -> None:
        """Sends one text frame; raises WireClosed."""
        ...

    async def receive(self) -> str | bytes:
        """The next text frame; raises WireClosed."""
        ...

    async def listen(self, hear: Callable[[str | bytes], None]) -> WireClosed:
        """Calls `hear`, which must not raise, with each text frame to come; returns how the connection ended."""
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
    """A connection by a WebSocket."""

    def __init__(self, link: Link) -> None:
        self._link = link

    def write(self, frame: bytes) -> bool:
        """Sends one text frame if nothing waits to be sent."""
        return self._link.write(frame)

    async def send(self, frame: bytes) -> None:
        """Sends one text frame; raises WireClosed."""
        if not await self._link.send(frame):
            raise self._how()

    async def receive(self) -> str | bytes:
        """The next frame as it came; raises WireClosed."""
        message = await self._link.receive()
        if message is None:
            raise self._how()
        return message

    async def listen(self, hear: Callable[[str | bytes], None]) -> WireClosed:
        """Calls `hear` with each text frame to come; returns how the connection ended."""
        await self._link.listen(hear)
        return self._how()

    def _how(self) -> WireClosed:
        """How the connection ended: closed by the server, by us for wrong frames, or without a close frame."""
        protocol = self._link.protocol
        received, sent = protocol.close_rcvd, protocol.close_sent
        if self._link.offence:
            return WireClosed(1002, self._link.offence, unreadable=True)
        if sent is not None and sent.code in _MISREAD and not protocol.close_rcvd_then_sent:
            return WireClosed(sent.code, sent.reason or "a wrong frame", unreadable=True)
        return WireClosed(received.code, received.reason) if received else WireClosed()

    async def close(self) -> None:
        """Closes with 1000; a peer that does not answer in time is dropped."""
        try:
            self._link.close()
            await asyncio.wait([self._link.over], timeout=CLOSE_TIMEOUT_S)
        finally:
            self.abort()

    def abort(self) -> None:
        """Drops the connection at once."""
        self._link.transport.abort()


async def dial(url: str, *, tls: ssl.SSLContext | None = None) -> Wire:
    """Opens a WebSocket to `url`, which may end in the fingerprint of its certificate; raises Unreachable."""
    address, pin = split_pin(url)
    if tls is None and address.startswith("wss:"):
        tls = _any_certificate() if pin is not None else ssl.create_default_context()
    link = await _open(address, tls)
    if pin is not None and not hmac.compare_digest(_fingerprint(link), pin):
        link.transport.abort()
        raise Unreachable("the certificate is another one", "other_certificate", permanent=True)
    if link.protocol.subprotocol != SUBPROTOCOL:
        link.transport.abort()
        raise Unreachable("this is not an Arbitre server", permanent=True)
    return WebSocketWire(link)


async def _open(address: str, tls: ssl.SSLContext | None) -> Link:
    """The connection after its handshake; raises Unreachable."""
    link: Link | None = None

    def make(uri: WebSocketURI) -> Link:
        nonlocal link
        link = Link(uri)
        return link

    try:
        async with asyncio.timeout(OPEN_TIMEOUT_S):
            return await _connected(address, tls, make)
    except InvalidStatus as error:
        status = error.response.status_code
        pause_s = _retry_after(error.response.headers.get_all("Retry-After"))
        obstacle: Obstacle = "full" if status == _FULL else "unknown"
        raise Unreachable(
            f"HTTP {status}", obstacle, permanent=status in _PERMANENT, pause_s=pause_s, status=status
        ) from error
    except (InvalidHandshake, InvalidURI) as error:
        broke = isinstance(error.__cause__, EOFError) and not (link is not None and link.offence)
        raise Unreachable(str(error), "hung_up" if broke else "unknown", permanent=not broke) from error
    except ssl.SSLCertVerificationError as error:
        raise Unreachable(error.verify_message or str(error), "untrusted", permanent=True) from error
    except TimeoutError as error:
        raise Unreachable(str(error), "unknown" if link is None else "silent") from error
    except (OSError, EOFError) as error:
        hung_up = isinstance(error, ssl.SSLError | ConnectionResetError)
        raise Unreachable(str(error), "hung_up" if hung_up else "unknown") from error


async def _connected(address: str, tls: ssl.SSLContext | None, make: Callable[[WebSocketURI], Link]) -> Link:
    """Connects without following redirects: only the server that was named gets our token and password."""
    uri = parse_uri(address)
    loop = asyncio.get_running_loop()
    _transport, link = await loop.create_connection(lambda: make(uri), uri.host, uri.port, ssl=tls)
    try:
        await link.opened
    except BaseException:
        link.transport.abort()
        raise
    return link


def _any_certificate() -> ssl.SSLContext:
    """A context that accepts any certificate; `dial` compares its fingerprint before any token or password is sent.

    The request for the WebSocket has been sent by then.
    """
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    return context


def _fingerprint(link: Link) -> str:
    """The SHA-256 of the server's certificate, empty if it showed none."""
    encrypted = link.transport.get_extra_info("ssl_object")
    certificate = encrypted.getpeercert(binary_form=True) if encrypted is not None else None
    return hashlib.sha256(certificate).hexdigest() if certificate else ""


def _retry_after(values: list[str]) -> float:
    return float(values[0]) if values and values[0].isascii() and values[0].isdigit() and len(values[0]) < 5 else 0.0
