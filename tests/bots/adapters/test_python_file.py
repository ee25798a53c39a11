"""Files of class, unchanged: each interface is found, asked in its own terms and understood."""

import re
from pathlib import Path

import pytest

from bots.adapters.pupils.interfaces import _ADVERSARIAL, NAMES, ROLES
from bots.adapters.pupils.supplied.board import Board
from bots.base import BotSpecError, Budget, parse_bot
from processes.launch_options import LaunchOptions
from tests.bots.adapters.files import answer, fault, write
from tests.bots.adapters.processes import play_match

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
        from arbitre.bots.base import Budget
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
    assert str(error).splitlines()[:4] == [
        "The index goes past the end of the list (IndexError: list index out of range)",
        "pupil.py, line 3, in indice:",
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


@pytest.mark.parametrize(
    ("parameters", "expected"),
    [
        ("ox, tbt, ply", ("O", "LEFT", 2)),
        ("ox, ply", ("O", 2)),
        ("ox='X', tbt='RANDOM', ply=5", ("O", "RANDOM", 5)),
        ("jeton, strategie, profondeur", ("O", "LEFT", 2)),
        ("", ()),
    ],
)
def test_player_is_made_with_what_it_wants(tmp_path: Path, parameters: str, expected: tuple[object, ...]) -> None:
    names = ", ".join(part.partition("=")[0].strip() for part in parameters.split(","))
    source = f"""
        class Player:
            def __init__(self, {parameters}):
                self.given = ({names + "," if names else ""})
            def nextMove(self, b):
                assert self.given == {expected}, self.given
                assert b.data[5] == [' ', ' ', ' ', 'X', ' ', ' ', ' '] and b.width == 7 and b.height == 6
                return 3.0
    """
    assert answer(write(tmp_path, source), "puissance4", "4") == "4"


def test_player_with_the_board_beside_it(tmp_path: Path) -> None:
    board = """
        class Board:
            def __init__(self, width, height):
                self.cols = [[] for _ in range(width)]
            def addMove(self, col, ox):
                self.cols[col].append(ox)
    """
    source = """
        from p4_board import Board
        class Player:
            def __init__(self, ox, tbt, ply): self.ox = ox
            def nextMove(self, b):
                assert isinstance(b, Board) and b.cols[3] == ['X', 'O'], b.cols
                return 6
    """
    assert answer(write(tmp_path, source, p4_board=board), "puissance4", "4", "4") == "7"


@pytest.mark.parametrize("line", ["from board import Board", "from Board import *", ""])
def test_player_without_a_board_is_given_one(tmp_path: Path, line: str) -> None:
    source = f"""
        {line}
        class Player:
            def __init__(self, ox): self.ox = ox
            def nextMove(self, b):
                copy = Board(b.width, b.height)
                copy.setBoard('3')
                assert repr(copy) == repr(b) and b.winFor('X') is False and not b.isFull() and b.allowsMove(3)
                return 0
    """
    assert answer(write(tmp_path, source), "puissance4", "4") == "1"


STRATEGY = """
    def strategy(game, state):
        assert state.to_move == 'O' and state[0, 0] == 'X', state
        return max(game.actions(state))
"""


@pytest.mark.parametrize(("game", "opening", "move"), [("morpion", "a1", "c3"), ("morpion:width=5,k=4", "a1", "e3")])
def test_strategy_over_classes_that_are_supplied(tmp_path: Path, game: str, opening: str, move: str) -> None:
    assert answer(write(tmp_path, STRATEGY), game, opening) == move


SEARCH = """
    def minimax_search(game, state):
        best = [(-game.utility(game.result(state, move), state.to_move), move) for move in game.actions(state)]
        return best[0][0], min(best)[1]
"""


@pytest.mark.parametrize(
    "player", ["", "\n    def player(search): return lambda game, state: search(game, state)[1]\n"]
)
def test_search_takes_the_win(tmp_path: Path, player: str) -> None:
    moves = ("b2", "a1", "a2", "a3")
    assert answer(write(tmp_path, SEARCH + player), "morpion", *moves) == "c2"
    assert answer(write(tmp_path, SEARCH + player), "puissance4", *"414242") == "4"


def test_a_file_with_classes_of_its_own(tmp_path: Path) -> None:
    source = """
        class Board(dict):
            to_move = 'X'
        class TicTacToe:
            def __init__(self): self.initial = Board()
            def result(self, board, square):
                new = Board(board)
                new[square], new.to_move = board.to_move, 'XO'[board.to_move == 'X']
                return new
        def strategy(game, state):
            assert type(game) is TicTacToe and state == {(1, 0): 'X', (2, 2): 'O'} and state.to_move == 'X'
            return [0, 1]
    """
    spec = write(tmp_path, source)
    assert answer(spec, "morpion", "b1", "c3") == "a2"


def test_a_function_that_the_user_names(tmp_path: Path) -> None:
    source = """
        def jeuStupide(grille, couleur): return [2, 3, []]
        def jeuIA(grille, couleur): return [3, 2, []]
        def mon_algo(config, joueur): return (6, 5)
    """
    spec = write(tmp_path, source)
    assert answer(spec, "othello") == "c4"
    assert answer(f"{spec}#jeuStupide", "othello") == "d3"
    assert answer(f"{spec}#mon_algo=coup_joueur", "othello") == "f5"


def test_main_finds_its_function_in_the_module_that_it_imports(tmp_path: Path) -> None:
    main = """
        import Othello as jeu
        def jouer():
            jeu.coup_joueur(jeu.creer_config_init(), 1)
        if __name__ == "__main__":
            jouer()
    """
    othello = """
        def coup_joueur(config, joueur):
            import main
            return main.jeu.coup_prefere()
        def coup_prefere(): return (4, 3)
    """
    assert answer(write(tmp_path, main, "main.py", Othello=othello), "othello") == "d3"


@pytest.mark.parametrize(("file", "name"), [("zoe/main.py", "zoe"), ("zoe/tp.py", "tp"), ("zoe/tp.py#jeuIA", "tp")])
def test_its_name_on_the_server(tmp_path: Path, file: str, name: str) -> None:
    (tmp_path / "zoe").mkdir()
    for neighbour in ("main.py", "tp.py"):
        (tmp_path / "zoe" / neighbour).touch()
    spec = parse_bot(f"{tmp_path}/{file}")
    assert spec.name(32) == name
    assert parse_bot(spec.spec) == spec


@pytest.mark.parametrize("page", ["class-files.md", "class-files.fr.md"])
def test_the_documentation_names_every_function(page: str) -> None:
    text = (Path(__file__).parents[3] / "docs" / page).read_text(encoding="utf-8")
    for name in (*NAMES, *ROLES, *_ADVERSARIAL):
        assert re.search(rf"\b{name}\b", text), name
    for method in (name for name in vars(Board) if not name.startswith("_") and name != "winFor"):
        assert f"`{method}`" in text, method


def test_it_is_told_once_that_a_file_prints(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    spec = write(tmp_path, "import sys\ndef choose(position):\n    print(sys.argv[1:])\n    return 'a1'")
    assert [answer(spec, "morpion"), answer(spec, "morpion")] == ["a1", "a1"]
    told = capsys.readouterr().err
    assert told.startswith("pupil.py, line 3, in choose: the file prints “[]”.")
    assert told.count("the file prints") == 1


def test_where_others_read_it_is_not_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    spec = write(tmp_path, "import sys\nprint('hello')\ndef choose(position):\n    print(sys.argv)\n    return 'a1'")
    assert answer(spec, "morpion", launch=LaunchOptions(quiet=True)) == "a1"
    assert capsys.readouterr().err == ""


@pytest.mark.slow
def test_a_fault_loses_that_game_and_the_next_one_is_played(tmp_path: Path) -> None:
    """A file that fails as the second player only: two games at once, real processes."""
    source = """
        def choose(position):
            return "a9" if position.to_move == 2 else position.legal_moves()[0]
    """
    records, said = play_match("--game", "morpion", write(tmp_path, source), "random", "--games", "4", "--seed", "1")
    lost = [record for record in records if record["bots"][1] != "random"]
    played = [record for record in records if record["bots"][0] != "random"]
    assert len(lost) == len(played) == 2
    assert {(record["reason"], record["winner"]) for record in lost} == {("illegal", 1)}
    assert {record["reason"] for record in played} <= {"line", "full"}
    assert "choose returned 'a9', an illegal move. a9 is not on the board." in said
