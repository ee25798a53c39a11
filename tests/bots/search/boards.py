"""Positions as class material writes them, turned into positions of `games`."""

from collections.abc import Sequence

from games.base import Game, Position

NOTATION = {0: "-", 1: "X", 2: "O"}


def of_rows(game: Game, rows: Sequence[Sequence[int]], to_move: str = "X") -> Position:
    """The position of a list of rows of 0 (empty), 1 (first) and 2 (second)."""
    return game.position("".join(NOTATION[cell] for row in rows for cell in row) + f" {to_move}")


def of_columns(game: Game, columns: str, to_move: str) -> Position:
    """The position after discs in these 0-based columns, X first, with `to_move` to move whoever's turn it would be."""
    position = game.start()
    for column in columns:
        position = position.play(str(int(column) + 1))
    return game.position(f"{position.notation[:-1]}{to_move}")
