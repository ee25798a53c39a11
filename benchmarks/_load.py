"""The load generator: many WebSocket connections on plain sockets, one thread, and no more work than it takes.

Frames are built before the clock starts. They are masked with the key 0, so that a payload stays as it is; the server
can't tell and unmasks it like any other. Frames are read without looking at the JSON.
"""

from __future__ import annotations

import base64
import selectors
import socket
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from benchmarks._measure import BenchError
from protocol import SUBPROTOCOL

_KEY = base64.b64encode(b"arbitre-relay-16").decode()
_PING = 0x89
_CLOSE = 0x88
_PATIENCE = 60.0
"""Seconds without an answer after which a run is given up."""


def frame(payload: bytes, first: int = 0x81) -> bytes:
    """A client's frame (by default a whole text message)."""
    size = len(payload)
    if size < 126:
        header = bytes((first, 0x80 | size))
    elif size < 65536:
        header = bytes((first, 0x80 | 126)) + size.to_bytes(2, "big")
    else:
        header = bytes((first, 0x80 | 127)) + size.to_bytes(8, "big")
    return header + b"\0\0\0\0" + payload


class Connection:
    """One WebSocket connection: `receive` gives the payloads of the text frames that have arrived."""

    __slots__ = ("_rest", "socket")

    def __init__(self, port: int, path: str = "/", source: str | None = None) -> None:
        """Connects, from the address `source` if there is one."""
        whence = None if source is None else (source, 0)
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=_PATIENCE, source_address=whence)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.socket.sendall(
            f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            f"Sec-WebSocket-Key: {_KEY}\r\nSec-WebSocket-Version: 13\r\n"
            f"Sec-WebSocket-Protocol: {SUBPROTOCOL}\r\n\r\n".encode()
        )
        answer = b""
        while b"\r\n\r\n" not in answer:
            data = self.socket.recv(65536)
            if not data:
                raise BenchError(f"the server refused a connection: {answer[:80]!r}")
            answer += data
        head, _, self._rest = answer.partition(b"\r\n\r\n")
        if b" 101 " not in head.split(b"\r\n")[0]:
            raise BenchError(f"the server refused a connection: {head[:80]!r}")

    def send(self, payload: bytes) -> None:
        """Sends one text message."""
        self.socket.sendall(frame(payload))

    def receive(self) -> list[bytes]:
        """The payloads that one read brings, maybe none; raises BenchError when the server closes."""
        data = self.socket.recv(262144)
        if not data:
            raise BenchError("the server closed a connection")
        data = self._rest + data if self._rest else data
        payloads: list[bytes] = []
        start = 0
        while (found := _frame_at(data, start)) is not None:
            begin, end = found
            first, start = data[start], end
            if first == _PING:
                self.socket.sendall(frame(data[begin:end], 0x8A))
            elif first == _CLOSE:
                raise BenchError(f"the server closed a connection: {data[begin:end]!r}")
            else:
                payloads.append(data[begin:end])
        self._rest = data[start:]
        return payloads

    def receive_until(self, word: bytes, count: int = 1) -> list[bytes]:
        """The payloads up to the one in which `word` stands for the `count`th time."""
        payloads: list[bytes] = []
        while count > 0:
            for payload in self.receive():
                payloads.append(payload)
                count -= payload.count(word)
        return payloads


def _frame_at(data: bytes, start: int) -> tuple[int, int] | None:
    """Where the payload of the server's frame at `start` begins and ends, if it is there as a whole."""
    if len(data) < start + 2:
        return None
    size, begin = data[start + 1], start + 2
    if size >= 126:
        wide = 2 if size == 126 else 8
        size, begin = int.from_bytes(data[begin : begin + wide], "big"), begin + wide
    return (begin, begin + size) if len(data) >= begin + size else None


@dataclass(slots=True)
class Pair:
    """Two players and the moves that they will make: each is the player's number, 0 or 1, and the frame to send.

    A player sends their next move as soon as they have heard of the one before.
    """

    players: tuple[Connection, Connection]
    script: Sequence[tuple[int, bytes]]
    sent: int = 0
    heard: list[int] = field(default_factory=lambda: [0, 0])
    over: bool = False

    def listen(self, number: int, moves: int) -> bool:
        """Player `number` heard of `moves` more; True once, when both have heard of every move."""
        self.heard[number] += moves
        if self.over or min(self.heard) < len(self.script):
            return False
        self.over = True
        return True


@dataclass(slots=True)
class Traffic:
    """What a run took: moves made, seconds it lasted, frames and payload bytes that the players got."""

    moves: int = 0
    seconds: float = 0.0
    frames: int = 0
    received: int = 0


def play(pairs: Sequence[Pair], moves_in: Callable[[bytes], int]) -> Traffic:
    """Lets all pairs play their scripts at once; `moves_in` counts the moves that a payload tells of."""
    traffic = Traffic(moves=sum(len(pair.script) for pair in pairs))
    selector = selectors.DefaultSelector()
    for pair in pairs:
        for number, player in enumerate(pair.players):
            selector.register(player.socket, selectors.EVENT_READ, (pair, number))
    running = len(pairs)
    start = time.perf_counter()
    for pair in pairs:
        _send_next(pair, pair.script[0][0])
    while running:
        ready = selector.select(_PATIENCE)
        if not ready:
            raise BenchError(f"no answer for {_PATIENCE:.0f} s: {running} games did not end")
        for key, _ in ready:
            pair, number = key.data
            for payload in pair.players[number].receive():
                traffic.frames += 1
                traffic.received += len(payload)
                running -= pair.listen(number, moves_in(payload))
            if pair.heard[number] == pair.sent:
                _send_next(pair, number)
    traffic.seconds = time.perf_counter() - start
    selector.close()
    return traffic


def _send_next(pair: Pair, number: int) -> None:
    """Lets player `number` make the next move, if it is theirs."""
    if pair.sent < len(pair.script) and pair.script[pair.sent][0] == number:
        pair.players[number].socket.sendall(pair.script[pair.sent][1])
        pair.sent += 1
