"""The algorithms of class for games that have no masks to search on: the same moves, from positions alone.

Each family makes one of these for a game without a kernel (`bots.search.kernels`), so that it plays any game.
"""

import math
import random
import time
from collections.abc import Callable

from bots.base import BaseBot, BotSpecError, Budget, Thought
from bots.search.positions import Line, PositionSearch, PositionSolver, Visit, measure_of, measures_of, walk
from bots.timing import share_s
from games.base import Game, Outcome, Position, Seat
from locales import _

LOSS, UNDECIDED, WIN = 0, 50, 100
_CHECK_EVERY = 255
_SOLVER_MEGABYTES = 64


def check_measure(game: Game, asked: str | None) -> None:
    """Raises BotSpecError unless `game` has the measure that `eval=` asks for."""
    names = [measure.name for measure in measures_of(game)]
    if asked is not None and asked not in names:
        raise BotSpecError(
            _("eval={asked} does not fit {game}; what does: {fitting}.").format(
                asked=asked, game=game.id, fitting=", ".join(names)
            )
        )


class PositionMinimax(BaseBot):
    """As `bots.classroom.minimax.Minimax`: plays the first of the moves with the best value after `depth` plies.

    tiebreak: `first` or `random`. clock: monotonic seconds. nodes: how many it searches for a move at most.
    """

    def __init__(
        self,
        game: Game,
        rng: random.Random,
        *,
        depth: int,
        evaluation: str | None = None,
        tiebreak: str = "first",
        clock: Callable[[], float] = time.monotonic,
        nodes: int | None = None,
    ) -> None:
        super().__init__()
        self._worth = measure_of(game, evaluation).worth
        self._rng = rng
        self._depth = depth
        self._tiebreak = tiebreak
        self._clock = clock
        self._nodes = math.inf if nodes is None else nodes
        self._searches: dict[Seat, PositionSearch] = {}
        self._closed = False

    def choose(self, position: Position, budget: Budget) -> str:
        """The best move of `position`."""
        share = self._seconds(budget)
        late_at = math.inf if share is None else self._clock() + share
        roots = list(position.legal_moves())
        if self._tiebreak == "random":
            self._rng.shuffle(roots)
        search = self._searches.setdefault(position.to_move, PositionSearch(position.to_move, self._worth))
        search.is_late = lambda: self._closed or search.nodes >= self._nodes or self._clock() > late_at
        return search.run(position, roots, range(1, self._depth + 1), self._report).moves[0]

    def close(self) -> None:
        """Ends the search, if one runs."""
        self._closed = True

    def _seconds(self, budget: Budget) -> float | None:
        return share_s(budget)

    def _report(self, line: Line) -> None:
        self.think_aloud(Thought(line.depth, line.value, line.moves, line.nodes))


class PositionLookahead(BaseBot):
    """As `bots.classroom.lookahead.Lookahead`: each move scores 100, 50 or 0, and a tie-break picks among the best."""

    def __init__(self, rng: random.Random, *, ply: int, tiebreak: str) -> None:
        super().__init__()
        self._rng = rng
        self._ply = ply
        self._tiebreak = tiebreak
        self._known: dict[tuple[Position, int], int] = {}

    def choose(self, position: Position, budget: Budget) -> str:
        """The move that the scores and the tie-break decide."""
        del budget
        scores = self.scores_for(position)
        best = max(scores.values())
        highest = [move for move, score in scores.items() if score == best]
        pick = {"left": highest[0], "right": highest[-1]}.get(self._tiebreak) or self._rng.choice(highest)
        self.think_aloud(Thought(self._ply, best, (pick,), len(self._known)))
        return pick

    def scores_for(self, position: Position) -> dict[str, int]:
        """The score of each legal move for the seat to move, in the game's order."""
        self._known.clear()
        moves = position.legal_moves()
        return {move: self._score(position, move, self._ply) if self._ply else UNDECIDED for move in moves}

    def _score(self, position: Position, move: str, ply: int) -> int:
        after = position.play(move)
        outcome = after.outcome()
        if outcome is not None:
            return UNDECIDED if outcome.winner is None else WIN if outcome.winner is position.to_move else LOSS
        best = self._best(after, ply - 1)
        return best if after.to_move is position.to_move else WIN - best

    def _best(self, position: Position, ply: int) -> int:
        if ply == 0:
            return UNDECIDED
        known = self._known.get((position, ply))
        if known is None:
            known = LOSS
            for move in position.legal_moves():
                known = max(known, self._score(position, move, ply))
                if known == WIN:
                    break
            self._known[position, ply] = known
        return known


class PositionWalker(BaseBot):
    """As `dfs.Walker`: plays the first move of the first winning line that it finds, or the first legal move.

    positions: how many to look at before it gives up. anybody: whether a position counts that whoever moved last won.
    """

    def __init__(
        self,
        *,
        breadth_first: bool,
        positions: int,
        anybody: bool = False,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        super().__init__()
        self._breadth_first = breadth_first
        self._positions = positions
        self._anybody = anybody
        self._clock = clock

    def choose(self, position: Position, budget: Budget) -> str:
        """The first move of the line that it found; the first legal move where it found none."""
        share = share_s(budget)
        late_at = math.inf if share is None else self._clock() + share
        line: tuple[str, ...] = ()
        seen = 0
        for visit in walk(position, breadth_first=self._breadth_first, merge=True, limit=self._positions):
            seen += 1
            if reached(visit.position.outcome(), visit, position.to_move, anybody=self._anybody):
                line = visit.moves
                break
            if not seen & _CHECK_EVERY and self._clock() > late_at:
                break
        self.think_aloud(Thought(len(line), 1.0 if line else 0.0, line, seen))
        return line[0] if line else position.legal_moves()[0]


def reached(outcome: Outcome | None, visit: Visit, us: Seat, *, anybody: bool) -> bool:
    """Whether a walk for `us` ends at a visit: `us` has won, or with `anybody` whoever moved last."""
    return outcome is not None and outcome.winner is (visit.mover if anybody else us)


class PositionSearchToTheEnd(BaseBot):
    """As `minimax_search.MinimaxSearch`: every game to its end, and the first move with the best result."""

    def __init__(self, game: Game) -> None:
        super().__init__()
        self._solver = PositionSolver(game, _SOLVER_MEGABYTES)

    def choose(self, position: Position, budget: Budget) -> str:
        """The first of the best moves."""
        del budget
        found = self._solver.best(position)
        self.think_aloud(Thought(found.depth, found.score, (found.move,), found.nodes))
        return found.move
