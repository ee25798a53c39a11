"""Who somebody is on a server, kept across restarts: the token of the session, in a file that only its user can read.

There is one file for each server and name, locked while a client uses it: a second client of that name, started at once
on the same machine, becomes "Ada 2". A client that was killed holds no lock, so the same command comes back to its
seat.
"""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Self

from machine import folders, locks
from protocol.bounds import MAX_NAME

STATE_DIR = folders.STATE_DIR
"""The environment variable that says where tokens are kept instead of the user's state folder."""

NAMESAKES = 50


def state_folder() -> Path:
    """Where tokens are kept."""
    return folders.state()


class Identity:
    """A name on a server that no other client of this machine uses now; a context manager that releases it.

    Without a folder that can be written, everything works except coming back after a restart. kept: a file for the
    token instead of one in the user's state folder; then the token counts whatever the name is.
    """

    def __init__(self, url: str, name: str, kept: Path | None = None) -> None:
        self.name = name
        self.token: str | None = None
        key = hashlib.sha256(f"{url}\n{name.casefold()}".encode()).hexdigest()[:24]
        self._file = kept or state_folder() / "sessions" / f"{key}.json"
        self._about = {"server": url, "name": name}
        self._lock: int | None = None

    def take(self) -> bool:
        """Locks this identity and reads its token; False if another client has it."""
        try:
            self._file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            lock = os.open(self._file.with_suffix(".lock"), os.O_RDWR | os.O_CREAT, 0o600)
        except OSError:
            return True
        try:
            locks.lock(lock)
        except OSError:
            os.close(lock)
            return False
        self._lock = lock
        with suppress(OSError, ValueError):
            kept = json.loads(self._file.read_text(encoding="utf-8"))
            token = kept.get("token") if isinstance(kept, dict) else None
            self.token = token if isinstance(token, str) else None
        return True

    def keep(self, token: str | None) -> None:
        """Writes the token, or removes it, in one step."""
        if token == self.token or self._lock is None:
            return
        self.token = token
        with suppress(OSError):
            if token is None:
                self._file.unlink(missing_ok=True)
                return
            handle, draft = tempfile.mkstemp(dir=self._file.parent, prefix=".token")  # made with 0600
            with os.fdopen(handle, "w", encoding="utf-8") as out:
                json.dump({**self._about, "token": token}, out)
            Path(draft).replace(self._file)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.release()

    def release(self) -> None:
        """Lets others use this identity; closing the file gives the lock back."""
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None


def names_kept(url: str) -> frozenset[str]:
    """The names under which a session on this server can be resumed from here."""
    names = set[str]()
    with suppress(OSError):
        for path in (state_folder() / "sessions").glob("*.json"):
            with suppress(OSError, ValueError):
                kept = json.loads(path.read_text(encoding="utf-8"))
                if isinstance(kept, dict) and kept.get("server") == url and isinstance(kept.get("name"), str):
                    names.add(kept["name"])
    return frozenset(names)


def namesake(name: str, number: int) -> str:
    """`name` for the first who has it, then "name 2", "name 3" ..., never longer than a name may be."""
    suffix = "" if number == 1 else f" {number}"
    return name[: MAX_NAME - len(suffix)].rstrip() + suffix
