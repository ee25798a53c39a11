"""Othello on 8x8 solved to the last disc, as machine code.

`at_least(memory, own, other, alpha, empties)` answers one question: is the final score of the seat to move more than
`alpha`? The answer is a bound: if it is above alpha, the exact score is at least that, else at most that.
Scores are disc differences with the empty cells to the winner, -64 to 64, always even.

The last four cells have code of their own; up to SHALLOW the moves are tried by the parity of their quadrant; beyond,
they are sorted so that the opponent gets few replies ("fastest first"), and the table, enhanced transposition cut-offs
and stable discs end what needs no search (Buro's and Delorme's endgame techniques).

memory: the address of words laid out as in `fast_othello_memory`.
"""

from bots.search.fast_othello_board import CORNERS, flips, moves, potential_moves, stable_discs, without_lowest
from bots.search.fast_othello_memory import (
    ENDGAME,
    MIDGAME,
    NO_CELL,
    NONE,
    STABLE_EDGES,
    best_first,
    count_node,
    find,
    is_stopped,
    list_of,
    lower_of,
    move_of,
    read,
    remember,
    upper_of,
    write,
)
from bots.search.machine import compiled, exported, popcount, trailing_zeros

SHALLOW = 7
"""With fewer empty cells than this nothing is sorted and nothing remembered."""

ASK_MIDGAME = 11
"""From this many empty cells on, the midgame's table may know the best move."""

CUT_BY_TABLE = 10
"""From this many empty cells on, the table is asked for a move that refutes before any is searched."""

NORTH_WEST, NORTH_EAST = 0x0F0F0F0F, 0xF0F0F0F0
SOUTH_WEST, SOUTH_EAST = 0x0F0F0F0F << 32, -0x0F0F0F1 << 36


@compiled("int64(int64,int64)")
def final_score(own: int, other: int) -> int:
    """The score of a game that is over."""
    lead = popcount(own) - popcount(other)
    left = 64 - popcount(own | other)
    if lead > 0:
        return lead + left
    return lead - left if lead < 0 else 0


@compiled("int64(int64,int64,int64)")
def last_one(own: int, other: int, cell: int) -> int:
    """The exact score with one empty cell."""
    mine = 2 * popcount(own)
    flipped = flips(cell, own, other)
    if flipped:
        return mine + 2 * popcount(flipped) - 62
    flipped = flips(cell, other, own)
    if flipped:
        return mine - 2 * popcount(flipped) - 64
    return mine - 62 if mine > 63 else mine - 64


@compiled("int64(int64,int64,int64,int64,int64,int64)")
def move_of_two(memory: int, own: int, other: int, alpha: int, a: int, b: int) -> int:
    """The best move with the empty cells `a` and `b`; NONE if there is no move."""
    best = NONE
    flipped = flips(a, own, other)
    if flipped:
        count_node(memory)
        best = -last_one(other ^ flipped, own ^ flipped ^ (1 << a), b)
        if best > alpha:
            return best
    flipped = flips(b, own, other)
    if flipped:
        count_node(memory)
        best = max(best, -last_one(other ^ flipped, own ^ flipped ^ (1 << b), a))
    return best


@compiled("int64(int64,int64,int64,int64,int64,int64)")
def last_two(memory: int, own: int, other: int, alpha: int, a: int, b: int) -> int:
    """Two empty cells."""
    best = move_of_two(memory, own, other, alpha, a, b)
    if best == NONE:
        best = -move_of_two(memory, other, own, -alpha - 1, a, b)
        if best == -NONE:
            best = final_score(own, other)
    return best


@compiled("int64(int64,int64,int64,int64,int64,int64,int64)")
def move_of_three(memory: int, own: int, other: int, alpha: int, a: int, b: int, c: int) -> int:
    """The best move with three empty cells, tried in this order; NONE if there is no move."""
    best = NONE
    for _ in range(3):
        flipped = flips(a, own, other)
        if flipped:
            count_node(memory)
            value = -last_two(memory, other ^ flipped, own ^ flipped ^ (1 << a), -alpha - 1, b, c)
            if value > alpha:
                return value
            best = max(best, value)
        a, b, c = b, c, a
    return best


