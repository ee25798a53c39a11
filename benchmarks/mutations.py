"""How many small mistakes the tests notice, in the rules, the referee's core, the pairings and the ratings of leagues.

    python3 run.py bench mutations --count 100 --seed 1
    python3 run.py bench mutations --count 40 --only server/match/clock.py

Each mutant (benchmarks/_mutants.py) is one mistake in a copy of Arbitre, on which only the tests run that concern its
file: TESTS says which. A mutant that they fail for, or that keeps them busy for far longer than before, is noticed.
Prints the share that is noticed and each survivor as a diff. 1 if fewer are noticed than --aim asks for.

Which mutants are drawn depends on --seed and on the sources alone. EQUIVALENT names those that change nothing that
anybody could see, with the reason: they are not drawn.
"""

from __future__ import annotations

import argparse
import difflib
import os
import queue
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from benchmarks._equivalent_mutants import EQUIVALENT
from benchmarks._mutants import Mutant, mutants

ROOT = Path(__file__).parents[1]
GAMES = (
    "tests/games",
    "tests/server/records/test_endings.py",
    "tests/conformance/test_games.py",
    "tests/terminal/test_board.py",
    "tests/client/test_typing.py",
)
MATCHES = (
    "tests/server/match/test_match.py",
    "tests/server/referee/test_referee.py",
    "tests/server/test_thinking_time.py",
    "tests/server/test_restore.py",
    "tests/server/referee/test_restored.py",
    "tests/server/referee/test_outages.py",
    "tests/server/referee/requests/test_security_organisers.py",
    "tests/server/referee/requests/test_talk_bounds.py",
    "tests/server/referee/test_referee_machine.py",
)
SESSIONS = (
    "tests/server/referee/test_sessions.py",
    "tests/server/referee/test_quotas.py",
    "tests/server/referee/test_league_keys.py",
    "tests/server/referee/test_leagues.py",
    "tests/server/referee/test_referee_sessions.py",
    "tests/server/referee/test_privacy.py",
    "tests/server/test_memory.py",
    "tests/server/referee/test_services.py",
    "tests/server/referee/test_house.py",
    "tests/server/match/test_boards.py",
)
LOBBY = (
    "tests/server/referee/test_lobby.py",
    "tests/server/referee/test_listing.py",
    "tests/server/referee/test_referee_sessions.py",
    "tests/server/referee/test_privacy.py",
    "tests/server/test_memory.py",
)

