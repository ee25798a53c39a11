"""What the words of a command line say of the bots of a league or a match: their names and clocks. Pure."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

from bots.base import FILE_ENDINGS, is_foreign
from league.config import ConfigError, LeagueBot, presentable, read_clock
from locales import _
from protocol.bounds import MAX_NAME
from server.names.lookalikes import looks

_NO_NAME: Final = re.compile(r"[:/\\.]|^\s*$")
"""What can't be the name before a bot of the command line, as in "new=./engine"."""


def named(specs: Sequence[str]) -> tuple[LeagueBot, ...]:
    """Bots of the command line, as NAME=BOT or BOT; then named after it, with a number if the name is taken."""
    bots: list[LeagueBot] = []
    seen: set[str] = set()
    for word in specs:
        given, spec = _split_name(word)
        name = presentable(given or _name_of(spec), "bot")
        choices = (name, *(f"{name[: MAX_NAME - 4].rstrip()} {number}" for number in range(2, 1000)))
        chosen = next(choice for choice in choices if seen.isdisjoint(looks(choice)))
        seen.update(looks(chosen))
        bots.append(LeagueBot(chosen, spec))
    return tuple(bots)


def _split_name(word: str) -> tuple[str, str]:
    """The name and the bot of "new=./engine"; a name has nothing of a bot or a path in it."""
    name, _equals, spec = word.partition("=")
    if not spec or _NO_NAME.search(name):
        return "", word
    return name.strip(), spec


def _name_of(spec: str) -> str:
    """What a bot is called that nobody has named: a file without folders and ending, a program with its words."""
    path = Path(spec)
    if spec.endswith((*FILE_ENDINGS, "/")):
        return path.stem if path.suffix in FILE_ENDINGS else path.name
    if not is_foreign(spec):
        return spec
    program, *words = spec.partition(":")[2].split(" ")
    return " ".join((Path(program).name, *words))


def split_clocks(words: Sequence[str]) -> tuple[str | None, dict[str, str]]:
    """The clocks of a command line: one for all, None if there is none, and those of bots, written NAME=CLOCK."""
    plain, odds = None, dict[str, str]()
    for word in words:
        name, equals, clock = word.rpartition("=")
        if equals:
            odds[name.strip()] = clock
        else:
            plain = word
    return plain, odds


def with_odds(bots: Sequence[LeagueBot], odds: Mapping[str, str]) -> tuple[LeagueBot, ...]:
    """`bots` with these clocks of their own, by name; raises ConfigError if nobody is called so."""
    names = [bot.name for bot in bots]
    for name, clock in odds.items():
        if name not in names:
            message = _("--clock {name}=...: nobody is called so; there are {names}.")
            raise ConfigError(message.format(name=name, names=", ".join(names)))
        read_clock(clock)
    return tuple(replace(bot, clock=odds.get(bot.name, bot.clock)) for bot in bots)
