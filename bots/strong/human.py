"""An opponent for people, of ten levels: it errs, and the way people do.

It looks at the moves that catch its eye, some plies ahead, and at each not always as far as it could: so it overlooks
the more easily what comes later. In Puissance 4 and morpion it may have no eye for the lines of one direction at a
turn, least of all for diagonals. What it sees it judges more or less well. A win that it needs only to take it takes,
except at level 1. In Othello it has good days and bad ones.

`LEVELS` holds the measure of all this, from a beginner to the strongest that Arbitre has; `benchmarks/levels.py` plays
each level against the one below, and was what the numbers were chosen by.
"""

import math
import random
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from bots.base import BaseBot, Bot, Budget, Family, Option, Options, Thought
from bots.classroom.on_positions import PositionBroad
from bots.search.compiled import COMPILED
from bots.search.kernels import make_kernel, masks_of, move_names
from bots.search.othello import make_engine
from bots.search.plain_othello import PlainOthello
from bots.search.sight import Eyes, PatternSight, PositionSight, Sight, TreeSight
from bots.search.solver import compiled_for
from bots.strong.line_player import compiled_parts, make_line_player
from bots.strong.strong import Broad, Strong
from bots.timing import plan
from games import GAMES
from games.base import Game, Position, Seat
from games.morpion import Morpion
from games.othello import Othello
from games.puissance4 import Puissance4
from locales import _

LONGEST_S = 1.0
"""The most that a move takes."""

STRONGEST = 10
STRONGEST_DEPTH = 60
"""How far the strongest looks at most where it has no search of its own."""

_TAKES_WINS_FROM = 2
_MOVES_TO_PLAN_FOR = 20
_PLAIN_DEPTH = 2
"""So far plain Python looks in no time, and numba need not be loaded."""

_ENGINE_BITS = 14
_STRONGEST_BITS = 17


@dataclass(frozen=True, slots=True)
class Level:
    """How well somebody plays.

    depth: the plies that he looks ahead at most, his own move included.
    blind: the chance that he stops a ply short at a move, and again at the ply before; and that he has no eye for rows,
        or for columns, at this turn (twice that for each diagonal).
    width: the moves that he looks at more than once.
    instinct: how much a move counts that catches the eye: 0 not at all, 1 nothing else.
    noise: the standard error of his judgement, in discs (Othello) or open lines.
    sure: the chance that he plays a move as the strongest would.
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
"""Game id -> how many levels above and below his own somebody plays on the best and the worst of his days.

