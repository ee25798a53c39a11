"""The commands `arbitre serve` and `arbitre schema`."""

from __future__ import annotations

import asyncio
import json
import random
import secrets
import socket
import time
from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple

import click

from locales import _
from locales.system import reason
from machine import folders
from protocol.timing import ClockError, parse_clock
from server.observing_cli import Observing, observing_options
from server.paths import DEFAULT_PORT, default_database
from server.security_cli import Security, security_options

if TYPE_CHECKING:
    from collections.abc import Callable

    from server.database import Durability
    from server.settings import Settings
    from server.store import Progress, Store

MEMORY = ":memory:"

BACK_MS = 1000
"""When a server that keeps its matches may be back; who hears it waits as after a lost connection."""

MAX_KEEP_DAYS = 36_500

WILDCARDS = ("0.0.0.0", "::", "")  # noqa: S104 - a LAN server listens on all interfaces; --host narrows it


@click.command("serve", help=_("Referee matches for everyone who connects."))
@click.option(
    "--host", default=WILDCARDS[0], show_default=True, help=_("Address to listen on; 127.0.0.1 for this machine only.")
)
@click.option(
    "--port",
    default=DEFAULT_PORT,
    show_default=True,
    type=click.IntRange(0, 65535),
    help=_("Port; 0 takes a free one."),
)
@click.option(
    "--absence",
    default="60s",
    show_default=True,
    metavar=_("TIME"),
    help=_("After this absence the opponent may claim the win."),
)
@click.option(
    "--abandonment",
    default="10m",
    show_default=True,
    metavar=_("TIME"),
    help=_("A match that both players left is over after this time."),
)
@click.option(
    "--db",
    metavar=_("FILE"),
    help=_(
        "Database of all matches; :memory: keeps nothing. By default a file in your data folder for each port, "
        "and nothing with --port 0."
    ),
)
@click.option(
    "--durability",
    type=click.Choice(("power", "process")),
    default="power",
    show_default=True,
    help=_("What an acknowledged move survives: a power cut, or the death of the process (faster)."),
)
@click.option("--for-good", is_flag=True, hidden=True)  # a stop is the end: for servers that live as long as a league
@click.option(
    "--keep",
    type=click.IntRange(1, MAX_KEEP_DAYS),
    metavar=_("DAYS"),
    help=_("Delete finished matches so many days after their end; by default they are kept for ever."),
)
@click.option("--no-lag-compensation", is_flag=True, help=_("Charge people for the time that the network takes."))
@observing_options
@security_options
def serve_command(
    security: Security,
    *,
    host: str,
    port: int,
    absence: str,
    abandonment: str,
    db: str | None,
    durability: Durability,
    keep: int | None,
    no_lag_compensation: bool,
    for_good: bool,
    observing: Observing,
) -> None:
    """Runs the server until it is asked to stop."""
    from server.readable import store_sentence
    from server.settings import Settings
    from server.terms import Timeouts
    from server.trouble import StoreError

    timeouts = Timeouts(absence=_seconds(absence), abandonment=_seconds(abandonment))
    settings = Settings(timeouts, lag_compensation=not no_lag_compensation, access=security.access())
    path = db or (_default_database(port) if port else MEMORY)
    observing.set_up_logs()
    try:
        kept = None if path == MEMORY else Kept(path, durability, keep)
        back_ms = None if kept is None or for_good else BACK_MS
        asyncio.run(_serve(host, port, settings, security, kept, observing, back_ms))
    except StoreError as error:
        raise click.ClickException(store_sentence(error)) from error
    except OSError as error:
        raise click.ClickException(
            _("can't listen on {host}:{port} ({reason}): choose another --port or --host.").format(
                host=host, port=port, reason=reason(error)
            )
        ) from error


class Kept(NamedTuple):
    """Where matches are kept, what a kept one survives, and after how many days it is deleted (None: never)."""

    path: str
    durability: Durability
    days: int | None

    def open(self, notify: Callable[[Progress], None]) -> Store:
        """Opens it; raises StoreError."""
        from server.store import Store

        return Store(self.path, self.durability, notify, self.days)


@click.command("schema", help=_("Print the JSON Schema of every message of the protocol."))
def schema_command() -> None:
    """Prints the schema on standard output."""
    from protocol.schema import schema

    click.echo(json.dumps(schema(), indent=2, ensure_ascii=False))


async def _serve(
    host: str,
    port: int,
    settings: Settings,
    security: Security,
    kept: Kept | None,
    observing: Observing,
    back_ms: int | None,
) -> None:
    from page.files import site
    from server.app import App
    from server.referee import Referee
    from server.watchdog import Watchdog, hold_signals, on_signals

    hold_signals()
    referee = Referee(settings, random.SystemRandom(), lambda: secrets.token_urlsafe(16), _wall_ms)
    app = App(referee, observing.bounds(), None if kept is None else kept.open)
    app.admission = security.admission(host)
    app.site = site()
    tls = security.tls()
    app.tls, pin = (None, "") if tls is None else (tls.context, tls.fingerprint)
    server = await app.start(host, port)
    asked = asyncio.Event()
    watchdog = Watchdog()
    app.on_beat = watchdog.beat
    watchdog.start()
    on_signals(watchdog, asked.set)
    await observing.started(app, host, next(iter(server.sockets)).getsockname()[1])
    _announce(host, next(iter(server.sockets)).getsockname()[1], pin)
    await asked.wait()
    with suppress(OSError):  # it hung up: the terminal is gone
        click.echo(_("closing"), err=True)
    await app.stop(server, back_ms)
    watchdog.close()


def _wall_ms() -> int:
    return time.time_ns() // 10**6


def _announce(host: str, port: int, pin: str = "") -> None:
    """Data first: the address of this machine, for programs; then what others on the network type, for people.

    pin: the fingerprint of the certificate, if there is TLS; as a part of the address it is all that clients need.
    """
    shown = "127.0.0.1" if host in WILDCARDS else host
    scheme, end = ("wss", f"#sha256={pin}") if pin else ("ws", "")
    click.echo(f"listening on {scheme}://{f'[{shown}]' if ':' in shown else shown}:{port}{end}")
    if host in WILDCARDS and (lan := _lan_address()) is not None:
        click.echo(
            _("others on your network join with:\n  python3 run.py play {address}").format(
                address=f"'wss://{lan}:{port}{end}'" if pin else f"{lan}:{port}"
            ),
            err=True,
        )
        page = f"{'https' if pin else 'http'}://{lan}:{port}/"
        click.echo(_("or in a browser, without Python:\n  {address}").format(address=page), err=True)


def _lan_address() -> str | None:
    """The address that this machine has on its network; nothing is sent to find out."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
        except OSError:
            return None
        address: str = probe.getsockname()[0]
    return None if address.startswith("127.") else address


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


def _seconds(text: str) -> float:
    try:
        clock = parse_clock(text)
    except ClockError:
        clock = None
    if clock is None or not clock.initial_ms or clock.increment_ms:
        raise click.UsageError(_("'{text}' is no time: write 60s or 2m.").format(text=text))
    return clock.initial_ms / 1000
