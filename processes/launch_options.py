"""The launch options of a program of others: its limits, interpreter and sandbox. Standard library only."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

LEAST_MEMORY, MOST_MEMORY = 16 << 20, 16 << 40
"""The bounds of --memory: hardly any program starts with less, and no machine has more."""

LEAST_PATIENCE_S, MOST_PATIENCE_S = 0.1, 86_400.0
"""The bounds of --patience, the time for a move."""

_UNITS = {"": 20, "K": 10, "M": 20, "G": 30}


@dataclass(frozen=True, slots=True)
class LaunchOptions:
    """How a program of others is run.

    sandbox: without a network, and with no files but its own folder, where the system can do that.
    apart: files and folders that it never sees in a sandbox: those of its rivals, for one.
    memory_bytes, processes, cpu_s: the most that it may use in a match, with all that it starts.
    start_s: how long it may take to be ready, apart from any clock.
    move_s: how long a move may take in a match without a clock.
    polite_s: how long it may take to leave when asked to, before it is made to.
    python: the interpreter of a file or folder; "" for what its bot.toml says, or else that of Arbitre.
    many_games: whether its process plays one game after another; None as its bot.toml says, or else a new one for each.
    ponder: whether it may think in the opponent's time; None as its bot.toml says, or else not.
    quiet: whether messages for its author are kept off our stderr, because others read that.
    conversation: the file into which what is said in one match is written; "" for none.
    """

    sandbox: bool = False
    apart: tuple[str, ...] = ()
    memory_bytes: int = 1 << 30
    processes: int = 64
    cpu_s: float = 3600.0
    start_s: float = 10.0
    move_s: float = 60.0
    polite_s: float = 1.0
    python: str = ""
    many_games: bool | None = None
    ponder: bool | None = None
    quiet: bool = False
    conversation: str = ""


def size_of(text: str) -> int | None:
    """The bytes that a text like 512M or 2G means; None if it is no size, or not within the bounds."""
    written = re.fullmatch(r"([0-9]{1,12})([KMG]?)(?:iB|B)?", text.strip(), re.IGNORECASE)
    size = int(written[1]) << _UNITS[written[2].upper()] if written else 0
    return size if LEAST_MEMORY <= size <= MOST_MEMORY else None


def launch_options_of(
    *, sandbox: bool, memory: int | None, patience: float | None, apart: Sequence[Path] = ()
) -> LaunchOptions:
    """The launch options of a command line; the defaults where it says nothing."""
    launch = LaunchOptions(sandbox=sandbox, apart=tuple(str(path.absolute()) for path in apart))
    if memory is not None:
        launch = replace(launch, memory_bytes=memory)
    if patience is not None:
        launch = replace(launch, move_s=patience)
    return launch


def words_of(launch: LaunchOptions, apart: Sequence[Path] = ()) -> tuple[str, ...]:
    """The options of `arbitre bot` that say the same as `launch`; apart: more files and folders to hide from it."""
    words = ["--memory", f"{launch.memory_bytes >> 10}K", "--patience", f"{launch.move_s:g}"]
    if launch.sandbox:
        words.append("--sandbox")
        words += [f"--apart={path}" for path in (*launch.apart, *apart)]
    return tuple(words)
