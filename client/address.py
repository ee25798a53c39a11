"""Where a server is, as people type it: "ada-laptop", "192.168.1.7:9000", "[fe80::1]", "wss://games.school.example"."""

from __future__ import annotations

import re
from urllib.parse import urlsplit

from client.errors import AddressError
from locales import _

DEFAULT_PORT = 8765
"""Where a server listens when nothing else is said."""

LOCAL = f"ws://127.0.0.1:{DEFAULT_PORT}"
"""The server of this machine."""

_SCHEMES = {"ws": "ws", "wss": "wss", "http": "ws", "https": "wss"}
_TLS_PORT = 443
_PIN = "#sha256="
_JOIN = "join="
_FINGERPRINT = re.compile(r"[0-9a-f]{64}", re.ASCII)
_LINK = re.compile(r"[A-Za-z0-9_-]{22}", re.ASCII)
_HOST = re.compile(r"[0-9A-Za-z._%:-]{1,253}", re.ASCII)


def parse(text: str) -> str:
    """The WebSocket address that `text` means: always with its port; raises AddressError.

    After wss:// an address may end in #sha256= and the fingerprint of the server's certificate: no other is accepted.
    http:// and https:// are taken as what their page is served beside; wss:// without a port is 443, all else 8765.
    """
    typed = text.strip()
    scheme, found, rest = typed.partition("://")
    if not found:
        scheme, rest = "ws", typed
    rest, marked, pin = rest.partition("#")
    secure = _SCHEMES.get(scheme.lower())
    if secure is None:
        raise AddressError(
            _("{address}: an address starts with ws:// or wss://, or with neither.").format(address=text)
        )
    if not rest or any(character.isspace() for character in rest):
        raise AddressError(_unreadable(text))
    if rest.count(":") > 1 and "[" not in rest:
        raise AddressError(_("{address}: write an IPv6 address in brackets: [::1]:8765.").format(address=text))
    try:
        parts = urlsplit(f"{secure}://{rest}")
        host, port = parts.hostname, parts.port
    except ValueError as error:
        raise AddressError(_unreadable(text)) from error
    if not host or not _HOST.fullmatch(host) or port == 0 or parts.username is not None or rest.endswith(":"):
        raise AddressError(_unreadable(text))
    end = _pin(text, pin, secure) if marked else ""
    shown = f"[{host}]" if ":" in host else host
    path = "" if parts.path == "/" else parts.path
    return f"{secure}://{shown}:{port or (_TLS_PORT if secure == 'wss' else DEFAULT_PORT)}{path}{end}"


def split_invitation(text: str) -> tuple[str, str | None]:
    """An address as it was typed, without the invitation in it, and that: the link of a match, None without one.

    An invitation is `#join=` and the link; after a fingerprint it is `&join=`. Raises AddressError for one that is not
    whole.
    """
    address, marked, end = text.partition("#")
    parts = end.split("&")
    links = [part.removeprefix(_JOIN) for part in parts if part.startswith(_JOIN)]
    if not marked or len(links) != 1:
        return text, None
    if not _LINK.fullmatch(links[0]):
        raise AddressError(_("The invitation in this address is not whole: copy it again, to its end."))
    rest = "&".join(part for part in parts if not part.startswith(_JOIN))
    return (f"{address}#{rest}" if rest else address), links[0]


def with_invitation(url: str, link: str) -> str:
    """The shortest way to type `url` and the link of a match at once."""
    shown = short(url)
    return f"{shown}{'&' if '#' in shown else '#'}{_JOIN}{link}"


def page_of(url: str, path: str) -> str:
    """The address of a view of the server's page, for a browser."""
    return f"http{split_pin(url)[0].removeprefix('ws').rstrip('/')}{path}"


def split_pin(url: str) -> tuple[str, str | None]:
    """`url` without its fingerprint, and the fingerprint: the SHA-256 of a certificate in hex, None without one."""
    address, _marked, pin = url.partition(_PIN)
    return address, pin or None


def _pin(text: str, typed: str, scheme: str) -> str:
    """The end of an address; raises AddressError unless it is a fingerprint, with or without colons between bytes."""
    name, _equals, value = typed.partition("=")
    pin = value.replace(":", "").lower()
    if name.lower() != "sha256" or not _FINGERPRINT.fullmatch(pin) or scheme != "wss":
        raise AddressError(
            _("{address}: after wss://host:port there may be #sha256= and the 64 digits that the server shows.").format(
                address=text
            )
        )
    return f"{_PIN}{pin}"


def short(url: str) -> str:
    """`url`, as `parse` made it, in the shortest way to type it."""
    return url.removeprefix("ws://").removesuffix(f":{DEFAULT_PORT}")


def _unreadable(text: str) -> str:
    return _("{address}: an address is a host and a port, as in 192.168.1.7:8765.").format(address=text)
