"""Records what each algorithm sees: runs the bot's own search with a recorder, or the algorithm's definition.

The searches that bots play with don't know of recorders: a recorder is a subclass that records each call of `_search`.
"""

from dataclasses import dataclass, field

from bots.base import BotSpec
from bots.classroom.dfs import CORRECTED, is_goal
from bots.classroom.lookahead import LOSS, NO_MOVE, UNDECIDED, WIN
from bots.explain import positions
from bots.explain.ended import explain_end, unknown
from bots.explain.tree import (
    MOST_POSITIONS,
    PASS,
    Bound,
    Counter,
    Explanation,
    Kind,
    Node,
    Scale,
    mark_line,
    too_large,
)
from bots.explain.worth import worth_of
from bots.search.alphabeta import INFINITY, AlphaBeta, Line
from bots.search.documents import (
    ALPHABETA,
    MIN_MAX,
    MIN_MAX_PLAY,
    PLAIN,
    TP23,
    MinMax,
    MinMaxPlay,
    Plain,
    Tp23,
    evaluation_of,
)
from bots.search.kernels import Kernel, Masks, make_kernel, masks_of, move_names
from bots.search.walks import Visit, walk
from games.base import Game, Labels, Position, Seat
from games.coordinates import bits_of
from games.masks import MaskPosition
from locales import _


def explain(game: Game, position: Position, bot: BotSpec) -> Explanation:
    """What `bot` sees in `position`. Raises ExplainError, BotSpecError."""
    bot.check(game)
    if (outcome := position.outcome()) is not None:
        return explain_end(game, position, outcome, bot)
    has_masks = make_kernel(game) is not None
    match bot.family.name:
        case "minimax" if not has_masks:
            return positions.explain_minimax(game, position, bot)
        case "dfs" | "bfs" if not has_masks:
            return positions.explain_walk(game, position, bot)
        case "minimax":
            return _explain_minimax(game, position, bot)
        case "lookahead":
            return _explain_lookahead(game, position, bot)
        case "dfs" | "bfs":
            return _explain_walk(game, position, bot)
        case "minimax_search":
            return _explain_to_the_end(game, position, bot)
        case name:
            raise unknown(name)


# -- minimax


@dataclass(slots=True)
class _Call:
    """One call of `_search`: its arguments, what it returned, and the calls that it made."""

    own: int
    other: int
    side: int
    value: int = 0
    line: tuple[int, ...] = ()
    calls: list["_Call"] = field(default_factory=list["_Call"])

    @property
    def masks(self) -> Masks:
        """The discs of the player who searches, and those of the opponent."""
        return (self.own, self.other) if self.side > 0 else (self.other, self.own)


class _Recorder(AlphaBeta):
    """A search that records each call of itself. Without `cuts` its bounds are infinite, so that nothing is cut off."""

    cuts = False
    calls: list[_Call]

    def record(self, masks: Masks, roots: list[int], depth: int) -> tuple[_Call, Line]:
        """Searches to `depth`; returns the root of the recorded calls, and what the search found."""
        self.calls = [_Call(*masks, 1)]
        line = self.run(masks, roots, range(depth, depth + 1))
        return self.calls[0], line

    def _search(
        self, own: int, other: int, depth: int, alpha: int, beta: int, ply: int, side: int
    ) -> tuple[int, tuple[int, ...]]:
        if self._nodes >= MOST_POSITIONS:
            raise too_large()
        if not self.cuts:
            alpha, beta = -INFINITY, INFINITY
        call = _Call(own, other, side)
        self.calls[-1].calls.append(call)
        self.calls.append(call)
        call.value, call.line = super()._search(own, other, depth, alpha, beta, ply, side)
        self.calls.pop()
        return call.value, call.line


class _AlphaBetaRecorder(_Recorder):
    cuts = True


class _PlainRecorder(_Recorder, Plain):
    pass


class _Tp23Recorder(_Recorder, Tp23):
    pass


class _MinMaxRecorder(_Recorder, MinMax):
    pass


class _MinMaxPlayRecorder(_Recorder, MinMaxPlay):
    pass


_RECORDERS: dict[str, type[_Recorder]] = {
    ALPHABETA: _AlphaBetaRecorder,
    PLAIN: _PlainRecorder,
    TP23: _Tp23Recorder,
    MIN_MAX: _MinMaxRecorder,
    MIN_MAX_PLAY: _MinMaxPlayRecorder,
}


