"""Minimax: looks `depth` plies ahead and takes the worst case of an evaluation from class material.

`style` says how: with alpha-beta (the default), without, or as one of the class documents writes it, with its slips
(bots/search/documents.py). eval=positional counts only a player's own discs, as the document does.
"""

import random
import time
from collections.abc import Callable

from bots.base import Bot, BotSpecError, Budget, Family, Option, Options
from bots.classroom.on_masks import MaskBot
from bots.classroom.on_positions import PositionMinimax, check_measure
from bots.search.alphabeta import Line
from bots.search.documents import ALPHABETA, GAME_OF, MIN_MAX_PLAY, SEARCHES, STYLES, evaluation_of
from bots.search.evaluation import EVALUATIONS
from bots.search.kernels import make_kernel, masks_of
from bots.timing import share_s
from games import GAMES
from games.base import Game, Position, Seat
from locales import _


class Minimax(MaskBot):
    """Plays the first of the moves with the best value after `depth` plies.

    With a clock it deepens ply by ply and stops at the depth that it has time for; without one it reaches `depth`.
    evaluation: a name that fits the game; None is the one of the style. style: a key of `SEARCHES` that plays it.
    tiebreak: `first` takes the first of equal moves in the game's order, `random` any of them.
    clock: monotonic seconds.
    """

    def __init__(
        self,
        game: Game,
        rng: random.Random,
        *,
        depth: int,
        evaluation: str | None,
        tiebreak: str,
        style: str = ALPHABETA,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        super().__init__(game)
        self._evaluation = evaluation_of(style, evaluation, game)
        self._search = SEARCHES[style]
        self._step = 2 if style == MIN_MAX_PLAY else 1
        self._rng = rng
        self._depth = depth
        self._tiebreak = tiebreak
        self._clock = clock

    def choose(self, position: Position, budget: Budget) -> str:
        """The best move of `position`."""
        return self._names[self.think(position, budget).bits[0]]

    def think(self, position: Position, budget: Budget) -> Line:
        """The best move of `position` with its value and the moves expected after it."""
        moves = position.legal_moves()
        bit_of = self._legal_bits(position)
        roots = [bit_of[move] for move in moves]
        if self._tiebreak == "random":
            self._rng.shuffle(roots)
        share = share_s(budget)
        late_at = None if share is None else self._clock() + share
        search = self._search(self._kernel, self._evaluation, lambda: late_at is not None and self._clock() > late_at)
        at_once = late_at is None and self.on_thought is None
        depths = range(self._depth if at_once else self._step, self._depth + 1, self._step)
        return search.run(masks_of(position), roots, depths, self._report)

    def _legal_bits(self, position: Position) -> dict[str, int]:
        own, other = masks_of(position)
        legal = self._kernel.legal(own, other)
        return {name: bit for bit, name in self._names.items() if bit & legal}


def _make(game: Game, seat: Seat, rng: random.Random, options: Options) -> Bot:
    del seat
    if make_kernel(game) is None:
        return PositionMinimax(
            game,
            rng,
            depth=options.number("depth"),
            evaluation=options.word("eval"),
            tiebreak=options.word("tiebreak") or "first",
        )
    return Minimax(
        game,
        rng,
        depth=options.number("depth"),
        evaluation=options.word("eval"),
        tiebreak=options.word("tiebreak") or "first",
        style=options.word("style") or ALPHABETA,
    )


def _check(game: Game, options: Options) -> None:
    fitting = EVALUATIONS.get(game.id, ())
    asked = options.word("eval")
    if not fitting:
        check_measure(game, asked)
    elif asked is not None and asked not in fitting:
        raise BotSpecError(
            _("eval={asked} does not fit {game}; what does: {fitting}.").format(
                asked=asked, game=game.id, fitting=", ".join(fitting)
            )
        )
    style = options.word("style") or ALPHABETA
    if GAME_OF.get(style, game.id) != game.id:
        raise BotSpecError(
            _("style={style} is about {game}; for {other} leave it out.").format(
                style=style, game=GAME_OF[style], other=game.id
            )
        )
    if style == MIN_MAX_PLAY and options.number("depth") % 2:
        raise BotSpecError(_("style={style} counts its depth by pairs of moves: take 2, 4, 6 ...").format(style=style))


EVALUATION_NAMES = tuple(
    dict.fromkeys(
        (
            *(name for names in EVALUATIONS.values() for name in names),
            *(measure.name for game in GAMES.values() for measure in game.profile.measures),
        )
    )
)
"""Every evaluation that a game has."""

FAMILY = Family(
    name="minimax",
    summary=lambda: _("looks ahead with an evaluation from class"),
    make=_make,
    options=(
        Option("depth", range(1, 21), 4, lambda: _("how many moves it looks ahead")),
        Option(
            "eval",
            EVALUATION_NAMES,
            None,
            lambda: _("what a position is worth; each game has its own, and a usual one"),
        ),
        Option("tiebreak", ("first", "random"), "first", lambda: _("which of several equally good moves it plays")),
        Option("style", STYLES, ALPHABETA, lambda: _("with cut-offs or without, or as a class document has it")),
    ),
    check=_check,
)
