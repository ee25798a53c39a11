"""The commands `arbitre match` and `arbitre demo`."""

import json
import os
import random
import sys
from collections.abc import Coroutine, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from bots.launch_options import (
    check_with,
    conversation_option,
    conversations_in,
    launch_options,
    warn_without_sandbox,
)
from games import EXAMPLES, USUAL
from league.commands.openings_option import openings_option, read_openings
from locales import _, phrase

if TYPE_CHECKING:
    from games.base import Game
    from league.duel import Duel, DuelPlan
    from league.played import DuelGame
    from processes.launch_options import LaunchOptions
    from protocol.messages import Clock
    from server.commands.record_files import Output

DEFAULT_CLOCK = "1m+1s"
"""Enough for a bot in pure Python that looks four moves ahead; and a bot that never answers loses at some point."""


@click.command(
    "match",
    help=_(
        "Let two bots play against each other, each in a process of its own, on a server of its own. The first BOT "
        "starts the first game; then they take turns. Several games begin from openings that are drawn, two from each, "
        "with seats swapped.\n\nBOT is a name, with options after a colon: random, "
        "minimax:depth=4,eval=discs; 'bot --help' lists them. NAME=BOT gives it a name. The same seed gives the same "
        "games."
    ),
)
@click.argument("first", metavar="BOT")
@click.argument("second", metavar="BOT")
@click.option(
    "--game",
    required=True,
    metavar=_("GAME"),
    help=_("The game, perhaps with options: {games}.").format(games=EXAMPLES),
)
@click.option(
    "--games", default=1, show_default=True, type=click.IntRange(1, 100_000), metavar="N", help=_("How many games.")
)
@click.option(
    "--clock",
    "clocks",
    multiple=True,
    default=(DEFAULT_CLOCK,),
    show_default=True,
    metavar=_("CLOCK"),
    help=_("Time of each bot: 5m+3s (and 3 s more a move), 2s/move, or none. Of one bot: NAME=CLOCK."),
)
@openings_option
@click.option(
    "--seed", metavar=_("SEED"), help=_("Number or word from which all chance comes; by default another each time.")
)
@click.option(
    "--concurrency",
    default=1,
    show_default=True,
    type=click.IntRange(1, 500),
    metavar="N",
    help=_("How many games at once. A bot that computes shares its time among them."),
)
@launch_options
@conversation_option
@click.option(
    "--output",
    "target",
    metavar=_("PATH"),
    type=click.Path(dir_okay=False, path_type=Path),
    help=_("Write the games to this file, too: as records (.jsonl), GGF (.ggf) or text (.txt)."),
)
@click.option("--json", "as_json", is_flag=True, help=_("Print one JSON object a game, in the order of the games."))
def match_command(
    first: str,
    second: str,
    game: str,
    games: int,
    clocks: tuple[str, ...],
    openings: str | None,
    seed: str | None,
    concurrency: int,
    *,
    sandbox: bool,
    memory: int | None,
    patience: float | None,
    conversations: Path | None,
    target: Path | None,
    as_json: bool,
) -> None:
    """Plays the games and prints what became of them."""
    from bots.base import is_foreign
    from league.command_line import split_clocks
    from league.commands.crowding import warn_if_crowded
    from league.config import usual_for
    from league.duel import Duel, DuelPlan
    from processes.launch_options import launch_options_of

    bots, called = _named(first, second)
    launch = launch_options_of(sandbox=sandbox, memory=memory, patience=patience)
    if sandbox:
        warn_without_sandbox()
    rules = _read_rules(game, bots, launch)
    _check_target(target, rules)
    seed = seed or _draw_seed()
    chosen = openings or (str(usual_for(game, tested=True)["openings"]) if games > 1 else "none")
    drawn, _lines = read_openings(chosen, rules, seed, Path.cwd())
    plain, odds = split_clocks(clocks)
    plan = DuelPlan(rules, bots, games, _read_clock(plain or DEFAULT_CLOCK), concurrency, drawn, called, odds)
    _check_odds(plan)
    if any(map(is_foreign, bots)):  # ours are read by programs, too, and mostly don't look at their clock
        warn_if_crowded(min(plan.room, games), is_timed=plan.clock is not None)
    records: list[DuelGame] = []
    _play(Duel(plan, seed, launch, conversations_in(conversations, bots)), records, target, as_json=as_json)
    if any(record.reason == "crash" for record in records):
        raise click.exceptions.Exit(1)


