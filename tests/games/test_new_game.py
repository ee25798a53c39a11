"""docs/new-game.md, done: its file and its line, in a copy of the tree, and the game played there over a server."""

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from locales import update

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "new-game.md").read_text(encoding="utf-8")
CODE = re.findall(r"^```python\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
FOLDERS = (*update.PACKAGES, "tests/conformance")
FILES = ("arbitre.py", "saying.py", "damage.py", "pyproject.toml")


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of Arbitre with the page's game in it."""
    copy = tmp_path_factory.mktemp("arbitre")
    for name in FOLDERS:
        shutil.copytree(ROOT / name, copy / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in FILES:
        shutil.copy(ROOT / name, copy / name)
    code, _look = CODE
    (copy / "games" / "domineering.py").write_text(code, encoding="utf-8")
    the_import, the_line = re.findall(r"^    (.*Domineering\b.*)$", PAGE.partition("## The line")[2], re.MULTILINE)[:2]
    table = copy / "games" / "__init__.py"
    text = table.read_text(encoding="utf-8")
    assert text.count("from games.breakthrough ") == text.count("        Breakthrough.id: ") == 1
    text = text.replace("from games.breakthrough ", f"{the_import}\nfrom games.breakthrough ")
    text = text.replace("        Breakthrough.id: ", f"        {the_line}\n        Breakthrough.id: ")
    table.write_text(text, encoding="utf-8")
    return copy


def run(tree: Path, *arguments: str, code: int = 0) -> str:
    done = subprocess.run(
        [sys.executable, *arguments], cwd=tree, capture_output=True, text=True, timeout=100, check=False
    )
    assert done.returncode == code, done.stdout + done.stderr
    return done.stdout


def test_the_look_of_a_game_of_seeds_is_drawn() -> None:
    told: dict[str, Any] = {}
    exec(CODE[1], told)
    look = told["LOOK"]
    assert [look.cell(sign, ascii_only=True) for sign in "-1C"] == [".", "1", "12"]
    assert look.widest == 2
    assert look.colours.sign == "#ffffff"


def test_it_is_played_over_a_server(tree: Path) -> None:
    bots = ("minimax:depth=2", "random")
    printed = run(tree, "arbitre.py", "match", "--game", "domineering", *bots, "--games", "2", "--seed", "1", "--json")
    games = [json.loads(line) for line in printed.splitlines()]
    assert [(game["reason"], game["ending"]) for game in games] == [("rules", "blocked")] * 2
    assert all(sorted(game["score"]) == [0, 1] for game in games)


@pytest.mark.parametrize(
    ("bots", "said"),
    [
        (("lookahead:ply=2", "human:level=5"), "wins"),
        pytest.param(("dfs:positions=1000", "bfs:positions=1000"), "wins", marks=pytest.mark.slow),
        pytest.param(("minimax_search", "strong:depth=2"), "wins", marks=pytest.mark.slow),
    ],
)
def test_every_algorithm_of_class_plays_it(tree: Path, bots: tuple[str, str], said: str) -> None:
    rules = "domineering:width=4,height=4"
    assert said in run(tree, "arbitre.py", "--lang", "en", "match", "--game", rules, *bots, "--seed", "1")


def test_the_end_is_told_in_both_languages(tree: Path) -> None:
    arguments = ("demo", "--game", "domineering:width=4,height=4", "--fast")
    assert "the opponent can't move." in run(tree, "arbitre.py", "--lang", "en", *arguments)
    assert "l’adversaire ne peut plus jouer." in run(tree, "arbitre.py", "--lang", "fr", *arguments)


@pytest.mark.parametrize(("size", "value"), [(2, 1), (3, 1), (4, 1)])
def test_it_is_solved(tree: Path, size: int, value: int) -> None:
    """Breuker, Uiterwijk and van den Herik, Solving 8x8 Domineering (2000): who begins wins on 2x2, 3x3 and 4x4."""
    rules = f"domineering:width={size},height={size}"
    solution = json.loads(run(tree, "arbitre.py", "solve", rules, "--json"))
    assert (solution["value"], solution["exact"]) == (value, True)


def test_it_is_explained_counted_and_analysed(tree: Path) -> None:
    asked = ("domineering", "a1a2 c1d1", "--bot", "minimax:depth=2", "--json")
    explained = json.loads(run(tree, "arbitre.py", "explain", *asked))
    assert explained["move"]
    # 30 dominoes each; an upright one lies on four of those across, on two at the edge
    assert run(tree, "arbitre.py", "perft", "domineering", "2").split()[-1] == str(30 * 30 - 5 * (4 * 4 + 2 * 2))
    analysed = json.loads(run(tree, "arbitre.py", "analyse", "domineering:width=3,height=3", "b1b2", "a3b3", "--json"))
    assert [step["ply"] for step in analysed["steps"]] == [0, 1]


def test_the_conformance_tests_cover_it(tree: Path) -> None:
    run(tree, "-m", "pytest", "-q", "-p", "no:cacheprovider", "tests/conformance/test_games.py", "-k", "domineering")
