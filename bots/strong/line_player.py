"""The strong players of Puissance 4 and morpion: exact where that is within reach, else by threats and by search.

What the book or the solver knows in time they play, as `perfect` does, so that they are never weaker. On boards that
nobody solves they play morpion by forced wins (`bots.search.tactics`), and Puissance 4 by alpha-beta.
"""

import time
from collections.abc import Callable

from bots.base import BaseBot, Bot, Budget, Thought
from bots.classroom.on_masks import MaskBot
from bots.search.alphabeta import WIN, AlphaBeta
from bots.search.evaluation import make_lines_evaluation
from bots.search.kernels import masks_of, move_names
from bots.search.othello import Alarm
from bots.search.solver import compiled_for
from bots.search.tactics import Line, Tactics
from bots.search.threats import NAME as THREATS
from bots.strong.perfect import LONGEST_PROOF_S, Perfect
from bots.timing import DEEPEST, WITHOUT_CLOCK, MoveTime, move_time
from games.base import Game, Position
from games.morpion import Morpion
from games.puissance4 import Puissance4

_FIRST_LOOK, _FIRST_LOOK_S = 0.15, 0.15
"""The share of the time, and the most seconds, for a plain search: its move is played if the solver finds none that is
better."""

_EXACT_SHARE = 0.5
"""The share of the time left for the solver of morpion, which may not finish."""

_SOLVED_PLAIN = 10
"""Up to this many empty cells the plain solver is worth asking."""

_MOVES_TO_PLAN_FOR = 20
"""Games on large boards are decided long before the board is full."""

_FIRST_LOOK_DEPTH = 40


class Puissance4Player(MaskBot):
    """Plays what the book and the solver know; until they do, what alpha-beta likes best.

    longest_s: the most that a move takes. clock: monotonic seconds.
    """

    def __init__(
        self, game: Puissance4, *, longest_s: float = LONGEST_PROOF_S, clock: Callable[[], float] = time.monotonic
    ) -> None:
        super().__init__(game)
        self._evaluation = make_lines_evaluation(game)
        self._clock = clock
        self._perfect = Perfect(game, longest_s=longest_s)
        self._closed = False

    def choose(self, position: Position, budget: Budget) -> str:
        """The best move of `position`."""
        moves = position.legal_moves()
        self._perfect.on_thought = self.on_thought
        if len(moves) == 1 or self._closed:
            return moves[0]
        if (known := self._perfect.look_up(position)) is not None:
            return known.move
        began, seconds = self._clock(), self._perfect.seconds_for(position, budget)
        late_at = began + min(_FIRST_LOOK * seconds, _FIRST_LOOK_S)
        masks = masks_of(position)
        legal = self._kernel.legal(*masks)
        roots = [bit for group in self._kernel.groups for bit in self._names if bit & group & legal]
        search = AlphaBeta(self._kernel, self._evaluation, lambda: self._closed or self._clock() > late_at)
        depths = range(1, min(_FIRST_LOOK_DEPTH, position.notation.count("-")) + 1)
        seen = search.run(masks, roots, depths, self._report)
        left_s = max(0.0, seconds - (self._clock() - began))
        return self._perfect.solve(position, left_s, (self._names[seen.bits[0]],)).move

    def close(self) -> None:
        """Ends the search, if one runs."""
        self._closed = True
        self._perfect.close()


class MorpionPlayer(BaseBot):
    """Plays forced wins, what the solver knows, and else what a search among the moves that do not lose likes best.

    longest_s: the most that a move takes. clock: monotonic seconds.
    """

    def __init__(
        self,
        game: Morpion,
        tactics: Tactics | None = None,
        *,
        longest_s: float = LONGEST_PROOF_S,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        super().__init__()
        self._names = move_names(game)
        self._clock = clock
        self._longest_s = longest_s
        self._perfect = Perfect(game, longest_s=longest_s)
        self._tactics = Tactics(game, clock=clock) if tactics is None else tactics
        self._is_small = bool(compiled_for(game))
        self._closed = False

    def choose(self, position: Position, budget: Budget) -> str:
        """The best move of `position`."""
        moves = position.legal_moves()
        if len(moves) == 1 or self._closed:
            return moves[0]
        limits = self._move_time(position, budget)
        began = self._clock()
        self._tactics.resume()
        with Alarm(limits.most_s, self._tactics.stop):
            return self._think(position, began, limits)

    def close(self) -> None:
        """Ends the search, if one runs."""
        self._closed = True
        self._tactics.stop()
        self._perfect.close()

    def _move_time(self, position: Position, budget: Budget) -> MoveTime:
        empty = position.notation.count("-")
        if self._is_small:
            seconds = self._perfect.seconds_for(position, budget)
            return MoveTime(seconds, seconds)
        found = move_time(budget, min(empty // 2 + 1, _MOVES_TO_PLAN_FOR)) or WITHOUT_CLOCK
        return MoveTime(min(found.enough_s, self._longest_s), min(found.most_s, self._longest_s))

    def _think(self, position: Position, began: float, limits: MoveTime) -> str:
        if self._closed:
            self._tactics.stop()  # it was closed just before the search was allowed again
        masks = masks_of(position)
        view = self._tactics.look(*masks, limits.most_s)
        if view.win or len(view.moves) == 1:
            self._report(Line(view.moves[0], WIN if view.win else 0, 1, self._tactics.nodes))
            return self._names[view.moves[0]]
        if self._is_small or position.notation.count("-") <= _SOLVED_PLAIN:
            self._perfect.on_thought = self.on_thought
            left_s = limits.most_s - (self._clock() - began)
            order = [self._names[bit] for bit in view.moves]
            found = self._perfect.solve(position, max(0.0, _EXACT_SHARE * left_s), order)
            if found.exact:
                return found.move
        used = self._clock() - began
        rest = MoveTime(max(0.0, limits.enough_s - used), max(0.0, limits.most_s - used))
        return self._names[self._tactics.deepen(*masks, view.moves, rest, self._report).bit]

    def _report(self, line: Line) -> None:
        self.think_aloud(Thought(line.depth, line.value, (self._names[line.bit],), line.nodes))


def make_player(game: Game, depth: int, longest_s: float | None, nodes: int | None) -> Bot | None:
    """The strongest player of `game`; None if it is to look only to a certain depth, or at so many nodes."""
    assert isinstance(game, Puissance4 | Morpion)
    is_free = depth == DEEPEST and nodes is None
    return make_line_player(game, longest_s=longest_s or LONGEST_PROOF_S) if is_free else None


def make_line_player(game: Puissance4 | Morpion, *, longest_s: float = LONGEST_PROOF_S) -> Bot:
    """The strongest player of `game`."""
    if isinstance(game, Puissance4):
        return Puissance4Player(game, longest_s=longest_s)
    if _is_tiny(game):
        return Perfect(game, longest_s=longest_s)
    return MorpionPlayer(game, longest_s=longest_s)


def compiled_parts(game: Game, depth: int = DEEPEST, nodes: int | None = None) -> tuple[str, ...]:
    """What of `compiled.COMPILED` this player needs."""
    assert isinstance(game, Puissance4 | Morpion)
    if depth != DEEPEST or nodes is not None:
        return ()
    if isinstance(game, Puissance4) or _is_tiny(game):
        return compiled_for(game)
    return (*compiled_for(game), THREATS)


def _is_tiny(game: Morpion) -> bool:
    """Whether the plain solver sees the end from the first move."""
    return game.width * game.height <= _SOLVED_PLAIN
