"""The tree that an algorithm saw, the same for all algorithms: its nodes, its cut-offs, and which nodes to show.

Errors: ExplainError    there is nothing to explain, or too much; the message is a sentence for the user
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import Enum

from bots.explain.worth import Worth
from games.base import Game, Position, Seat
from locales import _

MOST_POSITIONS = 200_000
"""The number of positions in the largest tree that is recorded."""

PASS = "pass"  # noqa: S105 - a move, no secret
"""The move of a node in which a player has to pass."""


class ExplainError(Exception):
    """Nothing can be explained here; the message says why and what to do."""


class Kind(Enum):
    """What a node is: one that has replies, one at the depth limit (its value is an estimate), or the end of a game."""

    REPLIES = "replies"
    ESTIMATE = "estimate"
    END = "end"


class Bound(Enum):
    """What is known of the value of a node: it is exact, or, where the search stopped early, a lower or upper bound."""

    EXACT = "exact"
    LEAST = "at_least"
    MOST = "at_most"


@dataclass(slots=True, eq=False)
class Node:
    """One position of the tree.

    move: the move that led here, "" at the root. position: the board; to_move: the seat that moves next in the
    algorithm. value: the algorithm's value of the position, in `Explanation.scale`; None if it gives none.
    unseen: the legal moves that it did not search. number: the node's place in the order of visits; the root has 0.
    chosen: whether the node is on the line that the algorithm expects. name, said: of a call (`Scale.CALLS`), how it
    was called and what it returned. has_board: whether `position` is its own, and not that of the call above.
    """

    move: str
    position: Position
    to_move: Seat
    kind: Kind
    number: int
    value: int | None = None
    bound: Bound = Bound.EXACT
    unseen: tuple[str, ...] = ()
    chosen: bool = False
    children: list["Node"] = field(default_factory=list["Node"])
    name: str = ""
    said: str = ""
    has_board: bool = True

    def walk(self) -> Iterator["Node"]:
        """The node and all nodes below it, parents first."""
        waiting: list[Node] = [self]
        while waiting:
            node = waiting.pop()
            yield node
            waiting.extend(reversed(node.children))


class Scale(Enum):
    """What the values of a tree mean.

    MINIMAX: estimates; a game that is over has WIN less the plies to its end (bots.search.alphabeta). WIN itself is
    infinity. RESULT: 1, 0 or -1. SCORES: -1, 0, 50 or 100 for the player who makes the move. WALK: there are none.
    CALLS: the nodes are calls of a pupil's function, which say themselves what they returned.
    """

    MINIMAX = "minimax"
    RESULT = "result"
    SCORES = "scores"
    WALK = "walk"
    CALLS = "calls"


@dataclass(frozen=True, slots=True)
class Explanation:
    """What a bot saw before it played `move` in `root.position`.

    bot: its name as written. maximiser: the seat for which large values are good; None if each seat maximises its own.
    move: "" if the game is over, or a file finds none. positions: how many the algorithm looked at, without the root.
    notes: sentences for the reader. worth: what the position is worth without looking ahead. scores: those of all
    columns or cells.
    """

    game: Game
    bot: str
    root: Node
    move: str
    scale: Scale
    maximiser: Seat | None
    notes: tuple[str, ...] = ()
    worth: Worth | None = None
    scores: tuple[int, ...] = ()

    @property
    def positions(self) -> int:
        """How many positions were looked at."""
        return sum(1 for _node in self.root.walk()) - 1

    @property
    def unseen(self) -> int:
        """How many moves were not looked at."""
        return sum(len(node.unseen) for node in self.root.walk())

    @property
    def cuts(self) -> int:
        """At how many nodes the search stopped early."""
        return sum(bool(node.unseen) for node in self.root.walk())


def select(root: Node, most: int) -> set[Node]:
    """The at most `most` nodes to show; the parent of each is among them.

    The chosen line comes first, then level after level while a whole level fits, then the alternatives to the line.
    """
    line = [root]
    while chosen := next((child for child in line[-1].children if child.chosen), None):
        line.append(chosen)
    shown = set(line[:most])
    level = root.children
    while level and len(shown | set(level)) <= most:
        shown |= set(level)
        level = [child for node in level for child in node.children]
    for node in line:
        if node in shown:
            shown |= set([child for child in node.children if child not in shown][: most - len(shown)])
    return shown


def mark_line(root: Node, moves: tuple[str, ...]) -> None:
    """Marks the line of `moves` (without passes) as chosen, as far as the tree has it."""
    node = root
    node.chosen = True
    for move in moves:
        while len(node.children) == 1 and node.children[0].move == PASS:
            node = node.children[0]
            node.chosen = True
        following = next((child for child in node.children if child.move == move), None)
        if following is None:
            return
        node = following
        node.chosen = True


def too_large() -> ExplainError:
    """The error that the tree is too large to be recorded."""
    return ExplainError(
        _("The tree has more than {most} positions: take a smaller depth, or a position nearer to the end.").format(
            most=MOST_POSITIONS
        )
    )


class Counter:
    """Makes nodes and numbers them in that order; raises ExplainError when there are too many."""

    def __init__(self) -> None:
        self._next = 0

    def node(self, move: str, position: Position, kind: Kind) -> Node:
        """A new node."""
        if self._next > MOST_POSITIONS:
            raise too_large()
        self._next += 1
        return Node(move, position, position.to_move, kind, self._next - 1)
