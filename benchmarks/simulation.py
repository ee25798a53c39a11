"""Plays many seeded worlds of tests/faults/simulation: is the promise kept, whatever fails?

    python3 run.py bench simulation --seeds 100000
    python3 run.py bench simulation --seed 4711        plays one again, and says what it found

Prints how many worlds, crashes and acknowledged moves there were; a seed that fails, with the command that replays it.
"""

from __future__ import annotations

import argparse
import logging
import multiprocessing
import os
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from tests.faults.simulation.world import FaultFoundError, replay

PORTION = 100


def portion(first: int) -> tuple[int, int, list[str]]:
    """Plays some seeds: crashes, acknowledged moves, and what was found."""
    logging.disable(logging.CRITICAL)
    crashes, acknowledged, found = 0, 0, list[str]()
    for seed in range(first, first + PORTION):
        try:
            world = replay(seed)
        except FaultFoundError as fault:
            found.append(str(fault))
        else:
            crashes += world.crashes
            acknowledged += sum(len(player.acknowledged) for player in world.players)
    return crashes, acknowledged, found


def main() -> int:
    """Runs the command line; 1 if a seed failed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", type=int, default=2000, help="how many, in hundreds (default 2000)")
    parser.add_argument("--first", type=int, default=0, help="the first seed")
    parser.add_argument("--seed", type=int, help="this one only")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="processes")
    arguments = parser.parse_args()
    if arguments.seed is not None:
        try:
            world = replay(arguments.seed)
        except FaultFoundError as fault:
            print(fault)
            return 1
        print(f"seed {arguments.seed}: {world.crashes} crashes, {len(world.events)} events, nothing found")
        return 0
    began, crashes, acknowledged, failed = time.perf_counter(), 0, 0, 0
    starts = range(arguments.first, arguments.first + arguments.seeds, PORTION)
    with multiprocessing.Pool(arguments.jobs) as pool:
        for some_crashes, some_moves, found in pool.imap_unordered(portion, starts):
            crashes, acknowledged, failed = crashes + some_crashes, acknowledged + some_moves, failed + len(found)
            for complaint in found:
                print(complaint, flush=True)
    seconds = time.perf_counter() - began
    print(
        f"{len(starts) * PORTION} seeds, {crashes} crashes, {acknowledged} acknowledged moves, "
        f"{failed} seeds failed, {seconds:.0f} s"
    )
    return 1 if failed else 0


if __name__ == "__main__":
    raise SystemExit(main())
