"""The commands `arbitre play` and `arbitre watch`."""

from __future__ import annotations

from collections.abc import Callable, Coroutine

import click

from client import address
from client.commands.password import password_option, with_password
from client.commands.screen import takes_a_screen
from client.errors import AddressError, ClientError
from games import EXAMPLES
from locales import _, phrase
from processes import stopping
from processes.child import ChildError
from protocol.messages import Clock
from protocol.timing import ClockError, parse_clock


@click.command(
    "play",
    help=_(
        "Play on the server at URL, by default the one of this machine, else one that is found on your network.\n\n"
        "Without --join you get a match that waits "
        "for a player, else a new one, and you are told what the other player types. The same command, typed again "
        "after a crash, brings you back to your seat. When the input ends you leave; your seat is kept for a while."
    ),
)
@click.argument("url", required=False, metavar="[URL]")
@click.option("--game", metavar=_("GAME"), help=_("The game, perhaps with options: {games}.").format(games=EXAMPLES))
@click.option(
    "--name",
    metavar=_("NAME"),
    help=_("Your name there; by default the one that you gave in the menu, or that of your account."),
)
@click.option("--join", metavar="CODE", help=_("Join the match with this six-letter code, or this match."))
@click.option(
    "--against", metavar="BOT", help=_("Play against this bot: random, minimax:depth=4; 'bot --help' lists them.")
)
@click.option("--invite", metavar=_("NAME"), help=_("Play against the bot that is connected there under this name."))
@click.option("--clock", metavar=_("CLOCK"), help=_("Time for a new match: 5m+3s, 10s/move or none."))
@click.option("--first", "seat", flag_value="first", help=_("Make the first move of a new match."))
@click.option("--second", "seat", flag_value="second", help=_("Let the other make the first move of a new match."))
@click.option("--private", is_flag=True, help=_("Only who knows the code of the new match may join it."))
@click.option("--host-here", is_flag=True, help=_("Start a server on this machine, for you and your network."))
@click.option("--port", type=click.IntRange(0, 65535), help=_("Where --host-here listens; 0 takes a free port."))
@click.option(
    "--no-mdns", is_flag=True, help=_("Don't look for servers on your network, nor announce that of --host-here.")
)
@click.option("--ascii", "ascii_only", is_flag=True, help=_("Draw with X O . only."))
@click.option("--wait", is_flag=True, help=_("When the input ends, stay until the match is over."))
@click.option("--plain", is_flag=True, help=_("Lines of text only, as for pipes and screen readers."))
@password_option
def play_command(  # noqa: D103 - its help says it
    url: str | None,
    *,
    game: str | None,
    name: str | None,
    join: str | None,
    against: str | None,
    invite: str | None,
    clock: str | None,
    seat: str | None,
    port: int | None,
    private: bool,
    host_here: bool,
    no_mdns: bool,
    ascii_only: bool,
    wait: bool,
    plain: bool,
) -> int:
    from client.commands.playing import play
    from client.people.choosing import Chooser
    from client.people.seating import Wish
    from client.people.sitting import Options

    if host_here and url is not None:
        raise click.UsageError(_("--host-here starts a server on this machine: leave the address out."))
    if port is not None and not host_here:
        raise click.UsageError(_("--port goes with --host-here; an address has its port in it: host:port."))
    url, link = (None, None) if url is None else _split(url)
    if sum(way is not None for way in (join, link, against, invite)) > 1:
        raise click.UsageError(_("--join, --against, --invite and an invitation in the address exclude each other."))
    wish = Wish(
        game=_rules(game),
        join=join or link,
        invite=invite,
        clock=_clock(clock),
        seat="first" if seat == "first" else "second" if seat == "second" else "random",
        private=private,
    )
    options = Options(
        url=None if url is None else read_address(url),
        name=name,
        against=against,
        host_port=(address.DEFAULT_PORT if port is None else port) if host_here else None,
        ascii=ascii_only,
        stay=wait,
        full=not (plain or wait) and takes_a_screen(),
        mdns=not no_mdns,
        chooser=Chooser(looks=not no_mdns),
    )
    return _run(lambda: play(options, wish))


@click.command(
    "watch",
    help=_(
        "Watch a match on the server at URL. MATCH is its name or its six-letter code; without it you watch the only "
        "public match there, or see the list if there are several. With --plain it ends with the match."
    ),
)
@click.argument("url", metavar="URL")
@click.argument("match", metavar=_("[MATCH]"), required=False)
@click.option(
    "--name",
    metavar=_("NAME"),
    help=_("Your name there; by default the one that you gave in the menu, or that of your account."),
)
@click.option("--ascii", "ascii_only", is_flag=True, help=_("Draw with X O . only."))
@click.option("--plain", is_flag=True, help=_("Lines of text only, as for pipes and screen readers."))
@password_option
def watch_command(  # noqa: D103 - its help says it
    url: str, match: str | None, name: str | None, *, ascii_only: bool, plain: bool
) -> int:
    from client.commands.playing import watch
    from client.people.sitting import Options

    place, link = _split(url)
    full = not plain and takes_a_screen()
    options = Options(url=read_address(place), name=name, ascii=ascii_only, stay=True, full=full)
    return _run(lambda: watch(options, match or link))


def _run(make: Callable[[], Coroutine[object, object, int]]) -> int:
    """Runs a command until it ends or a signal stops it; raises click's errors, which say what went wrong."""
    try:
        return with_password(lambda: stopping.run(make(), stopping.ALL_BUT_CTRL_C, within_s=stopping.AT_MOST_S))
    except ChildError as error:
        kind = click.UsageError if error.usage else click.ClickException
        raise kind(str(error)) from error
    except ClientError as error:
        from client import explanations

        raise click.ClickException(explanations.explain(error)) from error


def _rules(game: str | None) -> str | None:
    import games

    if game is None:
        return None
    try:
        return games.parse(game).spec
    except games.RulesError as error:
        raise click.UsageError(phrase(error.phrase)) from error


def _clock(text: str | None) -> Clock | None:
    try:
        return None if text is None else parse_clock(text)
    except ClockError as error:
        raise click.UsageError(
            _("{clock} is not a time control: write 5m+3s, 10s/move or none.").format(clock=text)
        ) from error


def _split(text: str) -> tuple[str, str | None]:
    """An address and the link of the invitation in it; raises click.UsageError."""
    try:
        return address.split_invitation(text)
    except AddressError as error:
        raise click.UsageError(str(error)) from error


def read_address(text: str) -> str:
    """The address that was typed; raises click.UsageError."""
    try:
        return address.parse(text)
    except AddressError as error:
        raise click.UsageError(str(error)) from error
