"""What `--house-bots` says: human:level=1..10,minimax:depth=2 is eleven bots.

A comma begins another bot, unless an option of the same bot follows it; a range stands for all of its numbers.

Errors: HouseBotsError    the text can't be read, or names bots that there are not; the message is for the operator
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import product
from typing import Final

from bots.base import BotSpec, BotSpecError, is_foreign, parse_bot
from locales import _
from protocol.bounds import MAX_NAME

USUAL: Final = "human:level=1..10,minimax:depth=2,random"
"""The default of `--house-bots`."""

MOST: Final = 40
"""Bots of one server."""

_RANGE: Final = re.compile(r"(\d{1,4})\.\.(\d{1,4})")


class HouseBotsError(Exception):
    """These can't be the bots of the house."""


@dataclass(frozen=True, slots=True)
class HouseBot:
    """One bot: its name on the server, and what it is."""

    name: str
    bot: BotSpec


def parse(text: str) -> tuple[HouseBot, ...]:
    """The bots that `text` names, each once; raises HouseBotsError."""
    found: dict[str, HouseBot] = {}
    for entry in _entries(text):
        for written in _expanded(entry):
            found.setdefault(written, _bot(written))
            if len(found) > MOST:
                raise HouseBotsError(_("{count} bots of the house are enough: name fewer.").format(count=MOST))
    if not found:
        raise HouseBotsError(_("No bot is named. Example: {example}").format(example=USUAL))
    return tuple(found.values())


def _entries(text: str) -> list[str]:
    """The entries as they were written; each stands for one or more bots."""
    entries: list[str] = []
    for item in (part.strip() for part in text.split(",")):
        if entries and "=" in item.partition(":")[0]:
            entries[-1] += f",{item}"
        elif item:
            entries.append(item)
    return entries


def _expanded(entry: str) -> list[str]:
    """One text for each bot of an entry; raises HouseBotsError."""
    parts = _RANGE.split(entry)
    numbers = []
    for low, high in zip(parts[1::3], parts[2::3], strict=True):
        if not int(low) <= int(high) < int(low) + MOST:
            raise HouseBotsError(_("{low}..{high} is no range of at most {count} numbers.").format(
                low=low, high=high, count=MOST))  # fmt: skip
        numbers.append(range(int(low), int(high) + 1))
    texts = parts[::3]
    chosen = list(product(*numbers))[: MOST + 1]
    return [texts[0] + "".join(f"{n}{rest}" for n, rest in zip(each, texts[1:], strict=True)) for each in chosen]


def _bot(written: str) -> HouseBot:
    if is_foreign(written):
        text = _("{bot}: the bots of the house are Arbitre's own. Let your program play with the command bot.")
        raise HouseBotsError(text.format(bot=written))
    try:
        bot = parse_bot(written)
    except BotSpecError as error:
        raise HouseBotsError(str(error)) from error
    return HouseBot(written if len(written) <= MAX_NAME else bot.name(MAX_NAME), bot)
