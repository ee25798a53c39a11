"""The command `arbitre league codes`: the sheet with the personal codes of a league."""

from __future__ import annotations

from html import escape
from pathlib import Path

import click

from locales import _, language


@click.command(
    "codes",
    short_help=_("Show the personal codes of a league"),
    help=_(
        "Show the personal codes of those on the roster of a league, a line each: what they write behind --league of "
        "'bot', with the league's code before it as soon as the league has been opened. Codes are drawn when "
        "they are first asked for, and stay. --html is a page of cards to be cut out."
    ),
)
@click.argument("path", metavar=_("FILE | FOLDER"), type=click.Path(path_type=Path))
@click.option("--html", "as_html", is_flag=True, help=_("Print a page of cards, to be cut out."))
def codes_command(path: Path, *, as_html: bool) -> None:
    """Prints the sheet."""
    from league.commands.folder import check_no_class, folder_beside, is_league, kept_codes, load_season
    from league.commands.run_cli import read_file
    from league.history.season import Season

    if path.is_dir():
        folder, season = path, load_season(path)
    else:
        league, _home = read_file(path)
        folder = folder_beside(path)
        check_no_class(folder)
        season = load_season(folder) if is_league(folder) else Season(league)
    codes = kept_codes(folder, season.league.roster, season.league.codes)
    if codes is None:
        raise click.UsageError(_("This league has no roster: everybody enters who knows its code."))
    before = f"{season.code}-" if season.code else ""
    rows = [(season.called(name), before + code) for name, code in codes.items()]
    click.echo(_cards(season.league.name, rows) if as_html else _lines(rows), nl=False)


def _lines(rows: list[tuple[str, str]]) -> str:
    return "".join(f"{name}\t{code}\n" for name, code in rows)


def _cards(title: str, rows: list[tuple[str, str]]) -> str:
    """A page with a card for each name."""
    cards = "\n".join(
        f"<li><b>{escape(name)}</b><small>{escape(title)}</small><code>{escape(code)}</code></li>"
        for name, code in rows
    )
    return (
        f'<!doctype html>\n<html lang="{language()}"><meta charset="utf-8"><title>{escape(title)}</title>\n<style>\n'
        "ul { display: grid; grid-template-columns: 1fr 1fr; gap: 0; padding: 0; list-style: none }\n"
        "li { display: grid; gap: 4mm; padding: 8mm; border: 1px dashed #888; break-inside: avoid;"
        " font: 14pt sans-serif }\n"
        f"code {{ font-size: 18pt }}\n</style>\n<ul>\n{cards}\n</ul>\n</html>\n"
    )
