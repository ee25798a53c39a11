"""What the Othello evaluation looks at, and the weights that it adds up. Pure Python: the reference of the fast search.

A position with `empties` empty cells belongs to stage `empties // STAGE_CELLS`, and each stage has weights of its own:

- for each pattern (a shape of up to ten cells, at every place that the symmetries of the board move it to) one weight
  for each way to fill it: edges with their X cells, corners, rows, diagonals (shapes of Buro, "Logistello", 1997);
- for each count (mobility, potential mobility, parity) one weight for each number that it may be.

The value is the sum, in hundredths of a disc, for the seat to move. A pattern is read as a number in balanced base
three: own disc 1, opponent's -1, empty 0, the first cell counting 1, the next 3, and so on. Seen by the other seat,
that number only changes its sign.

The weights lie in `othello_weights.bin`, made by `tools.fit_othello`: what a symmetry makes equal is stored once.
"""

import sys
import zlib
from array import array
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

STAGE_CELLS = 4
STAGES = 15
LIMIT = 6400
"""The most that a position may be worth, in hundredths of a disc."""

WEIGHTS = Path(__file__).with_name("othello_weights.bin")

SHAPES: Mapping[str, str] = {
    "edge": "a1 b1 c1 d1 e1 f1 g1 h1 b2 g2",
    "corner": "a1 b1 c1 a2 b2 c2 a3 b3 c3",
    "block": "a1 b1 c1 d1 e1 a2 b2 c2 d2 e2",
    "row2": "a2 b2 c2 d2 e2 f2 g2 h2",
    "row3": "a3 b3 c3 d3 e3 f3 g3 h3",
    "row4": "a4 b4 c4 d4 e4 f4 g4 h4",
    "diagonal8": "a1 b2 c3 d4 e5 f6 g7 h8",
    "diagonal7": "a2 b3 c4 d5 e6 f7 g8",
    "diagonal6": "a3 b4 c5 d6 e7 f8",
    "diagonal5": "a4 b5 c6 d7 e8",
    "diagonal4": "a5 b6 c7 d8",
}
"""A pattern in one of its places; the others follow."""

COUNTS: Mapping[str, int] = {"moves": 34, "replies": 34, "chances": 44, "threats": 44, "parity": 2}
"""The counts and how many values each has: moves of the seat to move and of the other, empty cells beside the other's
discs and beside its own, whether the number of empty cells is odd.
"""


@dataclass(frozen=True, slots=True)
class Feature:
    """A pattern at one of its places: its cells, and where in the weights of a stage the number 0 of it stands."""

    cells: tuple[int, ...]
    centre: int


@dataclass(frozen=True, slots=True)
class Layout:
    """Where everything stands in the weights of one stage.

    patterns: name -> (start, length) of its weights; counts likewise; features: the places of the patterns.
    size: how many weights a stage has.
    """

    patterns: Mapping[str, tuple[int, int]]
    counts: Mapping[str, tuple[int, int]]
    features: tuple[Feature, ...]
    size: int


def _symmetries() -> Iterator[Sequence[int]]:
    """The eight symmetries of the board, each as the cell that every cell moves to."""
    for turned in range(8):
        moved = []
        for cell in range(64):
            x, y = cell % 8, cell // 8
            x, y = (y, x) if turned & 4 else (x, y)
            moved.append((7 - x if turned & 1 else x) + 8 * (7 - y if turned & 2 else y))
        yield moved


def _places(shape: Sequence[int]) -> list[tuple[int, ...]]:
    """The different places of a shape; each lists its cells in the order of `shape`."""
    seen: dict[frozenset[int], tuple[int, ...]] = {}
    for moved in _symmetries():
        cells = tuple(moved[cell] for cell in shape)
        seen.setdefault(frozenset(cells), cells)
    return list(seen.values())


def _cells(names: str) -> tuple[int, ...]:
    return tuple("abcdefgh".index(name[0]) + 8 * (int(name[1]) - 1) for name in names.split())


