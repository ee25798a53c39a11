"""Who plays whom at the least cost: a minimum-cost perfect matching of any even number of players. Pure.

Edmonds' primal-dual algorithm (J. Edmonds, "Maximum matching and a polyhedron with 0,1-vertices", 1965; the bookkeeping
is that of Z. Galil's survey, ACM Computing Surveys 18, 1986). Trees of alternating edges grow from the vertices without
a partner, over edges without slack; an odd cycle is shrunk into one node, a blossom; an edge between two trees is a
path along which matched and unmatched edges change places. Costs may be integers of any size, so that one matching can
hold any number of criteria, one above the other. A hundred players take less than a second.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from enum import Enum

Edge = tuple[int, int]


class _Label(Enum):
    NONE = 0
    OUTER = 1
    """At an even distance from the root of its tree, along the tree's edges."""
    INNER = 2


@dataclass(eq=False, slots=True)
class _Node:
    """A vertex, or a blossom: an odd cycle of nodes.

    base: the vertex that is matched with one outside, or with none. children: the cycle, from the one that holds the
    base. links[i]: the edge from children[i] to the next. edge: what gave the label, from the tree to a vertex inside.
    """

    base: int
    children: list[_Node] = field(default_factory=list)
    links: list[Edge] = field(default_factory=list)
    dual: int = 0
    label: _Label = _Label.NONE
    edge: Edge | None = None

    def vertices(self) -> Iterator[int]:
        if not self.children:
            yield self.base
        for child in self.children:
            yield from child.vertices()


