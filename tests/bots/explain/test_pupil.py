"""A pupil's own function is drawn as the tree that it walked; whatever the file does, the reader gets a sentence."""

import json
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

import arbitre
import games
from bots.adapters.pupils import calls as wire
from bots.adapters.pupils.calls import MOST_CALLS, BadLineError, Call, End
from bots.adapters.pupils.recursion import watched_in
from bots.adapters.pupils.shown import Boards, brief, number_in
from bots.adapters.pupils.trouble import Sources
from bots.base import parse_bot
from bots.explain.calls import tree_of
from bots.explain.pupil import explain_file
from bots.explain.svg import draw_svg
from bots.explain.text import WIDTH, draw_text
from bots.explain.tree import ExplainError, Explanation, Node
from games.base import position_after
from terminal.board import Style
from terminal.text import cells_wide

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[3]

Write = Callable[[str], str]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    def write_file(text: str) -> str:
        path = tmp_path / "pupil.py"
        path.write_text(text, encoding="utf-8")
        return str(path)

    return write_file


def explained(spec: str, moves: str, file: str) -> Explanation:
    game = games.parse(spec)
    position = position_after(game, game.parse_transcript(moves))
    explanation = explain_file(game, position, parse_bot(file))
    assert max(map(cells_wide, draw_text(explanation, Style(), 60))) <= WIDTH
    ET.fromstring(draw_svg(explanation, 60))
    return explanation


MINIMAX = """
def vides(grille):
    return [(i, j) for i in range(3) for j in range(3) if grille[i][j] == 0]

def gagne(grille, joueur):
    lignes = [[(i, j) for j in range(3)] for i in range(3)] + [[(i, j) for i in range(3)] for j in range(3)]
    lignes += [[(i, i) for i in range(3)], [(i, 2 - i) for i in range(3)]]
    return any(all(grille[i][j] == joueur for i, j in ligne) for ligne in lignes)

def minimax(grille, joueur, profondeur):
    if gagne(grille, 1):
        return 1
    if gagne(grille, 2):
        return -1
    if profondeur == 0 or not vides(grille):
        return 0
    valeurs = []
    for i, j in vides(grille):
        grille[i][j] = joueur
        valeurs.append(minimax(grille, 3 - joueur, profondeur - 1))
        grille[i][j] = 0
    return max(valeurs) if joueur == 1 else min(valeurs)

def min_max_play(grid, player, depth):
    coups = {}
    for i, j in vides(grid):
        grid[i][j] = player
        coups[(i, j)] = minimax(grid, 3 - player, 1)
        grid[i][j] = 0
    return (max if player == 1 else min)(coups, key=coups.get)
"""


def test_the_tree_is_the_one_that_the_function_walked(write: Write) -> None:
    """The board is changed and changed back: each call has the board that it was given."""
    explanation = explained("morpion", "a1 b2 b1 a3", write(MINIMAX))
    root = explanation.root
    assert explanation.move == "c1"
    assert [child.move for child in root.children] == list(root.position.legal_moves())
    assert {child.name for child in root.children} >= {"c1 minimax(grille, 2, 1)", "a2 minimax(grille, 2, 1)"}
    for node in root.walk():
        for child in node.children:
            assert child.position == node.position.play(child.move)
    values = {child.move: child.said for child in root.children}
    assert values["c1"] == "→ 1"
    assert values["a2"] == "→ −1 = min"
    assert [child.move for child in root.children if child.chosen] == ["c1"]
    assert explanation.positions == 5 + 4 * 4  # five moves; below those that don't win at once four each


EXAMPLES = [
    ("othello", "d3", "othello/main.py", "min_max"),
    ("morpion", "b2 a1", "morpion/ai.py", "mini_min_max"),
    ("morpion", "b2 a1 c3", "adversaires/jeux.py", "value"),
    ("puissance4", "445", "puissance4_classes/player.py", "scoresFor"),
    ("othello", "d3", "tp23/TP23.py", "minimax"),
    ("puissance4", "445", "puissance4/main.py", "min_max"),
]


