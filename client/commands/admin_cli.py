"""The commands `arbitre admin ...`: an organiser directs the matches of others."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Concatenate, ParamSpec

import click

from client.commands.password import password_option, with_password
from client.commands.play_cli import read_address
from client.connection import Client
from client.errors import ClientError, HelloRefused, Refused
from client.identity import NAMESAKES, namesake
from locales import _
from machine.variables import ORGANISER
from processes import stopping
from protocol.bounds import SeatNumber
from protocol.errors import ErrorCode
from protocol.messages import Adjudicate, ClientMessage, Kick, ListMatches, Ok, Pause, Resume, Terminate
from terminal.text import clean

P = ParamSpec("P")

_WINNERS: dict[str, SeatNumber | None] = {"1": 1, "2": 2, "draw": None}


@click.group(
    "admin",
    help=_(
        "Direct the matches of a server, as one of its organisers.\n\nThe server shows their secret when it starts, or "
        "was given it; here it stands in {variable}."
    ).format(variable=ORGANISER),
)
@password_option
def admin_command() -> None:
    """Groups the commands of organisers."""


def _matches_argument(command: Callable[..., None]) -> Callable[..., None]:
    return click.argument("match", metavar=_("MATCH"))(click.argument("url")(command))


@admin_command.command(
    "list",
    short_help=_("List the matches that are not over"),
    help=_("List the matches that are not over, private ones too."),
)
@click.argument("url")
def list_command(url: str) -> None:
    """Prints a line for each match."""
    page = _request(url, ListMatches)
    while True:
        for summary in page.matches if isinstance(page.matches, tuple) else ():
            names = " - ".join("?" if player is None else clean(player.name) for player in summary.players)
            click.echo(f"{clean(summary.match)}  {clean(summary.game)}  {summary.status}  {summary.ply}  {names}")
        if not isinstance(page.more, int):
            break
        page = _request(url, ListMatches, after=page.more)


@admin_command.command("pause", short_help=_("Stop a match and its clocks"), help=_("Stop a match and its clocks."))
@_matches_argument
def pause_command(match: str, url: str) -> None:
    """Pauses a match."""
    _request(url, Pause, match=match)


@admin_command.command("resume", short_help=_("Let a paused match go on"), help=_("Let a paused match go on."))
@_matches_argument
def resume_command(match: str, url: str) -> None:
    """Resumes a match."""
    _request(url, Resume, match=match)


@admin_command.command(
    "adjudicate", short_help=_("Say who has won a match"), help=_("End a match: WINNER is 1 (who began), 2 or draw.")
)
@click.argument("match", metavar=_("MATCH"))
@click.argument("winner", metavar=_("WINNER"), type=click.Choice(tuple(_WINNERS)))
@click.argument("url")
def adjudicate_command(match: str, winner: str, url: str) -> None:
    """Decides a match."""
    _request(url, Adjudicate, match=match, winner=_WINNERS[winner])


@admin_command.command(
    "terminate", short_help=_("End a match without a result"), help=_("End a match without a result.")
)
@_matches_argument
def terminate_command(match: str, url: str) -> None:
    """Ends a match."""
    _request(url, Terminate, match=match)


@admin_command.command(
    "kick", short_help=_("Send somebody away"), help=_("Send somebody away; their opponents win the games.")
)
@click.argument("name", metavar=_("NAME"))
@click.argument("url")
def kick_command(name: str, url: str) -> None:
    """Ends somebody's session."""
    _request(url, Kick, name=name)


def _request(url: str, make: Callable[Concatenate[int, P], ClientMessage], *args: P.args, **kwargs: P.kwargs) -> Ok:
    secret = os.environ.get(ORGANISER)
    if not secret:
        raise click.UsageError(_("set {variable} to the organisers' secret of the server.").format(variable=ORGANISER))
    address = read_address(url)

    async def ask() -> Ok:
        for number in range(1, NAMESAKES):
            client = Client(address, name=namesake(_("organiser"), number), kind="human", organiser=secret)
            try:
                async with client:
                    return await client.ask(make, *args, **kwargs)
            except HelloRefused as refused:
                if refused.code != ErrorCode.NAME_TAKEN.value:
                    raise
        raise click.ClickException(_("too many organisers are connected."))

    from client import explanations

    try:
        return with_password(lambda: stopping.run(ask(), within_s=stopping.AT_MOST_S))
    except HelloRefused as refused:
        if refused.data.get("field") == "organiser":
            raise click.ClickException(
                _("{variable} does not hold the organisers' secret of this server.").format(variable=ORGANISER)
            ) from refused
        raise click.ClickException(explanations.explain(refused)) from refused
    except ClientError as error:
        if isinstance(error, Refused) and error.code == ErrorCode.NO_SUCH_PLAYER.value:
            raise click.ClickException(_("nobody of that name is there: see who plays with admin list.")) from error
        raise click.ClickException(explanations.explain(error)) from error
