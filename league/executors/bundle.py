"""Bundles the files of a league's bots, to send them to other machines.

Nothing is sent if all bots are Arbitre's own. Otherwise the league's folder is, without hidden files, the folders of
played leagues, `__pycache__` and `node_modules`; links to files are followed, links to folders are not.

Errors: BundleError    what can't travel; the message is a sentence for the user
"""

import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final, NamedTuple

from bots.base import ADAPTERS, FILE_FAMILY, split_bot
from league.config import League, LeagueBot
from league.history.log import NAME
from locales import _
from locales.system import reason

MAX_FILES: Final = 1000
MAX_BYTES: Final = 16_000_000
"""All files together: bots of a class take some kilobytes, a trained network some megabytes."""

_LEFT = ("__pycache__", "node_modules")
_EXECUTABLE = 0o100


class BundleError(Exception):
    """Bots whose files can't be sent."""


class Packed(NamedTuple):
    """A file: what is in it, and whether it is a program."""

    content: bytes
    is_program: bool


Bundle = Mapping[str, Packed]
"""Files by their path in the folder, its parts separated by /."""


def pack(league: League, home: Path) -> Bundle:
    """The files of `home` that the bots may need; raises BundleError."""
    is_foreign = False
    for bot in league.bots:
        family, _colon, said = split_bot(bot.run)
        is_foreign = is_foreign or family in ADAPTERS
        written = Path(said.partition("#")[0])
        if family == FILE_FAMILY and not _is_within(home / written, home):
            raise BundleError(
                _("{name}: only files in {folder} travel to other machines. Put {file} there.").format(
                    name=bot.name, folder=home, file=written
                )
            )
        _check_interpreter(bot, family, home / written)
    packed: dict[str, Packed] = {}
    size = 0
    for path in _files(home) if is_foreign else ():
        try:
            content = path.read_bytes()
            mode = path.stat().st_mode
        except OSError as error:
            raise BundleError(_("{path} can't be read: {reason}.").format(path=path, reason=reason(error))) from error
        size += len(content)
        packed[path.relative_to(home).as_posix()] = Packed(content, bool(mode & _EXECUTABLE))
        if size > MAX_BYTES or len(packed) > MAX_FILES:
            raise BundleError(
                _(
                    "{folder} is too large to be sent to other machines ({megabytes} MB, {files} files at most): put "
                    "the league and its bots into a folder of their own."
                ).format(folder=home, megabytes=MAX_BYTES // 1_000_000, files=MAX_FILES)
            )
    return packed


def unpack(bundle: Bundle, folder: Path) -> None:
    """Writes the files into `folder`, which is empty; raises OSError."""
    for name, packed in bundle.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(packed.content)
        if packed.is_program:
            path.chmod(0o755)


def _check_interpreter(bot: LeagueBot, family: str, place: Path) -> None:
    """Raises BundleError for an interpreter that is a file of this machine."""
    from bots.adapters.settings import interpreter_of

    python = bot.python or (interpreter_of(place) if family == FILE_FAMILY and place.is_dir() else "")
    if "/" in python and not Path(python).is_absolute():
        raise BundleError(
            _(
                "{name}: its interpreter {python} can't travel to other machines. Install one on each of them and "
                "name it without a folder (python3.12), or by a path that starts with / and is the same on all."
            ).format(name=bot.name, python=python)
        )


def _is_within(path: Path, folder: Path) -> bool:
    return Path(os.path.normpath(path)).is_relative_to(folder)


def _files(folder: Path) -> Iterator[Path]:
    for place, folders, names in os.walk(folder):
        here = Path(place)
        folders[:] = sorted(
            name
            for name in folders
            if not name.startswith(".") and name not in _LEFT and not (here / name / NAME).exists()
        )
        for name in sorted(names):
            path = here / name
            if not name.startswith(".") and path.is_file() and path.stat().st_size <= MAX_BYTES:
                yield path
            elif not name.startswith(".") and path.is_file():
                raise BundleError(
                    _("{path} is too large to be sent to other machines: {megabytes} MB at most.").format(
                        path=path, megabytes=MAX_BYTES // 1_000_000
                    )
                )
