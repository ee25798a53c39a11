"""The command `arbitre replay`."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

import click

from client.commands.screen import takes_a_screen
from locales import _

if TYPE_CHECKING:
    from client.people.recorded import Recorded


@click.command(
    "replay",
    help=_(
        "Look through games that are over, move by move, with their review.\n\nFILE has games in it: jsonl, GGF, the "
        "text that 'export' writes, or moves, one game a line. MATCH is the name of a game that you have played here. "
        "Without either you choose from your games and the files of this folder."
    ),
)
@click.argument("played", metavar=_("[FILE | MATCH]"), required=False)
@click.option("--game", "number", type=click.IntRange(1), metavar="N", help=_("Which game of FILE."))
@click.option("--at", type=click.IntRange(0), metavar="N", help=_("Begin after so many moves."))
@click.option("--ascii", "ascii_only", is_flag=True, help=_("Draw with X O . only."))
@click.option("--plain", is_flag=True, help=_("Lines of text only, as for pipes and screen readers."))
def replay_command(played: str | None, number: int | None, at: int | None, *, ascii_only: bool, plain: bool) -> int:
    """Shows them on the full screen, or in lines."""
    from client.people.keeping import kept
    from client.people.recorded import RecordedError
    from client.people.replaying import find

    full = not plain and takes_a_screen()
    try:
        found = find(played) if played is not None else [] if full else kept()
    except RecordedError as error:
        raise click.ClickException(str(error)) from error
    if number is not None:
        if number > len(found):
            raise click.UsageError(
                _("{path} has no game {number}.").format(path=played or _("The list"), number=number)
            )
        found = [found[number - 1]]
    if full:
        return _on_the_screen(found, played or "", at, ascii_only=ascii_only)
    is_one = played is not None or number is not None
    for line in _in_lines(found, at, is_one=is_one, ascii_only=ascii_only):
        click.echo(line)
    return 0


def _on_the_screen(found: list[Recorded], what: str, at: int | None, *, ascii_only: bool) -> int:
    from client.tui.program import show_games
    from processes import stopping

    work = show_games(found, what, at, ascii_only=ascii_only)
    stopping.run(work, stopping.ALL_BUT_CTRL_C, within_s=stopping.AT_MOST_S)
    return 0


def _in_lines(found: list[Recorded], at: int | None, *, is_one: bool, ascii_only: bool) -> list[str]:
    from client.people.replaying import in_words, list_line
    from terminal.board import Style, draws_squares

    if not found:
        return [_("No game is kept here yet. What you play to its end is; files of games can be named.")]
    if len(found) > 1 or not is_one:
        return [list_line(number, one) for number, one in enumerate(found, 1)]
    colour = sys.stdout.isatty() and not os.environ.get("NO_COLOR")
    return in_words(found[0], at, Style(ascii=ascii_only or not draws_squares(sys.stdout.encoding), colour=colour))