def cheapest(costs: Sequence[Sequence[int]]) -> list[int]:
    """The partner of each of an even number of players, so that the sum of the pairs' costs is the least possible.

    costs: symmetric; the diagonal does not count. Raises ValueError for an odd number.
    """
    if len(costs) % 2:
        raise ValueError("an odd number of players can't be paired")
    matching = _Matching(costs)
    for _pair in range(len(costs) // 2):
        matching.add_pair()
    return matching.mate


class _Matching:
    """The partner of each vertex (-1: none), and the dual variables that prove how good the matching is."""

    def __init__(self, costs: Sequence[Sequence[int]]) -> None:
        self._size = len(costs)
        highest = max((cost for row in costs for cost in row), default=0)
        self._weights = [[highest + 1 - cost for cost in row] for row in costs]
        heaviest = max((weight for row in self._weights for weight in row), default=0)
        self._duals = [heaviest] * self._size
        self._top = [_Node(vertex) for vertex in range(self._size)]
        self.mate = [-1] * self._size

    def add_pair(self) -> None:
        """Matches two vertices more."""
        for node in self._tops():
            alone = self.mate[node.base] == -1
            node.label, node.edge = (_Label.OUTER if alone else _Label.NONE), None
        while not self._grow():
            self._adjust()

    def _tops(self) -> set[_Node]:
        return set(self._top)

    def _slack(self, one: int, two: int) -> int:
        return self._duals[one] + self._duals[two] - 2 * self._weights[one][two]

    def _grow(self) -> bool:
        """Uses all edges without slack; True when one of them has led to another pair."""
        progress = True
        while progress:
            progress = False
            for vertex in range(self._size):
                if self._top[vertex].label is not _Label.OUTER:
                    continue
                for other in range(self._size):
                    here, there = self._top[vertex], self._top[other]
                    if here is there or there.label is _Label.INNER or self._slack(vertex, other):
                        continue
                    progress = True
                    if there.label is _Label.NONE:
                        self._extend(vertex, other)
                    elif (meeting := self._meeting(here, there)) is not None:
                        self._shrink(vertex, other, meeting)
                    else:
                        self._augment(vertex, other)
                        self._augment(other, vertex)
                        return True
        return False

    def _extend(self, vertex: int, other: int) -> None:
        """Takes the node of `other`, and the one that it is matched with, into the tree of `vertex`."""
        inner = self._top[other]
        inner.label, inner.edge = _Label.INNER, (vertex, other)
        mate = self.mate[inner.base]
        outer = self._top[mate]
        outer.label, outer.edge = _Label.OUTER, (inner.base, mate)

    def _above(self, node: _Node) -> _Node | None:
        """The node that is nearer to the root; None for the root."""
        return None if node.edge is None else self._top[node.edge[0]]

    def _meeting(self, one: _Node, two: _Node) -> _Node | None:
        """The first node that the ways of both to their roots have in common; None in different trees."""
        way = set()
        node: _Node | None = one
        while node is not None:
            way.add(node)
            node = self._above(node)
        node = two
        while node is not None and node not in way:
            node = self._above(node)
        return node

    def _shrink(self, vertex: int, other: int, root: _Node) -> None:
        """Makes one node of the cycle that the edge between two outer nodes closes."""
        children, links = [root], [(vertex, other)]
        node = self._top[vertex]
        while node is not root:
            assert node.edge is not None
            children.insert(1, node)
            links.insert(0, node.edge)
            node = self._top[node.edge[0]]
        node = self._top[other]
        while node is not root:
            assert node.edge is not None
            children.append(node)
            links.append((node.edge[1], node.edge[0]))
            node = self._top[node.edge[0]]
        blossom = _Node(root.base, children, links, label=_Label.OUTER, edge=root.edge)
        for inside in blossom.vertices():
            self._top[inside] = blossom

    def _augment(self, vertex: int, partner: int) -> None:
        """Matches `vertex` with `partner`, and changes the pairs on its way to the root accordingly."""
        while True:
            node = self._top[vertex]
            self._rebase(node, vertex)
            self.mate[vertex] = partner
            inner = self._above(node)
            if inner is None:
                return
            assert inner.edge is not None
            vertex, partner = inner.edge
            self._rebase(inner, partner)
            self.mate[partner] = vertex

    def _rebase(self, node: _Node, vertex: int) -> None:
        """Makes `vertex` the one of its node that is matched outside, by turning the pairs inside."""
        node.base = vertex
        if not node.children:
            return
        start = next(index for index, child in enumerate(node.children) if vertex in child.vertices())
        node.children = node.children[start:] + node.children[:start]
        node.links = node.links[start:] + node.links[:start]
        self._rebase(node.children[0], vertex)
        for index in range(1, len(node.children), 2):
            one, two = node.links[index]
            self._rebase(node.children[index], one)
            self._rebase(node.children[index + 1], two)
            self.mate[one], self.mate[two] = two, one

    def _adjust(self) -> None:
        """Changes the duals as far as they prove anything, so that an edge loses its slack or a blossom its dual."""
        labels = [self._top[vertex].label for vertex in range(self._size)]
        tops = self._tops()
        inner = [node for node in tops if node.children and node.label is _Label.INNER]
        steps = [node.dual // 2 for node in inner]
        for vertex, label in enumerate(labels):
            if label is _Label.OUTER:
                for other in range(self._size):
                    if labels[other] is _Label.NONE:
                        steps.append(self._slack(vertex, other))
                    elif labels[other] is _Label.OUTER and self._top[other] is not self._top[vertex]:
                        steps.append(self._slack(vertex, other) // 2)
        step = min(steps)
        signs = {_Label.OUTER: -1, _Label.INNER: 1, _Label.NONE: 0}
        for vertex, label in enumerate(labels):
            self._duals[vertex] += signs[label] * step
        for node in tops:
            if node.children:
                node.dual -= 2 * signs[node.label] * step
        for node in inner:
            if not node.dual:
                self._expand(node)

    def _expand(self, blossom: _Node) -> None:
        """Puts an inner blossom's children in its place; those on the way through it keep alternating labels."""
        assert blossom.edge is not None
        children = blossom.children
        for child in children:
            child.label, child.edge = _Label.NONE, None
            for vertex in child.vertices():
                self._top[vertex] = child
        at = children.index(self._top[blossom.edge[1]])
        label, edge = _Label.INNER, blossom.edge
        back = at % 2 == 0  # the way to the base that begins with a matched edge
        while True:
            children[at].label, children[at].edge = label, edge
            if at == 0:
                return
            label = _Label.OUTER if label is _Label.INNER else _Label.INNER
            if back:
                at -= 1
                one, two = blossom.links[at]
                edge = (two, one)
            else:
                edge = blossom.links[at]
                at = (at + 1) % len(children)
