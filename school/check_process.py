"""The process that tries one program: `python -m school.check_process FILE GAME CLOCK SEED [--sandbox]`.

It runs in the file's folder, and prints what came of it as one line of JSON.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

from msgspec import json as msgjson

import games
from locales import language_of, set_language
from processes.launch_options import LaunchOptions
from protocol.timing import parse_clock
from school.examining import examine

MOVE_S = 10.0
"""How long a move may take where no clock says so."""


def main(words: list[str]) -> None:
    """Tries it."""
    set_language(language_of(os.environ))
    file, game, clock, seed, *options = words
    launch = LaunchOptions(sandbox="--sandbox" in options, move_s=MOVE_S)
    found = examine(Path(file), games.parse(game), parse_clock(clock), launch, seed)
    sys.stdout.write(msgjson.encode(found).decode() + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main(sys.argv[1:])
