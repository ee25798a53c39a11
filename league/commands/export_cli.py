"""The command `arbitre league export`: a league's games as records that others read."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from locales import _
from server.commands.record_files import Output, format_option, output_option, system_says, write

if TYPE_CHECKING:
    from league.history.season import Season
    from protocol.records import GameRecord


@click.command(
    "export",
    short_help=_("Write a league's games as records"),
    help=_(
        "Write all games of a league that count, as records that others read.\n\njsonl: an object a line, as 'import' "
        "and 'verify' read it. ggf: games of Othello, for other programs. Both have what each move took by the clock. "
        "text: for people."
    ),
)
@click.argument("folder", metavar=_("FOLDER"), type=click.Path(path_type=Path, file_okay=False))
@format_option
@output_option
def export_command(folder: Path, output: Output, target: Path | None) -> None:
    """Writes the records."""
    from league.commands.folder import load_season

    season = load_season(folder)
    try:
        written = write(_records(season), output, target)
    except BrokenPipeError:
        raise
    except OSError as error:
        raise click.ClickException(system_says(error)) from error
    if season.games and not written:
        raise click.exceptions.Exit(1)


def _records(season: Season) -> Iterator[GameRecord | str]:
    from league.records import record_of
    from server.records.compose import RefusedError
    from server.records.readable import refusal_sentence

    for game in season.games:
        try:
            yield record_of(season.league, game, season.bots)
        except RefusedError as error:
            yield f"{game.pairing}.{game.number}: {refusal_sentence(error)}"
