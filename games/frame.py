"""What a drawn board shows on it and around it, and what a move does there, in a terminal, an SVG and a page alike."""

from dataclasses import dataclass

from games.base import Game, Labels, Position, Words
from games.coordinates import LETTERS

Cell = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Frame:
    """The labels of a board: those of its columns above and below, those of its rows on the left; () for none."""

    top: tuple[str, ...]
    bottom: tuple[str, ...]
    left: tuple[str, ...]


def frame_of(game: Game) -> Frame:
    """The labels that the game's look asks for."""
    labels = game.profile.look.labels
    numbers = tuple(str(x + 1) for x in range(game.width))
    if labels is Labels.COLUMNS:
        return Frame(numbers, (), ())
    letters = tuple(LETTERS[: game.width])
    rows = tuple(str(y + 1) for y in range(game.height))
    if labels is Labels.FROM_BELOW:
        return Frame((), letters, rows[::-1])
    return Frame(numbers, letters, rows)


def cell_name(game: Game, cell: Cell) -> str:
    """What the labels call a cell: "d3", or the number of its column."""
    frame = frame_of(game)
    x, y = cell
    return f"{frame.bottom[x]}{frame.left[y]}" if frame.bottom else frame.top[x]


def move_name(game: Game, position: Position, move: str) -> Words:
    """What a button calls a legal move where its cells don't tell it from others: by the part that names no cell."""
    rest = move
    for cell in game.move_cells(position, move):
        rest = rest.replace(cell_name(game, cell), "", 1)
    names = {name.text: name.words for name in game.profile.move_names}
    return names.get(rest, Words(move, move))


def signs_of(position: Position) -> str:
    """What each cell holds, rows from the top: X, O, - for none, or the sign of a `Piece`."""
    return position.notation.partition(" ")[0]


def rows_of(game: Game, position: Position) -> tuple[str, ...]:
    """The signs of `signs_of`, by rows."""
    signs, width = signs_of(position), game.width
    return tuple([signs[first : first + width] for first in range(0, width * game.height, width)])


def board_of(game: Game, position: Position) -> list[list[int | str]]:
    """What programs get of each cell, by rows: 0 for nothing, 1 and 2 for the usual piece of a seat.

    For a `Piece` its count, where it has one, else its sign. New lists each time.
    """
    look = game.profile.look
    values: dict[str, int | str] = {"-": 0, "X": 1, "O": 2}
    values |= {piece.sign: piece.sign if piece.count is None else piece.count for piece in look.pieces}
    return [[values[sign] for sign in row] for row in rows_of(game, position)]


def arrow_of(game: Game, position: Position, move: str) -> tuple[Cell, Cell] | None:
    """From where to where `move` takes a piece of `position`; None for a move that takes none from its cell."""
    cells = game.move_cells(position, move)
    if len(cells) < 2:
        return None
    mover = position.to_move
    leaves = position.cell(*cells[0]) is mover and position.play(move).cell(*cells[0]) is not mover
    return (cells[0], cells[-1]) if leaves else None
