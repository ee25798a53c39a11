"""Servers on the networks around us: who announces one by mDNS, whether it can be reached, and what is open there.

Anybody on the network may announce whatever they like. So the number of announcements is bounded; names are shortened
and cleaned of control characters; and only addresses on our own networks are dialled, at ports where an HTTP request
does no harm. Each server gets one request (`GET /lobby`), without any secret, and its answer is bounded.
"""

from __future__ import annotations

import asyncio
import logging
import re
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import aclosing, suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from client.people.glance import ANSWER_S, Glance, look
from machine.networks import Own, own_addresses, reachable, speaking
from terminal.text import clean

if TYPE_CHECKING:
    from zeroconf import ServiceStateChange, Zeroconf

TYPE: Final = "_arbitre._tcp.local."
"""What is looked for (RFC 6763); each server is an instance of it."""

FORMAT: Final = "1"
"""The version of what an announcement says beside address and port."""

LISTEN_S: Final = 1.5
"""How long we listen; most servers are heard within a third of a second."""

QUIET_S: Final = 0.6
"""The search ends at most this long after the first server was found; later ones don't extend it."""

MOST: Final = 32
"""Servers that are asked in one search."""

MOST_OF_ADDRESS: Final = 4
"""Servers that are asked at one address: whoever announces more keeps nobody else's out of the search."""

MOST_NAMES: Final = 256
"""Names that are looked up in one search: not every name leads to a server that may be asked."""

AT_ONCE: Final = 8
"""Servers that are asked at once."""

MOST_ADDRESSES: Final = 3
"""Addresses of one server that are tried."""

LONGEST_NAME: Final = 40
"""Characters of a name that are shown."""

LOWEST_PORT: Final = 1024
HARMLESS: Final = frozenset({80, 443})
HARMFUL: Final = frozenset({
    *range(9100, 9108), 1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, *range(6000, 6064), 6566,
    *range(6665, 6670), 6679, 6697, 10080,
})  # fmt: skip
"""Printers would print what they are told, and others might misread it: mostly the ports that browsers avoid too."""

TAIL: Final = 6
"""Digits by which services of one name differ: "ada-laptop~3f9a1c" is shown as "ada-laptop"."""

_TAIL = re.compile(rf"~[0-9a-f]{{{TAIL}}}(-[0-9]+)?$", re.ASCII)

_PIN = re.compile(r"[0-9a-f]{64}", re.ASCII)


@dataclass(frozen=True, slots=True)
class Announced:
    """What is believed of an announcement. addresses: the ones to try, on networks of ours; perhaps none.

    pin: the fingerprint of its certificate.
    """

    name: str
    port: int
    addresses: tuple[str, ...]
    tls: bool = False
    pin: str | None = None
    password: bool = False

    def url(self, address: str) -> str:
        """The server's address, as `client.address.parse` makes it."""
        shown = f"[{address}]" if ":" in address else address
        end = f"#sha256={self.pin}" if self.pin else ""
        return f"{'wss' if self.tls else 'ws'}://{shown}:{self.port}{end}"


@dataclass(frozen=True, slots=True)
class Found:
    """A server that was announced: under `name`, at `url`.

    glance: what it answered, with its round trip; None if it can't be reached, as where a network keeps guests apart.
    password: whether it asks for a password.
    """

    name: str
    url: str
    glance: Glance | None = None
    password: bool = False

    @property
    def now_ms(self) -> int:
        """The date by the server's clock, when it answered; 0 if it did not say."""
        return 0 if self.glance is None or self.glance.lobby is None else self.glance.lobby.server_time_ms


async def discover(listen_s: float = LISTEN_S) -> AsyncGenerator[Found]:
    """The servers on the networks around us, each as soon as it has answered or is known not to; ends by itself."""
    own = own_addresses()
    if not own:
        return
    async with aclosing(heard(own, listen_s)) as announcements, aclosing(asked(announcements)) as answers:
        async for found in answers:
            yield found


async def asked(announcements: AsyncGenerator[Announced]) -> AsyncGenerator[Found]:
    """The answers of the announced servers; each is asked once, AT_ONCE of them at a time."""
    answers: asyncio.Queue[Found | None] = asyncio.Queue()
    room = asyncio.Semaphore(AT_ONCE)
    dialled: dict[str, set[int]] = {}

    def is_to_be_asked(address: str, port: int) -> bool:
        ports = dialled.setdefault(address, set())
        if port in ports or len(ports) == MOST_OF_ADDRESS:
            return False
        ports.add(port)
        return True

    async def ask(one: Announced, addresses: Sequence[str]) -> None:
        async with room:
            answers.put_nowait(await _ask(one, addresses))

    async def ask_all() -> None:
        count = 0
        try:
            async with asyncio.TaskGroup() as group:
                async for one in announcements:
                    addresses = [address for address in one.addresses if is_to_be_asked(address, one.port)]
                    if addresses and count < MOST:
                        count += 1
                        group.create_task(ask(one, addresses))
        finally:
            answers.put_nowait(None)

    asking = asyncio.create_task(ask_all())
    try:
        while (found := await answers.get()) is not None:
            yield found
        await asking  # raises what went wrong in it
    finally:
        asking.cancel()
        await asyncio.gather(asking, return_exceptions=True)


