"""Nodes of a tree are those of `explain`, one at a time."""

from __future__ import annotations

import pytest

from bots.base import parse_bot
from bots.explain.traces import explain
from bots.explain.tree import PASS, Node
from games import parse
from games.base import position_after
from protocol.bounds import MAX_BELOW
from protocol.messages import Branch, Job
from services.explaining import Explainer, NoNodeError, below


def job(spec: str, moves: tuple[str, ...], path: tuple[str, ...] = (), depth: int = 2) -> Job:
    return Job("t", "explain", spec, moves, depth, path)


def unfolded(explainer: Explainer, spec: str, moves: tuple[str, ...], path: tuple[str, ...], node: Node) -> int:
    """Compares a node and all below it; how many there are."""
    branch, *children = explainer.branches(job(spec, moves, path))
    expected = below(node)
    assert branch.children == len(children) == len(expected)
    assert branch.unseen == node.unseen
    assert branch.bound == ("exact" if node.bound.value == "exact" else node.bound.value)
    assert branch.chosen == node.chosen
    if branch.plies is None:
        assert branch.value == node.value
    count = 1
    for child, wanted in zip(children, expected, strict=True):
        assert child.move == wanted.move != PASS
        if len(path) < MAX_BELOW:
            count += unfolded(explainer, spec, moves, (*path, wanted.move), wanted)
    return count


@pytest.mark.parametrize(
    ("spec", "moves"),
    [("othello", ("f5",)), ("puissance4", ("4", "4")), ("morpion", ("b2", "a2")), ("breakthrough", ())],
)
def test_the_whole_tree_can_be_unfolded(spec: str, moves: tuple[str, ...]) -> None:
    game = parse(spec)
    position = position_after(game, moves)
    tree = explain(game, position, parse_bot("minimax:depth=2"))
    assert unfolded(Explainer(), spec, moves, (), tree.root) > 10


def test_a_win_is_told_by_its_plies() -> None:
    root, *children = Explainer().branches(job("morpion", ("b2", "a2", "a1", "c1")))
    assert (root.value, root.plies) == (1, 1)
    winning = [child for child in children if child.plies == 1]
    assert [(child.move, child.value, child.kind) for child in winning] == [("c3", 1, "end")]


def test_why_there_is_no_node() -> None:
    def why(asked: Job) -> str:
        with pytest.raises(NoNodeError) as refused:
            Explainer().branches(asked)
        return refused.value.why

    assert why(job("morpion", ("a1", "a2", "b1", "b2", "c1"))) == "over"
    assert why(job("morpion", ("b2",), ("b2",))) == "no_such_node"


def test_trees_are_kept_but_not_for_ever() -> None:
    explainer = Explainer()
    for number in range(1, 8):
        assert isinstance(explainer.branches(job("puissance4", (str(number),)))[0], Branch)
    assert len(explainer._trees) <= 4
