"""The command `arbitre bot replay`: the decision of a failure capsule once more, without a server.

A bot with a memory may answer well when it is asked for that decision alone. Then it is asked for all that its process
was asked before, in that match and in those before, with the same time and chance.
"""

import json
import os
import random
import sys
import time
from collections.abc import Sequence
from contextlib import AbstractContextManager, chdir, nullcontext, suppress
from dataclasses import dataclass, replace
from pathlib import Path

import click
from msgspec import structs

import games
from bots.base import (
    RESIGN,
    Bot,
    BotFaultError,
    BotSpec,
    BotSpecError,
    Budget,
    Fault,
    MatchHistory,
    NotReadyError,
    is_foreign,
    parse_bot,
)
from bots.diary import AskedMatch, BotQuestion
from bots.failures import capsule, seal
from bots.failures.capsule import Capsule, CapsuleError, story
from bots.launch_options import warn_without_sandbox
from games.base import Position, Seat
from locales import _, decimal, ngettext
from terminal.board import Style, draw_position, draws_squares
from terminal.text import clean


@dataclass(frozen=True, slots=True)
class Again:
    """The outcome of a repeated question: a legal `move` (or "resign"), or a failure.

    asked, matches: how many earlier questions were repeated before it, and of how many matches.
    """

    seconds: float
    move: str | None = None
    reason: Fault | None = None
    message: str = ""
    exchange: Sequence[str] = ()
    stderr: str = ""
    asked: int = 0
    matches: int = 0


def ask_again(failed: Capsule, spec: BotSpec, *, whole: bool = False) -> Again:
    """Asks a new bot for the move of the capsule, with the same chance and budget; raises CapsuleError, BotSpecError.

    whole: whether to ask it first all that its process was asked before, in all its matches.
    """
    *earlier, last = story(failed)
    position = failed.positions()[-1]
    if not whole:
        spec, earlier, last = (
            spec.with_launch_options(replace(spec.launch, many_games=False)),
            [],
            structs.replace(last, asked=()),
        )
    count = 0
    for played in (*earlier, last):
        bot = _make(failed, played, spec)
        try:
            for asked in played.asked:
                count += not asked.to_ponder
                if (again := _repeat(bot, failed, played, asked)) is not None:
                    return replace(again, asked=count - 1, matches=_matches(failed, played))
            if played is last:
                again = _in_time(_ask(bot, failed, position, failed.moves, failed.budget), failed.budget)
                return replace(again, asked=count, matches=len(earlier) + 1)
            moves = tuple(played.moves.split())
            bot.history = MatchHistory(played.match, moves, played.result)
        finally:
            bot.close()
    raise AssertionError(last)


def _matches(failed: Capsule, played: AskedMatch) -> int:
    return story(failed).index(played) + 1


def _make(failed: Capsule, played: AskedMatch, spec: BotSpec) -> Bot:
    try:
        rules = games.parse(played.game)
    except games.GameError as error:
        raise CapsuleError(_("The capsule is of a game that there is not: {game}.").format(game=played.game)) from error
    return spec.make(rules, Seat(played.seat), random.Random(f"{failed.seed}:{played.match_seed}"))


def _repeat(bot: Bot, failed: Capsule, played: AskedMatch, asked: BotQuestion) -> Again | None:
    """Repeats one earlier question; None if the bot answers it well."""
    moves = tuple(asked.moves.split())
    position = capsule.reached(games.parse(played.game), moves)
    if asked.to_ponder:
        bot.history = MatchHistory(played.match, moves)
        bot.ponder(position)
        return None
    again = _ask(bot, failed, position, moves, asked.budget, played.match)
    return again if again.move is None else None


def _ask(
    bot: Bot, failed: Capsule, position: Position, moves: tuple[str, ...], budget: Budget, match: str = ""
) -> Again:
    bot.history = MatchHistory(match or failed.match, moves)
    with suppress(BotSpecError, NotReadyError):  # `choose` says it again; a start is on no clock, as in a match
        bot.get_ready()
    began = time.monotonic()
    result: str | Exception
    try:
        result = bot.choose(position, budget)
    except Exception as error:  # noqa: BLE001 - whatever a bot raises is its failure
        result = error
    seconds = time.monotonic() - began
    if isinstance(result, str) and result in (*position.legal_moves(), RESIGN):
        return Again(seconds, result)
    reason, message = capsule.failure(failed.bot, result)
    if isinstance(result, BotFaultError):
        return Again(seconds, None, reason, message, result.exchange, result.stderr)
    return Again(seconds, None, reason, message)


