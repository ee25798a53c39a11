"""Line games without gravity on any board, as machine code: forced wins, and a search by what lines are worth.

`bots.search.threats` drives it and says what the forced wins are. Each line of k cells has one word with the discs of
side 0 on it and, times 256, those of side 1; a disc changes the words of the lines through its cell, the score of the
position and its key. Nobody has a line. Cells are numbers, row by row.
"""

from bots.search.machine import compiled, exported, load, signed, store, unsigned

# The words of a search's memory.
STOP, NODES, LIMIT, IN_LINE, CELLS, LINES, KEY, TABLE, SLOTS, SCORE = range(10)
"""STOP: not 0 ends the search, whose answer then means nothing. NODES: counts up. LIMIT: at this many nodes the search
ends as if stopped. IN_LINE: k. CELLS, LINES: how many there are. KEY: of the position, never 0. TABLE, SLOTS: where the
table is, and its size less 1. SCORE: what the lines are worth to side 0."""

BOARD = 16
"""From this word on, what lies on each cell: 0, or 1 plus the side of the disc."""

KEYS = 128
"""From this word on, two random words for each cell: for a disc of either side."""

COUNTS = 384
"""From this word on, the discs on each line."""

LINE_CELLS, LONGEST = 800, 10
"""From this word on, LONGEST words for each line: its cells."""

MEETING = 4800
"""From this word on, for each cell, how many lines run through it."""

CELL_LINES, MOST_MEETING = 4928, 40
"""From this word on, MOST_MEETING words for each cell: these lines."""

WORTH = CELL_LINES + MOST_MEETING * 100
"""From this word on, for each number of discs of one side, what a line with none of the other is worth."""

_FRAMES, _FRAME, _DEEPEST = WORTH + 16, 16, 48
MEMORY = _FRAMES + _FRAME * (_DEEPEST + 1)
"""Words of a search's memory."""

WIDTH = 12
"""How many moves are tried in each position of `search`: those that change the worth of the lines most."""

WIN = 1_000_000_000
"""A won game, less the plies that it takes."""

_NONE, _SEVERAL = -1, -2
_THEIRS = 8
"""The discs of side 1 on a line begin at this bit of its word."""


@compiled("int64(int64,int64)")
def worth_of(memory: int, count: int) -> int:
    """What a line with these discs is worth to side 0."""
    if count >> _THEIRS == 0:
        return signed(load(memory, WORTH + count))
    return 0 if count & 255 else -signed(load(memory, WORTH + (count >> _THEIRS)))


@compiled("void(int64,int64,int64,int64)")
def change(memory: int, cell: int, side: int, change_by: int) -> None:
    """A disc of `side` more (1) or less (-1) on a cell."""
    score = signed(load(memory, SCORE))
    store(memory, KEY, load(memory, KEY) ^ load(memory, KEYS + 2 * cell + side))
    for number in range(signed(load(memory, MEETING + cell))):
        line = COUNTS + signed(load(memory, CELL_LINES + MOST_MEETING * cell + number))
        before = signed(load(memory, line))
        after = before + (change_by << _THEIRS * side)
        store(memory, line, unsigned(after))
        score += worth_of(memory, after) - worth_of(memory, before)
    store(memory, SCORE, unsigned(score))


@exported("void(int64,int64,int64)")
def put(memory: int, cell: int, side: int) -> None:
    """A disc of `side` on an empty cell."""
    store(memory, BOARD + cell, unsigned(side + 1))
    change(memory, cell, side, 1)


@exported("void(int64,int64,int64)")
def take(memory: int, cell: int, side: int) -> None:
    """Undoes `put`."""
    store(memory, BOARD + cell, unsigned(0))
    change(memory, cell, side, -1)


@compiled("int64(int64,int64,int64)")
def empty_on(memory: int, line: int, number: int) -> int:
    """The empty cell with the index `number` on a line, which must have more empty cells than that."""
    place = LINE_CELLS + LONGEST * line
    while True:
        cell = signed(load(memory, place))
        if load(memory, BOARD + cell) == 0:
            if number == 0:
                return cell
            number -= 1
        place += 1


@compiled("int64(int64,int64)")
def completing(memory: int, side: int) -> int:
    """The only cell with which `side` completes a line; _NONE without such a cell, _SEVERAL for more."""
    found, almost = _NONE, (signed(load(memory, IN_LINE)) - 1) << _THEIRS * side
    for line in range(signed(load(memory, LINES))):
        if signed(load(memory, COUNTS + line)) == almost:
            cell = empty_on(memory, line, 0)
            if found not in (_NONE, cell):
                return _SEVERAL
            found = cell
    return found


@compiled("int64(int64,int64,int64)")
def completing_beside(memory: int, side: int, played: int) -> int:
    """As `completing`, of the lines through the cell that `side` has just played."""
    found, almost = _NONE, (signed(load(memory, IN_LINE)) - 1) << _THEIRS * side
    for number in range(signed(load(memory, MEETING + played))):
        line = signed(load(memory, CELL_LINES + MOST_MEETING * played + number))
        if signed(load(memory, COUNTS + line)) == almost:
            cell = empty_on(memory, line, 0)
            if found not in (_NONE, cell):
                return _SEVERAL
            found = cell
    return found


@exported("boolean(int64)")
def is_over(memory: int) -> bool:
    """Whether the search was stopped or has looked at enough."""
    return load(memory, STOP) != 0 or load(memory, NODES) >= load(memory, LIMIT)


