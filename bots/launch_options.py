"""The options that say how a program which is not Arbitre's own is run, for every command that takes a BOT."""

import os
import shlex
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from locales import _
from processes.launch_options import LEAST_PATIENCE_S, MOST_PATIENCE_S, LaunchOptions, launch_options_of, size_of

if TYPE_CHECKING:
    from bots.base import BotSpec
    from games.base import Game

Command = TypeVar("Command", bound=Callable[..., Any])


def read_size(context: click.Context | None, option: click.Parameter | None, text: str | None) -> int | None:
    """A size in bytes, written 512M or 2G (a number alone counts mebibytes), as the value of an option."""
    del context, option
    if text is None:
        return None
    if (size := size_of(text)) is None:
        raise click.BadParameter(_("{size!r} is no size: write 512M or 2G, from 16M to 16384G.").format(size=text))
    return size


def launch_options(command: Command) -> Command:
    """Adds --sandbox, --memory and --patience; the command hands them to `with_launch_options`."""
    options = (
        click.option(
            "--sandbox",
            is_flag=True,
            help=_("For a program of others: no network, and no files but its own (needs bubblewrap)."),
        ),
        click.option(
            "--memory",
            callback=read_size,
            metavar=_("SIZE"),
            help=_("For a program of others: the most memory that it may use, 512M or 2G; by default 1G."),
        ),
        click.option(
            "--patience",
            type=click.FloatRange(LEAST_PATIENCE_S, MOST_PATIENCE_S),
            metavar=_("SECONDS"),
            help=_("For a program of others: how long a move may take where no clock says so; by default 60."),
        ),
    )
    for option in reversed(options):
        command = option(command)
    return command


def with_launch_options(
    spec: "BotSpec", *, sandbox: bool, memory: int | None, patience: float | None, apart: Sequence[Path] = ()
) -> "BotSpec":
    """`spec` with these launch options. Warns on stderr if this machine has no sandbox.

    Raises click.UsageError if one is given and the bot is one of Arbitre's own, to which none of them applies.
    """
    given = [
        name
        for name, value in (("--sandbox", sandbox or None), ("--memory", memory), ("--patience", patience))
        if value is not None
    ]
    if not given:
        return spec
    if not spec.is_foreign:
        raise click.UsageError(
            _("{option} is for programs of others, as stdio:CMD or my_bot.py; {bot} is a bot of Arbitre.").format(
                option=given[0], bot=spec.spec
            )
        )
    if sandbox:
        warn_without_sandbox()
    return spec.with_launch_options(launch_options_of(sandbox=sandbox, memory=memory, patience=patience, apart=apart))


def check_with(launch: LaunchOptions | None, spec: "BotSpec", game: "Game", contest: Sequence[str] = ()) -> None:
    """Raises BotSpecError if the bot can't play the game; a program of others is run for that as `launch` says.

    contest: all bots of the contest as they are written; the program sees the files of none of the others. If a program
    fails to load in a sandbox, nothing is raised: the error is printed on stderr, and the bot loses its games.
    """
    from bots.base import BotLoadError

    if launch is not None and spec.is_foreign:
        files = (str(file) for bot in contest for file in files_of(bot, Path.cwd()))
        own = spec.launch
        apart = (*launch.apart, *files)
        spec = spec.with_launch_options(
            replace(launch, apart=apart, python=own.python, many_games=own.many_games, ponder=own.ponder)
        )
    try:
        spec.check(game)
    except BotLoadError as error:
        if not spec.launch.sandbox:
            raise
        click.echo(str(error), err=True)


def life_options(command: Command) -> Command:
    """Adds --python, --many-games and --ponder; the command hands them to `with_life`."""
    options = (
        click.option(
            "--python",
            metavar=_("PROGRAM"),
            help=_("For a bot in Python: run it with this interpreter, such as .venv/bin/python."),
        ),
        click.option(
            "--many-games/--one-game",
            default=None,
            help=_("For a program of others: one process plays game after game; by default a new one for each."),
        ),
        click.option(
            "--ponder/--no-ponder",
            default=None,
            help=_("For a program of others: tell it when the opponent thinks, so that it thinks, too."),
        ),
    )
    for option in reversed(options):
        command = option(command)
    return command


def with_life(spec: "BotSpec", *, python: str | None, many_games: bool | None, ponder: bool | None) -> "BotSpec":
    """`spec` with these options; raises click.UsageError if one is given for a bot of Arbitre's own."""
    given = (("--python", python), ("--many-games", many_games or None), ("--ponder", ponder or None))
    wrong = next((name for name, value in given if value is not None), None)
    if wrong is not None and not spec.is_foreign:
        raise click.UsageError(
            _("{option} is for programs of others, as stdio:CMD or my_bot.py; {bot} is a bot of Arbitre.").format(
                option=wrong, bot=spec.spec
            )
        )
    return spec.with_launch_options(replace(spec.launch, python=python or "", many_games=many_games, ponder=ponder))


conversation_option = click.option(
    "--log-conversation",
    "conversations",
    metavar=_("FOLDER"),
    type=click.Path(file_okay=False, path_type=Path),
    help=_("Write all that is said with a program of others into this folder: a file for each program and game."),
)


def conversations_in(folder: Path | None, bots: Sequence[str]) -> Path | None:
    """The folder of --log-conversation, which is made; what is wrong ends the command. bots: as they are written."""
    if folder is None:
        return None
    import tempfile  # few commands are told to, and a plain bot imports no more than it needs

    from bots.base import ADAPTERS, FILE_FAMILY, is_program
    from locales.system import reason

    if not any(map(is_program, bots)):
        protocols = ", ".join(f"{name}:" for name in ADAPTERS if name != FILE_FAMILY)
        text = _("--log-conversation is for programs that speak a protocol ({protocols}), and here is none.")
        raise click.UsageError(text.format(protocols=protocols))
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return folder.absolute()
    except OSError as error:
        text = _("{file} can't be written: {reason}.").format(file=folder, reason=reason(error))
        raise click.ClickException(text) from error


def warn_without_sandbox() -> None:
    """Warns on stderr if this machine has no sandbox, and says which limits still hold."""
    from processes.sandbox import obstacle

    if (reason := obstacle()) is not None:
        text = _("No sandbox: {reason}. Only memory, processes, processor and time are limited.")
        click.echo(text.format(reason=reason), err=True)


def files_of(bot: str, home: Path) -> list[Path]:
    """The files that a bot names, or the folder that it is: what another bot may not see.

    bot: the bot as it is written. home: the folder where it runs.
    """
    from bots.base import FILE_FAMILY, split_bot
    from processes.belongings import files_in

    family, _colon, said = split_bot(bot)
    if family != FILE_FAMILY:
        try:
            return files_in(shlex.split(said), home)
        except ValueError:
            return []
    if (folder := _folder(said, home)) is not None:
        return [folder]
    return files_in(("", _without_function(said, home)), home)


def _folder(said: str, home: Path) -> Path | None:
    """The folder of a bot that is written `said`, as "my_bot/" or "my_bot/#play"; None if it is no folder."""
    path = home / Path(_without_function(said, home)).expanduser()
    try:
        return Path(os.path.normpath(path)) if path.is_dir() else None
    except (OSError, ValueError):  # a name that is too long, for one
        return None


def _without_function(said: str, home: Path) -> str:
    return said if (home / said).exists() else said.partition("#")[0]
