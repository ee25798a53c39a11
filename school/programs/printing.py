"""What a program says of a game to its author: its prints, move by move, and how it failed; kept beside the league.

A game is found by who played it, on which side and with which moves. Equal games share a file, in their order: two that
fail at the first move are such.
"""

from __future__ import annotations

import hashlib
import random
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace as changed
from pathlib import Path
from typing import Final

import msgspec
from msgspec.structs import replace

from bots.adapters.python_file import PythonFile
from bots.base import Bot, BotFaultError, BotSpec, Budget, Options
from games.base import Game, Position, Seat
from processes.launch_options import LaunchOptions
from school.messages import Fault
from school.programs.examining import fault_of

Lines = tuple[tuple[int, str], ...]
"""What was printed before the move of each ply."""

LONGEST: Final = 400
"""The most characters kept for one move: the last ones."""

PRINTS_TOLD: Final = 3
"""Beside a fault, where there is no replay: what was printed before so many moves, the last ones."""

MOST: Final = 12_000
"""After this many characters of a game, nothing more is kept."""

MOST_EQUAL: Final = 8
"""Of so many equal games something is kept: the last ones."""

_LARGEST: Final = 8 * MOST_EQUAL * MOST
"""Bytes of a file that are read."""


class Account(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a program said of a game; fault: how it failed, if it did. at: when it was handed in, 0 if nobody knows."""

    lines: Lines = ()
    fault: Fault | None = None
    at: int = 0

    @property
    def told(self) -> Fault | None:
        """How it failed, with the end of what it printed; None if it did not fail."""
        printed = "\n".join(text for _ply, text in self.lines[-PRINTS_TOLD:])
        return None if self.fault is None else replace(self.fault, printed=printed)


Keep = Callable[[int, Sequence[str], Account], None]
"""Is told the seat, the moves and what the program said, once a game is over."""


class Printing(PythonFile):
    """A file that plays a match; its prints are kept, and how it failed."""

    def __init__(self, game: Game, text: str, launch: LaunchOptions, seed: str, seat: Seat, keep: Keep) -> None:
        super().__init__(game, text, launch, seed, seat)
        self._keep = keep
        self._before = ""
        self._lines: list[tuple[int, str]] = []
        self._size = 0
        self._fault: Fault | None = None
        self._is_kept = False

    def choose(self, position: Position, budget: Budget) -> str:
        """The file's move."""
        try:
            return super().choose(position, budget)
        except BotFaultError as error:
            if not error.is_ours:  # what was printed is kept by moves
                self._fault = replace(fault_of(error, self._settings.name, self._game, position), printed="")
            raise
        finally:
            self._listen(len(self.history.moves))

    def close(self) -> None:
        """Ends the process, and keeps what it said if the match is over."""
        super().close()
        if self.history.result is not None and not self._is_kept:
            self._is_kept = True
            self._keep(int(self._seat), self.history.moves, Account(tuple(self._lines), self._fault))

    def _listen(self, ply: int) -> None:
        printed = self.printed
        new = printed.removeprefix(self._before)
        self._before = printed
        text = new.strip("\n")[-LONGEST:]
        if text.strip() and self._size < MOST:
            self._size += len(text)
            self._lines.append((ply, text))


def printing(spec: BotSpec, keep: Keep) -> BotSpec:
    """The bot of a file; `keep` is called with what it said in a match."""

    def make(game: Game, seat: Seat, rng: random.Random, options: Options) -> Bot:
        return Printing(game, str(options.values["file"]), options.launch, str(rng.getrandbits(64)), seat, keep)

    return changed(spec, family=changed(spec.family, make=make))


def file_of(folder: Path, name: str, seat: int, moves: Sequence[str]) -> Path:
    """Where the prints of a game are kept, below the folder of its league."""
    told = f"{name}\n{seat}\n{' '.join(moves)}"
    return folder / "prints" / f"{hashlib.sha256(told.encode()).hexdigest()[:24]}.json"


def keep(path: Path, told: Account) -> None:
    """Keeps what was said of one more game; a full disk loses it, and nothing else."""
    with suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(msgspec.json.encode((*kept(path), told)[-MOST_EQUAL:]))


def kept(path: Path) -> tuple[Account, ...]:
    """What is kept there, the last game last; nothing if it can't be read."""
    with suppress(OSError, msgspec.MsgspecError), path.open("rb") as stream:
        text = stream.read(_LARGEST)
        try:
            return msgspec.json.decode(text, type=tuple[Account, ...])
        except msgspec.ValidationError:  # what was printed in one game, as earlier versions kept it
            return (Account(msgspec.json.decode(text, type=Lines)),)
    return ()
