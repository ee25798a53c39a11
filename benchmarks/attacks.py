"""A clean match beside every raw-socket attack of tests/faults at once: how long does one of its moves take?

    python3 run.py bench attacks
    python3 run.py bench attacks --rounds 20 --seconds 10

`quiet` and `loud` are the 99th percentile of a move without and with the attacks, `grown` the server's memory. The
attackers, the players and the server share this machine.
"""

from __future__ import annotations

import argparse
import statistics
import sys
from collections.abc import Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from benchmarks import _measure
from tests.faults.test_raw_sockets import ATTACKS, CROWDS, besiege

AIM_MS = 50.0


def main(arguments: Sequence[str]) -> None:
    """Measures and prints."""
    parser = argparse.ArgumentParser(prog="python3 run.py bench attacks", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=3.0, help="of attacks in a round")
    parser.add_argument("--markdown", action="store_true")
    options = parser.parse_args(arguments)
    sieges = []
    for number in range(options.rounds):
        _measure.progress(f"round {number + 1} of {options.rounds} ...")
        sieges.append(besiege(options.seconds))
    loud = sorted(siege.loud * 1000 for siege in sieges)
    row = {
        "attackers": len(ATTACKS) + len(CROWDS), "rounds": options.rounds, "seconds": options.seconds,
        "quiet p99 ms": f"{statistics.median(siege.quiet * 1000 for siege in sieges):.1f}",
        "loud p99 ms": f"{statistics.median(loud):.1f}", "min..max": f"{loud[0]:.1f}..{loud[-1]:.1f}", "aim": AIM_MS,
        "grown MB": f"{max(siege.grown_bytes for siege in sieges) / 1e6:.0f}",
    }  # fmt: skip
    _measure.show([row], markdown=options.markdown)


if __name__ == "__main__":
    _measure.run_main(main)
