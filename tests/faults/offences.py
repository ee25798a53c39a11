"""What clients send that break RFC 6455, or good manners: each with the code that closes the connection."""

from __future__ import annotations

import time
import zlib

from tests.faults.rawsocket import BINARY, CLOSE, MASK, PING, RawSocket, frame, said

HELLO = {"type": "hello", "protocol": 1, "client": "raw", "kind": "bot"}
LONGEST = 1 << 16


def deflated(size: int) -> bytes:
    """So many spaces, compressed."""
    return zlib.compress(b" " * size)


OFFENCES: dict[str, tuple[bytes, int]] = {
    "a frame that is too long": (frame(b" " * (LONGEST + 1)), 1009),
    "2^62 bytes announced": (b"\x81\xff" + (1 << 62).to_bytes(8, "big") + MASK + b"x" * 100, 1009),
    "2^63 bytes announced": (b"\x81\xff" + b"\xff" * 8 + MASK, 1009),
    "parts that are too long together": (frame(b" " * 60_000, final=False) + frame(b" " * 60_000, 0), 1009),
    "empty parts without end": (frame(final=False) + frame(opcode=0, final=False) * 3000, 1009),
    "small parts without end": (frame(b"x", final=False) + frame(b"x", 0, final=False) * 3000, 1009),
    "text that is not UTF-8": (frame(b"\xff\xfe\xfd"), 1007),
    "a surrogate in UTF-8": (frame(b"\xed\xa0\x80"), 1007),
    "a NUL in two bytes": (frame(b"\xc0\x80"), 1007),
    "half a character at the end": (frame("é".encode()[:1]), 1007),
    "no UTF-8 over several parts": (frame(b"\xc3", final=False) + frame(b"", 0, final=False) + frame(b"(", 0), 1007),
    "long text that is not UTF-8": (frame(b"x" * 500 + b"\xff"), 1007),
    "a frame without a mask": (frame(b'{"type":"list","id":1}', mask=None), 1002),
    "an empty frame without a mask": (frame(mask=None), 1002),
    **{f"reserved opcode {code}": (frame(b"x", code), 1002) for code in (3, 4, 5, 6, 7, 11, 12, 13, 14, 15)},
    **{f"reserved bits {bits:03b}": (frame(b"x", reserved=bits), 1002) for bits in range(1, 8)},
    "a deflate bomb, though nothing was agreed": (frame(deflated(1 << 25), reserved=4), 1002),
    "a binary frame": (frame(b"\x00", BINARY), 1003),
    "a binary frame in parts": (frame(b"\x00", BINARY, final=False), 1003),
    "a part of nothing": (frame(b"x", 0), 1002),
    "a new message in the middle of one": (frame(b"x", final=False) + frame(b"{}"), 1002),
    "a ping in parts": (frame(b"x", PING, final=False), 1002),
    "a ping that is too long": (frame(b"x" * 126, PING), 1002),
    "a close frame of one byte": (frame(b"x", CLOSE), 1002),
    "a close code that is none": (frame(b"\x03\xed", CLOSE), 1002),
    "a reason that is not UTF-8": (frame(b"\x03\xe8\xff", CLOSE), 1007),
}


ATTACKS: dict[str, bytes] = {
    **{name: OFFENCES[name][0] for name in (
        "a frame that is too long", "2^62 bytes announced", "empty parts without end", "text that is not UTF-8",
        "a frame without a mask", "a deflate bomb, though nothing was agreed", "a binary frame",
    )},
    "deep nesting": frame(b"[" * 60_000),
    "a message flood": said(type="list", id=1) * 2000,
    "a ping flood": frame(b"x" * 125, PING) * 2000,
    "a flood of nonsense": frame(b"{}") * 2000,
}  # fmt: skip


def attack(port: int, data: bytes, until: float, source: str | None = None) -> None:
    """One bad client, who comes again whenever he was thrown out."""
    while time.monotonic() < until:
        with RawSocket(port, buffer=4096, source=source) as link:
            link.link.settimeout(1)
            try:
                link.shake_hands(behind=said(**HELLO, id=1, name="bad"))
                link.link.sendall(data)
                time.sleep(0.1)
            except (AssertionError, TimeoutError, ConnectionError):
                time.sleep(0.05)
