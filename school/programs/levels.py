"""The levels of the ladder: what plays as each of them, what they are called, and when one is beaten."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Final

import games
from bots.base import BotSpecError, parse_bot
from locales import N_
from school.messages import BADGES

SPECS: Final[Mapping[str, str]] = {
    "random": "random",
    "first": "first",
    "minimax1": "minimax:depth=1",
    "minimax2": "minimax:depth=2",
    "minimax3": "minimax:depth=3",
    "human3": "human:level=3",
    "human6": "human:level=6",
    "human9": "human:level=9",
    "perfect": "perfect",
}
"""What plays as a level."""

LABELS: Final[Mapping[str, str]] = {
    "random": N_("random moves"),
    "first": N_("always the first move"),
    "minimax1": N_("minimax, 1 move ahead"),
    "minimax2": N_("minimax, 2 moves ahead"),
    "minimax3": N_("minimax, 3 moves ahead"),
    "human3": N_("a beginner"),
    "human6": N_("a club player"),
    "human9": N_("a strong player"),
    "perfect": N_("the player without a mistake"),
}

GAMES: Final = 4
"""The games of a try, half of them on each side."""

LEAST: Final = GAMES / 2 + 0.5
"""The points needed against a level; against the perfect player, which nobody beats, half of the points are enough."""


def least(badge: str) -> float:
    """The points needed in a try."""
    return GAMES / 2 if badge == "perfect" else LEAST


@lru_cache(maxsize=32)
def rungs_of(game: str) -> tuple[str, ...]:
    """The levels that a game has."""
    rules, found = games.parse(game), list[str]()
    for badge in BADGES:
        try:
            parse_bot(SPECS[badge]).check(rules)
        except BotSpecError:
            continue
        found.append(badge)
    return tuple(found)
