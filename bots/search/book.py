"""The opening book of Puissance 4 (7x6): the perfect player's move at each of its own turns in the first plies.

The book is `puissance4.book`, made by `tools.make_book`: words of 64 bits, little endian, in ascending order. A
word is the key of a position (the mover's discs plus all discs, see `games.puissance4`, or its mirror image if that is
less) times 512, plus score + 32 times 8, plus the column of the move (from 0, in the image that gave the key).
"""

import sys
from array import array
from bisect import bisect_left
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from bots.search.kernels import masks_of
from games.base import Position
from games.puissance4 import Puissance4

PATH = Path(__file__).with_name("puissance4.book")
PLIES = 8
"""The last ply that the book is made for."""

_WIDTH, _HEIGHT = 7, 6
_STRIDE = _HEIGHT + 1
_COLUMN = (1 << _STRIDE) - 1


class BookEntry(NamedTuple):
    """What the book says: the best move, and the score for who plays it."""

    move: str
    score: int


def is_for(game: object) -> bool:
    """Whether the book is about these rules."""
    return game == Puissance4()


def key_of(position: Position) -> tuple[int, bool]:
    """The key of a position, and whether it is that of the mirror image."""
    own, other = masks_of(position)
    key = own + (own | other)
    mirrored = sum((key >> x * _STRIDE & _COLUMN) << (_WIDTH - 1 - x) * _STRIDE for x in range(_WIDTH))
    return min(key, mirrored), mirrored < key


def pack(key: int, *, mirrored: bool, move: str, score: int) -> int:
    """The word of an entry."""
    column = int(move) - 1
    return key << 9 | score + 32 << 3 | (_WIDTH - 1 - column if mirrored else column)


def write(words: list[int], path: Path = PATH) -> None:
    """Writes the book."""
    packed = array("Q", sorted(words))
    if sys.byteorder == "big":
        packed.byteswap()
    path.write_bytes(packed.tobytes())


@lru_cache(maxsize=1)
def read(path: Path = PATH) -> "array[int]":
    """The words of the book."""
    words = array("Q", path.read_bytes())
    if sys.byteorder == "big":
        words.byteswap()
    return words


def look_up(position: Position) -> BookEntry | None:
    """What the book says of a position of the game that it is for; None if nothing."""
    key, mirrored = key_of(position)
    words = read()
    place = bisect_left(words, key << 9)
    if place == len(words) or words[place] >> 9 != key:
        return None
    column = words[place] & 7
    return BookEntry(str((_WIDTH - 1 - column if mirrored else column) + 1), (words[place] >> 3 & 63) - 32)
