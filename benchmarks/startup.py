"""How long a server with a long past takes to start, against one with none; how long a search takes to start.

    python3 run.py bench startup
    python3 run.py bench startup --matches 30000 1000000 --rounds 9
    python3 run.py bench startup --searches

The time is that of the whole command: from the start of `arbitre serve` until it says that it is listening, the start
of Python included. The database with a past and an empty one take turns. Each server is killed, not stopped, so that
the next start comes after an unclean end. The past is one finished game of morpion so many times over, with ids of its
own, written by plain SQL into a temporary folder (1.5 GB for a million) that is deleted afterwards; besides, one match
has been open since before all of them.

With --searches it measures commands whose search takes next to nothing: the processor time of each whole process, once
everything is compiled.
"""

from __future__ import annotations

import argparse
import os
import sqlite3
import subprocess
import tempfile
import time
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from benchmarks import _measure
from benchmarks._measure import ARBITRE, Spread
from games import parse
from protocol.records import GameRecord
from server.records.compose import FoundGame, compose
from server.referee.effects import EventHappened, MatchClosed, MatchOpened, Record, SeatTaken
from server.store.store import Store, row_of

AIM_S = 1.0
MOVES = ("a1", "b1", "a2", "b2", "a3")

FIRST = """
import random, sys, games
from bots.base import Budget, parse_bot
from games.base import Seat
game, spec = games.parse(sys.argv[1]), parse_bot(sys.argv[2])
spec.prepare(game)
position = game.start()
for move in game.parse_transcript(sys.argv[3]):
    position = position.play(move)
bot = spec.make(game, position.to_move, random.Random(1))
bot.get_ready()
bot.choose(position, Budget(move_ms=20))
"""
"""A process in which a bot plays one move."""

NEARLY_OVER = "44444422222266666633335"
SEARCHES: dict[str, tuple[str, ...]] = {
    "solve puissance4": ("-m", "arbitre", "solve", "puissance4", NEARLY_OVER),
    "solve morpion": ("-m", "arbitre", "solve", "morpion", "b2"),
    "analyse puissance4": ("-m", "arbitre", "analyse", "puissance4", NEARLY_OVER, "--time", "0.02"),
    "explain othello": ("-m", "arbitre", "explain", "othello", "--bot", "minimax:depth=2"),
    "perfect, puissance4": ("-c", FIRST, "puissance4", "perfect", "4444442222226666"),
    "strong, puissance4": ("-c", FIRST, "puissance4", "strong", "4444442222226666"),
    "strong, othello": ("-c", FIRST, "othello", "strong", "f5d6c3"),
    "strong, 10x10 five in a line": ("-c", FIRST, "morpion:width=10,height=10,k=5", "strong", "e5"),
    "human level 10, othello": ("-c", FIRST, "othello", "human:level=10", "f5d6c3"),
}
"""What is measured with --searches -> what Python runs."""

_NUMBERS = "WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < :count)"
_ID = "printf('past%012d', n)"
_MATCHES = f"""{_NUMBERS} INSERT INTO matches (id, game, clock, public, code, opened_ms)
SELECT {_ID}, game, clock, public, code, opened_ms + n FROM numbers, matches WHERE id = :one"""
_SEATS = f"{_NUMBERS} INSERT INTO seats SELECT {_ID}, seat, session FROM numbers, seats WHERE match = :one"
_EVENTS = f"""{_NUMBERS} INSERT INTO events SELECT {_ID}, seq, kind, replace(payload, :one, {_ID}), wall_ms + n
FROM numbers CROSS JOIN (SELECT * FROM events WHERE match = :one ORDER BY seq)"""
_RESULTS = f"""{_NUMBERS} INSERT INTO results
SELECT {_ID}, winner, reason, first_score, second_score, plies, chain, closed_ms + n, 1,
  :before + (n - 1) * :events + 1, :before + n * :events FROM numbers, results WHERE match = :one"""
_CHECKPOINT = "UPDATE checkpoint SET event = (SELECT max(0, max(rowid) - 65536) FROM events)"
"""As the writer leaves it: it follows the last row at this distance."""


@dataclass(frozen=True, slots=True)
class Step:
    """What was measured with so many finished matches; times in seconds."""

    matches: int
    file_mb: float
    empty: Spread
    past: Spread


def make(path: Path, count: int) -> None:
    """Writes a database with `count` finished matches and one that is open."""
    record, _ = compose(FoundGame(parse("morpion"), ("Zoé", "Bob"), 0, MOVES))
    store = Store(str(path), "process", lambda _: None)
    store.submit([row_of(MatchOpened("open", "othello", None, True, None), 0)])
    store.submit(_rows(record))
    store.close()
    with closing(sqlite3.connect(path)) as database:
        database.execute("PRAGMA journal_mode = OFF")
        database.execute("PRAGMA synchronous = OFF")
        before = database.execute("SELECT max(rowid) FROM events").fetchone()[0]
        values = {"count": count, "one": record.match, "events": len(record.events), "before": before}
        for statement in (_MATCHES, _SEATS, _EVENTS, _RESULTS, _CHECKPOINT):
            database.execute(statement, values)
        database.commit()


