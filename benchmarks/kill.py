"""Kills a server under load, again and again, and checks every acknowledged move against its record.

    python3 run.py bench kill --kills 500

Prints the kills, the moves that were acknowledged, and how long the server was away each time (its start included).
"""

from __future__ import annotations

import argparse
import asyncio
import statistics
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from tests.faults.kill import BrokenPromiseError, kill_again_and_again


def main() -> int:
    """Runs the command line; 1 if something that was acknowledged got lost."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kills", type=int, default=500)
    parser.add_argument("--pairs", type=int, default=20, help="matches at once")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--durability", choices=("power", "process"), default="power")
    arguments = parser.parse_args()
    began = time.perf_counter()
    with tempfile.TemporaryDirectory() as folder:
        try:
            tally = asyncio.run(
                kill_again_and_again(
                    Path(folder) / "arbitre.sqlite", kills=arguments.kills, pairs=arguments.pairs,
                    seed=arguments.seed, durability=arguments.durability,
                )
            )  # fmt: skip
        except BrokenPromiseError as broken:
            print(broken)
            return 1
    away = sorted(tally.downtimes)
    print(
        f"{tally.kills} kills, {tally.acknowledged} acknowledged moves, {tally.finished} matches, none lost, "
        f"none twice; away {statistics.median(away):.2f} s at the median, {away[-1]:.2f} s at most; "
        f"{time.perf_counter() - began:.0f} s in all"
    )
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
