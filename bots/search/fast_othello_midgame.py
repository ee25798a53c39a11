"""Othello on 8x8 searched to a depth, as machine code.

`search` is a principal variation search: the first move with the whole window, the others with a null window first. The
table, enhanced transposition cut-offs and moves ordered by a shallow look cut the tree. For a value outside the window
a bound on that side is returned ("fail soft").

memory: the address of words laid out as in `fast_othello_memory`. Values are hundredths of a disc for the seat to move.
"""

from bots.search.fast_othello_board import CORNERS, flips, moves, potential_moves, without_lowest
from bots.search.fast_othello_endgame import at_least
from bots.search.fast_othello_evaluation import after_move, count_features, evaluate, turn_features
from bots.search.fast_othello_memory import (
    FEATURE_WORDS,
    FEATURES,
    MIDGAME,
    NO_CELL,
    NONE,
    SELECTIVITY,
    best_first,
    count_node,
    depth_of,
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

LOOK = 5
"""From this depth on moves are sorted by the evaluation of where they lead, below by the replies that they leave."""

SOLVED = 10
"""With at most this many empty cells, a null window to the end of the game is left to the exact search."""

PROBED = 4
"""From this depth on, a null window may be answered by a search of about half the depth (Buro's ProbCut, 1995)."""

PROBE_ERROR, PROBE_ERROR_LATE, LATE = 200, 15, 36
"""The standard deviation between the deep value and the shallow one, in hundredths of a disc: PROBE_ERROR, and
PROBE_ERROR_LATE more for each empty cell below LATE. Measured on tournament games; it hardly depends on the depths.
"""

CUT_BY_TABLE = 3
"""From this depth of the replies on, the table is asked for one that refutes before any is searched."""

DISC = 100


@compiled("int64(int64,int64)")
def score(own: int, other: int) -> int:
    """The value of a game that is over."""
    lead = popcount(own) - popcount(other)
    left = 64 - popcount(own | other)
    if lead > 0:
        return DISC * (lead + left)
    return DISC * (lead - left) if lead < 0 else 0


@compiled("int64(int64,int64)")
def features_of(memory: int, level: int) -> int:
    """The address of the features of the position `level` steps (moves or passes) from where the search began."""
    return memory + 8 * (FEATURES + FEATURE_WORDS * level)


@compiled("int64(int64,int64,int64,int64,int64,int64)")
def look(memory: int, own: int, other: int, legal: int, beta: int, level: int) -> int:
    """The best of the `legal` moves by the evaluation of where they lead."""
    best = NONE
    here, there = features_of(memory, level), features_of(memory, level + 1)
    while legal:
        cell = trailing_zeros(legal)
        legal = without_lowest(legal)
        flipped = flips(cell, own, other)
        theirs, mine = other ^ flipped, own ^ flipped ^ (1 << cell)
        replies = moves(theirs, mine)
        count_node(memory)
        if replies == 0 and moves(mine, theirs) == 0:
            value = -score(theirs, mine)
        else:
            after_move(there, here, cell, flipped)
            value = -evaluate(memory, there, theirs, mine, replies)
        if value >= beta:
            return value
        best = max(best, value)
    return best


@compiled("int64(int64,int64,int64,int64,int64,int64,int64)")
def list_moves(memory: int, own: int, other: int, legal: int, first: int, depth: int, level: int) -> int:
    """Writes the `legal` moves into the list of this position, each with what it is worth trying; returns how many."""
    place = list_of(memory, 64 - popcount(own | other))
    count = 0
    while legal:
        cell = trailing_zeros(legal)
        legal = without_lowest(legal)
        flipped = flips(cell, own, other)
        theirs, mine = other ^ flipped, own ^ flipped ^ (1 << cell)
        replies = moves(theirs, mine)
        if cell == first:
            worth = -NONE
        elif depth >= LOOK:
            there = features_of(memory, level + 1)
            after_move(there, features_of(memory, level), cell, flipped)
            worth = -evaluate(memory, there, theirs, mine, replies) - 25 * popcount(replies)
        else:
            worth = -8 * (popcount(replies) + popcount(replies & CORNERS)) - potential_moves(theirs, mine)
            worth += 8 * (CORNERS >> cell & 1)
        write(place, count * 3, worth)
        write(place, count * 3 + 1, cell)
        write(place, count * 3 + 2, flipped)
        count += 1
    return count


@compiled("int64(int64,int64,int64,int64,int64,int64)")
def refuted(memory: int, own: int, other: int, beta: int, count: int, depth: int) -> int:
    """A value of at least `beta` that the table knows for one of the moves in the list of this position, else NONE.

    `depth` is that of the replies; where it is small, looking them up costs more than it saves.
    """
    if depth < CUT_BY_TABLE:
        return NONE
    place = list_of(memory, 64 - popcount(own | other))
    for index in range(count):
        cell, flipped = read(place, index * 3 + 1), read(place, index * 3 + 2)
        reply = find(memory, MIDGAME, other ^ flipped, own ^ flipped ^ (1 << cell))
        if reply and depth_of(reply) == depth and -upper_of(reply) >= beta:
            return -upper_of(reply)
    return NONE


@compiled("int64(int64,int64,int64,int64)")
def told(known: int, depth: int, alpha: int, beta: int) -> int:
    """The answer of the table's data, if any, to a search with this depth and window; NONE if it has none."""
    if known == 0 or depth_of(known) != depth:
        return NONE
    if lower_of(known) >= beta or lower_of(known) == upper_of(known):
        return lower_of(known)
    return upper_of(known) if upper_of(known) <= alpha else NONE


@compiled("int64(int64,int64,int64,int64,int64,int64,int64,int64)")
def leaf(memory: int, own: int, other: int, legal: int, depth: int, alpha: int, beta: int, level: int) -> int:
    """The answer to a search that needs no deeper ones: near the horizon, near the end, or stopped; else NONE."""
    if depth <= 0:
        return evaluate(memory, features_of(memory, level), own, other, legal)
    if depth == 1:
        return look(memory, own, other, legal, beta, level)
    if is_stopped(memory):
        return alpha
    empties = 64 - popcount(own | other)
    if empties <= SOLVED and depth >= empties and beta == alpha + 1:
        return DISC * at_least(memory, own, other, alpha // DISC, empties)
    return NONE


@compiled("int64(int64)")
def probe_depth(depth: int) -> int:
    """How deep a probe looks: about half as far, and with the same seat to move at its end."""
    return depth // 4 * 2 + depth % 2


@compiled("int64(int64,int64,int64,int64,int64)")
def margin(memory: int, empties: int, depth: int, alpha: int, beta: int) -> int:
    """How far beyond the window a shallow value must lie to stand for the deep one; 0 where it may not."""
    if beta != alpha + 1 or depth < PROBED:
        return 0
    error = PROBE_ERROR + PROBE_ERROR_LATE * max(0, LATE - empties)
    return read(memory, SELECTIVITY) * error // 100


@compiled("int64(int64,int64,int64,int64,int64,int64,int64)")
def search(memory: int, own: int, other: int, depth: int, alpha: int, beta: int, level: int) -> int:
    """The value after `depth` plies within (alpha, beta), else a bound on that side; anything once stopped.

    The features of the position must stand at its `level`.
    """
    legal = moves(own, other)
    if legal == 0:
        if moves(other, own) == 0:
            return score(own, other)
        turn_features(features_of(memory, level + 1), features_of(memory, level))
        return -search(memory, other, own, depth, -beta, -alpha, level + 1)
    best = leaf(memory, own, other, legal, depth, alpha, beta, level)
    if best != NONE:
        return best
    known = find(memory, MIDGAME, own, other)
    best, best_cell, floor = told(known, depth, alpha, beta), NO_CELL, alpha
    if best != NONE:
        return best
    width = margin(memory, 64 - popcount(own | other), depth, alpha, beta)
    if width:
        above = evaluate(memory, features_of(memory, level), own, other, legal) >= beta
        low = beta + width - 1 if above else alpha - width
        if (search(memory, own, other, probe_depth(depth), low, low + 1, level) > low) == above:
            return beta if above else alpha
    count = list_moves(memory, own, other, legal, move_of(known), depth, level)
    best = refuted(memory, own, other, beta, count, depth - 1)
    if best != NONE:
        return best
    place, there = list_of(memory, 64 - popcount(own | other)), features_of(memory, level + 1)
    while count and best < beta:
        cell = best_first(place, count)
        flipped = read(place, 2)
        theirs, mine = other ^ flipped, own ^ flipped ^ (1 << cell)
        after_move(there, features_of(memory, level), cell, flipped)
        count_node(memory)
        top = beta if best == NONE else floor + 1
        value = -search(memory, theirs, mine, depth - 1, -top, -floor, level + 1)
        if top <= value < beta:
            value = -search(memory, theirs, mine, depth - 1, -beta, -floor, level + 1)
        if value > best:
            best, best_cell, floor = value, cell, max(floor, value)
        place += 24
        count -= 1
    if not is_stopped(memory):
        lower = best if best > alpha else NONE
        upper = best if best < beta else -NONE
        remember(memory, MIDGAME, own, other, depth, lower, upper, best_cell)
    return best


@exported("int64(int64,int64,int64,int64,int64,int64)")
def search_from(memory: int, own: int, other: int, depth: int, alpha: int, beta: int) -> int:
    """`search` from a position of which nothing is known yet."""
    count_features(features_of(memory, 0), own, other)
    return search(memory, own, other, depth, alpha, beta, 0)
