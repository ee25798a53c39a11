"""What programs print while they play, move by move: kept beside the league, one file for each game of a program.

A game is found by who played it, on which side and with which moves: of two equal games of a program the prints of the
last one are kept.
"""

from __future__ import annotations

import hashlib
import random
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Final

import msgspec

from bots.adapters.python_file import PythonFile
from bots.base import Bot, BotSpec, Budget, Options
from games.base import Game, Position, Seat
from processes.launch_options import LaunchOptions

Lines = tuple[tuple[int, str], ...]
"""What was printed before the move of each ply."""

LONGEST: Final = 400
"""The most characters kept for one move: the last ones."""

MOST: Final = 12_000
"""After this many characters of a game, nothing more is kept."""

Keep = Callable[[int, Sequence[str], Lines], None]
"""Is told the seat, the moves and what was printed, once a game is over."""


class Printing(PythonFile):
    """A file that plays a match and whose prints are kept."""

    def __init__(self, game: Game, text: str, launch: LaunchOptions, seed: str, seat: Seat, keep: Keep) -> None:
        super().__init__(game, text, launch, seed, seat)
        self._keep = keep
        self._before = ""
        self._lines: list[tuple[int, str]] = []
        self._size = 0
        self._is_kept = False

    def choose(self, position: Position, budget: Budget) -> str:
        """The file's move."""
        try:
            return super().choose(position, budget)
        finally:
            self._listen(len(self.history.moves))

    def close(self) -> None:
        """Ends the process, and keeps what it printed if the match is over."""
        super().close()
        if self._lines and self.history.result is not None and not self._is_kept:
            self._is_kept = True
            self._keep(int(self._seat), self.history.moves, tuple(self._lines))

    def _listen(self, ply: int) -> None:
        printed = self.printed
        new = printed.removeprefix(self._before)
        self._before = printed
        text = new.strip("\n")[-LONGEST:]
        if text.strip() and self._size < MOST:
            self._size += len(text)
            self._lines.append((ply, text))


def printing(spec: BotSpec, keep: Keep) -> BotSpec:
    """The bot of a file; `keep` is called with what it prints in a match."""

    def make(game: Game, seat: Seat, rng: random.Random, options: Options) -> Bot:
        return Printing(game, str(options.values["file"]), options.launch, str(rng.getrandbits(64)), seat, keep)

    return replace(spec, family=replace(spec.family, make=make))


def file_of(folder: Path, name: str, seat: int, moves: Sequence[str]) -> Path:
    """Where the prints of a game are kept, below the folder of its league."""
    told = f"{name}\n{seat}\n{' '.join(moves)}"
    return folder / "prints" / f"{hashlib.sha256(told.encode()).hexdigest()[:24]}.json"


def keep(path: Path, lines: Lines) -> None:
    """Keeps prints; a full disk loses them, and nothing else."""
    with suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(msgspec.json.encode(lines))


def kept(path: Path) -> Lines:
    """What is kept there, nothing if it can't be read."""
    with suppress(OSError, msgspec.MsgspecError), path.open("rb") as stream:
        return msgspec.json.decode(stream.read(8 * MOST), type=Lines)
    return ()
