"""The command `arbitre bot replay`: the decision of a failure capsule once more, without a server."""

import json
import os
import random
import sys
import time
from collections.abc import Sequence
from contextlib import AbstractContextManager, chdir, nullcontext
from dataclasses import dataclass
from pathlib import Path

import click

from bots import capsule
from bots.base import RESIGN, Bot, BotFaultError, BotSpec, BotSpecError, Course, Fault, parse_bot
from bots.capsule import Capsule, CapsuleError
from bots.care import warn_without_sandbox
from client.board import Style, clean, draw_board, draws_squares
from games.base import Position, Seat
from locales import _, decimal


@dataclass(frozen=True, slots=True)
class Again:
    """What came of asking again: a legal `move` (or "resign"), or a failure."""

    seconds: float
    move: str | None = None
    reason: Fault | None = None
    message: str = ""
    exchange: Sequence[str] = ()
    stderr: str = ""


def ask_again(failed: Capsule, spec: BotSpec, *, whole: bool = False) -> Again:
    """Asks a new bot for the move of the capsule, with the same chance and budget; raises CapsuleError, BotSpecError.

    whole: first for every move that it was asked for before in that match, as a bot with a memory needs.
    """
    positions = failed.positions()
    seat = Seat(failed.seat)
    bot = spec.make(failed.rules(), seat, random.Random(f"{failed.seed}:{failed.match_seed}"))
    try:
        for ply, position in enumerate(positions[:-1] if whole else ()):
            if position.to_move == seat and (before := _ask(bot, failed, position, ply)).move is None:
                return before
        return _ask(bot, failed, positions[-1], failed.ply)
    finally:
        bot.close()


def _ask(bot: Bot, failed: Capsule, position: Position, ply: int) -> Again:
    bot.course = Course(failed.match, failed.moves[:ply])
    began = time.monotonic()
    result: str | Exception
    try:
        result = bot.choose(position, failed.budget)
    except Exception as error:  # noqa: BLE001 - whatever a bot raises is its failure
        result = error
    seconds = time.monotonic() - began
    if isinstance(result, str) and result in (*position.legal_moves(), RESIGN):
        return Again(seconds, result)
    reason, message = capsule.failure(failed.bot, result)
    if isinstance(result, BotFaultError):
        return Again(seconds, None, reason, message, result.exchange, result.stderr)
    return Again(seconds, None, reason, message)


def report(failed: Capsule, again: Again, style: Style) -> list[str]:
    """What happened then and now, for a person."""
    position = failed.positions()[-1]
    lines = [
        _("{bot}, {date} UTC").format(bot=failed.bot, date=failed.date[:19].replace("T", " ")),
        *capsule.where(failed),
        "",
        *(f"  {line}" for line in draw_board(failed.rules(), position, style)),
        "",
        _("then: {what} ({reason})").format(what=_first_line(failed.message), reason=failed.reason),
    ]
    seconds = decimal(again.seconds, 2)
    if again.move is not None:
        return [*lines, _("now: {move}, after {seconds} s").format(move=again.move, seconds=seconds)]
    text = _("now: {what} ({reason}), after {seconds} s")
    lines.append(text.format(what=_first_line(again.message), reason=again.reason, seconds=seconds))
    for title, said in ((_("The last lines:"), again.exchange), (_("Its stderr:"), again.stderr.splitlines())):
        if said:
            lines += ["", title, *(f"  {clean(line)}" for line in said)]
    return lines


def _first_line(message: str) -> str:
    """What it says in short: the lines below may hold the exchange, which is told apart."""
    return message.partition("\n")[0]


def as_json(failed: Capsule, again: Again) -> dict[str, object]:
    """The same for a program."""
    then = {"reason": failed.reason, "message": failed.message}
    now = {"move": again.move, "seconds": round(again.seconds, 3), "reason": again.reason, "message": again.message}
    said = {"exchange": list(again.exchange), "stderr": again.stderr}
    return {"bot": failed.bot, "game": failed.game, "moves": list(failed.moves), "then": then, "now": now | said}


def _folder_of(failed: Capsule) -> AbstractContextManager[object]:
    """Makes the folder in which it failed ours for a while, if it is there: names of files are relative to it."""
    return chdir(failed.folder) if Path(failed.folder).is_dir() else nullcontext()


@click.command(
    "replay",
    help=_(
        "Ask a bot again what it failed at: the same position, time and chance, without a server. CAPSULE is the file "
        "that its failure left; the message about it says where.\n\nThe exit code is 0 if a move comes now that may "
        "be played, and 1 if the bot fails again."
    ),
)
@click.argument("file", metavar="CAPSULE", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--bot", metavar="BOT", help=_("Ask this bot instead of the one that failed."))
@click.option(
    "--whole", is_flag=True, help=_("Ask for all its moves of that match before, as a bot with a memory needs.")
)
@click.option("--json", "json_wanted", is_flag=True, help=_("Print one JSON object."))
def replay_command(file: Path, bot: str | None, *, whole: bool, json_wanted: bool) -> None:
    """Asks, and says what came of it."""
    try:
        failed = capsule.read(file)
        with _folder_of(failed):
            spec = parse_bot(bot or failed.bot).with_care(failed.care)
            spec.prepare(failed.rules(), lambda line: click.echo(line, err=True))
            if failed.care.sandbox:
                warn_without_sandbox()
            again = ask_again(failed, spec, whole=whole)
    except BotSpecError as error:
        raise click.UsageError(str(error)) from error
    except CapsuleError as error:
        raise click.ClickException(str(error)) from error
    if json_wanted:
        click.echo(json.dumps(as_json(failed, again), ensure_ascii=False))
    else:
        colour = sys.stdout.isatty() and not os.environ.get("NO_COLOR")
        style = Style(ascii=not draws_squares(sys.stdout.encoding), colour=colour)
        click.echo("\n".join(report(failed, again, style)))
    if again.move is None:
        raise click.exceptions.Exit(1)
