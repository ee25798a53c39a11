"""What each request costs the server, in moves, and what the server's meters take for it: is every weight right?

    python3 run.py bench weights                     exits 1 if a weight is wrong by more than a factor of 2
    python3 run.py bench weights --only list hello --rounds 50

CPU time of the server's process, over sockets: reading, deciding, writing to all who hear of it. The unit is a move in
the middle of a game of Othello. A process of its own serves 10,000 users and 10,000 open matches; each request comes in
a frame and a packet of its own, some at once, as on a busy server. Each round measures every case once, in an order
that is drawn anew, so that what else the machine does falls on all alike; the figures are medians over the rounds.

`charged` is what the meters took: the weight, and what is added for many readers or a long page. For long
messages and bytes that are no request it is what the address's bucket `prompt` took: reading them may cost less than
that, never twice as much.
"""

from __future__ import annotations

import argparse
import json
import random
import statistics
import subprocess
import sys
import time
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO

sys.path.insert(0, str(Path(__file__).parents[1]))

from benchmarks import _measure
from benchmarks._measure import BenchError
from benchmarks._weighed import Act, World
from benchmarks._weighed_cases import CASES, Case
from benchmarks._weighed_server import ORGANISER, SERVICE

WRONG = 2.0
"""The factor by which a weight may be off."""

SETTLED_S = 0.015
"""After it all that lingers has left."""

SPECTATORS = 10
FILES = 1000


@dataclass(frozen=True, slots=True)
class Reading:
    """What the server had used (seconds) and charged (units) at a moment."""

    cpu: float
    work: float
    prompt: float


class Scales:
    """The server that is weighed."""

    def __init__(self, port: int, asking: IO[str], answering: IO[str]) -> None:
        self.port = port
        self._asking = asking
        self._answering = answering

    def read(self) -> Reading:
        """Where it stands, once it has done all that had arrived."""
        time.sleep(SETTLED_S)
        self._asking.write("\n")
        self._asking.flush()
        return Reading(**json.loads(self._answering.readline()))


@contextmanager
def scales(users: int, matches: int) -> Generator[Scales]:
    """Starts the server and ends it; raises BenchError."""
    command = ["-m", "benchmarks._weighed_server", "--users", str(users), "--matches", str(matches)]
    process = subprocess.Popen(
        _measure.python(*command), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    )
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        line = process.stdout.readline()
        if not line.startswith("listening on "):
            raise BenchError(f"`python {' '.join(command)}` did not start: run it by hand to see why")
        yield Scales(int(line.rpartition(":")[2]), process.stdin, process.stdout)
    finally:
        process.kill()
        process.wait()
        process.stdin.close()
        process.stdout.close()


@dataclass(slots=True)
class Weighing:
    """What one of a case's acts took, a value a round: seconds, and the units that were charged; acts: in a round."""

    case: Case | None
    seconds: list[float]
    charged: list[float]
    acts: int = 1

    def median(self) -> float:
        """Of the seconds."""
        return statistics.median(self.seconds)


def measure(scale: Scales, world: World, weighing: Weighing) -> None:
    """One round of one case; without a case, of what measuring itself takes."""
    case = weighing.case
    acts = [] if case is None else case.prepare(world)
    time.sleep(SETTLED_S)
    world.read()
    before = scale.read()
    perform(acts)
    after = scale.read()
    world.clear()
    time.sleep(SETTLED_S)
    world.read()
    weighing.acts = count = max(1, len(acts))
    units = after.prompt - before.prompt if case is not None and case.kind is None else after.work - before.work
    weighing.seconds.append((after.cpu - before.cpu) / count)
    weighing.charged.append(units / count)


def perform(acts: Sequence[Act]) -> None:
    """Sends everything, then reads until all is answered."""
    for act in acts:
        act.actor.connection.socket.sendall(act.data)
    missing = {act: act.count for act in acts}
    while missing:
        actor = next(iter(missing)).actor
        payloads = actor.connection.receive()
        for act in [act for act in missing if act.actor is actor]:
            missing[act] -= sum(payload.count(act.word) for payload in payloads)
            if missing[act] <= 0:
                del missing[act]


