"""The options of `arbitre serve` that say who may connect and how much they may send, as one value.

Secrets come from the environment rather than from the command line, which other users of the machine can read.
"""

from __future__ import annotations

import functools
import secrets
import socket
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from ipaddress import ip_network
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import click

from locales import _
from locales.folding import echo
from machine.variables import ORGANISER, PASSWORD
from protocol.bounds import MAX_SECRET

if TYPE_CHECKING:
    from server.admission.admission import Admission
    from server.admission.gate import Network
    from server.admission.tls import Tls
    from server.referee.settings import Access

SHORTEST_PASSWORD = 8
"""Shorter ones can be guessed: docs/server.md says how many guesses somebody has."""

_NAMES = (
    "password", "organiser", "origin", "embed", "host_name", "rate", "max_connections", "max_per_address", "trust",
    "tls_cert", "tls_key", "tls",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Security:
    """What the operator chose; origins: pages of other sites that may connect; embedders: those that may
    show a board in a frame; names: what the server is called, too.

    trusted: addresses and networks whose connections are not bounded.
    """

    rate: int
    max_connections: int
    max_per_address: int
    origins: tuple[str, ...] = ()
    embedders: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    trusted: tuple[Network, ...] = ()
    password: str | None = field(default=None, repr=False)
    organiser: str | None = field(default=None, repr=False)
    certificate: Path | None = None
    key: Path | None = None
    self_signed: bool = False

    def access(self) -> Access:
        """The secrets. Without an organisers' secret, one is drawn if standard error is a terminal, which shows it."""
        from server.referee.settings import Access

        if self.password and len(self.password) < SHORTEST_PASSWORD:
            text = _("this password is short: others can find it by trying; take {count} characters or more")
            echo(text.format(count=SHORTEST_PASSWORD), err=True)
        organiser = self.organiser
        if not organiser and sys.stderr.isatty():
            organiser = secrets.token_urlsafe(16)
        return Access(self.password or None, organiser or None)

    def show_drawn(self, access: Access) -> None:
        """Shows an organisers' secret that `access` has drawn."""
        if not self.organiser and access.organiser:
            click.echo(_("organisers direct matches with:\n  {variable}={secret}").format(
                variable=ORGANISER, secret=access.organiser), err=True)  # fmt: skip

    def tls(self) -> Tls | None:
        """TLS, if it is wanted; raises click.ClickException."""
        if not (self.self_signed or self.certificate):
            return None
        from server.admission import tls

        try:
            if self.certificate is not None and self.key is not None:
                return tls.load(tls.Pair(self.certificate, self.key))
            return tls.load(tls.own_pair())
        except tls.TlsError as error:
            raise click.ClickException(str(error)) from error

    def admission(self, host: str) -> Admission:
        """The admission of a server that listens on `host`; to be called in the server's event loop."""
        from server.admission.admission import Admission
        from server.admission.gate import GateOptions
        from server.admission.host_names import own_names
        from server.ratelimit import Rates

        public = (urlsplit(origin).hostname or "" for origin in self.origins)
        names = own_names(socket.gethostname(), host, *self.names, *public)
        options = GateOptions(self.max_connections, self.max_per_address, self.trusted, frozenset(self.origins), names)
        return Admission(options, Rates(work=self.rate))


def security_options(command: Callable[..., None]) -> Callable[..., None]:
    """Adds the options to `command`, which gets their values as its first argument."""

    @functools.wraps(command)
    def run(*args: Any, **values: Any) -> None:
        command(_security({name: values.pop(name) for name in _NAMES}), *args, **values)

    for option in _options():
        option(run)
    return run


def _security(chosen: dict[str, Any]) -> Security:
    """What the options say; raises click.UsageError if that can't be."""
    for secret in (chosen["password"], chosen["organiser"]):
        if secret is not None and len(secret) > MAX_SECRET:
            raise click.UsageError(_("a password has at most {count} characters.").format(count=MAX_SECRET))
    _check_origins(chosen["origin"])
    _check_embedders(chosen["embed"])
    certificate, key, own = chosen["tls_cert"], chosen["tls_key"], chosen["tls"] is not None
    if (certificate is None) != (key is None) or (own and certificate is not None):
        raise click.UsageError(_("TLS needs --tls-cert and --tls-key, or --tls self-signed."))
    return Security(
        chosen["rate"],
        chosen["max_connections"],
        chosen["max_per_address"],
        chosen["origin"],
        chosen["embed"],
        _names(chosen["host_name"]),
        _networks(chosen["trust"]),
        chosen["password"],
        chosen["organiser"],
        certificate,
        key,
        own,
    )


def _options() -> list[Callable[[Callable[..., None]], Callable[..., None]]]:
    """The options; the last stands first in the help."""
    return [
        click.option("--organiser", envvar=ORGANISER, hidden=True),
        click.option(
            "--tls", type=click.Choice(("self-signed",)),
            help=_("Encrypt with a certificate that this server makes for itself; clients know it by the address."),
        ),
        click.option(
            "--tls-key", type=click.Path(dir_okay=False, path_type=Path), metavar=_("FILE"), help=_("Its key, PEM."),
        ),
        click.option(
            "--tls-cert", type=click.Path(dir_okay=False, path_type=Path), metavar=_("FILE"),
            help=_("Encrypt with this certificate (and those that signed it), PEM."),
        ),
        click.option(
            "--max-per-address", default=500, show_default=True, type=click.IntRange(1),
            help=_("Connections from one address."),
        ),
        click.option(
            "--trust", multiple=True, metavar=_("ADDRESS"),
            help=_("Don't bound this address or network (a proxy, your own bots), as 127.0.0.1; may be repeated."),
        ),
        click.option(
            "--max-connections", default=20_000, show_default=True, type=click.IntRange(1),
            help=_("Connections at once; more are asked to come back later."),
        ),
        click.option(
            "--rate", default=20_000, show_default=True, type=click.IntRange(1),
            help=_("Work a second that one connection may ask for, in moves; less for strangers, as 200."),
        ),
        click.option(
            "--host-name", multiple=True, metavar=_("NAME"),
            help=_("Another name of this server, as people type it in a browser; may be repeated."),
        ),
        click.option(
            "--origin", multiple=True, metavar=_("ORIGIN"),
            help=_("Let the page of another site connect, as https://games.example; may be repeated."),
        ),
        click.option(
            "--embed", multiple=True, metavar=_("ORIGIN"),
            help=_("Let the page of another site show boards in a frame, as https://school.example; may be repeated."),
        ),
        click.option(
            "--password", envvar=PASSWORD, metavar=_("PASSWORD"),
            help=_("Let in only who knows this password; better set {variable}.").format(variable=PASSWORD),
        ),
    ]  # fmt: skip


def _names(typed: tuple[str, ...]) -> tuple[str, ...]:
    from server.admission.host_names import name_of

    for name in typed:
        if not name_of(name) or ":" in name:
            raise click.UsageError(_("'{name}' is no name of a server: write it as games.example.").format(name=name))
    return typed


def _networks(typed: tuple[str, ...]) -> tuple[Network, ...]:
    return tuple(map(_network, typed))


def _network(text: str) -> Network:
    try:
        return ip_network(text, strict=False)
    except ValueError as error:
        raise click.UsageError(
            _("--trust takes an address or a network, as 192.0.2.7 or 192.0.2.0/24: {text!r} is none.").format(
                text=text
            )
        ) from error


def _check_origins(origins: tuple[str, ...]) -> None:
    from server.admission.gate import is_origin

    for origin in origins:
        if not is_origin(origin):
            raise click.UsageError(
                _("{origin} is no origin: write http:// or https:// and a host, perhaps a port.").format(origin=origin)
            )


def _check_embedders(origins: tuple[str, ...]) -> None:
    from server.web.pages import is_embedder

    for origin in origins:
        if not is_embedder(origin):
            text = _("{origin} is no origin: write http:// or https:// and a name in small letters, perhaps a port.")
            raise click.UsageError(text.format(origin=origin))
