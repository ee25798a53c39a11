"""One connection to a server: text frames in and out. `dial` opens one with websockets."""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import ssl
from collections.abc import Callable
from typing import Any, Protocol

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidStatus, InvalidURI
from websockets.frames import Frame, Opcode
from websockets.protocol import Event, State
from websockets.typing import Subprotocol
from websockets.uri import WebSocketURI

from client.address import split_pin
from protocol.errors import SUBPROTOCOL

MAX_FRAME_BYTES = 1 << 20
PING_S = 5.0
OPEN_TIMEOUT_S = 10.0
"""How long the connection and its handshake may take."""

CLOSE_TIMEOUT_S = 0.4
"""How long a server may take to agree that a connection is over: who leaves does not wait for it."""

MAX_PARTS = 1024
"""Parts in which one message may come."""

MAX_UNREAD_BYTES = 1 << 20
"""How much of what we answer by ourselves (pongs) a server may leave unread."""

REPLACED = 4001
"""The close code of a session that a newer connection took over."""

KICKED = 4002
"""The close code of somebody whom an organiser has sent away."""

_FULL = 503
_PERMANENT = frozenset({300, 301, 302, 303, 307, 308, 400, 401, 403, 404, 405, 426})
"""Redirects are among them: the server that was named gets our token and password, no other."""

_MISREAD = frozenset({1002, 1003, 1007, 1009})
"""The codes with which we end a connection whose frames are wrong."""


_MESSAGES = (Opcode.TEXT, Opcode.BINARY, Opcode.CONT)


class WireClosed(Exception):  # noqa: N818 - what happened; never leaves this package
    """The connection is over; `code` is the close code, 1006 if it just broke.

    unreadable: we ended it, since what came can't be read; the reason says what that was.
    """

    def __init__(self, code: int = 1006, reason: str = "", *, unreadable: bool = False) -> None:
        super().__init__(f"{code} {reason}".strip())
        self.code = code
        self.reason = reason
        self.unreadable = unreadable


class Unreachable(Exception):  # noqa: N818 - as above
    """No connection could be opened; `permanent` if trying again won't help, `pause_s` if the server said when it may.

    full: it is there, but has too many connections. hung_up: it ended the connection before a word.
    silent: it took the connection and did not answer. status: what it answered by HTTP, 0 if it did not.
    untrusted: it is not the one that its certificate should show; pinned: the
    certificate is not the one in the address (else, nobody whom this machine trusts has signed it).
    """

    def __init__(  # noqa: PLR0913 - one keyword for each thing that may be known
        self,
        reason: str,
        *,
        permanent: bool = False,
        full: bool = False,
        pause_s: float = 0.0,
        untrusted: bool = False,
        pinned: bool = False,
        hung_up: bool = False,
        silent: bool = False,
        status: int = 0,
    ) -> None:
        super().__init__(reason)
        self.permanent, self.full, self.pause_s, self.hung_up = permanent, full, pause_s, hung_up
        self.silent, self.status = silent, status
        self.untrusted, self.pinned = untrusted, pinned


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
        """Gives each text frame that is yet to be received to `hear`, which raises nothing; says how it all ended."""
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


class Connection(ClientConnection):
    """The library's, but once somebody listens, each text frame is his in the turn of the loop that read it.

    The library's own way (a queue, and a task that waits on it) costs two more turns for each frame. It is taken from
    the first message on that comes in parts: whoever cuts them may send the next one with the last part.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:  # the library's arguments
        super().__init__(*args, **kwargs)
        self._hear: Callable[[str | bytes], None] | None = None
        self._parts = 0
        self.offence = ""

    def data_received(self, data: bytes) -> None:
        """What the event loop calls; who sends nonsense, or reads no answer, is cut off."""
        super().data_received(data)
        if self.protocol.handshake_exc is not None:
            self.cut("it does not speak this protocol")  # the library would wait for the server to close
        if self.transport.get_write_buffer_size() > MAX_UNREAD_BYTES:
            self.cut("it does not read the answers that it asks for")

    def cut(self, offence: str) -> None:
        """Ends the connection at once, for what the server did."""
        self.offence = self.offence or offence
        self.transport.abort()

    def process_event(self, event: Event) -> None:
        """What the library calls with each frame."""
        if isinstance(event, Frame) and event.opcode in _MESSAGES:
            self._parts = self._parts + 1 if event.opcode is Opcode.CONT else 0
            if self._parts > MAX_PARTS:
                self.cut(f"a message in more than {MAX_PARTS} parts")
                return
        if self._hear is not None and isinstance(event, Frame) and event.opcode in _MESSAGES:
            if event.fin and event.opcode is Opcode.TEXT:
                self._hear(bytes(event.data))
                return
            self._hear = None
        super().process_event(event)

    async def listen(self, hear: Callable[[str | bytes], None]) -> None:
        """Gives each message to `hear` until the connection is over."""
        self._hear = hear
        try:
            while True:  # what came before, and what came in parts and after it
                hear(await self.recv(decode=False))
        except ConnectionClosed:
            pass
        finally:
            self._hear = None


class WebSocketWire:
    """A websockets connection."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def write(self, frame: bytes) -> bool:
        """Sends one text frame if nothing waits to be sent: without the library's locks, at half the cost."""
        connection = self._connection
        if (
            connection.state is not State.OPEN
            or connection.send_in_progress is not None
            or connection.transport.get_write_buffer_size()
        ):
            return False
        connection.protocol.send_text(frame)
        connection.send_data()
        return True

    async def send(self, frame: bytes) -> None:
        """Sends one text frame; raises WireClosed."""
        try:
            await self._connection.send(frame, text=True)
        except ConnectionClosed as closed:
            raise self._closed(closed) from None

    async def receive(self) -> str | bytes:
        """The next frame as it came; raises WireClosed."""
        try:
            return await self._connection.recv(decode=False)
        except ConnectionClosed as closed:
            raise self._closed(closed) from None

    async def listen(self, hear: Callable[[str | bytes], None]) -> WireClosed:
        """Gives each text frame that is yet to be received to `hear`; says how it all ended."""
        await self._connection.listen(hear)
        return self._how()

    def _closed(self, closed: ConnectionClosed) -> WireClosed:
        return self._how() if closed.rcvd is None else WireClosed(closed.rcvd.code, closed.rcvd.reason)

    def _how(self) -> WireClosed:
        """How the connection ended: by the server's word, by ours if its frames were wrong, or without one."""
        received, sent = self._connection.protocol.close_rcvd, self._connection.protocol.close_sent
        if self._connection.offence:
            return WireClosed(1002, self._connection.offence, unreadable=True)
        if sent is not None and sent.code in _MISREAD and not self._connection.protocol.close_rcvd_then_sent:
            return WireClosed(sent.code, sent.reason or "a wrong frame", unreadable=True)
        return WireClosed(received.code, received.reason) if received else WireClosed()

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


