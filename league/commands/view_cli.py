"""The commands `arbitre league standings` and `arbitre league verify`: what a league's folder holds."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import click

from locales import _, ngettext
from locales.system import reason

if TYPE_CHECKING:
    from bots.analysis import Analysis
    from league.season import Season

_folder = click.argument("folder", metavar=_("FOLDER"), type=click.Path(path_type=Path, file_okay=False))


@click.command(
    "standings",
    short_help=_("Show the table of a league"),
    help=_("Show the table of a league, also while it is played."),
)
@_folder
@click.option("--json", "as_json", is_flag=True, help=_("Print one JSON object."))
@click.option("--csv", "as_csv", is_flag=True, help=_("Print the table for a spreadsheet."))
@click.option("--html", "as_html", is_flag=True, help=_("Print the tables as a page; `league report` adds the games."))
def standings_command(folder: Path, *, as_json: bool, as_csv: bool, as_html: bool) -> None:
    """Prints the table."""
    if as_json + as_csv + as_html > 1:
        raise click.UsageError(_("Choose one of --json, --csv and --html."))
    from league.commands.keeping import load_season

    season = load_season(folder)
    if as_json:
        click.echo(json.dumps(season.as_json(), ensure_ascii=False))
    elif as_csv:
        from league.table_text import as_csv as write

        click.echo(write(season.standings()), nl=False)
    elif as_html:
        from league.report_page import tables_page

        click.echo(tables_page(season), nl=False)
    else:
        from league.commands.keeping import print_table

        print_table(season)


@click.command(
    "report",
    short_help=_("Write a league as a page, with every game to replay"),
    help=_(
        "Write a league as one page for a browser, which needs nothing else: the table, the ratings with their error "
        "bars, and every game to replay. Moves are graded where a solver is exact (Puissance 4, morpion, the end of "
        "Othello): where a won game was thrown away, and how accurate each bot is."
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
    default=0.3,
    show_default=True,
    metavar=_("SECONDS"),
    help=_("How long the solver may take for a position; 0 grades nothing."),
)
def report_command(folder: Path, output: Path | None, grade: float) -> None:
    """Writes the page."""
    from league.commands.keeping import load_season
    from league.report_page import page

    season = load_season(folder)
    output = output or folder / "report.html"
    text = page(season, _grade(season, grade) if grade else {})
    try:
        output.write_text(text, encoding="utf-8")
    except OSError as error:
        raise click.ClickException(
            _("{path} can't be written: {reason}.").format(path=output, reason=reason(error))
        ) from error
    click.echo(output)


def _grade(season: Season, seconds: float) -> dict[tuple[str, int], Analysis]:
    """What the solver says of each game; nothing where there is no solver."""
    from bots.analysis import analyse
    from bots.search.solver import make_solver

    game = season.league.rules
    solver = make_solver(game)
    if solver is None:
        return {}
    graded = {}
    for number, played in enumerate(season.games, 1):
        if number % 10 == 0 or number == len(season.games):
            said = _("{number} of {count} games graded")
            click.echo(said.format(number=number, count=len(season.games)), err=True)
        graded[played.pairing, played.number] = analyse(game, played.moves, solver, seconds, first=played.opening)
    return graded


@click.command(
    "verify",
    short_help=_("Check a league from its log alone"),
    help=_(
        "Check a league from its log alone: that no line was changed, that the schedule is what its seed gives, that "
        "every game is by the rules, and that the results are what the games say."
    ),
)
@_folder
def verify_command(folder: Path) -> None:
    """Checks everything; exit code 1 if something is wrong."""
    from league.commands.keeping import check_league
    from league.log import LogError, load
    from league.verification import verify

    check_league(folder)
    try:
        entries = load(folder)
    except LogError as error:
        raise click.ClickException(str(error)) from error
    problems, games = verify(entries)
    for problem in problems:
        click.echo(problem)
    if problems:
        raise click.exceptions.Exit(1)
    said = ngettext("{count} game: all is as it should be.", "{count} games: all is as it should be.", games)
    click.echo(said.format(count=games))
