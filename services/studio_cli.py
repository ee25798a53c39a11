"""The commands `arbitre studio install|status|remove`: Python in the browsers of those who open the page."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from locales import _, decimal
from locales.folding import echo
from locales.system import reason
from machine.modules import program

if TYPE_CHECKING:
    from page.studio.installation import Installed


@click.group("studio", help=_("Python in the browser: pupils write and run their bots on the page."))
def studio_command() -> None:
    """The studio's runtime on this machine."""


@studio_command.command(
    "install",
    short_help=_("Bring Python for browsers and the editor, once"),
    help=_("Bring Python for browsers and the editor, once: about 20 MB."),
)
def install_command() -> None:
    """Installs it, unless it is there."""
    from page.studio import installation
    from services.studio_install import InstallError, install

    found = installation.usable()
    if found is None:
        click.echo(_("Fetching Python for browsers, and the editor ..."), err=True)
        try:
            found = install()
        except InstallError as error:
            raise click.ClickException(str(error)) from error
        echo(_("The studio is installed: {what}.").format(what=_what(found)))
    else:
        echo(_("It is installed already: {what}.").format(what=_what(found)))
    click.echo(
        _("Pupils open it at /studio on the page of your server:\n  {command}").format(command=f"{program()} serve")
    )


@studio_command.command(
    "status",
    short_help=_("Say whether the studio is installed, and where"),
    help=_("Say whether the studio is installed, and where."),
)
def status_command() -> int:
    """Tells what is installed; 1 if nothing is that could be used."""
    from page.studio import installation

    found = installation.read()
    install = f"{program()} studio install"
    if found is None:
        click.echo(_("The studio is not installed. To install it, type:\n  {command}").format(command=install))
        return 1
    if installation.usable() is None:
        what = _("not whole") if found.is_current else _("of another version of Arbitre")
        click.echo(_("What is installed is {what}. Type:\n  {command}").format(what=what, command=install))
        return 1
    what = _what(found)
    echo(_("The studio is installed: {what}.").format(what=what))
    click.echo(_("It is in {folder}").format(folder=found.folder))
    return 0


@studio_command.command("remove", short_help=_("Remove it from this machine"), help=_("Remove it from this machine."))
def remove_command() -> None:
    """Removes it."""
    from page.studio import installation

    try:
        is_gone = installation.remove()
    except OSError as error:
        text = _("{folder} can't be removed: {reason}.")
        raise click.ClickException(text.format(folder=installation.place(), reason=reason(error))) from error
    click.echo(
        _("The studio is removed.") if is_gone else _("The studio is not installed: there is nothing to remove.")
    )


def _what(found: Installed) -> str:
    """Versions and size, in a few words."""
    named = ", ".join(f"{name} {version}" for name, version in found.versions.items())
    return _("{packages}, {megabytes} MB").format(packages=named, megabytes=decimal(sum(found.sizes.values()) / 1e6, 1))
