"""The command `arbitre explain`."""

import json
import os
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from bots.explain.reading import LONGEST, SIDES, read_position, seat_of
from bots.launch_options import launch_options, with_launch_options
from games import USUAL
from games.base import position_after, with_side
from locales import _, phrase
from locales.system import reason

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from bots.base import BotSpec
    from bots.explain.sheets import Sheet
    from bots.explain.tree import Explanation, Node
    from bots.explain.worth import Worth
    from games.base import Game, Position
    from terminal.board import Style

TEXT_NODES, SVG_NODES = 150, 60


@click.command(
    "explain",
    help=_(
        "Show why a bot plays what it plays: the tree that its algorithm saw after the moves of TRANSCRIPT.\n\n"
        "It explains minimax (with its styles), lookahead, dfs, bfs and minimax_search, and a pupil's file: the calls "
        "of its recursive functions. Examples: "
        "explain {game} --bot minimax:depth=2; explain {game} --bot lookahead:ply=2 --svg tree.svg"
    ).format(game=USUAL),
)
@click.argument("game", metavar=_("GAME"))
@click.argument("transcript", metavar=_("[TRANSCRIPT]"), default="")
@click.option(
    "--position",
    metavar=_("BOARD"),
    help=_(
        "Instead of TRANSCRIPT, any board, also one that no game reaches or that ends it: its cells row by row "
        "(X, O, -), lists of rows of 0, 1, 2, or a board as programs print it (- reads it from the standard input)."
    ),
)
@click.option(
    "--side",
    type=click.Choice(SIDES, case_sensitive=False),
    help=_("Who is to move; else it is whose turn it would be."),
)
@click.option("--bot", metavar="BOT", default="minimax:depth=2", show_default=True, help=_("The bot to explain."))
@click.option(
    "--svg",
    type=click.Path(dir_okay=False, allow_dash=True),
    help=_("Draw the tree into this file, for the blackboard (- for the standard output)."),
)
@click.option("--json", "as_json", is_flag=True, help=_("Print the whole tree as one JSON object."))
@click.option("--nodes", type=click.IntRange(2, 10_000), metavar="N", help=_("Show at most N positions of the tree."))
@click.option("--compare", is_flag=True, help=_("Show plain minimax and alpha-beta side by side, with what is saved."))
@click.option("--steps", is_flag=True, help=_("With --svg: let the values rise step by step, in any web browser."))
@click.option(
    "--exercise",
    type=click.Path(dir_okay=False),
    help=_("Draw the tree without its values into this file, to be filled in, and the solution beside it."),
)
@launch_options
def explain_command(
    game: str,
    transcript: str,
    position: str | None,
    side: str | None,
    bot: str,
    svg: str | None,
    memory: int | None,
    patience: float | None,
    *,
    sandbox: bool,
    as_json: bool,
    nodes: int | None,
    compare: bool,
    steps: bool,
    exercise: str | None,
) -> None:
    """Explains one decision."""

    def launched(spec: "BotSpec") -> "BotSpec":
        return with_launch_options(spec, sandbox=sandbox, memory=memory, patience=patience)

    place = _Given(transcript, position, side)
    wanted = [name for name, on in (("--compare", compare), ("--exercise", exercise), ("--steps", steps)) if on]
    if len(wanted) > 1 or (wanted and as_json) or (steps and svg is None) or (exercise and svg is not None):
        raise click.UsageError(_("--compare, --exercise, --steps and --json go alone; --steps needs --svg."))
    if compare:
        _compare(*_read(game, place, bot, launched), svg, nodes)
        return
    explanation = _explain(*_read(game, place, bot, launched))
    if exercise is not None:
        _exercise(explanation, exercise, nodes or SVG_NODES)
    elif svg is not None:
        from bots.explain.sheets import Sheet

        _write(svg, _drawn(explanation, nodes or SVG_NODES, Sheet.STEPS if steps else Sheet.WHOLE))
    elif as_json:
        click.echo(json.dumps(_to_json(explanation, nodes), ensure_ascii=False))
    else:
        from bots.explain.text import draw_text

        _print(draw_text(explanation, _style(), nodes or TEXT_NODES))


def _print(lines: "Iterable[str]") -> None:
    for line in lines:
        click.echo(line)


def _drawn(explanation: "Explanation", nodes: int, sheet: "Sheet") -> str:
    """A drawing; raises click.UsageError."""
    from bots.explain.svg import draw_svg
    from bots.explain.tree import ExplainError

    try:
        return draw_svg(explanation, nodes, sheet)
    except ExplainError as error:
        raise click.UsageError(str(error)) from error


def _exercise(explanation: "Explanation", file: str, nodes: int) -> None:
    """Writes an exercise, and its solution beside it."""
    from bots.explain.sheets import Sheet

    path = Path(file)
    sheets = [_drawn(explanation, nodes, sheet) for sheet in (Sheet.EXERCISE, Sheet.SOLUTION)]
    names = [file, str(path.with_name(f"{path.stem}-solution{path.suffix}"))]
    for name, sheet in zip(names, sheets, strict=True):
        _write(name, sheet)


