"""Othello on 8x8 as machine code: moves, flips, stable discs, perft.

A board is two masks, `own` (the seat to move) and `other`; bit y * 8 + x is cell (x, y), as in `games.othello_board`,
in an int64 whose sign is the bit of h8. `moves` and `flips` look in four directions at once: they are written in LLVM's
own vectors of four 64-bit lanes, which become AVX instructions where the processor has them and plain ones elsewhere.

numba lets LLVM believe that sums, differences and products of int64 never overflow; masks do, h8 being their sign. So
they are shifted and joined, and multiplied or counted down only as uint64 or as an instruction of our own.

Sources: parallel prefix ("Kogge-Stone fill") for the moves; for the flips towards higher bits the carry of an addition,
towards lower bits the number of leading zeros (chessprogramming.org, "Fill Algorithms" and "Hyperbola Quintessence").
"""

from typing import Any

from llvmlite import ir

from bots.search.lanes import WORD, call, instruction, row, splat, vector
from bots.search.machine import compiled, exported, load, popcount, signed, trailing_zeros, unsigned

NOT_WEST, NOT_EAST, COLUMN_A = -0x0101010101010102, 0x7F7F7F7F7F7F7F7F, 0x0101010101010101
CORNERS = -0x7EFFFFFFFFFFFF7F
INSIDE = 0x007E7E7E7E7E7E00

_LANES = ir.VectorType(WORD, 4)
_STEPS = ((1, 0), (-1, 1), (0, 1), (1, 1))
"""The four directions towards higher bits as (dx, dy); the other four are their opposites."""

_SHIFTS = tuple(dy * 8 + dx for dx, dy in _STEPS)
_INNER_COLUMNS = 0x7E7E7E7E7E7E7E7E


def _join(builder: Any, lanes: Any, how: str) -> Any:
    """The four lanes joined by "or" or "and"."""
    return call(builder, f"llvm.vector.reduce.{how}.v4i64", WORD, [lanes])


def _columns(dx: int) -> int:
    """The cells that a step of `dx` columns can lead to without leaving the board at the side."""
    return sum(1 << cell for cell in range(64) if 0 <= cell % 8 - dx < 8)


