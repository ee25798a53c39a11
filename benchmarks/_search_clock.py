"""The rows of `benchmarks.search` about the clock: no game lost on it, and how soon a search stops and answers.

These need the clock on the wall, so other work on the machine makes the figures worse, never better.
"""

from __future__ import annotations

import asyncio
import os
from collections import Counter

from benchmarks._measure import BenchError, Row, progress
from games import parse
from league.duel import Duel, Plan
from league.places.arena import Arena, ArenaError
from protocol.messages import Clock

ON_TIME = (("othello", 0.34), ("puissance4", 0.33), ("morpion:width=10,height=10,k=5", 0.33))
"""What is played, and which share of the games."""

OPPONENT = "human:level=9"
"""Uses its clock as `strong` does, and varies the games."""

CLOCK = Clock(initial_ms=1000, increment_ms=10)
_A_BATCH = 25
"""So many games are played by the same processes."""


def row(work: str, measured: str, against: str, aim: str, *, reached: bool) -> Row:
    """One line of the table."""
    return {"work": work, "measured": measured, "against": against, "aim": aim, "reached": "yes" if reached else "no"}


def on_time_row(games: int) -> Row:
    """Games at 1s+0.01s between bot processes, over a real server, as many at once as the machine has cores."""
    reasons = asyncio.run(_play_all(games))
    lost = reasons["timeout"]
    others = ", ".join(f"{count} {reason}" for reason, count in sorted(reasons.items()) if reason != "timeout")
    load = f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores"
    work = f"{games} games at 1s+0.01s, {len(ON_TIME)} games mixed"
    return row(work, f"{lost} lost on time; {others}; {load}", OPPONENT, "0 lost on time", reached=lost == 0)


async def _play_all(games: int) -> Counter[str]:
    """The reasons for which the games ended; those that `OPPONENT` loses on time count as such too."""
    batches = [
        (spec, min(_A_BATCH, wanted - start))
        for spec, share in ON_TIME
        for wanted in (max(1, round(games * share)),)
        for start in range(0, wanted, _A_BATCH)
    ]
    reasons: Counter[str] = Counter()

    async def lane() -> None:
        while batches:
            spec, count = batches.pop()
            reasons.update(await _play(spec, count, seed=str(len(batches))))
            progress(f"{sum(reasons.values())} games over, {reasons['timeout']} lost on time")

    try:
        async with asyncio.TaskGroup() as lanes:
            for _ in range(os.cpu_count() or 1):
                lanes.create_task(lane())
    except* ArenaError as errors:
        raise BenchError(str(errors.exceptions[0])) from errors
    return reasons


async def _play(spec: str, games: int, seed: str) -> Counter[str]:
    bots = ("strong", OPPONENT)
    plan = Plan(parse(spec), bots, games, CLOCK)
    async with Arena(bots, seed, game=plan.game) as arena:
        return Counter([record.reason async for record in Duel(plan, arena).records()])
