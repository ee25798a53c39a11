"""The command line: joins the commands of every package, imports none of them before it is asked for.

The exception is processes.stopping, which is small: no signal kills a command, so that its exit code is always ours.

Exit codes: 0 good, 1 failed, 2 usage, 128 + N for work that signal N stopped before its end (130: Ctrl-C); what has no
end, a server or a waiting bot, is stopped well and returns 0. A command may return its own. A user never sees a
traceback: the packages' commands raise click.ClickException (or a subclass) with one sentence, anything else is called
an internal error; ARBITRE_DEBUG=1 shows it.
"""

import os
import sys

if __name__ == "__main__":  # Ctrl-C while the rest is imported: `_run`, which returns INTERRUPTED, is not there yet
    sys.excepthook = lambda kind, *more: os._exit(130) if kind is KeyboardInterrupt else sys.__excepthook__(kind, *more)

import errno
import gc
import io
import re
import shutil
import traceback
from collections.abc import Iterable, Sequence
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Final, NamedTuple


def _last_resort(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    """What Python calls for an error that nobody caught: before `main` runs, a damaged package can cause one.

    Ctrl-C ends the program there without a word.
    """
    if kind is KeyboardInterrupt:
        os._exit(130)  # INTERRUPTED, which is not there yet
    _repair_and_start_again()
    sys.__excepthook__(kind, error, trace)


def _repair_and_start_again() -> None:
    """Return if .venv is whole (or not run.py's, or repaired already); else let run.py repair it, and start anew."""
    script = Path(__file__).with_name("run.py")
    if Path(sys.prefix) != script.with_name(".venv") or not script.exists():
        return
    import bootstrap
    import damage

    found = None if damage.REPAIRED in os.environ else damage.first_broken(sys.prefix)
    if found is None:
        return
    os.environ[damage.FOUND] = found
    python = getattr(sys, "_base_executable", sys.executable)  # .venv's own may be replaced now
    sys.exit(bootstrap.replace([python, str(script), *sys.argv[1:]]))


if __name__ == "__main__":
    gc.set_threshold(100_000)  # by default, imports cause a hundred collections, which find nothing
    sys.excepthook = _last_resort
    from processes import stopping

    stopping.handle_signals()

import click  # noqa: E402

from locales import LANGUAGES, N_, _, language_of, set_language  # noqa: E402
from locales.folding import fold_for  # noqa: E402
from locales.harmless import sentences  # noqa: E402
from machine import core, modules, namespace  # noqa: E402

if __name__ == namespace.NAME:  # somebody says `from arbitre import games`: in a checkout this is where it leads
    __path__: list[str] = []
    namespace.open_namespace(str(modules.FOLDER))

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

INTERRUPTED: Final = 130

COMPLETE: Final = "_ARBITRE_COMPLETE"
"""The variable by which a shell asks what to offer (client/commands/completion.py)."""

SHELLS: Final = ("bash", "zsh", "fish")
"""The shells that can ask."""

_OWN_SHELL: Final = "auto"

_NARROWEST: Final = 20
"""Columns of the narrowest help."""

METAVARS: Final = {
    "text": N_("TEXT"),
    "integer": N_("INTEGER"),
    "integer range": N_("INTEGER"),
    "float": N_("NUMBER"),
    "float range": N_("NUMBER"),
    "path": N_("PATH"),
    "file": N_("PATH"),
    "filename": N_("PATH"),
    "directory": N_("FOLDER"),
}
"""What stands for an option's value in the help, by the name of click's type; click itself has it in English only."""

NUMBERS: Final = {
    "integer": N_("whole number"),
    "integer range": N_("whole number"),
    "float": N_("number"),
    "float range": N_("number"),
}
"""What click's own refusals call a number, by the name of click's type."""


class Entry(NamedTuple):
    """Where a command stands, as "module:attribute", and what it does, in a few words for the list."""

    target: str
    summary: str


COMMANDS: Final = {
    "demo": Entry("league.commands.match_cli:demo_command", N_("Watch two bots play a refereed match")),
    "play": Entry(
        "client.commands.play_cli:play_command", N_("Play: on this machine, on the local network, against a bot")
    ),
    "find": Entry("client.commands.find_cli:find_command", N_("List the servers and open games of your network")),
    "watch": Entry("client.commands.play_cli:watch_command", N_("Watch a match that others play")),
    "replay": Entry("client.commands.replay_cli:replay_command", N_("Look through games that are over, move by move")),
    "serve": Entry("services.serve_cli:serve_command", N_("Host games for players, bots and spectators")),
    "studio": Entry("services.studio_cli:studio_command", N_("Let pupils write and run bots in their browsers")),
    "admin": Entry("client.commands.admin_cli:admin_command", N_("Direct the matches of a server, as an organiser")),
    "bot": Entry("bots.commands.bot_cli:bot_command", N_("Let a bot play on a server")),
    "match": Entry("league.commands.match_cli:match_command", N_("Let two bots play a number of games")),
    "league": Entry("league.commands.league_cli:league_command", N_("Rank bots: leagues, ratings, sequential tests")),
    "class": Entry("school.commands.class_cli:class_command", N_("Run a class: codes, desk, programs, marks")),
    "explain": Entry("bots.explain.explain_cli:explain_command", N_("Show the tree that a bot saw before it moved")),
    "export": Entry("server.commands.records_cli:export_command", N_("Write matches as records that others read")),
    "import": Entry("server.commands.records_cli:import_command", N_("Take games from files into the database")),
    "verify": Entry("server.commands.records_cli:verify_command", N_("Check that records are whole and by the rules")),
    "analyse": Entry("league.commands.analyse_cli:analyse_command", N_("Show where a played game was won and lost")),
    "perft": Entry(
        "bots.commands.perft_cli:perft_command",
        N_("Count the positions that a game reaches, to check and time its rules"),
    ),
    "solve": Entry("bots.commands.solve_cli:solve_command", N_("Say what a position is worth, and each of its moves")),
    "warmup": Entry("bots.commands.warmup_cli:warmup_command", N_("Compile the fast searches ahead of the first game")),
    "schema": Entry("server.commands.schema_cli:schema_command", N_("Print the JSON Schema of the protocol")),
}


class HelpFormatter(click.HelpFormatter):
    """Click's, on narrow terminals too, and with our language's signs where click joins pieces itself."""

    def __init__(self, indent_increment: int = 2, width: int | None = None, max_width: int | None = None) -> None:
        """Take the terminal's width, which click takes for 52 columns at least."""
        super().__init__(indent_increment, width, max_width)
        if width is None:
            self.width = min(self.width, max(shutil.get_terminal_size().columns - 2, _NARROWEST))

    def write_dl(self, rows: Iterable[tuple[str, str]], col_max: int = 30, col_spacing: int = 2) -> None:
        """Write what options or commands do beside their names; below them, where there is no room beside."""
        semicolon = _("; ")
        said = [(name, re.sub(r"(?<=\S); ", semicolon, text)) for name, text in rows]
        super().write_dl(said, min(col_max, self.width // 2), col_spacing)


class Context(click.Context):
    """Click's, with our formatter."""

    formatter_class = HelpFormatter


class LazyGroup(click.Group):
    """A group whose commands are the table above; a module is imported when its command is called."""

    context_class = Context

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names in the table's order: from what a newcomer tries first to what few need."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import a command; None when there is none of that name."""
        entry = COMMANDS.get(cmd_name)
        if entry is None:
            return None
        module, attribute = entry.target.split(":")
        command = getattr(modules.load(module), attribute)
        assert isinstance(command, click.Command), entry.target
        translate_metavars(command)
        return command

    def shell_complete(self, ctx: click.Context, incomplete: str) -> "list[CompletionItem[str]]":
        """Offer the commands from the table, so that TAB imports none of them."""
        from click.shell_completion import CompletionItem

        found = [CompletionItem(name, help=_(entry.summary)) for name, entry in COMMANDS.items()]
        return [item for item in found if item.value.startswith(incomplete)] or click.Command.shell_complete(
            self, ctx, incomplete
        )

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command, or say which known one is near: click itself looks only at commands already imported."""
        if args[0] not in COMMANDS and args[0][:1].isalnum():
            raise click.exceptions.NoSuchCommand(args[0], possibilities=COMMANDS, ctx=ctx)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the list of commands from the table, so that --help imports nothing."""
        with formatter.section(_("Commands")):
            formatter.write_dl([(name, _(entry.summary)) for name, entry in COMMANDS.items()])


def translate_metavars(command: click.Command) -> None:
    """Let the help of a command, and of its own commands, name the values of options in the current language."""
    command.context_class = Context
    for parameter in command.params:
        plain = isinstance(parameter, click.Option) and not parameter.is_flag and parameter.metavar is None
        if plain and (name := _type_name(parameter.type)) in METAVARS:
            parameter.metavar = _(METAVARS[name])
        if (name := _type_name(parameter.type)) in NUMBERS:
            parameter.type.name = _(NUMBERS[name])
    if isinstance(command, click.Group):
        command.subcommand_metavar = _("COMMAND [ARGUMENTS]...")
        for below in command.commands.values():
            translate_metavars(below)


def _type_name(kind: "click.ParamType[Any]") -> str:
    """What click calls a type in English; the names of paths it has translated already."""
    if isinstance(kind, click.Path):
        return "path" if kind.file_okay else "directory"
    return getattr(type(kind), "name", kind.name)  # whatever it was translated to before


def build() -> click.Group:
    """Return the whole command line, its texts in the current language."""
    group = LazyGroup(
        name="arbitre",
        help=_(
            "Arbitre referees two-player board games between people and bots."
            "\n\nCOMMAND --help tells more about each command."
        ),
        epilog=_("run.py also takes: test, lint, bench, compile, messages, docs, lock.")
        if modules.IS_CHECKOUT
        else None,
        invoke_without_command=True,
        callback=_begin,
        context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
        subcommand_metavar=_("COMMAND [ARGUMENTS]..."),
    )
    group.params.append(
        click.Option(
            ["--lang"],
            type=click.Choice(LANGUAGES),
            expose_value=False,
            help=_("The language of every text, anywhere on the line; else ARBITRE_LANG, else your system's."),
        )
    )
    group.params.append(
        click.Option(
            ["--version"],
            is_flag=True,
            is_eager=True,
            expose_value=False,
            callback=_show_version,
            help=_("Show the version and exit."),
        )
    )
    group.params.append(
        click.Option(
            ["--show-completion"],
            type=click.Choice((*SHELLS, _OWN_SHELL)),
            is_flag=False,
            flag_value=_OWN_SHELL,
            is_eager=True,
            expose_value=False,
            callback=_show_completion,
            metavar="[SHELL]",
            help=_("Print what bash, zsh or fish reads to complete command lines, and say where it goes."),
        )
    )
    return group


def _called() -> str:
    """What people type to get here, as it stands in usage lines."""
    return "python3 run.py" if modules.IS_CHECKOUT else "arbitre"


def _show_version(context: click.Context, _option: click.Parameter, asked: bool) -> None:
    if asked and not context.resilient_parsing:
        from protocol import VERSION

        click.echo(f"arbitre {VERSION} ({_running_core()})")
        context.exit()


def _show_completion(context: click.Context, _option: click.Parameter, shell: str | None) -> None:
    """Print the script that lets a shell complete our command lines, by default the shell of this account."""
    if shell is None or context.resilient_parsing:
        return
    completion = modules.load("client.commands.completion")
    if shell == _OWN_SHELL:
        shell = os.environ.get("SHELL", "").rpartition("/")[2]
    if shell not in SHELLS:
        raise click.UsageError(_("Say which shell: --show-completion bash, zsh or fish."))
    click.echo(completion.script(context.command, shell, COMPLETE))
    place, start = completion.PLACES[shell], completion.STARTS.get(shell)
    command = f"{_called()} --show-completion {shell} > {place}"
    click.echo(_("Keep it with:\n  {command}").format(command=command), err=True)
    if start is not None:
        text = _("and let each new shell read it:\n  {command}")
        click.echo(text.format(command=f"echo '. {place}' >> {start}"), err=True)
    context.exit()


def _running_core() -> str:
    """Say which core runs."""
    match core.state():
        case core.State.PLAIN:
            return _("plain core")
        case core.State.COMPILED:
            return _("compiled core")
        case core.State.OUTDATED:
            if modules.IS_CHECKOUT:
                return _("plain core: the compiled one is out of date; `python3 run.py compile` makes it anew")
            return _("plain core: the compiled one does not fit these sources or this Python")


@click.pass_context
def _begin(context: click.Context) -> int | None:
    """Without a command, show the menu where somebody sits at a terminal, else the help."""
    if context.invoked_subcommand is not None:
        return None
    if sys.stdin.isatty() and sys.stdout.isatty():
        from client.commands.screen import show_menu, takes_a_screen

        if takes_a_screen():
            return show_menu()
    click.echo(context.get_help())
    return 0


def take_language(arguments: Sequence[str]) -> tuple[list[str], str | None]:
    """Take --lang out of the arguments, wherever it stands before a `--`; return the rest and its value.

    Raises click.UsageError for a language that Arbitre does not speak.
    """
    rest: list[str] = []
    asked: str | None = None
    words = iter(arguments)
    for word in words:
        if word == "--":
            rest += [word, *words]
        elif word == "--lang" or word.startswith("--lang="):
            asked = word.partition("=")[2] or next(words, "")
        else:
            rest.append(word)
    if asked is not None and asked not in LANGUAGES:
        raise click.UsageError(_("--lang takes one of: {languages}.").format(languages=", ".join(LANGUAGES)))
    return rest, asked


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command line (by default the process's own, which then is over); return the exit code."""
    if arguments is not None:
        return _run(arguments)
    core.use()
    from processes import stopping

    stopping.handle_signals()
    code = _run(sys.argv[1:])
    stopping.leave_with(code)
    return code


def _run(arguments: Sequence[str]) -> int:
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # an old terminal shows "?" for a disc, and the game goes on
    set_language(language_of(os.environ))
    try:
        rest, asked = take_language(arguments)
        if asked is not None:
            set_language(asked)
        if COMPLETE in os.environ:
            modules.load("client.commands.completion").register()
        code = build().main(rest, prog_name=_called(), standalone_mode=False, complete_var=COMPLETE)
    except click.ClickException as error:
        return _say(error)
    except (KeyboardInterrupt, click.Abort):
        return INTERRUPTED
    except BrokenPipeError:
        return _let_go_of_stdout()
    except MemoryError as error:
        traceback.clear_frames(error.__traceback__)  # frees what they hold: a sentence needs memory, too
        return _report(MemoryError())
    except Exception as error:  # noqa: BLE001  (the last resort is to be blind: a user reads a sentence, not a traceback)
        return _report(error)
    return code if isinstance(code, int) else 0


def _say(error: click.ClickException) -> int:
    """Show what went wrong, its lines no wider than the terminal; return the exit code."""
    shown = io.StringIO()
    error.show(shown)
    click.echo(fold_for(sys.stderr, sentences(shown.getvalue())), err=True)
    return error.exit_code


def _let_go_of_stdout() -> int:
    """Whoever read our output is gone (`| head`): leave in silence, without a second failure at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 1


_MACHINE: Final = frozenset(
    {errno.EACCES, errno.EAGAIN, errno.EDQUOT, errno.EMFILE, errno.ENFILE, errno.ENOMEM, errno.ENOSPC, errno.EROFS}
)
"""Errors of a machine that runs out of something, or of an account that lacks permission."""


def blame_machine(error: Exception) -> str | None:
    """What to say of an error that is the machine's, not Arbitre's; None for any other."""
    if isinstance(error, MemoryError) or (isinstance(error, RuntimeError) and "start new thread" in str(error)):
        return _("This machine has too little memory left for that: close other programs, or allow this one more.")
    if isinstance(error, OSError) and error.errno in _MACHINE:
        from locales.system import reason

        if error.filename is None:
            return _("This machine does not let Arbitre go on: {reason}.").format(reason=reason(error))
        text = _("This machine does not let Arbitre use {file}: {reason}.")
        return text.format(file=error.filename, reason=reason(error))
    return None


def _report(error: Exception) -> int:
    """Say that Arbitre is at fault, with what its authors need to know; return the exit code."""
    while isinstance(error, ExceptionGroup) and len(error.exceptions) == 1:
        error = error.exceptions[0]
    if isinstance(error, click.ClickException):  # raised in a task of an asyncio.TaskGroup
        return _say(error)
    if not isinstance(error, MemoryError):
        _repair_and_start_again()
    if os.environ.get("ARBITRE_DEBUG"):
        traceback.print_exception(error)
    if (sentence := blame_machine(error)) is not None:
        click.echo(fold_for(sys.stderr, sentences(sentence)), err=True)
        return 1
    text = _("Internal error ({kind}: {detail}). Please report it; with ARBITRE_DEBUG=1 it comes with a traceback.")
    click.echo(sentences(text.format(kind=type(error).__name__, detail=error)), err=True)
    return 1


if __name__ == "__main__":
    sys.exit(main())
