"""The exact search of Puissance 4 (four in a line) as machine code; `bots.search.puissance4` drives it.

A position is two masks in the layout of `games.puissance4` (column by column, one spare bit above each), of at most 62
bits: `own`, the discs of the mover, and `mask`, all discs. A score is that of Pascal Pons' published sets: half the
board and one, less the winner's discs at the win; positive if the mover wins, 0 for a draw.

A node is only entered if the mover can't win at once and has a move that does not lose at once; its parent has looked.
`threats` are the empty cells with which the OPPONENT of the mover would complete a line: the parent counted them to put
its moves in order. All searches have a null window: `search(..., alpha)` gives a bound r that tells whether the score
is above alpha (r > alpha: the score is at least r) or not (it is at most r).

Methods, all of them published: bit masks for lines and the score (J. Tromp, Fhourstones; P. Pons, blog.gamesolver.org),
moves that lose at once left out, moves with most threats first, transposition cut-offs among the children before any
of them is searched (J. Schaeffer, A. Plaat, New Advances in Alpha-Beta Searching, 1996), mirror images in the opening.
"""

from bots.search.machine import compiled, exported, leading_zeros, load, popcount, prefetch, signed, store, unsigned

# The words of a search's memory: first what it is told, then what it says.
STOP, NODES, TABLE, SHIFT, STRIDE, WIDTH, CELLS, BOTTOM, FULL, STORED, MIRRORED = range(11)
"""STOP: not 0 ends the search, whose answer then means nothing. NODES: counts up. TABLE, SHIFT: where the table is, and
64 less the bits of its index. STRIDE: the board's height plus one. CELLS, BOTTOM, FULL: how many cells, the lowest of
each column, all. STORED, MIRRORED: below this many discs positions are kept in the table, and as the lesser of them
and their mirror image."""

COLUMNS = 16
"""The masks of the columns start at this word, those in the middle first."""

_FRAMES = 32
_SLOTS = 10
_FRAME = 4 * _SLOTS + 1
MEMORY = _FRAMES + _FRAME * 64
"""Words of a search's memory."""

_MOVE, _THREATS, _HASH, _ORDER = 0, _SLOTS, 2 * _SLOTS, 3 * _SLOTS
_FIRST_FACTOR, _SECOND_FACTOR = 0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9

# A word of the table: 46 bits of the hash (the index holds the others, and the hash of two positions differs), how much
# work it was (6 bits), 32 - upper bound, lower bound + 32 (6 bits each). So 0 says nothing. Two words are a bucket.
_TAG, _WORK, _UPPER, _FIELD, _BIAS = 18, 12, 6, 63, 32
INDEX_BITS_LEAST = 18
"""The index needs as many bits as the tag leaves out."""


@compiled("int64(int64,int64,int64,int64)")
def winning_cells(discs: int, mask: int, stride: int, full: int) -> int:
    """The empty cells with which the owner of `discs` would complete four in a line."""
    won = (discs << 1) & (discs << 2) & (discs << 3)
    for step in (stride - 1, stride, stride + 1):
        pair = (discs << step) & (discs << 2 * step)
        won |= pair & ((discs << 3 * step) | (discs >> step))
        pair = (discs >> step) & (discs >> 2 * step)
        won |= pair & ((discs << step) | (discs >> 3 * step))
    return won & (full ^ mask)


@compiled("int64(int64,int64,int64)")
def mirror(board: int, stride: int, width: int) -> int:
    """The masks, or the sum of two, with the columns from right to left."""
    column = (1 << stride) - 1
    mirrored = 0
    for _ in range(width):
        mirrored = mirrored << stride | board & column
        board >>= stride
    return mirrored


@compiled("uint64(int64,int64,int64,int64)")
def hash_of(memory: int, own: int, mask: int, discs: int) -> int:
    """A number for this position alone: `own + mask` is, and what follows can be undone."""
    key = own + mask
    if discs < signed(load(memory, MIRRORED)):
        key = min(key, mirror(key, signed(load(memory, STRIDE)), signed(load(memory, WIDTH))))
    mixed = unsigned(key) * unsigned(_FIRST_FACTOR)
    mixed = (mixed ^ mixed >> unsigned(32)) * unsigned(_SECOND_FACTOR)
    return mixed ^ mixed >> unsigned(29)


@compiled("int64(int64,uint64)")
def probe(memory: int, key: int) -> int:
    """What the table knows of the position with this hash; 0 for nothing."""
    table, bucket = signed(load(memory, TABLE)), signed(key >> load(memory, SHIFT)) << 1
    tag = key << unsigned(_TAG)
    for way in range(2):
        word = load(table, bucket + way)
        if (word ^ tag) >> unsigned(_TAG) == unsigned(0):
            return signed(word & unsigned((1 << _TAG) - 1))
    return 0