def _in_time(again: Again, budget: Budget) -> Again:
    """`again`, but a move for which the clock of `budget` had not enough left is a failure."""
    left_ms = budget.until_flag_ms
    if again.move is None or left_ms is None or again.seconds * 1000 <= left_ms:
        return again
    text = _("{move} comes too late: its clock had {left} s left").format(
        move=again.move, left=decimal(left_ms / 1000, 2)
    )
    return replace(again, move=None, reason="timeout", message=text)


def report(failed: Capsule, again: Again, style: Style, *, brief: bool = False) -> list[str]:
    """What happened then and now, for a person; brief: without the exchange between us and the bot's process."""
    position = failed.positions()[-1]
    lines = [
        _("{bot}, {date} UTC").format(bot=clean(failed.bot), date=clean(failed.date[:19].replace("T", " "))),
        *capsule.where(failed),
        "",
        *(f"  {line}" for line in draw_position(failed.rules(), position, style)),
        "",
        _("then: {what} ({reason})").format(what=_first_line(failed.message), reason=failed.reason),
    ]
    seconds = decimal(again.seconds, 2)
    if again.asked:
        lines.append(_before(again))
    if again.move is not None:
        lines.append(_("now: {move}, after {seconds} s").format(move=again.move, seconds=seconds))
        return [*lines, *_not_late_now(failed)]
    text = _("now: {what} ({reason}), after {seconds} s")
    lines.append(text.format(what=_first_line(again.message), reason=again.reason, seconds=seconds))
    if brief:
        return lines
    for title, said in ((_("The last lines:"), again.exchange), (_("Its stderr:"), again.stderr.splitlines())):
        if said:
            lines += ["", title, *(f"  {clean(line)}" for line in said)]
    return lines


def _not_late_now(failed: Capsule) -> list[str]:
    """What a move in time says about a fault that was one of time."""
    left_ms = failed.budget.until_flag_ms
    if failed.reason != "timeout" or left_ms is None:
        return []
    text = _("That is in time: its clock had {left} s left. So its slowness then can't be repeated here.")
    return [text.format(left=decimal(left_ms / 1000, 2))]


def _before(again: Again) -> str:
    """How many earlier questions were repeated."""
    decisions = ngettext("{count} decision before", "{count} decisions before", again.asked).format(count=again.asked)
    matches = ngettext("in {count} match", "in {count} matches", again.matches).format(count=again.matches)
    return _("asked again for its {decisions}, {matches}").format(decisions=decisions, matches=matches)


def _first_line(message: str) -> str:
    """The first line of a message: the lines below may hold the exchange, which is shown separately."""
    return clean(message.partition("\n")[0])


def as_json(failed: Capsule, again: Again) -> dict[str, object]:
    """The same for a program."""
    then = {"reason": failed.reason, "message": failed.message}
    now = {"move": again.move, "seconds": round(again.seconds, 3), "reason": again.reason, "message": again.message}
    now |= {"asked_before": again.asked, "matches": again.matches}
    said = {"exchange": list(again.exchange), "stderr": again.stderr}
    return {"bot": failed.bot, "game": failed.game, "moves": list(failed.moves), "then": then, "now": now | said}


def _folder_of(failed: Capsule) -> AbstractContextManager[object]:
    """Changes to the folder in which the bot failed, if it exists: names of files are relative to it."""
    return chdir(failed.folder) if Path(failed.folder).is_dir() else nullcontext()


