"""Cells that hold several pieces and belong to nobody: seeds in pits. Pictures show numbers, notations one sign."""

from typing import Final

from games.base import Piece, Words

SIGNS: Final = "-123456789ABCDEFGHIJKLMNPQRSTUVWYZabcdefghijklmnpqrstuvwyz"
"""How a notation writes each count from 0 on: `SIGNS[12]`, `SIGNS.index("C")`. X and O are none of them."""


def counted(most: int, one: Words, many: Words) -> tuple[Piece, ...]:
    """The pieces of a game in which 1 to `most` of something lie on a cell: "1 seed", "12 seeds". 57 at most."""
    assert most < len(SIGNS), most
    return tuple(
        Piece(SIGNS[count], Words(f"{count} {words.english}", f"{count} {words.french}"), count=count)
        for count in range(1, most + 1)
        for words in (one if count == 1 else many,)
    )
