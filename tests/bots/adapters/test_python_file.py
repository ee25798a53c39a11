"""Files of class, unchanged: each interface is found, asked in its own terms and understood."""

from pathlib import Path

import pytest

from bots.base import BotSpecError, Budget
from tests.bots.adapters.files import answer, fault, write

COUP_JOUEUR = """
    def coup_joueur(config, joueur):
        assert config[3][3] == 2 and config[3][4] == 1, config
        return (3, 4)
"""


def test_coup_joueur_of_othello(tmp_path: Path) -> None:
    assert answer(write(tmp_path, COUP_JOUEUR), "othello") == "c4"


@pytest.mark.parametrize(("returned", "move"), [("3", "3"), ("3.0", "3"), ("(3, 6)", "3"), ("[7]", "7")])
def test_coup_joueur_of_puissance4(tmp_path: Path, returned: str, move: str) -> None:
    source = f"""
        def coup_joueur(config, joueur):
            assert (len(config), len(config[0]), config[5][3], joueur) == (6, 7, 1, 2)
            return {returned}
    """
    assert answer(write(tmp_path, source), "puissance4", "4") == move


def test_jeu_ia(tmp_path: Path) -> None:
    source = """
        def jeuStupide(grille, couleur):
            raise AssertionError("jeuIA is there")
        def jeuIA(grille, couleur):
            return [2, 3, [[3, 3]]]
    """
    assert answer(write(tmp_path, source), "othello") == "d3"


@pytest.mark.parametrize(
    "function", ["dfs_play(grid, player)", "bfs_play(grid, player)", "min_max_play(grid, player, depth)"]
)
def test_grid_play(tmp_path: Path, function: str) -> None:
    source = f"""
        def {function}:
            assert grid == [[1, 0, 0], [0, 0, 0], [0, 0, 0]] and player == 2
            return (1, 2)
    """
    assert answer(write(tmp_path, source), "morpion", "a1") == "c2"


def test_no_winning_line_plays_the_first_free_cell(tmp_path: Path) -> None:
    assert answer(write(tmp_path, "def dfs_play(grid, player): return None"), "morpion", "a1") == "b1"


def test_native(tmp_path: Path) -> None:
    source = """
        from bots.base import Budget
        def choose(position, budget):
            assert budget == Budget(remaining_ms=5000, increment_ms=10, opponent_ms=7)
            return position.legal_moves()[-1]
    """
    clock = Budget(remaining_ms=5000, increment_ms=10, opponent_ms=7)
    assert answer(write(tmp_path, source), "morpion:width=5", budget=clock) == "e3"
    assert answer(write(tmp_path, "def choose(position): return 'e4'"), "othello:size=6") == "e4"


def test_an_exception_is_shown_with_the_pupils_line(tmp_path: Path) -> None:
    source = """
        def indice(coups):
            return coups[7]
        def jeuIA(grille, couleur):
            return indice([1, 2])
    """
    error = fault(write(tmp_path, source), "othello")
    assert error.reason == "crash"
    assert str(error).splitlines()[:3] == [
        "pupil.py, line 3, in indice: IndexError: list index out of range",
        "    return coups[7]",
        "It was asked to play ■ (1) here:",
    ]
    assert "    4 · · · □ ■ · · ·" in str(error).splitlines()
    assert str(error).splitlines()[-1] == (
        "jeuIA may return here: [2, 3, [[3, 3]]], [3, 2, [[3, 3]]], [4, 5, [[4, 4]]], [5, 4, [[4, 4]]]"
    )


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(BotSpecError, match=r"There is no file .*absent\.py\.$"):
        answer(str(tmp_path / "absent.py"), "othello")
