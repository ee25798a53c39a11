"""The networks that this machine is on, and which addresses of others are on one of them.

What somebody announces is only dialled if it is on a network of ours: a stranger's announcement must not lead us
anywhere else, least of all back to this machine's own ports.
"""

from __future__ import annotations

import os
import socket
from collections.abc import Iterable, Sequence
from contextlib import suppress
from ipaddress import (
    IPv4Address,
    IPv4Interface,
    IPv6Address,
    IPv6Interface,
    ip_address,
    ip_interface,
)
from typing import Final

Own = IPv4Interface | IPv6Interface
"""An address of this machine, with its network; the scope of a link-local one is the index of its interface."""

Address = IPv4Address | IPv6Address

WIDEST: Final = {4: 12, 6: 48}
"""The shortest prefix of what counts as a network around us: a tunnel that takes all addresses in is none."""

MOST: Final = 16
"""Addresses of this machine that are looked at."""

VARIABLE: Final = "ARBITRE_LAN"
"""With "off" in this variable of the environment nothing is announced on a network, and nobody is looked for there."""


def own_addresses() -> tuple[Own, ...]:
    """The addresses of this machine by which others may reach it, IPv4 first; none if it is on no network."""
    if os.environ.get(VARIABLE) == "off":
        return ()
    import ifaddr

    found: set[Own] = set()
    with suppress(OSError):
        for adapter in ifaddr.get_adapters():
            for one in adapter.ips:
                text = one.ip if isinstance(one.ip, str) else one.ip[0]
                own = read_own(text, one.network_prefix, adapter.index)
                if own is not None and _is_valid(own):
                    found.add(own)
    return tuple(sorted(found, key=_order)[:MOST])


def _is_valid(own: Own) -> bool:
    """Whether an address can be used yet: the system first looks for duplicates of an IPv6 address, for a second."""
    scope = getattr(own, "scope_id", None)
    place = (str(own.ip).partition("%")[0], 0)
    try:
        with socket.socket(socket.AF_INET if own.version == 4 else socket.AF_INET6, socket.SOCK_DGRAM) as probe:
            probe.bind(place if own.version == 4 else (*place, 0, int(scope or 0)))
    except OSError:
        return False
    return True


def lan_address(version: int = 4) -> str | None:
    """The address by which other machines call this one, of IP `version`; None on no network. Nothing is sent for it.

    Of several it is the one that leads furthest: that of the default route.
    """
    family, somebody = (socket.AF_INET, "192.0.2.1") if version == 4 else (socket.AF_INET6, "2001:db8::1")
    with suppress(OSError), socket.socket(family, socket.SOCK_DGRAM) as probe:
        probe.connect((somebody, 9))
        found = str(probe.getsockname()[0])
        if _is_for_others(ip_address(found)):
            return found
    own = (one for one in own_addresses() if one.version == version and not (version == 6 and one.ip.is_link_local))
    return next((str(one.ip) for one in own), None)


def read_own(text: str, prefix: int, index: int | None) -> Own | None:
    """An address of an interface as the system tells it; None for one by which nobody else reaches us."""
    try:
        address = ip_address(text.partition("%")[0])
    except ValueError:
        return None
    if not _is_for_others(address) or prefix < WIDEST[address.version]:
        return None
    scope = f"%{index}" if address.version == 6 and address.is_link_local and index is not None else ""
    return ip_interface(f"{address}{scope}/{prefix}")


def listening(own: Iterable[Own], host: str) -> tuple[Own, ...]:
    """Those of our addresses at which a server that listens on `host` is reached; host: as `serve --host` takes it."""
    if not host:
        return tuple(own)
    try:
        hosts = [ip_address(host.partition("%")[0])]
    except ValueError:
        try:
            named = socket.getaddrinfo(host, None, type=socket.SOCK_STREAM)
        except OSError:
            return ()
        hosts = [ip_address(str(where[0]).partition("%")[0]) for *_rest, where in named]
    return tuple(
        one
        for one in own
        if any(host.version == one.version and (host.is_unspecified or int(host) == int(one.ip)) for host in hosts)
    )


def reachable(announced: Sequence[str], own: Sequence[Own]) -> tuple[str, ...]:
    """Those of the announced addresses that are on a network of ours, in the order in which to try them.

    Link-local addresses of IPv6 need the scope that tells the interface; without one they get that of our only one.
    """
    found: dict[str, Address] = {}
    for text in announced:
        with suppress(ValueError):
            address = ip_address(text)
            if _is_for_others(address) and (shown := _on_ours(address, own)) is not None:
                found.setdefault(shown, address)
    return tuple(sorted(found, key=lambda shown: _order(ip_interface(found[shown]))))


def speaking(own: Sequence[Own]) -> list[str]:
    """One address for multicast on each network; IPv6 joins a group by interface, so one for each interface."""
    found: dict[str, str] = {}
    for one in own:
        scope = getattr(one, "scope_id", None)
        found.setdefault(scope or str(one.network), str(one.ip).partition("%")[0])
    return list(found.values())


def _on_ours(address: Address, own: Sequence[Own]) -> str | None:
    """The address as it is dialled, if it is on a network of ours."""
    scope = getattr(address, "scope_id", None)
    for one in own:
        network = one.network
        if address.version != one.version or int(network[0]) > int(address) or int(address) > int(network[-1]):
            continue
        if address.version == 4 and network.prefixlen < 31 and int(address) in (int(network[0]), int(network[-1])):
            return None  # the network's own address and the broadcast address
        if address.version == 6 and address.is_link_local:
            ours = getattr(one, "scope_id", None)
            if scope is not None and ours is not None and scope != ours:
                continue
            bare = str(address).partition("%")[0]
            return f"{bare}%{scope or ours}" if scope or ours else bare
        return str(address).partition("%")[0]
    return None


def _is_for_others(address: Address) -> bool:
    """Whether machines around us may have such an address."""
    if isinstance(address, IPv6Address) and address.ipv4_mapped is not None:
        return False
    return not (address.is_loopback or address.is_multicast or address.is_unspecified or address.is_reserved)


def _order(one: Own) -> tuple[int, bool, int]:
    """IPv4 first, which all networks have; then IPv6 without a scope."""
    return one.version, one.version == 6 and one.ip.is_link_local, int(one.ip)
