"""Othello on masks: legal moves and flips for any even board up to 10x10, as two fast functions a size.

A board is two Python integers, `own` (the discs of the seat to move) and `opponent`; cell (x, y) is bit y * size + x.

`legal` looks at all eight directions at once. Multiplying a mask by a sum of powers of two lays down eight copies of
it, each in a lane of its own and shifted by j steps of its direction; so a few operations on one wide integer ask of
every cell, in every direction, whether the cell j steps behind it holds a disc. Lanes are sorted by their shift:
shifted copies then part, and never overlap. `flips` walks only rays whose first cell holds an opponent's disc.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from random import Random

from games.coordinates import Grid, make_names

_STEPS = ((-1, -1), (0, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (0, 1), (1, 1))
"""The eight directions (dx, dy), sorted by dy * size + dx."""

Rays = tuple[int, dict[int, tuple[int, ...]], int, dict[int, tuple[int, ...]]]


@dataclass(frozen=True, slots=True)
class OthelloBoard:
    """The tables of one size.

    names(mask): the cells of a mask as moves, in order.
    legal(own, opponent): the mask of the cells where a disc of `own` flips something.
    flips(own, opponent, bit): the opponent's discs that a disc on the empty cell `bit` flips, 0 if the move is illegal.
    """

    grid: Grid
    names: Callable[[int], tuple[str, ...]]
    full: int
    legal: Callable[[int, int], int]
    flips: Callable[[int, int, int], int]


def count_leaves(board: OthelloBoard, own: int, opponent: int, moves: int, depth: int) -> int:
    """Perft below a position whose legal moves are `moves` (not 0), `depth` at least 1."""
    if depth == 1:
        return moves.bit_count()
    legal, flips = board.legal, board.flips
    total = 0
    while moves:
        bit = moves & -moves
        moves ^= bit
        flipped = flips(own, opponent, bit)
        theirs, mine = opponent ^ flipped, own | bit | flipped
        if replies := legal(theirs, mine):
            total += replies.bit_count() if depth == 2 else count_leaves(board, theirs, mine, replies, depth - 1)
        elif depth > 2 and (again := legal(mine, theirs)):
            total += count_leaves(board, mine, theirs, again, depth - 2)
        else:
            total += 1
    return total


def play_out(board: OthelloBoard, own: int, opponent: int, moves: int, random: Random) -> tuple[int, int, bool]:
    """Random moves to the end from a position whose legal moves are `moves`.

    Returns `own` and `opponent` at the end, and whether the turn had then gone to the other seat, so that `own` are its
    discs.
    """
    legal, flips, draw = board.legal, board.flips, random.random
    turned = False
    while moves:
        for _ in range(int(draw() * moves.bit_count())):
            moves &= moves - 1
        bit = moves & -moves
        flipped = flips(own, opponent, bit)
        own, opponent = opponent ^ flipped, own | bit | flipped
        turned = not turned
        moves = legal(own, opponent)
        if not moves:
            moves = legal(opponent, own)
            if moves:
                own, opponent = opponent, own
                turned = not turned
    return own, opponent, turned


@lru_cache(maxsize=8)
def make_board(size: int) -> OthelloBoard:
    """The tables of a board of `size` x `size` cells."""
    grid = Grid(size, size, tuple(1 << cell for cell in range(size * size)))
    full = (1 << size * size) - 1
    return OthelloBoard(grid, make_names(grid), full, _make_legal(size), _make_flips(size))


def _make_legal(size: int) -> Callable[[int, int], int]:
    cells = size * size
    base = (size - 1) * (size + 1)  # lane 0 is shifted down by up to this much
    lanes = [base + lane * cells for lane in range(8)]

    def shifted(steps: int) -> int:
        return sum(1 << lane + steps * (dy * size + dx) for lane, (dx, dy) in zip(lanes, _STEPS, strict=True))

    def valid(steps: int) -> int:
        return sum(
            1 << lane + y * size + x
            for lane, (dx, dy) in zip(lanes, _STEPS, strict=True)
            for y in range(size)
            for x in range(size)
            if 0 <= x - steps * dx < size and 0 <= y - steps * dy < size
        )

    full, here, behind, room = (1 << cells) - 1, shifted(0), shifted(1), valid(2)
    further = tuple((valid(steps), shifted(steps)) for steps in range(2, size))
    four, two = 4 * cells, 2 * cells

    def legal(own: int, opponent: int) -> int:
        run = (full ^ own ^ opponent) * here & room & opponent * behind
        found = 0
        for inside, steps in further:
            run &= inside
            found |= run & own * steps
            run &= opponent * steps
            if not run:
                break
        found |= found >> four
        found |= found >> two
        return (found | found >> cells) >> base & full

    return legal


def _make_flips(size: int) -> Callable[[int, int, int], int]:
    rays = {1 << y * size + x: _rays(size, x, y) for y in range(size) for x in range(size)}

    def flips(own: int, opponent: int, bit: int) -> int:
        near_up, ups, near_down, downs = rays[bit]
        flipped = 0
        for ray in ups[opponent & near_up]:
            stop = ray & ~opponent
            stop &= -stop
            if stop & own:
                flipped |= ray & stop - 1
        for ray in downs[opponent & near_down]:
            stop = 1 << (ray & ~opponent).bit_length()
            if stop >> 1 & own:
                flipped |= ray & -stop
        return flipped

    return flips


def _rays(size: int, x: int, y: int) -> Rays:
    """What `flips` needs for one cell, for the rays towards higher bits and then for those towards lower ones: the mask
    of their first cells, and the rays to walk for each set of opponent's discs among these.
    """
    up: dict[int, int] = {}
    down: dict[int, int] = {}
    for dx, dy in _STEPS:
        ray = []
        i, j = x + dx, y + dy
        while 0 <= i < size and 0 <= j < size:
            ray.append(1 << j * size + i)
            i, j = i + dx, j + dy
        if len(ray) > 1:
            (up if dy * size + dx > 0 else down)[ray[0]] = sum(ray)
    return sum(up), _choices(up), sum(down), _choices(down)


def _choices(rays: dict[int, int]) -> dict[int, tuple[int, ...]]:
    choices: dict[int, tuple[int, ...]] = {0: ()}
    for first, ray in rays.items():
        choices.update({chosen | first: (*chosen_rays, ray) for chosen, chosen_rays in choices.items()})
    return choices
