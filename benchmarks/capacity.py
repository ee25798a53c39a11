"""Ten thousand idle connections, and matches at a move a second among them: is anybody dropped, how long is a move?

    python3 run.py bench capacity
    python3 run.py bench capacity --idle 2000 --matches 50 --seconds 10

A move's latency is from its frame's write to the read of `moved` at the opponent's. The idle clients answer pings, in
processes of their own. All of them need file descriptors: `ulimit -n 20000` for the defaults.
"""

from __future__ import annotations

import argparse
import heapq
import math
import multiprocessing
import random
import selectors
import sys
import tempfile
import time
from collections.abc import Sequence
from itertools import count
from multiprocessing.connection import Connection as Pipe
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from benchmarks import _measure
from benchmarks._load import Connection
from benchmarks._measure import ARBITRE, BenchError
from benchmarks.memory import WAVE, Crowd
from protocol import PROTOCOL
from protocol.codec import encode
from protocol.messages import Create, Hello, Join, MakeMove

AIM_MS = 25.0
GAME = "morpion:width=10,height=10,k=10"
"""A hundred moves, and hardly ever a line of ten."""

CELLS = tuple(f"{letter}{row}" for letter in "abcdefghij" for row in range(1, 11))
SHARED_FILES = 64
PACE_S = 1.0


def idle(port: int, size: int, number: int, pipe: Pipe) -> None:
    """A process with a crowd; says when it is complete, and at the end how many are still there (0 if one was lost)."""
    crowd = Crowd(port, f"idle {number}")
    try:
        while len(crowd) < size:
            for _ in range(min(WAVE, size - len(crowd))):
                crowd.grow()
            crowd.wait(0)
        pipe.send(len(crowd))
        while not pipe.poll():
            crowd.wait(0.25)
        pipe.send(len(crowd))
    except (BenchError, OSError) as error:
        _measure.progress(f"an idle client was lost: {error}")
        pipe.send(0)
    finally:
        crowd.leave()


class Match:
    """Two players, and the moves that they will make in turn."""

    def __init__(self, port: int, number: int, rng: random.Random) -> None:
        self.players = tuple(_enter(port, f"player {number} {seat}") for seat in (1, 2))
        first, second = self.players
        first.send(encode(Create(2, GAME, seat="first")))
        answer = b"".join(first.receive_until(b'"id":2'))
        self.match = match = answer.partition(b'"match":"')[2].partition(b'"')[0].decode()
        if not match:
            raise BenchError(f"no match was opened: {answer[:200]!r}")
        second.send(encode(Join(2, match)))
        second.receive_until(b'"type":"snapshot"')
        self.moves = [
            encode(MakeMove(ply + 3, match, ply, move)) for ply, move in enumerate(rng.sample(CELLS, len(CELLS)))
        ]
        self.ply = 0
        self.sent_at = 0.0

    def move(self) -> None:
        """Makes the next move."""
        self.sent_at = time.perf_counter()
        self.players[self.ply % 2].send(self.moves[self.ply])
        self.ply += 1

    def hear(self, player: Connection) -> float | None:
        """Reads; the seconds that the last move took, if this is its opponent, who has just heard of it."""
        heard = any(b'"moved"' in payload for payload in player.receive())
        if heard and player is self.players[self.ply % 2]:
            return time.perf_counter() - self.sent_at
        return None


def _enter(port: int, name: str) -> Connection:
    connection = Connection(port)
    connection.send(encode(Hello(id=1, protocol=PROTOCOL, client="bench", kind="bot", name=name, batch=True)))
    connection.receive_until(b'"id":1')
    return connection


def play(matches: Sequence[Match], seconds: float) -> tuple[list[float], int]:
    """Lets each match make a move a second; returns what the moves took, and how many were never heard of."""
    selector = selectors.DefaultSelector()
    for match in matches:
        for player in match.players:
            selector.register(player.socket, selectors.EVENT_READ, (match, player))
    took: list[float] = []
    began, order, made = time.perf_counter(), count(), 0
    due = [(began + PACE_S * index / len(matches), next(order), match) for index, match in enumerate(matches)]
    heapq.heapify(due)
    end = began + seconds
    while (now := time.perf_counter()) < end + 2.0:
        while due and due[0][0] <= now:
            at, _, match = heapq.heappop(due)
            if now < end and match.ply < len(match.moves):
                match.move()
                made += 1
                heapq.heappush(due, (at + PACE_S, next(order), match))
        for key, _ in selector.select(max(0.0, min(due[0][0] if due else end + 2.0, end + 2.0) - time.perf_counter())):
            match, player = key.data
            if (latency := match.hear(player)) is not None:
                took.append(latency)
    selector.close()
    return took, made - len(took)


def main(arguments: Sequence[str]) -> None:
    """Measures and prints."""
    parser = argparse.ArgumentParser(prog="python3 run.py bench capacity", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--idle", type=int, default=10_000, help="connections that do nothing")
    parser.add_argument("--matches", type=int, default=300)
    parser.add_argument("--seconds", type=float, default=30.0, help="at most 90")
    parser.add_argument("--processes", type=int, default=2, help="that the idle clients are spread over")
    parser.add_argument("--durability", choices=("power", "process"), default="power")
    options = parser.parse_args(arguments)
    _measure.need_files(options.idle + 2 * options.matches + SHARED_FILES)
    rng = random.Random(1)
    with tempfile.TemporaryDirectory() as folder:
        stored = ["--db", str(Path(folder) / "arbitre.sqlite"), "--durability", options.durability]
        with _measure.listening([*ARBITRE, *stored]) as server:
            sizes = [len(range(number, options.idle, options.processes)) for number in range(options.processes)]
            pipes = []
            for number, size in enumerate(sizes):
                here, there = multiprocessing.Pipe()
                multiprocessing.Process(target=idle, args=(server.port, size, number, there), daemon=True).start()
                pipes.append(here)
            if (entered := sum(pipe.recv() for pipe in pipes)) < options.idle:
                raise BenchError(f"only {entered} of {options.idle} idle clients were let in")
            matches = [Match(server.port, number, rng) for number in range(options.matches)]
            before = _measure.cpu_seconds(server.pid)
            took, unheard = play(matches, options.seconds)
            cpu = (_measure.cpu_seconds(server.pid) - before) / (options.seconds + 2)
            for pipe in pipes:
                pipe.send(None)
            dropped = options.idle - sum(pipe.recv() for pipe in pipes)
            memory = _measure.resident_bytes(server.pid) / 1e6
    took.sort()
    median, p99, worst = (took[math.ceil(part * len(took)) - 1] * 1000 for part in (0.5, 0.99, 1.0))
    row = {
        "idle": options.idle, "matches": options.matches, "durability": options.durability, "moves": len(took),
        "unheard": unheard, "dropped": dropped, "median ms": f"{median:.1f}", "p99 ms": f"{p99:.1f}", "aim": AIM_MS,
        "worst ms": f"{worst:.1f}", "server CPU": f"{cpu:.0%}", "MB": f"{memory:.0f}",
    }  # fmt: skip
    _measure.show([row], markdown=True)
    if dropped or unheard:
        raise BenchError(f"{dropped} idle clients were dropped, {unheard} moves were not heard of")


if __name__ == "__main__":
    _measure.run_main(main)
