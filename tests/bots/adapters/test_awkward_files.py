"""A drawer of what thirty real pupils hand in: files that play all the same, and what the others are told."""

import random
import re
import textwrap
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

import arbitre
import games
from bots.adapters import python_file
from bots.base import BotFaultError, BotSpecError, Budget, Fault, MatchHistory, parse_bot
from games import GAMES, Game, Position, Seat
from locales import set_language
from processes.launch_options import LaunchOptions
from tests.bots.adapters.files import LAUNCH, answer, fault, write

pytestmark = pytest.mark.slow

HURRIED = LaunchOptions(start_s=8.0, move_s=0.4)


def hurry(monkeypatch: pytest.MonkeyPatch) -> None:
    """Wait 0.4 s for a file to be loaded, without hurrying the start of its process."""
    monkeypatch.setattr(python_file, "LOAD_SHARE", 0.05)


@dataclass(frozen=True)
class Player:
    """A file that plays all the same: after `moves` of `game` it answers `move`; `notice` is how a notice begins."""

    source: str
    move: str = "d3"
    game: str = "othello"
    moves: tuple[str, ...] = ()
    notice: str = ""


PLAYERS = {
    "asks the keyboard for black only": Player("""
        def creer_config_init():
            return [[0] * 8 for _ in range(3)] + [[0, 0, 0, 2, 1, 0, 0, 0], [0, 0, 0, 1, 2, 0, 0, 0]] + [[0] * 8] * 3
        def coup_joueur(config, joueur):
            while joueur == 1:
                try:
                    return tuple(map(int, input("Au JOUEUR_NOIR de jouer : ").split(",")))
                except:
                    print("Erreur de saisie")
            assert config[3][3] == 1 and config[3][4] == 2
            return (4, 3)
    """),
    "has a person and an algorithm": Player("""
        def coup_joueur(config, joueur): return eval(input("x,y ? "))
        def jeuIA(grille, couleur): return [2, 3, []]
    """),
    "starts its game without a guard": Player(
        """
        def jeuIA(grille, couleur): return [2, 3, []]
        while True:
            coup = input("Votre coup : ")
        """,
        notice="The file asks the keyboard (“Votre coup :”).",
    ),
    "loops for ever at the end": Player(
        """
        import random
        def jeuIA(grille, couleur): return [2, 3, []]
        tour = 1
        while tour != 0:
            tour = tour + 1
        """,
        notice="The file plays or tests here while it is loaded; that was stopped,",
    ),
    "fails its own test at the end": Player(
        """
        def jeuIA(grille, couleur): return [2, 3, []]
        import doctest
        doctest.testmod()
        assert jeuIA([], 1) == None
        """,
        notice="An assert of the file does not hold (AssertionError)\npupil.py, line 5:\n    assert jeuIA([], 1)",
    ),
    "loops for ever first": Player(
        """
        while True:
            pass
        def jeuIA(grille, couleur): return [2, 3, []]
        """,
        notice="The file plays or tests here while it is loaded; that was stopped,",
    ),
    "opens windows": Player("""
        from tkinter import *
        import tkinter.messagebox as mb
        fenetre = Tk()
        dessin = Canvas(fenetre, width=400)
        dessin.grid(row=0, column=1)
        class Othello(Frame):
            def __init__(self):
                self.bouton = Button(fenetre, text="Jouer", command=self.clic)
                self.bouton.pack(side=LEFT)
            def clic(self): pass
        def jeuIA(grille, couleur): return [2, 3, []]
        Othello()
        fenetre.mainloop()
    """),
    "prints everywhere": Player(
        """
        import os, sys
        print("Bienvenue")
        def jeuIA(grille, couleur):
            sys.stdout.write("")
            print("je réfléchis...")
            print("encore")
            os.write(1, b'{"type": "moved", "move": "a1"}' + os.linesep.encode())
            os.system("echo c3")
            sys.__stdout__.write("e6")
            sys.stdout.flush()
            return [2, 3, []]
        """,
        notice="pupil.py, line 6, in jeuIA: the file prints “je réfléchis...”.",
    ),
    "spoils the board": Player(
        """
        def jeuIA(grille, couleur):
            grille.clear()
            return [2, 3, []]
        """,
        notice="Perhaps: jeuIA changes the board that it is given.",
    ),
    "accents in names": Player("""
        élèves = {"Zoé": 3}
        def coup_joueur(config, joueur):
            return (élèves["Zoé"] + 1, 3)
    """),
    "another spelling": Player("def CoupJoueur(config, joueur): return 4, 3"),
    "its own games.py and random.py": Player("""
        import games, random
        def coup_joueur(config, joueur): return games.CASE
    """),
    "a file of its folder": Player("""
        def coup_joueur(config, joueur):
            with open("games.py") as fichier: exec(fichier.read(), globals())
            return CASE
    """),
    "deep recursion": Player("""
        import sys
        sys.setrecursionlimit(10**6)
        def descendre(n): return 3 if n == 0 else max([descendre(n - 1)])
        def coup_joueur(config, joueur): return (4, descendre(20000))
    """),
    "a thread of its own": Player("""
        import threading, time
        threading.Thread(target=time.sleep, args=(3600,)).start()
        def coup_joueur(config, joueur): return (4, 3)
    """),
}


