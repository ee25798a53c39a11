"""The files that pupils hand in, and their drafts, in the folder of a class. Each is written whole, and private.

Errors: OSError    the disk is full, or can't be written
        BadFileError    a name or a text that can't be a program; the message is a sentence for the pupil
"""

from __future__ import annotations

import errno
import os
import re
import shutil
import unicodedata
from pathlib import Path
from typing import Final
from zlib import crc32

import msgspec
from msgspec import Struct

from bots.base import FILE_ENDINGS
from locales import _
from machine.files import replace_private
from school.messages import MAX_SOURCE

_ODD: Final = re.compile(r"[^\w.-]")
_DEVICE: Final = re.compile(r"^(con|prn|aux|nul|com\d|lpt\d)(\.|$)", re.IGNORECASE)
"""Names that Windows reserves for devices."""

_LONGEST_NAME: Final = 60

LEAST_FREE: Final = 16 << 20
"""Bytes of the disk that pupils can't fill: they stay free for what is played."""

MOST_BYTES: Final = 4 * MAX_SOURCE
"""The most bytes of a file that are read back."""


class BadFileError(Exception):
    """What was sent can't be a program."""


class Draft(Struct, frozen=True):
    """What is written in the studio and not handed in."""

    file: str
    at: int
    text: str


def check_name(file: str) -> str:
    """A file's name as it can be kept; raises BadFileError for what is no Python file or notebook."""
    name = unicodedata.normalize("NFC", file.strip().replace("\\", "/").rpartition("/")[2])
    if not name.lower().endswith(FILE_ENDINGS):
        raise BadFileError(_("{file} is neither a Python file (.py) nor a notebook (.ipynb).").format(file=file))
    stem, _dot, ending = name.rpartition(".")
    stem = _ODD.sub("_", stem).strip(".-")[:_LONGEST_NAME] or "bot"
    return f"{stem}.{ending.lower()}"


def check_text(file: str, text: str) -> None:
    """Raises BadFileError for what no interpreter could read: nothing, or characters that no text has."""
    if not text.strip():
        raise BadFileError(_("{file} is empty.").format(file=file))
    check_draft(file, text)


def check_draft(file: str, text: str) -> None:
    """Raises BadFileError for what no editor writes: half characters, control characters but ends of lines and tabs."""
    if any(
        (character < " " and character not in "\t\n\r\f") or "\ud800" <= character <= "\udfff" for character in text
    ):
        raise BadFileError(_("{file} is no text: save it as UTF-8 in your editor.").format(file=file))


class PupilFiles:
    """The files in the folder of a class."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def put(self, name: str, version: int, file: str, text: str) -> str:
        """Keeps a version; returns its path, relative to the folder of the class."""
        path = Path("submitted", _safe(name), f"v{version}_{file}")
        self._write(path, text)
        return path.as_posix()

    def give(self, at: int, file: str, text: str) -> str:
        """Keeps what all pupils are given; returns its path, relative to the folder of the class."""
        path = Path("given", f"{at}_{file}")
        self._write(path, text)
        return path.as_posix()

    def path(self, kept: str) -> Path:
        """Where a version lies."""
        return self._folder / kept

    def read(self, kept: str) -> str:
        """The program of a version."""
        with self.path(kept).open("rb") as stream:
            return stream.read(MOST_BYTES).decode("utf-8", "replace")[:MAX_SOURCE]

    def session_file(self, name: str, version: int) -> Path:
        """The file for the token of the session under which a version plays, so that it can resume its games."""
        return self._folder / "sessions" / f"{_safe(name)}-v{version}.json"

    def draft(self, name: str) -> Draft | None:
        """The draft of a pupil, None if there is none that can be read."""
        try:
            with self._draft_path(name).open("rb") as stream:
                return msgspec.json.decode(stream.read(2 * MOST_BYTES), type=Draft)
        except (OSError, msgspec.MsgspecError, UnicodeDecodeError):
            return None

    def keep_draft(self, name: str, draft: Draft) -> None:
        """Keeps a draft in the place of the one before."""
        self._write(self._draft_path(name).relative_to(self._folder), msgspec.json.encode(draft).decode())

    def forget(self, name: str) -> None:
        """Erases the draft of a pupil."""
        self._draft_path(name).unlink(missing_ok=True)

    def _draft_path(self, name: str) -> Path:
        return self._folder / "drafts" / f"{_safe(name)}.json"

    def _write(self, path: Path, text: str) -> None:
        if shutil.disk_usage(self._folder).free < LEAST_FREE:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        (self._folder / path).parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        replace_private(self._folder / path, text)


def _safe(name: str) -> str:
    """A pupil's name as a file name; two pupils never share one."""
    plain = unicodedata.normalize("NFC", name)
    odd = _DEVICE.sub(r"_\1\2", _ODD.sub("_", plain).strip("."))
    return plain if odd == plain else f"{odd}-{crc32(plain.encode()):08x}"
