"""What is kept on disk: an append-only SQLite database with one writer.

One process owns the file, one thread writes to it. What many matches hand over while a transaction is under way goes
into the next one together (group commit); an idle server waits for nothing. Positions and standings are never stored:
they follow from the events. The shell lets an acknowledgement go only when the ticket of its records is committed.

`schema`, `database`, `reading`, `writing`, `tidying` and this module are the only ones that speak SQL.
"""

from __future__ import annotations

import math
import queue
import sqlite3
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any, Final, NamedTuple, assert_never

from msgspec import json as msgjson
from msgspec.structs import astuple

from protocol.codec import encode
from protocol.messages import Clock, MatchEvent, Moved, Network
from server.logs import Event, note
from server.referee.effects import (
    EntriesFreed,
    EntryBound,
    EventHappened,
    LeagueClosed,
    LeagueHosted,
    MatchClosed,
    MatchOpened,
    PlaceKept,
    Record,
    ReviewKept,
    SeatTaken,
    SessionForgotten,
    SessionOpened,
    TokenChanged,
)
from server.referee.reviews import KeptReview
from server.referee.stored import StoredEntry, StoredLeague, StoredMatch, StoredSession
from server.store import writing
from server.store.database import Durability, open_to_write, own
from server.store.reading import read_last, read_open
from server.store.room_left import CHECK_SECONDS, RoomLeft
from server.store.schema import MEMORY
from server.store.store_errors import StoreError, StoreTrouble, store_error
from server.store.tidying import Tidier
from server.store.writing import Batch, Row, Writer

PACE_SECONDS: Final = 0.003
"""From one commit to the next at least, so that a busy server's commits carry many moves; an idle one never waits."""

RETRY_SECONDS = 0.5
"""How long a write that failed (a full disk, a lock) waits before it is tried again."""

TIDY_SECONDS: Final = 3600.0
"""How long after one search for old matches the next one begins."""

TIDY_SHARE: Final = 4
"""The next slice of deleting waits this many times as long as the last one took; records are written meanwhile."""

OVERDUE_SECONDS: Final = 1.0
"""A slice of deleting waits at most this long for a moment without records to write."""

DAY_MS: Final = 24 * 3600 * 1000


class Progress(NamedTuple):
    """What the writer tells its owner: up to which ticket everything is on disk, and what keeps it from going on.

    seconds: what the commit took; 0 if there was none. scarce: whether the disk has little room left.
    """

    ticket: int
    trouble: str | None
    seconds: float
    scarce: bool = False