def _write(file: str, drawing: str) -> None:
    """Writes a drawing; - is the standard output."""
    if file == "-":
        click.echo(drawing, nl=False)
        return
    try:
        Path(file).write_text(drawing, encoding="utf-8")
    except OSError as error:
        text = _("{file} can't be written: {why}.")
        raise click.ClickException(text.format(file=file, why=reason(error))) from error
    click.echo(_("The drawing is in {file}: any web browser shows it.").format(file=file), err=True)


def _compare(game: "Game", position: "Position", bot: "BotSpec", svg: str | None, nodes: int | None) -> None:
    """Shows plain minimax and alpha-beta side by side."""
    from bots.base import BotSpecError
    from bots.explain.comparing import compare, draw_both, draw_both_svg
    from bots.explain.tree import ExplainError

    try:
        comparison = compare(game, position, bot)
    except (BotSpecError, ExplainError) as error:
        raise click.UsageError(str(error)) from error
    if svg is not None:
        _write(svg, draw_both_svg(comparison, nodes or SVG_NODES))
    else:
        _print(draw_both(comparison, _style(), nodes or TEXT_NODES))


@dataclass(frozen=True, slots=True)
class _Given:
    """The position that the arguments name."""

    transcript: str
    board: str | None
    side: str | None

    def position(self, game: "Game") -> "Position":
        """Raises RulesError, IllegalMove, click.UsageError."""
        if self.board is not None:
            if self.transcript:
                raise click.UsageError(_("Give a transcript or --position, not both."))
            text = self.board if self.board != "-" else sys.stdin.read(LONGEST + 1)
            return read_position(game, text, self.side)
        position = position_after(game, game.parse_transcript(self.transcript))
        return position if self.side is None else with_side(game, position, seat_of(self.side))


def _read(
    game: str, place: _Given, bot: str, launched: "Callable[[BotSpec], BotSpec]"
) -> "tuple[Game, Position, BotSpec]":
    """What the arguments name; raises click.UsageError."""
    import games
    from bots.base import BotSpecError, parse_bot
    from terminal.refusals import move_refused

    try:
        rules = games.parse(game)
    except games.RulesError as error:
        raise click.UsageError(phrase(error.phrase)) from error
    try:
        return rules, place.position(rules), launched(parse_bot(bot))
    except games.RulesError as error:
        raise click.UsageError(phrase(error.phrase)) from error
    except games.IllegalMove as error:
        raise click.UsageError(move_refused(rules, error.move, error.reason)) from error
    except BotSpecError as error:
        raise click.UsageError(str(error)) from error


def _explain(game: "Game", position: "Position", bot: "BotSpec") -> "Explanation":
    """The explanation of one decision; raises click.UsageError."""
    from bots.base import FILE_FAMILY, BotSpecError
    from bots.explain.tree import ExplainError

    try:
        if bot.family.name == FILE_FAMILY:
            from bots.explain.pupil import explain_file

            return explain_file(game, position, bot)
        from bots.explain.traces import explain

        return explain(game, position, bot)
    except (BotSpecError, ExplainError) as error:
        raise click.UsageError(str(error)) from error


def _style() -> "Style":
    """The style that suits standard output."""
    encoding = sys.stdout.encoding or "ascii"
    try:
        "■├≤∞◀".encode(encoding)
    except UnicodeEncodeError:
        narrow = True
    else:
        narrow = False
    from terminal.board import Style

    return Style(ascii=narrow, colour=sys.stdout.isatty() and not os.environ.get("NO_COLOR"))


def _to_json(explanation: "Explanation", most: int | None) -> dict[str, object]:
    """The explanation with all nodes, or with only the `most` nodes that a drawing would show."""
    from bots.explain.tree import select

    root = explanation.root
    shown = set(root.walk()) if most is None else select(root, most)
    return {
        "game": explanation.game.spec,
        "position": root.position.notation,
        "bot": explanation.bot,
        "move": explanation.move or None,
        "scale": explanation.scale.value,
        "maximiser": explanation.maximiser,
        "positions": explanation.positions,
        "not_looked_at": explanation.unseen,
        "evaluation": _worth_to_json(explanation.worth),
        "scores": list(explanation.scores),
        "shown": len(shown) - 1,
        "tree": _node_to_json(root, shown),
    }


def _worth_to_json(worth: "Worth | None") -> dict[str, object] | None:
    if worth is None:
        return None
    terms = [
        {"name": term.label.english, "own": term.own, "theirs": term.theirs, "each": term.each, "worth": term.worth}
        for term in worth.terms
    ]
    return {"name": worth.measure, "seat": int(worth.seat), "value": worth.total, "terms": terms}


def _node_to_json(node: "Node", shown: "set[Node]") -> dict[str, object]:
    return {
        "move": node.move or None,
        "number": node.number,
        "position": node.position.notation,
        "to_move": node.to_move,
        "kind": node.kind.value,
        **({"call": node.name, "returned": node.said, "board": node.has_board} if node.name else {}),
        "value": node.value,
        "bound": node.bound.value,
        "chosen": node.chosen,
        "not_looked_at": node.unseen,
        "children": [_node_to_json(child, shown) for child in node.children if child in shown],
    }
