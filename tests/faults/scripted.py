"""A server made of bytes: it answers each connection as a script says, however wrong that is. The client's counterpart
of `rawsocket`.
"""

from __future__ import annotations

import asyncio
import base64
import hashlib
import json
import socket
import struct
from collections.abc import Awaitable, Callable
from contextlib import suppress
from types import TracebackType
from typing import Any, Self

from tests.faults.rawsocket import CLOSE, frame, masked

GUID = b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
LIMITS = {"max_frame_bytes": 65536, "max_batch": 512, "max_chat": 300, "max_matches": 100, "absence_ms": 60_000}
TOP_ROW = ("a3", "b3", "c3", "a2", "b2", "c2", "a1", "b1", "c1")

Message = dict[str, Any]


def welcome(**fields: Any) -> Message:
    """A welcome that is right but for `fields`."""
    return {
        "type": "welcome", "protocol": 1, "session": "s", "token": "t", "name": "Ada", "features": ["batch"],
        "games": ["othello", "morpion"], "limits": LIMITS, "server_time_ms": 0,
    } | fields  # fmt: skip


def snapshot(**fields: Any) -> Message:
    """A match of morpion that waits for the first player's first move, right but for `fields`."""
    players = [{"name": "Ada", "kind": "human"}, {"name": "Eve", "kind": "human"}]
    return {
        "type": "snapshot", "match": "m", "seq": 1, "game": "morpion", "status": "playing", "players": players,
        "seat": 1, "moves": [], "ply": 0, "to_move": 1, "legal": list(TOP_ROW),
    } | fields  # fmt: skip


def your_turn(**fields: Any) -> Message:
    """It is the first player's first turn."""
    return {"type": "your_turn", "match": "m", "ply": 0, "legal": list(TOP_ROW)} | fields


class Peer:
    """One connection of a client; `number` counts them from 1."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, number: int) -> None:
        self.reader, self.writer, self.number = reader, writer, number
        self.kind = ""
        self.heard: list[Message] = []

    async def raw(self, *chunks: bytes) -> None:
        """Writes bytes and waits until they are on their way."""
        self.writer.write(b"".join(chunks))
        await self.writer.drain()
        await asyncio.sleep(0)  # draining alone gives nobody else a turn

    async def request(self) -> dict[str, str]:
        """Reads the request for a WebSocket; its headers."""
        head = (await self.reader.readuntil(b"\r\n\r\n")).decode()
        lines = [line.partition(": ") for line in head.split("\r\n")[1:] if line]
        return {name.lower(): value for name, _, value in lines}

    async def shake_hands(self, *, key: str | None = None, subprotocol: str | None = "arbitre.v1") -> None:
        """The opening handshake, right unless told otherwise."""
        headers = await self.request()
        right = base64.b64encode(hashlib.sha1(headers["sec-websocket-key"].encode() + GUID).digest()).decode()
        chosen = "" if subprotocol is None else f"Sec-WebSocket-Protocol: {subprotocol}\r\n"
        await self.raw(
            f"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            f"Sec-WebSocket-Accept: {key or right}\r\n{chosen}\r\n".encode()
        )

    async def say(self, *messages: Message) -> None:
        """One frame with these messages."""
        await self.raw(frame(json.dumps(messages).encode(), mask=None))

    async def hear(self) -> list[Message]:
        """The messages of the client's next text frame, which are added to `heard`; none for other frames."""
        first, second = await self.reader.readexactly(2)
        size = second & 127
        if size == 126:
            (size,) = struct.unpack("!H", await self.reader.readexactly(2))
        elif size == 127:
            (size,) = struct.unpack("!Q", await self.reader.readexactly(8))
        mask = await self.reader.readexactly(4)
        payload = masked(await self.reader.readexactly(size), mask)
        if first & 15 == CLOSE:
            raise ConnectionError
        if first & 15 != 1:
            return []
        read = json.loads(payload)
        messages: list[Message] = read if isinstance(read, list) else [read]
        self.heard += messages
        return messages

    async def let_in(self, **fields: Any) -> None:
        """Handshake, hello and welcome."""
        await self.shake_hands()
        (hello,) = await self.hear()
        self.kind = hello["kind"]
        await self.say(welcome(**fields), {"type": "ok", "id": hello["id"]})

    async def seat(self, *extra: Message, **fields: Any) -> None:
        """Lets the client in and to a seat of match "m": a bot is invited, a person's `create` is answered."""
        await self.let_in(**fields)
        if self.kind == "bot":
            await self.say({"type": "invitation", "match": "m", "game": "morpion", "by": "Eve", "seat": 1})
        while True:
            for message in await self.hear():
                match message["type"]:
                    case "list":
                        await self.say({"type": "ok", "id": message["id"], "matches": [], "players": []})
                    case "create" | "join":
                        await self.say({"type": "ok", "id": message["id"], "match": "m"}, *(extra or (snapshot(),)))
                        return
                    case _:
                        pass

    async def listen(self) -> None:
        """Reads for ever, and answers pings."""
        while True:
            await self.hear()

    async def hold(self) -> None:
        """Does nothing for ever."""
        await asyncio.Event().wait()

    def reset(self) -> None:
        """Ends the connection with a reset."""
        link: socket.socket = self.writer.get_extra_info("socket")
        link.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.writer.transport.abort()


Script = Callable[[Peer], Awaitable[None]]


class ScriptedServer:
    """As an async context manager: plays `script` to each client, then closes the connection; counts the dials.

    came: set with the first of them.
    """

    def __init__(self, script: Script) -> None:
        self._script = script
        self._tasks: set[asyncio.Task[None]] = set()
        self.peers: list[Peer] = []
        self.errors: list[BaseException] = []
        self.port = 0
        self.came = asyncio.Event()

    @property
    def dials(self) -> int:
        """How often clients have come."""
        return len(self.peers)

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._take, "127.0.0.1", 0)
        self.port = self._server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._server.close()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        for peer in self.peers:
            peer.writer.transport.abort()
        await asyncio.sleep(0)

    async def _take(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        peer = Peer(reader, writer, self.dials + 1)
        self.peers.append(peer)
        self.came.set()
        task = asyncio.create_task(self._play(peer))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _play(self, peer: Peer) -> None:
        try:
            await self._script(peer)
        except (OSError, asyncio.IncompleteReadError):
            pass  # the client has left
        except Exception as error:  # noqa: BLE001 - a mistake of the script, which the test is to show
            self.errors.append(error)
        finally:
            with suppress(Exception):
                peer.writer.close()
