"""The launch options of a program of others: its limits, interpreter and sandbox. Standard library only."""

from dataclasses import dataclass


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