class _Builder:
    """Turns calls into nodes; `sign` is 1 if large values are good for the player who searches, else -1."""

    def __init__(self, game: Game, position: Position, kernel: Kernel, sign: int) -> None:
        assert isinstance(position, MaskPosition)
        self._game = game
        self._kernel = kernel
        self._names = move_names(game)
        self._us = position.to_move
        self._build = type(position).build
        self._sign = sign
        self._count = 0

    def node(self, move: str, call: _Call) -> tuple[Node, int, int]:
        """The node of a call, and the lowest and highest value that it can have, for the player who searches."""
        node = self._new(move, call)
        value = call.value * call.side
        node.value = value * self._sign
        low = high = value
        occupied = call.own | call.other
        legal = self._kernel.legal(call.own, call.other)
        if call.calls:
            bounds: list[tuple[int, int]] = []
            for below in call.calls:
                bit = (below.own | below.other) & ~occupied
                child, *known = self.node(self._names[bit] if bit else PASS, below)
                node.children.append(child)
                bounds.append((known[0], known[1]))
                legal &= ~bit if bit else 0
            best = max if call.side > 0 else min
            low, high = best(low for low, _high in bounds), best(high for _low, high in bounds)
            if legal:
                low, high = (low, INFINITY) if call.side > 0 else (-INFINITY, high)
        elif call.line:  # a move that wins at once was found without a search
            legal &= ~call.line[0]
            after, opponent = self._kernel.play(call.own, call.other, call.line[0])
            child = self._new(self._names[call.line[0]], _Call(opponent, after, -call.side))
            child.value, child.kind = node.value, Kind.END
            node.children.append(child)
        elif self._is_over(call, legal):
            node.kind = Kind.END
        if node.children:
            node.kind = Kind.REPLIES
            node.unseen = tuple(self._names[bit] for bit in bits_of(legal))
        if low < high:
            node.bound = Bound.LEAST if (value == low) == (self._sign > 0) else Bound.MOST
        return node, low, high

    def _new(self, move: str, call: _Call) -> Node:
        us = self._us
        first, second = call.masks if us is Seat.FIRST else call.masks[::-1]
        to_move = us if call.side > 0 else us.other
        position = self._build(self._game, first, second, to_move)
        self._count += 1
        return Node(move, position, to_move, Kind.ESTIMATE, self._count - 1)

    def _is_over(self, call: _Call, legal: int) -> bool:
        kernel = self._kernel
        if kernel.has_line(call.own) or kernel.has_line(call.other):
            return True
        return not legal and not (kernel.passes and kernel.legal(call.other, call.own))


def _explain_minimax(game: Game, position: Position, bot: BotSpec) -> Explanation:
    options, kernel = bot.options, _kernel_of(game)
    style = options.word("style") or ALPHABETA
    recorder = _RECORDERS[style](kernel, evaluation_of(style, options.word("eval"), game))
    own, other = masks_of(position)
    call, line = recorder.record((own, other), list(bits_of(kernel.legal(own, other))), options.number("depth"))
    call.value, call.line = line.value, line.bits
    us = position.to_move
    maximiser = Seat.FIRST if style == TP23 else us
    root, _low, _high = _Builder(game, position, kernel, 1 if us is maximiser else -1).node("", call)
    names = move_names(game)
    mark_line(root, tuple(names[bit] for bit in line.bits))
    notes = (_tie_note(),) if options.word("tiebreak") == "random" else ()
    worth = worth_of(game, position, bot)
    return Explanation(game, bot.spec, root, names[line.bits[0]], Scale.MINIMAX, maximiser, notes, worth)


def _tie_note() -> str:
    return _("With tiebreak=random it draws lots among equal moves; here it takes the first.")


def _kernel_of(game: Game) -> Kernel:
    kernel = make_kernel(game)
    assert kernel is not None, "the family's check has refused it"
    return kernel


# -- lookahead, and to the end