@compiled("int64(int64)")
def lower_bound(known: int) -> int:
    """The lower bound in what `probe` gave."""
    return (known & _FIELD) - _BIAS


@compiled("int64(int64)")
def upper_bound(known: int) -> int:
    """The upper bound in what `probe` gave."""
    return _BIAS - (known >> _UPPER & _FIELD)


@compiled("void(int64,uint64,int64,int64,int64)")
def keep(memory: int, key: int, lower: int, upper: int, nodes: int) -> None:
    """Writes what a search over `nodes` nodes found; the first way of a bucket keeps what was the most work."""
    table, bucket = signed(load(memory, TABLE)), signed(key >> load(memory, SHIFT)) << 1
    known = probe(memory, key)
    if known:
        lower, upper = max(lower, lower_bound(known)), min(upper, upper_bound(known))
    work = 64 - leading_zeros(nodes)
    tag = key << unsigned(_TAG)
    word = tag | unsigned((lower + _BIAS) | (_BIAS - upper) << _UPPER | work << _WORK)
    first = load(table, bucket)
    if (first ^ tag) >> unsigned(_TAG) == unsigned(0):
        store(table, bucket, word)
    elif signed(first >> unsigned(_WORK)) & _FIELD <= work:
        store(table, bucket + 1, first)
        store(table, bucket, word)
    else:
        store(table, bucket + 1, word)


@compiled("int64(int64,int64,int64,int64)")
def answers(memory: int, mask: int, threats: int, bottom: int) -> int:
    """The moves that don't lose at once against these threats: 0 if all do."""
    possible = mask + bottom & signed(load(memory, FULL))
    forced = possible & threats
    if forced:
        if forced & forced - 1:
            return 0
        possible = forced
    return possible & ~(threats >> 1)


@compiled("int64(int64,int64,int64,int64,int64)")
def expand(memory: int, frame: int, own: int, mask: int, moves: int) -> int:
    """Writes each move and the threats that it makes into the frame; their number, or -1 if one wins by force.

    The move wins if the opponent has no answer to its threats. What comes first in the frame is nearest to the centre.
    """
    stride, full = signed(load(memory, STRIDE)), signed(load(memory, FULL))
    bottom = signed(load(memory, BOTTOM))
    count = 0
    for column in range(signed(load(memory, WIDTH))):
        move = moves & signed(load(memory, COLUMNS + column))
        if move == 0:
            continue
        threats = winning_cells(own | move, mask | move, stride, full)
        if answers(memory, mask | move, threats, bottom) == 0:
            return -1
        store(memory, frame + _MOVE + count, unsigned(move))
        store(memory, frame + _THREATS + count, unsigned(threats))
        count += 1
    return count


@compiled("void(int64,int64,int64,int64,int64)")
def insert(memory: int, frame: int, count: int, slot: int, score: int) -> None:
    """Puts a slot into the order of a frame in which `count` have their place already."""
    order = frame + _ORDER
    place = count
    while place > 0 and signed(load(memory, order + place - 1)) >> 4 < score:
        store(memory, order + place, load(memory, order + place - 1))
        place -= 1
    store(memory, order + place, unsigned(score << 4 | slot))


@compiled("int64(int64,int64,int64,int64)")
def worth_of(threats: int, mask: int, bottom: int, full: int) -> int:
    """How early a move is tried: by its threats; those above a cell that can be taken count half more."""
    return 2 * popcount(threats) + popcount(threats & ((mask + bottom & full) << 1))


@compiled("int64(int64,int64,int64,int64,int64,int64)")
def finish(memory: int, own: int, mask: int, threats: int, discs: int, alpha: int) -> int:
    """`search` for the last plies, where a table costs more than it saves."""
    store(memory, NODES, load(memory, NODES) + unsigned(1))
    left = signed(load(memory, CELLS)) - discs
    if left <= 2:
        return 0
    best_possible, worst_possible = (left - 1) // 2, -((left - 2) // 2)
    if best_possible <= alpha:
        return best_possible
    if worst_possible > alpha:
        return worst_possible
    frame = _FRAMES + discs * _FRAME
    bottom = signed(load(memory, BOTTOM))
    count = expand(memory, frame, own, mask, answers(memory, mask, threats, bottom))
    if count < 0:
        return best_possible
    for slot in range(count):
        insert(memory, frame, slot, slot, popcount(load(memory, frame + _THREATS + slot)))
    best = -left
    for place in range(count):
        slot = signed(load(memory, frame + _ORDER + place)) & 15
        move, made = signed(load(memory, frame + _MOVE + slot)), signed(load(memory, frame + _THREATS + slot))
        best = max(best, -finish(memory, own ^ mask, mask | move, made, discs + 1, -alpha - 1))
        if best > alpha:
            break
    return best


