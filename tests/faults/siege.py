"""A clean match on a server that is attacked: how long its moves take, whether anybody loses by it, what it leaves."""

from __future__ import annotations

import time
from contextlib import nullcontext
from dataclasses import dataclass

from tests.faults.bystander import LONGEST_S, bystander
from tests.faults.serving import serving
from tests.faults.storms import crowd, storm

QUIET_S = 1.0

BACK = 1.2
"""Memory is back when it is at most so many times what it was."""

LOOK_S = 0.5

BUSY_S = 60.0
"""How late an answer to a ping may be: the storm gives way to all other processes, and three hundred take it long."""


@dataclass(frozen=True, slots=True)
class Siege:
    """A clean match before and during an attack; times in seconds.

    quiet, loud: the 99th percentile of a move without and with it; quiet_worst, worst: the slowest.
    lost: games of the clean match that did not end by the rules, of `games`. opened: matches of the crowd.
    after_bytes: memory when it was back, `settled` seconds after the attack, or at the end of the wait for that.
    """

    quiet: float
    quiet_worst: float
    loud: float
    worst: float
    lost: int
    games: int
    opened: int
    before_bytes: int
    peak_bytes: int
    after_bytes: int
    settled: float
    log: str


def besiege(
    name: str, source: str = "127.0.0.1", seconds: float = 3.0, settle: float = 0.0, *, crowded: bool = True
) -> Siege:
    """Lets a storm blow for `seconds` while two others play, and on until they have played enough moves.

    Raises AssertionError if the clean match can't be played, or if the storm ends by itself.
    crowded: among as many open matches as quotas allow. settle: for how many seconds memory may take to be back.
    """
    with (
        serving(send=3, high_water=1 << 14, close=0.5, ping_timeout=BUSY_S) as server,
        crowd(server.port) if crowded else nullcontext(0) as opened,
    ):
        before = server.memory()
        with bystander(server.port) as clean:
            quiet = clean.watch(QUIET_S)
            with storm(name, server.port, source, seconds + LONGEST_S) as blowing:
                loud = clean.watch(seconds)
                assert blowing.poll() is None, f"the storm is over: {blowing.communicate()[1]}"
            ended = loud[1]
        peak = server.memory("VmHWM")
        while (after := server.memory()) > BACK * before and time.monotonic() < ended + settle:
            time.sleep(LOOK_S)
        settled = time.monotonic() - ended
        log = server.stop()
    return Siege(
        clean.p99(*quiet), clean.worst(*quiet), clean.p99(*loud), clean.worst(*loud),
        clean.lost(), sum(clean.ends.values()), opened, before, peak, after, settled, log,
    )  # fmt: skip
