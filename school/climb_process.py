"""The process that plays one game against a level: `python -m school.climb_process FILE GAME CLOCK SEED BADGE SEAT`.

It runs in the file's folder, behind all else that the machine does, and prints what came of it as one line of JSON.
"""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from pathlib import Path

from msgspec import json as msgjson

import games
from games.base import Seat
from locales import language_of, set_language
from processes.launch_options import LaunchOptions
from protocol.timing import parse_clock
from school.check_process import MOVE_S
from school.examining import against
from school.levels import SPECS

NICE = 10


def main(words: list[str]) -> None:
    """Plays it."""
    set_language(language_of(os.environ))
    file, game, clock, seed, badge, seat, *options = words
    if hasattr(os, "nice"):
        with suppress(OSError):
            os.nice(NICE)
    launch = LaunchOptions(sandbox="--sandbox" in options, move_s=MOVE_S)
    side = Seat.FIRST if seat == "1" else Seat.SECOND
    made = against(Path(file), games.parse(game), parse_clock(clock), launch, SPECS[badge], side, seed)
    sys.stdout.write(msgjson.encode(made).decode() + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main(sys.argv[1:])
