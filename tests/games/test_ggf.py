"""GGF as the rules read it: boards of every size, names, moves with and without what is said of them."""

import pytest

from games import IllegalMove, Othello
from games.ggf import read, write


@pytest.mark.parametrize("size", [4, 6, 8, 10])
def test_what_is_written_is_read(size: int) -> None:
    game, moves = Othello(size), list[str]()
    position = game.start()
    while position.legal_moves():
        moves.append(position.legal_moves()[-1])
        position = position.play(moves[-1])
    text = write(game, moves, [("PB", "Ada [A]"), ("PW", "Bea; B")], [0.5, None])
    assert text.startswith("(;GM[Othello]")
    assert "//0.500]" in text
    assert read(text[2:-2]) == (game, tuple(moves), ("Ada (A)", "Bea, B"))


def test_what_is_missing_is_usual() -> None:
    assert read("GM[Othello]B[F5//1.2]W[ f6 ]B[pa]W[--]") == (Othello(), ("f5", "f6"), ("", ""))


def test_boards_and_moves_that_nobody_has() -> None:
    assert read("TY[7]B[d3]") is None
    assert read("TY[8r]B[d3]") is None
    with pytest.raises(IllegalMove):
        read("TY[8]B[z9]")


def test_brackets_that_nothing_closes_are_read_once() -> None:
    assert read("TY[8]B[d3]" + "a[" * 1_000_000) == (Othello(), ("d3",), ("", ""))
