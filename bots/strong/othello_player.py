"""The strong player of Othello: deep search in compiled code, and the end of the game without an error.

It plays on 8x8. Without numba the same search runs in plain Python and sees less far.
"""

from bots.base import BaseBot, Bot, Budget, Thought
from bots.search.kernels import masks_of, move_names
from bots.search.othello import Line, OthelloEngine, Thinker, make_engine
from bots.search.solver import compiled_for
from bots.timing import DEEPEST, WITHOUT_CLOCK, move_time
from games.base import Game, Position
from games.othello import Othello

_TABLE_BITS = 17
"""Two tables of 8 MB for each match."""

_SOLVED_AT_ONCE = 16
"""With this many empty cells the rest is solved in next to no time: the clock is for the moves before that."""


class OthelloPlayer(BaseBot):
    """Plays Othello on 8x8. With a clock it uses its time well; without one it takes a second for a move.

    depth: how far it looks at most. If that is less than DEEPEST, it looks exactly that far without a clock, however
    long it takes. nodes: how many it searches for a move at most.
    """

    def __init__(self, game: Othello, engine: OthelloEngine, depth: int = DEEPEST, nodes: int | None = None) -> None:
        super().__init__()
        self._names = move_names(game)
        self._thinker = Thinker(engine)
        self._depth = depth
        self._nodes = nodes

    def choose(self, position: Position, budget: Budget) -> str:
        """The best move of `position`."""
        return self._names[self.think(position, budget).bits[0]]

    def think(self, position: Position, budget: Budget) -> Line:
        """The best move of `position` with its value and the moves expected after it."""
        own, other = masks_of(position)
        empties = 64 - (own | other).bit_count()
        limits = move_time(budget, max(0, empties - _SOLVED_AT_ONCE) // 2 + 3)
        if limits is None and self._depth == DEEPEST and self._nodes is None:
            limits = WITHOUT_CLOCK
        return self._thinker.think(own, other, self._depth, limits, self._report, nodes=self._nodes)

    def close(self) -> None:
        """Ends the search, if one runs."""
        self._thinker.close()

    def _report(self, line: Line) -> None:
        pv = tuple(self._names[bit] for bit in line.bits)
        self.think_aloud(Thought(line.depth, line.value, pv, line.nodes))


def make_player(game: Game, depth: int, longest_s: float | None, nodes: int | None) -> Bot | None:
    """The player of `game`, which decides by itself how long it takes; None for boards that are not 8x8."""
    del longest_s
    assert isinstance(game, Othello)
    return OthelloPlayer(game, make_engine(_TABLE_BITS), depth, nodes) if game.size == 8 else None


def compiled_parts(game: Game, depth: int, nodes: int | None) -> tuple[str, ...]:
    """What of `compiled.COMPILED` it needs."""
    del depth, nodes
    return compiled_for(game)
