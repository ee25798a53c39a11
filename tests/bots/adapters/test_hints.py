"""Likely mistakes of pupils are named: each in three variants; and nothing is said of what is right."""

import json
import random
import subprocess
import sys
from pathlib import Path

import pytest

import games
from bots.base import UNLIMITED, BotFaultError
from games import Seat
from locales import set_language
from processes.launch_options import LaunchOptions
from tests.bots.adapters.files import answer, fault, write
from tests.bots.adapters.matches import play, spec_of
from tests.bots.adapters.mistakes import MISTAKES, SLOW

pytestmark = pytest.mark.slow

HURRIED = LaunchOptions(start_s=8.0, move_s=1.0)


@pytest.mark.parametrize("name", MISTAKES)
def test_a_mistake_is_named(name: str, tmp_path: Path) -> None:
    mistake = MISTAKES[name]
    lines = str(fault(write(tmp_path, mistake.source), mistake.game, *mistake.moves)).splitlines()
    assert any(line.startswith(f"Perhaps: {mistake.hint}") for line in lines), lines


WRITTEN = {
    "board and player": (
        "def jouer(plateau, joueur): return 1",
        "jouer(plateau, joueur) is not asked: call it choose_from(plateau, joueur, moves).",
    ),
    "a board alone": (
        "def mon_bot(p):\n    return 1\ndef aide(x):\n    return x",
        "mon_bot(p) is not asked: call it choose(",
    ),
    "no function at all": ("print('bonjour')", "it has no function that returns a move"),
    "a question above": (
        "nom = input('Nom ? ')\ndef jouer(plateau, joueur): return 1",
        "jouer(plateau, joueur) is not asked: call it choose_from(",
    ),
    "a question above for the bot": (
        "n = int(input('Niveau ? '))\ndef choose(position):\n    return position.legal_moves()[n]",
        "give n a value in the file itself, instead of asking",
    ),
    "a parameter too few": ("def coup_joueur(c): return 1", "write its first line as def coup_joueur(config, joueur):"),
    "parameters too many": ("def choose(p, b, c): return 1", "write its first line as def choose(position): because"),
    "a method without board": (
        "class Player:\n    def nextMove(self): return 1",
        "write its first line as def nextMove(self, board):",
    ),
    "Def": ("Def choose(position):\n    return 1", "Def begins with a capital: in Python this word is written def."),
    "For": ("def choose(p):\n    For i in p: pass", "For begins with a capital: in Python this word is written for."),
    "Return": ("def choose(p):\n    Return p", "Return begins with a capital: in Python this word is written return."),
    "true": ("def choose(p):\n    return true", "true is not True: for Python, capitals and _ count. Write True."),
    "Plateau": ("def choose(plateau):\n    return Plateau", "Plateau is not plateau: for Python, capitals and _"),
    "Print": ("def choose(p):\n    Print(p)", "Print is not print: for Python, capitals and _ count. Write print."),
    "legalmoves": ("def choose(p):\n    return p.legalMoves()[0]", "legalMoves is not legal_moves: for Python"),
    "a letter of the bot": (
        "def coup_joeur(config, joueur): return 1",
        "coup_joeur is not asked: is coup_joueur meant?",
    ),
    "a letter too few": ("def chose(position): pass", "chose is not asked: is choose meant?"),
    "a bot in a class": (
        "class Bot:\n    def choose(self, p): return 1",
        "choose stands in the class Bot, where nobody asks it",
    ),
    "coup": ("def choose(p):\n    coups = 1\n    return coup", "coup is not known: is coups meant?"),
    "legals_moves": (
        "def choose(p):\n    return p.legals_moves()[0]",
        "legals_moves is not known: is legal_moves meant?",
    ),
    "else if": ("def choose(p):\n    if p: pass\n    else if p: pass", "else if is written elif in Python."),
    "&&": ("def choose(p):\n    return p && p", "&& is written and in Python."),
    "i++": ("def choose(p):\n    i = 0\n    i++\n    return i", "i++ is written i += 1 in Python."),
    "random": ("def choose(p):\n    return random.choice(p)", "random has to be imported: write import random on"),
}
"""What is likely to be misspelled, or lacking, in a file: the file, and the hint."""