Each is as likely, game by game. People are like that too: Elo took 200 points for the spread of what one player shows.
Without it ten levels would be too few for Othello: from a true beginner to the strongest, each would score 80 % and
more against the one below.
"""


def levels_of(game: Game) -> tuple[Level, ...]:
    """Levels 1 to 10 of a game."""
    if isinstance(game, Morpion) and game.width * game.height <= _SMALL:
        return SMALL_MORPION
    return LEVELS.get(game.id, USUAL_LEVELS)


class Person(BaseBot):
    """Judges moves as `level` says; which moves there are, and which win at once, is for each kind of game.

    strongest: who chooses where the level is sure of its move. clock: monotonic seconds.
    """

    def __init__(
        self,
        rng: random.Random,
        *,
        level: Level,
        eyes: Eyes,
        strongest: Bot | None,
        takes_wins: bool = True,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        super().__init__()
        self._rng = rng
        self._level = level
        self._eyes = eyes
        self._strongest = strongest
        self._takes_wins = takes_wins
        self._clock = clock
        self._closed = False

    def close(self) -> None:
        """Ends what it thinks about."""
        self._closed = True
        if self._strongest is not None:
            self._strongest.close()

    def _judge(self, moves: list[int], late: Callable[[], bool]) -> tuple[int, float]:
        """The move that seems best, and what it seems worth: a first look at all, a longer one at the most tempting."""
        level, rng = self._level, self._rng
        errors = [rng.gauss(0, level.noise) for _ in moves]
        depths = [self._depth() for _ in moves]
        glances = [level.instinct * self._eyes.glance(bit) for bit in moves]
        trust = 1 - level.instinct
        ranks = range(len(moves))

        def judge(rank: int, depth: int) -> float:
            seen = trust * self._eyes.look(moves[rank], depth, 1 / min(len(moves), level.width), late) if trust else 0
            return glances[rank] + seen + errors[rank]

        values = [judge(rank, 1) for rank in ranks]
        tempting = sorted(ranks, key=lambda rank: -values[rank])[: level.width]
        for rank in tempting:
            if depths[rank] > 1 and len(moves) > 1 and not late():
                values[rank] = judge(rank, depths[rank])
        best = max(ranks, key=lambda rank: values[rank])
        return moves[best], round(values[best], 2)

    def _depth(self) -> int:
        """How far it looks at one move."""
        depth = self._level.depth
        while depth > 1 and self._rng.random() < self._level.blind:
            depth -= 1
        return depth


class Human(Person):
    """A person at a game that has masks; a game is the same again under the same `rng` where `strongest` is."""

    def __init__(
        self,
        game: Game,
        rng: random.Random,
        *,
        level: Level,
        sight: Sight,
        strongest: Bot | None,
        takes_wins: bool = True,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        super().__init__(rng, level=level, eyes=sight, strongest=strongest, takes_wins=takes_wins, clock=clock)
        kernel = make_kernel(game)
        assert kernel is not None, "others are played on positions"
        self._kernel, self._names, self._sight = kernel, move_names(game), sight

    def choose(self, position: Position, budget: Budget) -> str:
        """A move as good as the level."""
        own, other = masks_of(position)
        legal = self._kernel.legal(own, other)
        bounded = _at_most(budget, LONGEST_S, (len(self._names) - (own | other).bit_count()) // 2 + 1)
        self._sight.open_eyes((own, other), self._rng, self._level.blind)
        wins = self._kernel.winning(own, legal) if self._takes_wins else self._sight.wins()
        if not wins and self._strongest is not None and self._rng.random() < self._level.sure:
            self._strongest.on_thought = self.on_thought
            return self._strongest.choose(position, bounded)
        moves = [bit for bit in self._names if bit & (wins or self._sight.threats() or legal)]
        late_at = math.inf if budget.remaining_ms is None else self._clock() + (bounded.remaining_ms or 0) / 1000
        bit, value = self._judge(moves, lambda: self._closed or self._clock() > late_at)
        if self.on_thought is not None:
            self.on_thought(Thought(self._level.depth, value, (self._names[bit],), len(moves)))
        return self._names[bit]


class PositionHuman(Person):
    """A person at any other game: sees the moves that win at once, and looks ahead by the game's own measure."""

    def __init__(
        self,
        game: Game,
        rng: random.Random,
        *,
        level: Level,
        strongest: Bot | None,
        takes_wins: bool = True,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._sight = PositionSight(game)
        super().__init__(rng, level=level, eyes=self._sight, strongest=strongest, takes_wins=takes_wins, clock=clock)

    def choose(self, position: Position, budget: Budget) -> str:
        """A move as good as the level."""
        legal = position.legal_moves()
        bounded = _at_most(budget, LONGEST_S, _MOVES_TO_PLAN_FOR)
        wins = self._sight.turn_to(position)
        if not (wins and self._takes_wins) and self._strongest is not None and self._rng.random() < self._level.sure:
            self._strongest.on_thought = self.on_thought
            return self._strongest.choose(position, bounded)
        moves = wins if wins and self._takes_wins else list(range(len(legal)))
        late_at = math.inf if budget.remaining_ms is None else self._clock() + (bounded.remaining_ms or 0) / 1000
        index, value = self._judge(moves, lambda: self._closed or self._clock() > late_at)
        if self.on_thought is not None:
            self.on_thought(Thought(self._level.depth, value, (legal[index],), len(moves)))
        return legal[index]


def _at_most(budget: Budget, longest_s: float, moves: int) -> Budget:
    """The time for this one of `moves` moves."""
    share = plan(budget, moves)
    longest_ms = int(1000 * longest_s)
    if share is None:
        return Budget(remaining_ms=longest_ms, move_ms=longest_ms)
    ms = min(longest_ms, math.ceil(1000 * share.most_s))
    return Budget(remaining_ms=ms, move_ms=ms)


def _strongest(game: Game) -> Bot:
    """The strongest that there is for the game."""
    if isinstance(game, Othello) and game.size == 8:
        return Strong(game, make_engine(_STRONGEST_BITS))
    if isinstance(game, Puissance4 | Morpion):
        return make_line_player(game, longest_s=LONGEST_S)
    return Broad(game)


def _sight(game: Othello | Puissance4 | Morpion, depth: int) -> Sight:
    if not isinstance(game, Othello) or game.size != 8:
        return TreeSight(game)
    return PatternSight(game, PlainOthello() if depth <= _PLAIN_DEPTH else make_engine(_ENGINE_BITS))


def make_person(game: Game, rng: random.Random, level: Level, *, takes_wins: bool = True) -> Human | PositionHuman:
    """Somebody of this level at any game."""
    if make_kernel(game) is not None:
        return make_human(game, rng, level, takes_wins=takes_wins)
    strongest = PositionBroad(game, depth=STRONGEST_DEPTH, deepest=True) if level.sure else None
    return PositionHuman(game, rng, level=level, strongest=strongest, takes_wins=takes_wins)


def make_human(game: Game, rng: random.Random, level: Level, *, takes_wins: bool = True) -> Human:
    """Somebody of this level at a game that has masks; the level need not stand in `LEVELS`."""
    assert isinstance(game, Othello | Puissance4 | Morpion), "others are played on positions"
    sight = _sight(game, level.depth)
    strongest = _strongest(game) if level.sure else None
    return Human(game, rng, level=level, sight=sight, strongest=strongest, takes_wins=takes_wins)


def days(game_id: str, number: int) -> range:
    """The levels at which somebody of level `number` may play a game: his own, and those of good and of bad days."""
    spread = 0 if number in (1, STRONGEST) else _DAYS.get(game_id, 0)
    return range(number - spread, number + spread + 1)


def _make(game: Game, seat: Seat, rng: random.Random, options: Options) -> Bot:
    del seat
    number = options.number("level")
    possible = days(game.id, number)
    today = rng.choice(possible) if len(possible) > 1 else number
    return make_person(game, rng, levels_of(game)[today - 1], takes_wins=number >= _TAKES_WINS_FROM)


def _compiles(options: Options, game: Game | None) -> Sequence[str]:
    number = options.number("level")
    match game:
        case Othello():
            possible = [levels_of(game)[day - 1] for day in days(game.id, number)]
            return compiled_for(game) if any(day.sure or day.depth > _PLAIN_DEPTH for day in possible) else ()
        case Puissance4() | Morpion():
            possible = [levels_of(game)[day - 1] for day in days(game.id, number)]
            return compiled_parts(game) if any(day.sure for day in possible) else ()
        case None:
            return tuple(COMPILED) if any(_compiles(options, rules()) for rules in GAMES.values()) else ()
        case _:
            return ()


FAMILY = Family(
    name="human",
    summary=lambda: _("errs as people do, from a beginner (level=1) to the strongest (level=10)"),
    make=_make,
    options=(Option("level", range(1, STRONGEST + 1), 3, lambda: _("how well it plays")),),
    compiles=_compiles,
)
