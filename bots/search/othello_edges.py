"""Stable discs on an edge of eight cells: the discs that no sequence of moves on that edge can flip.

Pure Python; the compiled search reads the table.
"""

from functools import lru_cache

_CELLS = range(8)


def play(own: int, other: int, cell: int) -> tuple[int, int]:
    """Both sides after a disc of `own` on the empty `cell`, with what it flips on this edge, if anything."""
    own |= 1 << cell
    for step in (-1, 1):
        run, at = 0, cell + step
        while 0 <= at < 8 and other >> at & 1:
            run |= 1 << at
            at += step
        if 0 <= at < 8 and own >> at & 1:
            own, other = own | run, other & ~run
    return own, other


@lru_cache(maxsize=6561)
def stable(own: int, other: int) -> int:
    """The discs of both sides that stay as they are, whoever plays on the empty cells in whatever order.

    Anybody may play anywhere: what is asked is only what can be flipped along this edge.
    """
    safe = own | other
    for cell in _CELLS:
        if not (own | other) >> cell & 1:
            after_own, after_other = play(own, other, cell)
            safe &= stable(after_own, after_other) & (own & after_own | other & after_other)
            after_other, after_own = play(other, own, cell)
            safe &= stable(after_own, after_other) & (own & after_own | other & after_other)
    return safe


@lru_cache(maxsize=1)
def stable_edges() -> bytes:
    """The stable discs of `own` for each edge, at place `own << 8 | other`; 0 where the two overlap."""
    table = bytearray(1 << 16)
    for own in range(256):
        for other in range(256):
            if not own & other:
                table[own << 8 | other] = stable(own, other) & own
    return bytes(table)
