"""What the benchmarks share: CPU time of a process, processes that listen, medians, tables, JSON.

Errors: BenchError    a measurement can't be made here; its message is the sentence that the user reads
"""

from __future__ import annotations

import json
import os
import platform
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from machine import core

Row = Mapping[str, object]
"""One line of a table: its cells by the name of their column."""


class BenchError(Exception):
    """A measurement can't be made here; the message says why and what helps."""


@dataclass(frozen=True, slots=True)
class Spread:
    """Several measurements of one thing: quarter and three_quarters are the quartiles."""

    median: float
    low: float
    high: float
    values: tuple[float, ...]
    quarter: float
    three_quarters: float

    @classmethod
    def of(cls, values: Sequence[float]) -> Spread:
        """The spread of at least one value."""
        low, high = min(values), max(values)
        quarter, middle, upper = statistics.quantiles(values, n=4, method="inclusive") if len(values) > 1 else [low] * 3
        return cls(middle, low, high, tuple(values), quarter, upper)


LINUX = platform.system() == "Linux"


def cpu_seconds(pid: int) -> float:
    """User and system time that the process has used, all threads; to the nanosecond on Linux, else to 10 ms."""
    if LINUX:
        return time.clock_gettime(~pid << 3 | 2)  # clock_getcpuclockid(3), which Python does not offer
    seconds = 0.0
    for part in _ask_ps(pid, "time").split(":"):
        seconds = seconds * 60 + float(part)
    return seconds


def resident_bytes(pid: int) -> int:
    """The memory of the process that is in RAM."""
    if LINUX:
        pages = int(Path(f"/proc/{pid}/statm").read_text(encoding="ascii").split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE")
    return int(_ask_ps(pid, "rss")) * 1024


def _ask_ps(pid: int, what: str) -> str:
    """What ps(1) tells of a process on systems other than Linux; raises BenchError."""
    try:
        return subprocess.run(
            ["ps", "-o", f"{what}=", "-p", str(pid)], capture_output=True, check=True, text=True
        ).stdout.strip()
    except (OSError, subprocess.CalledProcessError) as error:
        raise BenchError("this system does not tell what a process uses: measure on Linux or macOS") from error


def python(*arguments: str) -> list[str]:
    """The command that runs this Python with Arbitre's packages, whatever lies in the current folder."""
    return [sys.executable, "-P", *arguments]


ARBITRE = ("-m", "arbitre", "serve", "--host", "127.0.0.1", "--port", "0", "--trust", "127.0.0.1")
"""The server that is measured: started like anybody's, but that thousands may connect from this machine."""


@dataclass(frozen=True, slots=True)
class Listener:
    """A process that listens on a port of this machine."""

    pid: int
    port: int


@contextmanager
def listening(arguments: Sequence[str], which: str | None = None, under: Sequence[str] = ()) -> Generator[Listener]:
    """Starts a Python process that prints "listening on ws://...:PORT" and ends it afterwards; raises BenchError.

    which: the core that it runs on, "plain" or "compiled"; else as it would. under: the program that runs it, and stays
    the same process.
    """
    variables = os.environ if which is None else {**os.environ, core.VARIABLE: which}
    process = subprocess.Popen(
        [*under, *python(*arguments)], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env=variables
    )
    assert process.stdout is not None
    try:
        line = process.stdout.readline()
        port = line.strip().rpartition(":")[2].rstrip("/")
        if not line.startswith("listening on ") or not port.isdigit():
            raise BenchError(f"`python {' '.join(arguments)}` did not start: run it by hand to see why")
        yield Listener(process.pid, int(port))
    finally:
        process.kill()
        process.wait()
        process.stdout.close()


def need_files(count: int) -> None:
    """Makes sure that this process, and those that it starts, may open `count` files; raises BenchError."""
    if os.name == "nt":
        return
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != resource.RLIM_INFINITY and soft < count:
        if hard != resource.RLIM_INFINITY and hard < count:
            raise BenchError(
                f"this needs {count} open files and the system allows {hard}: "
                f"ask for fewer connections, or raise the limit (ulimit -n {count})"
            )
        resource.setrlimit(resource.RLIMIT_NOFILE, (count, hard))


def running_core() -> str:
    """The core on which Arbitre's processes run here: "plain" or "compiled"."""
    return "compiled" if core.state() is core.State.COMPILED else "plain"


def machine() -> str:
    """The machine in general terms: what a figure depends on, and nothing that tells whose it is."""
    system = f"{os.cpu_count()} cores, {platform.system()} {platform.machine()}"
    return f"{system}, Python {platform.python_version()}, {running_core()} core"


def show(rows: Sequence[Row], *, markdown: bool) -> None:
    """Prints rows as a table, aligned for a terminal or as Markdown."""
    names = list(rows[0])
    lines = [names, *([str(row[name]) for name in names] for row in rows)]
    widths = [max(len(line[column]) for line in lines) for column in range(len(names))]
    texts = [[cell.ljust(width) for cell, width in zip(line, widths, strict=True)] for line in lines]
    if markdown:
        texts.insert(1, ["-" * width for width in widths])
    for text in texts:
        print("| " + " | ".join(text) + " |" if markdown else "  ".join(text).rstrip())


def print_json(value: object) -> None:
    """Prints one JSON document."""
    print(json.dumps(value, indent=2, default=lambda item: {name: getattr(item, name) for name in item.__slots__}))


def progress(text: str) -> None:
    """Talks on standard error while the figures are being made."""
    print(text, file=sys.stderr, flush=True)


def run_main(main: Callable[[Sequence[str]], None]) -> None:
    """Runs a benchmark; what can't be measured ends in one sentence and exit code 1."""
    try:
        main(sys.argv[1:])
    except BenchError as error:
        sys.exit(f"bench: {error}")
    except KeyboardInterrupt:
        sys.exit(130)