@pytest.mark.parametrize("name", WRITTEN)
def test_what_is_misspelled_is_named(name: str, tmp_path: Path) -> None:
    source, hint = WRITTEN[name]
    game = "puissance4" if "Player" in source else "othello"
    lines = str(fault(write(tmp_path, source), game)).splitlines()
    assert any(line.startswith(f"Perhaps: {hint}") for line in lines), lines


@pytest.mark.parametrize(
    "source",
    [
        "def choose(p):\n    return tableau",
        "Defi = 3 4",
        "def choose(p):\n    raise TypeError('choose() takes 0 positional')",
    ],
)
def test_no_guess_is_made_of_another_mistake(source: str, tmp_path: Path) -> None:
    assert "Perhaps" not in str(fault(write(tmp_path, source), "othello"))


def test_two_guesses_that_contradict_each_other_are_none(tmp_path: Path) -> None:
    """Beside a full column both others may be played."""
    source = "class Player:\n    def nextMove(self, b): return 3"
    told = str(fault(write(tmp_path, source), "puissance4", *("4" * 6)))
    assert "Column 4 is full." in told
    assert "Perhaps" not in told


def test_a_loop_that_fills_the_memory_is_told_as_memory(tmp_path: Path) -> None:
    """It is out of time before its memory is full, and it is no matter of speed."""
    source = """
        import time
        def choose(position):
            kept = []
            while True:
                if len(kept) < 30: kept.append(bytearray(b'x') * 10_000_000)
                time.sleep(0.001)
    """
    error = fault(write(tmp_path, source), "othello", launch=HURRIED)
    assert error.reason == "timeout"
    assert str(error).startswith("choose fills the memory: its time is up, it is still busy, and has taken 2")
    assert "What grows here without end?" in str(error)


@pytest.mark.parametrize("name", SLOW)
def test_a_search_that_is_too_deep(name: str, tmp_path: Path) -> None:
    said = str(fault(write(tmp_path, SLOW[name]), "othello", launch=HURRIED))
    assert f" calls itself with {name} up to " in said
    assert "cut branches (alpha-beta)" in said


def test_a_depth_that_stays_the_same(tmp_path: Path) -> None:
    source = """
        import time
        def minimax(grille, prof):
            time.sleep(0.01)
            return minimax(grille, prof)
        def jeuIA(grille, couleur): return minimax(grille, 3)
    """
    assert "minimax calls itself without making prof smaller" in str(
        fault(write(tmp_path, source), "othello", launch=HURRIED)
    )


SURVIVORS = {
    "a list": ("joues = []", "joues.append(1)", "joues"),
    "a counter": ("tour = 0", "global tour; tour += 1", "tour"),
    "a dictionary": ("vus = {}", "vus['x'] = len(vus)", "vus"),
}


@pytest.mark.parametrize("name", SURVIVORS)
def test_a_variable_that_survives_a_game(name: str, tmp_path: Path) -> None:
    """A process that plays many games, as the folder of a bot may want it."""
    first, change, variable = SURVIVORS[name]
    source = f"""
        {first}
        PARTIES = [0]
        def choose(position):
            {change}
            if PARTIES[0]: raise ValueError
            return position.legal_moves()[0]
        def finished(position, seat, winner):
            PARTIES[0] = 1
    """
    said = _second_game(write(tmp_path, source))
    assert f"Perhaps: {variable}" in said
    assert "still has its value of an earlier game" in said


def _second_game(file: str) -> str:
    """What is said of the failure of a second game in one process."""
    spec = spec_of(file, many_games=True)
    play(spec)
    bot = spec.make(games.parse("morpion"), Seat.FIRST, random.Random(1))
    try:
        with pytest.raises(BotFaultError) as caught:
            bot.choose(games.parse("morpion").start(), UNLIMITED)
    finally:
        bot.close()
    return str(caught.value)