@compiled("void(int64,int64,int64,int64,int64,int64)")
def look_up(memory: int, frame: int, own: int, mask: int, discs: int, count: int) -> None:
    """Writes the hash of the position after each move of the frame, and asks for its bucket."""
    table, shift = signed(load(memory, TABLE)), load(memory, SHIFT)
    for slot in range(count):
        move = signed(load(memory, frame + _MOVE + slot))
        key = hash_of(memory, own ^ mask, mask | move, discs + 1)
        prefetch(table, signed(key >> shift) << 1)
        store(memory, frame + _HASH + slot, key)


@compiled("int64(int64,int64,int64,int64,int64,int64)")
def sift(memory: int, frame: int, mask: int, count: int, alpha: int, worst: int) -> int:
    """Orders the moves that the table doesn't refute; the best score known of those it does, `worst` at least.

    Ends at a score above alpha: then nothing needs to be searched. The word after the order says how many are left.
    """
    bottom, full = signed(load(memory, BOTTOM)), signed(load(memory, FULL))
    left, best = 0, worst
    for slot in range(count):
        known = probe(memory, load(memory, frame + _HASH + slot))
        if known:
            if -upper_bound(known) > alpha:
                return -upper_bound(known)
            if -lower_bound(known) <= alpha:
                best = max(best, -lower_bound(known))
                continue
        threats = signed(load(memory, frame + _THREATS + slot))
        insert(memory, frame, left, slot, worth_of(threats, mask, bottom, full))
        left += 1
    store(memory, frame + _FRAME - 1, unsigned(left))
    return best


@compiled("int64(int64,int64,int64,int64,int64,int64,uint64)")
def search(memory: int, own: int, mask: int, threats: int, discs: int, alpha: int, key: int) -> int:
    """A bound that tells whether the score of the position with the hash `key` is above alpha."""
    if discs >= signed(load(memory, STORED)):
        return finish(memory, own, mask, threats, discs, alpha)
    nodes = load(memory, NODES) + unsigned(1)
    store(memory, NODES, nodes)
    left = signed(load(memory, CELLS)) - discs
    best_possible, worst_possible = (left - 1) // 2, -((left - 2) // 2)
    if best_possible <= alpha:
        return best_possible
    if worst_possible > alpha or load(memory, STOP) != unsigned(0):
        return worst_possible
    frame = _FRAMES + discs * _FRAME
    count = expand(memory, frame, own, mask, answers(memory, mask, threats, signed(load(memory, BOTTOM))))
    if count < 0:
        return best_possible
    remaining, best = count, -left
    if discs + 1 < signed(load(memory, STORED)):
        look_up(memory, frame, own, mask, discs, count)
        best = sift(memory, frame, mask, count, alpha, -left)
        if best > alpha:
            return best
        remaining = signed(load(memory, frame + _FRAME - 1))
    else:
        for slot in range(count):
            insert(memory, frame, slot, slot, popcount(load(memory, frame + _THREATS + slot)))
    for place in range(remaining):
        slot = signed(load(memory, frame + _ORDER + place)) & 15
        move, made = signed(load(memory, frame + _MOVE + slot)), signed(load(memory, frame + _THREATS + slot))
        after = load(memory, frame + _HASH + slot)
        best = max(best, -search(memory, own ^ mask, mask | move, made, discs + 1, -alpha - 1, after))
        if best > alpha:
            break
    if load(memory, STOP) == unsigned(0):
        work = signed(load(memory, NODES) - nodes)
        keep(memory, key, best if best > alpha else worst_possible, best_possible if best > alpha else best, work)
    return best


@exported("int64(int64,int64,int64,int64)")
def bound(memory: int, own: int, mask: int, alpha: int) -> int:
    """`search` for any position in which nobody has a line."""
    bottom, full = signed(load(memory, BOTTOM)), signed(load(memory, FULL))
    stride, discs = signed(load(memory, STRIDE)), popcount(mask)
    left = signed(load(memory, CELLS)) - discs
    if left == 0:
        return 0
    if winning_cells(own, mask, stride, full) & mask + bottom:
        return (left + 1) // 2
    threats = winning_cells(own ^ mask, mask, stride, full)
    if answers(memory, mask, threats, bottom) == 0:
        return -(left // 2)
    return search(memory, own, mask, threats, discs, alpha, hash_of(memory, own, mask, discs))
