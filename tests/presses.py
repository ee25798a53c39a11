"""What presses on cells play where moves jump on from cell to cell: asked of the full screen and of the page alike.

The board has eight rows and eight columns, named as in chess; a move is written as all its cells, with letters around
them that name no cell.
"""

from __future__ import annotations

import re
from typing import Final, NamedTuple

SIZE: Final = 8


class Pressed(NamedTuple):
    """After `presses`, of which the last alone may play: the move that this played, else what is held and marked.

    named: the moves that can then be chosen by name.
    """

    moves: str
    presses: str
    played: str
    held: str = ""
    marked: str = ""
    named: str = ""


TWINS, FORK, STOPS = "c1a3c5 c1e3c5", "c1e3c5 c1e3g5", "c1e3 c1e3g5"
CROWNED = "c7c8q c7c8n"

TABLE: Final = (
    Pressed("c1e3g5", "c1", "", "c1", "e3 g5"),
    Pressed("c1e3g5", "c1 e3", "c1e3g5"),
    Pressed("c1e3g5", "c1 g5", "c1e3g5"),
    Pressed("c1e3g5", "c1 c1", ""),
    Pressed(TWINS, "c1", "", "c1", "a3 c5 e3"),
    Pressed(TWINS, "c1 a3", "c1a3c5"),
    Pressed(TWINS, "c1 e3", "c1e3c5"),
    Pressed(TWINS, "c1 c5", "", "c1 c5", "a3 e3"),
    Pressed(TWINS, "c1 c5 a3", "c1a3c5"),
    Pressed(TWINS, "c1 c5 e3", "c1e3c5"),
    Pressed(TWINS, "c1 c5 c5", ""),
    Pressed(f"{TWINS} c1e3g5", "c1 c5 e3", "c1e3c5"),
    Pressed(FORK, "c1 e3", "", "c1 e3", "c5 g5"),
    Pressed(FORK, "c1 e3 g5", "c1e3g5"),
    Pressed(FORK, "c1 g5", "c1e3g5"),
    Pressed(FORK, "c1 e3 e3", ""),
    Pressed(FORK, "c1 e3 c1", ""),
    Pressed(f"{FORK} g1h2", "c1 e3 g1", "", "g1", "h2"),
    Pressed(f"{FORK} h8", "c1 e3 h8", "h8"),
    Pressed("c1e3c1", "c1", "", "c1", "c1 e3"),
    Pressed("c1e3c1", "c1 c1", "c1e3c1"),
    Pressed("c1e3c1 c1e3g5", "c1 e3", "", "c1 e3", "c1 g5"),
    Pressed("c1e3c1 c1e3g5", "c1 e3 c1", "c1e3c1"),
    Pressed("c1e3c1 c1a3c1", "c1 c1", ""),
    Pressed("c1e3c1 c1a3c1", "c1 a3", "c1a3c1"),
    Pressed(STOPS, "c1 e3", "", "c1 e3", "e3 g5"),
    Pressed(STOPS, "c1 e3 e3", "c1e3"),
    Pressed(STOPS, "c1 e3 g5", "c1e3g5"),
    Pressed("c1c5 c1a3c5", "c1 c5", "", "c1 c5", "a3 c5"),
    Pressed("c1c5 c1a3c5", "c1 c5 c5", "c1c5"),
    Pressed("c1c5 c1a3c5", "c1 c5 a3", "c1a3c5"),
    Pressed("c1e3g5 c1c5e3", "c1 e3", "", "c1 e3", "c5 e3 g5"),
    Pressed("c1e3g5 c1c5e3", "c1 e3 e3", "c1c5e3"),
    Pressed("c1e3g5 c1c5e3", "c1 e3 g5", "c1e3g5"),
    Pressed(CROWNED, "c7", "", "c7", "c8"),
    Pressed(CROWNED, "c7 c8", "", "c7 c8", "", CROWNED),
    Pressed(CROWNED, "c7 c8 c8", ""),
    Pressed(f"{CROWNED} c7d8", "c7 d8", "c7d8"),
    Pressed(f"{CROWNED} c7d8q c7d8n", "c7 d8", "", "c7 d8", "", "c7d8q c7d8n"),
    Pressed(f"{CROWNED} c7c8e6", "c7 c8", "", "c7 c8", "e6", CROWNED),
    Pressed(f"{CROWNED} c7c8e6", "c7 c8 e6", "c7c8e6"),
    Pressed("c7c8q", "c7 c8", "c7c8q"),
    Pressed("nb3 qb3 c4", "b3", "", "b3", "", "nb3 qb3"),
    Pressed("nb3 qb3 c4", "b3 b3", "", named=""),
    Pressed("nb3 qb3 c4", "b3 c4", "c4"),
    Pressed("pass swap c4 c1c2", "c1", "", "c1", "c2"),
    Pressed("pass swap c4 c1c2", "c1 c1", "", named="pass swap"),
    Pressed("pass swap c4 c1c2", "c4", "c4"),
)


def hands(moves: str) -> dict[str, tuple[tuple[int, int], ...]]:
    """The legal moves with their cells, 0-based and row 0 on top."""
    return {
        move: tuple(("abcdefgh".index(name[0]), SIZE - int(name[1])) for name in re.findall("[a-h][1-8]", move))
        for move in moves.split()
    }
