"""What a person sees in a move: what catches the eye, and what a search of a few plies shows.

Values are for the player of the move, in discs (Othello) or open lines (the others). A proven win has FOREGONE less the
plies that it takes, a proven loss the negative of that. A move is its bit, as in `kernels`.
"""

import random
from collections.abc import Callable
from typing import Protocol

from bots.search.alphabeta import WIN, AlphaBeta
from bots.search.evaluation import EVALUATIONS, Evaluation, make_evaluation
from bots.search.kernels import DiscKernel, Kernel, LineKernel, Masks, corner_classes
from bots.search.othello import OthelloEngine, make_engine, play
from bots.search.plain_othello import PlainOthello
from bots.search.positions import PositionSearch, measure_of
from games.base import Game, Position
from games.morpion import Morpion
from games.othello import Othello
from games.puissance4 import Puissance4

FOREGONE = 1000.0
"""Above the value of any position that is still open."""

NODES = 10_000
"""The most positions for one move: some tenths of a second. A count, so that all computers see equally far."""

_NODES_A_CALL, _POSITIONS_A_CALL = 256, 64
"""The number of positions between two calls of `is_late` in `AlphaBeta` and in `PositionSearch`."""

_PLAIN_DEPTH = 2
"""Up to this depth plain Python is fast enough, and numba need not be loaded."""

_ENGINE_BITS = 14
_INFINITY = 10_000
_TABLE_UNIT = 100
"""Converts values of the class table of Othello into discs: a corner is worth ten."""

_CORNER, _AROUND = 8.0, -3.0
"""Values, beside the flipped discs, of a move into a corner and of one next to a corner."""

Late = Callable[[], bool]
"""Whether the search should end."""


class Eyes(Protocol):
    """What a look at a move shows, whatever the number of a move means."""

    def glance(self, bit: int) -> float:
        """The value of a move to a player who does not look ahead."""
        ...

    def look(self, bit: int, depth: int, share: float, late: Late) -> float:
        """The value of a move after `depth` plies, itself included; after fewer if `share` of NODES is too little."""
        ...


class Sight(Eyes, Protocol):
    """What a look at a position with masks shows; all calls are for the position given to `open_eyes`."""

    def open_eyes(self, masks: Masks, rng: random.Random, blind: float) -> None:
        """Turns to a position; `blind` is the chance that some feature of it goes unseen in all later calls."""
        ...

    def wins(self) -> int:
        """The moves that win at once, as far as they are seen, as a mask."""
        ...

    def threats(self) -> int:
        """The moves that stop an immediate win of the opponent, as a mask; 0 if no such win is seen."""
        ...


class TreeSight:
    """Looks ahead with alpha-beta in plain Python, in all three games and on all their boards."""

    def __init__(self, game: Othello | Puissance4 | Morpion) -> None:
        self._game = game
        self._plain: Kernel = DiscKernel(game) if isinstance(game, Othello) else LineKernel(game)
        self._kernel: Kernel = self._plain
        self._evaluation: Evaluation = make_evaluation(EVALUATIONS[game.id][0], game)
        self._unit = _TABLE_UNIT if isinstance(game, Othello) else 1
        self._glance = _greedy(game) if isinstance(game, Othello) else _near(game, self._plain)
        self._masks: Masks = (0, 0)

    def open_eyes(self, masks: Masks, rng: random.Random, blind: float) -> None:
        """See Sight. All lines of a direction may go unseen; for diagonals the chance is twice `blind`."""
        self._masks = masks
        self._kernel = self._plain
        if not isinstance(self._game, Othello):
            ways = self._game.board.lines.directions
            straight = (1, ways[-1] - 1)
            seen = tuple(way for way in ways if rng.random() >= (blind if way in straight else 2 * blind))
            self._kernel = self._plain if seen == ways else _Overlooking(self._game, seen)

    def wins(self) -> int:
        """See Sight."""
        own, other = self._masks
        return self._kernel.winning(own, self._kernel.legal(own, other))

    def threats(self) -> int:
        """See Sight."""
        own, other = self._masks
        return self._kernel.winning(other, self._kernel.legal(own, other))

    def glance(self, bit: int) -> float:
        """See Sight."""
        return self._glance(*self._masks, bit)

    def look(self, bit: int, depth: int, share: float, late: Late) -> float:
        """See Sight."""
        calls = 0

        def is_late() -> bool:
            nonlocal calls
            calls += 1
            return calls * _NODES_A_CALL > share * NODES or late()

        value = AlphaBeta(self._kernel, self._evaluation, is_late).run(self._masks, [bit], range(1, depth + 1)).value
        if abs(value) <= WIN // 2:
            return value / self._unit
        return FOREGONE - (WIN - value) if value > 0 else -FOREGONE + (WIN + value)


