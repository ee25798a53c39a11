"""The command `arbitre serve`: a server, and the services beside it."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

import click

from locales import _
from server.commands.serving_cli import Serving, serving_options

if TYPE_CHECKING:
    from services.supervision import Service


@click.command("serve", help=_("Referee matches for everyone who connects."))
@click.option(
    "--house-bots",
    metavar=_("BOTS"),
    help=_(
        "The bots that play with whoever asks, as human:level=1..10,minimax:depth=2. By default ten levels of human, "
        "minimax and random, and none with --port 0."
    ),
)
@click.option(
    "--house-games",
    type=click.IntRange(1, 1000),
    default=24,
    show_default=True,
    help=_("How many games the bots of the house play at once, in all; nobody plays more than three."),
)
@click.option("--no-house-bots", is_flag=True, help=_("Have no bots of the house."))
@click.option(
    "--review/--no-review",
    default=None,
    help=_(
        "Have a process that reviews games and explains positions. By default there is one, and none with --port 0."
    ),
)
@click.option(
    "--mdns/--no-mdns",
    default=None,
    help=_(
        "Announce the server on your network (mDNS). By default it is, unless it has --port 0 or is for this machine."
    ),
)
@serving_options
def serve_command(
    *,
    serving: Serving,
    house_bots: str | None,
    house_games: int,
    no_house_bots: bool,
    review: bool | None,
    mdns: bool | None,
) -> None:
    """Runs the server, and its services, until it is asked to stop."""
    from server.referee.settings import HouseShares
    from services.supervision import Service, beside

    if house_bots is not None and no_house_bots:
        raise click.UsageError(_("--house-bots and --no-house-bots exclude each other."))
    if house_bots is None and not no_house_bots and serving.port:
        from services.house.entries import USUAL

        house_bots = USUAL
    services = () if house_bots is None else (_house(house_bots),)
    if review or (review is None and serving.port):
        services = (*services, Service("review", "services.reviews"))
    if (mdns or (mdns is None and serving.port)) and not serving.is_for_this_machine():
        told = ("password",) if serving.security.password else ()
        services = (*services, Service("announce", "services.announcing", (serving.host, *told), trusted=False))
    serving.run(beside(services), HouseShares.of(house_games), _show_code)


def _show_code(page: str) -> None:
    """Prints the address of the page as a QR code for a phone, if stderr is a terminal that can show one."""
    from terminal.qr import code, shows_codes

    if shows_codes(sys.stderr):
        click.echo("\n".join(["", *code(page, colour=not os.environ.get("NO_COLOR")), ""]), err=True)


def _house(bots: str) -> Service:
    """The process of the house's bots; raises click.UsageError for bots that there are not."""
    from services.house.entries import HouseBotsError, parse
    from services.supervision import Service

    try:
        parse(bots)
    except HouseBotsError as error:
        raise click.UsageError(str(error)) from error
    return Service("house", "services.house.process", (bots,))