@pytest.mark.parametrize(("spec", "moves", "file", "function"), EXAMPLES)
def test_the_solved_exercises_of_the_documents(spec: str, moves: str, file: str, function: str) -> None:
    explanation = explained(spec, moves, str(ROOT / "examples" / "classroom" / file))
    assert explanation.move in explanation.root.position.legal_moves()
    assert any(f"{function}(" in node.name for node in explanation.root.walk())
    reached = [node for node in explanation.root.walk() if node.move]
    assert len(reached) > 10
    for node in explanation.root.walk():
        for child in node.children:
            if child.move:
                assert child.has_board
    assert next(child.move for child in _line(explanation.root) if child.move) == explanation.move


def _line(node: Node) -> list[Node]:
    found = [node]
    while following := next((child for child in found[-1].children if child.chosen), None):
        found.append(following)
    return found


def test_only_what_is_recursive_is_recorded_and_no_helper_of_it() -> None:
    sources = Sources()
    sources.add(
        "a.py",
        "a.py",
        """
def ligne(x, n):
    return 0 if n == 0 else 1 + ligne(x, n - 1)
def haut(etat):
    return max([bas(etat) for _ in range(2)]) + ligne(etat, 3)
def bas(etat):
    return min(map(lambda each: haut(each), [etat]))
def autre(etat):
    return autre(etat)
def jeu(x):
    return jeu(choix(x))
def choix(etat):
    def dedans(n):
        return dedans(n - 1)
    return haut(etat)
def seul(etat):
    return aide(etat)
def aide(etat):
    return 1
""",
    )

    def names(function: str) -> set[str]:
        return {key[2] for key in watched_in(sources, function)}

    assert names("choix") == {"haut", "bas", "dedans"}
    assert names("autre") == {"autre"}
    assert names("seul") == {"seul", "aide"}
    assert set(watched_in(sources, "seul").values()) == {False}


FAULTS = [
    (
        "def choose(position):\n    return f(3)\ndef f(n):\n    return 1 // 0 if n == 0 else f(n - 1)\n",
        "ZeroDivisionError",
    ),
    ("def choose(position):\n    return f(3)\ndef f(n):\n    return f(n + 1)\n", "RecursionError"),
    ("def choose(position):\n    return f(3)\ndef f(n):\n    return 'z9' if n == 0 else f(n - 1)\n", "z9"),
    ("def choose(position):\n    return f(3)\ndef f(n):\n    return f(n - 1) if n else input('?')\n", "keyboard"),
    ("def choose(position):\n    return f(2)\ndef f(n):\n    raise SystemExit if n == 0 else f(n - 1)\n", "f"),
]


@pytest.mark.parametrize(("text", "said"), FAULTS)
def test_what_fails_is_said_and_the_calls_before_are_shown(text: str, said: str, write: Write) -> None:
    explanation = explained("morpion", "", write(text))
    assert explanation.move == ""
    lines = draw_text(explanation, Style(), 60)
    assert any("plays no move" in line for line in lines)
    assert any(said in line for line in lines)
    assert explanation.positions > 2


ENDLESS = """
def choose(position):
    return f(position, 3)
def f(position, n):
    while n == 0:
        pass
    return f(position, n - 1)
"""