class _Connect(connect):
    """The library's, but redirects are not followed. `made`: the connection, once somebody has taken it."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:  # the library's arguments
        super().__init__(*args, **kwargs)
        self.made: Connection | None = None
        make = self.factory

        def note(uri: WebSocketURI) -> ClientConnection:
            made = make(uri)
            assert isinstance(made, Connection)
            self.made = made
            return made

        self.factory = note

    def process_redirect(self, exc: Exception) -> Exception | str:
        """No other address."""
        return exc


async def dial(url: str, *, tls: ssl.SSLContext | None = None) -> Wire:
    """Opens a WebSocket to `url`, which may end in the fingerprint of its certificate; raises Unreachable."""
    address, pin = split_pin(url)
    if tls is None and address.startswith("wss:"):
        tls = _any_certificate() if pin is not None else ssl.create_default_context()
    connection = await _open(address, tls)
    if pin is not None and not hmac.compare_digest(_fingerprint(connection), pin):
        connection.transport.abort()
        raise Unreachable("the certificate is another one", permanent=True, untrusted=True, pinned=True)
    if connection.subprotocol != SUBPROTOCOL:
        connection.transport.abort()
        raise Unreachable("this is not an Arbitre server", permanent=True)
    return WebSocketWire(connection)


async def _open(address: str, tls: ssl.SSLContext | None) -> Connection:
    """The connection after its handshake; raises Unreachable."""
    attempt: _Connect | None = None
    try:
        attempt = _Connect(
            address,
            ssl=tls,
            proxy=None,
            compression=None,
            subprotocols=[Subprotocol(SUBPROTOCOL)],
            max_size=MAX_FRAME_BYTES,
            max_queue=64,
            ping_interval=PING_S,
            ping_timeout=PING_S,
            close_timeout=CLOSE_TIMEOUT_S,
            open_timeout=OPEN_TIMEOUT_S,
            create_connection=Connection,
        )
        connection = await attempt
    except InvalidStatus as error:
        status = error.response.status_code
        pause_s = _retry_after(error.response.headers.get_all("Retry-After"))
        raise Unreachable(
            f"HTTP {status}", permanent=status in _PERMANENT, full=status == _FULL, pause_s=pause_s, status=status
        ) from error
    except (InvalidHandshake, InvalidURI) as error:
        spoke = attempt is not None and attempt.made is not None and attempt.made.offence
        broke = isinstance(error.__cause__, EOFError) and not spoke
        raise Unreachable(str(error), permanent=not broke, hung_up=broke) from error
    except ssl.SSLCertVerificationError as error:
        raise Unreachable(error.verify_message or str(error), permanent=True, untrusted=True) from error
    except TimeoutError as error:
        raise Unreachable(str(error), silent=attempt is not None and attempt.made is not None) from error
    except (OSError, EOFError) as error:
        raise Unreachable(str(error), hung_up=isinstance(error, ssl.SSLError | ConnectionResetError)) from error
    assert isinstance(connection, Connection)
    return connection


def _any_certificate() -> ssl.SSLContext:
    """Encrypts; whose certificate it is, `dial` asks afterwards, before anything is said."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    return context


def _fingerprint(connection: ClientConnection) -> str:
    """The SHA-256 of the server's certificate, empty if it showed none."""
    encrypted = connection.transport.get_extra_info("ssl_object")
    certificate = encrypted.getpeercert(binary_form=True) if encrypted is not None else None
    return hashlib.sha256(certificate).hexdigest() if certificate else ""


def _retry_after(values: list[str]) -> float:
    return float(values[0]) if values and values[0].isascii() and values[0].isdigit() and len(values[0]) < 5 else 0.0