def weigh(cases: Sequence[Case], rounds: int, users: int, matches: int, size: int) -> tuple[list[Weighing], Weighing]:
    """Measures all cases; returns them, and what an empty measurement takes."""
    rng = random.Random(1)
    empty = Weighing(None, [], [])
    weighings = [Weighing(case, [], []) for case in cases]
    with scales(users, matches) as scale:
        world = World(scale.port, ORGANISER, SERVICE, size, SPECTATORS)
        for number in range(rounds + 1):
            around = [empty, *weighings]
            rng.shuffle(around)
            for weighing in around:
                measure(scale, world, weighing)
                if not number:  # the first round warms up
                    weighing.seconds.clear()
                    weighing.charged.clear()
            _measure.progress(f"round {number} of {rounds}")
    return weighings, empty


@dataclass(frozen=True, slots=True)
class Verdict:
    """One case: microseconds and units as measured, the units charged, measured / charged."""

    request: str
    microseconds: float
    low: float
    high: float
    measured: float
    charged: float
    ratio: float
    right: bool


def judge(weighings: Sequence[Weighing], empty: Weighing) -> list[Verdict]:
    """Compares what was measured with what was charged."""
    nothing = empty.median()
    unit = weighings[0].median() - nothing / weighings[0].acts
    verdicts = []
    for weighing in weighings:
        assert weighing.case is not None
        share = nothing / weighing.acts
        low, middle, high = statistics.quantiles([seconds - share for seconds in weighing.seconds], n=4)
        measured, charged = middle / unit, statistics.median(weighing.charged)
        ratio = measured / charged if charged else float("inf")
        right = ratio <= WRONG and (weighing.case.kind is None or ratio >= 1 / WRONG)
        verdicts.append(
            Verdict(weighing.case.name, middle * 1e6, low * 1e6, high * 1e6, measured, charged, ratio, right)
        )
    return verdicts


def row_of(verdict: Verdict) -> dict[str, object]:
    """What is printed of a case."""
    return {
        "request": verdict.request,
        "us": f"{verdict.microseconds:.0f}",
        "quartiles": f"{verdict.low:.0f}..{verdict.high:.0f}",
        "moves": f"{verdict.measured:.2f}",
        "charged": f"{verdict.charged:.2f}",
        "ratio": f"{verdict.ratio:.2f}",
        "": "" if verdict.right else "WRONG",
    }


def main(arguments: Sequence[str]) -> None:
    """Measures and prints; exits 1 if a weight is wrong."""
    parser = argparse.ArgumentParser(prog="python3 run.py bench weights", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--rounds", type=int, default=40)
    parser.add_argument("--size", type=int, default=8, help="of one kind at once")
    parser.add_argument("--users", type=int, default=10_000)
    parser.add_argument("--matches", type=int, default=10_000)
    parser.add_argument("--only", nargs="+", default=[], metavar="WORD", help="cases whose names begin so")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--markdown", action="store_true")
    options = parser.parse_args(arguments)
    if options.rounds < 2 or options.size < 1:
        parser.error("--rounds is at least 2, --size at least 1")
    _measure.need_files(FILES)
    wanted = [case for case in CASES[1:] if not options.only or case.name.startswith(tuple(options.only))]
    weighings, empty = weigh([CASES[0], *wanted], options.rounds, options.users, options.matches, options.size)
    verdicts = judge(weighings, empty)
    if options.json:
        _measure.print_json({"machine": _measure.machine(), "rounds": options.rounds, "weights": verdicts})
    else:
        _measure.show([row_of(verdict) for verdict in verdicts], markdown=options.markdown)
    wrong = [verdict.request for verdict in verdicts if not verdict.right]
    if wrong:
        sys.exit(f"bench: wrong by more than a factor of {WRONG:g}: {'; '.join(wrong)}")


if __name__ == "__main__":
    _measure.run_main(main)
