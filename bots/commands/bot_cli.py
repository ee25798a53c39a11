"""The command `arbitre bot`, with those below it."""

from __future__ import annotations

import random
from collections.abc import Callable, Coroutine, Mapping
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import click

from bots.commands.exits import SupervisorLost, Unserved, Unusable
from bots.launch_options import (
    conversation_option,
    conversations_in,
    launch_options,
    life_options,
    with_launch_options,
    with_life,
)
from client.commands.password import password_option
from games import EXAMPLES
from locales import N_, _, phrase
from machine import modules

if TYPE_CHECKING:
    from bots.base import BotSpec
    from bots.running.runner import RunSettings
    from client.errors import ClientError


class Entry(NamedTuple):
    """Where a command stands, as "module:attribute", and what it does, in a few words for the list."""

    target: str
    summary: str


COMMANDS: Final[Mapping[str, Entry]] = {
    "check": Entry("bots.check.check_cli:check_command", N_("Try whether a bot does all that a bot has to do")),
    "new": Entry("bots.commands.starter_cli:new_command", N_("Write a bot to start from, with its test")),
    "replay": Entry("bots.failures.replay:replay_command", N_("Ask a bot again what it failed at")),
}
"""The commands below `arbitre bot`; any other first word is a bot."""


def load_command(name: str) -> click.Command:
    """Imports the command called `name`, a key of `COMMANDS`."""
    module, attribute = COMMANDS[name].target.split(":")
    command = getattr(modules.load(module), attribute)
    assert isinstance(command, click.Command)
    return command


class BotCommand(click.Command):
    """A command that hands over to those of `COMMANDS`, and whose help lists every bot with its options.

    The other commands and the bots are imported only when they are asked for.
    """

    def make_context(
        self, info_name: str | None, args: list[str], parent: click.Context | None = None, **extra: Any
    ) -> click.Context:
        """The context of the command that the first word names, or of this one: click calls what it belongs to."""
        if args and args[0] in COMMANDS:
            name, *rest = args
            return load_command(name).make_context(f"{info_name} {name}", rest, parent, **extra)
        return super().make_context(info_name, args, parent, **extra)

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Writes the options, then the commands."""
        super().format_options(ctx, formatter)
        if COMMANDS:
            with formatter.section(_("Commands instead of a BOT")):
                formatter.write_dl([(name, _(entry.summary)) for name, entry in COMMANDS.items()])

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Writes the list of bots."""
        del ctx
        from bots.base import ADAPTERS, BOTS, load_family

        with formatter.section(_("Bots, and their options with the defaults")):
            for family in map(load_family, BOTS):
                formatter.write_dl([(family.name, family.summary())])
                rows = []
                for option in family.options:
                    default = _("fits the game") if option.default is None else option.default
                    what = _("{summary}: {values}").format(summary=option.summary(), values=option.describe())
                    rows.append((f"{option.name}={default}", what))
                if rows:
                    with formatter.indentation():
                        formatter.write_dl(rows)
        with formatter.section(_("Other programs as bots")):
            families = map(load_family, ADAPTERS)
            formatter.write_dl(
                [(f"{family.name}:{family.options[0].summary().upper()}", family.summary()) for family in families]
            )


@click.command(
    "bot",
    cls=BotCommand,
    help=_(
        "Let a bot play on the server at URL (by default the one of this machine): it accepts every invitation to a "
        "game that it plays.\n\nBOT is a name, with options after a colon: random, minimax:depth=4,eval=discs. "
        "The line 'ready NAME' on the standard output says that it is there."
    ),
)
@click.argument("bot", metavar="BOT")
@click.argument("url", metavar="[URL]", required=False)
@click.option("--game", metavar=_("GAME"), help=_("Play only this game: {games}.").format(games=EXAMPLES))
@click.option("--count", type=click.IntRange(1), metavar="N", help=_("Leave after N games."))
@click.option(
    "--seed", metavar=_("SEED"), help=_("Number or word from which all its chance comes: same seed, same moves.")
)
@click.option("--name", metavar=_("NAME"), help=_("Its name on the server; by default what BOT says."))
@click.option("--join", metavar="CODE", help=_("Join the match with this six-letter code."))
@click.option(
    "--league",
    metavar=_("CODE[-PERSONAL]"),
    help=_("Enter the league with this code; some ask for a personal one, too."),
)
@click.option("--personal", metavar="CODE", help=_("Your personal code, if the league asks for one."))
@click.option(
    "--key",
    metavar=_("FILE"),
    type=click.Path(dir_okay=False, path_type=Path),
    help=_("The key to which its name in a league belongs; made if it is not there. By default one of your account's."),
)
@click.option(
    "--at-once",
    type=click.IntRange(1, 1000),
    metavar="N",
    help=_(
        "Matches at once; by default 1000. Where each match runs a program of others: as many as the machine has room "
        "for, at most 16 a core. More wait for 20 s, then they are declined as busy."
    ),
)
@click.option("--rematch", is_flag=True, help=_("Accept a rematch."))
@click.option("--resume", is_flag=True, help=_("Take the seats again that it left when it was stopped or killed."))
@launch_options
@life_options
@click.option("--apart", multiple=True, hidden=True, type=click.Path(path_type=Path))
@click.option(
    "--capsules",
    type=click.Path(file_okay=False, path_type=Path),
    help=_("Where a file on each of its failures goes, for 'bot replay'; by default the user's state folder."),
)
@conversation_option
@click.option("--leave-if-lost", is_flag=True, hidden=True)  # said by a league, which plays such games again
@password_option
def bot_command(
    bot: str,
    url: str | None,
    game: str | None,
    count: int | None,
    seed: str | None,
    name: str | None,
    join: str | None,
    league: str | None,
    *,
    personal: str | None,
    key: Path | None,
    at_once: int | None,
    rematch: bool,
    resume: bool,
    sandbox: bool,
    memory: int | None,
    patience: float | None,
    python: str | None,
    many_games: bool | None,
    ponder: bool | None,
    apart: tuple[Path, ...],
    capsules: Path | None,
    conversations: Path | None,
    leave_if_lost: bool,
) -> None:
    """Plays until the count is reached, the server goes, or somebody stops it."""
    from bots.failures.capsule import default_folder
    from bots.running.process import run_bot
    from bots.running.runner import RunSettings
    from processes import stopping
    from protocol.bounds import MAX_NAME

    with suppress(stopping.Stopped):  # being asked to stop is no error

        def run(spec: BotSpec) -> BotSpec:
            spec = with_launch_options(spec, sandbox=sandbox, memory=memory, patience=patience, apart=apart)
            return with_life(spec, python=python, many_games=many_games, ponder=ponder)

        spec, game = _read_bot(bot, game, run)
        at = _read_address(url)
        seed = seed if seed is not None else str(random.SystemRandom().randrange(1_000_000))
        code, personal = _league_codes(league, personal)
        settings = RunSettings(
            spec, seed, game, count, rematch=rematch, capsules=capsules or default_folder(),
            conversations=conversations_in(conversations, [bot]), league=code, personal=personal,
            leave_if_lost=leave_if_lost, key=_league_key(code, key), insists=name is not None, at_once=at_once,
            reports=personal is not None,
        )  # fmt: skip
        _play(run_bot(settings, at, name or spec.name(MAX_NAME), join, resume=resume), settings, at)


