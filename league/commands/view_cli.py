"""The commands `arbitre league standings` and `arbitre league report`: what a league's folder holds."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from locales import _, language
from locales.system import reason

if TYPE_CHECKING:
    from bots.search.analysis import Analysis
    from league.history.season import Season

_folder = click.argument("folder", metavar=_("FOLDER"), type=click.Path(path_type=Path, file_okay=False))


@click.command(
    "standings",
    short_help=_("Show the table of a league"),
    help=_("Show the table of a league, also while it is played."),
)
@_folder
@click.option("--json", "as_json", is_flag=True, help=_("Print one JSON object."))
@click.option("--csv", "as_csv", is_flag=True, help=_("Print the table for a spreadsheet of your language."))
@click.option("--html", "as_html", is_flag=True, help=_("Print the tables as a page; 'league report' adds the games."))
def standings_command(folder: Path, *, as_json: bool, as_csv: bool, as_html: bool) -> None:
    """Prints the table."""
    if as_json + as_csv + as_html > 1:
        raise click.UsageError(_("Choose one of --json, --csv and --html."))
    from league.commands.folder import load_season

    season = load_season(folder)
    if as_json:
        click.echo(json.dumps(season.as_json(), ensure_ascii=False))
    elif as_csv:
        from league.report.table_text import as_csv as csv_of

        _put_csv(csv_of(season.standings()))
    elif as_html:
        from league.report.report_page import tables_page

        click.echo(tables_page(season), nl=False)
    else:
        from league.commands.folder import print_table

        print_table(season)


def _put_csv(text: str) -> None:
    """Writes a table for a spreadsheet, always as UTF-8.

    In French a byte order mark comes first, by which Excel recognises UTF-8, but not in a terminal. In English there is
    none: programs expect that.
    """
    marked = language() == "fr" and not sys.stdout.isatty()
    sys.stdout.flush()
    sys.stdout.buffer.write(text.encode("utf-8-sig" if marked else "utf-8"))
    sys.stdout.buffer.flush()


@click.command(
    "report",
    short_help=_("Write a league as a page, with every game to replay"),
    help=_(
        "Write a league as one page for a browser, which needs nothing else: the table, the ratings with their error "
        "bars, and every game to replay. Moves are graded where a solver is exact: where a won game was thrown away, "
        "and how accurate each bot is."
    ),
)
@_folder
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path, dir_okay=False),
    help=_("The file; by default report.html in FOLDER."),
)
@click.option(
    "--grade",
    type=click.FloatRange(0, 3600),
    default=0.2,
    show_default=True,
    metavar=_("SECONDS"),
    help=_("How long the solver may take for a position; 0 grades nothing."),
)
@click.option("--no-grades", is_flag=True, help=_("Leave the grading out: the page is there at once."))
def report_command(folder: Path, output: Path | None, grade: float, *, no_grades: bool) -> None:
    """Writes the page."""
    from league.commands.folder import load_season
    from league.report.report_page import page

    season = load_season(folder)
    output = output or folder / "report.html"
    if not output.absolute().parent.is_dir():  # grading takes a while
        text = _("There is no folder {folder} for the report: make it first.")
        raise click.UsageError(text.format(folder=output.parent))
    text = page(season, _grade(season, grade) if grade and not no_grades else {})
    try:
        output.write_text(text, encoding="utf-8")
    except OSError as error:
        raise click.ClickException(
            _("{path} can't be written: {reason}.").format(path=output, reason=reason(error))
        ) from error
    click.echo(output)


def _grade(season: Season, seconds: float) -> dict[tuple[str, int], Analysis]:
    """Grades the games in parallel; empty if there is no solver."""
    import time

    from league.report.grading import Task, grade, workers_for
    from terminal.status import StatusLine
    from terminal.timeleft import Pace, time_left

    tasks = [Task((played.pairing, played.number), played.moves, played.opening) for played in season.games]
    pace, done = Pace(time.monotonic()), 0

    def say() -> str:
        said = _("{number} of {count} games graded").format(number=done, count=len(tasks))
        left = pace.left(time.monotonic(), len(tasks) - done)
        return said if left is None else f"{said}, {time_left(left)}"

    with StatusLine(say) as status:

        def tell(now_done: int) -> None:
            nonlocal done
            done = now_done
            pace.note(time.monotonic(), done)
            status.look()

        def hear(line: str) -> None:
            status.hide()
            click.echo(line, err=True)

        workers = workers_for(len(tasks))
        return grade(season.league.rules, tasks, seconds, workers=workers, tell=tell, hear=hear)
