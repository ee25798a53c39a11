"""The server and its options, for `arbitre serve` (services.serve_cli)."""

from __future__ import annotations

import asyncio
import functools
import random
import secrets
import sys
import time
from contextlib import nullcontext, suppress
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from locales import _
from locales.system import reason
from machine import folders
from protocol.timing import ClockError, parse_clock
from server.admission.host_names import LOCAL
from server.commands.observing_cli import Observing, observing_options
from server.commands.paths import DEFAULT_PORT, default_database
from server.commands.security_cli import Security, security_options

if TYPE_CHECKING:
    from collections.abc import Callable
    from contextlib import AbstractAsyncContextManager

    from server.referee.settings import HouseShares, Settings
    from server.store.database import Durability
    from server.store.store import Progress, Store

MEMORY = ":memory:"

BACK_MS = 1000
"""How soon a server that keeps its matches may be back; clients wait for it as after a lost connection."""

MAX_KEEP_DAYS = 36_500

MAX_DELAY_S = 600.0
"""The longest delay of spectators."""

WILDCARDS = ("0.0.0.0", "::", "")  # noqa: S104 - a LAN server listens on all interfaces; --host narrows it


@dataclass(frozen=True, slots=True)
class Beside:
    """Services that a higher layer runs beside the server, as its clients.

    secret: proves that they are services. open: starts them once the server listens at an address, and ends them.
    """

    secret: str
    open: Callable[[str], AbstractAsyncContextManager[object]]


@dataclass(frozen=True, slots=True)
class Serving:
    """What the operator chose; times are in seconds. db: the file, None for the usual one."""

    host: str
    port: int
    absence: float
    abandonment: float
    delay: float
    db: str | None
    durability: Durability
    keep: int | None
    lag_compensation: bool
    for_good: bool
    observing: Observing
    security: Security

    def run(
        self,
        beside: Beside | None = None,
        house: HouseShares | None = None,
        invite: Callable[[str], None] | None = None,
    ) -> None:
        """Serves until it is asked to stop; raises click.ClickException.

        house: how much the bots of the house play; None for the usual number of games. invite: is told the address of
        the page, if others on the network reach it.
        """
        from server.records.readable import store_sentence
        from server.store.store_errors import StoreError

        path = self.db or (_default_database(self.port) if self.port else MEMORY)
        settings = self._settings(beside)
        settings = settings if house is None else replace(settings, house=house)
        self.observing.set_up_logs()
        try:
            kept = None if path == MEMORY else StoreOptions(path, self.durability, self.keep)
            asyncio.run(_serve(self, settings, kept, beside, invite))
        except StoreError as error:
            raise click.ClickException(store_sentence(error)) from error
        except OSError as error:
            raise click.ClickException(
                _("can't listen on {host}:{port} ({reason}): choose another --port or --host.").format(
                    host=self.host, port=self.port, reason=reason(error)
                )
            ) from error

    def is_for_this_machine(self) -> bool:
        """Whether nobody else reaches the server, as far as the address says."""
        return (
            self.host == LOCAL or self.host.endswith(f".{LOCAL}") or self.host.startswith("127.") or self.host == "::1"
        )

    def _settings(self, beside: Beside | None) -> Settings:
        from server.match.terms import Timeouts
        from server.referee.settings import Settings

        access = self.security.access()
        if beside is not None:
            access = replace(access, service=beside.secret)
        timeouts = Timeouts(absence=self.absence, abandonment=self.abandonment)
        delay_ms = round(self.delay * 1000)
        return Settings(timeouts, lag_compensation=self.lag_compensation, access=access, delay_ms=delay_ms)


def serving_options(command: Callable[..., None]) -> Callable[..., None]:
    """Adds the options of a server to `command`, which gets them as `serving`."""

    @observing_options
    @security_options
    @functools.wraps(command)
    def run(
        security: Security, *, host: str, port: int, absence: str, abandonment: str, delay: str, db: str | None,
        durability: Durability, keep: int | None, no_lag_compensation: bool, for_good: bool, observing: Observing,
        **others: Any,
    ) -> None:  # fmt: skip
        serving = Serving(
            host, port, seconds(absence), seconds(abandonment), delay_seconds(delay), db, durability, keep,
            not no_lag_compensation, for_good, observing, security,
        )  # fmt: skip
        command(serving=serving, **others)

    for option in _options():
        option(run)
    return run


def _options() -> list[Callable[[Callable[..., None]], Callable[..., None]]]:
    """The options; the last stands first in the help."""
    return [
        click.option(
            "--no-lag-compensation", is_flag=True, help=_("Charge people for the time that the network takes.")
        ),
        click.option(
            "--keep", type=click.IntRange(1, MAX_KEEP_DAYS), metavar=_("DAYS"),
            help=_("Delete finished matches so many days after their end; by default they are kept for ever."),
        ),
        # for servers that live only as long as a league: clients are not told to wait for a restart
        click.option("--for-good", is_flag=True, hidden=True),
        click.option(
            "--durability", type=click.Choice(("power", "process")), default="power", show_default=True,
            help=_("What an acknowledged move survives: a power cut, or the death of the process (faster)."),
        ),
        click.option(
            "--db", metavar=_("FILE"),
            help=_(
                "Database of all matches; :memory: keeps nothing. By default a file in your data folder for each port, "
                "and nothing with --port 0."
            ),
        ),
        click.option(
            "--delay", default="0", show_default=True, metavar=_("TIME"),
            help=_("Spectators see the matches of people so much later, at most 10m."),
        ),
        click.option(
            "--abandonment", default="10m", show_default=True, metavar=_("TIME"),
            help=_("A match that both players left is over after this time."),
        ),
        click.option(
            "--absence", default="60s", show_default=True, metavar=_("TIME"),
            help=_("After this absence the opponent may claim the win."),
        ),
        click.option(
            "--port", default=DEFAULT_PORT, show_default=True, type=click.IntRange(0, 65535),
            help=_("Port; 0 takes a free one."),
        ),
        click.option(
            "--host", default=WILDCARDS[0], show_default=True,
            help=_("Address to listen on; 127.0.0.1 for this machine only."),
        ),
    ]  # fmt: skip


