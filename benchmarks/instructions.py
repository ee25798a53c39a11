"""What refereeing costs in instructions: Arbitre's server against the bare relay of `relay`, counted and not timed.

    python3 run.py bench instructions
    python3 run.py bench instructions --games morpion --cores compiled --durability process

Both servers run in valgrind (callgrind), which counts the instructions that a process executes outside the kernel. The
count hardly depends on the machine or on what else it does: two runs differ by 1 %, with a database by up to 5 %. So it
tells whether a change made refereeing cheaper, also on a busy machine. It doesn't see what the kernel does for a write
to a socket, of which the relay makes two a move and Arbitre one to two; `relay` measures the time of both.

The games, the frames and the relay's text are those of `relay`. Few pairs play at once: under valgrind a turn of the
server's loop takes fifty times as long, and what waits for 10 ms at most would not find a frame to share.
"""

from __future__ import annotations

import argparse
import re
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from tempfile import TemporaryDirectory

from benchmarks import _measure, relay
from benchmarks._load import Pair, Traffic, play
from benchmarks._measure import ARBITRE, BenchError, Listener

PAIRS = 6
DURABILITIES = ("none", "process")


@dataclass(frozen=True, slots=True)
class Count:
    """One server: instructions outside the kernel and frames written, for a move."""

    instructions: float
    frames: float
    moves: int
    bytes_per_move: float


@dataclass(frozen=True, slots=True)
class Report:
    """Arbitre's server on one core, beside the relay."""

    game: str
    durability: str
    core: str
    relay: Count
    arbitre: Count

    @property
    def ratio(self) -> float:
        """The relay's instructions for one of Arbitre's: above 1, refereeing takes fewer than relaying."""
        return self.relay.instructions / self.arbitre.instructions


def valgrind(folder: str) -> tuple[str, ...]:
    """The command before a server's that counts its instructions, and writes into `folder`."""
    return (
        "valgrind",
        "--tool=callgrind",
        "--instr-atstart=no",
        f"--callgrind-out-file={folder}/callgrind.%p",
        f"--log-file={folder}/valgrind.%p",
    )


def ask(pid: int, *question: str) -> str:
    """What valgrind answers about a process that it runs; raises BenchError."""
    asked = ["callgrind_control", *question, str(pid)]
    try:
        return subprocess.run(asked, capture_output=True, check=True, text=True, timeout=60).stdout
    except (OSError, subprocess.SubprocessError) as error:
        raise BenchError(f"`{' '.join(asked)}` failed: run this benchmark as the user who owns /tmp") from error


def executed(pid: int) -> int:
    """The instructions that all threads of the process have executed since counting began; raises BenchError."""
    answer = ask(pid, "-e")
    counts = re.findall(r"^ *Th +\d+ +([\d,]+)", answer, re.MULTILINE)
    if not counts:
        raise BenchError(f"callgrind_control tells no count: {answer.strip() or 'nothing at all'}")
    return sum(int(count.replace(",", "")) for count in counts)


def counted(
    server: Listener, drawn: relay.Games, players: Sequence[relay.Players], opened: Sequence[relay.Matches]
) -> Count:
    """Plays the matches of each pair, but for the last, which comes before and is not counted."""
    refereed = len({match for matches in opened for match, _ in matches}) > 1
    moves_in = relay.moves_in_refereed if refereed else relay.moves_in_relayed
    warm = [Pair(pair, relay.script_of(matches[-1:], drawn, 0)) for pair, matches in zip(players, opened, strict=True)]
    main = [
        Pair(pair, relay.script_of(matches[:-1], drawn, number * len(matches)))
        for number, (pair, matches) in enumerate(zip(players, opened, strict=True))
    ]
    ask(server.pid, "-i", "on")
    play(warm, moves_in)
    before = executed(server.pid)
    traffic = play(main, moves_in)
    return count_of(executed(server.pid) - before, traffic)


def count_of(instructions: int, traffic: Traffic) -> Count:
    """What a move took."""
    moves = traffic.moves
    return Count(instructions / moves, traffic.frames / moves, moves, traffic.received / moves)