async def _ask(one: Announced, addresses: Sequence[str]) -> Found:
    """Asks a server at one address after the other, in a bounded time."""
    with suppress(TimeoutError):
        async with asyncio.timeout(2 * ANSWER_S):
            for address in addresses:
                if (glance := await look(one.url(address))) is not None:
                    password = glance.lobby.password if glance.lobby is not None else one.password
                    return Found(one.name, one.url(address), glance, password)
    return Found(one.name, one.url(addresses[0]), None, one.password)


async def heard(own: Sequence[Own], listen_s: float) -> AsyncGenerator[Announced]:
    """What is announced on our networks within `listen_s` seconds, MOST_NAMES names at most."""
    from zeroconf.asyncio import AsyncServiceBrowser, AsyncZeroconf

    be_quiet()
    try:
        zeroconf = AsyncZeroconf(interfaces=speaking(own))
    except (OSError, RuntimeError):  # no multicast here
        return
    names: asyncio.Queue[str] = asyncio.Queue(MOST_NAMES)
    seen: set[str] = set()

    def changed(*, name: str, state_change: ServiceStateChange, **_rest: object) -> None:
        if state_change.name == "Added" and len(seen) < MOST_NAMES and name not in seen and name.isprintable():
            seen.add(name)
            names.put_nowait(name)

    browser = None
    try:
        await zeroconf.zeroconf.async_wait_for_start()
        browser = AsyncServiceBrowser(zeroconf.zeroconf, TYPE, handlers=[changed])
        async for one in _resolved(zeroconf.zeroconf, names, own, listen_s):
            yield one
    finally:
        if browser is not None:
            await browser.async_cancel()
        with suppress(OSError):
            await zeroconf.async_close()


async def _resolved(
    zeroconf: Zeroconf, names: asyncio.Queue[str], own: Sequence[Own], listen_s: float
) -> AsyncGenerator[Announced]:
    """Resolves names as they come, for `listen_s` seconds, or until QUIET_S after the first one is resolved."""
    now = asyncio.get_running_loop().time
    ends = now() + listen_s
    asking: set[asyncio.Task[Announced | None]] = set()
    waiting: asyncio.Task[str] | None = None
    try:
        while now() < ends:
            waiting = waiting or asyncio.create_task(names.get())
            either: set[asyncio.Task[str] | asyncio.Task[Announced | None]] = {waiting, *asking}
            await asyncio.wait(either, timeout=ends - now(), return_when=asyncio.FIRST_COMPLETED)
            if waiting.done():
                asking.add(asyncio.create_task(_resolve(zeroconf, waiting.result(), own, ends - now())))
                waiting = None
            for resolved in [one for one in asking if one.done()]:
                asking.discard(resolved)
                if (found := resolved.result()) is not None:
                    yield found
                    ends = min(ends, now() + QUIET_S)
    finally:
        for task in (*asking, *([] if waiting is None else [waiting])):
            task.cancel()


async def _resolve(zeroconf: Zeroconf, name: str, own: Sequence[Own], within_s: float) -> Announced | None:
    from zeroconf import Error
    from zeroconf.asyncio import AsyncServiceInfo

    try:
        info = AsyncServiceInfo(TYPE, name)
        if within_s <= 0 or not await info.async_request(zeroconf, within_s * 1000):
            return None
        return read(name, info.parsed_scoped_addresses(), info.port, info.properties, own)
    except (Error, ValueError, OSError):
        return None


def read(
    name: str, addresses: Sequence[str], port: int | None, said: Mapping[bytes, bytes | None], own: Sequence[Own]
) -> Announced | None:
    """What is believed of an announcement; None if it is none of ours, or if it must not be dialled."""
    if said.get(b"v") != FORMAT.encode() or port is None or not is_harmless(port):
        return None
    ours = reachable(addresses, own)[:MOST_ADDRESSES]
    if not ours:
        return None
    tls = said.get(b"tls") == b"1"
    pin = (said.get(b"sha256") or b"").decode("ascii", "replace")
    shown = clean(_TAIL.sub("", name.removesuffix(f".{TYPE}")))[:LONGEST_NAME].strip()
    return Announced(
        shown or "?", port, ours, tls, pin if tls and _PIN.fullmatch(pin) else None, said.get(b"password") == b"1"
    )  # fmt: skip


def is_harmless(port: int) -> bool:
    """Whether a line of HTTP does no harm to whatever listens at such a port."""
    return port in HARMLESS or (LOWEST_PORT <= port < 65536 and port not in HARMFUL)


def be_quiet() -> None:
    """Keeps the log of zeroconf off the terminal: the person there can't fix the network."""
    log = logging.getLogger("zeroconf")
    log.addHandler(logging.NullHandler())
    log.propagate = False
