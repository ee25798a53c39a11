"""Each benchmark runs in a tiny configuration and prints its figures; what they mean is for quiet machines."""

import importlib.util
import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from benchmarks import _search_lines, instructions, relay
from benchmarks._load import Connection, Pair, frame
from benchmarks._measure import BenchError, Spread, cpu_seconds, need_files, resident_bytes
from benchmarks._weighed_cases import CASES
from bots.search.solver import make_solver
from games import Puissance4
from tests.page.browser import needs_browser

ROOT = Path(__file__).parents[2]
ON_POSIX = pytest.mark.skipif(os.name == "nt", reason="the benchmarks measure processes on Linux and macOS")
WITH_OPEN_SPIEL = pytest.mark.skipif(
    importlib.util.find_spec("pyspiel") is None, reason="open_spiel is installed by `run.py bench` only"
)


def bench(name: str, *options: str, seconds: float = 100) -> str:
    done = subprocess.run(
        [sys.executable, str(ROOT / "benchmarks" / f"{name}.py"), *options],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        check=False,
        text=True,
        timeout=seconds,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def bench_json(name: str, *options: str, seconds: float = 100) -> Any:
    return json.loads(bench(name, *options, "--json", seconds=seconds))


@ON_POSIX
@pytest.mark.slow
def test_relay_compares_both_servers() -> None:
    report = bench_json("relay", "--pairs", "2", "--rounds", "2", "--moves", "20", "--games", "morpion")["reports"][0]
    assert report["game"] == "morpion"
    assert report["moves"] >= 10
    assert len(report["ratio"]["values"]) == 2
    assert all(ratio > 0 for ratio in report["ratio"]["values"])
    # What makes the comparison fair: nearly as many bytes, and each player hears of each move.
    assert report["relay_frames_per_move"] == 2
    assert 1 <= report["arbitre_frames_per_move"] <= 2.2
    assert report["relay_bytes_per_move"] == pytest.approx(report["arbitre_bytes_per_move"], rel=0.1)


@ON_POSIX
@pytest.mark.slow
def test_relay_prints_a_table_for_the_documentation() -> None:
    table = bench("relay", "--pairs", "1", "--rounds", "1", "--moves", "1", "--games", "othello", "--markdown")
    assert table.startswith("| game ")
    assert "| othello |" in table


VALGRIND = """#!/bin/sh
while [ "${1#--}" != "$1" ]; do shift; done
exec "$@"
"""
"""Runs the command after the options, and counts nothing."""

CALLGRIND_CONTROL = """#!/bin/sh
[ "$1" = -e ] || exit 0
for pid; do :; done
asked="$(dirname "$0")/$pid"
echo . >> "$asked"
counted=$(wc -l < "$asked")
echo "PID $pid: python -m arbitre"
echo
echo "  Totals:         Ir "
echo "   Th 1   $counted,000,500 "
echo "   Th 2          30 "
"""
"""Tells a million instructions more each time, in the words of valgrind 3.19."""


def with_stand_ins(folder: Path, **programs: str) -> None:
    """Puts programs into a folder."""
    for name, source in programs.items():
        (folder / name).write_text(source, encoding="ascii")
        (folder / name).chmod(0o700)


@ON_POSIX
@pytest.mark.slow
def test_instructions_are_those_between_two_counts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with_stand_ins(tmp_path, valgrind=VALGRIND, callgrind_control=CALLGRIND_CONTROL)
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    (report,) = bench_json("instructions", "--games", "morpion", "--moves", "30")["reports"]
    assert report["relay"]["instructions"] == pytest.approx(1e6 / report["relay"]["moves"])
    assert report["arbitre"]["instructions"] == pytest.approx(1e6 / report["arbitre"]["moves"])
    assert report["relay"]["moves"] == report["arbitre"]["moves"] >= 30
    assert report["relay"]["frames"] == 2


@ON_POSIX
def test_the_instructions_of_all_threads_count(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with_stand_ins(tmp_path, callgrind_control=CALLGRIND_CONTROL)
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    assert [instructions.executed(7), instructions.executed(7)] == [1_000_530, 2_000_530]


@ON_POSIX
def test_a_count_that_valgrind_does_not_tell_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with_stand_ins(tmp_path, callgrind_control="#!/bin/sh\necho No active callgrind runs detected.\n")
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    with pytest.raises(BenchError, match="No active callgrind runs detected"):
        instructions.executed(7)


@ON_POSIX
@WITH_OPEN_SPIEL
def test_rules_compare_with_open_spiel() -> None:
    comparisons = bench_json("rules", "--small", "--rounds", "1")["comparisons"]
    assert [comparison["game"] for comparison in comparisons[::3]] == ["othello", "puissance4", "morpion"]
    assert {comparison["unit"] for comparison in comparisons} == {"leaves", "games", "plies"}
    assert comparisons[0]["amount"] == 244  # Othello, depth 4


@ON_POSIX
@pytest.mark.slow
def test_memory_counts_idle_connections() -> None:
    steps = bench_json("memory", "--steps", "20", "40", "--settle", "0.1")["steps"]
    assert [step["connections"] for step in steps] == [20, 40]
    assert all(step["resident_mb"] > 1 for step in steps)


def test_games_are_drawn_alike() -> None:
    drawn = relay.draw_games("morpion", 7)
    assert drawn == relay.draw_games("morpion", 7)
    assert drawn != relay.draw_games("morpion", 8)
    assert all(5 <= len(turns) <= 9 for turns in drawn)


def test_a_script_is_the_same_for_both_servers_but_for_the_match() -> None:
    drawn = relay.draw_games("othello", 1)
    here = relay.script_of([("a" * 8, 0), ("b" * 8, 1)], drawn, 3)
    there = relay.script_of([("x" * 8, 0), ("y" * 8, 1)], drawn, 3)
    assert [player for player, _ in here] == [player for player, _ in there]
    assert [len(sent) for _, sent in here] == [len(sent) for _, sent in there]
    assert here[0][0] == 0
    assert here[len(drawn[3])][0] == 1


def test_a_refused_move_ends_the_measurement() -> None:
    with pytest.raises(BenchError, match="refused a move"):
        relay.moves_in_refereed(b'{"type":"error","code":"not_your_turn"}')


@pytest.mark.parametrize(("size", "header"), [(5, 6), (125, 6), (126, 8), (70_000, 14)])
def test_frames_have_a_mask_of_zeros(size: int, header: int) -> None:
    sent = frame(b"x" * size)
    assert len(sent) == header + size
    assert sent[header - 4 : header] == bytes(4)


def test_frames_are_put_together_from_pieces() -> None:
    class Pieces:
        def __init__(self, *pieces: bytes) -> None:
            self.pieces = list(pieces)

        def recv(self, _: int) -> bytes:
            return self.pieces.pop(0)

    long = b"\x81\x7e" + (300).to_bytes(2, "big") + b"y" * 300
    connection = object.__new__(Connection)
    connection._rest = b""
    connection.socket = Pieces(b"\x81\x03ab", b"c" + long[:2], long[2:] + b"\x81\x01z", b"")  # type: ignore[assignment]  # a fake
    assert connection.receive() == []
    assert connection.receive() == [b"abc"]
    assert connection.receive() == [b"y" * 300, b"z"]
    with pytest.raises(BenchError, match="closed"):
        connection.receive()


def test_a_pair_is_over_once_both_have_heard_of_all() -> None:
    connection = object.__new__(Connection)
    pair = Pair((connection, connection), [(0, b""), (1, b"")])
    assert [pair.listen(0, 2), pair.listen(1, 1), pair.listen(1, 1), pair.listen(1, 0)] == [False, False, True, False]


@ON_POSIX
def test_this_process_uses_time_and_memory() -> None:
    before = cpu_seconds(os.getpid())
    sum(range(1_000_000))
    assert cpu_seconds(os.getpid()) >= before
    assert resident_bytes(os.getpid()) > 1_000_000


@ON_POSIX
def test_too_many_files_are_refused_in_a_sentence() -> None:
    with pytest.raises(BenchError, match="open files"):
        need_files(2**40)


def test_spread() -> None:
    assert Spread.of([3.0, 1.0, 2.0]) == Spread(2.0, 1.0, 3.0, (3.0, 1.0, 2.0), 1.5, 2.5)


@pytest.mark.slow
@ON_POSIX
def test_the_scores_of_class_are_two_hundred_times_as_fast_as_the_documents() -> None:
    """A ratio of CPU times in one process, and far above the aim: it needs no quiet machine."""
    (row,) = bench_json("classroom", "--only", "scores", "--rounds", "1")["scores"]
    assert int(row["ratio"]) >= 200


@pytest.mark.slow
@ON_POSIX
def test_a_class_with_accidents_comes_to_the_same_table() -> None:
    calm, wild = bench_json("classroom", "--only", "class", "--small", seconds=1200)["class"]
    assert (calm["pupils"], calm["games"], wild["games"]) == (6, 30, 30)


@ON_POSIX
@pytest.mark.slow
def test_classroom_starts_bots_and_plays_matches_at_once() -> None:
    report = bench_json("classroom", "--only", "start", "matches", "--bots", "bfs", "--rounds", "1", "--matches", "7")
    (row,) = report["start"]
    assert row["bot"] == "bfs"
    assert 0 < float(row["CPU s"]) < 5
    assert report["matches"][0]["ended by the rules"] == 7


@pytest.mark.slow
def test_search_prints_a_row_for_each_thing_that_it_measures() -> None:
    rows = bench_json("search", "othello-perft", "--small")["rows"]
    assert [row["work"] for row in rows] == ["perft 10"]
    assert rows[0]["measured"].endswith("M leaves/s")
    assert rows[0]["aim"] == "150 M leaves/s"


@pytest.mark.slow
def test_search_knows_its_rows() -> None:
    assert "othello-games" in bench("search", "--list").split()
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks.search", "chess"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 2
    assert "there is no row called chess" in done.stderr


@ON_POSIX
@pytest.mark.thorough
def test_search_compares_with_published_scores() -> None:
    rows = bench_json("search", "puissance4-scores", "morpion-mnk", "--small")["rows"]
    assert [row["reached"] for row in rows] == ["yes", "yes"] or {row["reached"] for row in rows} == {"not measured"}


@ON_POSIX
@pytest.mark.thorough
def test_search_plays_and_times_the_games_of_lines() -> None:
    """What these find is for quiet machines; here, that they run and count."""
    rows = bench_json("search", "threats", "stop", "responsive", "--small")["rows"]
    if {row["reached"] for row in rows} == {"not measured"}:
        return
    assert [row["measured"].rpartition(" of ")[2] for row in rows[:2]] == ["2 games", "2 games"]
    assert [row["work"].partition(",")[0] for row in rows[2:5]] == ["10 stops"] * 3
    assert all(row["measured"].startswith("p50 ") for row in rows[2:])
    assert [row["work"].split()[4] for row in rows[5:]] == ["ping,", "resign,"] * 3


@pytest.mark.slow
def test_search_checks_each_move_of_perfect() -> None:
    """In the middle of a game, so that the solver answers at once."""
    position, game = Puissance4().start(), Puissance4()
    for move in "4444333312222115551":
        position = position.play(move)
    checker = make_solver(game, 1)
    assert checker is not None
    record = _search_lines.Record()
    _search_lines._play_second(game, position, checker, record)
    assert (record.won + record.drawn + record.lost, record.errors) == (1, 0)
    assert record.moves > 0


@ON_POSIX
@pytest.mark.slow
def test_search_loses_no_game_on_time() -> None:
    (row,) = bench_json("search", "on-time", "--games", "2")["rows"]
    assert row["measured"].startswith("0 lost on time")


@ON_POSIX
@pytest.mark.slow
def test_league_tells_who_works_for_a_game() -> None:
    head, _line, row = bench("league", "--only", "morpion", "--games", "20", "--markdown").splitlines()
    names, cells = ([cell.strip() for cell in line.strip("|").split("|")] for line in (head, row))
    said = dict(zip(names, cells, strict=True))
    assert (said["played"], said["aim"]) == ("20", "8000")
    assert all(float(said[f"{who} us"]) > 0 for who in ("server", "bots", "organiser"))


@pytest.mark.slow
def test_levels_scores_each_step_of_the_ladder() -> None:
    first, again = (
        bench_json("levels", "--game", "morpion", "--games", "4", "--levels", "2", "3")["steps"] for _ in range(2)
    )
    assert [(step["level"], step["below"], len(step["pairs"])) for step in first] == [(2, 1, 2), (3, 2, 2)]
    assert [step["pairs"] for step in first] == [step["pairs"] for step in again], "the same seed, the same games"


def test_levels_plays_a_pool_where_the_good_ones_draw() -> None:
    found = bench_json("levels", "--game", "morpion", "--games", "4", "--levels", "1", "10")
    assert [step["level"] for step in found["steps"]] == [10]
    assert [(each["level"], set(each["pairs"])) for each in found["standings"]] == [
        (level, {"random", "first", "minimax:depth=2", "perfect"}) for level in (1, 10)
    ]


def test_levels_plays_the_bots_that_are_asked_for_instead() -> None:
    found = bench_json("levels", "--game", "othello", "--games", "2", "--levels", "1", "--against", "random", "first")
    assert found["steps"] == []
    assert {bot: len(pairs) for bot, pairs in found["standings"][0]["pairs"].items()} == {"random": 1, "first": 1}


@pytest.mark.slow
@ON_POSIX
def test_weights_weigh_every_request() -> None:
    done = subprocess.run(
        [sys.executable, str(ROOT / "benchmarks" / "weights.py"),
         "--rounds", "2", "--size", "2", "--users", "50", "--matches", "50", "--json"],
        env={**os.environ, "PYTHONPATH": str(ROOT)}, capture_output=True, check=False, text=True, timeout=100,
    )  # fmt: skip
    assert done.returncode in (0, 1), done.stderr  # what so few rounds measure may be wrong
    weights = json.loads(done.stdout)["weights"]
    assert [weight["request"] for weight in weights] == [case.name for case in CASES]
    assert all(weight["charged"] > 0 for weight in weights)


@ON_POSIX
@pytest.mark.slow
def test_spectators_are_counted_and_hear_every_move() -> None:
    said = bench("spectators", "--spectators", "5", "--rounds", "1", "--pace", "0.001")
    assert re.search(r"^\| 0 .*\n\| 5 .*\np99 with spectators less p99 without, by pairs: [+-]", said, re.MULTILINE)


@pytest.mark.slow
@needs_browser
def test_the_page_is_painted_and_drawn_again() -> None:
    said = bench("page", "--loads", "1", "--games", "1")
    for what, times in (("first paint", 1), ("key to redraw", 60), ("click to redraw", 60)):
        assert re.search(rf"^\| {what} +\| {times} ", said, re.MULTILINE), said
    assert re.search(r"^\d+ bytes in \d+ files", said, re.MULTILINE)
