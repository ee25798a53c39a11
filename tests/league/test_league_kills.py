"""Rows 55 and 56 of the fault table with real processes: a league killed again and again, and a second runner."""

import json
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import pytest

from league.config import League, LeagueBot
from league.history.log import Log, load
from league.history.season import Season, begin
from league.history.verification import verify
from tests.once import once

ROOT = Path(__file__).resolve().parents[2]
LEAGUE = """\
[league]
name = "Killed"
game = "puissance4"
clock = "none"
openings = "random:plies=4"
games_per_pair = 4
seed = 5
concurrency = 2
[[bot]]
name = "Ada"
run = "random"
[[bot]]
name = "Bob"
run = "lookahead:ply=1"
[[bot]]
name = "Cleo"
run = "minimax:depth=2"
[[bot]]
name = "Dan"
run = "first"
"""


def start(folder: Path, *words: str) -> subprocess.Popen[str]:
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    return subprocess.Popen(
        [sys.executable, "-P", "-m", "arbitre", "--lang", "en", "league", *words], cwd=folder, env=environment,
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip


def call(folder: Path, *words: str) -> tuple[int, str, str]:
    with start(folder, *words) as process:
        said, complained = process.communicate(timeout=100)
        return process.returncode, said, complained


def table(folder: Path) -> dict[str, object]:
    """What `standings --json` prints, without the times."""
    code, said, complained = call(folder, "standings", "league", "--json")
    assert code == 0, complained
    found: dict[str, object] = json.loads(said)
    rows = found["rows"]
    assert isinstance(rows, Sequence)
    for row in rows:
        del row["seconds"]
    return found


def lines(folder: Path) -> int:
    path = folder / "league" / "league.jsonl"
    return path.read_text(encoding="utf-8").count("\n") if path.exists() else 0


def kill_and_resume(folder: Path, kills: int, seed: int) -> int:
    """Plays the league to its end, killing its runner at random moments; returns how often it was killed."""
    folder.mkdir()
    (folder / "league.toml").write_text(LEAGUE, encoding="utf-8")
    rng = random.Random(seed)
    killed, words = 0, ["run", "league.toml"]
    while True:
        with start(folder, *words) as process:
            before = lines(folder)
            wanted = rng.choice((0, 0, 1, 1, 2))
            deadline = time.monotonic() + rng.uniform(0.2, 2.5) + 30 * (killed >= kills)
            while process.poll() is None and killed < kills and time.monotonic() < deadline:
                if lines(folder) >= before + wanted + (before == 0):
                    time.sleep(rng.uniform(0, 0.02))  # a game later, or in the middle of the next one
                    break
                time.sleep(0.005)
            if process.poll() is None and killed < kills:
                process.kill()
                killed += 1
            said, complained = process.communicate(timeout=100)
        if process.returncode == 0:
            return killed
        assert process.returncode == -9, (said, complained)
        if lines(folder):
            words = ["resume", "league"]


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> dict[str, object]:
    def make(folder: Path) -> dict[str, object]:
        kill_and_resume(folder / "x", 0, 0)
        return table(folder / "x")

    return once(tmp_path_factory, "unkilled", make)


def check(folder: Path, whole: dict[str, object]) -> None:
    assert table(folder) == whole
    entries = load(folder / "league")
    assert verify(entries)[0] == []
    games = [(game.pairing, game.number) for game in Season.of(entries).games]
    assert len(games) == len(set(games)) == 24


@pytest.mark.slow
def test_a_killed_league_ends_with_the_table_of_one_that_was_not(tmp_path: Path, whole: dict[str, object]) -> None:
    assert kill_and_resume(tmp_path / "x", 4, 1) >= 2
    check(tmp_path / "x", whole)


@pytest.mark.slow
def test_twenty_kills(tmp_path: Path, whole: dict[str, object]) -> None:
    assert kill_and_resume(tmp_path / "x", 20, 2) >= 10
    check(tmp_path / "x", whole)


@pytest.mark.slow
def test_two_runners_of_one_league(tmp_path: Path) -> None:
    longer = LEAGUE.replace("games_per_pair = 4", "games_per_pair = 100")
    (tmp_path / "league.toml").write_text(longer, encoding="utf-8")
    with start(tmp_path, "run", "league.toml") as first:
        while not lines(tmp_path):
            assert first.poll() is None
            time.sleep(0.01)
        code, _said, complained = call(tmp_path, "resume", "league")
        assert code == 1
        assert f"process {first.pid}" in complained
        assert "Traceback" not in complained
        code, said, _complained = call(tmp_path, "standings", "league")
        assert code == 0
        assert "Ada" in said
        assert call(tmp_path, "standings", "league", "--html")[1].startswith("<!doctype html>")
        first.terminate()
        assert first.wait(30) == 128 + signal.SIGTERM
        assert first.stderr is not None
        assert "league resume league" in first.stderr.read()


STOPPED_AT = """
import os, signal, sys
import arbitre
from league.commands import folder as keeping
from league.history.log import Log

moment, number = sys.argv.pop(1), getattr(signal, sys.argv.pop(1))
append = Log.append

def hit(*_):
    os.kill(os.getpid(), number)

def begin(log, *entries):
    append(log, *entries)
    Log.append = append
    hit()

if moment == "begin":
    Log.append = begin
else:
    keeping.print_table = hit
sys.exit(arbitre.main())
"""


@pytest.mark.parametrize(
    ("moment", "number"),
    [
        ("begin", "SIGTERM"),
        pytest.param("begin", "SIGHUP", marks=pytest.mark.slow),
        pytest.param("begin", "SIGINT", marks=pytest.mark.slow),
        pytest.param("end", "SIGTERM", marks=pytest.mark.slow),
        pytest.param("end", "SIGHUP", marks=pytest.mark.slow),
        ("end", "SIGINT"),
    ],
)
@pytest.mark.slow
def test_stopped_before_the_first_game_and_after_the_last(tmp_path: Path, moment: str, number: str) -> None:
    """Whoever sees the log's first line may stop the league: no moment is too early, none too late."""
    words = ("--lang", "en", "league", "run", "--game", "morpion", "--games", "2", "--dir", "l", "first", "random")
    done = subprocess.run(
        [sys.executable, "-c", STOPPED_AT, moment, number, *words], cwd=tmp_path, timeout=100, check=False,
        env={**os.environ, "PYTHONPATH": str(ROOT)}, stdin=subprocess.DEVNULL, capture_output=True, encoding="utf-8",
    )  # fmt: skip
    assert done.returncode == 128 + signal.Signals[number], done.stderr
    assert "league resume l\n" in done.stderr
    assert "Traceback" not in done.stderr
    assert call(tmp_path, "resume", "l")[0] == 0


def begun(folder: Path, home: Path, *bots: LeagueBot) -> None:
    """A league that was stopped before its first game."""
    folder.mkdir()
    with Log(folder) as log:
        log.append(begin(League("L", "morpion", bots, clock="none", seed="1", openings="none"), [], home))


@pytest.mark.slow
def test_a_league_that_was_moved_goes_on_where_its_bots_are_now(tmp_path: Path) -> None:
    begun(tmp_path / "l", tmp_path / "gone", LeagueBot("Ada", "ada.py"), LeagueBot("Bob", "first"))
    code, _said, complained = call(tmp_path, "resume", "l")
    assert code == 2
    assert "ada.py" in complained
    assert len(load(tmp_path / "l")) == 1, "nothing is lost, nobody has lost"
    (tmp_path / "ada.py").write_text("def choose(position, budget):\n    return position.legal_moves()[-1]\n")
    code, _said, complained = call(tmp_path, "resume", "l")
    assert code == 0, complained
    season = Season.of(load(tmp_path / "l"))
    assert season.finished
    assert [game.reason for game in season.games] == ["line", "line"]


@pytest.mark.slow
def test_each_kind_of_league_goes_on_in_its_own_way(tmp_path: Path) -> None:
    begun(tmp_path / "here", tmp_path, LeagueBot("Ada", "first"), LeagueBot("Bob", "first"))
    begun(tmp_path / "open", tmp_path)
    for words, said in ((("resume", "open"), "league open open"), (("open", "here"), "league resume here")):
        code, _stdout, complained = call(tmp_path, *words)
        assert code == 2
        assert said in complained
    assert len(load(tmp_path / "open")) == len(load(tmp_path / "here")) == 1


@pytest.mark.slow
def test_what_is_wrong_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "league.toml").write_text(LEAGUE.replace('run = "first"', 'run = "last"'), encoding="utf-8")
    for words, said in (
        (("run", "league.toml"), "Dan: There is no bot called 'last'"),
        (("run", "nowhere.toml"), "There is no file nowhere.toml."),
        (("run", "--game", "othello", "one=stdio:./nowhere", "random"), "one: There is no program './nowhere'"),
        (("resume", "nowhere"), "no league in nowhere"),
        (("run", "--game", "othello", "random"), "two bots"),
        (("run", "--game", "chess", "random", "first"), "chess"),
        (("standings", "nowhere"), "no league in nowhere"),
        (("standings", "nowhere", "--html", "--csv"), "--json, --csv"),
    ):
        code, _stdout, complained = call(tmp_path, *words)
        assert code in (1, 2), words
        assert said in complained, (words, complained)
        assert "Traceback" not in complained
