"""Where a server is, as people type it: "ada-laptop", "192.168.1.7:9000", "[fe80::1]", "wss://games.school.example".

And which match there, if they type that with it: "arbitre://ada-laptop/BATOMI", or the address of its page.
"""

from __future__ import annotations

import re
from urllib.parse import urlsplit

from client.errors import AddressError
from locales import _

DEFAULT_PORT = 8765
"""The default port of a server."""

LOCAL = f"ws://127.0.0.1:{DEFAULT_PORT}"
"""The server of this machine."""

_OWN = "arbitre"
_SCHEMES = {"ws": "ws", "wss": "wss", "http": "ws", "https": "wss", _OWN: "ws"}
_TLS_PORT = 443
_PIN = "#sha256="
_JOIN = "join="
_FINGERPRINT = re.compile(r"[0-9a-f]{64}", re.ASCII)
_LINK = re.compile(r"[A-Za-z0-9_-]{22}", re.ASCII)
_WHICH = {
    _OWN: re.compile(r"()([A-Za-z0-9_-]{1,22})/?", re.ASCII),
    "http": re.compile(r"([jm])/([A-Za-z0-9_-]{1,22})/?", re.ASCII | re.IGNORECASE),
}
_WHICH["https"] = _WHICH["http"]
"""Behind the host: which match. A code, the link of an invitation or a match's id, as `--join` takes them."""

_HOST = re.compile(r"[0-9A-Za-z._%:-]{1,253}", re.ASCII)


def parse(text: str) -> str:
    """The WebSocket address that `text` means: always with its port; raises AddressError.

    After wss:// an address may end in #sha256= and the fingerprint of the server's certificate: no other is accepted.
    http:// and https:// mean the server that serves that page; wss:// without a port is 443, all else 8765.
    arbitre:// is ws://, and with a fingerprint wss://.
    """
    typed = text.strip()
    scheme, found, rest = typed.partition("://")
    if not found:
        scheme, rest = "ws", typed
    rest, marked, pin = rest.partition("#")
    own = scheme.lower() == _OWN
    secure = "wss" if own and marked else _SCHEMES.get(scheme.lower())
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
    return f"{secure}://{shown}:{port or (_TLS_PORT if secure == 'wss' and not own else DEFAULT_PORT)}{path}{end}"


def split_invitation(text: str) -> tuple[str, str | None]:
    """Splits a typed address into the address alone and its invitation: the link of a match, None without one.

    An invitation is `#join=` and the link; after a fingerprint it is `&join=`. In the address of a match's page, or in
    arbitre://host:port/CODE, it is the part that names the match. Raises AddressError if it is incomplete.
    """
    address, named = _split_path(text)
    if named is not None:
        return address, named
    address, marked, end = text.partition("#")
    parts = end.split("&")
    links = [part.removeprefix(_JOIN) for part in parts if part.startswith(_JOIN)]
    if not marked or len(links) != 1:
        return text, None
    if not _LINK.fullmatch(links[0]):
        raise AddressError(_("The invitation in this address is not whole: copy it again, to its end."))
    rest = "&".join(part for part in parts if not part.startswith(_JOIN))
    return (f"{address}#{rest}" if rest else address), links[0]


def _split_path(text: str) -> tuple[str, str | None]:
    """An address without the path that names a match, and what names it."""
    address, marked, end = text.strip().partition("#")
    scheme, _found, rest = address.partition("://")
    host, _slash, path = rest.partition("/")
    pattern = _WHICH.get(scheme.lower())
    found = None if pattern is None else pattern.fullmatch(path)
    if found is None:
        return text, None
    keeps = marked and end.lower().startswith("sha256=")
    return f"{scheme}://{host}{f'#{end}' if keeps else ''}", found[2]


def own_link(url: str, which: str) -> str:
    """`url`, and a match there, in one word: arbitre://host:port/CODE."""
    address, pin = split_pin(url)
    place = address.partition("://")[2].rstrip("/").removesuffix(f":{DEFAULT_PORT}")
    return f"{_OWN}://{place}/{which}{f'{_PIN}{pin}' if pin else ''}"


def with_invitation(url: str, link: str) -> str:
    """The shortest way to type `url` and the link of a match at once."""
    shown = short(url)
    return f"{shown}{'&' if '#' in shown else '#'}{_JOIN}{link}"


def page_of(url: str, path: str) -> str:
    """The address of a view of the server's page, for a browser."""
    return f"http{split_pin(url)[0].removeprefix('ws').rstrip('/')}{path}"


def is_for_others(url: str) -> bool:
    """Whether other machines may reach a server at this address, since it is no loopback address."""
    host = urlsplit(url).hostname or ""
    return not (host.startswith("127.") or host in ("::1", "localhost") or host.endswith(".localhost"))


def split_pin(url: str) -> tuple[str, str | None]:
    """`url` without its fingerprint, and that: the SHA-256 of a certificate in hexadecimal, None without one."""
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
