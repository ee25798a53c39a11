"""The commands `arbitre league run` and `arbitre league resume`."""

from __future__ import annotations

import functools
import shlex
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from bots.launch_options import conversation_option, conversations_in, launch_options
from league.commands.openings_option import openings_option, read_openings
from league.commands.page_lines import page_option, written
from league.commands.signing import sign_option
from locales import _

if TYPE_CHECKING:
    from league.config import League
    from league.executors.base import OpenExecutor
    from league.executors.local import Showcase
    from league.history.log import Log, LogEntry
    from league.history.season import Season


@click.command(
    "run",
    short_help=_("Play a league of bots"),
    help=_(
        "Play a league of bots, each in processes of its own, and rank them.\n\nFILE describes it (docs/leagues.md); "
        "or say --game, and the BOTs, or NAME=BOT. All is kept in a folder: beside FILE by default, with its name. "
        "Ctrl-C stops; 'league resume FOLDER' goes on, and plays again only what was not finished."
    ),
)
@click.argument("words", metavar=_("FILE | BOT BOT ..."), nargs=-1, required=True)
@click.option("--dir", "folder", type=click.Path(path_type=Path, file_okay=False), help=_("Where to keep the league."))
@click.option("--game", metavar=_("GAME"), help=_("The game, when bots are named here."))
@click.option("--format", "format_", metavar="FORMAT", help=_("round-robin, gauntlet, swiss, knockout or ladder."))
@click.option("--games", type=click.IntRange(2), metavar="N", help=_("Games of each two who meet: an even number."))
@click.option("--rounds", type=click.IntRange(1), metavar="N", help=_("Rounds of a Swiss or a ladder, else cycles."))
@click.option(
    "--clock",
    "clocks",
    multiple=True,
    metavar=_("CLOCK"),
    help=_("Time of each bot: 5m+3s (and 3 s more a move), 2s/move, or none. Of one bot: NAME=CLOCK."),
)
@openings_option
@click.option("--seed", metavar=_("SEED"), help=_("Number or word from which all chance comes."))
@click.option("--concurrency", type=click.IntRange(1, 256), metavar="N", help=_("Pairings at once."))
@click.option("--sprt", metavar="elo0=A,elo1=B", help=_("Two bots: play until this test is decided, --games at most."))
@launch_options
@conversation_option
@click.option("--cluster", metavar=_("ADDRESS"), help=_("Play on the workers of a Dask scheduler; 'local' starts one."))
@page_option
@sign_option
def run_command(
    words: tuple[str, ...],
    folder: Path | None,
    cluster: str | None,
    page: tuple[str, int] | None,
    *,
    key: Path | None,
    sandbox: bool,
    memory: int | None,
    conversations: Path | None,
    clocks: tuple[str, ...],
    **said: object,
) -> None:
    """Plays a new league."""
    from league.command_line import split_clocks
    from league.commands.folder import finish, folder_beside, held, is_league
    from league.commands.signing import open_signing_key

    given = {{"format_": "format", "games": "games_per_pair"}.get(name, name): value for name, value in said.items()}
    given["clock"], odds = split_clocks(clocks)
    given |= {"sandbox": sandbox or None, "memory": None if memory is None else f"{memory >> 10}K"}
    given = {name: value for name, value in given.items() if value is not None}
    league, home = _from_words(words, given, odds) if "game" in given else _from_file(words, given, odds)
    _check_bots(league, home, None if "game" in given else Path(words[0]), are_here=cluster is None)
    folder = folder or (folder_beside(Path(words[0])) if "game" not in given else Path(_name_for(league)))
    entry = None if is_league(folder) else first_entry(league, home)
    conversations = _conversations_of(league, conversations, cluster)
    executor_for, again = _choose_executor(cluster, page, conversations), _again(cluster, page, key, conversations)
    signing_key = None if is_league(folder) else open_signing_key(key, folder)
    with held(folder, entry, is_new=True, again=again) as log:
        _warn_if_crowded(league, cluster)
        finish(folder, _run(log, folder, executor_for, page), again, signing_key)


