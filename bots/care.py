"""The options that say how a program which is not Arbitre's own is run, for every command that takes a BOT."""

import re
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeVar

import click

from locales import _

if TYPE_CHECKING:
    from bots.base import BotSpec

Command = TypeVar("Command", bound=Callable[..., Any])

LEAST_MEMORY = 16 << 20
"""Below that, little starts."""

_UNITS = {"": 20, "K": 10, "M": 20, "G": 30}


def read_size(context: click.Context | None, option: click.Parameter | None, text: str | None) -> int | None:
    """A size in bytes, written 512M or 2G (a number alone counts mebibytes), as the value of an option."""
    del context, option
    if text is None:
        return None
    written = re.fullmatch(r"([0-9]{1,9})([KMG]?)(?:iB|B)?", text.strip(), re.IGNORECASE)
    size = int(written[1]) << _UNITS[written[2].upper()] if written else 0
    if size < LEAST_MEMORY:
        raise click.BadParameter(_("{size!r} is no size: write 512M or 2G, at least 16M.").format(size=text))
    return size


def care_options(command: Command) -> Command:
    """Adds --sandbox, --memory and --patience; the command hands them to `with_care`."""
    options = (
        click.option(
            "--sandbox",
            is_flag=True,
            help=_("For a program of others: no network, and no files but its own folder (needs bubblewrap)."),
        ),
        click.option(
            "--memory",
            callback=read_size,
            metavar=_("SIZE"),
            help=_("For a program of others: the most memory that it may use, 512M or 2G; by default 1G."),
        ),
        click.option(
            "--patience",
            type=click.FloatRange(0.1, 86_400),
            metavar=_("SECONDS"),
            help=_("For a program of others: how long a move may take where no clock says so; by default 60."),
        ),
    )
    for option in reversed(options):
        command = option(command)
    return command


def with_care(spec: "BotSpec", *, sandbox: bool, memory: int | None, patience: float | None) -> "BotSpec":
    """`spec`, run as these options say. Says on stderr if there is no sandbox here.

    Raises click.UsageError if one is given and the bot is one of Arbitre's own, which nothing of this binds.
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
    care = replace(spec.care, sandbox=sandbox)
    if memory is not None:
        care = replace(care, memory_bytes=memory)
    if patience is not None:
        care = replace(care, move_s=patience)
    return spec.with_care(care)


def warn_without_sandbox() -> None:
    """Says on stderr if there is no sandbox on this machine, and what is left."""
    from bots.sandbox import obstacle

    if (reason := obstacle()) is not None:
        text = _("No sandbox: {reason}. Only memory, processes, processor and time are limited.")
        click.echo(text.format(reason=reason), err=True)
