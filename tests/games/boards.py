"""Boards as tests write them and as documents print them: rows of 0, 1 and 2."""

from games import Game, Position, Seat
from games.base import position_after

Rows = list[list[int]]


def notation(rows: Rows, to_move: Seat = Seat.FIRST) -> str:
    """The notation of rows of 0 (empty), 1 (first) and 2 (second)."""
    return "".join("-XO"[cell] for row in rows for cell in row) + (" X" if to_move is Seat.FIRST else " O")


def place(game: Game, rows: Rows, to_move: Seat = Seat.FIRST) -> Position:
    """The position of a game with these rows."""
    return game.position(notation(rows, to_move))


def rows_of(game: Game, position: Position) -> Rows:
    """What stands on the board, read cell by cell."""
    return [[position.cell(x, y) or 0 for x in range(game.width)] for y in range(game.height)]


def drawn(text: str) -> Rows:
    """The rows of a drawing: one of "·.- ■X □O" a cell, spaces ignored; between bars a space is an empty cell."""
    cells = {"·": 0, ".": 0, "-": 0, "■": 1, "X": 1, "□": 2, "O": 2}
    lines = [line.strip() for line in text.strip().splitlines()]
    lines = [line.replace(" ", "-") if "|" in line else line for line in lines]
    return [[cells[mark] for mark in line if mark in cells] for line in lines]


def played(game: Game, moves: str) -> Position:
    """The position after a transcript."""
    return position_after(game, game.parse_transcript(moves))
