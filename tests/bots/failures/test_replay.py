"""`bot replay` of bots with a memory: all that their process was asked, by itself; and pdb at the author's line."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import arbitre
from bots.base import UNLIMITED, BotFaultError, Budget, MatchHistory
from bots.diary import MAX_ASKED, AskedMatch, Diary
from bots.failures import capsule, seal
from bots.failures.capsule import Capsule
from games import parse
from protocol import VERSION
from protocol.messages import Result
from tests.bots.adapters.matches import make, play, spec_of

ROOT = Path(__file__).parents[3]
BOT = """
import random
from .memory import remember

def choose(position):
    return remember(position, random.random())

def finished(position, seat, winner):
    remember.games += 1
"""
MEMORY = """
SEEN = []

def remember(position, chance):
    SEEN.append(chance)
    if remember.games == 2 and len(SEEN) > 7:
        table = {}
        return table[sum(SEEN)]
    return position.legal_moves()[0]

remember.games = 0
"""


def failed(
    folder: Path, text: str = BOT, memory: str = MEMORY, toml: str = "many_games = true\n", **launch: float
) -> tuple[Path, str]:
    """Plays until the bot fails; its capsule, and what was said of it."""
    bot = folder / "my_bot"
    bot.mkdir()
    for name, content in (("bot.py", text), ("memory.py", memory), ("bot.toml", toml)):
        (bot / name).write_text(content)
    spec = spec_of(f"{bot}/", **launch)
    for number in (1, 2):
        play(spec, number)
    third = make(spec, 3)
    position, moves = parse("morpion").start(), list[str]()
    fault: BotFaultError | None = None
    while fault is None:
        third.history = MatchHistory("m3", tuple(moves))
        try:
            moves.append(third.choose(position, UNLIMITED))
        except BotFaultError as error:
            fault = error
        else:
            third.diary.begin(AskedMatch(game="morpion", match="m3", seat=1, match_seed="3"))
            third.diary.note(moves[:-1])
            position = position.play(moves[-1])
            moves.append(position.legal_moves()[-1])
            position = position.play(moves[-1])
    third.close()
    told = Capsule(
        arbitre=VERSION,
        date="2026-11-21T15:00:00.000001+00:00",
        bot=spec.spec,
        launch=spec.launch,
        folder=str(folder),
        game="morpion",
        match="m3",
        seat=1,
        moves=tuple(moves),
        position=position.notation,
        clocks=None,
        budget=UNLIMITED,
        seed="7",
        match_seed="3",
        reason=fault.reason,
        message=str(fault),
        before=third.diary.games(),
    )
    return capsule.write(seal.sealed(told), folder / "capsules"), str(fault)


def replay(path: Path, *options: str, keys: str = "") -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, "-P", "-m", "arbitre", "--lang", "en", "bot", "replay", str(path), *options]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    return subprocess.run(command, input=keys, env=environment, capture_output=True, text=True, check=False)


@pytest.mark.slow
def test_a_failure_that_comes_of_games_before_is_replayed_whole(tmp_path: Path) -> None:
    path, message = failed(tmp_path)
    wanted = re.search(r"KeyError: [0-9.]+", message)
    assert wanted is not None, message
    again = replay(path)
    assert again.returncode == 1
    assert "Asked for that alone, it plays b1. Now with all that it was asked before: 7 decisions ..." in again.stderr
    assert "asked again for its 7 decisions before, in 3 matches" in again.stdout
    assert again.stdout.count(wanted[0]) >= 2, "the same chance gives the same sum"


@pytest.mark.slow
def test_pdb_stops_where_a_folder_raised(tmp_path: Path) -> None:
    path, _message = failed(tmp_path)
    again = replay(path, "--debug", keys="p len(SEEN), table\nu\np position.notation\nq\n")
    assert again.returncode == 1, again.stderr
    assert "my_bot/memory.py(8)remember()\n-> return table[sum(SEEN)]\n(Pdb) (8, {})" in again.stdout
    assert "my_bot/bot.py(6)choose()" in again.stdout
    assert "bots/adapters" not in again.stdout.partition("(Pdb)")[2], "no frame of ours"


@pytest.mark.slow
def test_pdb_stops_in_the_call_that_gives_no_legal_move(tmp_path: Path) -> None:
    memory = (
        "def remember(position, chance):\n    answer = 'z9' if remember.games == 2 else position.legal_moves()[0]\n"
    )
    path, _message = failed(tmp_path, memory=f"{memory}    return answer\n\nremember.games = 0\n")
    again = replay(path, "--debug", keys="n\ns\ns\nn\np answer\nc\n")
    assert again.returncode == 1, again.stderr
    assert "my_bot/bot.py(6)choose()" in again.stdout
    assert "'z9'" in again.stdout


@pytest.mark.slow
def test_pdb_stops_in_an_endless_loop(tmp_path: Path) -> None:
    loop = "    while remember.games == 2:\n        chance += 1\n    return position.legal_moves()[0]\n"
    memory = f"def remember(position, chance):\n{loop}"
    path, _message = failed(tmp_path, memory=f"{memory}\nremember.games = 0\n", move_s=2.0)
    again = replay(path, "--debug", keys="p remember.games\nq\n")
    assert re.search(r"my_bot/memory\.py\([23]\)remember\(\)", again.stdout)
    assert "(Pdb) 2" in again.stdout


@pytest.mark.slow
def test_pdb_with_an_interpreter_of_its_own(tmp_path: Path) -> None:
    path, _message = failed(tmp_path, toml=f'many_games = true\npython = "{sys.executable}"\n')
    assert "-> return table[sum(SEEN)]" in replay(path, "--debug", keys="q\n").stdout


def test_what_can_not_be_debugged(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, _message = failed(tmp_path)
    assert arbitre.main(["--lang", "en", "bot", "replay", str(path), "--debug", "--bot", "random"]) == 2
    assert "--debug is for a bot in Python, a file or a folder; random is none." in capsys.readouterr().err
    assert arbitre.main(["--lang", "en", "bot", "replay", str(path), "--debug", "--json"]) == 2


@pytest.mark.slow
def test_a_mended_bot_is_asked_for_all_and_plays(tmp_path: Path) -> None:
    path, _message = failed(tmp_path)
    (tmp_path / "my_bot" / "memory.py").write_text(MEMORY.replace("table[sum(SEEN)]", "'b1'"))
    again = replay(path)
    assert again.returncode == 0, again.stdout
    assert again.stdout.splitlines()[-1].startswith("now: b1, after ")


def test_a_diary_keeps_whole_games_and_says_how_many_it_forgot() -> None:
    diary, games = Diary(), MAX_ASKED // 30 + 5
    for number in range(games):
        diary.begin(AskedMatch(game="othello", match=f"m{number}", seat=2, match_seed="1"))
        for ply in range(30):
            diary.note(["d3"] * ply)
        diary.result(Result(1, "discs", (40, 24)), ["d3"])
    kept = diary.games()
    assert sum(len(game.asked) for game in kept) <= MAX_ASKED
    assert (diary.forgotten + len(kept), kept[-1].match) == (games, f"m{games - 1}")
    assert {len(game.asked) for game in kept} == {30}


@pytest.mark.parametrize(("left_ms", "code"), [(100, 1), (5000, 0)])
def test_a_move_that_the_clock_had_no_time_for_is_a_failure(
    left_ms: int, code: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A program of others is waited for until a second after the flag, so that its answer came through as good."""
    (tmp_path / "slow.py").write_text(
        "import time\nwhile line := input().split():\n    time.sleep(0.15)\n    print(line[8])\n"
    )
    spec = spec_of(f"stdio:{sys.executable} slow.py")
    told = Capsule(
        arbitre=VERSION, date="2026-11-21T15:00:00.000001+00:00", bot=spec.spec, launch=spec.launch,
        folder=str(tmp_path), game="morpion", match="m1", seat=1, moves=(), position=parse("morpion").start().notation,
        clocks=(left_ms, 5000), budget=Budget(remaining_ms=left_ms), seed="7", match_seed="1", reason="timeout",
        message="slow.py did not answer before its time was over",
    )  # fmt: skip
    path = capsule.write(seal.sealed(told), tmp_path / "capsules")
    assert arbitre.main(["--lang", "en", "bot", "replay", str(path)]) == code
    now = capsys.readouterr().out.partition("\nnow: ")[2]
    if code:
        assert re.fullmatch(r"a1 comes too late: its clock had 0\.10 s left \(timeout\), after 0\.\d+ s\n+(.*\n)*", now)
    else:
        assert re.match(r"a1, after 0\.\d+ s\nThat is in time: its clock had 5\.00 s left\. So its slowness", now)