TESTS: dict[str, tuple[str, ...]] = {
    "games/": GAMES,
    "games/ggf.py": (*GAMES, "tests/server/records/test_ggf.py"),
    "games/othello_board.py": (*GAMES, "tests/bots/search/test_othello_search.py"),
    "games/rulebook.py": ("tests/protocol/test_docs.py",),
    "server/match/match.py": ("tests/server/match/test_transitions.py", *MATCHES),
    "server/match/fold.py": ("tests/server/match/test_transitions.py", "tests/server/match/test_fold.py", *MATCHES),
    "server/match/transitions.py": (
        "tests/server/match/test_transitions.py",
        "tests/server/records/test_records.py",
        *MATCHES,
    ),
    "server/match/terms.py": ("tests/server/referee/requests/test_gifts.py", *MATCHES),
    "server/match/absences.py": MATCHES,
    "server/match/clock.py": ("tests/server/match/test_clock.py", "tests/server/test_fairtime.py", *MATCHES),
    "server/match/history.py": (
        "tests/server/referee/test_lobby.py",
        "tests/server/referee/test_referee_sessions.py",
        *MATCHES,
    ),
    "server/referee/requests/play.py": ("tests/server/referee/requests/test_gifts.py", *MATCHES),
    "server/referee/requests/offers.py": (
        "tests/server/referee/test_table.py",
        *MATCHES,
        "tests/server/referee/requests/test_letters.py",
    ),
    "server/referee/requests/talk.py": (
        *MATCHES,
        "tests/server/referee/test_outspoken.py",
        "tests/server/referee/test_privacy.py",
    ),
    "server/referee/sessions.py": SESSIONS,
    "server/referee/referee.py": (
        "tests/server/referee/test_table.py",
        "tests/server/test_fairtime.py",
        "tests/server/referee/test_delaying.py",
        *MATCHES,
        *SESSIONS,
        "tests/server/referee/requests/test_letters.py",
        "tests/server/referee/test_scoreboards.py",
    ),
    "server/referee/presence.py": (
        *SESSIONS,
        *MATCHES,
        "tests/server/referee/test_quotas.py",
        "tests/server/referee/test_scoreboards.py",
        "tests/server/referee/test_leagues.py",
    ),
    "server/referee/table.py": (
        "tests/server/referee/test_table.py",
        *LOBBY,
        *MATCHES,
        "tests/server/referee/test_delaying.py",
        "tests/server/referee/requests/test_seat_links.py",
        "tests/server/referee/test_house.py",
        "tests/server/referee/requests/test_gifts.py",
    ),
    "server/referee/lobby.py": (
        *LOBBY,
        "tests/server/test_restore.py",
        "tests/server/referee/test_restored.py",
        "tests/server/referee/requests/test_seat_links.py",
        "tests/server/referee/test_referee.py",
    ),
    "server/referee/listing.py": (*LOBBY, "tests/server/referee/test_scoreboards.py"),
    "server/ratelimit.py": (
        "tests/server/admission/test_security_rates.py",
        "tests/server/connections/test_handshakes.py",
        "tests/server/connections/test_fair_queue.py",
        "tests/server/admission/test_guessing.py",
        "tests/server/referee/requests/test_letters.py",
    ),
    "server/admission/host_names.py": ("tests/server/admission/test_host_names.py",),
    "league/pairing/balance.py": (
        "tests/league/pairing/test_drawing.py",
        "tests/league/pairing/test_openings.py",
        "tests/league/pairing/test_forced_lines.py",
    ),
    "league/statistics/elo.py": (
        "tests/league/statistics/test_ratings.py",
        "tests/league/statistics/test_sprt.py",
        "tests/league/statistics/test_comparable.py",
    ),
    "league/statistics/linear.py": (
        "tests/league/statistics/test_linear.py",
        "tests/league/statistics/test_ratings.py",
    ),
    "league/pairing/matching.py": ("tests/league/pairing/test_matching.py", "tests/league/pairing/test_pairings.py"),
    "league/pairing/openings.py": (
        "tests/league/pairing/test_openings.py",
        "tests/league/pairing/test_drawing.py",
        "tests/league/pairing/test_schedule.py",
    ),
    "league/pairing/pairings.py": ("tests/league/pairing/test_pairings.py", "tests/league/pairing/test_schedule.py"),
    "league/statistics/ratings.py": (
        "tests/league/statistics/test_ratings.py",
        "tests/league/statistics/test_standings.py",
    ),
    "league/pairing/schedule.py": ("tests/league/pairing/test_schedule.py", "tests/league/history/test_season.py"),
    "league/statistics/sprt.py": ("tests/league/statistics/test_sprt.py", "tests/league/history/test_season.py"),
    "league/statistics/standings.py": (
        "tests/league/statistics/test_standings.py",
        "tests/league/report/test_table_text.py",
    ),
    "league/pairing/swiss.py": ("tests/league/pairing/test_pairings.py",),
}
"""A source, or a folder of sources -> the tests that concern it, the quick ones first."""

LEFT_BEHIND = (".git", ".venv", ".hypothesis", ".*_cache", "__pycache__", "build", "dist")


@dataclass(frozen=True, slots=True)
class Place:
    """A mutant and the file that it is in."""

    file: str
    mutant: Mutant

    def lines(self, root: Path = ROOT) -> tuple[str, str]:
        """Return the source and the mutant, both whole."""
        source = (root / self.file).read_text(encoding="utf-8")
        return source, self.mutant.of(source)

    def diff(self, root: Path = ROOT) -> str:
        """Return what differs, with the number of the line."""
        source, other = self.lines(root)
        rows = difflib.unified_diff(source.splitlines(), other.splitlines(), lineterm="", n=0)
        changed = [row for row in rows if row[:1] in "+-" and row[:3] not in {"+++", "---"}]
        return "\n".join([f"{self.file}:{self.mutant.line} ({self.mutant.kind})", *changed])

    def is_equivalent(self, root: Path = ROOT) -> bool:
        """Tell whether EQUIVALENT names this mutant."""
        rows = self.diff(root).splitlines()[1:]
        before = " ".join(row[1:].strip() for row in rows if row[0] == "-")
        after = " ".join(row[1:].strip() for row in rows if row[0] == "+")
        return (self.file, before, after) in EQUIVALENT


def concerning(file: str) -> tuple[str, ...]:
    """Return the tests that concern a source; none if TESTS doesn't name it."""
    return TESTS.get(file) or TESTS.get(file[: file.rfind("/") + 1], ())


def sources(only: str | None, root: Path = ROOT) -> list[str]:
    """Return every source that TESTS names; of them those that are `only`, or in it."""
    found = {path.relative_to(root).as_posix() for name in TESTS for path in _files(root / name)}
    return sorted(file for file in found if only is None or file == only or file.startswith(only.rstrip("/") + "/"))


def _files(path: Path) -> list[Path]:
    return [path] if path.is_file() else list(path.glob("*.py"))