class StoreOptions(NamedTuple):
    """Where matches are kept, what a kept one survives, and after how many days it is deleted (None: never)."""

    path: str
    durability: Durability
    days: int | None

    def open(self, notify: Callable[[Progress], None]) -> Store:
        """Opens it; raises StoreError."""
        from server.store.store import Store

        return Store(self.path, self.durability, notify, self.days)


async def _serve(
    serving: Serving,
    settings: Settings,
    kept: StoreOptions | None,
    beside: Beside | None,
    invite: Callable[[str], None] | None,
) -> None:
    from page.files import site
    from server.app import App
    from server.referee.referee import Referee
    from server.watchdog import Watchdog, hold_signals, on_signals

    hold_signals()
    host, observing, security = serving.host, serving.observing, serving.security
    make_referee = partial(Referee, settings, random.SystemRandom(), lambda: secrets.token_urlsafe(16), _wall_ms)
    app = App(make_referee, observing.bounds(), None if kept is None else kept.open)
    app.admission = security.admission(host)
    app.site = site()
    app.embedders = security.embedders
    tls = security.tls()
    app.tls, pin = (None, "") if tls is None else (tls.context, tls.fingerprint)
    server = await app.start(host, serving.port)
    port = next(iter(server.sockets)).getsockname()[1]
    asked = asyncio.Event()
    watchdog = Watchdog()
    app.on_beat = watchdog.beat
    watchdog.start()
    on_signals(watchdog, asked.set)
    await observing.started(app, host, port)
    page = _announce(host, port, pin)
    if invite is not None and page is not None:
        invite(page)
    security.show_drawn(settings.access)
    async with nullcontext() if beside is None else beside.open(_own_address(host, port, pin)):
        await asked.wait()
        with suppress(OSError):  # it hung up: the terminal is gone
            click.echo(_("closing"), err=True)
        await app.stop(server, None if kept is None or serving.for_good else BACK_MS)
    watchdog.close()


def _wall_ms() -> int:
    return time.time_ns() // 10**6


def _announce(host: str, port: int, pin: str = "") -> str | None:
    """Prints the address for this machine; then what others on the network type, for people.

    Programs read the first line, so that it is the same in all languages, except in a terminal.
    pin: the fingerprint of the certificate, if there is TLS; as a part of the address it is all that clients need.
    Returns the address of the page as others reach it, if they do.
    """
    address = _own_address(host, port, pin)
    is_read = not sys.stdout.isatty()
    click.echo(f"listening on {address}" if is_read else _("listening on {address}").format(address=address))
    end = f"#sha256={pin}" if pin else ""
    lan = _lan_address(host) if host in WILDCARDS else None
    if lan is None:
        return None
    click.echo(
        _("others on your network join with:\n  python3 run.py play {address}").format(
            address=f"'wss://{lan}:{port}{end}'" if pin else f"{lan}:{port}"
        ),
        err=True,
    )
    page = f"{'https' if pin else 'http'}://{lan}:{port}/"
    click.echo(_("or in a browser, without Python:\n  {address}").format(address=page), err=True)
    return page


def _own_address(host: str, port: int, pin: str) -> str:
    """The address by which this machine reaches the server."""
    shown = "::1" if host == "::" else "127.0.0.1" if host in WILDCARDS else host
    scheme, end = ("wss", f"#sha256={pin}") if pin else ("ws", "")
    return f"{scheme}://{f'[{shown}]' if ':' in shown else shown}:{port}{end}"


def _lan_address(host: str) -> str | None:
    """The address that this machine has on its network, as it stands in a URL."""
    from machine.networks import lan_address

    address = lan_address(6 if host == "::" else 4)
    return f"[{address}]" if address is not None and ":" in address else address


def _default_database(port: int) -> str:
    path = default_database(port)
    if path.is_relative_to(folders.NOWHERE):
        raise click.ClickException(
            _(
                "This account has no folder to keep games in: name a file with --db FILE, or keep nothing "
                "with {option}."
            ).format(option=f"--db {MEMORY}")
        )
    return str(path)


def seconds(text: str) -> float:
    """The seconds that a user typed, as 60s or 2m; raises click.UsageError."""
    try:
        clock = parse_clock(text)
    except ClockError:
        clock = None
    if clock is None or not clock.initial_ms or clock.increment_ms:
        raise click.UsageError(_("'{text}' is no time: write 60s or 2m.").format(text=text))
    return clock.initial_ms / 1000


def delay_seconds(text: str) -> float:
    """How late spectators are to see what people play, as a user typed it; raises click.UsageError."""
    delay = 0.0 if text.strip() in {"0", "0s"} else seconds(text)
    if delay > MAX_DELAY_S:
        raise click.UsageError(_("'{text}' is too long a delay: at most 10m.").format(text=text))
    return delay