@compiled("int64(int64)")
def by_fours(memory: int) -> int:
    """A cell with which side 0, to move, begins a win whose every move threatens to complete a line; else _NONE."""
    store(memory, NODES, load(memory, NODES) + unsigned(1))
    if is_over(memory):
        return _NONE
    almost = signed(load(memory, IN_LINE)) - 1
    for line in range(signed(load(memory, LINES))):
        if signed(load(memory, COUNTS + line)) == almost:
            return empty_on(memory, line, 0)
    forced = completing(memory, 1)
    table, slot = signed(load(memory, TABLE)), signed(load(memory, KEY) & load(memory, SLOTS))
    if forced == _SEVERAL or load(table, slot) == load(memory, KEY):
        return _NONE
    for line in range(signed(load(memory, LINES))):
        if signed(load(memory, COUNTS + line)) != almost - 1:
            continue
        for number in range(2):
            cell = empty_on(memory, line, number)
            if forced not in (_NONE, cell):
                continue
            put(memory, cell, 0)
            reply = completing_beside(memory, 0, cell)
            won = reply == _SEVERAL
            if reply >= 0:
                put(memory, reply, 1)
                won = by_fours(memory) != _NONE
                take(memory, reply, 1)
            take(memory, cell, 0)
            if won:
                return cell
    if not is_over(memory):
        store(table, slot, load(memory, KEY))
    return _NONE


@exported("int64(int64,int64)")
def by_threats(memory: int, depth: int) -> int:
    """As `by_fours`, with up to `depth` moves in each line of play that only threaten to begin such a win.

    All replies to such a threat are tried, first those that are likely to refute it.
    """
    found = by_fours(memory)
    if found != _NONE or depth == 0 or is_over(memory):
        return found
    forced = completing(memory, 1)
    cells, refutation = signed(load(memory, CELLS)), 0
    for cell in range(cells):
        if load(memory, BOARD + cell) != 0 or forced not in (_NONE, cell):
            continue
        put(memory, cell, 0)
        threat = by_fours(memory)
        won = threat != _NONE
        number = -2
        while won and number < cells:
            reply = threat if number == -2 else refutation if number == -1 else number
            number += 1
            if load(memory, BOARD + reply) == 0:
                put(memory, reply, 1)
                won = by_threats(memory, depth - 1) != _NONE
                take(memory, reply, 1)
                refutation = refutation if won else reply
        take(memory, cell, 0)
        if is_over(memory):
            return _NONE
        if won:
            return cell
    return _NONE


@compiled("int64(int64,int64,int64)")
def gain(memory: int, cell: int, side: int) -> int:
    """By how much a disc of either side on an empty cell would change what the lines are worth, together."""
    gained = 0
    for number in range(signed(load(memory, MEETING + cell))):
        count = signed(load(memory, COUNTS + signed(load(memory, CELL_LINES + MOST_MEETING * cell + number))))
        ours, theirs = count >> _THEIRS * side & 255, count >> _THEIRS * (1 - side) & 255
        if theirs == 0:
            gained += signed(load(memory, WORTH + ours + 1)) - signed(load(memory, WORTH + ours))
        if ours == 0:
            gained += signed(load(memory, WORTH + theirs + 1)) - signed(load(memory, WORTH + theirs)) - theirs
    return gained


@compiled("int64(int64,int64,int64)")
def choose_moves(memory: int, frame: int, side: int) -> int:
    """Writes the WIDTH cells with the greatest gain into the frame, the best first; their number."""
    count = 0
    for cell in range(signed(load(memory, CELLS))):
        if load(memory, BOARD + cell) != 0:
            continue
        word = gain(memory, cell, side) << 8 | cell
        place = count
        while place > 0 and signed(load(memory, frame + place - 1)) >> 8 < word >> 8:
            if place < WIDTH:
                store(memory, frame + place, load(memory, frame + place - 1))
            place -= 1
        if place < WIDTH:
            store(memory, frame + place, unsigned(word))
            count = min(count + 1, WIDTH)
    return count


@exported("int64(int64,int64,int64,int64,int64,int64)")
def search(memory: int, side: int, ply: int, depth: int, alpha: int, beta: int) -> int:
    """The value for `side`, to move, `depth` plies on, where forced replies cost none; anything once it is over."""
    store(memory, NODES, load(memory, NODES) + unsigned(1))
    if completing(memory, side) != _NONE:
        return WIN - ply - 1
    forced = completing(memory, 1 - side)
    if forced == _SEVERAL:
        return ply + 2 - WIN
    if is_over(memory) or ply >= _DEEPEST or (depth <= 0 and forced == _NONE):
        return -signed(load(memory, SCORE)) if side else signed(load(memory, SCORE))
    frame = _FRAMES + _FRAME * ply
    count = 1
    if forced == _NONE:
        count = choose_moves(memory, frame, side)
        if count == 0:
            return 0
    best = -WIN
    for place in range(count):
        cell = forced if forced != _NONE else signed(load(memory, frame + place)) & 255
        put(memory, cell, side)
        cost = 1 if forced == _NONE else 0
        value = -search(memory, 1 - side, ply + 1, depth - cost, -beta, -alpha)
        take(memory, cell, side)
        best = max(best, value)
        alpha = max(alpha, best)
        if alpha >= beta or is_over(memory):
            break
    return best
