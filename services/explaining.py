"""Nodes of the tree that minimax searches, one at a time: the reader unfolds it step by step."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from typing import Final

import games
from bots.base import BotSpecError, parse_bot
from bots.explain.traces import explain
from bots.explain.tree import PASS, Bound, ExplainError, Explanation, Kind, Node
from bots.search.alphabeta import WIN
from games.base import position_after
from protocol.messages import Branch, Failure, Job
from server.match.terms import seat_number

MOST_KEPT: Final = 4
"""Trees that are kept for the next question about them."""

LARGEST_KEPT: Final = 20_000
"""The most positions of a tree that is kept; a larger one is built again for each question."""


class NoNodeError(Exception):
    """There is no such node; `why` says the reason."""

    def __init__(self, why: Failure) -> None:
        super().__init__(why)
        self.why: Failure = why


class Explainer:
    """Answers questions about trees; belongs to one thread."""

    def __init__(self) -> None:
        self._trees: OrderedDict[tuple[str, tuple[str, ...], int], Explanation] = OrderedDict()

    def branches(self, job: Job) -> tuple[Branch, ...]:
        """The node that a job asks for, then its children; raises NoNodeError."""
        node = _find(self._tree(job).root, job.path)
        return (_branch(node), *(_branch(child) for child in below(node)))

    def _tree(self, job: Job) -> Explanation:
        key = (job.game, job.moves, job.depth)
        tree = self._trees.pop(key, None)
        if tree is None:
            tree = _grown(*key)
        if tree.positions <= LARGEST_KEPT:
            self._trees[key] = tree
            while len(self._trees) > MOST_KEPT:
                self._trees.popitem(last=False)
        return tree


def _grown(spec: str, moves: Sequence[str], depth: int) -> Explanation:
    game = games.parse(spec)
    position = position_after(game, moves)
    if position.outcome() is not None:
        raise NoNodeError("over")
    try:
        return explain(game, position, parse_bot(f"minimax:depth={depth}"))
    except (BotSpecError, ExplainError) as error:
        raise NoNodeError("too_large") from error


def below(node: Node) -> list[Node]:
    """The children of a node; those after a forced pass count as its own."""
    while len(node.children) == 1 and node.children[0].move == PASS:
        node = node.children[0]
    return node.children


def _find(node: Node, path: Sequence[str]) -> Node:
    for move in path:
        found = next((child for child in below(node) if child.move == move), None)
        if found is None:
            raise NoNodeError("no_such_node")
        node = found
    return node


def _branch(node: Node) -> Branch:
    value = node.value or 0
    decided = WIN - abs(value) if abs(value) > WIN // 2 else None
    return Branch(
        seat_number(node.to_move),
        node.kind.value if node.kind is not Kind.REPLIES else "replies",
        value if decided is None else 1 if value > 0 else -1,
        node.move or None,
        None if decided is None else max(0, decided),
        node.bound.value if node.bound is not Bound.EXACT else "exact",
        node.chosen,
        node.unseen,
        len(below(node)),
    )
