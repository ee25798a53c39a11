"""Old matches leave the database a little at a time, so that nobody waits for it.

First a few matches go, with their seats and results, in one small transaction; from then on nobody sees them. Then
their events go, some rows at a time. What a crash leaves half done is noted in `doomed` and goes on at the next start.
The last row of the table is never deleted, since SQLite would give its number to the next one.
"""

from __future__ import annotations

import sqlite3
from typing import Final

from server.store.database import SYNCHRONOUS, Durability
from server.store.reading import merged
from server.store.writing import transaction

_MATCHES_AT_ONCE: Final = 16

ROWS_AT_ONCE: Final = 1 << 10
"""Rows of events that are looked at in one slice: about a millisecond."""

_INDEX: Final = "CREATE INDEX IF NOT EXISTS results_by_end ON results (closed_ms) WHERE hosted"
"""Made only if matches are to be deleted, since each commit has to write one more page for it."""

_ENDED: Final = (
    "SELECT match, first_event, last_event FROM results WHERE hosted AND closed_ms < ? ORDER BY closed_ms LIMIT ?"
)
_LEAVE: Final = (
    "DELETE FROM seats WHERE match = ?",
    "DELETE FROM guests WHERE match = ?",
    "DELETE FROM results WHERE match = ?",
    "DELETE FROM matches WHERE id = ?",
)
_DUE: Final = "last_event < (SELECT max(rowid) FROM events)"
_SWEEP: Final = "DELETE FROM events WHERE rowid BETWEEN ? AND ? AND match IN (SELECT match FROM doomed)"
_SWEEP_PLACED: Final = (
    "DELETE FROM events WHERE rowid IN (SELECT event FROM placed JOIN doomed USING (match)) "
    "AND rowid < (SELECT max(rowid) FROM events)"
)
_SPANS: Final = f"SELECT first_event, last_event FROM doomed WHERE {_DUE}"  # noqa: S608 - our own constants
_FORGET_PLACED: Final = f"DELETE FROM placed WHERE match IN (SELECT match FROM doomed WHERE {_DUE})"  # noqa: S608
_FORGET_DOOMED: Final = f"DELETE FROM doomed WHERE {_DUE}"  # noqa: S608


class Tidier:
    """Deletes what was hosted here and ended before a date; its methods raise sqlite3.Error."""

    def __init__(self, database: sqlite3.Connection, durability: Durability) -> None:
        self._database = database
        self._durability: Durability = durability
        self._spans: list[tuple[int, int]] = []

    def prepare(self) -> None:
        """Makes the index that finds old matches; the first time, a million of them take about a second."""
        self._database.execute(_INDEX)

    def step(self, before_ms: int) -> bool:
        """One slice; False when there is nothing left to do."""
        # To do it once more after a power cut costs less than to wait for the disk.
        self._database.execute("PRAGMA synchronous = NORMAL")
        try:
            with transaction(self._database):
                if not self._spans:
                    return self._begin(before_ms)
                self._sweep()
                return True
        finally:
            self._database.execute(f"PRAGMA synchronous = {SYNCHRONOUS[self._durability]}")

    def _begin(self, before_ms: int) -> bool:
        """Takes a few matches out; what an earlier run left comes with them."""
        ended = self._database.execute(_ENDED, (before_ms, _MATCHES_AT_ONCE)).fetchall()
        self._database.executemany("INSERT OR REPLACE INTO doomed VALUES (?, ?, ?)", ended)
        for statement in _LEAVE:
            self._database.executemany(statement, [(match,) for match, _, _ in ended])
        rows = self._database.execute(_SPANS)
        self._spans = merged(rows.fetchall())
        return bool(self._spans)

    def _sweep(self) -> None:
        """Deletes events out of some rows; after the last ones nothing is left of these matches."""
        first, last = self._spans[0]
        end = min(last, first + ROWS_AT_ONCE - 1)
        self._database.execute(_SWEEP, (first, end))
        rest = [*([(end + 1, last)] if end < last else []), *self._spans[1:]]
        if not rest:
            self._database.execute(_SWEEP_PLACED)
            self._database.execute(_FORGET_PLACED)
            self._database.execute(_FORGET_DOOMED)
        self._spans = rest
