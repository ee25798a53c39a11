"""The folder of a league while a command works on it: its lease, its log, and what is said at the end."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Coroutine, Generator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

import click

from league.history.entrants import SeasonError
from league.history.lease import Lease, LeaseTakenError
from league.history.log import NAME, Log, LogEntry, LogError, is_log
from league.history.log import load as load_log
from league.history.season import Season
from league.roster import CLASS, Codes, RosterError, keep
from locales import _
from locales.folding import echo
from locales.system import reason
from machine.modules import program
from processes import stopping
from processes.stopping import Stopped

if TYPE_CHECKING:
    from league.history.signature import SigningKey


def is_league(folder: Path) -> bool:
    """Whether `folder` is that of a league."""
    return is_log(folder / NAME)


def check_league(folder: Path) -> None:
    """Ends the command where there is no league."""
    if not is_league(folder):
        raise click.UsageError(
            _("There is no league in {folder}: give the folder that 'league run' made.").format(folder=folder)
        )


def check_no_class(folder: Path) -> None:
    """Ends the command where a class is."""
    if (folder / CLASS).exists():
        text = _("{folder} holds a class: give the file of the league another name.")
        raise click.UsageError(text.format(folder=folder))


def folder_beside(file: Path) -> Path:
    """Where the league that `file` describes is kept by default: not among programs that were handed in."""
    folder = file.with_suffix("")
    return file.with_name(f"{file.stem}-league") if not file.suffix or _holds_programs(folder) else folder


def _holds_programs(folder: Path) -> bool:
    if is_league(folder) or (folder / CLASS).exists():
        return False
    with suppress(OSError):
        return any(path.suffix in (".py", ".ipynb") or path.is_dir() for path in folder.iterdir())
    return False


@contextmanager
def held(folder: Path, first: LogEntry | None, *, is_new: bool, again: Sequence[str] = ("resume",)) -> Generator[Log]:
    """The log of the league in `folder`, ours alone; `first` begins a new one. What is wrong ends the command.

    If a signal stops the command, it prints how to go on. again: the subcommand that continues the league, then the
    options that follow the folder.
    """
    check_no_class(folder)
    if not is_new:
        check_league(folder)
    if is_new and is_league(folder):
        text = _(
            "{folder} holds a league already: 'league {word} {folder}' goes on with it, --dir takes another folder."
        )
        raise click.UsageError(text.format(folder=folder, word=again[0]))
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with _going_on(folder, again), Lease(folder), Log(folder) as log:
            if first is not None:
                log.append(first)
            league = Season.of(log.entries).league
            text = _("League {name}, seed {seed}, in {folder}")
            echo(text.format(name=league.name, seed=league.seed, folder=folder), err=True)
            yield log
    except (LeaseTakenError, LogError, SeasonError) as error:
        raise click.ClickException(str(error)) from error
    except OSError as error:
        raise click.ClickException(
            _("{folder} can't be used: {reason}.").format(folder=folder, reason=reason(error))
        ) from error


@contextmanager
def _going_on(folder: Path, again: Sequence[str]) -> Generator[None]:
    """Says how to go on if a signal comes, at whatever moment."""
    try:
        yield
    except (Stopped, KeyboardInterrupt):
        if is_league(folder):
            _say_how(folder, again)
        raise


def _say_how(folder: Path, again: Sequence[str]) -> None:
    echo(_("Stopped. What was played is kept; to go on:"), err=True)
    click.echo(f"  {program()} league {again[0]} {shlex.join((str(folder), *again[1:]))}", err=True)


def finish(
    folder: Path,
    work: Coroutine[object, object, None],
    again: Sequence[str] = ("resume",),
    key: SigningKey | None = None,
) -> None:
    """Runs `work` to the league's end, signs the log and prints the table; if it can't go on, says how to later.

    If the league is over because a bot without which it can't go on was suspended, the exit code is 1. again: as in
    `held`.
    """
    try:
        stopping.run(work)
    except click.ClickException as error:
        error.show()
        _say_how(folder, again)
        raise click.exceptions.Exit(1) from error
    season = load_season(folder)
    if key is not None and season.finished:
        from league.commands.signing import sign

        sign(folder, key)
    print_table(season)
    if season.finished and season.league.sprt and not season.is_decided and not season.out:
        text = _("The test is not decided. To play more of it:\n  {command}")
        rounds = str(1 + (season.league.rounds or 1))
        command = f"{program()} league resume {shlex.join((str(folder), '--rounds', rounds))}"
        echo(text.format(command=command), err=True)
    if ended := season.broken_off:
        raise click.ClickException(
            _("{name} has failed {count} times in a row, and nothing can be played without it.").format(
                name=ended, count=season.league.faults
            )
        )


def kept_codes(folder: Path, roster: Sequence[str], given: Codes) -> Codes | None:
    """The personal codes of those on the roster, None if there is none; what is wrong with them ends the command."""
    if not roster:
        return None
    try:
        return keep(folder, roster, given)
    except RosterError as error:
        raise click.ClickException(str(error)) from error


def load_season(folder: Path) -> Season:
    """The league in `folder`; what is wrong with it ends the command."""
    check_league(folder)
    try:
        return Season.of(load_log(folder))
    except (LogError, SeasonError) as error:
        raise click.ClickException(str(error)) from error


def print_table(season: Season) -> None:
    """The table on stdout: with colours in a terminal, plain in a pipe."""
    from rich.console import Console

    from league.report.table_text import render

    console = Console(highlight=False, width=None if sys.stdout.isatty() else 80)
    console.print(render(season, season.standings(), width=console.width))
