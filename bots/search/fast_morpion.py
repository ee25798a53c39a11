"""The exact search of morpion (k in a line on an m x n board) as machine code; `bots.search.morpion` drives it.

A position is two masks in the layout of `games.morpion` (row by row, one spare bit after each), of at most 62 bits: the
discs of the mover and those of the opponent, nobody with a line yet. A value is 1 if the mover wins, -1 if the opponent
does, 0 for a draw. `search(..., alpha)`, alpha -1 or 0, gives a bound r: if r > alpha the value is at least r, else at
most r.

Forced moves are followed, two threats at once win, a player without an open line can't win, and cells on no open line
are left out: a disc there changes nothing. Positions that are turned or mirrored count as one while few discs lie.
"""

from bots.search.machine import compiled, exported, load, popcount, signed, store, trailing_zeros, unsigned

# The words of a search's memory.
STOP, NODES, TABLE, SHIFT, FULL, IN_LINE, DIRECTIONS, SYMMETRIES, TURNED = range(9)
"""STOP: not 0 ends the search, whose answer then means nothing. NODES: counts up. TABLE, SHIFT: where the table is, and
64 less the bits of its index. FULL: all cells. IN_LINE: k. DIRECTIONS, SYMMETRIES: how many there are. TURNED: with
fewer discs than this, positions that are turned or mirrored count as one."""

STEPS = 16
"""From this word on, the steps from a cell to the next in each direction in which there are lines."""

WORTH = 32
"""From this word on, for each bit, how many lines run through its cell."""

MAPS = 96
"""From this word on, 64 words for each symmetry: where each bit goes."""

_FRAMES = MAPS + 8 * 64
_FRAME = 64
MEMORY = _FRAMES + _FRAME * 64
"""Words of a search's memory."""

INDEX_BITS_LEAST = 10

# An entry of the table is two words: the mover's discs and, in the top two bits, lower bound + 1; the opponent's discs
# and 1 - upper bound. So nothing is known where there are zeros. A bucket has two entries.
_BOUND = 62
_DISCS = (1 << _BOUND) - 1
_FIRST_FACTOR, _SECOND_FACTOR = 0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9


@compiled("int64(int64,int64,int64)")
def completing(memory: int, discs: int, empty: int) -> int:
    """The empty cells with which the owner of `discs` completes a line."""
    in_line = signed(load(memory, IN_LINE))
    won = 0
    for number in range(signed(load(memory, DIRECTIONS))):
        step = signed(load(memory, STEPS + number))
        for above in range(in_line):
            cells = empty
            for distance in range(1, above + 1):
                cells &= discs >> distance * step
            for distance in range(1, in_line - above):
                cells &= discs << distance * step
            won |= cells
    return won


@compiled("int64(int64,int64)")
def on_lines(memory: int, cells: int) -> int:
    """Those of `cells` that lie on a line which is all among them."""
    in_line = signed(load(memory, IN_LINE))
    found = 0
    for number in range(signed(load(memory, DIRECTIONS))):
        step = signed(load(memory, STEPS + number))
        starts = cells
        for distance in range(1, in_line):
            starts &= cells >> distance * step
        for distance in range(in_line):
            found |= starts << distance * step
    return found


@compiled("int64(int64,int64,int64)")
def turned(memory: int, board: int, symmetry: int) -> int:
    """The mask as this symmetry shows it."""
    image = 0
    while board:
        image |= 1 << signed(load(memory, MAPS + 64 * symmetry + trailing_zeros(board)))
        board &= board - 1
    return image


@compiled("int64(int64,int64,int64)")
def symmetry_of(memory: int, own: int, other: int) -> int:
    """The symmetry that shows this position as the least of all its images."""
    chosen, least, rest = 0, own, other
    for symmetry in range(1, signed(load(memory, SYMMETRIES))):
        image = turned(memory, own, symmetry)
        if image <= least:
            behind = turned(memory, other, symmetry)
            if image < least or behind < rest:
                chosen, least, rest = symmetry, image, behind
    return chosen


@compiled("int64(int64,int64,int64)")
def bucket_of(memory: int, own: int, other: int) -> int:
    """The word of the table where the bucket of a position starts."""
    mixed = unsigned(own) * unsigned(_FIRST_FACTOR) ^ unsigned(other) * unsigned(_SECOND_FACTOR)
    mixed = (mixed ^ mixed >> unsigned(32)) * unsigned(_FIRST_FACTOR)
    return signed(mixed >> load(memory, SHIFT)) << 2


