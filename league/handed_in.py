"""What a class has handed in: Python files in a folder, or a folder for each pupil, as Moodle gives them.

Errors: HandedInError    a folder without programs; the message is a sentence for the user
"""

from __future__ import annotations

from pathlib import Path
from typing import Final, NamedTuple

from league.class_list import Pupil, handed_in_by
from locales import _

MOST: Final = 256
"""How many programs may lie in a folder."""

_MAINS: Final = ("main.py", "bot.py")
"""The file of a folder that is asked, if it has one of these."""


class HandedInError(Exception):
    """A folder in which nothing was handed in."""


class HandIn(NamedTuple):
    """What somebody has handed in: whoever it is by, and the file to run."""

    pupil: Pupil
    file: Path


def find(folder: Path) -> tuple[list[HandIn], list[Path]]:
    """What lies in `folder`, by name, and what of it is not clear, and passed over; raises HandedInError."""
    found: list[HandIn] = []
    unclear: list[Path] = []
    for path in sorted(folder.iterdir(), key=lambda path: path.name.casefold()):
        if path.name.startswith((".", "__")):
            continue
        file = _program(path)
        if file is not None and "#" not in str(file):
            found.append(HandIn(handed_in_by(path.stem if path.is_file() else path.name), file))
        elif path.is_dir() or path.suffix == ".py":
            unclear.append(path)
    if not 1 <= len(found) <= MOST:
        text = _(
            "In {folder} there are {count} programs: Python files, or a folder for each pupil. 1 to {most} can play."
        )
        raise HandedInError(text.format(folder=folder, count=len(found), most=MOST))
    return found, unclear


def _program(path: Path) -> Path | None:
    """What is run of a file or folder that was handed in, None if that is not clear."""
    if path.is_file():
        return path if path.suffix == ".py" else None
    if not path.is_dir():
        return None
    for main in _MAINS:
        if (path / main).is_file():
            return path / main
    files = [file for file in path.iterdir() if file.suffix == ".py" and file.is_file()]
    return files[0] if len(files) == 1 else None