def _explain_lookahead(game: Game, position: Position, bot: BotSpec) -> Explanation:
    ply, tiebreak = bot.options.number("ply"), bot.options.word("tiebreak") or "left"
    counter = Counter()
    root = counter.node("", position, Kind.REPLIES)
    _score_moves(counter, root, ply)
    best = [child for child in root.children if child.value == root.value]
    chosen = best[-1] if tiebreak == "right" else best[0]
    root.chosen = chosen.chosen = True
    notes = [_tie_note()] if tiebreak == "random" else []
    legal = position.legal_moves()
    in_columns = game.profile.look.labels is Labels.COLUMNS
    places = tuple(dict.fromkeys(move_names(game).values())) or legal
    full = [name for name in places if in_columns and name not in legal]
    if full:
        notes.append(_("Full, and therefore -1: {columns}.").format(columns=", ".join(full)))
    found = {child.move: child.value for child in root.children}
    scores = tuple(value for name in places if (value := found.get(name, NO_MOVE)) is not None)
    return Explanation(game, bot.spec, root, chosen.move, Scale.SCORES, None, tuple(notes), scores=scores)


def _score_moves(counter: Counter, node: Node, ply: int) -> None:
    """`ScoresFor` of the class document: the value of a child is the score of its move for the seat that makes it."""
    mover = node.position.to_move
    for move in node.position.legal_moves():
        after = node.position.play(move)
        child = counter.node(move, after, Kind.ESTIMATE)
        node.children.append(child)
        outcome = after.outcome()
        if outcome is not None:
            child.kind = Kind.END
        if ply == 0 or (outcome is None and ply == 1):
            child.value = UNDECIDED
        elif outcome is not None:
            child.value = UNDECIDED if outcome.winner is None else WIN if outcome.winner is mover else LOSS
        else:
            child.kind = Kind.REPLIES
            _score_moves(counter, child, ply - 1)
            assert child.value is not None
            child.value = child.value if after.to_move is mover else WIN - child.value
    node.value = max(child.value for child in node.children if child.value is not None)


def _explain_to_the_end(game: Game, position: Position, bot: BotSpec) -> Explanation:
    counter = Counter()
    root = counter.node("", position, Kind.REPLIES)
    _value_to_the_end(counter, root, position.to_move)
    node: Node | None = root
    while node is not None:
        node.chosen = True
        value = node.value
        node = next((child for child in node.children if child.value == value), None)
    move = next(child.move for child in root.children if child.chosen)
    return Explanation(game, bot.spec, root, move, Scale.RESULT, position.to_move)


def _value_to_the_end(counter: Counter, node: Node, us: Seat) -> int:
    """`minimax_search` of the class document: 1, 0 or -1 for `us`."""
    outcome = node.position.outcome()
    if outcome is not None:
        node.kind = Kind.END
        node.value = 0 if outcome.winner is None else 1 if outcome.winner is us else -1
        return node.value
    values: list[int] = []
    for move in node.position.legal_moves():
        child = counter.node(move, node.position.play(move), Kind.REPLIES)
        node.children.append(child)
        values.append(_value_to_the_end(counter, child, us))
    node.value = max(values) if node.to_move is us else min(values)
    return node.value


# -- depth first and breadth first


def _explain_walk(game: Game, position: Position, bot: BotSpec) -> Explanation:
    """The walk of the class document. It shows repeated positions, which the bot skips when it plays."""
    options, kernel = bot.options, _kernel_of(game)
    breadth_first = bot.family.name == "bfs"
    style = CORRECTED if breadth_first else options.word("style") or CORRECTED
    names, counter = move_names(game), Counter()
    root = counter.node("", position, Kind.REPLIES)
    nodes: dict[Visit, Node] = {}
    goal: Visit | None = None
    for visit in walk(kernel, masks_of(position), breadth_first=breadth_first, merge=False, limit=MOST_POSITIONS):
        above = root if visit.parent is None or not visit.parent.bit else nodes[visit.parent]
        move = names[visit.bit]
        node = counter.node(move, above.position.play(move), Kind.REPLIES if visit.result is None else Kind.END)
        above.children.append(node)
        nodes[visit] = node
        if is_goal(visit, style):
            goal = visit
            break
    if goal is None and len(nodes) == MOST_POSITIONS:
        raise too_large()
    if goal is not None:
        mark_line(root, tuple(names[step.bit] for step in goal.path))
        return Explanation(game, bot.spec, root, names[goal.path[0].bit], Scale.WALK, None)
    move = position.legal_moves()[0]
    mark_line(root, (move,))
    return Explanation(game, bot.spec, root, move, Scale.WALK, None, (positions.no_win(),))
