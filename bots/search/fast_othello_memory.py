"""The memory of the compiled Othello search: counters, move lists, tables of positions.

One array of words (int64) holds all but the tables, whose addresses stand in it; its own address, `memory`, is what the
search passes down. Words 0 to 15 are named below; at LISTS stand lists of moves, one for each number of empty cells, of
LIST words: up to 34 moves of three words (worth, cell, flipped).

A table is a flat array of buckets of 64 bytes, two positions each: own, other, data and a free word. The first of a
bucket keeps the deeper search, the second the last one. `data` holds what is known of the value as four fields of 16
bits: lower bound, upper bound, best move (64 for none), depth.
"""

from bots.search.machine import compiled, exported, load, signed, store, unsigned

STOP, NODES, ENDGAME, MIDGAME, MASK, STABLE_EDGES, WEIGHTS, SELECTIVITY, LIMIT = range(9)
"""Not 0 once somebody has asked for a stop; nodes searched; addresses of the two tables; buckets of each less one;
address of the table of stable edges; of the weights of the evaluation; how far outside the window a probe must lie, in
hundredths of its standard error, 0 for no probes; the search stops at this many nodes. STOP is not read by the search,
which looks at NODES and LIMIT alone: whoever stops it lowers LIMIT, too."""

UNLIMITED, AT_ONCE = 1 << 62, -1
"""Values of LIMIT: more nodes than a search ever has, and fewer."""

LISTS = 64
LIST = 102
FEATURES = LISTS + 64 * LIST
"""Where the features of the positions on the way to the current one stand; see `fast_othello_evaluation`."""

FEATURE_WORDS = 12
WORDS = FEATURES + 128 * FEATURE_WORDS

NONE = -30000
"""Less than any value."""

NO_CELL = 64

_FIRST_FACTOR, _SECOND_FACTOR = -7046029254386353131, -4417276706812531889  # odd numbers without a pattern


@compiled("int64(int64,int64)")
def read(address: int, index: int) -> int:
    """The word `index` at `address`."""
    return signed(load(address, index))


@compiled("void(int64,int64,int64)")
def write(address: int, index: int, word: int) -> None:
    """Changes the word `index` at `address`."""
    store(address, index, unsigned(word))


@compiled("void(int64)")
def count_node(memory: int) -> None:
    """One node more: a position that a move led to."""
    write(memory, NODES, read(memory, NODES) + 1)


@compiled("boolean(int64)")
def is_stopped(memory: int) -> bool:
    """Whether the search is to end; what it returns then means nothing."""
    return read(memory, NODES) >= read(memory, LIMIT)


@compiled("int64(int64,int64,int64,int64)")
def bucket(memory: int, table: int, own: int, other: int) -> int:
    """The address of the bucket of a position in the table `ENDGAME` or `MIDGAME`."""
    mixed = unsigned(own) * unsigned(_FIRST_FACTOR) + unsigned(other) * unsigned(_SECOND_FACTOR)
    mixed = (mixed ^ mixed >> unsigned(32)) * unsigned(_SECOND_FACTOR)
    return read(memory, table) + 64 * (signed(mixed >> unsigned(32)) & read(memory, MASK))


@exported("int64(int64,int64,int64,int64)")
def find(memory: int, table: int, own: int, other: int) -> int:
    """The data of a position, 0 if the table does not have it."""
    place = bucket(memory, table, own, other)
    if read(place, 0) == own and read(place, 1) == other:
        return read(place, 2)
    if read(place, 4) == own and read(place, 5) == other:
        return read(place, 6)
    return 0


@compiled("int64(int64)")
def lower_of(data: int) -> int:
    """The lower bound in `data`."""
    return (data & 0xFFFF) - 0x8000


@compiled("int64(int64)")
def upper_of(data: int) -> int:
    """The upper bound in `data`."""
    return (data >> 16 & 0xFFFF) - 0x8000


@exported("int64(int64)")
def move_of(data: int) -> int:
    """The best move in `data`, NO_CELL for none or for no data."""
    return data >> 32 & 0xFF if data else NO_CELL


@compiled("int64(int64)")
def depth_of(data: int) -> int:
    """The depth in `data`."""
    return data >> 40 & 0xFF


@compiled("void(int64,int64,int64,int64,int64,int64,int64,int64)")
def remember(memory: int, table: int, own: int, other: int, depth: int, lower: int, upper: int, best: int) -> None:
    """Keeps what a search to `depth` found: the value lies in `lower` to `upper`, `best` is the move to try first."""
    place = bucket(memory, table, own, other)
    second = read(place, 4) == own and read(place, 5) == other
    first = read(place, 0) == own and read(place, 1) == other
    at = 4 if second or (not first and depth_of(read(place, 2)) > depth) else 0
    old = read(place, at + 2)
    if first or second:
        if lower == NONE and move_of(old) != NO_CELL:
            best = move_of(old)
        if depth_of(old) == depth:
            lower, upper = max(lower, lower_of(old)), min(upper, upper_of(old))
    write(place, at, own)
    write(place, at + 1, other)
    write(place, at + 2, lower + 0x8000 | upper + 0x8000 << 16 | best << 32 | depth << 40)


@compiled("int64(int64,int64)")
def list_of(memory: int, empties: int) -> int:
    """The address of the list of moves of the position with `empties` empty cells on the way to the current one."""
    return memory + 8 * (LISTS + LIST * empties)


@compiled("int64(int64,int64)")
def best_first(place: int, count: int) -> int:
    """Moves the move that is most worth trying to the head of a list of `count`; returns its cell."""
    best = 0
    for other in range(1, count):
        if read(place, other * 3) > read(place, best * 3):
            best = other
    for field in range(3):
        word = read(place, best * 3 + field)
        write(place, best * 3 + field, read(place, field))
        write(place, field, word)
    return read(place, 1)