@compiled("int64(int64,int64,int64,int64,int64,int64,int64)")
def last_three(memory: int, own: int, other: int, alpha: int, a: int, b: int, c: int) -> int:
    """Three empty cells."""
    best = move_of_three(memory, own, other, alpha, a, b, c)
    if best == NONE:
        best = -move_of_three(memory, other, own, -alpha - 1, a, b, c)
        if best == -NONE:
            best = final_score(own, other)
    return best


@compiled("int64(int64,int64,int64,int64,int64,int64,int64,int64)")
def move_of_four(memory: int, own: int, other: int, alpha: int, a: int, b: int, c: int, d: int) -> int:
    """The best move with four empty cells, tried in this order; NONE if there is no move."""
    best = NONE
    for _ in range(4):
        flipped = flips(a, own, other)
        if flipped:
            count_node(memory)
            value = -last_three(memory, other ^ flipped, own ^ flipped ^ (1 << a), -alpha - 1, b, c, d)
            if value > alpha:
                return value
            best = max(best, value)
        a, b, c, d = b, c, d, a
    return best


@compiled("int64(int64)")
def odd_quadrants(empty: int) -> int:
    """The quadrants with an odd number of empty cells: who plays there first is likely to play there last."""
    odd = 0
    if popcount(empty & NORTH_WEST) & 1:
        odd |= NORTH_WEST
    if popcount(empty & NORTH_EAST) & 1:
        odd |= NORTH_EAST
    if popcount(empty & SOUTH_WEST) & 1:
        odd |= SOUTH_WEST
    if popcount(empty & SOUTH_EAST) & 1:
        odd |= SOUTH_EAST
    return odd


@compiled("int64(int64,int64,int64,int64)")
def last_four(memory: int, own: int, other: int, alpha: int) -> int:
    """Four empty cells, those in odd quadrants first."""
    empty = ~(own | other)
    odd = empty & odd_quadrants(empty)
    even = empty & ~odd
    cells = 0
    while odd:
        cells = cells << 8 | trailing_zeros(odd)
        odd = without_lowest(odd)
    while even:
        cells = cells << 8 | trailing_zeros(even)
        even = without_lowest(even)
    a, b, c, d = cells >> 24, cells >> 16 & 63, cells >> 8 & 63, cells & 63
    best = move_of_four(memory, own, other, alpha, a, b, c, d)
    if best == NONE:
        best = -move_of_four(memory, other, own, -alpha - 1, a, b, c, d)
        if best == -NONE:
            best = final_score(own, other)
    return best


@compiled("int64(int64,int64,int64,int64,int64)")
def by_parity(memory: int, own: int, other: int, alpha: int, empties: int) -> int:
    """Five empty cells or some more: moves in odd quadrants first, nothing sorted."""
    legal = moves(own, other)
    if legal == 0:
        if moves(other, own) == 0:
            return final_score(own, other)
        return -by_parity(memory, other, own, -alpha - 1, empties)
    part = legal & odd_quadrants(~(own | other))
    rest = legal ^ part
    best = NONE
    while part | rest:
        if part == 0:
            part, rest = rest, 0
        cell = trailing_zeros(part)
        part = without_lowest(part)
        flipped = flips(cell, own, other)
        count_node(memory)
        if empties == 5:
            value = -last_four(memory, other ^ flipped, own ^ flipped ^ (1 << cell), -alpha - 1)
        else:
            value = -by_parity(memory, other ^ flipped, own ^ flipped ^ (1 << cell), -alpha - 1, empties - 1)
        if value > alpha:
            return value
        best = max(best, value)
    return best


