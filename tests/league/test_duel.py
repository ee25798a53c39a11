"""`match` and `demo` as a user runs them: real server, real bots, and nothing left running whatever happens."""

import asyncio
import json
import os
import random
import re
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import psutil
import pytest

import games
from bots.base import UNLIMITED, parse_bot
from games import Seat
from games.base import position_after
from league.duel import Duel, DuelPlan
from league.executors.local_server import LocalServerError
from league.played import DuelGame
from tests import in_process

ROOT = Path(__file__).resolve().parents[2]
PATIENCE_S = 60

EXAMPLES = [
    (0, 0, 1, ["OOO----", "XXX----", "OOO----", "XXX----", "OOO----", "XXXX---"]),
    (1, 1, 1, ["OO-----", "XX-----", "OO-----", "XX-----", "OOO----", "XXXX---"]),
    (3, 2, 2, ["OOXXOO-", "XXOOXX-", "OOXXOO-", "XXOOXX-", "OOXOOOO", "XXXOXXX"]),
]


def arbitre(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "arbitre", *arguments],
        cwd=ROOT,
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=PATIENCE_S,
        check=False,
        stdin=subprocess.DEVNULL,
    )


def records_of(*arguments: str) -> list[dict[str, object]]:
    result = in_process.run("match", *arguments, "--json", folder=ROOT)
    assert result.returncode == 0, result.stderr
    assert result.stderr == ""
    return [json.loads(line) for line in result.stdout.splitlines()]


@pytest.mark.parametrize(
    ("first", "second", "winner", "rows"),
    [pytest.param(*example, marks=pytest.mark.slow if n else ()) for n, example in enumerate(EXAMPLES)],
)
def test_the_games_of_the_document(first: int, second: int, winner: int, rows: list[str]) -> None:
    """002_177ad5cba4f15bca.txt: the three examples of playGame, through real processes."""
    bots = [f"lookahead:ply={ply},tiebreak=left" for ply in (first, second)]
    (record,) = records_of("--game", "puissance4", *bots)
    moves = record["moves"]
    assert isinstance(moves, list)
    assert position_after(games.parse("puissance4"), moves).notation.split()[0] == "".join(rows)
    assert record["winner"] == winner
    assert record["reason"] == "line"
    assert record["plies"] == len(moves)
    assert record["bots"] == bots
    assert set(record) == {
        "number", "game", "rules", "bots", "moves", "winner", "score", "reason", "plies", "seconds", "seed", "move_ms",
        "date_ms",
    }  # fmt: skip
    times = record["move_ms"]
    assert isinstance(times, list)
    assert len(times) == len(moves)


@pytest.mark.slow
def test_minimax_against_random_alternates_seats_and_repeats_under_a_seed() -> None:
    command = ("--game", "othello", "minimax:depth=3", "random", "--games", "10", "--seed", "1")
    records, again = records_of(*command), records_of(*command, "--concurrency", "5")
    assert [record["number"] for record in records] == list(range(1, 11))
    for number, record in enumerate(records, 1):
        bots = ["minimax:depth=3", "random"]
        assert record["bots"] == (bots if number % 2 else bots[::-1])
        moves = record["moves"]
        assert isinstance(moves, list)
        outcome = position_after(games.parse("othello"), moves).outcome()
        assert outcome is not None
        assert (record["winner"], record["score"]) == (outcome.winner, list(outcome.score))
    assert len({tuple(record["moves"]) for record in records}) == 10  # type: ignore[arg-type]  # a list of moves
    untimed = {"seconds": 0, "move_ms": 0, "date_ms": 0}
    assert [{**record, **untimed} for record in records] == [{**record, **untimed} for record in again]


def test_several_games_begin_from_openings_two_from_each_with_seats_swapped() -> None:
    """So bots without chance play different games; who wants the start asks for it."""
    command = ("--game", "othello:size=6", "first", "minimax:depth=1", "--games", "6", "--seed", "1")
    records = records_of(*command)
    begun = []
    for record in records:
        moves, opening = record["moves"], record["opening"]
        assert isinstance(moves, list)
        assert isinstance(opening, int)
        begun.append(tuple(moves[:opening]))
    assert begun[::2] == begun[1::2]
    assert len(set(begun)) == 3
    assert [record["bots"] for record in records[:2]] == [["first", "minimax:depth=1"], ["minimax:depth=1", "first"]]
    result = arbitre("match", *command, "--openings", "none")
    assert "Only 2 of 6 games are different" in result.stdout
    assert "Elo" in result.stdout