def _named(*words: str) -> tuple[tuple[str, str], tuple[str, str] | None]:
    """The two bots, and their names if the user gave one: NAME=BOT."""
    from league.command_line import named

    one, two = named(words)
    bots = (one.run, two.run)
    return bots, (None if bots == words else (one.name, two.name))


_FORMATS: "dict[str, Output]" = {".jsonl": "jsonl", ".ggf": "ggf", ".txt": "text"}


def _check_target(target: Path | None, rules: "Game") -> None:
    """Refuses a file that could not be written at the end."""
    from games import ggf

    if target is None:
        return
    if target.suffix not in _FORMATS:
        text = _("--output: the name of {file} must end in .jsonl, .ggf or .txt.")
        raise click.UsageError(text.format(file=target))
    if _FORMATS[target.suffix] == "ggf" and not ggf.writes(rules):
        text = _("GGF has no games of {game}: take .jsonl or .txt.")
        raise click.UsageError(text.format(game=rules.spec))
    if not target.parent.is_dir():
        raise click.UsageError(_("There is no folder {folder}.").format(folder=target.parent))


def _keep(duel: "Duel", records: "Sequence[DuelGame]", target: Path) -> None:
    """Writes the games to a file."""
    from league.records import record_of_duel
    from server.commands.record_files import system_says, write

    try:
        write((record_of_duel(duel.league, record) for record in records), _FORMATS[target.suffix], target)
    except OSError as error:
        raise click.ClickException(system_says(error)) from error


def _play(duel: "Duel", records: "list[DuelGame]", target: Path | None, *, as_json: bool) -> None:
    """Plays the games into `records`; prints the table of those that were played, even if the match is stopped."""
    from locales.folding import echo
    from processes.stopping import Stopped

    plan, seed = duel.plan, duel.league.seed
    clock = duel.league.clocks(duel.league.bots)
    first, second = plan.names
    if not as_json:  # each of its objects says this
        head = _("{first} - {second}: {rules}, clock {clock}, seed {seed}")
        echo(head.format(first=first, second=second, rules=plan.game.spec, clock=clock, seed=seed), err=True)
    try:
        _run(_match(duel, records, as_json=as_json))
    except (Stopped, KeyboardInterrupt):
        text = _("Stopped after {count} of {games} games. --seed {seed} begins anew from the same openings.")
        echo(text.format(count=len(records), games=plan.games, seed=seed), err=True)
        raise
    finally:
        if records and not as_json:
            _print_table(records, plan.names)
            if plan.odds:
                click.echo(_("Clocks: {clocks}.").format(clocks=clock))
        if records and target is not None:
            _keep(duel, records, target)


async def _match(duel: "Duel", records: "list[DuelGame]", *, as_json: bool) -> None:
    from league.duel import GameDeclinedError
    from league.report.duel_text import game_line, score_of
    from league.report.score_text import EVERY, running
    from locales.folding import echo

    plan = duel.plan
    try:
        async with duel:
            async for record in duel.records():
                records.append(record)
                if as_json:
                    click.echo(json.dumps(record.as_json(), ensure_ascii=False))
                else:
                    echo(game_line(record, plan.games, plan.names), err=True)
                    if len(records) % EVERY == 0 and len(records) < plan.games:
                        echo(f"  {running(plan.names, score_of(records, plan.names))}", err=True)
    except GameDeclinedError:
        _show_complaints(duel)
        raise
    _show_complaints(duel)


