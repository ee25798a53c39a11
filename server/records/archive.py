"""Records in a database: out of it, into it, and whether what it holds is whole."""

from __future__ import annotations

import queue
from collections.abc import Iterator
from types import TracebackType
from typing import Final, Self

from protocol.records import GameRecord
from server.records.compose import ImportRefusal, RefusedError
from server.records.verification import Flaw, Problem, verify
from server.referee.effects import EventHappened, MatchClosed, MatchOpened
from server.referee.stored import StoredMatch
from server.store.reading import Reader
from server.store.store import Progress, Store, row_of
from server.store.store_errors import StoreError, StoreTrouble
from server.store.writing import IMPORTED_RESULT, Row

_ROWS: Final = 5_000
"""How many rows wait in memory for one transaction."""


def record_of(stored: StoredMatch) -> GameRecord:
    """A match of the database as a record."""
    return GameRecord(
        stored.id,
        stored.game,
        stored.clock,
        stored.public,
        stored.opened_ms,
        stored.events,
        stored.wall_ms,
        None if stored.result is None else stored.result.chain,
    )


def check(stored: StoredMatch) -> list[Problem]:
    """What is wrong with a match of a database: what can't be read, what `verify` finds, its line of results."""
    if stored.unreadable:
        return [Problem(Flaw.UNREADABLE, seq) for seq in stored.unreadable]
    record = record_of(stored)
    problems = verify(record)
    line, result = stored.result, record.result
    if line is not None and result is not None:
        found = (line.winner, line.reason, line.score, line.plies)
        wanted = (result.winner, result.reason, result.score, len(record.moves))
        if found != wanted:
            problems.append(Problem(Flaw.SUMMARY, 0, str(found), str(wanted)))
    return problems


class Archive:
    """A database that takes records; a context manager. Nobody else may own it meanwhile. Raises StoreError."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._progress: queue.SimpleQueue[Progress] = queue.SimpleQueue()
        self._store = Store(path, "power", self._progress.put)
        self._rows: list[Row] = []
        self._fresh: dict[str, str] = {}
        try:
            self._reader = Reader(path)
        except BaseException:
            self._store.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            if not isinstance(error, StoreError):
                self.flush()
        finally:
            self._reader.__exit__()
            self._store.close()

    def add(self, record: GameRecord, *, same_id_is_same: bool) -> bool:
        """Takes a finished record; False if it is there already. Raises RefusedError if its id is another match's.

        same_id_is_same: the id comes from the content, so whatever has it is this match.
        """
        assert record.result is not None, "only finished matches are taken: others would go on"
        assert record.chain is not None, "a finished record has a chain"
        known = self._fresh.get(record.match)
        if known is None:
            known = self._reader.chain(record.match)
        if known is not None:
            if known != record.chain and not same_id_is_same:
                raise RefusedError(ImportRefusal.CONFLICT, record.match)
            return False
        self._fresh[record.match] = record.chain
        self._rows += _rows(record)
        if len(self._rows) >= _ROWS:
            self.flush()
        return True

    def flush(self) -> None:
        """Waits until all that was taken is on disk. Raises StoreError if the disk is full, or the file locked."""
        if not self._rows:
            return
        ticket = self._store.submit(self._rows)
        self._rows = []
        self._fresh.clear()
        while (progress := self._progress.get()).ticket < ticket:
            if progress.trouble is not None:
                raise StoreError(StoreTrouble.UNUSABLE, self._path, progress.trouble)


def _rows(record: GameRecord) -> Iterator[Row]:
    assert record.result is not None
    assert record.chain is not None
    yield row_of(MatchOpened(record.match, record.game, record.clock, record.public, None), record.opened_ms)
    for event, wall_ms in zip(record.events, record.wall_ms, strict=True):
        yield row_of(EventHappened(event), wall_ms)
    closed = MatchClosed(record.match, record.result, len(record.moves), record.chain)
    yield IMPORTED_RESULT, row_of(closed, record.wall_ms[-1])[1]
