"""A clean match beside the trouble: two well-behaved clients in a process of their own, who time their moves."""

from __future__ import annotations

import json
import math
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Generator
from contextlib import contextmanager
from typing import Any

from tests.faults.rawsocket import TEXT, RawSocket
from tests.faults.serving import ROOT

PACE_S = 0.004
"""Between a move and the next one."""

CLOCK = {"initial_ms": 3000, "increment_ms": 20}
"""Who is held up for some seconds loses on time, unless the server charges nobody for that."""


class Bystander:
    """The match from outside. What is known after the end:

    moves: when each began, and how many seconds later the opponent knew. ends: how many games ended for which reason.
    """

    def __init__(self) -> None:
        self.moves: list[tuple[float, float]] = []
        self.ends: dict[str, int] = {}

    def p99(self, since: float, until: float) -> float:
        """Of the moves in a span of `time.monotonic()`, in seconds."""
        took = self._took(since, until)
        assert len(took) >= 20, f"only {len(took)} moves"
        return took[math.ceil(0.99 * len(took)) - 1]

    def worst(self, since: float, until: float) -> float:
        """Of the moves in a span of `time.monotonic()`, in seconds."""
        return self._took(since, until)[-1]

    def lost(self) -> int:
        """Games that did not end by the rules."""
        return sum(count for reason, count in self.ends.items() if reason not in ("discs", "full"))

    def _took(self, since: float, until: float) -> list[float]:
        return sorted(seconds for when, seconds in self.moves if since <= when + seconds and when < until)


@contextmanager
def bystander(port: int) -> Generator[Bystander]:
    """Plays until the block ends; fails if anything went wrong in the clean match."""
    child = subprocess.Popen(
        [sys.executable, "-m", "tests.faults.bystander", str(port)],
        cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    try:
        assert child.stdout is not None
        assert child.stdout.readline() == "playing\n"
        around = Bystander()
        yield around
        output, errors = child.communicate("", timeout=30)
        assert child.returncode == 0, errors
        told = json.loads(output)
        around.moves = [(when, took) for when, took in told["moves"]]
        around.ends = told["ends"]
    finally:
        if child.poll() is None:
            child.kill()
            child.communicate()


def _next(link: RawSocket, match: str) -> dict[str, Any]:
    """What a player waits for after a move of the other: his turn, or the end."""
    while (received := link.frame()) is not None:
        if received[0] == TEXT:
            message: dict[str, Any] = json.loads(received[1])
            assert message["type"] != "error", message
            if message["type"] in ("your_turn", "finished") and message["match"] == match:
                return message
    raise AssertionError("the server closed the connection of a well-behaved client")


def _play(one: RawSocket, two: RawSocket, moves: list[tuple[float, float]]) -> str:
    """One game; why it ended."""
    match = one.ask(type="create", game="othello:size=6", seat="first", clock=CLOCK)["match"]
    two.ask(type="join", match=match)
    mover, other, turn = one, two, _next(one, match)
    while turn["type"] == "your_turn":
        time.sleep(PACE_S)
        begun = time.monotonic()
        mover.say(type="move", match=match, ply=turn["ply"], move=turn["legal"][0])
        turn = _next(other, match)
        moves.append((begun, time.monotonic() - begun))
        if turn["type"] == "your_turn":
            mover, other = other, mover
    reason: str = turn["result"]["reason"]
    return reason


def main() -> None:
    """Plays game after game until standard input ends."""
    moves: list[tuple[float, float]] = []
    ends: Counter[str] = Counter()
    over = threading.Event()

    def wait_for_end() -> None:
        sys.stdin.read()
        over.set()

    threading.Thread(target=wait_for_end, daemon=True).start()
    with RawSocket(int(sys.argv[1])) as one, RawSocket(int(sys.argv[1])) as two:
        one.hello("clean-1")
        two.hello("clean-2")
        sys.stdout.write("playing\n")
        sys.stdout.flush()
        while not over.is_set():
            ends[_play(one, two, moves)] += 1
    json.dump({"moves": moves, "ends": ends}, sys.stdout)


if __name__ == "__main__":
    main()
