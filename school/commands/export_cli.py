"""The command `arbitre class export`: the marks of a class, for a spreadsheet."""

from __future__ import annotations

from pathlib import Path

import click

from locales import _


@click.command(
    "export",
    short_help=_("Write the marks of a class for a spreadsheet"),
    help=_(
        "Write the marks of a class for a spreadsheet (CSV): for each pupil the versions handed in, tests passed, "
        "badges, points and ratings in the leagues that you began as graded, faults, your last comment. Also while the "
        "class is open. With --lang fr it has semicolons and decimal commas, as spreadsheets in French want them."
    ),
)
@click.argument("folder", metavar=_("CLASS"), type=click.Path(path_type=Path))
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path, dir_okay=False),
    help=_("The file; by default marks.csv in CLASS."),
)
def export_command(folder: Path, output: Path | None) -> None:
    """Writes the file."""
    from locales.system import reason
    from machine.files import replace_private
    from school.exporting import ExportError, export
    from school.folder import load_class, located

    folder = located(folder)
    output = output or folder / _("marks.csv")
    try:
        replace_private(output, f"\ufeff{export(folder, load_class(folder))}")  # by this mark Excel knows UTF-8
    except ExportError as error:
        raise click.ClickException(str(error)) from error
    except OSError as error:
        text = _("{file} can't be written: {reason}.").format(file=output, reason=reason(error))
        raise click.ClickException(text) from error
    click.echo(output)
