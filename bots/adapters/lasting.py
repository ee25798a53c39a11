"""Programs that play several games in one process. Between two games the process rests here.

A process plays one game at a time. A bot that plays several games at once has as many processes, and a new game gets
the one that came to rest last. A process that has failed is not used again: the next game starts a new one.
"""

import threading
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from typing import Final

from bots.adapters.engine import Engine
from bots.diary import Diary

REST_S: Final = 6.0
"""How long a game waits for a process that has just ended another game."""

IDLE_KEPT: Final = 8
"""How many processes of one bot may rest at the same time; others are ended."""


@dataclass(eq=False)
class Run:
    """One process of a program, from its start to its end.

    diary: what it was asked in all its games. waited_s: how long its answers took, in all.
    ponders: whether it can think in the opponent's time; it says so when it starts.
    rested: set when it has come to rest; is_fit: whether it may then play again.
    """

    engine: Engine
    diary: Diary = field(default_factory=Diary)
    rested: threading.Event = field(default_factory=threading.Event)
    is_fit: bool = True
    waited_s: float = 0.0
    ponders: bool = False


_resting: dict[Hashable, list[Run]] = {}
_lock = threading.Lock()


def take(key: Hashable) -> Run | None:
    """Takes a resting process that may play again, None if there is none; waits for one that is coming to rest."""
    while True:
        with _lock:
            runs = _resting.get(key)
            run = runs.pop() if runs else None
        if run is None:
            return None
        if run.rested.wait(REST_S) and run.is_fit and run.engine.is_alive:
            return run
        run.engine.close()


def rest(key: Hashable, run: Run, settle: Callable[[], bool]) -> None:
    """Lets `run` rest after a game; `settle`, called on a thread of its own, says whether it may play another one."""
    run.rested.clear()
    with _lock:
        runs = _resting.setdefault(key, [])
        runs.append(run)
        surplus = [runs.pop(0)] if len(runs) > IDLE_KEPT else []
    for old in surplus:
        old.engine.close()

    def work() -> None:
        run.is_fit = settle()
        if not run.is_fit:
            run.engine.close()
        run.rested.set()

    threading.Thread(target=work, name="rest", daemon=True).start()