@pytest.mark.parametrize("name", PLAYERS)
def test_plays_all_the_same(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    player = PLAYERS[name]
    if "for ever" in name:
        hurry(monkeypatch)
    spec = write(tmp_path, player.source, games="CASE = (4, 3)", random="CASE = None")
    if player.notice and name not in ("prints everywhere", "spoils the board"):
        parse_bot(spec).prepare()
        notice = capsys.readouterr().err
        assert notice.startswith(player.notice)
        assert notice.endswith(
            ("What the file defines before that is used all the same.\n", "All else that the file defines is used.\n")
        )
        return
    assert answer(spec, player.game, *player.moves) == player.move
    said = capsys.readouterr().err
    assert said.startswith(player.notice)
    assert bool(said) is bool(player.notice)


@pytest.mark.parametrize("encoding", ["cp1252", "utf-8-sig", "utf-16"])
def test_encodings(encoding: str, tmp_path: Path) -> None:
    source = "# été\r\ndef coup_joueur(config, joueur):\r\n    return {'é': (4, 3)}['\u00e9']\r\n"
    (tmp_path / "pupil.py").write_bytes(source.encode(encoding))
    assert answer(str(tmp_path / "pupil.py"), "othello") == "d3"


@dataclass(frozen=True)
class Failure:
    """A file that is asked for a move and fails: `message` is how what it is told begins."""

    source: str
    message: str
    reason: Fault = "crash"
    game: str = "othello"
    moves: tuple[str, ...] = ()
    stderr: str = ""


FAILURES = {
    "a helper that is missing": Failure(
        """
        def coup_joueur(config, joueur):
            return meilleur_coup(config)
        """,
        "Nothing is called meilleur_coup here: is it spelled so where it is defined? (NameError: name 'meilleur_coup' "
        "is not defined)\n"
        "pupil.py, line 3, in coup_joueur:\n"
        "    return meilleur_coup(config)\n"
        "It was asked to play ■ (1) here:\n",
    ),
    "an error in a library": Failure(
        """
        import json
        def coup_joueur(config, joueur):
            coup = json.loads("(4, 3)")
        """,
        "JSONDecodeError: Expecting value: line 1 column 1 (char 0)\npupil.py, line 4, in coup_joueur:\n",
    ),
    "a keyboard": Failure(
        """
        def coup_joueur(config, joueur):
            while True:
                try:
                    x = int(input("x ? "))
                except:
                    print("recommencez")
        """,
        "The file asks the keyboard (“x ?”). A bot has no keyboard: coup_joueur must choose the move itself. If "
        "another function does that, name it: pupil.py#my_function=coup_joueur\n"
        "pupil.py, line 5, in coup_joueur:\n"
        '    x = int(input("x ? "))\n',
    ),
    "the keyboard's file": Failure(
        """
        import sys
        def jeuIA(grille, couleur):
            for ligne in sys.stdin:
                return ligne
        """,
        "The file asks the keyboard. A bot has no keyboard: jeuIA must choose the move itself. If another function "
        "does that, name it: pupil.py#my_function=jeuIA\npupil.py, line 4, in jeuIA:\n    for ligne in sys.stdin:\n",
    ),
    "an endless loop": Failure(
        """
        def jeuIA(grille, couleur):
            n = 0
            while n >= 0:
                n += 1
        """,
        "jeuIA is still busy, and its time is up. Is this an endless loop?\npupil.py, line ",
        "timeout",
    ),
    "an endless instruction": Failure(
        """
        def jeuIA(grille, couleur):
            return sum(iter(int, 1))
        """,
        "jeuIA is still busy, and its time is up. Is this an endless loop?\npupil.py, line 3, in jeuIA:\n"
        "    return sum(iter(int, 1))\n",
        "timeout",
    ),
    "endless recursion": Failure(
        """
        def jeuIA(grille, couleur):
            return jeuIA(grille, couleur)
        """,
        "A function calls itself again and again: what ends the recursion? (RecursionError: maximum recursion depth ",
    ),
    "exit": Failure("def jeuIA(grille, couleur): quit()", "The file calls exit().\npupil.py, line 1, in jeuIA:\n"),
    "a hard exit": Failure(
        """
        import os, sys
        def jeuIA(grille, couleur):
            print("adieu")
            os._exit(3)
        """,
        "pupil.py ended, with code 3",
        stderr="adieu",
    ),
    "an exception that can't be shown": Failure(
        """
        class Perdu(Exception):
            def __str__(self): return 1 / 0
        def jeuIA(grille, couleur): raise Perdu
        """,
        "Perdu\npupil.py, line 4, in jeuIA:\n",
    ),
    "an answer that can't be shown": Failure(
        """
        class Coup:
            def __repr__(self): return 1 / 0
        def jeuIA(grille, couleur): return Coup()
        """,
        "jeuIA returned <Coup>, which is not a list [i, j, flips]: row and column are whole numbers, counted from 0.\n",
        "illegal",
    ),
    "nothing returned": Failure(
        "def jeuIA(grille, couleur): coup = [2, 3]",
        "jeuIA returned None, which is not a list [i, j, flips]:",
        "illegal",
    ),
    "a text": Failure(
        "def coup_joueur(config, joueur): return '4,3'",
        "coup_joueur returned '4,3', which is not a pair (x, y) of whole numbers, counted from 1.\n",
        "illegal",
    ),
    "half a column": Failure(
        "def coup_joueur(config, joueur): return 7 / 2",
        "coup_joueur returned 3.5, which is not a column: a whole number, counted from 1.\n",
        "illegal",
        "puissance4",
    ),
    "a truth value": Failure(
        "class Player:\n    def nextMove(self, b): return True",
        "Player.nextMove returned True, which is not a column: a whole number, counted from 0.\n",
        "illegal",
        "puissance4",
    ),
    "value and move exchanged": Failure(
        "def minimax_search(game, state): return (1, 1), 0",
        "minimax_search returned ((1, 1), 0), which is not a pair (value, (x, y)) whose x and y are whole numbers,",
        "illegal",
        "morpion",
    ),
    "x and y exchanged": Failure(
        "def coup_joueur(config, joueur): return (3, 6)",
        "coup_joueur returned (3, 6), an illegal move. c6 would turn over no disc: every move must turn over at least ",
        "illegal",
    ),
    "counted from 0": Failure(
        "def coup_joueur(config, joueur): return [0, 8]",
        "coup_joueur returned [0, 8], an illegal move. (0, 8) is not on the board.\n",
        "illegal",
    ),
    "a full column": Failure(
        "class Player:\n    def nextMove(self, b): return 0",
        "Player.nextMove returned 0, an illegal move. Column 1 is full.\n",
        "illegal",
        "puissance4",
        tuple("111111"),
    ),
    "a cell that is taken": Failure(
        "def bfs_play(grid, player): return (1, 1)",
        "bfs_play returned (1, 1), an illegal move. b2 is taken already.\n",
        "illegal",
        "morpion",
        ("b2",),
    ),
    "not a move": Failure(
        "def choose(position): return 'coin'",
        "choose returned 'coin', an illegal move. “coin” is not a move here.\n",
        "illegal",
        "morpion",
    ),
    "an unfinished class": Failure(
        """
        class TicTacToe(Game):
            def __init__(self): self.initial = Board(3, 3, to_move='X')
            def actions(self, board):
                raise NotImplementedError
        def minimax_search(game, state): return 0, game.actions(state)[0]
        """,
        "This function is still to be written (NotImplementedError)\npupil.py, line 5, in actions:\n    raise NotImpl",
        game="morpion",
    ),
}


@pytest.mark.parametrize("name", FAILURES)
def test_failure(name: str, tmp_path: Path) -> None:
    expected = FAILURES[name]
    error = fault(
        write(tmp_path, expected.source),
        expected.game,
        *expected.moves,
        launch=HURRIED if expected.reason == "timeout" else LAUNCH,
    )
    assert str(error).startswith(expected.message)
    assert error.reason == expected.reason
    assert expected.stderr in error.stderr


def test_an_endless_loop_is_told_before_the_clock_runs_out(tmp_path: Path) -> None:
    source = "def jeuIA(grille, couleur):\n    while True: pass"
    error = fault(write(tmp_path, source), "othello", budget=Budget(remaining_ms=300))
    assert str(error).startswith(
        "jeuIA is still busy, and its time is up. Is this an endless loop?\npupil.py, line 2, in jeuIA:\n"
    )


SLOW = """
import time
def choose(position):
    time.sleep(0.25)
    return position.legal_moves()[0]
"""


@pytest.mark.parametrize(
    ("language", "clock", "said"),
    [
        ("en", Budget(150), "choose has no time left: its time was for the whole game, and 3 moves have used it up."),
        ("fr", Budget(150), "choose n’a plus de temps\u00a0: il était pour toute la partie, et 3 coups l’ont épuisé."),
        ("en", Budget(150, move_ms=150), "choose is still busy, and its time is up. Is this an endless loop?"),
    ],
)
def test_who_was_slow_over_the_whole_game_is_told_so(tmp_path: Path, language: str, clock: Budget, said: str) -> None:
    set_language(language)
    spec = parse_bot(write(tmp_path, SLOW)).with_launch_options(LAUNCH)
    game = games.parse("morpion")
    bot = spec.family.make(game, Seat.FIRST, random.Random(1), spec.options)
    moves = ("a1", "b1", "c1", "a2")
    try:
        for asked, budget in ((0, Budget(10_000)), (2, Budget(5000))):
            bot.history = MatchHistory("match", moves[:asked])
            bot.choose(after(game, moves[:asked]), budget)
        bot.history = MatchHistory("match", moves)
        with pytest.raises(BotFaultError, match=re.escape(said)):
            bot.choose(after(game, moves), clock)
    finally:
        bot.close()


def after(game: Game, moves: Sequence[str]) -> Position:
    """The position after some moves."""
    position: Position = game.start()
    for move in moves:
        position = position.play(move)
    return position


@dataclass(frozen=True)
class Unusable:
    """A file that is refused before it connects: `message` is how what it is told begins."""

    source: str
    message: str


UNUSABLE = {
    "a colon is missing": Unusable(
        """
        def jeuIA(grille, couleur)
            return [2, 3, []]
        """,
        "This is not Python. A : is missing at the end of the line (SyntaxError: expected ':')\n"
        "pupil.py, line 2:\n    def jeuIA(grille, couleur)",
    ),
    "tabs and spaces": Unusable(
        "def jeuIA(grille, couleur):\n    if couleur:\n\treturn [2, 3, []]\n",
        "This is not Python. Tabs and spaces are mixed at the beginning of lines (TabError: inconsistent use of tabs "
        "and spaces in indentation)\npupil.py, line 3:\n",
    ),
    "a neighbour that is not Python": Unusable(
        "from mauvais import *",
        "This is not Python. Python does not understand this line, or the end of the one before (SyntaxError: invalid "
        "syntax)\nmauvais.py, line 1:\n    def = 3",
    ),
    "a module that is not there": Unusable(
        "import Othelo as jeu",
        "There is no module called 'Othelo', neither beside the file nor installed.\npupil.py, line 1:\n",
    ),
    "a question first": Unusable(
        """
        niveau = int(input("Niveau de l'ordinateur : "))
        def jeuIA(grille, couleur): return [2, niveau, []]
        """,
        "The file asks the keyboard (“Niveau de l'ordinateur :”). A bot has no keyboard.\npupil.py, line 2:\n",
    ),
    "an endless loop in what it needs": Unusable(
        """
        coups = []
        while True:
            coups.append(0)
            coups.pop()
        def jeuIA(grille, couleur): return coups
        """,
        "The file is still busy long after it was started. Is this an endless loop?\npupil.py, line ",
    ),
    "nothing of use": Unusable(
        "def choisir_coup(config): return (4, 3)",
        "pupil.py defines none of the functions that can be asked for a move (choose, choose_from,",
    ),
    "empty": Unusable("", "pupil.py defines none of the functions"),
    "zero bytes": Unusable("def jeuIA(g, c): return [2, 3]\0", "This is not Python. "),
}


@pytest.mark.parametrize("name", UNUSABLE)
def test_is_refused_before_it_connects(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if "endless" in name:
        hurry(monkeypatch)
    spec = write(tmp_path, UNUSABLE[name].source, mauvais="def = 3")
    with pytest.raises(BotSpecError) as caught:
        parse_bot(spec).with_launch_options(LAUNCH).prepare()
    assert str(caught.value).startswith(UNUSABLE[name].message)


def test_a_choice_that_is_not_there(tmp_path: Path) -> None:
    spec = write(tmp_path, "def jeuIA(grille, couleur): return [2, 3, []]")
    with pytest.raises(BotSpecError, match=r"^pupil\.py defines nothing that can be used as jeuStupide\.$"):
        parse_bot(f"{spec}#jeuStupide").prepare()
    with pytest.raises(BotSpecError, match="There is no interface 'jeuIA2'"):
        parse_bot(f"{spec}#jeuIA=jeuIA2")


@pytest.mark.parametrize(
    ("source", "plays", "refuses"),
    [
        (
            "def creer_config_init(): return [[0] * 7 for _ in range(6)]\ndef coup_joueur(c, j): ...",
            "puissance4",
            "othello",
        ),
        ("def coup_joueur(c, j): ...", "othello", "othello:size=6"),
        ("class Player:\n    def nextMove(self, b): ...", "puissance4:width=5", "puissance4:k=3"),
        ("def dfs_play(g, p): ...", "morpion", "morpion:width=4"),
    ],
)
def test_which_games_it_plays(source: str, plays: str, refuses: str, tmp_path: Path) -> None:
    import games

    spec = parse_bot(write(tmp_path, source))
    spec.check(games.parse(plays))
    with pytest.raises(BotSpecError, match=f"only, not for {refuses}"):
        spec.check(games.parse(refuses))


def test_a_file_of_one_game_is_told_what_plays_every_game(tmp_path: Path) -> None:
    import games

    spec = parse_bot(write(tmp_path, "def jeuIA(grille, couleur): return [2, 3, []]"))
    with pytest.raises(BotSpecError, match=r"What plays every game: choose, choose_from\.$"):
        spec.check(games.parse("breakthrough"))


@pytest.mark.parametrize("name", ["choose_from(rows, player, moves)", "choisir_parmi(rows, player)"])
@pytest.mark.parametrize("rules", [*GAMES, "breakthrough:size=4"])
def test_a_file_may_choose_from_a_list_in_every_game(name: str, rules: str, tmp_path: Path) -> None:
    import games

    game = games.parse(rules)
    last = game.start().legal_moves()[-1]
    source = f"""
        def {name}:
            assert len(rows) == {game.height} and {{len(row) for row in rows}} == {{{game.width}}} and player == 1
            rows.clear()
            return {last!r}"""
    assert answer(write(tmp_path, source), rules) == last


def test_an_answer_that_was_not_in_the_list(tmp_path: Path) -> None:
    error = fault(write(tmp_path, "def choose_from(rows, player, moves): return 1, 2"), "breakthrough")
    assert "choose_from returned (1, 2), which is not one of the moves that it was given" in str(error)
    assert "choose_from may return here: 'a2a3'" in str(error)


def test_in_french(tmp_path: Path) -> None:
    set_language("fr")
    error = fault(write(tmp_path, "def coup_joueur(config, joueur):\n    return (3, 3)"), "othello")
    assert str(error) == textwrap.dedent("""\
        coup_joueur a renvoyé (3, 3), un coup interdit. c3 ne retournerait aucun pion : chaque coup doit en retourner au moins un.
        On lui demandait de jouer ■ (1) ici :
              1 2 3 4 5 6 7 8
            1 · · · · · · · ·
            2 · · · · · · · ·
            3 · · · · · · · ·
            4 · · · □ ■ · · ·
            5 · · · ■ □ · · ·
            6 · · · · · · · ·
            7 · · · · · · · ·
            8 · · · · · · · ·
              a b c d e f g h
            ■ 2 pions   □ 2 pions
        coup_joueur peut renvoyer ici : (4, 3), (3, 4), (6, 5), (5, 6)""").replace(" :", "\u00a0:")  # noqa: RUF100, E501


def test_the_command_says_it_before_it_looks_for_a_server(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    spec = write(tmp_path, "def jeuIA(grille, couleur)\n    return [2, 3, []]")
    assert arbitre.main(["--lang", "en", "bot", spec, "ws://127.0.0.1:1"]) == 2
    error = capsys.readouterr().err
    assert "Error: This is not Python. A : is missing at the end of the line (SyntaxError: expected ':')" in error
    assert "pupil.py, line 1:" in error
    assert "Traceback" not in error


def test_the_same_match_is_the_same_again(tmp_path: Path) -> None:
    spec = write(tmp_path, "import random\ndef choose(position): return random.choice(position.legal_moves())")
    moves = {answer(spec, "morpion:width=9,height=9,k=5") for _ in range(2)}
    assert len(moves) == 1
