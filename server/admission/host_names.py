"""Which `Host` of a request is ours (RFC 9110, section 7.2). Pure.

A page of another site may give its own name our address (DNS rebinding): its scripts then speak to this server with the
reader's network behind them, and the browser takes both for one site. The request still carries the foreign
name. So the names that this machine goes by are ours, and those that its operator adds; an IP address can't be rebound.
"""

from __future__ import annotations

from collections.abc import Iterable
from ipaddress import ip_address
from urllib.parse import urlsplit

LOCAL = "localhost"


def own_names(host_name: str, *others: str) -> frozenset[str]:
    """The names of a machine called `host_name`, alone and on the local network (RFC 6762), and the `others`."""
    name = canonical(host_name)
    short = name.partition(".")[0]
    names = (name, short, f"{short}.local") if short else ()
    return frozenset(filter(None, (*names, *map(canonical, others))))


def canonical(name: str) -> str:
    """A name as it is compared: lower case, without the dot of the root, with its ASCII letters (IDNA); "" for none."""
    name = name.strip().rstrip(".").lower()
    if name.isascii():
        return name
    try:
        return name.encode("idna").decode("ascii")
    except UnicodeError:
        return ""


def name_of(authority: str) -> str | None:
    """The name in a `Host` header, whatever the port; None if it is none."""
    try:
        split = urlsplit(f"//{authority}")
        valid = split.hostname and split.username is None and split.netloc == authority and split.port != 0
    except ValueError:
        return None
    return canonical(split.hostname) if valid and split.hostname else None


def is_ours(hosts: Iterable[str], names: frozenset[str]) -> bool:
    """Whether each of the `Host` headers is one of ours; a request without any passes."""
    return all(_is_ours(name_of(host), names) for host in hosts)


def _is_ours(name: str | None, names: frozenset[str]) -> bool:
    if name is None:
        return False
    return name in names or name == LOCAL or name.endswith(f".{LOCAL}") or _is_address(name)


def _is_address(name: str) -> bool:
    try:
        ip_address(name.partition("%")[0])
    except ValueError:
        return False
    return True
