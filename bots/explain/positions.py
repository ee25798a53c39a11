"""Records what minimax and the walks see of a game without masks: runs their definition over positions."""

from bots.base import BotSpec
from bots.classroom.dfs import DOCUMENT
from bots.classroom.on_positions import reached
from bots.explain.tree import MOST_POSITIONS, Bound, Counter, Explanation, Kind, Node, Scale, mark_line, too_large
from bots.explain.worth import worth_of
from bots.search.alphabeta import INFINITY, WIN
from bots.search.documents import PLAIN
from bots.search.positions import Worth, measure_of, walk
from games.base import Game, Position, Seat
from locales import _


def explain_minimax(game: Game, position: Position, bot: BotSpec) -> Explanation:
    """The tree of `minimax`, with cut-offs unless its style is plain. Tries moves in the game's order."""
    options, us = bot.options, position.to_move
    tree = _Tree(us, measure_of(game, options.word("eval")).worth, cuts=options.word("style") != PLAIN)
    root = tree.counter.node("", position, Kind.REPLIES)
    tree.value(root, options.number("depth"), -INFINITY, INFINITY, 0)
    line, node = [], root
    while (child := tree.best.get(node)) is not None:
        line.append(child.move)
        node = child
    mark_line(root, tuple(line))
    return Explanation(game, bot.spec, root, line[0], Scale.MINIMAX, us, worth=worth_of(game, position, bot))


class _Tree:
    """Alpha-beta for `us` that keeps every position that it looks at; values are for `us`."""

    def __init__(self, us: Seat, worth: Worth, *, cuts: bool) -> None:
        self.counter = Counter()
        self.best: dict[Node, Node] = {}
        self._us = us
        self._worth = worth
        self._cuts = cuts

    def value(self, node: Node, depth: int, alpha: int, beta: int, ply: int) -> int:
        """Values a node and all nodes below it; the value is exact if it lies within (alpha, beta)."""
        outcome = node.position.outcome()
        if outcome is not None:
            node.kind = Kind.END
            node.value = 0 if outcome.winner is None else WIN - ply if outcome.winner is self._us else ply - WIN
        elif depth == 0:
            node.kind = Kind.ESTIMATE
            node.value = self._worth(node.position, self._us)
        else:
            node.value = self._of_replies(node, depth, alpha, beta, ply)
        return node.value

    def _of_replies(self, node: Node, depth: int, alpha: int, beta: int, ply: int) -> int:
        sign = 1 if node.to_move is self._us else -1
        best = -INFINITY * sign
        moves = node.position.legal_moves()
        for number, move in enumerate(moves, 1):
            child = self.counter.node(move, node.position.play(move), Kind.REPLIES)
            node.children.append(child)
            value = self.value(child, depth - 1, alpha, beta, ply + 1)
            if value * sign > best * sign:
                best, self.best[node] = value, child
            if self._cuts:
                alpha, beta = (max(alpha, best), beta) if sign > 0 else (alpha, min(beta, best))
            if alpha >= beta:
                node.unseen = moves[number:]
                break
        node.bound = self._bound(node, sign)
        return best

    def _bound(self, node: Node, sign: int) -> Bound:
        """What is known of a node's value.

        After a cut-off it is a bound: a move that was not searched can only improve the value for the player to move.
        Else it is as exact as the value of the chosen child.
        """
        chosen = self.best[node].bound
        if node.unseen:
            return Bound.LEAST if sign > 0 else Bound.MOST
        return chosen


def explain_walk(game: Game, position: Position, bot: BotSpec) -> Explanation:
    """The walk of `dfs` or `bfs`. It shows repeated positions, which the bot skips when it plays."""
    breadth_first = bot.family.name == "bfs"
    anybody = not breadth_first and bot.options.word("style") == DOCUMENT
    counter, us = Counter(), position.to_move
    root = counter.node("", position, Kind.REPLIES)
    nodes: dict[tuple[str, ...], Node] = {(): root}
    for visit in walk(position, breadth_first=breadth_first, merge=False, limit=MOST_POSITIONS):
        outcome = visit.position.outcome()
        kind = Kind.REPLIES if outcome is None else Kind.END
        node = nodes[visit.moves] = counter.node(visit.moves[-1], visit.position, kind)
        nodes[visit.moves[:-1]].children.append(node)
        if reached(outcome, visit, us, anybody=anybody):
            mark_line(root, visit.moves)
            return Explanation(game, bot.spec, root, visit.moves[0], Scale.WALK, None)
    if len(nodes) > MOST_POSITIONS:
        raise too_large()
    move = position.legal_moves()[0]
    mark_line(root, (move,))
    return Explanation(game, bot.spec, root, move, Scale.WALK, None, (no_win(),))


def no_win() -> str:
    """The note for a walk that found no win."""
    return _("No win was found, so it plays the first legal move.")
