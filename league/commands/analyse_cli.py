"""The command `arbitre analyse`: where a played game was won and lost, by exact values."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import click

from locales import _, decimal, ngettext, phrase

if TYPE_CHECKING:
    from bots.search.analysis import Analysis, Step
    from games.base import Game

_MANY = 4


class _Told(NamedTuple):
    """A game to be analysed: its rules, its moves, and who played it."""

    game: Game
    moves: tuple[str, ...]
    names: tuple[str, str]


@click.command(
    "analyse",
    help=_(
        "Value each move of a played game before and after it was made: the turning points, what would have been "
        "better, and the accuracy of each side.\n\nThe game is a FILE that 'import' reads (jsonl, GGF, WTHOR; "
        "--game picks one of several), or GAME and TRANSCRIPT. It is valued from its end backwards, as far as the "
        "solver gets."
    ),
)
@click.argument("what", metavar=_("FILE | GAME TRANSCRIPT"), nargs=-1, required=True)
@click.option(
    "--game", "number", default=1, show_default=True, type=click.IntRange(1), metavar="N", help=_("Which game of FILE.")
)
@click.option(
    "--time",
    "seconds",
    default=5.0,
    show_default=True,
    type=click.FloatRange(0, min_open=True),
    metavar="S",
    help=_("How long a position may take."),
)
@click.option("--json", "as_json", is_flag=True, help=_("Print one JSON object."))
def analyse_command(what: tuple[str, ...], number: int, seconds: float, *, as_json: bool) -> None:
    """Prints the analysis; exit code 1 if nothing could be valued."""
    from bots.search import compiled
    from bots.search.analysis import analyse
    from bots.search.solver import compiled_for, make_solver
    from terminal.phrases import game_title
    from terminal.status import StatusLine

    told = _from_file(Path(what[0]), number) if len(what) == 1 and _is_file(what[0]) else _from_words(what)
    compiled.prepare(compiled_for(told.game), lambda line: click.echo(line, err=True))
    solver = make_solver(told.game)
    if solver is None:
        raise click.ClickException(_("There is no exact solver for {game}.").format(game=game_title(told.game)))
    backwards = _Backwards(len(told.moves), seconds)
    with StatusLine(backwards.say, tick=True):
        analysis = analyse(told.game, told.moves, solver, seconds, listen=backwards.hear)
    if as_json:
        click.echo(json.dumps(_as_json(told, analysis), ensure_ascii=False))
    else:
        for line in _in_words(told, analysis):
            click.echo(line)
    if told.moves and not analysis.steps:
        raise click.exceptions.Exit(1)


class _Backwards:
    """The progress of an analysis, which goes from the last move back to the first, and takes longer for each."""

    def __init__(self, moves: int, limit: float) -> None:
        self._left = self._moves = moves
        self._limit = limit
        self._taken: list[float] = []
        self._at = time.monotonic()

    def hear(self, ply: int) -> None:
        """The move at `ply` is valued."""
        now = time.monotonic()
        self._taken.append(now - self._at)
        self._at, self._left = now, ply

    def say(self) -> str:
        """The line."""
        from terminal.timeleft import left_growing, time_left

        said = _("{done} of {count} moves valued").format(done=self._moves - self._left, count=self._moves)
        left = left_growing(self._taken, self._left, self._limit)
        return said if left is None else f"{said}, {time_left(max(left - (time.monotonic() - self._at), 0.0))}"


def _is_file(text: str) -> bool:
    return Path(text).exists() or Path(text).suffix != ""


def _from_words(words: tuple[str, ...]) -> _Told:
    import games
    from games.base import IllegalMove, RulesError
    from terminal.refusals import move_refused

    try:
        game = games.parse(words[0])
    except RulesError as error:
        raise click.UsageError(phrase(error.phrase)) from error
    try:
        moves = game.parse_transcript(" ".join(words[1:]))
    except RulesError as error:
        raise click.UsageError(phrase(error.phrase)) from error
    except IllegalMove as error:
        raise click.UsageError(move_refused(game, error.move, error.reason)) from error
    return _Told(game, moves, (_("first player"), _("second player")))


def _from_file(path: Path, number: int) -> _Told:
    import games
    from server.records.compose import RefusedError
    from server.records.importing import format_of, read_games
    from server.records.readable import refusal_sentence, shown

    kind = format_of(path)
    try:
        found = next((item for item in read_games(path, kind, games.parse(games.USUAL)) if item.number == number), None)
    except OSError as error:
        raise click.UsageError(_("{path} can't be read.").format(path=path)) from error
    except RefusedError as error:
        raise click.ClickException(refusal_sentence(error)) from error
    if found is None:
        raise click.UsageError(_("{path} has no game {number}.").format(path=path, number=number))
    if isinstance(found.found, RefusedError):
        raise click.ClickException(refusal_sentence(found.found))
    record = found.found
    first, second = (shown(player.name) if player else _("(free seat)") for player in record.players)
    return _Told(games.parse(record.game), record.moves, (first, second))


def _as_json(told: _Told, analysis: Analysis) -> dict[str, object]:
    from games.base import Seat

    return {
        "game": told.game.spec,
        "players": list(told.names),
        "moves": list(told.moves),
        "start": analysis.start,
        "steps": [
            {
                "ply": step.ply, "seat": int(step.seat), "move": step.move, "before": step.before,
                "after": step.after, "best": list(step.best), "turning": step.is_turning,
            }
            for step in analysis.steps
        ],
        "accuracy": [analysis.accuracy(seat) for seat in Seat],
        "loss": [analysis.loss(seat) for seat in Seat],
    }  # fmt: skip


def _in_words(told: _Told, analysis: Analysis) -> list[str]:
    from games.base import Seat
    from terminal.phrases import game_title

    title = game_title(told.game)
    lines = [_("{game}: {first} - {second}").format(game=title, first=told.names[0], second=told.names[1])]
    if analysis.start:
        text = ngettext(
            "The first move is out of reach of an exact search.",
            "The first {count} moves are out of reach of an exact search.",
            analysis.start,
        )
        lines += ["", text.format(count=analysis.start)]
    if analysis.steps:
        lines.append("")
        lines += [_line(told, step) for step in analysis.steps]
        lines.append("")
    for seat, name in zip(Seat, told.names, strict=True):
        accuracy = analysis.accuracy(seat)
        if accuracy is not None:
            text = ngettext(
                "{name}: {percent} % of {count} move was best, {loss} given away",
                "{name}: {percent} % of {count} moves were best, {loss} given away",
                len(analysis.of(seat)),
            )
            count = len(analysis.of(seat))
            percent = decimal(100 * accuracy, 0)
            lines.append(text.format(name=name, percent=percent, count=count, loss=analysis.loss(seat)))
    return lines


def _line(told: _Told, step: Step) -> str:
    """A move: its number, who, the value before and after, and what was wrong with it. At most 80 columns."""
    from bots.search.analysis import CHANGES, prospect

    name = told.names[int(step.seat) - 1]
    head = f"{step.ply + 1:>3}. {step.move:<4} {name[:20]:<20} {_signed(step.before):>4}"
    if step.loss == 0:
        return head
    head += f" → {_signed(step.after):>4}"
    change = CHANGES.get((prospect(step.before), prospect(step.after)))
    best = " ".join(step.best[:_MANY]) + (" ..." if len(step.best) > _MANY else "")
    if change is None:
        said = _("best: {best}").format(best=best)
    else:
        said = _("{change}; best: {best}").format(change=_(change), best=best)
    return f"{head}  {said}"


def _signed(value: int) -> str:
    return f"{value:+}" if value else "0"
