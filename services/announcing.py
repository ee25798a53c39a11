"""The service that announces a server on its network, by mDNS (RFC 6762, RFC 6763): a process of its own.

It is the only part of a serving Arbitre that reads what anybody on the network sends unasked. So it holds no secret, is
of low priority, and runs outside the server's event loop: a flood of packets slows nobody's game.

    python -m services.announcing ADDRESS HOST [password]

ADDRESS: the server's, as this machine reaches it; HOST: where it listens, as `serve --host` takes it.
"""

from __future__ import annotations

import asyncio
import os
import socket
import sys
from collections.abc import Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit
from uuid import uuid4

from client.address import split_pin
from client.people.discovery import FORMAT, TAIL, TYPE, be_quiet
from machine.networks import Own, listening, own_addresses, speaking
from services.process import run

if TYPE_CHECKING:
    from zeroconf.asyncio import AsyncServiceInfo, AsyncZeroconf

NICE: Final = 10
"""Players and the server come first."""

LOOK_S: Final = 5.0
"""How often we check whether this machine has changed networks."""

LONGEST_NAME: Final = 63
"""Bytes of a name in DNS."""

PARENT: Final = os.getppid()


async def announce(address: str, host: str, *, password: bool) -> None:
    """Announces the server for as long as this process has a parent, on whatever networks there are meanwhile."""
    url, pin = split_pin(address)
    place = urlsplit(url)
    told = txt(tls=place.scheme == "wss", pin=pin, password=password)
    while os.getppid() == PARENT:
        own = listening(own_addresses(), host)
        if not own or not await _announce_at(own, host, place.port or 0, told):
            await asyncio.sleep(LOOK_S)


async def _announce_at(own: tuple[Own, ...], host: str, port: int, told: Mapping[str, str]) -> bool:
    """Announces the server until our addresses change; False if that can't be done now."""
    from zeroconf import Error
    from zeroconf.asyncio import AsyncZeroconf

    try:
        zeroconf = AsyncZeroconf(interfaces=speaking(own))
    except (OSError, RuntimeError):  # no multicast there, or an address that has just gone
        return False
    try:
        await _register(zeroconf, service(socket.gethostname(), own, port, told))
        while os.getppid() == PARENT and listening(own_addresses(), host) == own:  # noqa: ASYNC110 - nobody tells us
            await asyncio.sleep(LOOK_S)
    except (OSError, Error):
        return False
    finally:
        await _take_back(zeroconf)
    return True


async def _register(zeroconf: AsyncZeroconf, info: AsyncServiceInfo) -> None:
    """Announces the service; if somebody has its name in spite of the random tail, under the next free one."""
    await (await zeroconf.async_register_service(info, allow_name_change=True))


async def _take_back(zeroconf: AsyncZeroconf) -> None:
    """Says that the server is gone, as far as anybody still hears it."""
    with suppress(OSError):
        await zeroconf.async_unregister_all_services()
    with suppress(OSError):
        await zeroconf.async_close()


def service(name: str, own: tuple[Own, ...], port: int, told: Mapping[str, str]) -> AsyncServiceInfo:
    """The announcement of a server called `name`, under a host name made for it: the system may announce its own.

    The service's name ends in a random tail, which readers leave out: cloned machines have the same name, and when two
    start at the same moment, neither hears the other probe for it.
    """
    from zeroconf.asyncio import AsyncServiceInfo

    tail = f"~{uuid4().hex[:TAIL]}"
    shown = name.partition(".")[0].encode()[: LONGEST_NAME - len(tail)].decode(errors="ignore") or "arbitre"
    addresses = [one.ip.packed for one in own]
    return AsyncServiceInfo(
        TYPE, f"{shown}{tail}.{TYPE}", addresses=addresses, port=port, properties=dict(told),
        server=f"arbitre-{uuid4().hex[:8]}.local.",
    )  # fmt: skip


def txt(*, tls: bool, pin: str | None, password: bool) -> Mapping[str, str]:
    """The TXT record beside address and port; never a code, a player or a match: those the server itself tells."""
    said = {"v": FORMAT}
    if tls:
        said["tls"] = "1"
    if pin is not None:
        said["sha256"] = pin
    if password:
        said["password"] = "1"  # noqa: S105 - that there is one
    return said


if __name__ == "__main__":
    be_quiet()
    if hasattr(os, "nice"):
        os.nice(NICE)
    run(lambda: announce(sys.argv[1], sys.argv[2], password="password" in sys.argv[3:]))
