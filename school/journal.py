"""The journal of a class: a line for each event, added and synced before anybody hears of it.

A line that a crash cut short is cut off. A journal with any other line that can't be read is not used: the lines
after it might mean something else.

Errors: JournalError    a journal that can't be read; the message is a sentence for the user
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path, PurePath
from types import TracebackType
from typing import Final, Self

from msgspec import MsgspecError
from msgspec import json as msgjson

from locales import _
from machine.files import Additions
from school.events import AnyEvent, HandedIn

NAME: Final = "journal.jsonl"

LAST_MS: Final = 253_402_214_400_000
"""The last day that a date can hold, in milliseconds since 1970."""

_decoder = msgjson.Decoder(AnyEvent)
_encode = msgjson.Encoder().encode


class JournalError(Exception):
    """A journal that is not as it was written."""


class Journal:
    """The journal in a class's folder, as a context manager; entering raises JournalError and OSError."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / NAME
        self.events: list[AnyEvent] = []
        self._file: Additions

    def __enter__(self) -> Self:
        """Reads what is there, and cuts off what a crash left half written."""
        data = self.path.read_bytes() if self.path.exists() else b""
        self.events, length = read(data, self.path)
        self._file = Additions(self.path, length)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._file.close()

    def append(self, *added: AnyEvent) -> None:
        """Adds events, all of them or none, and returns when they are on the disk. Raises OSError."""
        self._file.add(b"".join(_encode(event) + b"\n" for event in added))


def read(data: bytes, path: Path) -> tuple[list[AnyEvent], int]:
    """The events of a journal, and how many bytes of it count. Raises JournalError."""
    length = data.rfind(b"\n") + 1
    return [_event(line, path, number) for number, line in enumerate(data[:length].splitlines(), 1)], length


def load(folder: Path) -> Sequence[AnyEvent]:
    """The events of the class in a folder, which may be open, without holding it. Raises JournalError, OSError."""
    path = folder / NAME
    return read(path.read_bytes(), path)[0] if path.exists() else []


def _event(line: bytes, path: Path, number: int) -> AnyEvent:
    text = _("{path}, line {line}: this line is not as Arbitre wrote it.").format(path=path, line=number)
    try:
        event: AnyEvent = _decoder.decode(line)
    except (MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise JournalError(text) from error
    if not 0 <= event.at <= LAST_MS or (isinstance(event, HandedIn) and not _is_inside(event.path)):
        raise JournalError(text)
    return event


def _is_inside(path: str) -> bool:
    """Whether a program's path leads to a file in the folder of the class, so that no journal shows other files."""
    place = PurePath(path)
    return not place.is_absolute() and ".." not in place.parts and "\0" not in path