def count_refereed(game: str, matches: int, drawn: relay.Games, durability: str, core: str) -> Count:
    """Arbitre's server on a core."""
    with TemporaryDirectory() as folder:
        options = [option.replace(relay.FOLDER, folder) for option in relay.DURABILITIES[durability]]
        with (
            _measure.listening([*ARBITRE, *options], core, valgrind(folder)) as server,
            relay.connected(server.port, ["/"] * (2 * PAIRS), spread=False) as connections,
        ):
            relay.greet(connections)
            players = relay.couples(connections)
            opened = [relay.open_matches(pair, game, matches + 1) for pair in players]
            return counted(server, drawn, players, opened)


def count_relayed(matches: int, drawn: relay.Games, size: int) -> Count:
    """The bare relay, whose texts have `size` bytes."""
    paths = [f"/{number // 2}" for number in range(2 * PAIRS)]
    with (
        TemporaryDirectory() as folder,
        _measure.listening(["-m", "benchmarks._bare_relay", "--size", str(size)], under=valgrind(folder)) as server,
        relay.connected(server.port, paths, spread=False) as connections,
    ):
        opened = [relay.unrefereed(matches + 1)] * PAIRS
        return counted(server, drawn, relay.couples(connections), opened)


def compare(game: str, moves: int, seed: int, durabilities: Sequence[str], cores: Sequence[str]) -> list[Report]:
    """The relay once, and Arbitre's server with each durability on each core."""
    drawn = relay.draw_games(game, seed)
    length = sum(len(turns) for turns in drawn) / len(drawn)
    matches = max(1, round(moves / (PAIRS * length)))
    counts: dict[tuple[str, str], Count] = {}
    for durability in durabilities:
        for core in cores:
            counts[durability, core] = count = count_refereed(game, matches, drawn, durability, core)
            _measure.progress(f"{game}, durability {durability}, {core} core: {count.instructions:,.0f} a move")
    size = round(next(iter(counts.values())).bytes_per_move / 2)
    bare = count_relayed(matches, drawn, size)
    return [Report(game, durability, core, bare, count) for (durability, core), count in counts.items()]


def row_of(report: Report) -> dict[str, object]:
    """What is printed of a report."""
    return {
        "game": report.game,
        "durability": report.durability,
        "core": report.core,
        "relay": f"{report.relay.instructions:,.0f}",
        "Arbitre": f"{report.arbitre.instructions:,.0f}",
        "ratio": f"{report.ratio:.2f}",
        "frames": f"{report.relay.frames:.2f} {report.arbitre.frames:.2f}",
        "moves": report.arbitre.moves,
    }


def parse(arguments: Sequence[str]) -> argparse.Namespace:
    """Reads the options."""
    parser = argparse.ArgumentParser(
        prog="python3 run.py bench instructions", description=(__doc__ or "").splitlines()[0]
    )
    parser.add_argument("--games", nargs="+", default=list(relay.AIMS["plain"]), help="games, with options")
    parser.add_argument("--moves", type=int, default=1_500, help="moves that are counted, about (whole games)")
    parser.add_argument("--seed", type=int, default=1, help="draws the games")
    parser.add_argument(
        "--durability", nargs="+", choices=DURABILITIES, default=["none"], help="what Arbitre's server keeps"
    )
    parser.add_argument(
        "--cores", nargs="+", choices=tuple(relay.AIMS), help="which cores; by default the one that runs"
    )
    parser.add_argument("--json", action="store_true", help="print every figure")
    parser.add_argument("--markdown", action="store_true", help="print the table for docs/performance.md")
    options = parser.parse_args(arguments)
    if options.moves < 1:
        parser.error("--moves is at least 1")
    if shutil.which("callgrind_control") is None:
        raise BenchError("this counts with valgrind, which is not installed here: apt-get install valgrind")
    options.cores = relay.cores_that_run(options.cores)
    return options


def main(arguments: Sequence[str]) -> None:
    """Counts and prints."""
    options = parse(arguments)
    reports = [
        report
        for game in options.games
        for report in compare(game, options.moves, options.seed, options.durability, options.cores)
    ]
    if options.json:
        _measure.print_json({"machine": _measure.machine(), "reports": reports})
        return
    if not options.markdown:
        print(f"Instructions of the server outside the kernel, for a move. {_measure.machine()}.")
    _measure.show([row_of(report) for report in reports], markdown=options.markdown)


if __name__ == "__main__":
    _measure.run_main(main)
