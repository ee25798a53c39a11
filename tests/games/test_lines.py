"""Lines in masks: which cells belong to one, who has one, and what is no cell."""

from __future__ import annotations

import pytest

from games import Morpion, Puissance4, Seat
from games.in_line import LineGame
from games.lines import make_lines


@pytest.mark.parametrize(
    ("notation", "winner"),
    [
        ("XXXOOO--- X", Seat.SECOND),
        ("XXXOOO--- O", Seat.FIRST),
        ("XXX-OO--- X", Seat.FIRST),
        ("XX-OOO--- O", Seat.SECOND),
    ],
)
def test_if_both_have_a_line_the_one_who_has_just_moved_won(notation: str, winner: Seat) -> None:
    game = Morpion()
    first = sum(bit for bit, cell in zip(game.board.grid.bits, notation, strict=False) if cell == "X")
    second = sum(bit for bit, cell in zip(game.board.grid.bits, notation, strict=False) if cell == "O")
    start = game.start()
    position = type(start).build(game, first, second, Seat.FIRST if notation[-1] == "X" else Seat.SECOND)
    assert position.winner is winner
    outcome = position.outcome()
    assert outcome is not None
    assert outcome.winner is winner


@pytest.mark.parametrize("game", [Morpion(), Morpion(width=5, height=4, k=4), Puissance4(), Morpion(width=4, k=2)])
def test_the_cells_of_a_line_are_all_of_them_and_no_others(game: LineGame) -> None:
    grid, k = game.board.grid, game.board.lines.k
    for dx, dy in ((1, 0), (0, 1), (1, 1), (-1, 1)):
        for x in range(grid.width):
            for y in range(grid.height):
                cells = [(x + step * dx, y + step * dy) for step in range(k)]
                if all(0 <= a < grid.width and 0 <= b < grid.height for a, b in cells):
                    line = sum(grid.bit(a, b) for a, b in cells)
                    assert game.board.has_line(line)
                    assert game.board.lines.cells(line) == line
                    short = line - grid.bit(*cells[0])
                    assert not game.board.has_line(short)
                    assert game.board.lines.cells(short) == 0


@pytest.mark.parametrize(("x", "y"), [(-1, 0), (0, -1), (3, 0), (0, 2)])
def test_what_is_outside_is_no_cell(x: int, y: int) -> None:
    grid = Morpion(width=3, height=2).board.grid
    assert grid.bit(2, 1) == grid.bits[-1]
    with pytest.raises(IndexError, match=f"no cell {x}, {y} on a board of 3 x 2"):
        grid.bit(x, y)


@pytest.mark.parametrize("size", [9, 12, 20])
@pytest.mark.parametrize("k", [3, 4])
def test_the_cells_of_a_line_on_boards_of_any_number_of_bits(size: int, k: int) -> None:
    lines = make_lines(4, size, k)
    assert lines.has_line((1 << size) - 1)
    assert not lines.has_line(0)
    for start in range(size):
        for direction in lines.directions:
            cells = [start + step * direction for step in range(k)]
            if cells[-1] < size:
                assert lines.cells(sum(1 << cell for cell in cells)) == sum(1 << cell for cell in cells)