@compiled("int64(int64,int64,int64,int64,int64,int64)")
def list_moves(memory: int, own: int, other: int, legal: int, empties: int, first: int) -> int:
    """Writes the `legal` moves into the list of this position, each with what it is worth trying; returns how many."""
    place = list_of(memory, empties)
    odd = odd_quadrants(~(own | other))
    count = 0
    while legal:
        cell = trailing_zeros(legal)
        legal = without_lowest(legal)
        flipped = flips(cell, own, other)
        theirs, mine = other ^ flipped, own ^ flipped ^ (1 << cell)
        replies = moves(theirs, mine)
        worth = -16 * (popcount(replies) + popcount(replies & CORNERS))
        worth -= potential_moves(theirs, mine) * 2
        if odd >> cell & 1:
            worth += 8
        if cell == first:
            worth += 10000
        write(place, count * 3, worth)
        write(place, count * 3 + 1, cell)
        write(place, count * 3 + 2, flipped)
        count += 1
    return count


@compiled("int64(int64,int64,int64,int64,int64)")
def unsorted(memory: int, own: int, other: int, alpha: int, empties: int) -> int:
    """Fewer empty cells than SHALLOW."""
    if empties > 4:
        return by_parity(memory, own, other, alpha, empties)
    if empties == 4:
        return last_four(memory, own, other, alpha)
    empty = ~(own | other)
    a = trailing_zeros(empty)
    empty = without_lowest(empty)
    b = trailing_zeros(empty)
    empty = without_lowest(empty)
    if empties == 3:
        return last_three(memory, own, other, alpha, a, b, trailing_zeros(empty))
    if empties == 2:
        return last_two(memory, own, other, alpha, a, b)
    return last_one(own, other, a) if empties == 1 else final_score(own, other)


@compiled("int64(int64,int64,int64,int64,int64)")
def without_search(memory: int, own: int, other: int, alpha: int, known: int) -> int:
    """The answer that the opponent's stable discs or the table's data, if `known`, already give; NONE if they don't."""
    if alpha >= 0:
        most = 64 - 2 * popcount(stable_discs(read(memory, STABLE_EDGES), other, own))
        if most <= alpha:
            return most
    if known and lower_of(known) > alpha:
        return lower_of(known)
    if known and upper_of(known) <= alpha:
        return upper_of(known)
    return NONE


@compiled("int64(int64,int64,int64,int64,int64,int64)")
def refuted(memory: int, own: int, other: int, alpha: int, empties: int, count: int) -> int:
    """A score above `alpha` that the table knows for one of the `count` moves in the list; NONE if it does not."""
    if empties < CUT_BY_TABLE:
        return NONE
    place = list_of(memory, empties)
    for index in range(count):
        cell, flipped = read(place, index * 3 + 1), read(place, index * 3 + 2)
        reply = find(memory, ENDGAME, other ^ flipped, own ^ flipped ^ (1 << cell))
        if reply and -upper_of(reply) > alpha:
            return -upper_of(reply)
    return NONE


@exported("int64(int64,int64,int64,int64,int64)")
def at_least(memory: int, own: int, other: int, alpha: int, empties: int) -> int:
    """A bound on the exact score of the seat to move, on the side of `alpha` where that is; any number once stopped."""
    if empties < SHALLOW:
        return unsorted(memory, own, other, alpha, empties)
    if is_stopped(memory):
        return alpha
    legal = moves(own, other)
    if legal == 0:
        if moves(other, own) == 0:
            return final_score(own, other)
        return -at_least(memory, other, own, -alpha - 1, empties)
    known = find(memory, ENDGAME, own, other)
    best, best_cell = without_search(memory, own, other, alpha, known), NO_CELL
    if best != NONE:
        return best
    if known == 0 and empties >= ASK_MIDGAME:
        known = find(memory, MIDGAME, own, other)
    count = list_moves(memory, own, other, legal, empties, move_of(known))
    best = refuted(memory, own, other, alpha, empties, count)
    if best != NONE:
        return best
    place = list_of(memory, empties)
    while count and best <= alpha:
        cell = best_first(place, count)
        flipped = read(place, 2)
        count_node(memory)
        value = -at_least(memory, other ^ flipped, own ^ flipped ^ (1 << cell), -alpha - 1, empties - 1)
        if value > best:
            best, best_cell = value, cell
        place += 24
        count -= 1
    if not is_stopped(memory):
        lower, upper = (best, -NONE) if best > alpha else (NONE, best)
        remember(memory, ENDGAME, own, other, empties, lower, upper, best_cell)
    return best
