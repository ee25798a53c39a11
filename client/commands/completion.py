"""What a shell offers behind TAB, by click's own machinery: bots, their options, games, matches of the server here.

Imported only while a shell asks, and to print the script that asks. Nothing here may fail or take long: a shell that
waits for its answer does not echo what is typed.
"""

from __future__ import annotations

import asyncio
import os
import shlex
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import Final

import click
from click.shell_completion import (
    BashComplete,
    CompletionItem,
    FishComplete,
    ShellComplete,
    ZshComplete,
    add_completion_class,
    split_arg_string,
)

from client.address import LOCAL
from client.people.glance import look
from games import GAMES
from machine import modules

NAME: Final = "arbitre"

PLACES: Final = {
    "bash": "~/.arbitre-completion.bash",
    "zsh": "~/.arbitre-completion.zsh",
    "fish": "~/.config/fish/conf.d/arbitre.fish",
}
"""Where the script of a shell is kept. A line in the shell's start-up file reads it; fish reads it by itself."""

STARTS: Final = {"bash": "~/.bashrc", "zsh": "~/.zshrc"}

LOOK_S: Final = 0.15
"""How long the server of this machine may take."""

MOST_PAST: Final = 50
"""Past games that are offered."""

Item = tuple[str, str]
"""A word, and what it is."""


def games(incomplete: str) -> Sequence[Item]:
    """Games, and behind a colon their options."""
    name, colon, rest = incomplete.partition(":")
    if not colon:
        return [(one, "") for one in GAMES]
    return _options(f"{name}:", rest, {one.name: () for one in GAMES[name].options} if name in GAMES else {})


def bots(incomplete: str) -> Sequence[Item]:
    """Families of bots, and behind a colon their options; any file may be a bot, too."""
    base = modules.load("bots.base")
    name, colon, rest = incomplete.partition(":")
    if not colon:
        return [(one, "") for one in (*base.BOTS, *(f"{adapter}:" for adapter in base.ADAPTERS))]
    if name not in base.BOTS:
        return ()
    options = modules.load(base.BOTS[name]).FAMILY.options
    values = {one.name: one.values if isinstance(one.values, tuple) else () for one in options}
    return _options(f"{name}:", rest, values)


def matches(_incomplete: str) -> Sequence[Item]:
    """The open matches of this machine's server."""
    glance = asyncio.run(look(LOCAL, LOOK_S))
    lobby = None if glance is None else glance.lobby
    return [(one.match, one.game) for one in (() if lobby is None else lobby.matches)]


def past_games(_incomplete: str) -> Sequence[Item]:
    """The games that were played here."""
    replaying = modules.load("client.people.replaying")
    return [(one.match, replaying.about(one)) for one in replaying.kept()[:MOST_PAST]]


def _options(before: str, rest: str, known: Mapping[str, Sequence[str]]) -> Sequence[Item]:
    """`name=` of each option that is not there yet, or the values that the last one may have."""
    *whole, last = rest.split(",")
    before += "".join(f"{one}," for one in whole)
    name, equals, _value = last.partition("=")
    if equals:
        return [(f"{before}{name}={word}", "") for word in known.get(name, ())]
    there = {one.partition("=")[0] for one in whole}
    return [(f"{before}{one}=", "") for one in known if one not in there]


KNOWN: Final[Mapping[str, Callable[[str], Sequence[Item]]]] = {
    "game": games,
    "bot": bots,
    "first": bots,
    "second": bots,
    "words": bots,
    "against": bots,
    "match": matches,
    "join": matches,
    "played": past_games,
}
"""What finds the words to offer, by the name of a parameter that takes any text."""


class Offered(click.ParamType[str]):
    """Any text, of which some is offered."""

    name = "text"

    def __init__(self, find: Callable[[str], Sequence[Item]]) -> None:
        self._find = find

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem[str]]:
        """The words that begin with `incomplete`; if there are none, files, where a bot or a past game is expected."""
        found = [CompletionItem(word, help=what or None) for word, what in self._find(incomplete)]
        found = [item for item in found if item.value.startswith(incomplete)]
        return found or ([CompletionItem(incomplete, type="file")] if self._find in (bots, past_games) else [])


