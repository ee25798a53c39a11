"""What the bots of class say of a game that is over: nothing is left to search, but the end has a value."""

from bots.base import BotSpec
from bots.classroom.lookahead import LOSS, NO_MOVE, UNDECIDED
from bots.classroom.lookahead import WIN as WON
from bots.explain.tree import Counter, ExplainError, Explanation, Kind, Scale
from bots.explain.worth import worth_of
from bots.search.alphabeta import WIN
from bots.search.documents import MIN_MAX, MIN_MAX_PLAY, TP23
from bots.search.kernels import bits_in, make_kernel, masks_of, move_names
from games.base import Game, Outcome, Position, Seat
from locales import _

_KNOWN = "minimax, lookahead, dfs, bfs, minimax_search"


def explain_end(game: Game, position: Position, outcome: Outcome, bot: BotSpec) -> Explanation:
    """The value that `bot` gives to the end of a game, for the seat whose turn it would be. Raises ExplainError."""
    us, winner = position.to_move, outcome.winner
    root = Counter().node("", position, Kind.END)
    sign = 0 if winner is None else 1 if winner is us else -1
    match bot.family.name:
        case "minimax":
            return _minimax(game, position, bot, sign)
        case "lookahead":
            root.value = UNDECIDED if winner is None else WON if winner is us else LOSS
            scores = _scores_of_end(game, position, root.value)
            return Explanation(game, bot.spec, root, "", Scale.SCORES, None, scores=scores)
        case "dfs" | "bfs":
            return Explanation(game, bot.spec, root, "", Scale.WALK, None)
        case "minimax_search":
            root.value = sign
            return Explanation(game, bot.spec, root, "", Scale.RESULT, us)
        case name:
            raise unknown(name)


def _minimax(game: Game, position: Position, bot: BotSpec, sign: int) -> Explanation:
    """A won end is worth infinity; the styles of documents that have no such value take their evaluation."""
    style, worth = bot.options.word("style"), worth_of(game, position, bot)
    root = Counter().node("", position, Kind.END)
    root.value = sign * WIN
    if style in (TP23, MIN_MAX, MIN_MAX_PLAY) and worth is not None:
        root.value = -worth.total if style == MIN_MAX else worth.total
    maximiser = Seat.FIRST if style == TP23 else position.to_move
    return Explanation(game, bot.spec, root, "", Scale.MINIMAX, maximiser, worth=worth)


def _scores_of_end(game: Game, position: Position, value: int) -> tuple[int, ...]:
    """`scoresFor` of an end: the end's own score in each column that is not full, or each cell that is empty."""
    kernel, names = make_kernel(game), move_names(game)
    if kernel is None:
        return ()
    free = {names[bit] for bit in bits_in(kernel.legal(*masks_of(position)), kernel.groups)}
    return tuple(value if name in free else NO_MOVE for name in dict.fromkeys(names.values()))


def unknown(name: str) -> ExplainError:
    """The error that there is nothing to explain in the bot of that name."""
    return ExplainError(_("{bot} can't be explained; what can: {known}.").format(bot=name, known=_KNOWN))