class PatternSight:
    """Looks at Othello on 8x8 with the evaluation and the search of the strong player."""

    def __init__(self, game: Othello, engine: OthelloEngine) -> None:
        self._engine = engine
        self._greedy = _greedy(game)
        self._masks: Masks = (0, 0)

    def open_eyes(self, masks: Masks, rng: random.Random, blind: float) -> None:
        """See Sight; in Othello nothing goes unseen."""
        del rng, blind
        self._masks = masks

    def wins(self) -> int:
        """See Sight."""
        return 0

    def threats(self) -> int:
        """See Sight."""
        return 0

    def glance(self, bit: int) -> float:
        """See Sight."""
        return self._greedy(*self._masks, bit)

    def look(self, bit: int, depth: int, share: float, late: Late) -> float:
        """See Sight; once it is late, evaluates only the position after the move."""
        del share
        self._engine.resume()
        own, other = play(*self._masks, bit)
        return -self._engine.search(own, other, 0 if late() else depth - 1, -_INFINITY, _INFINITY) / 100


def make_sight(game: Game, depth: int) -> Sight:
    """The sight of a player who looks at most `depth` plies ahead, in a game that has a kernel."""
    assert isinstance(game, Othello | Puissance4 | Morpion), "others are played on positions"
    if not isinstance(game, Othello) or game.size != 8:
        return TreeSight(game)
    return PatternSight(game, make_engine(_ENGINE_BITS) if sees_compiled(game, depth) else PlainOthello())


def sees_compiled(game: Game, depth: int) -> bool:
    """Whether a look `depth` plies ahead needs compiled code."""
    return isinstance(game, Othello) and depth > _PLAIN_DEPTH


class PositionSight:
    """Looks at any game with the game's own measure; a move is its index among the legal moves of `turn_to`."""

    def __init__(self, game: Game) -> None:
        self._measure = measure_of(game)
        self._position = game.start()
        self._after: list[Position] = []

    def turn_to(self, position: Position) -> list[int]:
        """Turns to a position; returns the moves that win at once."""
        self._position = position
        self._after = [position.play(move) for move in position.legal_moves()]
        ends = [after.outcome() for after in self._after]
        return [index for index, end in enumerate(ends) if end is not None and end.winner is position.to_move]

    def glance(self, bit: int) -> float:
        """See Eyes."""
        return self._measure.worth(self._after[bit], self._position.to_move) / self._measure.unit

    def look(self, bit: int, depth: int, share: float, late: Late) -> float:
        """See Eyes."""
        calls = 0

        def is_late() -> bool:
            nonlocal calls
            calls += 1
            return calls * _POSITIONS_A_CALL > share * NODES or late()

        us = self._position.to_move
        search = PositionSearch(us, self._measure.worth, is_late)
        value = search.run(self._position, [self._position.legal_moves()[bit]], range(1, depth + 1)).value
        if abs(value) <= WIN // 2:
            return value / self._measure.unit
        return FOREGONE - (WIN - value) if value > 0 else -FOREGONE + (WIN + value)


class _Overlooking(LineKernel):
    """The rules as they look to a player who sees only the lines of some directions."""

    def __init__(self, game: Morpion | Puissance4, directions: tuple[int, ...]) -> None:
        super().__init__(game)
        self._directions = directions


Glance = Callable[[int, int, int], float]


def _greedy(game: Othello) -> Glance:
    """Prefers moves that flip many discs, and corners; avoids the cells beside corners."""
    corners, around, _ = corner_classes(game.board.grid)
    flips = game.board.flips

    def glance(own: int, other: int, bit: int) -> float:
        worth = _CORNER if bit & corners else _AROUND if bit & around else 0.0
        return flips(own, other, bit).bit_count() + worth

    return glance


def _near(game: Morpion | Puissance4, kernel: Kernel) -> Glance:
    """Prefers the middle of the board, and cells beside the player's own discs."""
    directions = game.board.lines.directions
    rings = kernel.groups

    def glance(own: int, other: int, bit: int) -> float:
        del other
        beside = sum(bool(bit << way & own) + bool(bit >> way & own) for way in directions)
        return beside + len(rings) - next(index for index, ring in enumerate(rings) if bit & ring)

    return glance
