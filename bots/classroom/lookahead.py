"""The Player of the class material: every move gets a score, and a tie-break picks among the best.

A move that wins within `ply` plies whatever the opponent does scores 100, one that loses 0, any other 50, a column
that is full -1. Where moves are cells, the scores are those of the cells.
"""

import random

from bots.base import Bot, Budget, Family, Option, Options, Thought
from bots.classroom.on_masks import MaskBot
from bots.classroom.on_positions import PositionLookahead
from bots.search.kernels import bits_in, make_kernel, masks_of
from games.base import Game, Position, Seat
from locales import _

NO_MOVE, LOSS, UNDECIDED, WIN = -1, 0, 50, 100


class Lookahead(MaskBot):
    """Plays a move with the highest score; `tiebreak` is left, right or random among those that have it.

    `ply` 0 does not look at all. Left and right are the first and the last in the game's order of moves.
    """

    def __init__(self, game: Game, rng: random.Random, *, ply: int, tiebreak: str) -> None:
        super().__init__(game)
        self._places = tuple(dict.fromkeys(self._names.values()))
        self._rng = rng
        self._ply = ply
        self._tiebreak = tiebreak
        self._known: dict[tuple[int, int, int], int] = {}

    def choose(self, position: Position, budget: Budget) -> str:
        """The move that the scores and the tie-break decide."""
        del budget
        scores = self.scores_for(position)
        place = self.tiebreak_move(scores)
        move = self._places[place]
        self.think_aloud(Thought(self._ply, scores[place], (move,), len(self._known)))
        return move

    def scores_for(self, position: Position) -> list[int]:
        """The score of each column or each cell (rows from the top) for the seat to move."""
        self._known.clear()
        own, other = masks_of(position)
        ended = self._score_of_end(position)
        legal = self._kernel.legal(own, other)
        scores = dict.fromkeys(self._places, NO_MOVE)
        for bit in bits_in(legal, self._kernel.groups):
            if ended is not None:
                score = ended
            elif self._ply == 0:
                score = UNDECIDED
            else:
                score = self._score(own, other, bit, self._ply)
            scores[self._names[bit]] = score
        return list(scores.values())

    def tiebreak_move(self, scores: list[int]) -> int:
        """The index of the score that the tie-break picks among the highest."""
        best = max(scores)
        if self._tiebreak == "left":
            return scores.index(best)
        highest = [index for index, score in enumerate(scores) if score == best]
        return highest[-1] if self._tiebreak == "right" else self._rng.choice(highest)

    def _score_of_end(self, position: Position) -> int | None:
        outcome = position.outcome()
        if outcome is None:
            return None
        if outcome.winner is None:
            return UNDECIDED
        return WIN if outcome.winner is position.to_move else LOSS

    def _score(self, own: int, other: int, bit: int, ply: int) -> int:
        """What it scores to play `bit` with `ply` plies to look at, this one included."""
        kernel = self._kernel
        if kernel.winning(own, bit):
            return WIN
        after, opponent = kernel.play(own, other, bit)
        legal = kernel.legal(opponent, after)
        if legal:
            return WIN - self._best(opponent, after, legal, ply - 1)
        if kernel.passes and (legal := kernel.legal(after, opponent)):
            return self._best(after, opponent, legal, ply - 1)
        return UNDECIDED - (WIN - UNDECIDED) * kernel.final(opponent, after)

    def _best(self, own: int, other: int, legal: int, ply: int) -> int:
        """The highest score of the `legal` moves for their player."""
        if ply == 0:
            return UNDECIDED
        key = (own, other, ply)
        best = self._known.get(key)
        if best is None:
            best = self._known[key] = self._search(own, other, legal, ply)
        return best

    def _search(self, own: int, other: int, legal: int, ply: int) -> int:
        kernel = self._kernel
        if kernel.winning(own, legal):
            return WIN
        if ply == 1 and not kernel.passes:
            return UNDECIDED
        threats = kernel.winning(other, legal)
        if threats & (threats - 1):
            return LOSS  # one disc can't stop two
        best = LOSS
        for bit in bits_in(threats or legal, kernel.groups):
            best = max(best, self._score(own, other, bit, ply))
            if best == WIN:
                break
        return best


def _make(game: Game, seat: Seat, rng: random.Random, options: Options) -> Bot:
    del seat
    if make_kernel(game) is None:
        return PositionLookahead(rng, ply=options.number("ply"), tiebreak=options.word("tiebreak") or "left")
    return Lookahead(game, rng, ply=options.number("ply"), tiebreak=options.word("tiebreak") or "left")


FAMILY = Family(
    name="lookahead",
    summary=lambda: _("the Player of class: scores each move -1, 0, 50 or 100"),
    make=_make,
    options=(
        Option("ply", range(9), 2, lambda: _("how many moves it looks ahead")),
        Option(
            "tiebreak", ("left", "right", "random"), "left", lambda: _("which of several equally good moves it plays")
        ),
    ),
)
