"""Why a database can't be used.

Errors: StoreError    with a `StoreTrouble` that the command line turns into a sentence
"""

from __future__ import annotations

import sqlite3
from enum import Enum


class StoreTrouble(Enum):
    """Why a database can't be used."""

    IN_USE = "another server is running on it"
    DAMAGED = "it is damaged"
    FOREIGN = "it is another program's database"
    NEWER = "it was made by a newer Arbitre"
    OLDER = "it was made by an older Arbitre, and a server brings it up to date"
    UNCOPIED = "it was made by an older Arbitre, and can't be copied before it is brought up to date"
    MISSING = "there is no such file"
    UNUSABLE = "the system refuses it"


class StoreError(Exception):
    """The database at `path` can't be used; `detail` is what the system or SQLite said."""

    def __init__(self, trouble: StoreTrouble, path: str, detail: str = "") -> None:
        super().__init__(f"{path}: {trouble.value}{f' ({detail})' if detail else ''}")
        self.trouble = trouble
        self.path = path
        self.detail = detail


def store_error(path: str, error: sqlite3.Error) -> StoreError:
    """What an error of SQLite means for the file at `path`."""
    damaged = isinstance(error, sqlite3.DatabaseError) and not isinstance(error, sqlite3.OperationalError)
    return StoreError(StoreTrouble.DAMAGED if damaged else StoreTrouble.UNUSABLE, path, str(error))
