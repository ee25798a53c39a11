"""Two hundred spectators on one match: is a player's move as fast as without them?

    python3 run.py bench spectators
    python3 run.py bench spectators --spectators 1000 --rounds 21

Each round plays a match without and one with spectators, in alternating order, on a server of its own. A move's latency
is from its frame's write to the read of `moved` at the opponent's. The spectators read all, in a process of their own.
"""

from __future__ import annotations

import argparse
import math
import multiprocessing
import random
import selectors
import statistics
import sys
import time
from collections.abc import Sequence
from multiprocessing.connection import Connection as Pipe
from pathlib import Path
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).parents[1]))

from benchmarks import _measure
from benchmarks._load import Connection
from benchmarks._measure import ARBITRE, BenchError
from benchmarks.capacity import Match
from protocol import PROTOCOL
from protocol.codec import encode
from protocol.messages import Hello, Watch

SHARED_FILES = 64


class Round(NamedTuple):
    """One match: what its moves took, and the server's processor, in milliseconds (p99, median, a move)."""

    p99: float
    median: float
    processor: float


def watch(port: int, number: int, match: str, pipe: Pipe) -> None:
    """A process with all spectators: says when they are there, and at the end how many have heard the last move."""
    crowd, heard, selector = list[Connection](), list[int](), selectors.DefaultSelector()
    for place in range(number):
        connection = Connection(port)
        hello = Hello(id=1, protocol=PROTOCOL, client="bench", kind="human", name=f"spectator {place}", batch=True)
        connection.send(encode(hello))
        connection.receive_until(b'"id":1')
        connection.send(encode(Watch(2, match)))
        connection.receive_until(b'"type":"snapshot"')
        crowd.append(connection)
        heard.append(0)
        selector.register(connection.socket, selectors.EVENT_READ, place)
    pipe.send(number)
    while not pipe.poll():
        for key, _ in selector.select(0.1):
            heard[key.data] += sum(payload.count(b'"moved"') for payload in crowd[key.data].receive())
    pipe.send(min(heard, default=0))


def play(match: Match, pace: float) -> list[float]:
    """Makes all moves of the match, one every `pace` seconds; returns what each took, in milliseconds."""
    took: list[float] = []
    due = time.perf_counter()
    for _ in range(len(match.moves)):
        time.sleep(max(0.0, due - time.perf_counter()))
        due += pace
        match.move()
        mover, other = match.players[(match.ply - 1) % 2], match.players[match.ply % 2]
        while (latency := match.hear(other)) is None:
            pass
        took.append(latency * 1000)
        mover.receive()
    return took


def measured(spectators: int, pace: float, seed: int) -> Round:
    """A match on a new server; raises BenchError if a spectator has missed a move."""
    with _measure.listening(ARBITRE) as server:
        match = Match(server.port, 1, random.Random(seed))
        here, there = multiprocessing.Pipe()
        crowd = multiprocessing.Process(target=watch, args=(server.port, spectators, match.match, there), daemon=True)
        crowd.start()
        here.recv()
        before = _measure.cpu_seconds(server.pid)
        took = sorted(play(match, pace))
        processor = (_measure.cpu_seconds(server.pid) - before) * 1000 / len(took)
        time.sleep(0.2)
        here.send(None)
        if spectators and (least := here.recv()) < len(took):
            raise BenchError(f"a spectator heard of {least} of {len(took)} moves")
        crowd.join(10)
    return Round(took[math.ceil(0.99 * len(took)) - 1], statistics.median(took), processor)


def main(arguments: Sequence[str]) -> None:
    """Measures and prints."""
    parser = argparse.ArgumentParser(
        prog="python3 run.py bench spectators", description=(__doc__ or "").splitlines()[0]
    )
    parser.add_argument("--spectators", type=int, default=200)
    parser.add_argument("--rounds", type=int, default=21)
    parser.add_argument("--pace", type=float, default=0.05, help="seconds between two moves")
    options = parser.parse_args(arguments)
    _measure.need_files(options.spectators + SHARED_FILES)
    numbers = (0, options.spectators)
    rounds: dict[int, list[Round]] = {number: [] for number in numbers}
    for turn in range(options.rounds):
        for number in numbers if turn % 2 == 0 else reversed(numbers):
            rounds[number].append(measured(number, options.pace, turn))
        _measure.progress(f"{turn + 1} of {options.rounds}")
    rows = [
        {
            "spectators": number,
            **{
                name: f"{statistics.median(getattr(one, field) for one in found):.2f}"
                for name, field in (("p99 ms", "p99"), ("median ms", "median"), ("CPU ms a move", "processor"))
            },
        }
        for number, found in rounds.items()
    ]
    _measure.show(rows, markdown=True)
    apart = [much.p99 - none.p99 for none, much in zip(*rounds.values(), strict=True)]
    quartiles = _measure.Spread.of(apart)
    sys.stdout.write(
        f"p99 with spectators less p99 without, by pairs: {quartiles.median:+.2f} ms "
        f"({quartiles.quarter:+.2f} to {quartiles.three_quarters:+.2f})\n"
    )


if __name__ == "__main__":
    _measure.run_main(main)
