"""The commands `arbitre league kick`, `rename`, `merge`, `free`: they correct a league, also while it is played.

If no process plays the league, the command itself writes to the log. Otherwise it asks the process that does, which
answers within a second or two.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from locales import _, ngettext

if TYPE_CHECKING:
    from league.history.inbox import Answer

PATIENCE_S = 15.0
"""How long the process that plays the league may take to answer."""

_EVERY_S = 0.1

_folder = click.argument("folder", metavar=_("FOLDER"), type=click.Path(path_type=Path, file_okay=False))


@click.command(
    "kick",
    short_help=_("Send a bot out of a league"),
    help=_(
        "Send a bot out of a league, also while it is played: it is withdrawn, and may not come back. The games that "
        "it has finished stay, and what it has not played counts as won by the others; with --annul it is as if it "
        "had never been there."
    ),
)
@_folder
@click.argument("name", metavar=_("NAME"))
@click.option("--annul", is_flag=True, help=_("Its games count for nobody."))
def kick_command(folder: Path, name: str, *, annul: bool) -> None:
    """Kicks."""
    data = _rule(folder, "kicked", {"name": name, "annul": annul})
    said = _("{name} is kicked, and its games don't count.") if annul else _("{name} is kicked. Its games stay.")
    click.echo(said.format(name=data["name"]))


@click.command(
    "rename",
    short_help=_("Give a bot of a league another name"),
    help=_("Give a bot of a league another name, in all its games too. Whoever comes under the old one is the same."),
)
@_folder
@click.argument("old", metavar=_("OLD"))
@click.argument("new", metavar=_("NEW"))
def rename_command(folder: Path, old: str, new: str) -> None:
    """Renames."""
    data = _rule(folder, "renamed", {"old": old, "new": new})
    click.echo(_("{old} is {name} now.").format(old=data["old"], name=data["new"]))


@click.command(
    "merge",
    short_help=_("Make one bot of two that are the same"),
    help=_(
        "Make one bot of two that are the same: somebody has entered twice. The games of A count for B from now on, "
        "and those of A against B for nobody; where both have played a third, both count. Whoever comes as A is B."
    ),
)
@_folder
@click.argument("name", metavar="A")
@click.argument("into", metavar="B")
def merge_command(folder: Path, name: str, into: str) -> None:
    """Merges."""
    from league.commands.folder import load_season

    data = _rule(folder, "merged", {"name": name, "into": into})
    kept = data["into"]
    games = sum(kept in (game.first, game.second) for game in load_season(folder).games)
    said = ngettext(
        "{name} is {into} now, who has {count} game.", "{name} is {into} now, who has {count} games.", games
    )
    click.echo(said.format(name=data["name"], into=kept, count=games))


@click.command(
    "free",
    short_help=_("Give a name in a league free"),
    help=_(
        "Give a name in a league free: it belongs to nobody until somebody enters under it, with whatever key. For who "
        "comes from another machine without their key, or when somebody else was faster to take the name. Who plays "
        "under it now is sent away, and may come in again. Games and points stay with the name."
    ),
)
@_folder
@click.argument("name", metavar=_("NAME"))
def free_command(folder: Path, name: str) -> None:
    """Gives a name free."""
    data = _rule(folder, "freed", {"name": name})
    click.echo(_("{name} is free: whoever enters under it next has it.").format(name=data["name"]))


def _rule(folder: Path, kind: str, data: Mapping[str, object]) -> Mapping[str, Any]:
    """The ruling's data as logged; a ruling that is refused, or any error, ends the command."""
    from league.commands.folder import check_league
    from league.history.inbox import Question
    from league.history.lease import LeaseTakenError
    from locales.system import reason

    check_league(folder)
    until = time.monotonic() + PATIENCE_S
    try:
        while True:
            try:
                return _write(folder, kind, data)
            except LeaseTakenError as error:
                if time.monotonic() > until:
                    text = _("{reason} It does not answer, so nothing is decided.")
                    raise click.ClickException(text.format(reason=error)) from error
            with Question(folder, kind, data) as look:
                if (answer := _wait(look)) is not None:
                    return _said(answer)
    except OSError as error:
        text = _("{folder} can't be used: {reason}.").format(folder=folder, reason=reason(error))
        raise click.ClickException(text) from error


def _wait(look: Callable[[], Answer | None]) -> Answer | None:
    """The answer of the process that plays the league; None if it takes so long that it may have ended."""
    until = time.monotonic() + PATIENCE_S / 3
    while (answer := look()) is None and time.monotonic() < until:
        time.sleep(_EVERY_S)
    return answer


def _said(answer: Answer) -> Mapping[str, Any]:
    if answer.data is None:
        raise click.ClickException(answer.refusal)
    return answer.data


def _write(folder: Path, kind: str, data: Mapping[str, object]) -> Mapping[str, Any]:
    """Writes the ruling to the log; raises OSError, and LeaseTakenError if a process plays the league."""
    from league.history.entrants import SeasonError
    from league.history.lease import Lease
    from league.history.log import Log, LogError
    from league.history.season import Season

    try:
        with Lease(folder), Log(folder) as log:
            entry = Season.of(log.entries).ruling(kind, data)
            log.append(entry)
            return entry.data
    except (LogError, SeasonError) as error:
        raise click.ClickException(str(error)) from error