def test_an_endless_loop_shows_where_it_hangs(write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bots.explain.pupil.LONGEST_TRACE_S", 1.0)
    explanation = explained("morpion", "", write(ENDLESS))
    lines = draw_text(explanation, Style(), 60)
    assert any("endless loop" in line for line in lines)
    assert [node.said for node in explanation.root.walk()][-1] == "→ not yet"
    assert explanation.positions == 4


def test_many_and_deep_calls_are_bounded(write: Write) -> None:
    file = write("""
import sys
sys.setrecursionlimit(5000)
def choose(position):
    f(12)
    g(1500)
    return position.legal_moves()[0]
def f(n):
    return 1 if n == 0 else f(n - 1) + f(n - 1)
def g(n):
    return 0 if n == 0 else 1 + g(n - 1)
""")
    explanation = explained("morpion", "", file)
    assert explanation.move == "a1"
    assert explanation.positions == MOST_CALLS - 1
    assert f"{MOST_CALLS - 1} of {2**13 - 1 + 1501} calls are recorded." in draw_text(explanation, Style(), 60)


def test_odd_arguments_are_shown_without_running_their_code(write: Write) -> None:
    file = write("""
class Odd(list):
    def __repr__(self): raise SystemExit
    def __len__(self): raise ValueError
    def __getitem__(self, at): raise ValueError
class Wide:
    def __getattr__(self, name): raise RuntimeError
    def __repr__(self): raise SystemExit
def walk(n):
    yield n
    if n: yield from walk(n - 1)
def choose(position):
    f(2, Odd(), Wide(), "x" * 10**6, list(range(10**6)), {1: 2}, 10**50, b=set(), nan=float("nan"))
    list(walk(5))
    return position.legal_moves()[0]
def f(n, *args, b=None, **kwargs):
    g(n, *args)
    return f(n - 1, *args) if n else Odd()
def g(n, odd, wide, text, items, table, number):
    return f(0) if n > 5 else float("inf")
""")
    explanation = explained("morpion", "", file)
    assert explanation.move == "a1"
    assert all(len(node.name) < 100 for node in explanation.root.walk())


def test_a_file_that_writes_into_our_answers_is_refused_in_a_sentence(write: Write) -> None:
    file = write("""
import os
def choose(position):
    for number in range(3, 30):
        try:
            os.write(number, b'{"type": "calls", "calls": [{"above": 7}]}' + bytes([10]))
        except OSError:
            pass
    return f(1, position)
def f(n, position):
    return f(n - 1, position) if n else position.legal_moves()[0]
""")
    with pytest.raises(ExplainError):
        explained("morpion", "", file)


LINES = [
    "",
    "null",
    "[]",
    '{"type": "calls"}',
    '{"type": "calls", "calls": [3]}',
    '{"type": "end", "calls": 1, "trouble": 3}',
    '{"type": "other"}',
    "[" * 100_000,
]


@pytest.mark.parametrize("line", LINES)
def test_nonsense_is_a_value_error(line: str) -> None:
    with pytest.raises(BadLineError):
        wire.read(line, 0)


def test_what_travels_comes_back() -> None:
    calls = [Call(-1, "f"), Call(0, "g", [("n", "1")], "XO-------", "3", 3, left_out=2)]
    read = wire.read(wire.write_calls(calls), 0)
    assert isinstance(read, list)
    assert wire.write_calls(read) == wire.write_calls(calls)
    assert wire.read(wire.write_end(End(7, "a1")), 0) == End(7, "a1")
    for above, known in ((5, 0), (0, 0), (-1, 3), (7, 3)):
        with pytest.raises(BadLineError):
            wire.read(wire.write_calls([Call(above, "f")]), known)
    with pytest.raises(BadLineError):
        wire.read(wire.write_calls([Call(0, "f")]), MOST_CALLS)


def test_boards_in_the_forms_that_programs_have() -> None:
    game = games.parse("morpion")
    boards = Boards(game, game.start())
    rows = [[1, 0, 0], [0, 2, 0], [0, 0, 0]]

    class Holder:
        def __init__(self, value: object) -> None:
            self.depth, self.inner = 3, value

    class State(dict[tuple[int, int], str]):
        width = 3

    empty = State()
    empty.__dict__["width"] = 3
    cells = "X---O----"
    flat = [cell for row in rows for cell in row]
    same: list[object] = [rows, [tuple(row) for row in rows], flat, "X...O....", ["X  ", " O ", "   "]]
    for value in same:
        assert boards.cells(value) == cells
        assert boards.cells(Holder(value)) == cells
        assert boards.cells(Holder(Holder(value))) == cells
    assert boards.cells({(0, 0): "X", (1, 1): "O"}) == cells
    assert boards.cells(game.position(f"{cells} X")) == cells
    assert boards.cells(empty) == "-" * 9
    others: list[object] = [{}, {(9, 9): "X"}, {1: 2}, rows[:2], [[1, 7, 0]] * 3, "abc", 3, None, [rows], Holder]
    for value in (*others, [[1.0, 0, 0]] * 3):
        assert boards.cells(value) == ""


def test_values_in_short() -> None:
    assert [brief(value) for value in (1, "a", (1,), [1, [2, [3, [4]]]], {1: 2}, {}, None, 1.5)] == [
        "1", "'a'", "(1,)", "[1, [2, [3, […]]]]", "{…}", "{}", "None", "1.5",
    ]  # fmt: skip
    assert brief(10**100) == "…"
    assert number_in((3, "a")) == 3
    assert number_in(True) is None
    assert number_in([1, 2, 3, 4]) is None


def test_max_and_min_are_named() -> None:
    game = games.parse("morpion")
    calls = [Call(-1, "f", cells="-" * 9, returned="b2")]
    calls += [Call(0, "f", cells="X--------", returned=str(value), number=value) for value in (4,)]
    calls += [Call(1, "f", returned=str(value), number=value) for value in (4, 7)]
    said = [node.said for node in tree_of(game, game.start(), "x.py", calls, End(3, "a1"), ()).root.walk()]
    assert said == ["→ b2", "→ 4 = min", "→ 4", "→ 7"]


def test_what_a_file_calls_itself_can_not_steer_a_terminal_or_break_a_drawing() -> None:
    game = games.parse("morpion")
    evil = "\x1b[31m<&>\u202e\x00"
    calls = [Call(-1, evil, returned=evil), Call(0, evil, [(evil, ""), ("n", evil)], "X--------", evil)]
    explanation = tree_of(game, game.start(), "x.py", calls, End(1), ())
    text, drawing = "".join(draw_text(explanation, Style(), 60)), draw_svg(explanation, 60)
    assert not set(evil) & set(text) - set("[31m<&>")
    assert not set("\x1b\u202e\x00") & set(drawing)
    ET.fromstring(drawing)


def test_the_command(capsys: pytest.CaptureFixture[str], write: Write) -> None:
    file = write(MINIMAX)
    assert arbitre.main(["--lang", "en", "explain", "morpion", "a1 b2 b1 a3", "--bot", file, "--json"]) == 0
    shown = json.loads(capsys.readouterr().out)
    assert shown["move"] == "c1"
    assert shown["tree"]["children"][0]["call"].endswith("minimax(grille, 2, 1)")
    assert arbitre.main(["--lang", "fr", "explain", "morpion", "a1 b2 b1 a3", "--bot", file]) == 0
    assert "→" in capsys.readouterr().out
    for arguments in (
        ["othello", "--bot", file],
        ["morpion", "--bot", f"{file}#nothing"],
        ["morpion", "--bot", "no.py"],
    ):
        assert arbitre.main(["--lang", "en", "explain", *arguments]) in {1, 2}
        captured = capsys.readouterr()
        assert captured.out == ""
        assert "Traceback" not in captured.err
    assert arbitre.main(["--lang", "en", "explain", "morpion", "a1a2b1b2c1", "--bot", file]) == 2
    assert "over" in capsys.readouterr().err


def test_the_order_of_calls_is_theirs(write: Write) -> None:
    explanation = explained("morpion", "a1 b2 b1 a3", write(MINIMAX))
    assert all(one.number + 1 == other.number for one, other in pairwise(explanation.root.walk()))