def _print_table(records: "Sequence[DuelGame]", names: Sequence[str]) -> None:
    from league.report.duel_text import duel_table, findings
    from locales.folding import echo

    click.echo("", err=True)
    *table, summary = duel_table(records, names)
    for line in table:
        click.echo(line)
    for line in (summary, *(findings(records, names) if len(records) > 1 else ())):
        echo(line)


def _show_complaints(duel: "Duel") -> None:
    """What the bots said on their stderr: why one resigned, or how it crashed."""
    from terminal.text import clean

    for name in filter(duel.words.get, duel.plan.names):
        click.echo(_("{name} said:").format(name=name), err=True)
        for line in duel.words[name].splitlines():
            click.echo(f"  {clean(line)}", err=True)


@click.command(
    "demo",
    help=_("Watch two bots play a refereed match, move by move: a server and two bots, each in a process of its own."),
)
@click.option(
    "--game",
    default=USUAL,
    show_default=True,
    metavar=_("GAME"),
    help=_("The game, perhaps with options: {games}.").format(games=EXAMPLES),
)
@click.option("--fast", is_flag=True, help=_("Don't wait between the moves."))
def demo_command(game: str, *, fast: bool) -> None:
    """Shows one match."""
    from league.demo import Screen, show
    from terminal.board import Style, draws_squares

    bots = _read_rules(game, ()).profile.demo
    rules = _read_rules(game, bots)
    terminal = sys.stdout.isatty() and os.environ.get("TERM", "") not in ("", "dumb")
    style = Style(ascii=not draws_squares(sys.stdout.encoding), colour=terminal and not os.environ.get("NO_COLOR"))
    _run(show(rules, bots, Screen(rules, style, in_place=terminal, paced=terminal and not fast)))


def _read_rules(text: str, bots: Sequence[str], launch: "LaunchOptions | None" = None) -> "Game":
    """The game, which all the bots play; a program that fails in a sandbox shows that in its games."""
    import games
    from bots.base import FILE_FAMILY, BotSpecError, parse_bot

    try:
        rules = games.parse(text)
        for bot in bots:
            spec = parse_bot(bot)
            check_with(launch, spec, rules, bots)
            if spec.is_foreign and spec.family.name != FILE_FAMILY:
                spec.prepare(rules)  # the program is there; pupils' files were loaded just now
    except games.RulesError as error:
        raise click.UsageError(phrase(error.phrase)) from error
    except BotSpecError as error:
        raise click.UsageError(str(error)) from error
    return rules


def _read_clock(text: str) -> "Clock | None":
    from protocol.timing import ClockError, parse_clock

    try:
        return parse_clock(text)
    except ClockError as error:
        raise click.BadParameter(
            _("{text!r} is no clock: write 5m+3s, 10s+0.1s, 2s/move or none.").format(text=text), param_hint="--clock"
        ) from error


def _check_odds(plan: "DuelPlan") -> None:
    """Refuses clocks of their own that the bots can't have."""
    from league.command_line import with_odds
    from league.config import ConfigError, LeagueBot, check_odds

    try:
        for bot in with_odds([LeagueBot(name) for name in plan.names], plan.odds):
            check_odds(bot, plan.clock)
    except ConfigError as error:
        raise click.UsageError(str(error)) from error


def _draw_seed() -> str:
    return str(random.SystemRandom().randrange(1_000_000))


def _run(work: Coroutine[object, object, None]) -> None:
    """Runs `work` to its end, or until somebody stops it."""
    from league.executors.local_server import LocalServerError
    from processes import stopping

    try:
        stopping.run(work)
    except LocalServerError as error:
        last = error.stderr.strip().splitlines()[-5:]
        raise click.ClickException("\n  ".join((str(error), *last))) from error