def _rows(record: GameRecord) -> list[tuple[str, tuple[object, ...]]]:
    assert record.result is not None
    assert record.chain is not None
    records: list[Record] = [
        MatchOpened(record.match, record.game, record.clock, record.public, None),
        SeatTaken(record.match, 1, "s1"),
        SeatTaken(record.match, 2, "s2"),
        *map(EventHappened, record.events),
        MatchClosed(record.match, record.result, len(record.moves), record.chain),
    ]
    return [row_of(one, 0) for one in records]


def start(path: Path) -> float:
    """Starts a server on a database and kills it; returns how long it took until it was listening."""
    began = time.perf_counter()
    with _measure.listening([*ARBITRE, "--db", str(path)]):
        return time.perf_counter() - began


def measure(folder: Path, count: int, rounds: int) -> Step:
    """Starts servers with and without a past in turns."""
    empty, past = folder / f"empty-{count}.sqlite", folder / f"past-{count}.sqlite"
    make(past, count)
    _measure.progress(f"{count} matches written")
    for path in (empty, past):  # the first start makes the file, or reads it from the disk
        start(path)
    times: dict[Path, list[float]] = {empty: [], past: []}
    for number in range(rounds):
        for path in (empty, past) if number % 2 else (past, empty):
            times[path].append(start(path))
    size = past.stat().st_size / 1e6
    for file in folder.iterdir():
        file.unlink()
    return Step(count, size, Spread.of(times[empty]), Spread.of(times[past]))


def measure_searches(rounds: int) -> dict[str, Spread]:
    """Measures the processor time of each of SEARCHES, in seconds; what has to be compiled is compiled before."""
    times: dict[str, list[float]] = {name: [] for name in SEARCHES}
    for number in range(rounds + 1):
        for name, arguments in SEARCHES.items():
            began = os.times()
            subprocess.run(_measure.python(*arguments), check=True, stdout=subprocess.DEVNULL)
            ended = os.times()
            if number:
                used = ended.children_user + ended.children_system - began.children_user - began.children_system
                times[name].append(used)
        _measure.progress(f"round {number} of {rounds}")
    return {name: Spread.of(values) for name, values in times.items()}


def search_shown(name: str, spread: Spread) -> dict[str, object]:
    """What is printed of one of SEARCHES."""
    return {
        "search": name,
        "CPU s": f"{spread.median:.2f}",
        "min..max": f"{spread.low:.2f}..{spread.high:.2f}",
        "aim": f"< {AIM_S:.0f}",
    }


def row_shown(step: Step) -> dict[str, object]:
    """What is printed of a step."""
    return {
        "finished matches": step.matches,
        "file MB": f"{step.file_mb:.0f}",
        "empty s": f"{step.empty.median:.2f}",
        "min..max": f"{step.empty.low:.2f}..{step.empty.high:.2f}",
        "with them s": f"{step.past.median:.2f}",
        "min..max ": f"{step.past.low:.2f}..{step.past.high:.2f}",
        "aim": f"< {AIM_S:.0f}",
    }


def main(arguments: Sequence[str]) -> None:
    """Measures and prints."""
    parser = argparse.ArgumentParser(prog="python3 run.py bench startup", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--matches", type=int, nargs="+", default=[30_000, 1_000_000], help="finished matches")
    parser.add_argument("--rounds", type=int, default=7, help="starts of each kind")
    parser.add_argument("--searches", action="store_true", help="measure how searches start instead")
    parser.add_argument("--json", action="store_true", help="print the figures as JSON")
    parser.add_argument("--markdown", action="store_true", help="print the table for docs/performance.md")
    options = parser.parse_args(arguments)
    if min(options.matches) < 1 or max(options.matches) > 5_000_000 or options.rounds < 1:
        parser.error("--matches are 1 to 5000000, --rounds is at least 1")
    if options.searches:
        searches = measure_searches(options.rounds)
        if options.json:
            _measure.print_json({"machine": _measure.machine(), "searches": searches})
        else:
            _measure.show([search_shown(*each) for each in searches.items()], markdown=options.markdown)
        return
    with tempfile.TemporaryDirectory() as folder:
        steps = [measure(Path(folder), count, options.rounds) for count in options.matches]
    if options.json:
        _measure.print_json({"machine": _measure.machine(), "steps": steps})
        return
    if not options.markdown:
        print(f"From the start of the command until the server listens. {_measure.machine()}.")
    _measure.show([row_shown(step) for step in steps], markdown=options.markdown)


if __name__ == "__main__":
    _measure.run_main(main)