@click.command(
    "resume",
    short_help=_("Go on with a league that was stopped"),
    help=_("Go on with a league that was stopped, or crashed: only what is missing is played."),
)
@click.argument("folder", metavar=_("FOLDER"), type=click.Path(path_type=Path, file_okay=False))
@click.option(
    "--rounds",
    type=click.IntRange(2),
    metavar="N",
    help=_("Play more: so many rounds in all, also of a league that is over (a test only while it is not decided)."),
)
@click.option("--cluster", metavar=_("ADDRESS"), help=_("Play on the workers of a Dask scheduler; 'local' starts one."))
@page_option
@sign_option
@conversation_option
def resume_command(
    folder: Path,
    rounds: int | None,
    cluster: str | None,
    page: tuple[str, int] | None,
    key: Path | None,
    conversations: Path | None,
) -> None:
    """Goes on with a league."""
    from league.commands.folder import finish, held
    from league.commands.signing import open_signing_key
    from league.history.season import Season

    again = _again(cluster, page, key, conversations and conversations.absolute())
    with held(folder, None, is_new=False, again=again) as log:
        season = Season.of(log.entries)
        conversations = _conversations_of(season.league, conversations, cluster)
        executor_for = _choose_executor(cluster, page, conversations)
        if not season.league.bots:
            text = _("The bots of this league come from elsewhere; to go on: {command}")
            raise click.UsageError(text.format(command=f"league open {shlex.quote(str(folder))}"))
        if rounds is not None:
            log.append(season.extending(rounds))
            season = Season.of(log.entries)
        home = None
        if not season.finished:
            home = _home_of(season, folder, are_here=cluster is None)
            _warn_if_crowded(season.league, cluster)
        signing_key = open_signing_key(key, folder)
        finish(folder, _run(log, folder, executor_for, page, home), again, signing_key)


def _warn_if_crowded(league: League, cluster: str | None) -> None:
    """Warns if this machine has fewer cores than bots that think; on a cluster each worker plays one pairing."""
    from league.commands.crowding import warn_if_crowded

    if cluster is None:
        warn_if_crowded(league.concurrency * league.at_once, is_timed=league.time is not None, ponders=league.ponder)


def _conversations_of(league: League, folder: Path | None, cluster: str | None) -> Path | None:
    """The folder of --log-conversation, which is made; what is wrong ends the command."""
    if folder is not None and cluster is not None:
        raise click.UsageError(_("--log-conversation writes files here: it does not go with --cluster."))
    return conversations_in(folder, [bot.run for bot in league.bots])


def _again(
    cluster: str | None, page: tuple[str, int] | None, key: Path | None, conversations: Path | None
) -> Sequence[str]:
    """How a league that is stopped goes on."""
    options = (
        ("--cluster", cluster),
        ("--page", None if page is None else written(page)),
        ("--sign", None if key is None else str(key)),
        ("--log-conversation", None if conversations is None else str(conversations)),
    )
    return ("resume", *(word for option, value in options if value is not None for word in (option, value)))


def _home_of(season: Season, folder: Path, *, are_here: bool) -> Path:
    """Where the bots' files are: where they were, or beside the folder if everything was moved."""
    home = season.home or Path.cwd()
    if not home.is_dir():
        home = folder.resolve().parent
    _check_bots(season.league, home, None, are_here=are_here)
    return home


def _from_words(words: Sequence[str], given: dict[str, object], odds: Mapping[str, str]) -> tuple[League, Path]:
    from league.command_line import named, with_odds
    from league.config import ConfigError, League, of_options, usual_for

    if len(words) < 2:
        raise click.UsageError(_("a league needs two bots or more."))
    try:
        game = str(given["game"])
        bots = with_odds(named(words), odds)
        name = " - ".join(bot.name for bot in bots) if len(bots) == 2 else _("bots on the command line")
        return of_options(League(name, game, bots, **usual_for(game)), given), Path.cwd()
    except ConfigError as error:
        raise click.UsageError(str(error)) from error


def _from_file(words: Sequence[str], given: dict[str, object], odds: Mapping[str, str]) -> tuple[League, Path]:
    from dataclasses import replace

    from league.command_line import with_odds
    from league.config import ConfigError, of_options

    if len(words) != 1:
        raise click.UsageError(_("one FILE, or --game and the bots."))
    league, home = read_file(Path(words[0]))
    try:
        return of_options(replace(league, bots=with_odds(league.bots, odds)), given), home
    except ConfigError as error:
        raise click.UsageError(str(error)) from error


def read_file(path: Path) -> tuple[League, Path]:
    """The league that a file describes, and the folder that it stands in; what is wrong ends the command."""
    from league.config import MOST_BYTES, ConfigError, read_league

    try:
        with path.open("rb") as stream:
            data = stream.read(MOST_BYTES + 1)
        if len(data) > MOST_BYTES:
            raise click.UsageError(_("{path} is too long for the file of a league.").format(path=path))
        text = data.decode("utf-8-sig")
    except FileNotFoundError as error:
        raise click.UsageError(_("There is no file {path}.").format(path=path)) from error
    except OSError as error:
        raise click.UsageError(_("{path} can't be read.").format(path=path)) from error
    except UnicodeDecodeError as error:
        raise click.UsageError(_("{path} is not UTF-8 text.").format(path=path)) from error
    try:
        return read_league(text, str(path)), path.resolve().parent
    except ConfigError as error:
        raise click.UsageError(str(error)) from error


