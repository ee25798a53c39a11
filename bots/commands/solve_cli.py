"""The command `arbitre solve`: exact values of positions, for people, for programs, and by the thousand."""

from __future__ import annotations

import json
import os
import stat
import sys
import time
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, TextIO

import click

from games import GAMES
from games.base import position_after
from locales import _, decimal, ngettext, phrase, say
from terminal.timeleft import Pace, at_most_left, time_left

if TYPE_CHECKING:
    from bots.search.solver import Solution, Solver
    from games.base import Game, Position

_FROM_INPUT = "-"


def _values() -> str:
    """What values mean in the games whose values say more than who wins."""
    counted = [(kind.profile.title, kind.profile.worth) for kind in GAMES.values()]
    return _("; ").join(_("{game}: {worth}").format(game=say(t), worth=say(w)) for t, w in counted if t and w)


@click.command(
    "solve",
    help=_(
        "Say what a position is worth to the side to move if both play perfectly, what each move is worth, and which "
        "are best.\n\nThe position is reached by the moves TRANSCRIPT from the start of GAME (nothing: the start "
        "itself). Values: {values}; in other games 1, 0, -1. With - as TRANSCRIPT or as --position, reads one position "
        "a line and answers each with a line of JSON."
    ).format(values=_values()),
)
@click.argument("game", metavar=_("GAME"))
@click.argument("transcript", metavar=_("[TRANSCRIPT]"), required=False, nargs=-1)
@click.option(
    "--position", metavar=_("CELLS"), help=_("The cells (X, O, -) row by row, a space, and who moves, as in OBF files.")
)
@click.option(
    "--time", "seconds", type=click.FloatRange(0, min_open=True), metavar="S", help=_("Give up after S seconds.")
)
@click.option(
    "--memory",
    type=click.IntRange(8, 65536),
    default=512,
    show_default=True,
    metavar="MB",
    help=_("Size of the table."),
)
@click.option("--json", "as_json", is_flag=True, help=_("Print one JSON object."))
@click.pass_context
def solve_command(
    context: click.Context,
    game: str,
    transcript: tuple[str, ...],
    position: str | None,
    seconds: float | None,
    memory: int,
    *,
    as_json: bool,
) -> None:
    """Solves one position, or those of the standard input; exit code 1 if one is out of reach or can't be read."""
    import games
    from bots.search import compiled
    from bots.search.solver import compiled_for, make_solver
    from terminal.phrases import game_title

    moves = " ".join(transcript)
    if position is not None and moves:
        raise click.UsageError(_("Give a transcript or --position, not both."))
    try:
        rules = games.parse(game)
    except games.RulesError as error:
        raise click.UsageError(phrase(error.phrase)) from error
    is_position = position is not None
    text = moves if position is None else position
    at = None if text == _FROM_INPUT else _read(rules, text, is_position=is_position)
    compiled.prepare(compiled_for(rules), lambda line: click.echo(line, err=True))
    solver = make_solver(rules, memory)
    if solver is None:
        raise click.ClickException(_("There is no exact solver for {game}.").format(game=game_title(rules)))
    if at is not None:
        good = _answer(rules, at, solver, seconds, as_json=as_json)
    else:
        lines = (line.rstrip("\r\n") for line in sys.stdin)
        good = _answer_all(rules, lines, solver, seconds, is_position=is_position)
    context.exit(0 if good else 1)


def _read(game: Game, text: str, *, is_position: bool) -> Position:
    """The position that `text` says: cells of an OBF line, or moves from the start. Raises click.UsageError."""
    from games.base import IllegalMove, RulesError
    from terminal.refusals import move_refused

    try:
        if is_position:
            return game.position(text.partition("%")[0].partition(";")[0].strip().upper())
        position = position_after(game, game.parse_transcript(text))
    except RulesError as error:
        raise click.UsageError(phrase(error.phrase)) from error
    except IllegalMove as error:
        raise click.UsageError(move_refused(game, error.move, error.reason)) from error
    return position


def _answer(game: Game, position: Position, solver: Solver, seconds: float | None, *, as_json: bool) -> bool:
    """Prints what a position is worth; false if that is out of reach."""
    from bots.search.solver import solve
    from terminal.status import StatusLine

    clock = _Clock(solver, seconds)
    with StatusLine(clock.say, tick=True):
        began = time.perf_counter()
        solution = solve(solver, position, seconds, clock.hear)
        taken = time.perf_counter() - began
    if as_json:
        click.echo(json.dumps(_as_json(game, position, solution, taken)))
    else:
        for line in _in_words(position, solution, taken):
            click.echo(line)
    return solution.exact


