"""The Othello evaluation of `othello_patterns` as machine code.

The features of a position, the numbers that its patterns make, are 48 numbers of 16 bits at an address (46 are used).
They are not counted anew for every position: a disc more or flipped adds to each the power of three of its cell, which
is three vector additions. Seen by the other seat they change their sign.
"""

from typing import Any

from llvmlite import ir

from bots.search.fast_othello_board import moves, potential_moves, without_lowest
from bots.search.fast_othello_memory import FEATURE_WORDS, WEIGHTS, read, write
from bots.search.lanes import SHORT, WORD, instruction, place, row, splat, vector
from bots.search.machine import compiled, exported, popcount, trailing_zeros
from bots.search.othello_patterns import LIMIT, STAGE_CELLS, STAGES, layout

_PART = ir.VectorType(SHORT, 16)
_PARTS = 3
_LAYOUT = layout()
_STAGE_BYTES = 2 * _LAYOUT.size
_MOVES, _REPLIES, _CHANCES, _THREATS, _PARITY = (start for start, _ in _LAYOUT.counts.values())


def _powers() -> list[Any]:
    """For each cell, in `_PARTS` vectors, what its disc adds to each feature."""
    rows = [[0] * (16 * _PARTS) for _ in range(64)]
    for number, feature in enumerate(_LAYOUT.features):
        for power, cell in enumerate(feature.cells):
            rows[cell][number] = 3**power
    return [vector(_PART, powers[16 * part : 16 * part + 16]) for powers in rows for part in range(_PARTS)]


@instruction("void(int64,int64,int64,int64)")
def change_features(builder: Any, to: Any, start: Any, cell: Any, times: Any) -> None:
    """Writes to `to` the features at `start` with `times` (-2 to 2) discs on `cell`."""
    factor = splat(builder, _PART, builder.trunc(times, SHORT))
    for part in range(_PARTS):
        index = builder.add(builder.mul(cell, WORD(_PARTS)), WORD(part))
        added = builder.mul(row(builder, "othello.powers", _PART, _powers, index), factor)
        old = builder.load(place(builder, start, _PART, WORD(part)), align=8)
        builder.store(builder.add(old, added), place(builder, to, _PART, WORD(part)), align=8)


@instruction("void(int64,int64)")
def turn_features(builder: Any, to: Any, start: Any) -> None:
    """Writes to `to` the features at `start` as the other seat sees them."""
    for part in range(_PARTS):
        old = builder.load(place(builder, start, _PART, WORD(part)), align=8)
        builder.store(builder.neg(old), place(builder, to, _PART, WORD(part)), align=8)


@instruction("int64(int64,int64)")
def weight(builder: Any, weights: Any, index: Any) -> Any:
    """One weight."""
    return builder.sext(builder.load(place(builder, weights, SHORT, index), align=2), WORD)


@instruction("int64(int64,int64)")
def sum_of_weights(builder: Any, weights: Any, features: Any) -> Any:
    """The weights of all features together, for the stage whose weights begin at `weights`."""
    total = WORD(0)
    for number, feature in enumerate(_LAYOUT.features):
        index = builder.sext(builder.load(place(builder, features, SHORT, WORD(number)), align=2), WORD)
        index = builder.add(index, WORD(feature.centre))
        total = builder.add(total, builder.sext(builder.load(place(builder, weights, SHORT, index), align=2), WORD))
    return total


@compiled("void(int64,int64,int64,int64)")
def after_move(to: int, start: int, cell: int, flipped: int) -> None:
    """Writes to `to` the features of the position that a move leads to, from those at `start`."""
    change_features(to, start, cell, 1)
    while flipped:
        change_features(to, to, trailing_zeros(flipped), 2)
        flipped = without_lowest(flipped)
    turn_features(to, to)


@exported("void(int64,int64,int64)")
def count_features(to: int, own: int, other: int) -> None:
    """Writes the features of a position."""
    for word in range(FEATURE_WORDS):
        write(to, word, 0)
    while own:
        change_features(to, to, trailing_zeros(own), 1)
        own = without_lowest(own)
    while other:
        change_features(to, to, trailing_zeros(other), -1)
        other = without_lowest(other)


@compiled("int64(int64,int64,int64,int64,int64)")
def evaluate(memory: int, features: int, own: int, other: int, legal: int) -> int:
    """What a position is worth to the seat to move, whose moves are `legal`; see `othello_patterns.evaluate`."""
    empties = 64 - popcount(own | other)
    weights = read(memory, WEIGHTS) + _STAGE_BYTES * min(empties // STAGE_CELLS, STAGES - 1)
    value = sum_of_weights(weights, features)
    value += weight(weights, _MOVES + popcount(legal)) + weight(weights, _REPLIES + popcount(moves(other, own)))
    value += weight(weights, _CHANCES + potential_moves(own, other))
    value += weight(weights, _THREATS + potential_moves(other, own))
    value += weight(weights, _PARITY + (empties & 1))
    return max(-LIMIT, min(LIMIT, value))
