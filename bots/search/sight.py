"""What a person sees of a move: what catches the eye, and what a look some plies ahead shows.

Values are for the player of the move, in discs (Othello) or open lines (the others); a game that is won or lost for
certain is worth FOREGONE less the plies that it takes, negated for a loss. A move is its bit, as in `kernels`.
"""

import random
from collections.abc import Callable
from typing import Protocol

from bots.search.alphabeta import WIN, AlphaBeta
from bots.search.evaluation import EVALUATIONS, Evaluation, make_evaluation
from bots.search.kernels import DiscKernel, Kernel, LineKernel, Masks, corner_classes
from bots.search.othello import Engine, make_engine, play
from bots.search.plain_othello import PlainOthello
from bots.search.positions import PositionSearch, measure_of
from games.base import Game, Position
from games.morpion import Morpion
from games.othello import Othello
from games.puissance4 import Puissance4

FOREGONE = 1000.0
"""More than any position is worth that is still open."""

NODES = 10_000
"""So many positions are looked at for a move at most: some tenths of a second, the same everywhere."""

_NODES_A_CALL, _POSITIONS_A_CALL = 256, 64
"""How often `AlphaBeta` and `PositionSearch` ask whether it is late."""

_PLAIN_DEPTH = 2
"""So far plain Python looks in no time, and numba need not be loaded."""

_ENGINE_BITS = 14
_INFINITY = 10_000
_TABLE_UNIT = 100
"""The class table of Othello in units of a disc: a corner is worth ten."""

_CORNER, _AROUND = 8.0, -3.0
"""What catches the eye beside the discs that a move flips."""

Late = Callable[[], bool]
"""Whether it is time to come to an end."""


class Eyes(Protocol):
    """What one look at a move shows, however moves are told apart."""

    def glance(self, bit: int) -> float:
        """What a move is worth to who does not look ahead."""
        ...

    def look(self, bit: int, depth: int, share: float, late: Late) -> float:
        """What it is worth after `depth` plies, itself included, or as far as `share` of NODES lets this come."""
        ...


class Sight(Eyes, Protocol):
    """What one look at a position of masks shows; all calls are for the position that `open_eyes` was given."""

    def open_eyes(self, masks: Masks, rng: random.Random, blind: float) -> None:
        """Turns to a position; `blind` is the chance that something easy to see goes unseen throughout."""
        ...

    def wins(self) -> int:
        """The moves that are seen to win at once, as a mask."""
        ...

    def threats(self) -> int:
        """The moves that are seen to keep the opponent from winning at once, as a mask; 0 if he is not seen to."""
        ...


class TreeSight:
    """Looks ahead with alpha-beta in plain Python: every game on every board."""

    def __init__(self, game: Othello | Puissance4 | Morpion) -> None:
        self._game = game
        self._plain: Kernel = DiscKernel(game) if isinstance(game, Othello) else LineKernel(game)
        self._kernel: Kernel = self._plain
        self._evaluation: Evaluation = make_evaluation(EVALUATIONS[game.id][0], game)
        self._unit = _TABLE_UNIT if isinstance(game, Othello) else 1
        self._glance = _greedy(game) if isinstance(game, Othello) else _near(game, self._plain)
        self._masks: Masks = (0, 0)

    def open_eyes(self, masks: Masks, rng: random.Random, blind: float) -> None:
        """See Sight; what goes unseen are the lines of one direction, diagonals twice as often."""
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

    def __init__(self, game: Othello, engine: Engine) -> None:
        self._engine = engine
        self._greedy = _greedy(game)
        self._masks: Masks = (0, 0)

    def open_eyes(self, masks: Masks, rng: random.Random, blind: float) -> None:
        """See Sight; nothing of the board hides here."""
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
        """See Sight; once it is late, only the position after the move."""
        del share
        self._engine.resume()
        own, other = play(*self._masks, bit)
        return -self._engine.search(own, other, 0 if late() else depth - 1, -_INFINITY, _INFINITY) / 100


def make_sight(game: Game, depth: int) -> Sight:
    """What somebody sees of a game that has a kernel, who looks at most so far ahead."""
    assert isinstance(game, Othello | Puissance4 | Morpion), "others are played on positions"
    if not isinstance(game, Othello) or game.size != 8:
        return TreeSight(game)
    return PatternSight(game, make_engine(_ENGINE_BITS) if sees_compiled(game, depth) else PlainOthello())


def sees_compiled(game: Game, depth: int) -> bool:
    """Whether it takes compiled code to see so far."""
    return isinstance(game, Othello) and depth > _PLAIN_DEPTH


class PositionSight:
    """Looks at any game with its own measure; a move is its place among the legal moves of `turn_to`."""

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
    """The rules as somebody sees them who has an eye for lines of some directions only."""

    def __init__(self, game: Morpion | Puissance4, directions: tuple[int, ...]) -> None:
        super().__init__(game)
        self._directions = directions


Glance = Callable[[int, int, int], float]


def _greedy(game: Othello) -> Glance:
    """Many discs at once, corners, and not the cells beside them."""
    corners, around, _ = corner_classes(game.board.grid)
    flips = game.board.flips

    def glance(own: int, other: int, bit: int) -> float:
        worth = _CORNER if bit & corners else _AROUND if bit & around else 0.0
        return flips(own, other, bit).bit_count() + worth

    return glance


def _near(game: Morpion | Puissance4, kernel: Kernel) -> Glance:
    """The middle of the board, and cells beside discs of one's own."""
    directions = game.board.lines.directions
    rings = kernel.groups

    def glance(own: int, other: int, bit: int) -> float:
        del other
        beside = sum(bool(bit << way & own) + bool(bit >> way & own) for way in directions)
        return beside + len(rings) - next(index for index, ring in enumerate(rings) if bit & ring)

    return glance
