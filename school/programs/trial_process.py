"""The process that tries one program.

    python -m school.programs.trial_process WHAT FILE GAME CLOCK SEED [...] [--sandbox]

WHAT is `check`, the check after handing in, or `climb`, one game against a level, for which the level and the program's
seat follow; it runs at low priority. The process runs in the file's folder, and prints the result as one line of JSON.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final, NamedTuple

from msgspec import json as msgjson

import games
from games.base import Game, Seat
from locales import language_of, set_language
from processes.launch_options import LaunchOptions
from protocol.messages import Clock
from protocol.timing import parse_clock
from school.programs.examining import Climbed, Examined, against, examine
from school.programs.levels import SPECS
from school.programs.trials import MEMORY_BYTES, SANDBOX

MOVE_S: Final = 10.0
"""How long a move may take where no clock says so."""

NICE: Final = 10


class Trial(NamedTuple):
    """What is tried, and how it is run."""

    path: Path
    game: Game
    clock: Clock | None
    launch: LaunchOptions
    seed: str


def _check(trial: Trial, _words: Sequence[str]) -> Examined:
    return examine(*trial)


def _climb(trial: Trial, words: Sequence[str]) -> Climbed:
    badge, seat = words
    if hasattr(os, "nice"):
        with suppress(OSError):
            os.nice(NICE)
    side = Seat.FIRST if seat == "1" else Seat.SECOND
    return against(trial.path, trial.game, trial.clock, trial.launch, SPECS[badge], side, trial.seed)


_WHAT: Final[Mapping[str, Callable[[Trial, Sequence[str]], object]]] = {"check": _check, "climb": _climb}


def main(words: Sequence[str]) -> None:
    """Tries it."""
    set_language(language_of(os.environ))
    what, file, game, clock, seed, *more = words
    launch = LaunchOptions(sandbox=SANDBOX in more, memory_bytes=MEMORY_BYTES, move_s=MOVE_S)
    trial = Trial(Path(file), games.parse(game), parse_clock(clock), launch, seed)
    found = _WHAT[what](trial, [word for word in more if word != SANDBOX])
    sys.stdout.write(msgjson.encode(found).decode() + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main(sys.argv[1:])
