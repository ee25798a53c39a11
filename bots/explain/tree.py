"""The tree that an algorithm saw, whatever the algorithm: nodes, what was left out, and which of them to show. Pure.

Errors: ExplainError    there is nothing to explain, or too much; the message is a sentence for the user
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import Enum

from games.base import Game, Position, Seat
from locales import _

MOST_POSITIONS = 200_000
"""The largest tree that is recorded."""

PASS = "pass"  # noqa: S105 - a move, no secret
"""The move of a node in which a player has to pass."""


class ExplainError(Exception):
    """Nothing can be explained here; the message says why and what to do."""


class Kind(Enum):
    """What ended the look at a node: the game, the depth (its value is an estimate), or nothing: it has replies."""

    REPLIES = "replies"
    ESTIMATE = "estimate"
    END = "end"


class Bound(Enum):
    """What is known of a value where the search stopped early: all, that it is at least this, at most this."""

    EXACT = "exact"
    LEAST = "at_least"
    MOST = "at_most"


@dataclass(slots=True, eq=False)
class Node:
    """One position of the tree.

    move: what led here, "" at the root. position: the board; to_move: whose turn it is in the algorithm's eyes.
    value: what the algorithm makes of it, in `Explanation.scale`; None where it makes nothing of it.
    unseen: the legal moves that it did not look at. number: in which order it came here, the root being 0.
    chosen: on the line that the algorithm expects.
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

    def walk(self) -> Iterator["Node"]:
        """The node and all below it, parents first."""
        waiting: list[Node] = [self]
        while waiting:
            node = waiting.pop()
            yield node
            waiting.extend(reversed(node.children))


class Scale(Enum):
    """What the values of a tree say.

    MINIMAX: estimates; games that end are WIN less the plies to it (bots.search.alphabeta), WIN itself is infinity.
    RESULT: 1, 0 or -1. SCORES: -1, 0, 50 or 100 for the player who makes the move. WALK: there are no values.
    """

    MINIMAX = "minimax"
    RESULT = "result"
    SCORES = "scores"
    WALK = "walk"


@dataclass(frozen=True, slots=True)
class Explanation:
    """What a bot saw before it played `move` in `root.position`.

    bot: as it is written. maximiser: the seat for which large values are good; None if each takes its own largest.
    positions: how many the algorithm looked at, the root not counted. notes: sentences for the reader.
    """

    game: Game
    bot: str
    root: Node
    move: str
    scale: Scale
    maximiser: Seat | None
    notes: tuple[str, ...] = ()

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
    """The nodes to show if there is room for `most`, never without parents.

    First comes the chosen line, then level by level while a whole level fits, then the other choices along that line.
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
    """Marks the line that `moves` describe as chosen, as far as the tree holds it; passes are not among the moves."""
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
    """That the tree is larger than what is recorded."""
    return ExplainError(
        _("The tree has more than {most} positions: take a smaller depth, or a position nearer to the end.").format(
            most=MOST_POSITIONS
        )
    )


class Counter:
    """Numbers the nodes in the order in which they are made; raises ExplainError where there are too many."""

    def __init__(self) -> None:
        self._next = 0

    def node(self, move: str, position: Position, kind: Kind) -> Node:
        """A new node."""
        if self._next > MOST_POSITIONS:
            raise too_large()
        self._next += 1
        return Node(move, position, position.to_move, kind, self._next - 1)
