"""A client made of bytes: it writes what a test likes, reads when a test likes, and answers nothing by itself."""

from __future__ import annotations

import json
import select
import socket
import struct
from contextlib import suppress
from types import TracebackType
from typing import Any, Self

MASK = b"\x1f\x2e\x3d\x4c"
TEXT, BINARY, CLOSE, PING, PONG = 1, 2, 8, 9, 10
PATIENCE_S = 20.0
"""How long a test waits for what must come soon: much, for a machine with other work."""


def masked(payload: bytes, mask: bytes = MASK) -> bytes:
    """`payload` under a mask (or uncovered again)."""
    return bytes(byte ^ mask[index % 4] for index, byte in enumerate(payload))


def frame(
    payload: bytes = b"", opcode: int = TEXT, *, final: bool = True, reserved: int = 0, mask: bytes | None = MASK
) -> bytes:
    """A frame of RFC 6455, section 5.2, right or wrong."""
    size, covered = len(payload), 0 if mask is None else 0x80
    first = bytes((0x80 * final | reserved << 4 | opcode,))
    if size < 126:
        header = bytes((covered | size,))
    elif size < 1 << 16:
        header = bytes((covered | 126,)) + struct.pack("!H", size)
    else:
        header = bytes((covered | 127,)) + struct.pack("!Q", size)
    return first + header + (payload if mask is None else mask + masked(payload, mask))


def said(**fields: object) -> bytes:
    """A frame with a message."""
    return frame(json.dumps(fields).encode())


def request(port: int, path: str = "/", extra: str = "") -> bytes:
    """The request that opens a WebSocket connection."""
    return (
        f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        f"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n"
        f"Sec-WebSocket-Protocol: arbitre.v1\r\n{extra}\r\n"
    ).encode()


def first_frame(data: bytes) -> tuple[int, bytes, bytes] | None:
    """The opcode and payload of the first frame that a server sent, and what follows it; None if it is not whole."""
    if len(data) < 2:
        return None
    size, start = data[1], 2
    if size == 126:
        size, start = int.from_bytes(data[2:4], "big"), 4
    elif size == 127:
        size, start = int.from_bytes(data[2:10], "big"), 10
    if len(data) < start + size:
        return None
    return data[0] & 15, data[start : start + size], data[start + size :]


class RawSocket:
    """A connection of one's own. Reads fail after PATIENCE_S, so that no test hangs. source: whence it comes."""

    def __init__(
        self, port: int, *, host: str = "127.0.0.1", buffer: int | None = None, source: str | None = None
    ) -> None:
        self.port = port
        self.link = socket.socket()
        self.link.settimeout(PATIENCE_S)
        if source is not None:
            self.link.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)  # what it leaves keeps no port from others
            self.link.bind((source, 0))
        if buffer is not None:
            self.link.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, buffer)
        self.link.connect((host, port))
        self._read = b""
        self._asked = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.link.close()

    def send(self, *chunks: bytes) -> None:
        """Writes bytes in one go; a server that has gone away is no error here."""
        with suppress(ConnectionError):
            self.link.sendall(b"".join(chunks))

    def say(self, **fields: object) -> int:
        """Writes a message; returns its number."""
        self._asked += 1
        self.send(said(id=self._asked, **fields))
        return self._asked

    def shake_hands(self, behind: bytes = b"") -> str:
        """The opening handshake, with `behind` right behind its request; returns what the server answered."""
        self.send(request(self.port), behind)
        head = self.head()
        assert head.startswith("HTTP/1.1 101"), head
        return head

    def head(self) -> str:
        """The head of an HTTP answer; empty if the server closes without one."""
        while b"\r\n\r\n" not in self._read:
            if not self._more():
                return ""
        head, _, self._read = self._read.partition(b"\r\n\r\n")
        return head.decode()

    def rest(self) -> bytes:
        """All that comes until the server closes."""
        while self._more():
            pass
        rest, self._read = self._read, b""
        return rest

    def hello(self, name: str = "raw", **fields: object) -> dict[str, Any]:
        """Handshake and hello; returns the `welcome`."""
        self.shake_hands()
        self.say(type="hello", protocol=1, client="raw", kind="bot", name=name, **fields)
        return self.hear("welcome")

    def frame(self) -> tuple[int, bytes] | None:
        """The next frame (opcode and payload) that the server sent; None after the end."""
        while (found := self._first()) is None:
            if not self._more():
                return None
        return found

    def hear(self, kind: str) -> dict[str, Any]:
        """The next message of a type."""
        while (received := self.frame()) is not None:
            if received[0] == TEXT:
                message: dict[str, Any] = json.loads(received[1])
                if message["type"] == kind:
                    return message
        raise AssertionError(f"the connection ended before {kind!r}")

    def ask(self, **fields: object) -> dict[str, Any]:
        """Writes a message; returns what answers it: `ok` or `error`."""
        number = self.say(**fields)
        while (received := self.frame()) is not None:
            if received[0] == TEXT:
                message: dict[str, Any] = json.loads(received[1])
                if message["type"] in ("ok", "error") and message.get("id") == number:
                    return message
        raise AssertionError("the connection ended before the answer")

    def close_code(self) -> int:
        """The code with which the server closes; 0 if it cuts off without a word."""
        code = 0
        while (received := self.frame()) is not None:
            if received[0] == CLOSE:
                code = struct.unpack("!H", received[1][:2])[0] if received[1] else 1005
        return code

    def wait_for_end(self) -> None:
        """Waits, without reading, until the server has cut the connection off."""
        poll = select.poll()
        poll.register(self.link, 0)
        assert poll.poll(PATIENCE_S * 1000), "the connection is still there"

    def _more(self) -> bool:
        try:
            chunk = self.link.recv(1 << 16)
        except ConnectionError:
            return False
        self._read += chunk
        return bool(chunk)

    def _first(self) -> tuple[int, bytes] | None:
        found = first_frame(self._read)
        if found is None:
            return None
        kind, payload, self._read = found
        return kind, payload