class Store:
    """An open database with its writer thread.

    path: the file, or ":memory:" for a store that ends with the process. durability: "power" survives a power cut (a
    commit waits for the disk), "process" survives the death of the process. notify: called in the writer's thread after
    each commit and whenever a write fails. keep_days: what was played here is deleted so many days after its end; None
    for never.
    """

    def __init__(
        self, path: str, durability: Durability, notify: Callable[[Progress], None], keep_days: int | None = None
    ) -> None:
        self._path = path
        self._notify = notify
        self._lock = None if path == MEMORY else own(path)
        try:
            self._database = open_to_write(path, durability)
            try:
                self._writer = Writer(self._database)
                self._tidier = Tidier(self._database, durability)
                if keep_days is not None:
                    self._tidier.prepare()
            except sqlite3.Error as error:
                self._database.close()
                raise store_error(path, error) from error
        except BaseException:
            self._release()
            raise
        self._batches: queue.SimpleQueue[Batch | None] = queue.SimpleQueue()
        self._tickets = self._done = 0
        self._room = RoomLeft(path)
        self._closing = threading.Event()
        self._keep_days = keep_days
        self._tidy_at = math.inf if keep_days is None else time.monotonic()
        self._thread = threading.Thread(target=self._write_all, name="store", daemon=True)
        self._thread.start()

    def submit(self, rows: Sequence[Row]) -> int:
        """Hands rows to the writer; returns the ticket that `Progress` reaches once they are on disk."""
        self._tickets += 1
        self._batches.put((self._tickets, rows))
        return self._tickets

    def close(self) -> None:
        """Writes what was handed over (a disk that stays full is given one more try), and lets the file go."""
        self._closing.set()
        self._batches.put(None)
        self._thread.join()
        self._database.close()
        self._release()

    def sessions(self) -> list[StoredSession]:
        """Every session that is kept; to be read before the first `submit`. Raises StoreError."""
        rows = self._rows("SELECT id, name, kind, token, previous FROM sessions")
        return [StoredSession(*row) for row in rows]

    def leagues(self) -> list[StoredLeague]:
        """Every league that is hosted; to be read before the first `submit`. Raises StoreError."""
        entries: dict[str, list[StoredEntry]] = {}
        for league, *entry in self._rows("SELECT league, name, code, hash, session FROM entries"):
            entries.setdefault(league, []).append(StoredEntry(*entry))
        return [
            StoredLeague(code, session, roster, tuple(entries.get(code, ())))
            for code, session, roster in self._rows("SELECT code, session, roster FROM leagues")
        ]

    def reviews(self) -> list[KeptReview]:
        """Every review that is kept, the oldest first; to be read before the first `submit`. Raises StoreError."""
        rows = self._rows("SELECT number, ticket, judge, steps FROM reviews ORDER BY number")
        return [KeptReview(*row) for row in rows]

    def open_matches(self) -> list[StoredMatch]:
        """Every match without a result, oldest first; to be read before the first `submit`. Raises StoreError."""
        return self._read(lambda: read_open(self._database, self._writer.open_matches))

    def last_matches(self, count: int) -> list[StoredMatch]:
        """The last matches that were played here to an end, for those who have not heard of it. Raises StoreError."""
        return self._read(lambda: read_last(self._database, count))

    def damaged(self, detail: str) -> StoreError:
        """The error for a file whose content makes no sense."""
        return StoreError(StoreTrouble.DAMAGED, self._path, detail)

    def _read(self, find: Callable[[], list[StoredMatch]]) -> list[StoredMatch]:
        try:
            matches = find()
        except sqlite3.Error as error:
            raise store_error(self._path, error) from error
        for match in matches:
            if match.unreadable:
                raise self.damaged(f"match {match.id}, event {match.unreadable[0]}")
        return [replace(match, places=self._places(match.id)) for match in matches]

    def _places(self, match_id: str) -> dict[int, str]:
        return dict(self._rows("SELECT place, session FROM guests WHERE match = ?", match_id))

    def _rows(self, query: str, *values: object) -> list[tuple[Any, ...]]:
        try:
            return self._database.execute(query, values).fetchall()
        except sqlite3.Error as error:
            raise store_error(self._path, error) from error

    # -------------------------------------------------------------------------------------------- the writer's thread

    def _write_all(self) -> None:
        began = -math.inf
        while (batch := self._next()) is not None:
            if (early := began + PACE_SECONDS - time.monotonic()) > 0:
                self._closing.wait(early)
            began = time.monotonic()
            batches = [batch]
            last = False
            with suppress(queue.Empty):
                while True:
                    following = self._batches.get_nowait()
                    if following is None:
                        last = True
                        break
                    batches.append(following)
            if not self._write_until_done(batches) or last:
                return

    def _next(self) -> Batch | None:
        """The next batch, None for the end; old matches are deleted while there is none."""
        while not self._closing.is_set():
            now = time.monotonic()
            if self._room.scarce and self._room.look(now):
                self._notify(Progress(self._done, None, 0.0, self._room.scarce))
            early = self._tidy_at - now
            if early <= 0 and (self._batches.empty() or early < -OVERDUE_SECONDS):
                self._tidy()
                continue
            try:
                wait = min(early, CHECK_SECONDS) if self._room.scarce else early
                return self._batches.get(timeout=None if wait == math.inf else max(0.0, wait))
            except queue.Empty:
                continue
        return self._batches.get()

    def _tidy(self) -> None:
        """Deletes a few old matches, and decides when to go on."""
        assert self._keep_days is not None
        began = time.monotonic()
        try:
            more = self._tidier.step(time.time_ns() // 10**6 - self._keep_days * DAY_MS)
        except sqlite3.Error as error:
            note(Event.STORE_NOT_TIDIED, trouble=str(error))
            more = False
        now = time.monotonic()
        self._tidy_at = now + (TIDY_SHARE * (now - began) if more else TIDY_SECONDS)

    def _write_until_done(self, batches: Sequence[Batch]) -> bool:
        """Commits the batches in one transaction, again and again while the disk is full or the file is locked.

        Returns False if the store closes before they could be written: later batches must not be written then, or the
        record would have a gap.
        """
        ticket = batches[-1][0]
        while True:
            started = time.perf_counter()
            try:
                self._writer.commit(batches)
            except sqlite3.Error as error:
                self._notify(Progress(batches[0][0] - 1, str(error), 0.0))
                if self._closing.wait(RETRY_SECONDS):
                    return False
            else:
                self._done = ticket
                self._room.look(time.monotonic())
                self._notify(Progress(ticket, None, time.perf_counter() - started, self._room.scarce))
                return True

    def _release(self) -> None:
        if self._lock is not None:
            self._lock.close()


def event_row(event: MatchEvent, encoded: bytes, wall_ms: int) -> Row:
    """The row that keeps an event that is encoded already."""
    statement = writing.EVENT if type(event) is Moved else writing.LATE_EVENT
    return statement, (event.match, event.seq, event.__struct_config__.tag, encoded.decode(), wall_ms)


def row_of(record: Record, wall_ms: int) -> Row:  # noqa: C901, PLR0911 - a table
    """The statement and the values that keep `record`; encoded here, so that the writer's thread only writes."""
    match record:
        case EventHappened(event, encoded):
            return event_row(event, encoded or encode(event), wall_ms)
        case SessionOpened(session, name, kind, token):
            return writing.SESSION, (session, name, kind, token)
        case TokenChanged(session, token, previous):
            return writing.TOKEN, (token, previous, session)
        case SessionForgotten(session):
            return writing.FORGET, (session,)
        case MatchOpened(match_id, game, clock, public, code, opening, link, network):
            moves, about = " ".join(opening), _text(network)
            return writing.MATCH, (match_id, game, _text(clock), public, code, wall_ms, moves, link, about)
        case SeatTaken(match_id, seat, session):
            return writing.SEAT, (match_id, seat, session)
        case PlaceKept(match_id, place, session):
            return writing.PLACE, (match_id, place, session)
        case MatchClosed(match_id, result, plies, chain):
            first, second = result.score
            return writing.RESULT, (match_id, result.winner, result.reason, first, second, plies, chain, wall_ms)
        case LeagueHosted(code, session, roster):
            return writing.LEAGUE, (code, session, roster)
        case LeagueClosed(code):
            return writing.LEAGUE_CLOSED, (code,)
        case EntryBound():
            return writing.ENTRY, astuple(record)
        case EntriesFreed(league):
            return writing.ENTRIES_FREED, (league,)
        case ReviewKept():
            return writing.REVIEW, astuple(record)
        case _:
            assert_never(record)


def _text(value: Clock | Network | None) -> str | None:
    return None if value is None else msgjson.encode(value).decode()
