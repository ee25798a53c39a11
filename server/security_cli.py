"""The options of `arbitre serve` that say who may come in and how much he may send, as one value.

Secrets come from the environment rather than from the command line, which other users of the machine can read.
"""

from __future__ import annotations

import functools
import secrets
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from locales import _

if TYPE_CHECKING:
    from server.admission import Admission
    from server.settings import Access
    from server.tls import Tls

PASSWORD = "ARBITRE_PASSWORD"  # noqa: S105 - the name of a variable
ORGANISER = "ARBITRE_ORGANISER_TOKEN"

LONGEST_SECRET = 128

_NAMES = (
    "password", "organiser", "origin", "rate", "max_connections", "max_per_address", "tls_cert", "tls_key", "tls",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Security:
    """What the operator chose; origins: pages of other sites that may connect."""

    rate: int
    max_connections: int
    max_per_address: int
    origins: tuple[str, ...] = ()
    password: str | None = field(default=None, repr=False)
    organiser: str | None = field(default=None, repr=False)
    certificate: Path | None = None
    key: Path | None = None
    self_signed: bool = False

    def access(self) -> Access:
        """The secrets. Without an organisers' secret one is drawn and shown, if somebody sits there to read it."""
        from server.settings import Access

        organiser = self.organiser
        if not organiser and sys.stderr.isatty():
            organiser = secrets.token_urlsafe(16)
            click.echo(_("organisers direct matches with {variable}={secret}").format(
                variable=ORGANISER, secret=organiser), err=True)  # fmt: skip
        return Access(self.password or None, organiser or None)

    def tls(self) -> Tls | None:
        """TLS, if it is wanted; raises click.ClickException."""
        if not (self.self_signed or self.certificate):
            return None
        from server.tls import Pair, TlsError, load, own_pair

        try:
            if self.certificate is not None and self.key is not None:
                return load(Pair(self.certificate, self.key))
            return load(own_pair())
        except TlsError as error:
            raise click.ClickException(str(error)) from error

    def admission(self) -> Admission:
        """The doorkeeper; to be called in the server's event loop."""
        from server.admission import Admission
        from server.gate import Doors
        from server.ratelimit import Rates

        doors = Doors(self.max_connections, self.max_per_address, origins=frozenset(self.origins))
        return Admission(doors, Rates(work=self.rate))


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
        if secret is not None and len(secret) > LONGEST_SECRET:
            raise click.UsageError(_("a password has at most {count} characters.").format(count=LONGEST_SECRET))
    _check_origins(chosen["origin"])
    certificate, key, own = chosen["tls_cert"], chosen["tls_key"], chosen["tls"] is not None
    if (certificate is None) != (key is None) or (own and certificate is not None):
        raise click.UsageError(_("TLS needs --tls-cert and --tls-key, or --tls self-signed."))
    return Security(
        chosen["rate"],
        chosen["max_connections"],
        chosen["max_per_address"],
        chosen["origin"],
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
            help=_("Connections from one address; this machine itself has as many as it likes."),
        ),
        click.option(
            "--max-connections", default=20_000, show_default=True, type=click.IntRange(1),
            help=_("Connections at once; more are asked to come back later."),
        ),
        click.option(
            "--rate", default=20_000, show_default=True, type=click.IntRange(1),
            help=_("Messages a second that one connection may send; less for strangers, as 200."),
        ),
        click.option(
            "--origin", multiple=True, metavar=_("ORIGIN"),
            help=_("Let the page of another site connect, as https://games.example; may be repeated."),
        ),
        click.option(
            "--password", envvar=PASSWORD, metavar=_("PASSWORD"),
            help=_("Let in only who knows this password; better set {variable}.").format(variable=PASSWORD),
        ),
    ]  # fmt: skip


def _check_origins(origins: tuple[str, ...]) -> None:
    from server.gate import is_origin

    for origin in origins:
        if not is_origin(origin):
            raise click.UsageError(
                _("{origin} is no origin: write http:// or https:// and a host, perhaps a port.").format(origin=origin)
            )