class _Asking(ShellComplete):
    """What all shells have in common."""

    def get_completions(self, args: list[str], incomplete: str) -> list[CompletionItem[str]]:
        """Offers nothing and prints nothing if anything fails: the shell would print it into the command line."""
        try:
            self._prepare(args)
            return super().get_completions(args, incomplete)
        except Exception:  # noqa: BLE001 - as said
            return []

    def _prepare(self, args: Sequence[str]) -> None:
        """Sets what is offered for the parameters of the command that is being typed."""
        command: click.Command = self.cli
        context = click.Context(command, resilient_parsing=True)
        for word in args:
            below = command.get_command(context, word) if isinstance(command, click.Group) else None
            if below is not None:
                command = below
                context = click.Context(command, parent=context, resilient_parsing=True)
        for parameter in command.params:
            find = KNOWN.get(parameter.name or "")
            if find is not None and isinstance(parameter.type, type(click.STRING)):
                parameter.type = Offered(find)

    def source(self) -> str:
        """The script; in a checkout it says what `arbitre` is, too."""
        return f"{_meaning(self.name)}{super().source()}" if modules.IS_CHECKOUT else super().source()


def _program() -> str:
    """How the script calls us."""
    return shlex.join([sys.executable, str(modules.FOLDER / "arbitre.py")]) if modules.IS_CHECKOUT else NAME


def _meaning(shell: str) -> str:
    """What `arbitre` stands for in a checkout."""
    run = shlex.quote(str(modules.FOLDER / "run.py"))
    if shell == "fish":
        return f"function {NAME}; python3 {run} $argv; end\n"
    return f'{NAME}() {{ python3 {run} "$@"; }}\n'


_BASH: Final = """\
%(complete_func)s() {
    local IFS=$'\\n' answer type value line="${COMP_LINE:0:$COMP_POINT}"
    local word="${line##* }"
    local kept="${word%%"${word##*[:=]}"}"
    COMPREPLY=()
    for answer in $(env COMP_WORDS="$line" COMP_CWORD="$word" %(complete_var)s=bash_complete {program} 2>/dev/null); do
        type="${answer%%%%,*}" value="${answer#*,}"
        if [[ $type == file ]]; then
            compopt -o default
        elif [[ $type == dir ]]; then
            compopt -o dirnames
        else
            [[ $value == *[:=] ]] && compopt -o nospace
            COMPREPLY+=("${value#"$kept"}")
        fi
    done
}
complete -o nosort -F %(complete_func)s %(prog_name)s
"""
"""Not click's: bash ends words at `:` and `=`, and our bots have both in them."""


class Bash(_Asking, BashComplete):
    """For bash."""

    source_template = _BASH.replace("{program}", _program())

    def source(self) -> str:
        """The script, without click's check of the bash that is installed here: another one may read it."""
        return f"{_meaning('bash') if modules.IS_CHECKOUT else ''}{self.source_template % self.source_vars()}"

    def get_completion_args(self) -> tuple[list[str], str]:
        """The words before the last one, and the last one, which is being typed."""
        words, typed = split_arg_string(os.environ["COMP_WORDS"]), os.environ["COMP_CWORD"]
        return words[1 : -1 if typed else None], typed


class Zsh(_Asking, ZshComplete):
    """For zsh."""

    source_template = ZshComplete.source_template.replace("(( ! $+commands[%(prog_name)s] )) && return 1", "").replace(
        "zsh_complete %(prog_name)s", f"zsh_complete {_program()} 2>/dev/null"
    )


class Fish(_Asking, FishComplete):
    """For fish."""

    source_template = FishComplete.source_template.replace(
        "COMP_CWORD=(commandline -t) %(prog_name)s", f"COMP_CWORD=(commandline -t) {_program()} 2>/dev/null"
    )


def register() -> None:
    """Registers these classes with click."""
    for kind in (Bash, Zsh, Fish):
        add_completion_class(kind)


def script(cli: click.Command, shell: str, variable: str) -> str:
    """What a shell reads to complete our command lines; it asks by this variable."""
    return {"bash": Bash, "zsh": Zsh, "fish": Fish}[shell](cli, {}, NAME, variable).source()
