"""Who may connect: the handshake's host and origin, how many connections there are, and how many from one address.

A page of another site must not use its reader's browser to reach this server. Browsers send the origin of a page (RFC
6455, section 10.2), and only the server's own page, or one that the operator named, may connect. Programs send no
Origin, and need none.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from http import HTTPStatus
from ipaddress import IPv4Network, IPv6Network
from typing import NamedTuple
from urllib.parse import SplitResult, urlsplit

from websockets.datastructures import Headers

from server.admission.host_names import is_ours, name_of
from server.ratelimit import AddressMeter, Rates, address_key, parse_address

RETRY_SECONDS = 5
"""How long a full server asks the clients that it turns away to wait."""

_PORTS = {"http": 80, "https": 443}
_KEPT = 1000
"""Meters of addresses that may wait to be thrown away."""

_TOLD = 16
"""Connections of an address beyond its share that are still told so; more are cut off without a word."""

Network = IPv4Network | IPv6Network


@dataclass(frozen=True, slots=True)
class GateOptions:
    """What the operator allows.

    connections: at once, in all; from_address: from one address, unless it is in a network that is trusted (proxies,
    the operator's own bots). origins: pages of other sites that may connect, as "https://games.example".
    names: what this server is called, besides its addresses and localhost; None if any name will do.
    """

    connections: int = 20_000
    from_address: int = 500
    trusted: tuple[Network, ...] = ()
    origins: frozenset[str] = frozenset()
    names: frozenset[str] | None = field(default=None)


class HandshakeRefusal(NamedTuple):
    """Why a handshake is refused, as an HTTP answer; reason: what the metric calls it."""

    status: HTTPStatus
    reason: str
    text: str
    retry_seconds: int | None = None


class Gate:
    """Counts the connections, by address, and decides on each handshake."""

    def __init__(self, options: GateOptions, rates: Rates) -> None:
        self._options = options
        self._rates = rates
        self._meters: dict[str, AddressMeter] = {}
        self._sweep_at = _KEPT
        self.connections = 0

    def is_trusted(self, host: str) -> bool:
        """Whether the operator said that connections from `host` are not bounded."""
        address = parse_address(host)
        return address is not None and any(address in network for network in self._options.trusted)

    def enter(self, host: str, now: float) -> AddressMeter:
        """Counts a new connection from `host`; returns the meter of its address.

        A trusted address has one of its own, not that of the network around it.
        """
        self.connections += 1
        trusted = self.is_trusted(host)
        key = f"trusted {host}" if trusted else address_key(host)
        meter = self._meters.get(key)
        if meter is None:
            if len(self._meters) >= self._sweep_at:
                self._sweep(now)
            meter = self._meters[key] = AddressMeter(self._rates, trusted=trusted)
        meter.connections += 1
        return meter

    def leave(self, meter: AddressMeter) -> None:
        """A connection that was counted is over."""
        self.connections -= 1
        meter.connections -= 1

    def is_full(self) -> bool:
        """Whether there are more connections than there may be."""
        return self.connections > self._options.connections

    def is_crowded(self, meter: AddressMeter) -> bool:
        """Whether an address has more connections than it may."""
        return not meter.trusted and meter.connections > self._options.from_address

    def overrun(self, meter: AddressMeter) -> bool:
        """Whether too many connections even wait for their 503."""
        if self.connections > 2 * self._options.connections:
            return True
        return not meter.trusted and meter.connections > self._options.from_address + _TOLD

    def misdirected(self, headers: Headers) -> HandshakeRefusal | None:
        """Why a request for any path is refused: it calls us by a name that is not ours."""
        hosts, names = headers.get_all("Host"), self._options.names
        if names is None or is_ours(hosts, names):
            return None
        name = next((name for host in hosts if (name := name_of(host)) is not None), None)
        asked = name if name is not None and name.isascii() and name.isprintable() else "NAME"
        text = f"This server does not go by that name. If it should, start it with --host-name {asked[:255]}\n"
        return HandshakeRefusal(HTTPStatus.MISDIRECTED_REQUEST, "host", text)

    def check(self, meter: AddressMeter, headers: Headers) -> HandshakeRefusal | None:
        """Why the handshake of a connection that was counted is refused; None if it is not."""
        if not self._allows(headers.get_all("Origin"), headers.get_all("Host")):
            return HandshakeRefusal(
                HTTPStatus.FORBIDDEN, "origin", "Pages of other sites may not connect to this server.\n"
            )
        if self.is_full():
            return HandshakeRefusal(
                HTTPStatus.SERVICE_UNAVAILABLE, "full", "This server has as many connections as it may.\n",
                RETRY_SECONDS,
            )  # fmt: skip
        if self.is_crowded(meter):
            return HandshakeRefusal(
                HTTPStatus.SERVICE_UNAVAILABLE, "address_full", "Your address has as many connections as it may.\n",
                RETRY_SECONDS,
            )  # fmt: skip
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
        split = (_split(origin) for origin in self._options.origins)
        return [_place(origin, origin.scheme) for origin in split if origin is not None]

    def _sweep(self, now: float) -> None:
        self._meters = {key: meter for key, meter in self._meters.items() if not meter.is_idle(now)}
        self._sweep_at = 2 * len(self._meters) + _KEPT


def is_origin(text: str) -> bool:
    """Whether `text` is an origin as browsers write it: a scheme and a host, perhaps a port, nothing more."""
    split = _split(text)
    return split is not None and split.scheme in _PORTS and not (split.path or split.query or split.fragment)


def _split(text: str) -> SplitResult | None:
    try:
        split = urlsplit(text)
        valid = split.hostname and split.port != 0 and split.username is None
    except ValueError:
        return None
    return split if valid else None


def _place(split: SplitResult, scheme: str) -> tuple[str, str | None, int]:
    return scheme, split.hostname, split.port or _PORTS[scheme]
