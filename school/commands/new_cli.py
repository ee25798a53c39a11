"""The command `arbitre class new`: makes the folder of a class from its list."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import click

from games import USUAL
from locales import _, ngettext

if TYPE_CHECKING:
    from league.pupils.lists import Pupil
    from school.config import Classroom


@click.command(
    "new",
    short_help=_("Make the folder of a class out of its list"),
    help=_(
        "Make the folder of a class out of its list.\n\nSOURCE is that list, as Pronote, Moodle or a spreadsheet "
        "writes it (CSV), or a text with a name a line. In the folder the file class.toml says who is in the class; "
        "look it through, and change names and teams there as long as the class has not been opened."
    ),
)
@click.argument("source", metavar=_("SOURCE"), type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--game", metavar=_("GAME"), default=USUAL, show_default=True, help=_("What is played."))
@click.option("--title", metavar=_("TITLE"), help=_("What the class is called; by default as SOURCE."))
@click.option("--group", metavar=_("NAME"), help=_("Only those of this group."))
@click.option(
    "--output", type=click.Path(path_type=Path, file_okay=False), help=_("The folder; by default beside SOURCE.")
)
def new_command(source: Path, game: str, title: str | None, group: str | None, output: Path | None) -> None:
    """Makes the folder, and says what to do with it."""
    from league.commands.new_cli import check_game, listed
    from league.config import ConfigError
    from league.pupils.lists import ClassListError
    from school.config import read_class, write_class
    from school.folder import CONFIG, keep_codes
    from school.messages import MAX_CLASS

    folder = output or (source.with_suffix("") if source.suffix else source.with_name(f"{source.name}-class"))
    _check_free(folder)
    check_game(game)
    try:
        pupils = listed(source, group, MAX_CLASS)
        classroom = _classroom(title or source.stem.replace("_", " "), game, pupils)
        text = write_class(classroom)
        read_class(text, str(folder / CONFIG))
    except (ClassListError, ConfigError) as error:
        raise click.ClickException(str(error)) from error
    _write(folder / CONFIG, text)
    keep_codes(folder, classroom.names)
    _say_what_next(folder, len(pupils))


def _classroom(title: str, game: str, pupils: Mapping[str, Pupil]) -> Classroom:
    from league.config import usual_for
    from school import config

    everywhere = set.intersection(*(set(pupil.groups) for pupil in pupils.values()))
    rows = (
        config.Pupil(name, pupil.whole[: config.MOST_LETTERS], _team(pupil, everywhere))
        for name, pupil in pupils.items()
    )
    return config.Classroom(title, game, usual_for(game).get("clock", ""), tuple(rows))


def _team(pupil: Pupil, everywhere: set[str]) -> str | None:
    """The first of their groups that does not contain the whole class, if it can be a name; a mere number is none."""
    from league.config import presentable

    group = next((group for group in pupil.groups if group not in everywhere), "")
    named = _("Group {number}").format(number=group) if group.isdecimal() else group
    return presentable(named, "") or None


def _check_free(folder: Path) -> None:
    """Ends the command where a class, or anything else, is in the folder."""
    from locales.system import concerning, reason

    try:
        is_free = not folder.exists() or (folder.is_dir() and not any(folder.iterdir()))
    except OSError as error:
        raise click.ClickException(concerning(folder, reason(error))) from error
    if not is_free:
        text = _("{folder} is there already, with something in it: --output takes another folder.")
        raise click.UsageError(text.format(folder=folder))


def _write(path: Path, text: str) -> None:
    from locales.system import reason

    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)  # it has whole names
        with path.open("x", encoding="utf-8") as stream:
            stream.write(text)
    except OSError as error:
        text = _("{file} can't be written: {reason}.")
        raise click.ClickException(text.format(file=path, reason=reason(error))) from error


def _say_what_next(folder: Path, count: int) -> None:
    from machine.modules import program
    from school.folder import CONFIG

    found = ngettext(
        "{file}: {count} pupil. Look it through; then:", "{file}: {count} pupils. Look it through; then:", count
    )
    click.echo(found.format(file=folder / CONFIG, count=count))
    quoted = shlex.quote(str(folder))
    cards = shlex.quote(str(folder / _("cards.html")))
    for line in (f"class open {quoted}", f"class cards {quoted} --html {cards}"):
        click.echo(f"  {program()} {line}")
