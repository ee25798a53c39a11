"""A clean match beside the trouble: two well-behaved clients in a process of their own, who time their moves."""

from __future__ import annotations

import json
import math
import subprocess
import sys
import threading
import time
from collections.abc import Generator
from contextlib import contextmanager
from typing import Any

from tests.faults.rawsocket import TEXT, RawSocket
from tests.faults.serving import ROOT

PACE_S = 0.004
"""Between a move and the next one."""


class Bystander:
    """The match from outside: `moves` is known after the end, a list of (when, seconds until the opponent knew)."""

    def __init__(self) -> None:
        self.moves: list[tuple[float, float]] = []

    def p99(self, since: float, until: float) -> float:
        """Of the moves in a span of `time.monotonic()`."""
        took = sorted(seconds for when, seconds in self.moves if since <= when < until)
        assert len(took) >= 20, f"only {len(took)} moves"
        return took[math.ceil(0.99 * len(took)) - 1]


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
        around.moves = [(when, took) for when, took in json.loads(output)]
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


def _play(one: RawSocket, two: RawSocket, moves: list[tuple[float, float]]) -> None:
    match = one.ask(type="create", game="othello:size=6", seat="first")["match"]
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


def main() -> None:
    """Plays game after game until standard input ends."""
    moves: list[tuple[float, float]] = []
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
            _play(one, two, moves)
    json.dump(moves, sys.stdout)


if __name__ == "__main__":
    main()
