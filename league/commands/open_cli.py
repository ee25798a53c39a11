"""The command `arbitre league open`: a league that the bots of others enter with a code."""

from __future__ import annotations

import asyncio
import hashlib
import secrets
import shlex
from collections.abc import Callable, Sequence
from contextlib import AsyncExitStack
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import click

from league.commands.signing import sign_option
from locales import _, ngettext
from locales.folding import echo

if TYPE_CHECKING:
    from league.commands.arrivals import Arrivals
    from league.commands.progress import Lines
    from league.executors.restarting_server import RestartingServer
    from league.gathering import Gathering, OpenRunner
    from league.history.log import Log
    from league.history.season import Season
    from league.roster import Codes
    from league.showing import Showing

HOST = "0.0.0.0"  # noqa: S104 - bots come from other machines
PORT = 8765

EARLIER_ENDS_S = 15.0
"""How long the server of a league that was killed may take to end, when the league is opened again."""


@click.command(
    "open",
    short_help=_("Open a league to bots on other machines"),
    help=_(
        "Open a league that bots enter from other machines, with a code: 'bot my_bot.py ADDRESS --league "
        "CODE'. They are paired as soon as they are free; who comes late joins the schedule.\n\nFILE describes the "
        "league, without any [[bot]]; FOLDER is that of a league which was stopped. Without URL a server is started "
        "here. With a [roster] in FILE, each pupil enters with a personal code: 'league codes FOLDER' shows them."
    ),
)
@click.argument("path", metavar=_("FILE | FOLDER"), type=click.Path(path_type=Path))
@click.argument("url", metavar="[URL]", required=False)
@click.option("--dir", "folder", type=click.Path(path_type=Path, file_okay=False), help=_("Where to keep the league."))
@click.option("--bots", type=click.IntRange(2), metavar="N", help=_("Begin when N bots are there; else with Enter."))
@click.option("--host", default=HOST, show_default=True, help=_("Address of the server that is started."))
@click.option("--port", default=PORT, show_default=True, type=click.IntRange(0, 65535), help=_("Its port."))
@click.option("--no-mdns", is_flag=True, help=_("Don't announce that server on your network."))
@sign_option
def open_command(
    path: Path,
    url: str | None,
    folder: Path | None,
    bots: int | None,
    host: str,
    port: int,
    key: Path | None,
    *,
    no_mdns: bool,
) -> None:
    """Opens a league, or goes on with it."""
    from client import address
    from client.errors import AddressError
    from league.commands.folder import finish, folder_beside, held, is_league, kept_codes
    from league.commands.run_cli import first_entry, read_file
    from league.commands.signing import open_signing_key
    from league.history.season import Season

    entry, given = None, {}
    if is_league(path):
        folder = path
    else:
        league, home = read_file(path)
        if league.bots:
            raise click.UsageError(_("an open league has no [[bot]]: who enters plays."))
        folder = folder or folder_beside(path)
        entry, given = first_entry(league, home), dict(league.codes)
    try:
        at = None if url is None else address.parse(url)
    except AddressError as error:
        raise click.UsageError(str(error)) from error
    place = [at] if at else [*_said("--host", host, HOST), *_said("--port", port, PORT)]
    place += ["--no-mdns"] if no_mdns else []
    again = ("open", *place, *_said("--bots", bots, None), *_said("--sign", key, None))
    with held(folder, entry, is_new=entry is not None, again=again) as log:
        season = Season.of(log.entries)
        if season.league.bots:
            text = _("The bots of this league are here; to go on: {command}")
            raise click.UsageError(text.format(command=f"league resume {shlex.quote(str(folder))}"))
        codes = kept_codes(folder, season.league.roster, given)
        signing_key = open_signing_key(key, folder)
        finish(
            folder,
            _open(
                log, season, folder, at, bots, _ServerOptions(host, port, announced=bool(port) and not no_mdns), codes
            ),
            again,
            signing_key,
        )


class _ServerOptions(NamedTuple):
    """Where a server of the league's own listens, and whether it is announced on the network."""

    host: str
    port: int
    announced: bool


def _said(option: str, value: object, default: object) -> list[str]:
    """An option as it was given, nothing if it was not."""
    return [] if value == default else [option, str(value)]