@pytest.mark.parametrize(
    ("source", "line"),
    [
        ("def fini(g): return True\ndef jeuIA(g, c):\n    if fini: pass\n    return [2, 3, []]", 3),
        ("def jeuIA(g, c):\n    return [2, 3, []]\ndef tri(b, liste):\n    while not b.isFull:\n        pass", 4),
        ("def vider(g): pass\ndef jeuIA(g, c):\n    vider\n    return [2, 3, []]", 3),
    ],
)
def test_a_function_that_is_a_condition(
    source: str, line: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    spec_of(write(tmp_path, source)).prepare()
    said = capsys.readouterr().err
    assert "is a function that is named and not called" in said
    assert f"pupil.py, line {line}:" in said


@pytest.mark.parametrize(
    "source",
    [
        "def jeuIA(g, c):\n    fini = not g\n    if fini or c:\n        return [2, 3, []]\ndef fini(): pass",
        "class B:\n @property\n def vide(self): return 0\ndef jeuIA(g, c):\n  if not B().vide: return [2, 3, []]",
        "def jeuIA(g, c, clef=None):\n    if clef: return clef()\n    return [2, 3, []]",
    ],
)
def test_nothing_is_said_of_what_is_right(source: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    spec = write(tmp_path, source)
    spec_of(spec).prepare()
    assert answer(spec, "othello") == "d3"
    assert capsys.readouterr().err == ""


def test_a_board_that_is_changed_and_given_back_is_no_mistake(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source = """
        class Player:
            def __init__(self, ox): self.ox = ox
            def nextMove(self, b):
                b.addMove(3, self.ox)
                b.delMove(3)
                return 3
    """
    assert answer(write(tmp_path, source), "puissance4") == "4"
    assert capsys.readouterr().err == ""


def test_a_board_that_is_changed_is_told_once_though_the_move_counts(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    spec = write(tmp_path, "def jeuIA(g, c):\n    g.clear()\n    return [2, 3, []]")
    assert [answer(spec, "othello"), answer(spec, "othello")] == ["d3", "d3"]
    said = capsys.readouterr().err
    assert said.count("jeuIA changes the board that it is given.") == 1


def test_in_french(tmp_path: Path) -> None:
    set_language("fr")
    said = str(fault(write(tmp_path, "def coup_joueur(config, joueur): return (6, 4)"), "othello", "d3", "c5"))
    assert "Peut-être\u00a0: " in said


BROKEN = """
import sys
from pathlib import Path
import games
from bots.adapters.pupils import hints
from bots.adapters.pupils.facts import Question, Setup, write
from bots.adapters.pupils.host import FileRunner

def broken(*given):
    raise NotImplementedError

hints.uncalled = hints.of_answer = hints.of_frames = hints.Globals.changed = broken
out = sys.stdout
host = FileRunner(Setup(sys.argv[1]))
told = [host.load()]
question = Question("morpion", games.parse("morpion").start().notation, 2.0)
for _number in range(3):
    told.append(host.answer(question))
    host._games = 1
out.write("\\n".join(map(write, told)))
out.flush()
import os
os._exit(0)
"""


def test_a_guess_that_fails_costs_the_hint_alone(tmp_path: Path) -> None:
    source = """
    asked = []
    def choose(position):
        asked.append(1)
        if len(asked) == 2: return 3.5
        while len(asked) > 2: pass
        return 'b2'
    """
    path = write(tmp_path, source)
    done = subprocess.run([sys.executable, "-c", BROKEN, path], capture_output=True, text=True, check=True, timeout=60)
    ready, moved, wrong, slow = map(json.loads, done.stdout.splitlines())
    assert (ready["function"], moved["move"]) == ("choose", "b2")
    assert [(trouble["kind"], trouble["hints"]) for trouble in (wrong, slow)] == [("wrong", []), ("slow", [])]