@compiled("int64(int64,int64,int64,int64)")
def probe(memory: int, bucket: int, own: int, other: int) -> int:
    """(lower bound + 1) * 4 + 1 - upper bound of what the table knows of a position; 0 for nothing."""
    table = signed(load(memory, TABLE))
    for entry in range(bucket, bucket + 4, 2):
        first, second = load(table, entry), load(table, entry + 1)
        if signed(first) & _DISCS == own and signed(second) & _DISCS == other:
            return signed(first >> unsigned(_BOUND)) << 2 | signed(second >> unsigned(_BOUND))
    return 0


@compiled("void(int64,int64,int64,int64,int64,int64)")
def keep(memory: int, bucket: int, own: int, other: int, lower: int, upper: int) -> None:
    """Writes the bounds of a position; the first entry of a bucket keeps what has the fewest discs."""
    table = signed(load(memory, TABLE))
    known = probe(memory, bucket, own, other)
    lower, upper = max(lower, (known >> 2) - 1), min(upper, 1 - (known & 3))
    first, second = signed(load(table, bucket)) & _DISCS, signed(load(table, bucket + 1)) & _DISCS
    kept = popcount(first | second)
    same = first == own and second == other
    entry = bucket if same or kept == 0 or popcount(own | other) <= kept else bucket + 2
    store(table, entry, unsigned(own) | unsigned(lower + 1) << unsigned(_BOUND))
    store(table, entry + 1, unsigned(other) | unsigned(1 - upper) << unsigned(_BOUND))


@compiled("int64(int64,int64,int64,int64,int64)")
def order(memory: int, frame: int, own: int, empty: int, moves: int) -> int:
    """Writes the moves into the frame, the most promising first; their number, or -1 if one makes two threats."""
    count = 0
    while moves:
        move = moves & -moves
        moves ^= move
        threats = completing(memory, own | move, empty ^ move)
        if threats & threats - 1:
            return -1
        word = (popcount(threats) << 5) + signed(load(memory, WORTH + trailing_zeros(move)))
        word = word << 6 | trailing_zeros(move)
        place = count
        while place > 0 and signed(load(memory, frame + place - 1)) >> 6 < word >> 6:
            store(memory, frame + place, load(memory, frame + place - 1))
            place -= 1
        store(memory, frame + place, unsigned(word))
        count += 1
    return count


@exported("int64(int64,int64,int64,int64)")
def search(memory: int, own: int, other: int, alpha: int) -> int:
    """A bound that tells whether the value is above alpha."""
    store(memory, NODES, load(memory, NODES) + unsigned(1))
    empty = signed(load(memory, FULL)) ^ (own | other)
    if empty == 0 or load(memory, STOP) != unsigned(0):
        return 0
    if completing(memory, own, empty):
        return 1
    moves = completing(memory, other, empty)
    if moves & moves - 1:
        return -1
    mine, theirs = on_lines(memory, own | empty), on_lines(memory, other | empty)
    if (alpha == 0 and mine == 0) or (alpha < 0 and theirs == 0):
        return 0
    if moves == 0:
        moves = (mine | theirs) & empty
    discs = popcount(own | other)
    if discs < signed(load(memory, TURNED)):
        symmetry = symmetry_of(memory, own, other)
        if symmetry:
            own, other = turned(memory, own, symmetry), turned(memory, other, symmetry)
            moves, empty = turned(memory, moves, symmetry), turned(memory, empty, symmetry)
    bucket = bucket_of(memory, own, other)
    known = probe(memory, bucket, own, other)
    lower, upper = (known >> 2) - 1, 1 - (known & 3)
    if lower > alpha or upper <= alpha:
        return lower if lower > alpha else upper
    frame = _FRAMES + discs * _FRAME
    count = order(memory, frame, own, empty, moves)
    best = 1 if count < 0 else -1
    for place in range(count):
        move = 1 << (signed(load(memory, frame + place)) & 63)
        best = max(best, -search(memory, other, own | move, -alpha - 1))
        if best > alpha:
            break
    if load(memory, STOP) == unsigned(0):
        keep(memory, bucket, own, other, best if best > alpha else -1, 1 if best > alpha else best)
    return best
