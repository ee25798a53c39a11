"""What stands around a board, and which moves take a piece from one cell to another."""

import pytest

import games
from games import Morpion, Position
from games.frame import Frame, arrow_of, frame_of


@pytest.mark.parametrize(
    ("spec", "frame"),
    [
        ("morpion", Frame(("1", "2", "3"), ("a", "b", "c"), ("1", "2", "3"))),
        ("puissance4:width=3,height=4,k=3", Frame(("1", "2", "3"), (), ())),
        ("breakthrough:size=4", Frame((), ("a", "b", "c", "d"), ("4", "3", "2", "1"))),
    ],
)
def test_the_labels(spec: str, frame: Frame) -> None:
    assert frame_of(games.parse(spec)) == frame


@pytest.mark.parametrize(
    ("spec", "move", "arrow"),
    [
        ("breakthrough:size=4", "b2a3", ((1, 2), (0, 1))),
        ("othello", "d3", None),
        ("puissance4", "4", None),
    ],
)
def test_only_a_piece_that_leaves_its_cell_has_a_way(
    spec: str, move: str, arrow: tuple[tuple[int, int], tuple[int, int]] | None
) -> None:
    game = games.parse(spec)
    assert arrow_of(game, game.start(), move) == arrow


class Pointing(Morpion):
    """Its moves are made by two cells, the first of which nobody holds."""

    def move_cells(self, position: Position, move: str) -> tuple[tuple[int, int], ...]:
        return (2, 2), self.move_cell(position, move)


def test_from_an_empty_cell_nothing_leaves() -> None:
    game = Pointing()
    assert arrow_of(game, game.start(), "a1") is None
