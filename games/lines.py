"""k in a line on a bitboard, for any board and any k: the mask-level rules that Puissance 4 and morpion share.

The layout has lines of `stride` bits whose last bit belongs to no cell, so that no shift wraps around (the layout of
John Tromp's Fhourstones). The four directions are then shifts by 1, stride - 1, stride and stride + 1. All four are
tested at once: multiplying a mask by a sum of powers of two lays down copies of it, each in a lane of its own and
shifted by its direction, and the AND of k such products keeps the cells from which k discs stand in a line.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

_TABLE_BITS = 12
"""Up to this many bits (a 3x3 board has 12) the answer for every mask fits a table that takes a millisecond to make."""


@dataclass(frozen=True, slots=True)
class Lines:
    """The line test of one board. `has_line(mask)` is true (1, or a number) when `mask` holds k in a line."""

    has_line: Callable[[int], int]
    directions: tuple[int, ...]
    k: int

    def cells(self, mask: int) -> int:
        """Every cell of every line of k in `mask`."""
        found = 0
        for direction in self.directions:
            starts = mask
            for step in range(1, self.k):
                starts &= mask >> step * direction
            if starts:
                for step in range(self.k):
                    found |= starts << step * direction
        return found


@lru_cache(maxsize=64)
def make_lines(stride: int, size: int, k: int) -> Lines:
    """The line test for boards of `size` bits in lines of `stride` bits (the sentinel included), k in a line."""
    directions = tuple(sorted({1, stride - 1, stride, stride + 1}))
    test = _make_test(directions, size, k)
    if size <= _TABLE_BITS:
        test = bytes(bool(test(mask)) for mask in range(1 << size)).__getitem__
    return Lines(test, directions, k)


def _make_test(directions: tuple[int, ...], size: int, k: int) -> Callable[[int], int]:
    pitch = size + (k - 1) * directions[-1]
    factors = [
        sum(1 << lane * pitch + step * direction for lane, direction in enumerate(directions)) for step in range(k)
    ]
    if k == 4:  # the line of Puissance 4, without the loop
        first, second, third, fourth = factors
        return lambda mask: mask * first & mask * second & mask * third & mask * fourth
    one, other, rest = factors[0], factors[-1], tuple(factors[1:-1])

    def has_line(mask: int) -> int:
        found = mask * one & mask * other
        for factor in rest:
            found &= mask * factor
        return found

    return has_line
