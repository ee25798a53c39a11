"""Machines that give little, as commands in front of a command: a table, to be run by test_poor_machines.py.

Each is made of what the system has: `env -i`, namespaces (bubblewrap), and limits. Where the system lacks it, `missing`
says what.
"""

import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final

NOBODY: Final = "12345"
"""The number of an account that no list of users knows."""

SMALL: Final = 128 << 20

_BARE = ("env", "-i", "PATH=/usr/bin:/bin")
_USER = ("bwrap", "--unshare-user", "--uid", NOBODY, "--gid", NOBODY)
_DISK = ("--ro-bind", "/", "/", "--proc", "/proc", "--dev", "/dev")
_READ_ONLY = (*_DISK, "--remount-ro", "/dev/shm", "--remount-ro", "/dev")


@dataclass(frozen=True, slots=True)
class Machine:
    """What stands in front of a command, and whether that command finds folders to write and memory to compile in."""

    before: tuple[str, ...]
    writable: bool = True
    roomy: bool = True

    def missing(self) -> str | None:
        """What this system lacks to be such a machine, if anything."""
        for program in ("env", "bwrap", "prlimit"):
            if program in self.before and shutil.which(program) is None:
                return program
        return "namespaces" if "bwrap" in self.before and not _has_namespaces() else None


MACHINES: Final[Mapping[str, Machine]] = {
    "no HOME": Machine(_BARE),
    "no HOME, no entry in passwd": Machine((*_BARE, *_USER, "--dev-bind", "/", "/", "--")),
    "read-only disk, no temporary folder": Machine((*_BARE, *_USER, *_READ_ONLY, "--"), writable=False),
    "128 MB of addresses": Machine(("prlimit", f"--as={SMALL}"), roomy=False),
    "128 MB of data": Machine(("prlimit", f"--data={SMALL}"), roomy=False),
}


@dataclass(frozen=True, slots=True)
class Command:
    """Words behind `arbitre`, and what is expected: code 0, or `refused` (in words) where nothing can be written, or
    where there is too little memory. seconds: how long it may take; on a machine that is busy, too.
    """

    words: tuple[str, ...]
    unwritable: str | None = None
    cramped: str | None = None
    served: bool = False
    slow: bool = True


_FILE = "{bot}"
_FEW = ("--game", "morpion")
COMMANDS: Final[Mapping[str, Command]] = {
    "help": Command(("--help",), slow=False),
    "perft": Command(("perft", "othello", "3"), slow=False),
    "solve": Command(("solve", "puissance4:width=4,height=4")),
    "demo": Command(("demo", *_FEW)),
    "match": Command(("match", *_FEW, "random", "minimax:depth=3")),
    "match of a file": Command(("match", *_FEW, "random", _FILE)),
    "match of the strong": Command(("match", "--game", "puissance4", "--clock", "1s", "random", "strong")),
    "bot check": Command(("bot", "check", "random")),
    "bot without a server": Command(("bot", "random", "127.0.0.1:1"), "No server answers", "No server answers"),
    "play": Command(("play", "--plain", "--against", "random", *_FEW)),
    "serve": Command(("serve", "--host", "127.0.0.1", "--port", "0"), served=True),
    "serve with a database": Command(
        ("serve", "--host", "127.0.0.1", "--port", "0", "--db", "games.sqlite"), "can't be used", served=True
    ),
    "league run": Command(("league", "run", *_FEW, "random", "first"), "Read-only file system"),
    "warmup": Command(("warmup",), "No folder can be written", "too little memory"),
}


def expected(machine: Machine, command: Command) -> str | None:
    """What the command says, in part, instead of doing its work; None if it works."""
    if not machine.writable and command.unwritable is not None:
        return command.unwritable
    if command.words[:2] == ("bot", "random"):
        return command.cramped
    return None if machine.roomy else command.cramped


def command_line(machine: Machine, words: Sequence[str], bot: str) -> list[str]:
    """The whole command; `bot` is the path of a bot's file."""
    own = [bot if word == _FILE else word for word in words]
    return [*machine.before, sys.executable, "-P", "-m", "arbitre", *own]


@cache
def _has_namespaces() -> bool:
    command = [*_USER, "--ro-bind", "/", "/", "--", "true"]
    return subprocess.run(command, capture_output=True, check=False).returncode == 0
