"""A real server in the loop of a test, clients that keep every frame, and sockets on which a test writes anything."""

from __future__ import annotations

import asyncio
import random
import secrets
import socket
import struct
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager, suppress
from functools import partial
from typing import TypeVar

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed
from websockets.typing import Subprotocol

from page.files import site
from protocol import SUBPROTOCOL
from protocol.codec import decode_server, encode, encode_batch
from protocol.messages import (
    ClientMessage,
    Clock,
    Create,
    Hello,
    Join,
    Ok,
    ServerBase,
    ServerMessage,
)
from server.admission.admission import Admission
from server.app import App
from server.connections.connection_bounds import Bounds
from server.ratelimit import Rates
from server.referee.referee import Referee
from server.referee.settings import Settings

M = TypeVar("M", bound=ServerBase)

SHORT = Bounds(high_water=1 << 14, send=0.2, hello=10, open=1, close=0.3, ping_interval=0.5, ping_timeout=0.5)


class Running:
    """A server in this loop."""

    def __init__(self, app: App, server: asyncio.Server) -> None:
        self.app = app
        self.server = server
        self.port: int = next(iter(server.sockets)).getsockname()[1]

    @property
    def url(self) -> str:
        return f"ws://127.0.0.1:{self.port}"

    async def settled(self, condition: Callable[[], bool]) -> None:
        """Lets the loop turn until something is so."""
        async with asyncio.timeout(20):
            while not condition():  # noqa: ASYNC110 - what happens inside the server sets no event
                await asyncio.sleep(0)


@asynccontextmanager
async def running(bounds: Bounds = SHORT, settings: Settings | None = None) -> AsyncGenerator[Running]:
    settings = settings or Settings()
    make_referee = partial(Referee, settings, random.Random(1), lambda: secrets.token_urlsafe(16), lambda: 0)
    app = App(make_referee, bounds)
    app.site = site()
    app.admission = Admission(rates=Rates(chat=1e6, chat_burst=1e6))  # talk is how tests fill a buffer
    server = await app.start("127.0.0.1", 0)
    try:
        yield Running(app, server)
    finally:
        await app.stop(server)


class Wire:
    """A client that keeps every frame as it came."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket
        self.frames: list[str] = []
        self.messages: list[ServerMessage] = []
        self._asked = 0
        self._read = 0

    def number(self) -> int:
        self._asked += 1
        return self._asked

    async def say(self, *messages: ClientMessage) -> None:
        await self.socket.send((encode(messages[0]) if len(messages) == 1 else encode_batch(messages)).decode())

    async def hear(self, kind: type[M], check: Callable[[M], bool] = lambda _: True) -> M:
        """The next message of a type."""
        async with asyncio.timeout(20):
            while True:
                while self._read < len(self.messages):
                    message = self.messages[self._read]
                    self._read += 1
                    if isinstance(message, kind) and check(message):
                        return message
                frame = await self.socket.recv()
                assert isinstance(frame, str)
                self.frames.append(frame)
                self.messages += decode_server(frame)

    async def ask(self, message: ClientMessage) -> Ok:
        await self.say(message)
        return await self.hear(Ok, lambda ok: ok.id == message.id)

    async def closed(self) -> int:
        """The code with which the server closes."""
        async with asyncio.timeout(20):
            with suppress(ConnectionClosed):
                while True:
                    self.messages += decode_server(await self.socket.recv())
        return self.socket.close_code or 0


@asynccontextmanager
async def client(url: str, name: str = "", *, batch: bool = False, token: str | None = None) -> AsyncGenerator[Wire]:
    """A connection; with a name, one that has said hello."""
    subprotocols = [Subprotocol(SUBPROTOCOL)]
    async with connect(url, subprotocols=subprotocols, compression=None, proxy=None, close_timeout=1) as socket:
        wire = Wire(socket)
        if name:
            await wire.say(Hello(wire.number(), 1, "test", "bot", name, token, batch))
            await wire.hear(Ok)
        yield wire


async def raw(port: int, *, buffer: int | None = None, source: str = "127.0.0.1") -> socket.socket:
    """A socket after the handshake, on which a test writes what it likes and reads what it likes."""
    loop = asyncio.get_running_loop()
    link = socket.socket()
    link.bind((source, 0))
    link.setblocking(False)
    if buffer is not None:
        link.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, buffer)
    await loop.sock_connect(link, ("127.0.0.1", port))
    request = (
        f"GET / HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        f"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n"
        f"Sec-WebSocket-Protocol: {SUBPROTOCOL}\r\n\r\n"
    )
    await loop.sock_sendall(link, request.encode())
    answer = b""
    while not answer.endswith(b"\r\n\r\n"):
        answer += await loop.sock_recv(link, 1)
    assert answer.startswith(b"HTTP/1.1 101")
    return link


async def close_code(link: socket.socket) -> int:
    """The code of the close frame at the end of what the server sent."""
    loop = asyncio.get_running_loop()
    received = b""
    async with asyncio.timeout(20):
        while chunk := await loop.sock_recv(link, 65536):
            received += chunk
    link.close()
    at = received.rindex(b"\x88")
    code: int = struct.unpack("!H", received[at + 2 : at + 4])[0]
    return code


async def seated(one: Wire, two: Wire, game: str = "morpion", clock: Clock | None = None) -> str:
    """A match in which `one` moves first."""
    opened = await one.ask(Create(one.number(), game, clock, seat="first"))
    assert isinstance(opened.match, str)
    await two.ask(Join(two.number(), opened.match))
    return opened.match