@lru_cache(maxsize=1)
def layout() -> Layout:
    """The layout of the weights of a stage."""
    patterns: dict[str, tuple[int, int]] = {}
    counts: dict[str, tuple[int, int]] = {}
    features: list[Feature] = []
    start = 0
    for name, names in SHAPES.items():
        shape = _cells(names)
        length = 3 ** len(shape)
        patterns[name] = (start, length)
        features += (Feature(cells, start + length // 2) for cells in _places(shape))
        start += length
    for name, length in COUNTS.items():
        counts[name] = (start, length)
        start += length
    return Layout(patterns, counts, tuple(features), start)


def number(own: int, other: int, cells: Sequence[int]) -> int:
    """How the `cells` are filled, as a number in balanced base three."""
    found = 0
    for cell in reversed(cells):
        found = found * 3 + (own >> cell & 1) - (other >> cell & 1)
    return found


@lru_cache(maxsize=1)
def twins() -> "array[int]":
    """For each weight of a stage the first one that a symmetry of its pattern makes equal to it."""
    found = array("i", range(layout().size))
    for name, names in SHAPES.items():
        shape = _cells(names)
        start, length = layout().patterns[name]
        for moved in _symmetries():
            image = tuple(moved[cell] for cell in shape)
            if frozenset(image) == frozenset(shape) and image != shape:
                powers = [3 ** shape.index(cell) for cell in image]
                for place, twin in enumerate(_permuted(powers)):
                    found[start + place] = min(start + place, start + twin)
        assert len(found) >= start + length
    return found


def _permuted(powers: Sequence[int]) -> list[int]:
    """For each way to fill a pattern, in order, the one that it becomes if cell i counts `powers[i]`."""
    values = [0]
    for power in powers:
        values = [value + digit * power for digit in range(3) for value in values]
    return values


def stage_of(empties: int) -> int:
    """The stage of a position with `empties` empty cells."""
    return min(empties // STAGE_CELLS, STAGES - 1)


@lru_cache(maxsize=1)
def stored_weights() -> "array[int]":
    """The weights of all stages without those that a symmetry makes equal to one before, in hundredths of a disc."""
    packed = array("h")
    packed.frombytes(zlib.decompress(WEIGHTS.read_bytes()))
    if sys.byteorder == "big":
        packed.byteswap()
    return packed


@lru_cache(maxsize=1)
def stored_places() -> "array[int]":
    """For each weight of a stage, which of the stored ones of that stage it is."""
    places, stored = array("i"), 0
    for place, twin in enumerate(twins()):
        places.append(stored if place == twin else places[twin])
        stored += place == twin
    return places


@lru_cache(maxsize=STAGES)
def stage_weights(stage: int) -> "array[int]":
    """The weights of one stage, in the order of `layout()`."""
    packed, places = stored_weights(), stored_places()
    first = stage * (len(packed) // STAGES)
    return array("h", (packed[first + place] for place in places))


def pack_weights(stages: Sequence[Sequence[int]]) -> bytes:
    """The file that these weights of all stages are stored in."""
    own = [place for place, twin in enumerate(twins()) if place == twin]
    packed = array("h", (stage[place] for stage in stages for place in own))
    if sys.byteorder == "big":
        packed.byteswap()
    return zlib.compress(packed.tobytes(), 9)


def evaluate(own: int, other: int, moves: int, replies: int) -> int:
    """What a position is worth to the seat to move, from its discs and from the masks of the moves of both."""
    lay = layout()
    empty = ~(own | other) & (1 << 64) - 1
    weights = stage_weights(stage_of(empty.bit_count()))
    value = sum(weights[feature.centre + number(own, other, feature.cells)] for feature in lay.features)
    seen = (moves.bit_count(), replies.bit_count(), touching(other, empty), touching(own, empty), empty.bit_count() & 1)
    value += sum(weights[start + count] for (start, _), count in zip(lay.counts.values(), seen, strict=True))
    return max(-LIMIT, min(LIMIT, value))


def touching(discs: int, empty: int) -> int:
    """How many of the `empty` cells touch one of the `discs`."""
    row = discs | discs << 1 & 0xFEFEFEFEFEFEFEFE | discs >> 1 & 0x7F7F7F7F7F7F7F7F
    return ((row | row << 8 | row >> 8) & empty).bit_count()
