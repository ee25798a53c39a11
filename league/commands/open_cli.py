"""The command `arbitre league open`: a league that the bots of others enter with a code."""

from __future__ import annotations

import asyncio
import hashlib
import secrets
import shlex
import sys
import threading
from collections.abc import Sequence
from contextlib import AsyncExitStack
from pathlib import Path
from typing import TYPE_CHECKING

import click

from locales import _, ngettext

if TYPE_CHECKING:
    from league.gathering import Gathering, OpenRunner
    from league.log import Log
    from league.roster import Codes
    from league.season import Season

HOST = "0.0.0.0"  # noqa: S104 - bots come from other machines
PORT = 8765


@click.command(
    "open",
    short_help=_("Open a league to bots on other machines"),
    help=_(
        "Open a league that bots enter from other machines, with a code: 'arbitre bot my_bot.py ADDRESS --league "
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
def open_command(path: Path, url: str | None, folder: Path | None, bots: int | None, host: str, port: int) -> None:
    """Opens a league, or goes on with it."""
    from client import address
    from client.errors import AddressError
    from league.commands.keeping import finish, folder_beside, held, is_league, kept_codes
    from league.commands.run_cli import first_entry, read_file
    from league.season import Season

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
    again = ("open", *place, *_said("--bots", bots, None))
    with held(folder, entry, is_new=entry is not None, word="open") as log:
        season = Season.of(log.entries)
        if season.league.bots:
            text = _("The bots of this league are here; to go on: {command}")
            raise click.UsageError(text.format(command=f"league resume {shlex.quote(str(folder))}"))
        codes = kept_codes(folder, season.league.roster, given)
        finish(folder, _open(log, season, folder, at, bots, (host, port), codes), again)


def _said(option: str, value: object, default: object) -> list[str]:
    """An option as it was given, nothing if it was not."""
    return [] if value == default else [option, str(value)]


async def _open(
    log: Log,
    season: Season,
    folder: Path,
    url: str | None,
    bots: int | None,
    place: tuple[str, int],
    codes: Codes | None,
) -> None:
    from bots.supervisor import ChildError
    from league.commands.progress import Lines
    from league.gathering import Gathering, OpenRunner
    from league.places.arena import serving
    from league.places.base import RunError, VenueError

    try:
        async with AsyncExitStack() as stack:
            child, secret, at = None, None, url or ""
            if url is None:
                secret = secrets.token_hex(16)
                kept = ("--db", str(folder / "server.sqlite"), "--durability", "process", "--for-good")
                server = serving(*place, secret=secret, options=kept)
                child, at = await stack.enter_async_context(server)
            gathering = Gathering(
                at, season.league, code=season.code or None, codes=codes, secret=secret,
                kept=_token_file(folder, url), tell=_say,
            )  # fmt: skip
            gathering.rule(season.aliases, season.barred)
            await stack.enter_async_context(gathering)
            lines = Lines(_say)
            door = _Door(gathering, bots, season)

            def tell(season: Season) -> None:
                door.look(season)
                lines.show(season)

            runner = door.runner = OpenRunner(log, gathering, tell)
            begun, is_closed = runner.begin.is_set(), codes is not None
            reached = _for_others(at, place[0])
            for line in _invitation(reached, gathering.code, bots, folder if is_closed else None, begun=begun):
                _say(line)
            door.listen()
            try:
                await runner.run()
                if url is not None:
                    await gathering.close()
            except asyncio.CancelledError:
                if child is not None:
                    child.kill()  # a server that takes its leave is over for the bots; one that vanishes is waited for
                raise
    except ChildError as error:
        raise click.ClickException("\n  ".join((str(error), *error.stderr.splitlines()[-3:]))) from error
    except (VenueError, RunError) as error:
        raise click.ClickException(str(error)) from error


def _say(text: str) -> None:
    click.echo(text, err=True)


def _token_file(folder: Path, url: str | None) -> Path:
    """Where the token is kept that the league's code belongs to: with the league, and one for each server.

    Our own server is the same on whatever port: its database is in the folder, too.
    """
    return folder / ("host.json" if url is None else f"host-{hashlib.sha256(url.encode()).hexdigest()[:12]}.json")


def _for_others(url: str, host: str) -> str:
    """The address of our server as other machines reach it, if it listens to all of them."""
    from client.seating import lan_address

    lan = lan_address() if host == HOST else None
    return url if lan is None else url.replace("127.0.0.1", lan)


def _invitation(url: str, code: str, bots: int | None, folder: Path | None, *, begun: bool) -> Sequence[str]:
    """What to tell the pupils; `folder` holds their personal codes, if they have any."""
    from client import address
    from client.seating import program

    opened = (
        _("The league goes on. Bots enter it with the code {code}:")
        if begun
        else _("The league is open. Bots enter it with the code {code}:")
    )
    command = f"{program()} bot my_bot.py {address.short(url)} --league {code}"
    if folder is None:
        name = _("NAME")
        lines = [opened.format(code=code), f"  {command} --name {name}"]
    else:
        personal, sheet = _("PERSONAL"), f"{program()} league codes {shlex.quote(str(folder))}"
        text = _("{personal} is what each has on the sheet: {command}")
        lines = [opened.format(code=code), f"  {command}-{personal}", text.format(personal=personal, command=sheet)]
    if bots is not None and not begun:
        text = ngettext("It begins with {count} bot.", "It begins when {count} bots are there.", bots)
        lines.append(text.format(count=bots))
    elif not begun:
        lines.append(_("Press Enter to begin."))
    return lines


class _Door:
    """Says who has come, and lets the league begin: with Enter, or when enough bots are there.

    season: as the log has it, before anybody comes.
    """

    runner: OpenRunner

    def __init__(self, gathering: Gathering, bots: int | None, season: Season) -> None:
        self._gathering = gathering
        self._bots = bots
        self._known = set(season.bots)
        self._away: set[str] = set()
        self._aliases = dict(season.aliases)
        self._barred = set(season.barred)

    def look(self, season: Season) -> None:
        """Tells of those who are new, withdrawn, or back; and of what whoever runs the league has decided."""
        from league.season import WITHDRAWN

        for old, new in season.aliases.items():
            if self._aliases.get(old) != new:
                _say(_("{old} is {name} now.").format(old=old, name=new))
        for name in sorted(season.barred.keys() - self._barred):
            _say(_("{name} is kicked, and does not come in any more.").format(name=name))
        known = {season.called(name) for name in self._known}
        names = list(season.bots)
        for name in names:
            if name not in known:
                _say(_("{name} is in ({count}).").format(name=name, count=names.index(name) + 1))
        away = {name for name, reason in season.out.items() if reason == WITHDRAWN}
        before = {season.called(name) for name in self._away}
        for name in sorted(away - before):
            _say(_("{name} was away for too long: withdrawn until it comes back.").format(name=name))
        for name in sorted(before - away):
            if name in season.bots and name not in season.out:
                _say(_("{name} is back, and takes part again.").format(name=name))
        self._known, self._away = {*known, *names}, away
        self._aliases, self._barred = dict(season.aliases), set(season.barred)
        if self._bots is not None and len(names) >= self._bots:
            self.runner.begin.set()

    def listen(self) -> None:
        """Waits for Enter on a thread of its own, which ends with the process."""
        self.look(self.runner.season)
        if self._bots is not None or self.runner.begin.is_set():
            return
        loop = asyncio.get_running_loop()

        def wait() -> None:
            if sys.stdin.readline():
                loop.call_soon_threadsafe(self.runner.begin.set)

        threading.Thread(target=wait, daemon=True).start()
