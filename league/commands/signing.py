"""The option `--sign` of the commands that play a league, and the key behind it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from locales import _, ngettext

if TYPE_CHECKING:
    from league.history.signature import SigningKey

sign_option = click.option(
    "--sign",
    "key",
    metavar=_("KEY"),
    type=click.Path(path_type=Path, dir_okay=False),
    help=_("Sign the log at the end, with the key in this file; if it is not there, a key is made."),
)
"""The option `--sign` of the commands that play a league."""


def open_signing_key(path: Path | None, folder: Path) -> SigningKey | None:
    """The key to sign the league in `folder` with, made if it is not there; what is wrong with it ends the command."""
    from league.history.signature import SignatureError, is_private, open_key

    if path is None:
        return None
    if path.resolve().is_relative_to(folder.resolve()):
        raise click.UsageError(_("Keep the key elsewhere: whoever gets the league's folder would have it."))
    is_new = not path.exists()
    try:
        key = open_key(path)
    except SignatureError as error:
        raise click.ClickException(str(error)) from error
    if is_new:
        click.echo(_("A new key is in {path}. Keep it, and show it to nobody.").format(path=path), err=True)
    elif not is_private(path):
        click.echo(_("Others can read the key {path}: chmod 600 {path}").format(path=path), err=True)
    click.echo(_("Public key, to publish: {key}").format(key=key.public), err=True)
    return key


def sign(folder: Path, key: SigningKey) -> None:
    """Signs the log as it is, and says so; what goes wrong ends the command."""
    from league.history import log, signature

    try:
        entries = log.load(folder)
        path = signature.save(key.sign(entries), folder)
    except (log.LogError, signature.SignatureError) as error:
        raise click.ClickException(str(error)) from error
    text = ngettext("Signed, {count} line: {path}", "Signed, {count} lines: {path}", len(entries))
    click.echo(text.format(count=len(entries), path=path), err=True)