async def _open(
    log: Log,
    season: Season,
    folder: Path,
    url: str | None,
    bots: int | None,
    options: _ServerOptions,
    codes: Codes | None,
) -> None:
    from league.commands.arrivals import Arrivals, AttendanceWatch
    from league.commands.page_lines import page_lines
    from league.commands.progress import Lines
    from league.executors.base import ExecutorError, RunError
    from league.executors.local import end
    from league.gathering import Gathering, OpenRunner
    from league.history.keys import KeyBook, KeysError
    from league.report.attendance import Attendance
    from league.showing import Showing, kept_key
    from machine.modules import program
    from processes.child import ChildError

    try:
        book = KeyBook(folder, _say, len(season.freed) if season.code else 0)
        async with AsyncExitStack() as stack:
            secret = None if url is not None else secrets.token_hex(16)
            server = None if secret is None else await stack.enter_async_context(_own_server(folder, options, secret))
            at = server.url if server is not None else url or ""
            showing = Showing(kept_key(folder), _say)
            gathering = Gathering(
                at, season.league, code=season.code or None, codes=codes, secret=secret,
                kept=_token_file(folder, url), book=book, tell=_say, showing=showing,
            )  # fmt: skip
            watch = AttendanceWatch(gathering, _say, Attendance(f"{program()} league free {shlex.quote(str(folder))}"))
            gathering.on_refused = watch.refused
            gathering.rule(season.aliases, season.barred, season.freed)
            await stack.enter_async_context(gathering)
            stack.push_async_callback(end, asyncio.create_task(watch.run()))
            lines, coming = Lines(_say), Arrivals(gathering, _say, bots, season, watch.show)
            runner = coming.runner = OpenRunner(log, gathering, _telling(coming, lines, showing), drawing=lines.drawing)
            _begin(runner, lines, showing)
            closed, reached = (None if codes is None else folder), _for_others(at, options.host)
            invitation = _invitation(reached, gathering.code, bots, closed, begun=runner.begin.is_set())
            for line in (*invitation, *page_lines(reached, showing.id)):
                _say(line)
            coming.listen()
            await _play(runner, gathering, server, showing)
    except ChildError as error:
        raise click.ClickException("\n  ".join((str(error), *error.stderr.splitlines()[-3:]))) from error
    except (ExecutorError, RunError, KeysError) as error:
        raise click.ClickException(str(error)) from error


def _begin(runner: OpenRunner, lines: Lines, showing: Showing) -> None:
    """Tells the terminal and the page what was played before, and logs the code, which others are told next."""
    lines.begin(runner.season)
    showing.look(runner.season)
    runner.note_code()


def _telling(arrivals: Arrivals, lines: Lines, showing: Showing) -> Callable[[Season], None]:
    """The function that is called after each change: it updates the arrivals, the terminal and the page."""

    def tell(season: Season) -> None:
        arrivals.look(season)
        lines.show(season)
        showing.look(season)

    return tell


async def _play(runner: OpenRunner, gathering: Gathering, server: RestartingServer | None, showing: Showing) -> None:
    """Plays to the end. server: the league's own server; without one, the code is then given back."""
    try:
        await runner.run()
        await showing.settle()
        if server is None:
            await gathering.close()
    except asyncio.CancelledError:
        if server is not None:
            server.kill()  # bots leave a server that ends in order; they wait for one that vanishes
        raise


def _own_server(folder: Path, options: _ServerOptions, secret: str) -> RestartingServer:
    """A server of the league's own, which keeps what it knows in the league's folder."""
    from league.executors.restarting_server import RestartingServer

    database = folder / "server.sqlite"
    kept = ("--db", str(database), "--durability", "process", "--for-good", *(("--mdns",) if options.announced else ()))
    patience = EARLIER_ENDS_S if database.exists() else 0.0
    return RestartingServer(options.host, options.port, secret=secret, options=kept, tell=_say, patience=patience)


def _say(text: str) -> None:
    echo(text, err=True)


def _token_file(folder: Path, url: str | None) -> Path:
    """The file for the token that gives the right to the league's code: in the league's folder, one for each server.

    Our own server is the same one on any port: its database is in the folder, too.
    """
    return folder / ("host.json" if url is None else f"host-{hashlib.sha256(url.encode()).hexdigest()[:12]}.json")


def _for_others(url: str, host: str) -> str:
    """The address of our server as other machines reach it, if it listens to all of them."""
    from machine.networks import lan_address

    lan = lan_address() if host == HOST else None
    return url if lan is None else url.replace("127.0.0.1", lan)


def _invitation(url: str, code: str, bots: int | None, folder: Path | None, *, begun: bool) -> Sequence[str]:
    """What to tell the pupils; `folder` holds their personal codes, if they have any."""
    from client import address
    from league.commands.arrivals import may_listen
    from machine.modules import program

    opened = (
        _("The league goes on. Bots enter it with the code {code}:")
        if begun
        else _("The league is open. Bots enter it with the code {code}:")
    )
    file = _("my_bot.py")
    command = f"{program()} bot {file} {address.short(url)} --league {code}"
    if folder is None:
        name = _("NAME")
        lines = [opened.format(code=code), f"  {command} --name {name}"]
    else:
        personal, sheet = _("PERSONAL"), f"{program()} league codes {shlex.quote(str(folder))}"
        text = _("{personal} is the code that each has on their card. To see them all:\n  {command}")
        lines = [opened.format(code=code), f"  {command}-{personal}", text.format(personal=personal, command=sheet)]
    if bots is not None and not begun:
        text = ngettext("It begins with {count} bot.", "It begins when {count} bots are there.", bots)
        lines.append(text.format(count=bots))
    elif not begun:
        lines.append(_("Press Enter to begin."))
    if (bots is not None or begun) and may_listen():
        lines.append(_("Press Enter to see who is here."))
    return lines
