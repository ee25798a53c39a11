"""minimax_search of the document on games with an opponent: no depth, no evaluation, the tree to its end.

A win is worth 1, a loss -1, a draw 0; the first of the best actions is played. The document takes the actions from a
set, which has no order: here they come in the game's order. For each position the search asks whether it is won, then
whether it is at least drawn, and remembers the answers, which changes neither the value nor the move. It does not
prefer short wins: of two wins it plays the first, even if the other one is shorter.
"""

import random

from bots.base import Bot, BotSpecError, Budget, Family, Options, Thought
from bots.classroom.on_masks import MaskBot
from bots.classroom.on_positions import PositionSearchToTheEnd
from bots.search.kernels import bits_in, make_kernel, masks_of
from games.base import Game, Position, Seat
from games.coordinates import bits_of
from locales import _

MOST_CELLS = 16
"""The largest board on which this ends in seconds: 4x4 in every game, 5x3, 8x2 ...

A larger one will do if no game on it has more moves than this: of the cells of some boards, few are ever played.
"""

MOST_PLIES = 32
"""The longest game that ends in time on such a board: one that can go on without filling it never does."""

WIN, DRAW, LOSS = 1, 0, -1


class MinimaxSearch(MaskBot):
    """Plays the first move with the best value; what it learnt in a match it keeps until that match is over."""

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        self._known: dict[tuple[int, int, int], bool] = {}

    def choose(self, position: Position, budget: Budget) -> str:
        """The first of the best moves."""
        del budget
        value, move = self.search(position)
        cells = sum(mask.bit_count() for mask in masks_of(position))
        self.think_aloud(Thought(len(self._names) - cells, value, (move,), len(self._known)))
        return move

    def search(self, position: Position) -> tuple[int, str]:
        """The value of `position` for the seat to move and the first move that has it."""
        own, other = masks_of(position)
        actions = list(bits_of(self._kernel.legal(own, other)))
        for value in (WIN, DRAW):
            for bit in actions:
                if self._gets(own, other, bit, value):
                    return value, self._names[bit]
        return LOSS, self._names[actions[0]]

    def _gets(self, own: int, other: int, bit: int, value: int) -> bool:
        """Whether `own`, who plays `bit`, then gets at least `value`, which is WIN or DRAW."""
        kernel = self._kernel
        if kernel.winning(own, bit):
            return True
        after, opponent = kernel.play(own, other, bit)
        if legal := kernel.legal(opponent, after):
            return not self._reaches(opponent, after, legal, WIN + DRAW - value)
        if kernel.passes and (legal := kernel.legal(after, opponent)):
            return self._reaches(after, opponent, legal, value)
        return -kernel.final(opponent, after) >= value

    def _reaches(self, own: int, other: int, legal: int, value: int) -> bool:
        """Whether `own`, who is to move, gets at least `value`."""
        key = (own, other, value)
        known = self._known.get(key)
        if known is None:
            kernel = self._kernel
            threats = kernel.winning(other, legal)
            known = self._known[key] = bool(kernel.winning(own, legal)) or any(
                self._gets(own, other, bit, value) for bit in bits_in(threats or legal, kernel.groups)
            )
        return known


def _make(game: Game, seat: Seat, rng: random.Random, options: Options) -> Bot:
    del seat, rng, options
    if make_kernel(game) is None:
        return PositionSearchToTheEnd(game)
    return MinimaxSearch(game)


def _check(game: Game, options: Options) -> None:
    del options
    if min(game.width * game.height, game.longest) > MOST_CELLS:
        raise BotSpecError(
            _(
                "minimax_search looks at every game to its end, so it takes boards of at most {cells} cells, not "
                "{width} x {height}; on larger ones play minimax:depth=4."
            ).format(cells=MOST_CELLS, width=game.width, height=game.height)
        )
    if game.longest > MOST_PLIES:
        raise BotSpecError(
            _(
                "minimax_search looks at every game to its end, so it takes games of at most {most} moves, and this "
                "one may have {longest}; play minimax:depth=4."
            ).format(most=MOST_PLIES, longest=game.longest)
        )


FAMILY = Family(
    name="minimax_search",
    summary=lambda: _("looks at every game to its end; small boards only"),
    make=_make,
    check=_check,
)
