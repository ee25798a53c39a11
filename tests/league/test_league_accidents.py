"""Leagues whose processes and cables die at random moments; `bench league-accidents` plays more of them."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from league.history.log import load
from league.history.verification import audit
from tests.faults.network import NoNetworkError
from tests.league import accidents, open_accidents
from tests.league.accidents import OURS, Course, Victim
from tests.league.open_accidents import Mishap
from tests.once import once

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="processes are looked for in /proc")

SEED = 7
GAMES_PER_PAIR = 4


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Course:
    """The league without an accident."""
    return once(
        tmp_path_factory, "whole", lambda folder: accidents.play(folder / "x", SEED, (), 0, games=GAMES_PER_PAIR)
    )


@pytest.mark.parametrize(
    ("chance", "most", "least"),
    [
        pytest.param(1, 5, 3, marks=pytest.mark.slow),
        pytest.param(2, 12, 5, marks=pytest.mark.thorough),
        pytest.param(3, 12, 5, marks=pytest.mark.thorough),
    ],
)
def test_a_league_with_accidents_ends_with_the_table_of_one_without(
    tmp_path: Path, whole: Course, chance: int, most: int, least: int
) -> None:
    course = accidents.play(tmp_path / "x", SEED, OURS, most, games=GAMES_PER_PAIR, chance=chance)
    assert course.deaths.total() >= least
    accidents.check(course, whole)


@pytest.mark.parametrize("most", [pytest.param(2, marks=pytest.mark.slow), pytest.param(5, marks=pytest.mark.thorough)])
@pytest.mark.parametrize("victim", Victim)
def test_one_kind_of_process_dies_again_and_again(tmp_path: Path, whole: Course, victim: Victim, most: int) -> None:
    course = accidents.play(tmp_path / "x", SEED, (victim,), most, games=GAMES_PER_PAIR)
    accidents.check(course, whole, () if victim in OURS else accidents.WITH_PROGRAMS)


@pytest.mark.slow
def test_a_room_in_which_everything_goes_wrong(tmp_path: Path) -> None:
    try:
        course, room = open_accidents.play(tmp_path / "x", SEED, tuple(Mishap), 6, rounds=2)
    except NoNetworkError as why:
        pytest.skip(str(why))
    assert room.happened.total() >= 1
    open_accidents.check(course, room)


def read_until(process: subprocess.Popen[str], wanted: str) -> str:
    """The first line on its stderr in which `wanted` stands."""
    assert process.stderr is not None
    said = []
    for line in process.stderr:
        said.append(line)
        if wanted in line:
            return line
    raise AssertionError(said)


@pytest.mark.slow
def test_an_open_league_outlives_its_server(tmp_path: Path) -> None:
    """The server is killed twice while two bots of others play; they come back, and nobody has lost by it."""
    (tmp_path / "o.toml").write_text(
        '[league]\nname = "O"\ngame = "othello"\nclock = "none"\nseed = 3\ngames_per_pair = 12\n', encoding="utf-8"
    )
    bots: list[subprocess.Popen[bytes]] = []
    with accidents.start(tmp_path, "open", "o.toml", "--host", "127.0.0.1", "--port", "0", "--bots", "2") as process:
        words = read_until(process, "--league ").split()
        url, code = words[words.index("--league") - 1], words[words.index("--league") + 1]
        try:
            for name in ("Ann", "Ben"):
                command = [sys.executable, "-P", "-m", "arbitre", "bot", "minimax:depth=2", url]
                bots.append(
                    subprocess.Popen(
                        [*command, "--league", code, "--name", name], cwd=tmp_path,
                        env={**os.environ, "PYTHONPATH": str(accidents.ROOT)}, stdin=subprocess.DEVNULL,
                        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                    )
                )  # fmt: skip
            for number in (" 1  ", " 5  "):
                read_until(process, number)
                accidents.kill_one(process, Victim.SERVER)
            read_until(process, "started again")
            _said, complained = process.communicate(timeout=200)
            assert process.returncode == 0, complained
            assert [bot.wait(30) for bot in bots] == [0, 0]
        finally:
            for bot in bots:
                bot.kill()
                bot.wait()
    found = audit(load(tmp_path / "o"))
    assert (found.problems, found.finished, found.games, found.on_word, found.forfeits) == ([], True, 12, {}, 0)