def test_the_processes_play_what_the_bots_play() -> None:
    (record,) = records_of("--game", "othello:size=6", "minimax:depth=2", "lookahead:tiebreak=right", "--clock", "none")
    game = games.parse("othello:size=6")
    players = {
        Seat.FIRST: parse_bot("minimax:depth=2").make(game, Seat.FIRST, random.Random(1)),
        Seat.SECOND: parse_bot("lookahead:tiebreak=right").make(game, Seat.SECOND, random.Random(1)),
    }
    position, moves = game.start(), []
    while position.outcome() is None:
        moves.append(players[position.to_move].choose(position, UNLIMITED))
        position = position.play(moves[-1])
    assert record["moves"] == moves
    assert "seconds" not in record, "no clock, no time: nobody has measured any"


def test_for_people_a_line_a_game_and_a_table() -> None:
    result = arbitre("match", "--game", "morpion", "minimax:depth=9", "first", "--games", "4", "--seed", "2")
    assert result.returncode == 0
    assert len(result.stderr.splitlines()) == 6
    assert result.stderr.startswith("minimax:depth=9 - first: morpion, clock 1m+1s, seed 2\n")
    assert "minimax:depth=9" in result.stdout
    assert all(len(line) <= 80 for line in (result.stdout + result.stderr).splitlines())


@pytest.mark.parametrize(
    "arguments",
    [
        ("match", "--game", "chess", "random", "random"),
        ("match", "--game", "othello", "random", "minmax"),
        ("match", "--game", "othello", "random", "minimax:eval=lines"),
        ("match", "--game", "othello", "random", "random", "--clock", "soon"),
        ("match", "--game", "othello", "random", "random", "--openings", "nowhere.txt"),
        ("match", "--game", "othello", "random"),
        ("match", "--game", "othello", "random", "stdio:./nowhere"),
        ("demo", "--game", "chess"),
        ("bot", "minimax:depth=x"),
        ("bot", "random", "http://"),
        ("bot", "random", "--game", "othello:size=7"),
        ("perft", "chess", "3"),
        ("perft", "othello", "-1"),
    ],
)
def test_what_is_wrong_is_said_in_a_sentence(arguments: tuple[str, ...]) -> None:
    result = arbitre(*arguments)
    assert result.returncode == 2
    assert result.stdout == ""
    assert "Traceback" not in result.stderr
    assert result.stderr.strip()
    assert result.stderr.count("Error: ") == 1


def test_a_bot_without_a_server() -> None:
    result = arbitre("bot", "random", "127.0.0.1:9")
    assert result.returncode == 1
    said, command = result.stderr.strip().splitlines()
    assert said.startswith("Error: No server answers")
    assert command == "  python3 run.py serve"


def test_perft_prints_only_the_number() -> None:
    assert arbitre("perft", "othello", "6").stdout == "8200\n"
    divided = arbitre("perft", "puissance4", "3", "--divide").stdout.splitlines()
    assert divided == [*(f"{column} 49" for column in range(1, 8)), "343"]
    assert json.loads(arbitre("perft", "morpion", "9", "--json").stdout)["leaves"] == 255168


@pytest.mark.parametrize(
    "game",
    [
        "othello:size=4",
        pytest.param("puissance4", marks=pytest.mark.slow),
        pytest.param("morpion", marks=pytest.mark.slow),
    ],
)
def test_the_demo_ends_with_what_to_type_next(game: str) -> None:
    result = arbitre("demo", "--game", game)
    assert result.returncode == 0, result.stderr
    assert re.findall(r"python3 run\.py .*--game (\S+)", result.stdout) == [game] * 3
    assert "\x1b" not in result.stdout


def left_over(pids: list[int]) -> list[int]:
    return [pid for pid in pids if Path(f"/proc/{pid}").exists() and "Z" not in _state(pid)]


