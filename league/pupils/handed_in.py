"""What a class has handed in: Python files in a folder, or a folder for each pupil, as Moodle gives them.

Errors: HandedInError    a folder without programs; the message is a sentence for the user
"""

from __future__ import annotations

from pathlib import Path
from typing import Final, NamedTuple

from bots.adapters.pupils import exports, notebooks
from bots.adapters.pupils.trouble import decode
from league.pupils.lists import Pupil, handed_in_by
from locales import _
from locales.harmless import plain
from locales.system import reason

MOST: Final = 256
"""How many programs may lie in a folder."""

_SUFFIXES: Final = (".py", notebooks.SUFFIX)

_EXPORT: Final = ".txt"

_LOOKED_AT: Final = 1 << 20
"""How much of a text is read to see whether it is the export of a notebook."""

_MAINS: Final = ("main.py", "bot.py")
"""The file of a folder that is run, if the folder has one of these."""


class HandedInError(Exception):
    """A folder in which nothing was handed in."""


class HandIn(NamedTuple):
    """A program that was handed in: its author, and the file to run."""

    pupil: Pupil
    file: Path


def find(folder: Path) -> tuple[list[HandIn], list[Path]]:
    """The programs in `folder`, by name, and the paths that are unclear and passed over; raises HandedInError."""
    found: list[HandIn] = []
    unclear: list[Path] = []
    for path in _listed(folder):
        try:
            file = _program(path)
            if file is not None and not (_is_own(file, path) and plain(str(file)) == str(file)):
                file = None
        except (OSError, RuntimeError):  # a folder that may not be read, for one, or links in a circle
            file = None
        if file is None or "#" in str(file):
            unclear.append(path)
        else:
            found.append(HandIn(handed_in_by(path.stem if file == path else path.name), file))
    if not 1 <= len(found) <= MOST:
        text = _(
            "In {folder} there are {count} programs: Python files, or a folder for each pupil. 1 to {most} can play."
        )
        raise HandedInError(text.format(folder=folder, count=len(found), most=MOST))
    return found, unclear


def python_of(file: str, data: bytes) -> str:
    """The Python of what was handed in as `file`: of a notebook, or of the export of one, its code.

    Raises NotebookError.
    """
    if file.lower().endswith(notebooks.SUFFIX):
        return notebooks.read(data).text
    text = decode(data)
    return exports.read(text).text if exports.is_export(text) else text


def _listed(folder: Path) -> list[Path]:
    """What lies in `folder`, by name, without what is hidden; raises HandedInError if it can't be read."""
    try:
        paths = [path for path in folder.iterdir() if not path.name.startswith((".", "__"))]
    except OSError as error:
        raise HandedInError(f"{folder}: {reason(error)}") from error
    return sorted(paths, key=lambda path: path.name.casefold())


def _program(path: Path) -> Path | None:
    """What is run of a file or folder that was handed in, None if that is not clear."""
    if path.is_file():
        return path if _is_program(path) else None
    if not path.is_dir():
        return None
    for main in _MAINS:
        if (path / main).is_file():
            return path / main
    files = [file for file in path.iterdir() if file.is_file() and _is_program(file)]
    return files[0] if len(files) == 1 else None


def _is_own(file: Path, entry: Path) -> bool:
    """Whether `file` is in what was handed in as `entry`, and not behind a link, which may lead anywhere.

    Archives that pupils hand in may hold links: to what another pupil has handed in, for one.
    """
    place = entry.parent.resolve() / entry.name
    return file.resolve() == place / file.relative_to(entry)


def _is_program(file: Path) -> bool:
    if file.suffix != _EXPORT:
        return file.suffix in _SUFFIXES
    with file.open("rb") as stream:
        return exports.is_export(decode(stream.read(_LOOKED_AT)))
