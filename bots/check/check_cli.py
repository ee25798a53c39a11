"""The command `arbitre bot check`."""

import json
import os
import random
import shlex
import sys
import time
from typing import TYPE_CHECKING

import click

from games import EXAMPLES
from locales import _, phrase
from terminal.text import clean

if TYPE_CHECKING:
    from bots.check.judging import Finding
    from bots.check.report import ReportLook
    from bots.check.rig import Program
    from games.base import Game
    from protocol.messages import Clock

DEFAULT_CLOCK = "10s+0.1s"
"""Enough for a bot that thinks a third of a second a move, and a bot that hangs is noticed soon."""

QUICK_CLOCK = "5s+0.1s"
"""The clock of the quick part, which is to say within ten seconds what counts."""


class CheckCommand(click.Command):
    """A command whose help lists every check."""

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Writes the list of checks."""
        del ctx
        from bots.check.checks import CHECKS

        with formatter.section(_("Checks")):
            formatter.write_dl([(name, _(entry.asks)) for name, entry in CHECKS.items()])


@click.command(
    "check",
    cls=CheckCommand,
    help=_(
        "Try whether a bot does all that a bot has to do: it plays on a server of its own, against an opponent who "
        "makes trouble on purpose.\n\nBOT is whatever 'arbitre bot' takes: minimax:depth=2, my_bot.py. A program that "
        "speaks the protocol itself is checked with --command 'python3 my_client.py {url}'. The exit code is 0 if all "
        "is good and 1 if something failed."
    ),
)
@click.argument("bot", metavar="[BOT]", required=False)
@click.option("--command", metavar=_("COMMAND"), help=_("A program instead of BOT; {url} in it becomes the address."))
@click.option(
    "--game",
    metavar=_("GAME"),
    help=_("Check only this game: {games}; with an option of it, only that board.").format(games=EXAMPLES),
)
@click.option(
    "--full",
    is_flag=True,
    help=_("All checks. Without it, those that say within seconds whether the bot plays."),
)
@click.option(
    "--clock",
    metavar=_("CLOCK"),
    help=_("Time of the bot in each match: 5m+3s (and 3 s more a move) or 2s/move. Else {usual}, or {quick}.").format(
        usual=DEFAULT_CLOCK, quick=QUICK_CLOCK
    ),
)
@click.option(
    "--sandbox",
    is_flag=True,
    help=_("For a program of others: no network, and no files but its own (needs bubblewrap)."),
)
@click.option("--only", multiple=True, metavar=_("CHECK"), help=_("Only this check; may be given several times."))
@click.option("--skip", multiple=True, metavar=_("CHECK"), help=_("Not this check; may be given several times."))
@click.option("--seed", metavar=_("SEED"), help=_("Number or word from which all chance comes: same seed, same games."))
@click.option("--json", "as_json", is_flag=True, help=_("Print one JSON object with all findings."))
def check_command(
    bot: str | None,
    command: str | None,
    game: str | None,
    clock: str | None,
    only: tuple[str, ...],
    skip: tuple[str, ...],
    seed: str | None,
    *,
    full: bool,
    sandbox: bool,
    as_json: bool,
) -> None:
    """Runs the checks and prints the checklist."""
    from client import explanations
    from client.errors import ClientError
    from processes import stopping
    from processes.child import ChildError

    seed = seed or str(random.SystemRandom().randrange(1_000_000))
    is_quick = not full and not only
    names = _names(only, skip, is_quick=is_quick)
    rules = _rules(game)
    program = _program(bot, command, rules, seed, sandbox=sandbox)
    time_control = _clock(clock or (QUICK_CLOCK if is_quick else DEFAULT_CLOCK))
    one_board = game is not None and ":" in game
    check = _check(program, time_control, rules, names, seed, one_board=one_board, stops=not only, as_json=as_json)
    try:
        failed = stopping.run(check)
    except ChildError as error:
        raise click.ClickException("\n  ".join((str(error), *error.stderr.splitlines()[-5:]))) from error
    except ClientError as error:
        raise click.ClickException(explanations.explain(error)) from error
    if failed:
        raise click.exceptions.Exit(1)


async def _check(
    program: "Program", clock: "Clock", only: "Game | None", names: list[str], seed: str,
    *, one_board: bool, stops: bool, as_json: bool,
) -> bool:  # fmt: skip
    from bots.check import report
    from bots.check.checks import CHECKS, QUICK, run
    from bots.check.rig import Rig

    findings: dict[str, Finding] = {}
    checklist = None if as_json else report.Checklist(names, _look())
    began = time.monotonic()
    if checklist is not None:
        click.echo(_("Checking {bot} (seed {seed}) ...").format(bot=clean(program.name), seed=seed), err=True)
        checklist.begin()
    async with Rig(program, clock, seed, only=only, one_board=one_board) as rig:
        async for name, finding in run(rig, names, stops=stops):
            findings[name] = finding
            if checklist is not None:
                checklist.add(name, finding)
    failed = any(finding.status == "failed" for finding in findings.values())
    seconds = time.monotonic() - began
    if checklist is not None:
        checklist.end(seconds, len(CHECKS) - len(names) if names == list(QUICK) else 0)
    else:
        found = {"bot": program.name, "seed": seed, "passed": not failed, "checks": report.as_json(findings)}
        click.echo(json.dumps(found | {"seconds": round(seconds, 2)}, ensure_ascii=False))
    return failed


def _names(only: tuple[str, ...], skip: tuple[str, ...], *, is_quick: bool) -> list[str]:
    from bots.check.checks import CHECKS, QUICK

    for name in (*only, *skip):
        if name not in CHECKS:
            raise click.UsageError(
                _("There is no check called {name!r}. The checks are: {checks}.").format(
                    name=name, checks=", ".join(CHECKS)
                )
            )
    wanted = only or (QUICK if is_quick else tuple(CHECKS))
    names = [name for name in CHECKS if name in wanted and name not in skip]
    if not names:
        raise click.UsageError(_("No check is left: --only and --skip name the same ones."))
    return names


def _rules(game: str | None) -> "Game | None":
    import games

    try:
        return None if game is None else games.parse(game)
    except games.RulesError as error:
        raise click.UsageError(phrase(error.phrase)) from error


def _program(bot: str | None, command: str | None, rules: "Game | None", seed: str, *, sandbox: bool) -> "Program":
    from bots.base import BotSpecError, parse_bot
    from bots.check.rig import Program
    from bots.launch_options import with_launch_options
    from machine import modules

    if (bot is None) == (command is None):
        raise click.UsageError(_("Name one bot: BOT, or --command for a program that speaks the protocol itself."))
    if command is not None:
        if sandbox:
            raise click.UsageError(_("--sandbox is for a BOT that Arbitre starts, not for --command."))
        try:
            words = shlex.split(command)
        except ValueError:
            words = []
        if not any("{url}" in word for word in words):
            raise click.UsageError(
                _("--command needs {url} where the address goes: --command 'python3 my_bot.py {url}'.")
            )
        return Program(tuple(words), command)
    assert bot is not None
    try:
        spec = with_launch_options(parse_bot(bot), sandbox=sandbox, memory=None, patience=None)
        if rules is not None:
            spec.check(rules)
    except BotSpecError as error:
        raise click.UsageError(str(error)) from error
    options = ("--sandbox",) if sandbox else ()
    return Program(tuple(modules.command("bot", bot, "{url}", "--seed", seed, *options)), bot, ready=True)


def _clock(text: str) -> "Clock":
    from protocol.timing import ClockError, parse_clock

    try:
        clock = parse_clock(text)
    except ClockError:
        clock = None
    if clock is None:
        raise click.BadParameter(
            _("{text!r} is no clock for a check: write 10s+0.1s, 5m+3s or 2s/move.").format(text=text),
            param_hint="--clock",
        )
    return clock


def _look() -> "ReportLook":
    from bots.check.report import ReportLook

    try:
        "✓✗·■□".encode(sys.stdout.encoding or "ascii")
        plain = False
    except UnicodeError:
        plain = True
    terminal = sys.stdout.isatty() and os.environ.get("TERM", "dumb") != "dumb"
    return ReportLook(colour=terminal and not os.environ.get("NO_COLOR"), ascii=plain, live=terminal)