def draw(files: Sequence[str], count: int, seed: int) -> list[Place]:
    """Return so many mutants of these sources, each equally likely."""
    every = [Place(file, one) for file in files for one in mutants((ROOT / file).read_text(encoding="utf-8"))]
    random.Random(seed).shuffle(every)
    drawn: list[Place] = []
    for place in every:
        if len(drawn) == count:
            break
        if not place.is_equivalent():
            drawn.append(place)
    return drawn


class Copies:
    """Copies of Arbitre to make mistakes in, one for each that works at the same time."""

    def __init__(self, folder: Path, count: int, seed: int, root: Path = ROOT) -> None:
        self._free: queue.Queue[Path] = queue.Queue()
        self._seed = seed
        self._usual: dict[str, float] = {}
        for number in range(count):
            shutil.copytree(root, folder / str(number), ignore=shutil.ignore_patterns(*LEFT_BEHIND))
            self._free.put(folder / str(number))

    def measure(self, test: str) -> None:
        """Run a test without a mistake, to know how long it takes; it has to pass."""
        began = time.perf_counter()
        if not self._pass((test,), 1800):
            raise SystemExit(f"without a mistake this fails: {test}")
        self._usual[test] = time.perf_counter() - began

    def survives(self, place: Place, tests: tuple[str, ...]) -> bool:
        """Tell whether these tests, which were measured, pass for this mutant, in at most four times their time."""
        copy = self._free.get()
        source, other = place.lines(copy)
        try:
            self._write(copy / place.file, other)
            return self._pass(tests, 20 + 4 * sum(self._usual[test] for test in tests), copy)
        finally:
            self._write(copy / place.file, source)
            self._free.put(copy)

    def _write(self, path: Path, text: str) -> None:
        """Write a file that is newer by a second than it was, so that no older bytecode is taken for it."""
        second = int(path.stat().st_mtime) + 1
        path.write_text(text, encoding="utf-8")
        os.utime(path, (second, second))

    def _pass(self, tests: tuple[str, ...], seconds: float, copy: Path | None = None) -> bool:
        folder = copy or self._free.get()
        command = [
            sys.executable,
            "-m",
            "pytest",
            "-q",
            "-x",
            "-p",
            "no:cacheprovider",
            "-m",
            "not slow and not thorough",
        ]
        environment = {**os.environ, "PYTHONPYCACHEPREFIX": str(folder / ".bytecode")}
        environment.pop("PYTHONDONTWRITEBYTECODE", None)
        try:
            done = subprocess.run(
                [*command, f"--hypothesis-seed={self._seed}", *tests],
                cwd=folder, env=environment, capture_output=True, check=False, timeout=seconds,
            )  # fmt: skip
        except subprocess.TimeoutExpired:
            return False
        finally:
            if copy is None:
                self._free.put(folder)
        return done.returncode == 0


def try_all(places: Sequence[Place], copies: Copies, jobs: int) -> list[Place]:
    """Return the mutants that survive; tell on standard error how far it is."""
    survivors: list[Place] = []

    def measure(test: str) -> None:
        print(f"without a mistake: {test}", file=sys.stderr, flush=True)
        copies.measure(test)

    def attempt(place: Place) -> None:
        survives = copies.survives(place, concerning(place.file))
        if survives:
            survivors.append(place)
        verdict = "SURVIVES" if survives else "noticed"
        print(f"{verdict:8} {place.file}:{place.mutant.line} ({place.mutant.kind})", file=sys.stderr, flush=True)

    with ThreadPoolExecutor(jobs) as pool:
        list(pool.map(measure, sorted({test for place in places for test in concerning(place.file)})))
        list(pool.map(attempt, places))
    return sorted(survivors, key=lambda place: (place.file, place.mutant.start))


def main() -> int:
    """Run the command line; 1 if fewer are noticed than are to be."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=100, help="mutants to try")
    parser.add_argument("--seed", type=int, default=1, help="which ones")
    parser.add_argument("--only", metavar="PATH", help="a source or a folder of them")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="tried at the same time")
    parser.add_argument("--aim", type=float, default=92.0, help="the share that has to be noticed, in percent")
    arguments = parser.parse_args()
    places = draw(sources(arguments.only), arguments.count, arguments.seed)
    if not places:
        parser.error(f"there is nothing to get wrong in {arguments.only}")
    with tempfile.TemporaryDirectory() as folder:
        copies = Copies(Path(folder), arguments.jobs, arguments.seed)
        survivors = try_all(places, copies, arguments.jobs)
    noticed = 100 * (1 - len(survivors) / len(places))
    print("\n\n".join(place.diff() for place in survivors))
    print(f"\n{len(places) - len(survivors)} of {len(places)} noticed: {noticed:.1f} %")
    return 0 if noticed >= arguments.aim else 1


if __name__ == "__main__":
    raise SystemExit(main())
