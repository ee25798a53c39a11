"""An opponent for people, of ten levels: it errs, and the way people do.

It looks some plies ahead at the moves that catch its eye, but not always as far as it could, so that it overlooks later
moves more easily. In games of lines it may miss the lines of one direction for a turn, most often diagonals. It judges
what it sees more or less well. It takes a win in one move, except at level 1. In some games it has good days and bad
ones.

`bots.strong.human_levels` holds the measure of all this, from a beginner to the strongest that Arbitre has.
"""

import math
import random
import time
from collections.abc import Callable, Sequence

from bots.base import BaseBot, Bot, Budget, Family, Option, Options, Thought
from bots.search.compiled import COMPILED
from bots.search.kernels import make_kernel, masks_of, move_names
from bots.search.sight import Eyes, PositionSight, Sight, make_sight, sees_compiled
from bots.strong.human_levels import STRONGEST, Level, days, levels_of
from bots.strong.strong import StrongOnMasks, StrongOnPositions, own_player, parts_of
from bots.timing import MOVES_TO_PLAN_FOR, move_time
from games import GAMES
from games.base import Game, Position, Seat
from locales import _

LONGEST_THOUGHT_S = 1.0
"""The most that a move takes."""

STRONGEST_DEPTH = 60
"""How far the strongest looks at most where it has no search of its own."""

_TAKES_WINS_FROM = 2


class Person(BaseBot):
    """Judges moves as `level` says; its subclasses know the legal moves, and those that win at once.

    strongest: the bot that chooses the moves of which the level is sure. clock: monotonic seconds.
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
        """The move that seems best, and its value, after a look at all moves and a longer one at the most tempting."""
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
        bounded = _at_most(budget, LONGEST_THOUGHT_S, (len(self._names) - (own | other).bit_count()) // 2 + 1)
        self._sight.open_eyes((own, other), self._rng, self._level.blind)
        wins = self._kernel.winning(own, legal) if self._takes_wins else self._sight.wins()
        if not wins and self._strongest is not None and self._rng.random() < self._level.sure:
            self._strongest.on_thought = self.on_thought
            return self._strongest.choose(position, bounded)
        moves = [bit for bit in self._names if bit & (wins or self._sight.threats() or legal)]
        late_at = math.inf if budget.remaining_ms is None else self._clock() + (bounded.remaining_ms or 0) / 1000
        bit, value = self._judge(moves, lambda: self._closed or self._clock() > late_at)
        self.think_aloud(Thought(self._level.depth, value, (self._names[bit],), len(moves)))
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
        bounded = _at_most(budget, LONGEST_THOUGHT_S, MOVES_TO_PLAN_FOR)
        wins = self._sight.turn_to(position)
        if not (wins and self._takes_wins) and self._strongest is not None and self._rng.random() < self._level.sure:
            self._strongest.on_thought = self.on_thought
            return self._strongest.choose(position, bounded)
        moves = wins if wins and self._takes_wins else list(range(len(legal)))
        late_at = math.inf if budget.remaining_ms is None else self._clock() + (bounded.remaining_ms or 0) / 1000
        index, value = self._judge(moves, lambda: self._closed or self._clock() > late_at)
        self.think_aloud(Thought(self._level.depth, value, (legal[index],), len(moves)))
        return legal[index]


def _at_most(budget: Budget, longest_s: float, moves: int) -> Budget:
    """The time for this one of `moves` moves."""
    share = move_time(budget, moves)
    longest_ms = int(1000 * longest_s)
    if share is None:
        return Budget(remaining_ms=longest_ms, move_ms=longest_ms)
    ms = min(longest_ms, math.ceil(1000 * share.most_s))
    return Budget(remaining_ms=ms, move_ms=ms)


def make_person(game: Game, rng: random.Random, level: Level, *, takes_wins: bool = True) -> Human | PositionHuman:
    """Somebody of this level at any game."""
    if make_kernel(game) is not None:
        return make_human(game, rng, level, takes_wins=takes_wins)
    strongest = StrongOnPositions(game, depth=STRONGEST_DEPTH, deepest=True) if level.sure else None
    return PositionHuman(game, rng, level=level, strongest=strongest, takes_wins=takes_wins)


def make_human(game: Game, rng: random.Random, level: Level, *, takes_wins: bool = True) -> Human:
    """Somebody of this level at a game that has masks; the level need not be one of `levels_of`."""
    sight = make_sight(game, level.depth)
    strongest = own_player(game, longest_s=LONGEST_THOUGHT_S) or StrongOnMasks(game) if level.sure else None
    return Human(game, rng, level=level, sight=sight, strongest=strongest, takes_wins=takes_wins)


def _make(game: Game, seat: Seat, rng: random.Random, options: Options) -> Bot:
    del seat
    number = options.number("level")
    possible = days(game.id, number)
    today = rng.choice(possible) if len(possible) > 1 else number
    return make_person(game, rng, levels_of(game)[today - 1], takes_wins=number >= _TAKES_WINS_FROM)


def _compiles(options: Options, game: Game | None) -> Sequence[str]:
    number = options.number("level")
    if game is None:
        return tuple(COMPILED) if any(_compiles(options, rules()) for rules in GAMES.values()) else ()
    possible = [levels_of(game)[day - 1] for day in days(game.id, number)]
    return parts_of(game) if any(day.sure or sees_compiled(game, day.depth) for day in possible) else ()


FAMILY = Family(
    name="human",
    summary=lambda: _("errs as people do, from a beginner (level=1) to the strongest (level=10)"),
    make=_make,
    options=(Option("level", range(1, STRONGEST + 1), 3, lambda: _("how well it plays")),),
    compiles=_compiles,
)
