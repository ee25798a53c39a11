"""Who runs a league: one process at a time holds its folder. The lock ends with the process, however it ends.

Errors: LeaseTakenError    another process holds it
"""

import os
from pathlib import Path
from types import TracebackType
from typing import IO, Self

from locales import _
from machine import locks

NAME = "lock"
"""The file in a league's folder that is locked; it says who has it."""

_BEYOND = 1 << 20
"""The byte that is locked: beyond the text, so that others may read that."""


class LeaseTakenError(Exception):
    """Another process runs this league or class; the message is a sentence for the user."""


class Lease:
    """The right to write in a league's folder, as a context manager; raises LeaseTakenError and OSError on entry."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / NAME
        self._file: IO[bytes] | None = None

    def __enter__(self) -> Self:
        """Takes the lease, or raises."""
        stream = self._path.open("a+b")
        try:
            locks.lock(stream.fileno(), at=_BEYOND)
        except OSError as error:
            stream.seek(0)
            holder = stream.read(100).decode("ascii", "replace").strip()
            stream.close()
            raise LeaseTakenError(
                _("{folder} is in use in another window (process {pid}): go on there, or stop it first.").format(
                    folder=self._path.parent, pid=holder or "?"
                )
            ) from error
        stream.seek(0)
        stream.truncate()
        stream.write(str(os.getpid()).encode())
        stream.flush()
        self._file = stream
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        assert self._file is not None
        self._file.close()
        self._file = None
