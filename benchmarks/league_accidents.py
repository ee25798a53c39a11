"""Leagues whose runner, server, adapters, bots, host and cables die at random moments: what becomes of their results?

    python3 run.py bench league-accidents
    python3 run.py bench league-accidents --leagues 5 --rooms 0

`--leagues` are played on this machine, each with so many `--accidents`: kill -9 of the runner (which is started again),
of its server, of a bot's process of ours or of a program's supervisor. What was played has to be, game by game, what
the same league without accidents plays. In every fifth the bots' own programs die, too: then they are charged, and
nobody else. `--rooms` are open leagues between machines (network namespaces), whose cables are pulled, and whose host,
server and bots are killed. No result may be lost, doubled, or charged to somebody who was not killed.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from benchmarks import _measure
from tests.faults.network import NoNetworkError
from tests.league import accidents, open_accidents
from tests.league.accidents import OURS, BrokenLeagueError, Course, Victim
from tests.league.open_accidents import Mishap

PROGRAMS_DIE = 5
"""In each league of so many the bots' own programs die, too."""


def leagues(folder: Path, count: int, each: int, seed: int) -> tuple[Counter[str], int]:
    """Plays `count` leagues with `each` accidents; what died how often, and the games that were right."""
    happened: Counter[str] = Counter()
    games = 0
    wholes: dict[int, Course] = {}
    for number in range(count):
        sort = seed + number % 10
        if sort not in wholes:
            wholes[sort] = accidents.play(folder / f"whole{sort}", sort, (), 0)
        everybody = number % PROGRAMS_DIE == PROGRAMS_DIE - 1
        victims = tuple(Victim) if everybody else OURS
        _measure.progress(f"league {number + 1} of {count} ...")
        course = accidents.play(folder / str(number), sort, victims, each, chance=seed * 1000 + number)
        accidents.check(course, wholes[sort], accidents.WITH_PROGRAMS if everybody else ())
        happened.update({victim.value: deaths for victim, deaths in course.deaths.items()})
        games += len(course.games)
    return happened, games


def rooms(folder: Path, count: int, each: int, seed: int) -> tuple[Counter[str], int]:
    """Plays `count` open leagues with `each` mishaps; what happened how often, and the games that were right."""
    happened: Counter[str] = Counter()
    games = 0
    for number in range(count):
        _measure.progress(f"room {number + 1} of {count} ...")
        course, room = open_accidents.play(folder / f"room{number}", seed * 1000 + number, tuple(Mishap), each)
        open_accidents.check(course, room)
        happened.update({mishap.value: times for mishap, times in room.happened.items()})
        games += len(course.games)
    return happened, games


def main(arguments: Sequence[str]) -> None:
    """Plays, and prints what happened; ends with 1 at the first league that is not as it should be."""
    parser = argparse.ArgumentParser(
        prog="python3 run.py bench league-accidents", description=(__doc__ or "").splitlines()[0]
    )
    parser.add_argument("--leagues", type=int, default=80)
    parser.add_argument("--rooms", type=int, default=20)
    parser.add_argument("--accidents", type=int, default=5, help="in each")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args(arguments)
    began = time.perf_counter()
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        try:
            happened, games = leagues(folder, options.leagues, options.accidents, options.seed)
            try:
                more, others = rooms(folder, options.rooms, options.accidents, options.seed)
            except NoNetworkError as why:
                _measure.progress(f"no rooms: {why}")
                more, others = Counter[str](), 0
        except BrokenLeagueError as broken:
            print(broken)
            raise SystemExit(1) from None
    for what, times in (happened + more).most_common():
        print(f"{times:5} x {what}")
    print(
        f"{options.leagues} leagues and {options.rooms} rooms, {games + others} games: none lost, none twice, nobody "
        f"charged for what happened to others; {time.perf_counter() - began:.0f} s"
    )


if __name__ == "__main__":
    _measure.run_main(main)
