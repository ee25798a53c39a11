"""Announces servers that there are not, as fast as it can: names with signs for terminals, addresses of everybody."""

from __future__ import annotations

import itertools
import socket
import struct

GROUP = ("224.0.0.251", 5353)
TYPE = b"\x08_arbitre\x04_tcp\x05local\x00"
FOREVER = 4500


def label(text: bytes) -> bytes:
    return bytes([len(text)]) + text


def record(name: bytes, kind: int, data: bytes) -> bytes:
    return name + struct.pack(">HHIH", kind, 1, FOREVER, len(data)) + data


def announcement(number: int) -> bytes:
    """One response with PTR, SRV, TXT and A of a server."""
    name = label((f"\x1b]0;owned\x07{number}" if number % 2 else f"n{number}").encode()) + TYPE
    host = label(f"h{number}".encode()) + b"\x05local\x00"
    address = bytes([(127, 10, 192, 8)[number % 4], 231, 78, number % 256])
    records = (
        record(TYPE, 12, name),
        record(name, 33, struct.pack(">HHH", 0, 0, 9100 if number % 3 else 8765) + host),
        record(name, 16, label(b"v=1")),
        record(host, 1, address),
    )
    return struct.pack(">HHHHHH", 0, 0x8400, 0, len(records), 0, 0) + b"".join(records)


def main() -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as door:
        door.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        door.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        door.bind(("", GROUP[1]))  # only what comes from this port is heard
        own = socket.inet_aton("10.231.78.10")
        door.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_IF, own)
        for number in itertools.count():
            door.sendto(announcement(number % 20_000), GROUP)


if __name__ == "__main__":
    main()