def _answer_all(game: Game, lines: Iterable[str], solver: Solver, seconds: float | None, *, is_position: bool) -> bool:
    """Answers each line with a line of JSON before it reads the next; false if one is out of reach or can't be read."""
    from bots.search.solver import solve
    from terminal.status import StatusLine

    good = True
    count = _Count()
    with StatusLine(count.say, tick=not sys.stdout.isatty()) as status:
        for line in count.over(lines):
            try:
                position = _read(game, line, is_position=is_position)
                began = time.perf_counter()
                solution = solve(solver, position, seconds)
                answer = _as_json(game, position, solution, time.perf_counter() - began)
                good &= solution.exact
            except click.UsageError as error:
                answer = {"game": game.spec, "error": error.message}
                good = False
            status.hide()
            click.echo(json.dumps(answer, ensure_ascii=False))
            sys.stdout.flush()
    return good


class _Clock:
    """The progress of one position: how long it was searched, and how long it still takes, if that can be estimated."""

    def __init__(self, solver: Solver, limit: float | None) -> None:
        self._solver = solver
        self._limit = limit
        self._began = time.monotonic()
        self._moves: tuple[Pace, int, int] | None = None

    def hear(self, done: int, count: int) -> None:
        """Notes that `done` of `count` moves are valued."""
        pace = Pace(time.monotonic()) if self._moves is None else self._moves[0]
        pace.note(time.monotonic(), done)
        self._moves = pace, done, count

    def say(self) -> str:
        """The line."""
        now = time.monotonic()
        said = _("{nodes} positions searched in {seconds} s").format(
            nodes=self._solver.nodes, seconds=round(now - self._began)
        )
        left = None
        if self._moves is not None:
            pace, done, count = self._moves
            said += ", " + _("{done} of {count} moves valued").format(done=done, count=count)
            left = pace.left(now, count - done)
        if self._limit is not None:
            rest = max(self._limit - (now - self._began), 0.0)
            if left is None or left > rest:
                return f"{said}, {at_most_left(rest)}"
        return said if left is None else f"{said}, {time_left(left)}"


class _Count:
    """The progress of a list of positions; if it comes from a pipe, its length is unknown."""

    def __init__(self) -> None:
        self._pace = Pace(time.monotonic())
        self._done = 0
        self._of: int | None = None

    def over(self, lines: Iterable[str]) -> Iterator[str]:
        """The lines, counted."""
        if _is_file(sys.stdin):
            lines = list(lines)
            self._of = len(lines)
        for line in lines:
            yield line
            self._done += 1
            self._pace.note(time.monotonic(), self._done)

    def say(self) -> str:
        """The line."""
        if self._of is None:
            text = ngettext("{count} position solved", "{count} positions solved", self._done)
            return text.format(count=self._done)
        said = _("{done} of {count} positions solved").format(done=self._done, count=self._of)
        left = self._pace.left(time.monotonic(), self._of - self._done)
        return said if left is None else f"{said}, {time_left(left)}"


def _is_file(stream: TextIO) -> bool:
    try:
        return stat.S_ISREG(os.fstat(stream.fileno()).st_mode)
    except (OSError, ValueError):  # a test's, without a descriptor
        return False


def _as_json(game: Game, position: Position, solution: Solution, seconds: float) -> dict[str, object]:
    return {
        "game": game.spec,
        "to_move": int(position.to_move),
        "value": solution.value,
        "best": list(solution.best),
        "moves": dict(solution.moves),
        "exact": solution.exact,
        "nodes": solution.nodes,
        "seconds": round(seconds, 6),
    }


def _in_words(position: Position, solution: Solution, seconds: float) -> list[str]:
    """The same for people: at most 80 columns."""
    who = _("first player") if int(position.to_move) == 1 else _("second player")
    lines = [_("To move: {who}").format(who=who)]
    if position.outcome() is not None:
        lines = [_("The game is over.")]
    if solution.value is not None:
        lines.append(_("Value: {value}").format(value=_value(solution.value)))
    if solution.best:
        lines.append(_("Best: {moves}").format(moves=" ".join(solution.best)))
    ranked = sorted(solution.moves.items(), key=lambda item: -item[1])
    lines += [f"  {move:>4}  {f'{score:+d}' if score else '0':>3}" for move, score in ranked]
    if not solution.exact:
        lines.append(_("Out of reach in this time: give it more with --time, or play on a few moves."))
    lines.append(
        _("{nodes} positions searched in {seconds} s").format(nodes=solution.nodes, seconds=decimal(seconds, 2))
    )
    return lines


def _value(value: int) -> str:
    """The number, and what it means."""
    if value == 0:
        return _("0, a draw")
    text = _("{value}, a win for the side to move") if value > 0 else _("{value}, a loss for the side to move")
    return text.format(value=f"{value:+d}")
