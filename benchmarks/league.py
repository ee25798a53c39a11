"""How many games a league plays in a second, and who works for a game: the server, the bots, or the organiser?

    python3 run.py bench league
    python3 run.py bench league --only one-match --games 500 --profile

The league's own executor: a server, a process for each bot, and this process, which arranges the games. CPU time of
each, for a game, says more than games a second where other programs run too. --profile prints what the organiser does.
"""

from __future__ import annotations

import argparse
import asyncio
import cProfile
import pstats
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

import psutil

from benchmarks import _measure
from benchmarks._measure import BenchError, Row
from league.config import League, LeagueBot
from league.executors.base import ExecutorError
from league.executors.local import LocalExecutor
from league.played import Job

WARM_UP = 10
"""Pairings before the clock starts: processes have come up, and what is loaded late is loaded."""


@dataclass(frozen=True, slots=True)
class Setting:
    """What is played: `at_once` games on each bot's connection; `aim` in games/s on two cores."""

    name: str
    game: str
    at_once: int
    games: int
    aim: int


SETTINGS = (
    Setting("morpion", "morpion", 100, 4000, 8000),
    Setting("one-match", "morpion", 1, 1000, 450),
    Setting("othello", "othello", 100, 600, 300),
)


def _cpu() -> dict[str, float]:
    """CPU seconds of the server, the bots together, and the organiser so far."""
    used = {"server": 0.0, "bots": 0.0, "organiser": time.process_time()}
    for child in psutil.Process().children():
        words = child.cmdline()
        used["server" if "serve" in words else "bots"] += _measure.cpu_seconds(child.pid)
    return used


async def _play(executor: LocalExecutor, league: League, numbers: Sequence[int], at_once: int) -> None:
    one, two = league.bots
    left = iter(numbers)

    async def work() -> None:
        for number in left:
            games = await executor.play(Job(str(number), (one, two), (), str(number)))
            if any(game.faulty for game in games):
                raise BenchError(f"a bot failed: {games}")

    await asyncio.gather(*(work() for _ in range(at_once)))


async def _run(setting: Setting, games: int, profile: cProfile.Profile | None) -> Row:
    bots = (LeagueBot("one", "random"), LeagueBot("two", "random"))
    league = League("bench", setting.game, bots, clock="none", at_once=setting.at_once)
    async with LocalExecutor(league) as executor:
        await _play(executor, league, range(WARM_UP), setting.at_once)
        before, began = _cpu(), time.perf_counter()
        if profile is not None:
            profile.enable()
        await _play(executor, league, range(WARM_UP, WARM_UP + games // 2), setting.at_once)
        if profile is not None:
            profile.disable()
        seconds, after = time.perf_counter() - began, _cpu()
    each = {who: (after[who] - before[who]) / games * 1e6 for who in after}
    return {
        "games": setting.name, "at once": setting.at_once, "played": games, "games/s": f"{games / seconds:.0f}",
        "aim": setting.aim, **{f"{who} us": f"{each[who]:.0f}" for who in each}, "all us": f"{sum(each.values()):.0f}",
        "most on 2 cores": f"{_most(each):.0f}",
    }  # fmt: skip


def _most(each: dict[str, float]) -> float:
    """Games/s that this CPU time allows if two cores did nothing else: no process can use more than one of them."""
    return 1e6 / max(sum(each.values()) / 2, each["server"], each["organiser"], each["bots"] / 2)


def main(arguments: Sequence[str]) -> None:
    """Runs the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", choices=[setting.name for setting in SETTINGS])
    parser.add_argument("--games", type=int, help="in each setting, an even number")
    parser.add_argument("--profile", action="store_true", help="print what the organiser does")
    parser.add_argument("--markdown", action="store_true")
    options = parser.parse_args(arguments)
    rows: list[Row] = []
    for setting in SETTINGS:
        if options.only in (None, setting.name):
            _measure.progress(f"{setting.name} ...")
            profile = cProfile.Profile() if options.profile else None
            try:
                rows.append(asyncio.run(_run(setting, options.games or setting.games, profile)))
            except ExecutorError as error:
                raise BenchError(str(error)) from error
            if profile is not None:
                pstats.Stats(profile, stream=sys.stderr).sort_stats("tottime").print_stats(25)
    _measure.show(rows, markdown=options.markdown)


if __name__ == "__main__":
    _measure.run_main(main)