def _state(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return "Z"


@pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")
@pytest.mark.parametrize(
    "number", [signal.SIGINT, pytest.param(signal.SIGTERM, marks=pytest.mark.slow), signal.SIGKILL]
)
def test_stopped_in_the_middle_it_leaves_no_process(number: signal.Signals) -> None:
    words = ("--game", "othello", "random", "random", "--games", "99999", "--seed", "7")
    command = [sys.executable, "-m", "arbitre", "--lang", "en", "match", *words]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        assert process.stderr.readline() == "random - random 2: othello, clock 1m+1s, seed 7\n"
        assert process.stderr.readline()
        listed = subprocess.run(
            ["ps", "-o", "pid=", "--ppid", str(process.pid)], capture_output=True, text=True, check=True
        )
        children = [int(pid) for pid in listed.stdout.split()]
        assert len([pid for pid in children if left_over([pid])]) >= 3
        process.send_signal(number)
        _, talk = process.communicate(timeout=20)
    assert process.returncode in (128 + number, -signal.SIGKILL)
    assert "Traceback" not in talk
    if number != signal.SIGKILL:
        assert re.search(r"Stopped after \d+ of 99999 games. --seed 7 begins anew from the same openings.", talk)
    for pid in children:
        for _ in range(1000):
            if not left_over([pid]):
                break
            os.sched_yield()
        assert left_over([pid]) == []


def ours(*words: str) -> psutil.Process:
    """Our process whose command line has all these words."""
    for child in psutil.Process().children(recursive=True):
        with suppress(psutil.Error):
            if set(words) <= set(child.cmdline()):
                return child
    raise AssertionError(words)


async def test_a_bots_process_that_is_killed_costs_it_nothing(capfd: pytest.CaptureFixture[str]) -> None:
    """It is an accident, as in a league: its games are played again by the next process."""
    plan = DuelPlan(games.parse("othello"), ("random", "first"), games=12, at_once=2)
    records: list[DuelGame] = []
    async with Duel(plan, "1") as duel:
        async for record in duel.records():
            records.append(record)
            if len(records) == 3:
                ours("--name", "first").kill()
    assert [record.number for record in records] == list(range(1, 13))
    assert {record.reason for record in records} == {"discs"}
    for record in records:
        outcome = position_after(plan.game, record.moves).outcome()
        assert outcome is not None
        assert (record.winner, record.score) == (outcome.winner, outcome.score)
    assert "first: its process has ended" in capfd.readouterr().err


def test_bots_may_be_given_names() -> None:
    """Two versions of one engine are called alike otherwise."""
    words = ("--game", "morpion", "new=first", "old=first", "--games", "2", "--seed", "1")
    shown = arbitre("match", *words)
    assert shown.returncode == 0, shown.stderr
    assert [line.split()[0] for line in shown.stdout.splitlines()[1:3]] == ["new", "old"]
    records = records_of(*words)
    assert [(record["names"], record["bots"]) for record in records] == [
        (["new", "old"], ["first", "first"]), (["old", "new"], ["first", "first"])
    ]  # fmt: skip
    assert all("names" not in record for record in records_of("--game", "morpion", "first", "random"))


def test_its_games_are_records_for_other_commands(tmp_path: Path) -> None:
    words = ("match", "--game", "morpion", "new=first", "minimax:depth=1", "--games", "2", "--seed", "1")
    times = ("--clock", "9s", "--clock", "new=5s")
    made = arbitre(*words, *times, "--output", str(tmp_path / "games.jsonl"))
    assert made.returncode == 0, made.stderr
    assert made.stderr.endswith("2 matches written\n")
    kept = [json.loads(line) for line in (tmp_path / "games.jsonl").read_text(encoding="utf-8").splitlines()]
    assert [[player["name"] for player in record["players"]] for record in kept] == [
        ["new", "minimax:depth=1"], ["minimax:depth=1", "new"]
    ]  # fmt: skip
    assert [record["clock"]["initial_ms"] for record in kept] == [5000, 9000]
    checked = arbitre("verify", str(tmp_path / "games.jsonl"))
    assert checked.stdout + checked.stderr == "2 records checked, 0 with problems\n"
    for wrong in ("games.pgn", "games.ggf", "nowhere/games.txt"):
        refused = arbitre(*words, "--output", str(tmp_path / wrong))
        assert (refused.returncode, refused.stdout) == (2, "")


@pytest.mark.slow
def test_a_bot_whose_process_always_dies_loses(tmp_path: Path) -> None:
    (tmp_path / "eve.py").write_text(
        "import os, signal, time\n"
        "def choose(position, budget):\n"
        "    os.kill(os.getppid(), signal.SIGKILL)\n"
        "    time.sleep(60)\n"
    )
    result = arbitre("match", "--game", "morpion", str(tmp_path / "eve.py"), "first", "--games", "2", "--json")
    records = [json.loads(line) for line in result.stdout.splitlines()]
    assert [(record["reason"], record["winner"]) for record in records] == [("crash", 2), ("crash", 1)]
    assert result.returncode == 1
    assert "is played again" in result.stderr


async def test_a_server_that_dies_is_said() -> None:
    plan = DuelPlan(games.parse("othello"), ("random", "first"), games=500)

    async def play() -> None:
        async with Duel(plan, "1") as duel:
            async for record in duel.records():
                if record.number == 2:
                    ours("serve").kill()

    async with asyncio.timeout(PATIENCE_S):
        with pytest.raises(LocalServerError, match="server is gone: its process ended with code"):
            await play()
