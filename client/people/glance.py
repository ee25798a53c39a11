"""A look into a server without a session: `GET /lobby`, in a bounded time, with a bounded answer, without a secret."""

from __future__ import annotations

import asyncio
import ssl
from dataclasses import dataclass
from typing import Final
from urllib.parse import urlsplit

from msgspec import MsgspecError
from msgspec.json import Decoder

from client.address import split_pin
from protocol.values import LobbyPage

ANSWER_S: Final = 1.0
"""How long an answer may take."""

LONGEST: Final = 128 * 1024
"""Bytes of an answer that are read."""

_END = b"\r\n\r\n"
_READ = 16 * 1024
_decoder: Final[Decoder[LobbyPage]] = Decoder(LobbyPage)


@dataclass(frozen=True, slots=True)
class Glance:
    """What was seen. lobby: None if something else answers there; rtt_ms: from the question to the first byte."""

    rtt_ms: int
    lobby: LobbyPage | None


async def look(url: str, within_s: float = ANSWER_S) -> Glance | None:
    """What the server at `url` answers to somebody who looks in; None if nobody can be reached there in time.

    The certificate is not checked: nothing secret is sent, and the answer is public.
    """
    try:
        async with asyncio.timeout(within_s):
            return await _look(url)
    except (OSError, ValueError):  # OSError includes TimeoutError; ValueError: an invalid host name
        return None


async def _look(url: str) -> Glance:
    place = urlsplit(split_pin(url)[0])
    secure = place.scheme == "wss"
    shown = f"[{place.hostname}]" if ":" in (place.hostname or "") else place.hostname or ""
    reader, writer = await asyncio.open_connection(place.hostname, place.port, ssl=_unchecked() if secure else None)
    try:
        now = asyncio.get_running_loop().time
        asked = now()
        host = f"{shown.partition('%')[0]}{']' if '%' in shown else ''}:{place.port}"
        writer.write(
            f"GET /lobby HTTP/1.1\r\nHost: {host}\r\nAccept: application/json\r\nConnection: close\r\n\r\n".encode()
        )
        answer = await reader.read(_READ)
        rtt_ms = round((now() - asked) * 1000)
        while len(answer) <= LONGEST and (more := await reader.read(_READ)):
            answer += more
    finally:
        writer.transport.abort()
    return Glance(rtt_ms, _read(answer))


def _read(answer: bytes) -> LobbyPage | None:
    head, _end, body = answer.partition(_END)
    if not head.startswith(b"HTTP/1.1 200 ") or len(answer) > LONGEST:
        return None
    try:
        return _decoder.decode(body)
    except (MsgspecError, UnicodeDecodeError, RecursionError):
        return None


def _unchecked() -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    return context
