"""What presses on cells play where moves jump on from cell to cell: asked of the full screen and of the page alike.

The board has eight rows and eight columns, named as in chess; a move is written as all its cells.
"""

from __future__ import annotations

from typing import Final, NamedTuple

SIZE: Final = 8


class Pressed(NamedTuple):
    """After `presses`, of which the last alone may play: the move that this played, else what is held and marked."""

    moves: str
    presses: str
    played: str
    held: str = ""
    marked: str = ""


TWINS, FORK, STOPS = "c1a3c5 c1e3c5", "c1e3c5 c1e3g5", "c1e3 c1e3g5"

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
)


def hands(moves: str) -> dict[str, tuple[tuple[int, int], ...]]:
    """The legal moves with their cells, 0-based and row 0 on top."""
    return {
        move: tuple(("abcdefgh".index(move[at]), SIZE - int(move[at + 1])) for at in range(0, len(move), 2))
        for move in moves.split()
    }
