"""Who may connect: the handshake's origin, how many connections there are, and how many from one address.

The page of another site must not speak to this server with the reader's network behind it: browsers say where a page
comes from (RFC 6455, section 10.2), and only the server's own page, or one that the operator named, gets in. Programs
send no Origin, and need none.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from http import HTTPStatus
from ipaddress import IPv6Address, ip_address
from typing import NamedTuple
from urllib.parse import SplitResult, urlsplit

from websockets.datastructures import Headers

from server.ratelimit import AddressMeter, Rates

RETRY_SECONDS = 5
"""What a full server asks those to wait whom it turns away."""

_PORTS = {"http": 80, "https": 443}
_KEPT = 1000
"""Meters of addresses that may wait to be thrown away."""


@dataclass(frozen=True, slots=True)
class Doors:
    """What the operator allows.

    connections: at once, in all; from_address: from one address, except from this machine itself, where bots, leagues
    and reverse proxies are. origins: pages of other sites that may connect, as "https://games.example".
    """

    connections: int = 20_000
    from_address: int = 500
    own_machine_is_free: bool = True
    origins: frozenset[str] = frozenset()


class Refusal(NamedTuple):
    """Why a handshake is refused, as an HTTP answer."""

    status: HTTPStatus
    text: str
    retry_seconds: int | None = None


class Gate:
    """Counts the connections, by address, and decides on each handshake."""

    def __init__(self, doors: Doors, rates: Rates) -> None:
        self._doors = doors
        self._rates = rates
        self._meters: dict[str, AddressMeter] = {}
        self._sweep_at = _KEPT
        self.connections = 0

    def enter(self, host: str, now: float) -> AddressMeter:
        """Counts a new connection from `host`; returns the meter of its address."""
        self.connections += 1
        key = address_key(host)
        meter = self._meters.get(key)
        if meter is None:
            if len(self._meters) >= self._sweep_at:
                self._sweep(now)
            meter = self._meters[key] = AddressMeter(self._rates)
        meter.connections += 1
        return meter

    def leave(self, meter: AddressMeter) -> None:
        """A connection that was counted is over."""
        self.connections -= 1
        meter.connections -= 1

    def overrun(self) -> bool:
        """Whether even those who wait for their 503 are too many."""
        return self.connections > 2 * self._doors.connections

    def check(self, host: str, meter: AddressMeter, headers: Headers) -> Refusal | None:
        """Why the handshake of a connection that was counted is refused; None if it is not."""
        if not self._allows(headers.get_all("Origin"), headers.get_all("Host")):
            return Refusal(HTTPStatus.FORBIDDEN, "Pages of other sites may not connect to this server.\n")
        if self.connections > self._doors.connections:
            return Refusal(
                HTTPStatus.SERVICE_UNAVAILABLE, "This server has as many connections as it may.\n", RETRY_SECONDS
            )
        exempt = self._doors.own_machine_is_free and _is_own_machine(host)
        if meter.connections > self._doors.from_address and not exempt:
            return Refusal(
                HTTPStatus.SERVICE_UNAVAILABLE, "Your address has as many connections as it may.\n", RETRY_SECONDS
            )
        return None

    def _allows(self, origins: list[str], hosts: list[str]) -> bool:
        if not origins:
            return True
        if len(origins) != 1:
            return False
        origin = _split(origins[0])
        if origin is None or origin.scheme not in _PORTS:
            return False
        if _place(origin, origin.scheme) in self._named():
            return True
        host = _split(f"//{hosts[0]}") if len(hosts) == 1 else None
        return host is not None and _place(host, origin.scheme) == _place(origin, origin.scheme)

    def _named(self) -> Iterable[tuple[str, str | None, int]]:
        split = (_split(origin) for origin in self._doors.origins)
        return [_place(origin, origin.scheme) for origin in split if origin is not None]

    def _sweep(self, now: float) -> None:
        self._meters = {key: meter for key, meter in self._meters.items() if not meter.is_idle(now)}
        self._sweep_at = 2 * len(self._meters) + _KEPT


def address_key(host: str) -> str:
    """What counts as one address: an IPv4 address, or the IPv6 network of one subscriber (its first 64 bits)."""
    try:
        address = ip_address(host.partition("%")[0])
    except ValueError:
        return host
    if isinstance(address, IPv6Address):
        if address.ipv4_mapped is not None:
            return str(address.ipv4_mapped)
        if not (address.is_link_local or address.is_loopback):
            return address.exploded[:19]
    return str(address)


def is_origin(text: str) -> bool:
    """Whether `text` is an origin as browsers write it: a scheme and a host, perhaps a port, nothing more."""
    split = _split(text)
    return split is not None and split.scheme in _PORTS and not (split.path or split.query or split.fragment)


def _is_own_machine(host: str) -> bool:
    try:
        return ip_address(address_key(host)).is_loopback
    except ValueError:
        return False


def _split(text: str) -> SplitResult | None:
    try:
        split = urlsplit(text)
        valid = split.hostname and split.port != 0 and split.username is None
    except ValueError:
        return None
    return split if valid else None


def _place(split: SplitResult, scheme: str) -> tuple[str, str | None, int]:
    return scheme, split.hostname, split.port or _PORTS[scheme]
