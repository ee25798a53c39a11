"""How well each of the ten levels of `human` plays: the numbers, for all games and for those that were measured.

`benchmarks/levels.py` plays each level against the one below, and was what the numbers were chosen by.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from games.base import Game
from games.morpion import Morpion

STRONGEST = 10


@dataclass(frozen=True, slots=True)
class Level:
    """How well somebody plays.

    depth: the most plies that they look ahead, their own move included.
    blind: the chance that they stop a ply short at a move, and again at the ply before. It is also the chance that they
        miss all rows at this turn, and all columns; for each diagonal it is twice as large.
    width: the number of moves that they look at more than once.
    instinct: the weight of the first impression of a move: 0 not at all, 1 nothing else.
    noise: the standard error of their judgement, in discs (Othello) or open lines.
    sure: the chance that they play a move as the strongest would.
    """

    depth: int = 1
    blind: float = 0.0
    width: int = 12
    instinct: float = 0.0
    noise: float = 0.0
    sure: float = 0.0


LEVELS: Mapping[str, tuple[Level, ...]] = {
    "othello": (
        Level(depth=1, instinct=1.0, noise=4.7),
        Level(depth=2, blind=0.6, instinct=0.85, noise=4.0),
        Level(depth=2, blind=0.5, instinct=0.71, noise=3.35),
        Level(depth=2, blind=0.4, instinct=0.5, noise=2.87),
        Level(depth=3, blind=0.33, instinct=0.27, noise=2.63),
        Level(depth=4, blind=0.28, instinct=0.09, noise=2.18),
        Level(depth=5, blind=0.19, instinct=0.025, noise=1.8),
        Level(depth=6, blind=0.1, noise=1.1),
        Level(depth=6, blind=0.03, noise=0.6, sure=0.35),
        Level(sure=1.0),
    ),
    "puissance4": (
        Level(depth=1, blind=0.75, instinct=0.2, noise=15.0),
        Level(depth=1, blind=0.9, instinct=0.25, noise=12.0),
        Level(depth=2, blind=0.48, instinct=0.3, noise=5.6),
        Level(depth=2, blind=0.25, instinct=0.28, noise=3.6),
        Level(depth=3, blind=0.18, instinct=0.25, noise=3.5),
        Level(depth=4, blind=0.09, instinct=0.1, noise=2.5),
        Level(depth=4, blind=0.05, noise=2.0),
        Level(depth=4, blind=0.02, noise=1.4, sure=0.25),
        Level(depth=4, noise=1.0, sure=0.7),
        Level(sure=1.0),
    ),
    "morpion": (
        Level(depth=1, blind=0.75, instinct=0.2, noise=15.0),
        Level(depth=1, blind=0.9, instinct=0.25, noise=12.0),
        Level(depth=2, blind=0.37, instinct=0.3, noise=4.7),
        Level(depth=2, blind=0.2, instinct=0.23, noise=3.3),
        Level(depth=3, blind=0.13, instinct=0.14, noise=2.7),
        Level(depth=3, blind=0.05, instinct=0.08, noise=1.6, sure=0.12),
        Level(depth=3, blind=0.02, noise=1.5, sure=0.32),
        Level(depth=3, noise=1.0, sure=0.52),
        Level(depth=3, noise=1.0, sure=0.75),
        Level(sure=1.0),
    ),
}
"""Game id -> levels 1 to 10.

Chosen so that a level scores 60 to 75 % against the one below; what was measured stands in docs/performance.md. At the
bottom noise and blind spots make the difference, then the depth, at the top how often the move is the strongest
player's. Level 1 also misses wins of its own.
"""

SMALL_MORPION: tuple[Level, ...] = (
    Level(depth=1, blind=0.75, instinct=0.2, noise=15.0),
    Level(depth=1, blind=0.95, instinct=0.22, noise=14.0),
    Level(depth=2, blind=0.55, instinct=0.3, noise=6.7),
    Level(depth=2, blind=0.41, instinct=0.3, noise=4.9),
    Level(depth=2, blind=0.3, instinct=0.28, noise=4.2),
    Level(depth=2, blind=0.2, instinct=0.23, noise=3.3),
    Level(depth=3, blind=0.14, instinct=0.15, noise=2.73),
    Level(depth=3, blind=0.05, noise=1.9, sure=0.05),
    Level(depth=3, blind=0.02, noise=1.5, sure=0.4),
    Level(sure=1.0),
)
"""Levels 1 to 10 of morpion on a board of at most `_SMALL` cells, such as 3x3.

Good players draw each other there, so the measure is another: equal steps of the score against a pool of bots.
"""

USUAL_LEVELS: tuple[Level, ...] = (
    Level(depth=1, instinct=0.5, noise=8.0),
    Level(depth=1, instinct=0.5, noise=1.2),
    Level(depth=1, instinct=0.3, noise=0.55),
    Level(depth=2, blind=0.25, noise=0.55),
    Level(depth=2, blind=0.1, noise=0.4),
    Level(depth=2, noise=0.25),
    Level(depth=3, blind=0.15, noise=0.25),
    Level(depth=3, noise=0.1),
    Level(depth=4, noise=0.05, sure=0.4),
    Level(sure=1.0),
)
"""Levels 1 to 10 of a game that has none of its own; the noise counts in units of its measure (`Measure.unit`)."""

_SMALL = 9

_DAYS: Mapping[str, int] = {"othello": 1}
"""Game id -> how many levels above and below their own somebody plays on their best and their worst days.

Each of these levels is equally likely in each game. People are like that too: Elo took 200 points for the spread of one
player's performance.
Without it ten levels would be too few for Othello: from a true beginner to the strongest, each would score 80 % and
more against the one below.
"""


def levels_of(game: Game) -> tuple[Level, ...]:
    """Levels 1 to 10 of a game."""
    if isinstance(game, Morpion) and game.width * game.height <= _SMALL:
        return SMALL_MORPION
    return LEVELS.get(game.id, USUAL_LEVELS)


def days(game_id: str, number: int) -> range:
    """The levels at which somebody of level `number` may play a game: their own, and those of good and of bad days."""
    spread = 0 if number in (1, STRONGEST) else _DAYS.get(game_id, 0)
    return range(number - spread, number + spread + 1)
