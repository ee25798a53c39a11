"""Starts the process that tries a program that was handed in (`school.programs.trial_process`)."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from league.executors.local_server import module
from processes.child import Child
from school.core import Core

SANDBOX: Final = "--sandbox"

MEMORY_BYTES: Final = 512 << 20
"""What a pupil's program may take, when it is tried as when it plays."""


def trial(core: Core, what: str, path: Path, seed: str, *words: str) -> Child:
    """The process, not yet started: tries the file at `path` as the class plays; words: further arguments."""
    room = core.classroom
    options = (SANDBOX,) if core.sandbox else ()
    said = (what, path.name, room.game, room.clock, seed, *words, *options)
    return module("school.programs.trial_process", *said, name=path.name, folder=path.parent)