def _read_bot(bot: str, game: str | None, run: Callable[[BotSpec], BotSpec]) -> tuple[BotSpec, str | None]:
    """The bot, ready for the game if one is named, and that game as the server calls it; `run` says how it is run."""
    import games
    from bots.base import BotSpecError, SupervisorLostError, parse_bot

    try:
        spec = run(parse_bot(bot))
        rules = None if game is None else games.parse(game)
        if game is not None and rules is not None:
            spec.check(rules)
            game = rules.spec if ":" in game else rules.id
        spec.prepare(rules, lambda line: click.echo(line, err=True))
    except games.RulesError as error:
        raise click.UsageError(phrase(error.phrase)) from error
    except SupervisorLostError as error:
        raise SupervisorLost(str(error)) from error
    except BotSpecError as error:
        raise Unusable(str(error)) from error
    return spec, game


def _read_address(url: str | None) -> str:
    """The address of the server; by default this machine."""
    from client import address
    from client.errors import AddressError

    try:
        return address.LOCAL if url is None else address.parse(url)
    except AddressError as error:
        raise click.UsageError(str(error)) from error


def _play(work: Coroutine[object, object, None], settings: RunSettings, at: str) -> None:
    """Lets the bot play at the address `at`, and says in words why it can't go on."""
    from bots.base import SupervisorLostError
    from client.errors import ClientError, NoServer, ServerClosed, ServerGone
    from machine.modules import program
    from processes import stopping

    failed = Unserved if settings.leave_if_lost else click.ClickException
    try:
        stopping.run(work, within_s=stopping.AT_MOST_S)
    except NoServer as error:
        text = _("No server answers at {address}. To start one here:\n  {command}")
        raise failed(text.format(address=at, command=f"{program()} serve")) from error
    except ServerClosed as error:
        if settings.league is None:
            raise failed(_explained(error)) from error
        click.echo(_("The server has closed: the league is over."), err=True)
    except ServerGone as error:
        raise failed(_explained(error)) from error
    except SupervisorLostError as error:
        raise SupervisorLost(str(error)) from error
    except ClientError as error:
        if settings.league is not None and settings.personal is None:
            _ask_for_personal(error, settings.league)
        raise click.ClickException(_explained(error)) from error


def _explained(error: ClientError) -> str:
    """Why the bot can't go on, in words. The import is late: a bot that plays to its end needs no words."""
    from client import explanations

    return explanations.explain(error)


def _league_codes(league: str | None, personal: str | None) -> tuple[str | None, str | None]:
    """The code of the league, and the personal code: they may be written as one."""
    if league is None:
        if personal is not None:
            raise click.UsageError(_("--personal goes with --league: which league is it for?"))
        return None, None
    code, dash, behind = (part.strip() for part in league.partition("-"))
    if not (len(code) == 6 and code.isascii() and code.isalpha()):
        raise click.UsageError(
            _("The code of a league has six letters, as BATOMI: {code!r} is none.").format(code=code)
        )
    return code, behind if dash else personal


def _league_key(code: str | None, file: Path | None) -> str | None:
    """The key for a league, None without a league; what is wrong with its file ends the command."""
    if code is None:
        if file is not None:
            raise click.UsageError(_("--key goes with --league: which league is it for?"))
        return None
    from client.key import KeyFileError, kept_key

    try:
        return kept_key(file, lambda line: click.echo(line, err=True))
    except KeyFileError as error:
        raise click.ClickException(str(error)) from error


def _ask_for_personal(error: Exception, code: str) -> None:
    """Ends the command if what was missing is a personal code."""
    from client.errors import Refused
    from protocol.errors import ErrorCode

    if isinstance(error, Refused) and error.code == ErrorCode.BAD_CODE.value:
        text = _("This league asks for your personal code, too. Write it behind the league's code: {example}")
        personal = _("PERSONAL")
        raise click.ClickException(text.format(example=f"--league {code}-{personal}")) from error
