"""The file of a database: whose it is, who may read it, and what is checked when it is opened.

One process owns it, by a lock beside it. The file and what stands beside it (-wal, -shm, .lock, copies) is its owner's
alone. All functions raise StoreError.
"""

from __future__ import annotations

import os
import sqlite3
from pathlib import Path
from typing import IO, Final, Literal

from locales.system import reason
from machine import locks
from server.logs import Event, note
from server.store.schema import MEMORY, bring_up_to_date, check_ours
from server.store.store_errors import StoreError, StoreTrouble, store_error

Durability = Literal["power", "process"]

PRIVATE: Final = 0o600
PRIVATE_FOLDER: Final = 0o700

CHECKED_WHOLE: Final = 16 << 20
"""A file of at most this many bytes is checked whole at each start. A larger one is checked only where it is read, so
that starts don't get slower as the file grows. `arbitre verify` checks everything."""

_BESIDE: Final = ("", "-wal", "-shm", "-journal", ".lock")


def open_to_write(path: str, durability: Durability) -> sqlite3.Connection:
    """The database, created or brought up to date if need be; the caller owns it."""
    try:
        if path != MEMORY:
            os.close(os.open(path, os.O_RDWR | os.O_CREAT, PRIVATE))
        database = sqlite3.connect(path, isolation_level=None, check_same_thread=False, timeout=5.0)
    except OSError as error:
        raise StoreError(StoreTrouble.UNUSABLE, path, reason(error)) from error
    except sqlite3.Error as error:
        raise store_error(path, error) from error
    try:
        _prepare(database, path, durability)
    except sqlite3.Error as error:
        database.close()
        raise store_error(path, error) from error
    except BaseException:
        database.close()
        raise
    return database


def open_to_read(path: str) -> sqlite3.Connection:
    """The database, to be read only.

    SQLite makes a small file beside a database in WAL mode even to read it. In a folder that may not be written the
    file is read as it stands, which is right when no server has left a log beside it.
    """
    try:
        if not Path(path).is_file():
            raise StoreError(StoreTrouble.MISSING, path)
        address = Path(path).resolve().as_uri()
        for immutable in (False, True):
            database = sqlite3.connect(
                f"{address}?mode=ro{'&immutable=1' if immutable else ''}", uri=True, isolation_level=None
            )
            try:
                database.execute("SELECT count(*) FROM sqlite_schema")
            except sqlite3.OperationalError:
                database.close()
                if immutable or Path(f"{path}-wal").exists():
                    raise
            else:
                return database
    except OSError as error:
        raise StoreError(StoreTrouble.UNUSABLE, path, reason(error)) from error
    except sqlite3.Error as error:
        raise store_error(path, error) from error
    raise AssertionError("the second attempt returns or raises")


def _prepare(database: sqlite3.Connection, path: str, durability: Durability) -> None:
    check_ours(database, path)
    if path != MEMORY:
        _keep_private(path)
    if _bytes(database) <= CHECKED_WHOLE:
        damage = database.execute("PRAGMA quick_check(1)").fetchone()[0]
        if damage != "ok":
            raise StoreError(StoreTrouble.DAMAGED, path, damage)
    bring_up_to_date(database, path)
    database.execute("PRAGMA journal_mode = WAL")
    database.execute(f"PRAGMA synchronous = {SYNCHRONOUS[durability]}")


SYNCHRONOUS: Final[dict[Durability, str]] = {"power": "FULL", "process": "NORMAL"}
"""Whether a commit waits for the disk."""


def _bytes(database: sqlite3.Connection) -> int:
    pages: int = database.execute("PRAGMA page_count").fetchone()[0]
    size: int = database.execute("PRAGMA page_size").fetchone()[0]
    return pages * size


def own(path: str) -> IO[bytes]:
    """Takes the lock beside the file; the system releases it even if the process is killed."""
    try:
        _make_folder(Path(path).parent)
        lock = os.fdopen(os.open(f"{path}.lock", os.O_RDWR | os.O_CREAT | getattr(os, "O_CLOEXEC", 0), PRIVATE), "r+b")
    except OSError as error:
        raise StoreError(StoreTrouble.UNUSABLE, path, reason(error)) from error
    try:
        locks.lock(lock.fileno())
    except OSError as error:
        lock.close()
        raise StoreError(StoreTrouble.IN_USE, path) from error
    return lock


def _make_folder(folder: Path) -> None:
    """Makes a folder, and those above it, for its owner alone; an existing folder stays as it is."""
    if not folder.is_dir():
        _make_folder(folder.parent)
        folder.mkdir(mode=PRIVATE_FOLDER, exist_ok=True)


def _keep_private(path: str) -> None:
    """Lets only the owner read the file and what is beside it; SQLite gives its -wal the same rights."""
    if os.name != "posix":
        return
    beside = [Path(path + end) for end in _BESIDE]
    beside += Path(path).parent.glob(f"{Path(path).name}.schema-*.bak")
    for file in beside:
        try:
            if file.stat().st_mode & 0o077:
                file.chmod(PRIVATE)
        except FileNotFoundError:
            continue
        except OSError as error:
            note(Event.STORE_OPEN_TO_OTHERS, path=str(file), reason=reason(error))
