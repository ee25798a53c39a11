"""The command `arbitre bot new`."""

import os
import shlex
import sys
from pathlib import Path

import click

from locales import _, phrase
from locales.system import reason


@click.command(
    "new",
    help=_(
        "Write a bot in ten lines, NAME.py, and its test, test_NAME.py: it plays at once, and is yours to make better."
        "\n\nExample: new my_bot. NAME may have a folder before it."
    ),
)
@click.argument("name", metavar=_("NAME"))
@click.option("--game", metavar=_("GAME"), help=_("The game that its test plays; by default all of them."))
def new_command(name: str, game: str | None) -> None:
    """Writes two files that are not there yet, and says what to type next."""
    import games
    from bots.commands.starter import StarterError, starter
    from machine.modules import program

    where = Path(name)
    try:
        rules = [games.parse(spec) for spec in ([game] if game is not None else games.GAMES)]
        made = starter(where.name, rules)
    except games.RulesError as error:
        raise click.UsageError(phrase(error.phrase)) from error
    except StarterError as error:
        raise click.UsageError(str(error)) from error
    files = {where.with_name(made.bot): made.bot_text, where.with_name(made.test): made.test_text}
    for path in files:
        if path.exists():
            raise click.ClickException(
                _("{path} is there already, and stays as it is: choose another name.").format(path=path)
            )
    try:
        for path, text in files.items():
            with path.open("x", encoding="utf-8") as file:
                file.write(text)
            click.echo(path)
    except OSError as error:
        raise click.ClickException(
            _("{path} can't be written: {reason}.").format(path=error.filename, reason=reason(error))
        ) from error
    bot, test = (shlex.quote(str(path)) for path in files)
    _say_what_next(bot, test, program(), rules[0].spec)


def _say_what_next(bot: str, test: str, program: str, game: str) -> None:
    python = shlex.quote(min(sys.executable, os.path.relpath(sys.executable), key=len))
    rows = [
        (f"{program} bot check {bot}", _("try whether it does all that a bot has to do")),
        (f"{program} play --game {game} --against {bot}", _("play against it yourself")),
        (f"{python} {test}", _("run its test")),
    ]
    click.echo("\n" + _("What to type next:"), err=True)
    for command, what in rows:
        click.echo(f"  {command}\n      {what}", err=True)
