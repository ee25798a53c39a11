"""What idle connections cost the server: memory, time to accept them, CPU time to keep them.

    python3 run.py bench memory
    python3 run.py bench memory --steps 500 2000

Clients connect one after another, say hello and then only answer pings (every 5 s). At each step nothing new happens
for a while, then the resident memory of the server's process is read; what it had before the first connection is not
counted. Memory that the kernel holds for sockets is not the process's and is not counted either.

`accept` is the time and the server's CPU time for a connection, from TCP to the answer to its hello, one at a time;
`idle` is the share of a core that the server uses while nothing but pings happens.
"""

from __future__ import annotations

import argparse
import selectors
import time
from collections.abc import Sequence
from dataclasses import dataclass

from benchmarks import _measure
from benchmarks._load import Connection
from benchmarks._measure import ARBITRE, BenchError, Listener
from protocol import PROTOCOL
from protocol.codec import encode
from protocol.messages import Hello

AIM_KB = 13
SHARED_FILES = 64
WAVE = 50
"""Connections that are made before the pings of the others are answered."""


@dataclass(frozen=True, slots=True)
class Step:
    """What was measured with so many connections; times for one connection that was added since the step before."""

    connections: int
    resident_mb: float
    kb_each: float
    accept_us: float
    accept_cpu_us: float
    idle: float


class Crowd:
    """Clients that are there and do nothing but answer pings."""

    def __init__(self, port: int, name: str = "bench") -> None:
        self._port = port
        self._name = name
        self._selector = selectors.DefaultSelector()
        self._connections: list[Connection] = []

    def __len__(self) -> int:
        return len(self._connections)

    def grow(self) -> None:
        """One more client connects and says hello; raises BenchError when it is not let in."""
        connection = Connection(self._port)
        self._connections.append(connection)
        name = f"{self._name} {len(self)}"
        connection.send(encode(Hello(id=1, protocol=PROTOCOL, client="bench", kind="bot", name=name, batch=True)))
        answer = b"".join(connection.receive_until(b'"id":1'))
        if b'"type":"ok"' not in answer:
            raise BenchError(f"client {len(self)} was not let in: {answer[:300]!r}")
        self._selector.register(connection.socket, selectors.EVENT_READ, connection)

    def wait(self, seconds: float) -> None:
        """Answers pings; raises BenchError when the server closes a connection."""
        end = time.monotonic() + seconds
        while True:
            for key, _ in self._selector.select(max(0.0, end - time.monotonic())):
                key.data.receive()
            if time.monotonic() >= end:
                return

    def leave(self) -> None:
        """Closes all connections."""
        for connection in self._connections:
            connection.socket.close()
        self._selector.close()


def measure(server: Listener, crowd: Crowd, count: int, empty: int, settle: float) -> Step:
    """Lets the crowd grow to `count`; `empty` is what the server held without it, in bytes."""
    new = count - len(crowd)
    spent = 0.0
    cpu = 0.0
    while len(crowd) < count:
        started, before = time.perf_counter(), _measure.cpu_seconds(server.pid)
        for _ in range(min(WAVE, count - len(crowd))):
            crowd.grow()
        spent += time.perf_counter() - started
        cpu += _measure.cpu_seconds(server.pid) - before
        crowd.wait(0)
    crowd.wait(settle / 2)
    before = _measure.cpu_seconds(server.pid)
    crowd.wait(settle)
    idle = (_measure.cpu_seconds(server.pid) - before) / settle
    resident = _measure.resident_bytes(server.pid)
    return Step(count, resident / 1e6, (resident - empty) / count / 1024, spent / new * 1e6, cpu / new * 1e6, idle)


def row_of(step: Step) -> dict[str, object]:
    """What is printed of a step."""
    return {
        "connections": step.connections,
        "resident MB": f"{step.resident_mb:.0f}",
        "KB each": f"{step.kb_each:.1f}",
        "aim": AIM_KB,
        "accept us": f"{step.accept_us:.0f}",
        "accept CPU us": f"{step.accept_cpu_us:.0f}",
        "idle CPU": f"{step.idle:.0%}",
    }


def main(arguments: Sequence[str]) -> None:
    """Measures and prints."""
    parser = argparse.ArgumentParser(prog="python3 run.py bench memory", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--steps", type=int, nargs="+", default=[1000, 2500, 5000, 10_000], help="connections")
    parser.add_argument("--settle", type=float, default=10.0, help="seconds in which nothing new happens at each step")
    parser.add_argument("--serve", default="", metavar="OPTIONS", help="more options of `arbitre serve`, in quotes")
    parser.add_argument("--json", action="store_true", help="print the figures as JSON")
    parser.add_argument("--markdown", action="store_true", help="print the table for docs/performance.md")
    options = parser.parse_args(arguments)
    wanted = sorted(set(options.steps))
    if wanted[0] < 1 or wanted[-1] > 25_000 or options.settle <= 0:
        parser.error("--steps are 1 to 25000, --settle is more than 0")
    _measure.need_files(wanted[-1] + SHARED_FILES)
    steps: list[Step] = []
    with _measure.listening([*ARBITRE, *options.serve.split()]) as server:
        empty = _measure.resident_bytes(server.pid)
        crowd = Crowd(server.port)
        try:
            for count in wanted:
                steps.append(measure(server, crowd, count, empty, options.settle))
                _measure.progress(f"{count} connections: {steps[-1].kb_each:.1f} KB each")
        finally:
            crowd.leave()
    if options.json:
        _measure.print_json({"machine": _measure.machine(), "empty_bytes": empty, "steps": steps})
        return
    if not options.markdown:
        print(f"An idle connection's memory in the server. {_measure.machine()}.")
    _measure.show([row_of(step) for step in steps], markdown=options.markdown)


if __name__ == "__main__":
    _measure.run_main(main)
