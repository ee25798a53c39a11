"""A clean match beside those who would stop the server: how long does one of its moves take, and what stays of them?

    python3 run.py bench attacks
    python3 run.py bench attacks --only pings lists --seconds 10 --settle 5

Each attack meets a server of its own with 10,000 open matches (`tests/faults/storms.py`), once from the address of the
clean match and once from another; `raw sockets` are all of tests/faults/test_raw_sockets.py at once. `quiet` and `loud`
are the 99th percentile of a move without and with the attack, from its write to the read of `your_turn` at the
opponent's; `worst` the slowest during the attack. The clean match has 3 s + 20 ms a move; `lost` counts its games that
did not end by the rules. Memory is that of the server before, at its peak, and once it is back within 20 %, with the
seconds which that took, `--settle` at most.
The attackers, which give way to others, the players and the server share this machine.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from benchmarks import _measure
from tests.faults.siege import BACK, Siege, besiege
from tests.faults.storms import STORMS

AIM_P99_MS = 50.0
AIM_WORST_MS = 250.0
SOURCES = {"same": "127.0.0.1", "other": "127.0.0.2"}
FILES = 3000


@dataclass(frozen=True, slots=True)
class Attack:
    """One attack from one place, and what came of it; `failed` says what if the clean match could not be played."""

    name: str
    place: str
    siege: Siege | None
    failed: str = ""

    def holds(self) -> bool:
        """Whether all aims are reached."""
        siege = self.siege
        return siege is not None and (
            siege.loud * 1000 <= AIM_P99_MS
            and siege.worst * 1000 <= AIM_WORST_MS
            and not siege.lost
            and siege.after_bytes <= BACK * siege.before_bytes
        )


def row_of(attack: Attack) -> dict[str, object]:
    """What is printed of an attack."""
    siege = attack.siege
    names = (
        "quiet p99 ms",
        "loud p99 ms",
        "quiet worst",
        "worst ms",
        "lost",
        "games",
        "MB before",
        "peak",
        "after",
        "s",
    )
    if siege is None:
        cells = dict.fromkeys(names, "-")
    else:
        cells = dict(zip(names, (
            f"{siege.quiet * 1000:.1f}", f"{siege.loud * 1000:.1f}", f"{siege.quiet_worst * 1000:.0f}",
            f"{siege.worst * 1000:.0f}", str(siege.lost), str(siege.games), f"{siege.before_bytes / 1e6:.0f}",
            f"{siege.peak_bytes / 1e6:.0f}", f"{siege.after_bytes / 1e6:.0f}",
            f"{siege.settled:.1f}",
        ), strict=True))  # fmt: skip
    verdict = attack.failed or ("yes" if attack.holds() else "no")
    return {"attack": attack.name, "from": attack.place, **cells, "reached": verdict}


def main(arguments: Sequence[str]) -> None:
    """Measures and prints."""
    parser = argparse.ArgumentParser(prog="python3 run.py bench attacks", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--only", nargs="+", default=[], metavar="WORD", help="attacks with such a word in their names")
    parser.add_argument("--places", nargs="+", choices=tuple(SOURCES), default=list(SOURCES))
    parser.add_argument("--seconds", type=float, default=5.0, help="of attack")
    parser.add_argument("--settle", type=float, default=60.0, help="seconds in which memory has to be back")
    parser.add_argument("--markdown", action="store_true")
    options = parser.parse_args(arguments)
    _measure.need_files(FILES)
    attacks = []
    for name in STORMS:
        if options.only and not any(word in name for word in options.only):
            continue
        for place in options.places:
            _measure.progress(f"{name}, from the {place} address ...")
            try:
                attacks.append(Attack(name, place, besiege(name, SOURCES[place], options.seconds, options.settle)))
            except (AssertionError, OSError) as error:
                attacks.append(Attack(name, place, None, f"stopped: {str(error).strip().splitlines()[-1][:100]}"))
            _measure.progress(str(row_of(attacks[-1])))
    if not attacks:
        parser.error(f"there is no such attack; there are: {', '.join(STORMS)}")
    _measure.show([row_of(attack) for attack in attacks], markdown=options.markdown)
    print(
        f"\naims: p99 <= {AIM_P99_MS:.0f} ms, worst <= {AIM_WORST_MS:.0f} ms, none lost, memory back within "
        f"{(BACK - 1) * 100:.0f} % after {options.settle:.0f} s at most: "
        f"{sum(attack.holds() for attack in attacks)} of {len(attacks)} reached"
    )


if __name__ == "__main__":
    _measure.run_main(main)