@click.command(
    "replay",
    help=_(
        "Ask a bot again what it failed at: the same position, time and chance, without a server. CAPSULE is the file "
        "that its failure left; the message about it says where.\n\nIf it answers well, it is asked for all that its "
        "process was asked before, and then again: a bot with a memory may fail only so.\n\nThe exit code is 0 if a "
        "move comes now that may be played, in the time that the clock had left, and 1 if the bot fails again."
    ),
)
@click.argument("file", metavar="CAPSULE", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--bot", metavar="BOT", help=_("Ask this bot instead of the one that failed."))
@click.option("--whole", is_flag=True, help=_("Ask at once for all that its process was asked before."))
@click.option("--trust", "trusted", is_flag=True, help=_("Run the program that a capsule of somebody else names."))
@click.option("--debug", "debug_wanted", is_flag=True, help=_("If a bot in Python fails again, stop there with pdb."))
@click.option("--json", "json_wanted", is_flag=True, help=_("Print one JSON object."))
def replay_command(
    file: Path, bot: str | None, *, whole: bool, trusted: bool, debug_wanted: bool, json_wanted: bool
) -> None:
    """Repeats the decision and prints the outcome."""
    if debug_wanted and json_wanted:
        raise click.UsageError(_("--debug needs a person, and --json is for programs: choose one of them."))
    try:
        failed = capsule.read(file)
        is_trusted = trusted or seal.is_own(failed) or (bot is None and _may_run(failed))
        with _folder_of(failed) if is_trusted else nullcontext():
            spec = parse_bot(bot or failed.bot)
            if is_trusted:  # else neither the interpreter nor the folder that it names is used
                spec = spec.with_launch_options(failed.launch)
            if debug_wanted:
                from bots.failures import debugging

                debugging.check(spec)
            spec.prepare(failed.rules(), lambda line: click.echo(line, err=True))
            if spec.launch.sandbox:
                warn_without_sandbox()
            again, whole = _until_it_fails(failed, spec, whole=whole)
            _say(failed, again, json_wanted=json_wanted, brief=debug_wanted)
            if debug_wanted and again.move is None:
                _debug(failed, spec, whole=whole)
    except BotSpecError as error:
        raise click.UsageError(str(error)) from error
    except CapsuleError as error:
        raise click.ClickException(str(error)) from error
    if again.move is None:
        raise click.exceptions.Exit(1)


def _may_run(failed: Capsule) -> bool:
    """Whether the program that a capsule of somebody else names may run; there is none to ask about for our own bots.

    Raises CapsuleError if nobody can be asked, and Exit if the answer is no.
    """
    if not is_foreign(failed.bot):
        return False
    text = _("This capsule was not written here, or was changed since. It makes your computer run:\n  {bot}")
    click.echo(text.format(bot=clean(f"{failed.launch.python} {failed.bot}".strip())), err=True)
    if not sys.stdin.isatty():
        raise CapsuleError(_("To run that all the same, add --trust; to ask another bot, --bot BOT."))
    if not click.confirm(_("Run it?"), err=True):
        raise click.exceptions.Exit(1)
    return True


def _until_it_fails(failed: Capsule, spec: BotSpec, *, whole: bool) -> tuple[Again, bool]:
    """The outcome, and whether earlier questions were repeated: they are, if the decision alone succeeds."""
    before = story(failed)
    count = sum(not asked.to_ponder for played in before for asked in played.asked)
    if not whole:
        again = ask_again(failed, spec)
        if again.move is None or not count:
            return again, False
        text = ngettext(
            "Asked for that alone, it plays {move}. Now with all that it was asked before: {count} decision ...",
            "Asked for that alone, it plays {move}. Now with all that it was asked before: {count} decisions ...",
            count,
        )
        click.echo(text.format(move=again.move, count=count), err=True)
    if failed.forgotten:
        text = ngettext(
            "The capsule does not hold the first match of that process: it would be too large.",
            "The capsule does not hold the first {count} matches of that process: it would be too large.",
            failed.forgotten,
        )
        click.echo(text.format(count=failed.forgotten), err=True)
    return ask_again(failed, spec, whole=True), True


def _say(failed: Capsule, again: Again, *, json_wanted: bool, brief: bool) -> None:
    if json_wanted:
        click.echo(json.dumps(as_json(failed, again), ensure_ascii=False))
        return
    colour = sys.stdout.isatty() and not os.environ.get("NO_COLOR")
    style = Style(ascii=not draws_squares(sys.stdout.encoding), colour=colour)
    click.echo("\n".join(report(failed, again, style, brief=brief)))


def _debug(failed: Capsule, spec: BotSpec, *, whole: bool) -> None:
    from bots.failures import debugging

    before = story(failed)
    if not whole:
        before = (structs.replace(before[-1], asked=()),)
    click.echo()
    click.echo(_("pdb: w shows where, p NAME a variable, u and d go up and down, q leaves."))
    debugging.debug(failed, spec, before)