def _name_for(league: League) -> str:
    return f"league-{league.game.partition(':')[0]}-{'-'.join(bot.name for bot in league.bots[:2])}".replace("/", "_")


def _check_bots(league: League, home: Path, file: Path | None, *, are_here: bool) -> None:
    """Refuses bots that can't run, before any game; the message names the line of `file`, if there is a file.

    are_here: whether programs run on this machine, and not on the workers of a cluster.
    """
    from contextlib import chdir
    from dataclasses import replace

    from bots.base import FILE_FAMILY, BotSpecError, parse_bot
    from bots.launch_options import check_with, warn_without_sandbox
    from league.config import wrong_bot

    if league.sandbox:
        warn_without_sandbox()
    for number, bot in enumerate(league.bots, 1):
        reason = "" if bot.run else _('nothing to run: write run = "...".')
        try:
            with chdir(home):
                if bot.run:
                    spec = parse_bot(bot.run)
                    if not spec.is_foreign and (bot.python or bot.many_games or bot.ponder):
                        reason = _("python, many_games and ponder are for programs that are not Arbitre's own.")
                    spec = spec.with_launch_options(replace(spec.launch, python=bot.python))
                    check_with(league.launch, spec, league.rules, [other.run for other in league.bots])
                    if are_here and spec.is_foreign and spec.family.name != FILE_FAMILY:
                        spec.prepare(league.rules)  # the program is there; pupils' files were loaded just now
        except BotSpecError as error:
            reason = str(error)
        if reason:
            message = _("{name}: {reason}").format(name=bot.name, reason=reason)
            if file is not None:
                message = str(wrong_bot(file.read_text(encoding="utf-8-sig"), str(file), number, message))
            raise click.UsageError(message)
    if len(league.bots) < 2:
        raise click.UsageError(_("a league needs two bots or more."))


def first_entry(league: League, home: Path) -> LogEntry:
    """The first entry of the log, which holds all that is read from other files."""
    from league.history.season import begin

    _openings, lines = read_openings(league.openings, league.rules, league.seed, home)
    return begin(league, lines, home)


def _choose_executor(
    cluster: str | None, page: tuple[str, int] | None, conversations: Path | None
) -> Callable[[Showcase | None], OpenExecutor]:
    """What opens the executor of the pairings: this machine (where they may be shown), or the workers of a cluster."""
    if page is not None and cluster is not None:
        raise click.UsageError(_("--page shows games that are played here: it does not go with --cluster."))
    if cluster is None:
        from league.executors.local import LocalExecutor

        return lambda showcase: functools.partial(
            LocalExecutor, begun={}, showcase=showcase, conversations=conversations
        )
    try:
        from league.executors.cluster import LOCAL, Cluster
    except ImportError as error:
        raise click.ClickException(
            _("--cluster needs dask.distributed: install it with pip install distributed (here and on the workers).")
        ) from error
    if cluster != LOCAL and "://" not in cluster:
        raise click.UsageError(_("--cluster takes the address of a Dask scheduler (tcp://name:8786), or local."))
    return lambda _showcase: functools.partial(Cluster, cluster)


async def _run(
    log: Log,
    folder: Path,
    executor_for: Callable[[Showcase | None], OpenExecutor],
    page: tuple[str, int] | None,
    home: Path | None = None,
) -> None:
    from rich.console import Console

    from league.commands.page_lines import showcase_for
    from league.commands.progress import Lines, LiveTable
    from league.executors.base import RunError
    from league.executors.local_server import say
    from league.runner import LeagueRunner

    console = Console(stderr=True)
    # A person at a terminal can stop the program; a script would wait for ever.
    stays = console.is_terminal and sys.stdin.isatty()
    showcase = None if page is None else showcase_for(folder, page, stays=stays)
    screen = LiveTable(console, replaced=sys.stdout.isatty()) if console.is_terminal else Lines(say)

    with screen:

        def tell(season: Season) -> None:
            screen.show(season)
            if showcase is not None:
                showcase.showing.look(season)

        runner = LeagueRunner(log, executor_for(showcase), tell, screen.drawing, say=say)
        runner.season.home = home or runner.season.home
        screen.begin(runner.season)
        if showcase is not None:
            showcase.showing.look(runner.season)
        try:
            await runner.run()
        except RunError as error:
            raise click.ClickException(str(error)) from error