def _rays(sign: int) -> list[Any]:
    """For each cell the four rays from it in the directions `_STEPS`, or with sign -1 against them."""

    def ray(x: int, y: int, dx: int, dy: int) -> int:
        cells = ((x + sign * dx * step, y + sign * dy * step) for step in range(1, 8))
        return sum(1 << v * 8 + u for u, v in cells if 0 <= u < 8 and 0 <= v < 8)

    return [vector(_LANES, [ray(cell % 8, cell // 8, dx, dy) for dx, dy in _STEPS]) for cell in range(64)]


@instruction("int64(int64)")
def without_lowest(builder: Any, mask: Any) -> Any:
    """The mask without its lowest bit."""
    return builder.and_(mask, builder.sub(mask, WORD(1)))


@instruction("int64(int64,int64)")
def moves(builder: Any, own: Any, other: Any) -> Any:
    """The cells that `own` may take."""
    mine = splat(builder, _LANES, own)
    inside = vector(_LANES, [_INNER_COLUMNS if dx else -1 for dx, _ in _STEPS])
    theirs = builder.and_(splat(builder, _LANES, other), inside)
    once, twice = vector(_LANES, _SHIFTS), vector(_LANES, [2 * shift for shift in _SHIFTS])
    found = []
    for shift in (builder.shl, builder.lshr):
        run = builder.and_(theirs, shift(mine, once))
        run = builder.or_(run, builder.and_(theirs, shift(run, once)))
        pairs = builder.and_(theirs, shift(theirs, once))
        for _ in range(2):
            run = builder.or_(run, builder.and_(pairs, shift(run, twice)))
        found.append(shift(run, once))
    cells = _join(builder, builder.or_(*found), "or")
    return builder.and_(cells, builder.not_(builder.or_(own, other)))


@instruction("int64(int64,int64,int64)")
def flips(builder: Any, cell: Any, own: Any, other: Any) -> Any:
    """The discs that `own` flips by taking the empty `cell` (0 to 63), 0 if that is illegal."""
    mine, theirs = splat(builder, _LANES, own), splat(builder, _LANES, other)
    one = vector(_LANES, [1] * 4)
    ray = row(builder, "othello.rays.up", _LANES, lambda: _rays(1), cell)
    end = builder.add(builder.or_(theirs, builder.not_(ray)), one)
    end = builder.and_(builder.and_(end, mine), ray)
    found = builder.sext(builder.icmp_signed("!=", end, vector(_LANES, [0] * 4)), _LANES)
    up = builder.and_(builder.add(end, found), ray)
    ray = row(builder, "othello.rays.down", _LANES, lambda: _rays(-1), cell)
    stops = builder.or_(builder.and_(ray, builder.not_(theirs)), one)  # never 0: a shift by 64 means nothing
    above = call(builder, "llvm.ctlz.v4i64", _LANES, [stops, ir.IntType(1)(1)])
    end = builder.lshr(vector(_LANES, [1 << 63] * 4), above)
    end = builder.and_(builder.and_(end, mine), ray)
    down = builder.and_(ray, builder.neg(builder.shl(end, one)))
    return _join(builder, builder.or_(up, down), "or")


@instruction("int64(int64,int64,int64)")
def protected(builder: Any, own: Any, filled: Any, stable: Any) -> Any:
    """The inner discs of `own` that in each direction lie in a full line or beside one of its `stable` discs."""
    up = down = builder.not_(splat(builder, _LANES, filled))  # what is empty spreads along its lines
    for steps in (1, 2, 4):
        shift = vector(_LANES, [steps * one for one in _SHIFTS])
        reached = [vector(_LANES, [_columns(steps * sign * dx) for dx, _ in _STEPS]) for sign in (1, -1)]
        up = builder.or_(up, builder.and_(builder.shl(up, shift), reached[0]))
        down = builder.or_(down, builder.and_(builder.lshr(down, shift), reached[1]))
    full = builder.not_(builder.or_(up, down))
    spread, once = splat(builder, _LANES, stable), vector(_LANES, _SHIFTS)
    beside = builder.or_(builder.shl(spread, once), builder.lshr(spread, once))
    return builder.and_(_join(builder, builder.or_(full, beside), "and"), builder.and_(own, WORD(INSIDE)))


@exported("int64(int64,int64)")
def legal_cells(own: int, other: int) -> int:
    """`moves` for callers in Python."""
    return moves(own, other)


@exported("int64(int64,int64,int64)")
def perft(own: int, other: int, depth: int) -> int:
    """The leaves at `depth`: a forced pass costs a ply, a finished game is a leaf (see games.perft)."""
    legal = moves(own, other)
    if legal == 0:
        if depth == 0 or moves(other, own) == 0:
            return 1
        return perft(other, own, depth - 1)
    if depth == 0:
        return 1
    if depth == 1:
        return popcount(legal)
    leaves = 0
    while legal:
        cell = trailing_zeros(legal)
        legal = without_lowest(legal)
        flipped = flips(cell, own, other)
        theirs, mine = other ^ flipped, own ^ flipped ^ (1 << cell)
        if depth == 2:
            replies = popcount(moves(theirs, mine))
            leaves += replies if replies > 0 else 1
        else:
            leaves += perft(theirs, mine, depth - 1)
    return leaves


@compiled("int64(int64,int64)")
def down(mask: int, cells: int) -> int:
    """The mask moved to lower bits; the sign is a bit like the others."""
    return signed(unsigned(mask) >> unsigned(cells))


@compiled("int64(int64,int64)")
def potential_moves(own: int, other: int) -> int:
    """How many empty cells touch a disc of `other`: those that may become moves of `own`."""
    row = other | other << 1 & NOT_WEST | down(other, 1) & NOT_EAST
    return popcount((row | row << 8 | down(row, 8)) & ~(own | other))


@compiled("int64(int64,int64,int64)")
def edge_of(edges: int, own: int, other: int) -> int:
    """The stable discs of `own` on one edge, both given as eight bits; `edges` is the address of `stable_edges()`."""
    place = own << 8 | other
    return signed(load(edges, place >> 3) >> unsigned((place & 7) * 8)) & 0xFF


@compiled("int64(int64)")
def west_edge(mask: int) -> int:
    """The cells of the column a as eight bits, a1 the lowest."""
    return signed(unsigned(mask & COLUMN_A) * unsigned(0x0102040810204080) >> unsigned(56))


@compiled("int64(int64)")
def to_west_edge(bits: int) -> int:
    """Eight bits as cells of the column a."""
    low = (bits & 15) * 0x00204081 & 0x01010101
    high = (bits >> 4) * 0x00204081 & 0x01010101
    return low | high << 32


@exported("int64(int64,int64,int64)")
def stable_discs(edges: int, own: int, other: int) -> int:
    """Discs of `own` that can never be flipped: those of the edges exactly, inside those that others protect."""
    stable = edge_of(edges, own & 0xFF, other & 0xFF)
    stable |= edge_of(edges, down(own, 56), down(other, 56)) << 56
    stable |= to_west_edge(edge_of(edges, west_edge(own), west_edge(other)))
    stable |= to_west_edge(edge_of(edges, west_edge(down(own, 7)), west_edge(down(other, 7)))) << 7
    more = stable | protected(own, own | other, stable)
    while more != stable:
        stable = more
        more |= protected(own, own | other, stable)
    return stable
