"""The exact solver of Othello, which `solver.SOLVERS` names.

On 8x8 it uses the compiled search, which solves positions with some 24 empty cells within a minute; on other boards,
and without numba, the plain one. A value is the lead of the seat to move, in discs; empty cells go to the winner. The
rule for ties has no influence on it.
"""

from collections.abc import Callable, Sequence

from bots.search.kernels import masks_of
from bots.search.othello import Line, OthelloEngine, Thinker, exact_value, make_engine, proven_value
from bots.search.plain_othello import PlainOthello
from bots.search.solver import Found, OutOfTimeError
from games.base import Game, Position
from games.othello import Othello

_DEEPEST = 60


class OthelloSolver:
    """Solves positions of `game` with `engine`; see solver.Solver."""

    def __init__(self, game: Othello, engine: OthelloEngine) -> None:
        self._game = game
        self._engine = engine

    @property
    def nodes(self) -> int:
        """See Solver."""
        return self._engine.nodes

    def score(self, position: Position) -> int:
        """See Solver."""
        engine, (own, other) = self._engine, masks_of(position)
        if position.outcome() is not None:
            lead = own.bit_count() - other.bit_count()
            left = self._game.cells - (own | other).bit_count()
            return lead + left * ((lead > 0) - (lead < 0))
        value = (proven_value if self._game.size == 8 else exact_value)(engine, own, other)
        if engine.stopped:
            raise OutOfTimeError
        return value

    def is_above(self, position: Position, value: int) -> bool:
        """See Solver."""
        if position.outcome() is not None:
            return self.score(position) > value
        if not -self._game.cells <= value < self._game.cells:
            return value < 0
        self._engine.selectivity = 0
        bound = self._engine.at_least(*masks_of(position), value)
        if self._engine.stopped:
            raise OutOfTimeError
        return bound > value

    def best(
        self, position: Position, listen: Callable[[Found], None] | None = None, order: Sequence[str] = ()
    ) -> Found:
        """See Solver; `order` is ignored, since the search orders moves by itself."""
        del order
        names = self._game.board.grid.name_of

        def found(line: Line) -> Found:
            return Found(names[line.bits[0]], round(line.value), line.depth, line.nodes, line.exact)

        def tell(line: Line) -> None:
            if listen is not None:
                listen(found(line))

        if self._game.size == 8:
            return found(Thinker(self._engine).think(*masks_of(position), _DEEPEST, None, tell))
        values = {move: self._after(position, move) for move in position.legal_moves()}
        move = max(values, key=lambda each: values[each])
        return Found(move, values[move], _DEEPEST, self.nodes, exact=True)

    def stop(self) -> None:
        """See Solver."""
        self._engine.stop()

    def resume(self) -> None:
        """See Solver."""
        self._engine.resume()

    def _after(self, position: Position, move: str) -> int:
        after = position.play(move)
        value = self.score(after)
        return value if after.to_move is position.to_move else -value


def is_compiled(game: Game) -> bool:
    """Whether the search is compiled for these rules."""
    assert isinstance(game, Othello)
    return game.size == 8


def make_solver(game: Game, megabytes: int) -> OthelloSolver:
    """A solver for any board; each of its two searches gets half of the table."""
    assert isinstance(game, Othello)
    if not is_compiled(game):
        return OthelloSolver(game, PlainOthello(game.size))
    bits = max(10, (megabytes << 20 >> 7).bit_length() - 1)
    return OthelloSolver(game, make_engine(bits))
