"""A clean match beside the trouble: two well-behaved clients in a process of their own, who time and tell each move."""

from __future__ import annotations

import json
import math
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Generator, Iterable
from contextlib import contextmanager
from typing import Any

from tests.faults.rawsocket import PING, PONG, TEXT, RawSocket, frame
from tests.faults.serving import ROOT

PACE_S = 0.004
"""Between a move and the next one."""

CLOCK = {"initial_ms": 3000, "increment_ms": 20}
"""Who is held up for some seconds loses on time, unless the server charges nobody for that."""

ENOUGH = 100
"""Moves of which a 99th percentile says more than the slowest of them."""

FEWEST = 20
"""With fewer there is no percentile: the clean match can't be played."""

LONGEST_S = 20.0
"""How long a span may become until enough moves were played in it: a busy machine plays few in a second."""

_LOOK_S = 0.02


class Bystander:
    """The match from outside.

    moves: when each began, and how many seconds later the opponent knew; they come as they are played.
    ends: how many games ended for which reason; known once the match is over.
    """

    def __init__(self, told: Iterable[str]) -> None:
        """told: the lines that the players write."""
        self.moves: list[tuple[float, float]] = []
        self.ends: dict[str, int] = {}
        self._reader = threading.Thread(target=self._read, args=(told,), daemon=True)
        self._reader.start()

    def begins(self) -> bool:
        """Waits for the first move; whether there is one."""
        while not self.moves and self._reader.is_alive():
            time.sleep(_LOOK_S)
        return bool(self.moves)

    def watch(self, seconds: float) -> tuple[float, float]:
        """Lets them play for `seconds`, and on until ENOUGH moves were played, but not for ever; from when to when."""
        begun, before = time.monotonic(), len(self.moves)
        time.sleep(seconds)
        while len(self.moves) < before + ENOUGH and time.monotonic() < begun + LONGEST_S and self._reader.is_alive():
            time.sleep(_LOOK_S)
        return begun, time.monotonic()

    def finish(self) -> None:
        """Waits until all that was told is read; the players must have ended."""
        self._reader.join()

    def _read(self, told: Iterable[str]) -> None:
        for line in told:
            message = json.loads(line)
            if isinstance(message, dict):
                self.ends = message
            else:
                self.moves.append((message[0], message[1]))

    def p99(self, since: float, until: float) -> float:
        """Of the moves in a span of `time.monotonic()`, in seconds."""
        took = self._took(since, until)
        assert len(took) >= FEWEST, f"only {len(took)} moves"
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
    with subprocess.Popen(
        [sys.executable, "-m", "tests.faults.bystander", str(port)],
        cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    ) as child:  # fmt: skip
        assert child.stdin is not None
        assert child.stdout is not None
        assert child.stderr is not None
        around = Bystander(child.stdout)
        try:
            assert around.begins(), child.communicate()[1]
            yield around
            child.stdin.close()
            assert child.wait(timeout=30) == 0, child.stderr.read()
        finally:
            child.kill()
            around.finish()


class _Player(RawSocket):
    """A raw socket with good manners: it answers the server's pings, which come while a siege is long."""

    def frame(self) -> tuple[int, bytes] | None:
        received = super().frame()
        if received is not None and received[0] == PING:
            self.send(frame(received[1], PONG))
        return received


def _next(link: RawSocket, match: str) -> dict[str, Any]:
    """What a player waits for after a move of the other: his turn, or the end."""
    while (received := link.frame()) is not None:
        if received[0] == TEXT:
            message: dict[str, Any] = json.loads(received[1])
            assert message["type"] != "error", message
            if message["type"] in ("your_turn", "finished") and message["match"] == match:
                return message
    raise AssertionError("the server closed the connection of a well-behaved client")


def _play(one: RawSocket, two: RawSocket) -> str:
    """One game; why it ended."""
    match = one.ask(type="create", game="othello:size=6", seat="first", clock=CLOCK)["match"]
    two.ask(type="join", match=match)
    mover, other, turn = one, two, _next(one, match)
    while turn["type"] == "your_turn":
        time.sleep(PACE_S)
        begun = time.monotonic()
        mover.say(type="move", match=match, ply=turn["ply"], move=turn["legal"][0])
        turn = _next(other, match)
        _tell((begun, time.monotonic() - begun))
        if turn["type"] == "your_turn":
            mover, other = other, mover
    reason: str = turn["result"]["reason"]
    return reason


def _tell(what: object) -> None:
    sys.stdout.write(json.dumps(what) + "\n")
    sys.stdout.flush()


def main() -> None:
    """Plays game after game until standard input ends; writes a line for each move, and at last the ends."""
    ends: Counter[str] = Counter()
    over = threading.Event()

    def wait_for_end() -> None:
        sys.stdin.read()
        over.set()

    threading.Thread(target=wait_for_end, daemon=True).start()
    with _Player(int(sys.argv[1])) as one, _Player(int(sys.argv[1])) as two:
        one.hello("clean-1")
        two.hello("clean-2")
        while not over.is_set():
            ends[_play(one, two)] += 1
    _tell(ends)


if __name__ == "__main__":
    main()
