"""What the system knows of the other end of a connection: Linux tells of each TCP connection (tcp(7), TCP_INFO).

Acknowledgements come from the other machine's system, not from the program there, so a program that is busy still
counts as present. If there is a proxy, they come from it. On other systems, or over anything but TCP, nothing is known.
"""

from __future__ import annotations

import math
import socket
import struct
import sys
from typing import Final, Protocol

_BYTES: Final = 80
"""What is read of `struct tcp_info` (linux/tcp.h); below, the places in it of milliseconds."""

_LAST_DATA_RECEIVED: Final = 52
_LAST_ACK_RECEIVED: Final = 56
_WORD: Final = struct.Struct("=I")


class Socket(Protocol):
    """What is asked of a socket."""

    @property
    def family(self) -> int:
        """Its address family."""
        ...

    def getsockopt(self, level: int, name: int, size: int, /) -> bytes:
        """The value of an option."""
        ...


def silent_s(connection: Socket | None) -> float:
    """For how many seconds the other machine has acknowledged nothing; infinite if that can't be told."""
    known = _known(connection)
    if known is None:
        return math.inf
    return min(_word(known, _LAST_ACK_RECEIVED), _word(known, _LAST_DATA_RECEIVED)) / 1000


def _word(known: bytes, place: int) -> int:
    word: int = _WORD.unpack_from(known, place)[0]
    return word


def _known(connection: Socket | None) -> bytes | None:
    if not sys.platform.startswith("linux") or connection is None:
        return None
    if connection.family not in (socket.AF_INET, socket.AF_INET6):
        return None
    try:
        known = connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, _BYTES)
    except OSError:
        return None
    return known if len(known) == _BYTES else None
