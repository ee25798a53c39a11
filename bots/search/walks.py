"""Walks the tree of a game depth first or breadth first, in search of a position that a player has won.

Both walks are one loop: the next position is the newest of those that wait, or the oldest. Neither walk asks whether
the opponent would make these moves.
"""

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass

from bots.search.kernels import Kernel, Masks
from games.coordinates import bits_of


@dataclass(slots=True, eq=False)
class Visit:
    """A position that a walk visits.

    own, other: the discs of the seat to move (in a game that is over, of the seat whose turn it would be) and of the
    opponent. side: 1 if the seat to move is the walk's player, else -1.
    bit: the move that led here; 0 at the root. parent: the visit in which that move was made.
    result: None while the game goes on, else 1 if the walk's player has won, -1 if the opponent has, 0 for a draw.
    mover: 1 if the walk's player made the last move, else -1.
    """

    own: int
    other: int
    side: int
    bit: int
    parent: "Visit | None"
    result: int | None
    mover: int

    @property
    def path(self) -> tuple["Visit", ...]:
        """The visits from the first move to this one."""
        found: list[Visit] = []
        at: Visit | None = self
        while at is not None and at.bit:
            found.append(at)
            at = at.parent
        return tuple(reversed(found))


def walk(kernel: Kernel, masks: Masks, *, breadth_first: bool, merge: bool, limit: int) -> Iterator[Visit]:
    """The positions below `masks` in the order of the walk, moves in the game's order; the root is not among them.

    merge: whether to skip positions that were visited before. All that follows from such a position is visited from its
    first visit on; so the first won position stays the same, and so does its first move.
    limit: the most positions to visit.
    """
    known: set[Masks] = set()

    def is_new(visit: Visit) -> bool:
        position = (visit.own, visit.other) if visit.side > 0 else (visit.other, ~visit.own)
        if merge and position in known:
            return False
        known.add(position)
        return True

    own, other = masks
    root = Visit(own, other, 1, 0, None, None, -1)
    waiting = deque(_children(kernel, root))
    if not breadth_first:
        waiting.reverse()
    left = limit
    while waiting and left:
        visit = waiting.popleft() if breadth_first else waiting.pop()
        if not breadth_first and not is_new(visit):
            continue
        left -= 1
        yield visit
        if visit.result is not None:
            continue
        if not breadth_first:
            waiting.extend(reversed(_children(kernel, visit)))
        elif len(waiting) < left:
            waiting.extend(child for child in _children(kernel, visit) if is_new(child))


def _children(kernel: Kernel, visit: Visit) -> list[Visit]:
    own, other, side = visit.own, visit.other, visit.side
    children: list[Visit] = []
    for bit in bits_of(kernel.legal(own, other)):
        after, opponent = kernel.play(own, other, bit)
        if kernel.has_line(after):
            children.append(Visit(opponent, after, -side, bit, visit, side, side))
        elif kernel.legal(opponent, after):
            children.append(Visit(opponent, after, -side, bit, visit, None, side))
        elif kernel.passes and kernel.legal(after, opponent):
            children.append(Visit(after, opponent, side, bit, visit, None, side))
        else:
            children.append(Visit(opponent, after, -side, bit, visit, -side * kernel.final(opponent, after), side))
    return children
