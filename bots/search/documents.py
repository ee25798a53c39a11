"""The min-max searches of the class documents, as they differ from `alphabeta`; moves in the documents' order.

A document looks at every position. Where that changes nothing but the time, these cut as alpha-beta does: the value of
a move is the document's, and the first of equal moves wins, as there.
"""

from collections.abc import Callable, Mapping, Sequence

from bots.search.alphabeta import INFINITY, WIN, AlphaBeta, Line
from bots.search.evaluation import EVALUATIONS, Evaluation, make_evaluation
from bots.search.kernels import Masks
from games.base import Game
from games.coordinates import bits_of


class Plain(AlphaBeta):
    """Minimax without alpha-beta: the values and the move of `AlphaBeta`, and every position on the way to them."""

    def _search_root(self, masks: Masks, roots: Sequence[int], depth: int) -> Line:
        best = -INFINITY
        line: tuple[int, ...] = ()
        for bit in roots:
            after, opponent = self._kernel.play(*masks, bit)
            value, rest = self._search(opponent, after, depth - 1, -INFINITY, INFINITY, 1, -1)
            if -value > best:
                best, line = -value, (bit, *rest)
        return Line(depth, best, line, self._nodes)

    def _search(
        self, own: int, other: int, depth: int, alpha: int, beta: int, ply: int, side: int
    ) -> tuple[int, tuple[int, ...]]:
        self._count()
        kernel = self._kernel
        if kernel.has_line(other):
            return ply - WIN, ()
        legal = kernel.legal(own, other)
        if not legal:
            if kernel.passes and kernel.legal(other, own):
                value, line = self._search(other, own, depth, -beta, -alpha, ply, -side)
                return -value, line
            return kernel.final(own, other) * (WIN - ply), ()
        if depth == 0:
            return (self._evaluation(own, other) if side > 0 else -self._evaluation(other, own)), ()
        return self._best(bits_of(legal), own, other, depth, -INFINITY, INFINITY, ply, side)


class Tp23(AlphaBeta):
    """minimax(grille, couleur, prof) of the Othello worksheet no. 23, which scores black's discs less white's.

    The end of a game is worth its score like any other position, not a win; a pass costs a move.
    """

    def _leaf(self, own: int, other: int) -> int:
        """What a position is worth to `own`, whose turn it is."""
        return self._evaluation(own, other)

    def _search(
        self, own: int, other: int, depth: int, alpha: int, beta: int, ply: int, side: int
    ) -> tuple[int, tuple[int, ...]]:
        self._count()
        kernel = self._kernel
        if depth == 0:
            return self._leaf(own, other), ()
        legal = kernel.legal(own, other)
        if not legal:
            if not kernel.legal(other, own):
                return self._leaf(own, other), ()
            value, line = self._search(other, own, depth - 1, -beta, -alpha, ply + 1, -side)
            return -value, line
        return self._best(bits_of(legal), own, other, depth, alpha, beta, ply, side)


class MinMax(Tp23):
    """min_max(config, profondeur, joueur) of the Othello document, whose computer takes the largest value.

    A leaf is worth evaluation(config, joueur) * coef_joueur(joueur), where `joueur` is to move and the coefficient is 1
    for the human and -1 for the computer. That sign is a slip of the document, kept here: the human takes the smallest
    value, so that each player seeks what is bad for themselves. Where a player has to pass, the document's min([])
    would stop the program; here the pass costs a move. `profondeur` is one less than `depth`, which counts the
    computer's own move.
    """

    def _leaf(self, own: int, other: int) -> int:
        return -self._evaluation(own, other)


class MinMaxPlay(AlphaBeta):
    """min_max_play(grid, player, depth) of the morpion document, whose `depth` goes down by two for a pair of moves.

    A move that wins is played at once, one that lets the opponent win at once is worth minus infinity (here -WIN). What
    the player's own next moves win goes unseen: maxi_min_max looks at the heuristic alone. Where every move is worth
    minus infinity the document plays none; this one plays the first.
    """

    def _search(
        self, own: int, other: int, depth: int, alpha: int, beta: int, ply: int, side: int
    ) -> tuple[int, tuple[int, ...]]:
        self._count()
        kernel = self._kernel
        legal = kernel.legal(own, other)
        if not legal or depth == 0:
            return (self._evaluation(own, other) if side > 0 else -self._evaluation(other, own)), ()
        if side < 0 and (won := kernel.winning(own, legal)):
            return WIN, (won & -won,)
        return self._best(bits_of(legal), own, other, depth, alpha, beta, ply, side)


ALPHABETA, PLAIN, MIN_MAX, TP23, MIN_MAX_PLAY = STYLES = ("alphabeta", "plain", "min_max", "tp23", "min_max_play")
"""How minimax may be done: as in textbooks with and without cut-offs, and as three documents write it."""

SEARCHES: Mapping[str, type[AlphaBeta]] = {
    ALPHABETA: AlphaBeta,
    PLAIN: Plain,
    MIN_MAX: MinMax,
    TP23: Tp23,
    MIN_MAX_PLAY: MinMaxPlay,
}
"""Style -> the search that does it."""

GAME_OF: Mapping[str, str] = {MIN_MAX: "othello", TP23: "othello", MIN_MAX_PLAY: "morpion"}
"""Style -> the id of the one game that its document is about; a style that is not here plays every game."""


def evaluation_of(style: str, name: str | None, game: Game) -> Evaluation:
    """The evaluation `name` for `game` as `style` uses it; None is what the document has, or the game's default.

    Tp23's score is a difference of both players', also with another evaluation (its question 7).
    """
    default = "discs" if style == TP23 else EVALUATIONS[game.id][0]
    evaluation = make_evaluation(name or default, game)
    return _difference(evaluation) if style == TP23 and (name or default) != "discs" else evaluation


def _difference(evaluation: Evaluation) -> Callable[[int, int], int]:
    return lambda own, other: evaluation(own, other) - evaluation(other, own)
