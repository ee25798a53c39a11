"""What is kept on disk: an append-only SQLite database, and the only module that speaks SQL.

One process owns the file, one thread writes to it. What many matches hand over while a transaction is under way goes
into the next one together (group commit); an idle server waits for nothing. Positions and standings are never stored:
they follow from the events. The shell lets an acknowledgement go only when the ticket of its records is committed.

Errors: StoreError    with a `Trouble` that the command line turns into a sentence
"""

from __future__ import annotations

import math
import queue
import sqlite3
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from enum import Enum
from functools import cache
from pathlib import Path
from typing import IO, Final, Literal, NamedTuple, Self, assert_never

from msgspec import MsgspecError
from msgspec import json as msgjson

from locales.system import reason
from protocol.bounds import SeatNumber
from protocol.codec import encode
from protocol.messages import Clock, MatchEvent
from server.effects import (
    EventHappened,
    LeagueClosed,
    LeagueHosted,
    MatchClosed,
    MatchOpened,
    PlaceKept,
    Record,
    SeatTaken,
    SessionForgotten,
    SessionOpened,
    TokenChanged,
)
from server.stored import StoredLeague, StoredMatch, StoredResult, StoredSession

Durability = Literal["power", "process"]

SCHEMA_VERSION = 4
"""`user_version` of the files that this module writes."""

APPLICATION_ID = 0x41524254
"""`application_id` of our files ("ARBT"): another program's database is refused, not migrated."""

MEMORY = ":memory:"

_SCHEMA = """
CREATE TABLE sessions (
  id TEXT PRIMARY KEY, name TEXT NOT NULL, kind TEXT NOT NULL, token BLOB NOT NULL, previous BLOB
) WITHOUT ROWID;
CREATE TABLE matches (
  id TEXT PRIMARY KEY, game TEXT NOT NULL, clock TEXT, public INTEGER NOT NULL, code TEXT, opened_ms INTEGER NOT NULL
) WITHOUT ROWID;
CREATE TABLE seats (
  match TEXT NOT NULL, seat INTEGER NOT NULL, session TEXT NOT NULL, PRIMARY KEY (match, seat)
) WITHOUT ROWID;
CREATE TABLE guests (
  match TEXT NOT NULL, place INTEGER NOT NULL, session TEXT NOT NULL, PRIMARY KEY (match, place)
) WITHOUT ROWID;
CREATE TABLE events (
  match TEXT NOT NULL, seq INTEGER NOT NULL, kind TEXT NOT NULL, payload TEXT NOT NULL, wall_ms INTEGER NOT NULL
);
CREATE TABLE results (
  match TEXT PRIMARY KEY, winner INTEGER, reason TEXT NOT NULL, first_score INTEGER NOT NULL,
  second_score INTEGER NOT NULL, plies INTEGER NOT NULL, chain TEXT NOT NULL, closed_ms INTEGER NOT NULL
) WITHOUT ROWID;
"""

_MIGRATIONS: dict[int, str] = {
    0: _SCHEMA,
    1: """
CREATE TABLE appended (
  match TEXT NOT NULL, seq INTEGER NOT NULL, kind TEXT NOT NULL, payload TEXT NOT NULL, wall_ms INTEGER NOT NULL
);
INSERT INTO appended SELECT match, seq, kind, payload, wall_ms FROM events ORDER BY wall_ms, match, seq;
DROP TABLE events;
ALTER TABLE appended RENAME TO events;
""",  # schema 1 kept events by match; they are appended since
    2: "ALTER TABLE matches ADD COLUMN opening TEXT NOT NULL DEFAULT '';",
    3: """
ALTER TABLE matches ADD COLUMN link TEXT;
CREATE TABLE leagues (
  code TEXT PRIMARY KEY, session TEXT NOT NULL, roster TEXT NOT NULL DEFAULT ''
) WITHOUT ROWID;
""",
}
"""From each `user_version` to the next one."""

# OR IGNORE: a COMMIT that reported an error may have happened all the same, and is tried again. Events have no key:
# what all matches append goes to one page, a third of the cost of finding each match's own. Who reads sorts them.
_SESSION = "INSERT OR IGNORE INTO sessions VALUES (?, ?, ?, ?, NULL)"
_TOKEN = "UPDATE sessions SET token = ?, previous = ? WHERE id = ?"  # noqa: S105 - a statement, no secret
_FORGET = "DELETE FROM sessions WHERE id = ?"
_MATCH = "INSERT OR IGNORE INTO matches VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
_SEAT = "INSERT OR REPLACE INTO seats VALUES (?, ?, ?)"
_PLACE = "INSERT OR REPLACE INTO guests VALUES (?, ?, ?)"
_EVENT = "(?, ?, ?, ?, ?)"
_RESULT = "INSERT OR REPLACE INTO results VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
_LEAGUE = "INSERT OR REPLACE INTO leagues VALUES (?, ?, ?)"
_LEAGUE_CLOSED = "DELETE FROM leagues WHERE code = ?"

_EVENT_COLUMNS = 5
_EVENTS_AT_ONCE = 64
"""Events in one statement: each statement gives the interpreter's lock away and waits to get it back."""

PACE_SECONDS = 0.003
"""From one commit to the next at least, so that a busy server's commits carry many moves; an idle one never waits."""

RETRY_SECONDS = 0.5
"""How long a write that failed (a full disk, a lock) waits before it is tried again."""

_event: Final[msgjson.Decoder[MatchEvent]] = msgjson.Decoder(MatchEvent)

Row = tuple[str, tuple[object, ...]]
Batch = tuple[int, Sequence[Row]]


class Trouble(Enum):
    """Why a database can't be used."""

    IN_USE = "another server is running on it"
    DAMAGED = "it is damaged"
    FOREIGN = "it is another program's database"
    NEWER = "it was made by a newer Arbitre"
    OLDER = "it was made by an older Arbitre, and a server brings it up to date"
    MISSING = "there is no such file"
    UNUSABLE = "the system refuses it"


class StoreError(Exception):
    """The database at `path` can't be used; `detail` is what the system or SQLite said."""

    def __init__(self, trouble: Trouble, path: str, detail: str = "") -> None:
        super().__init__(f"{path}: {trouble.value}{f' ({detail})' if detail else ''}")
        self.trouble = trouble
        self.path = path
        self.detail = detail


class Progress(NamedTuple):
    """What the writer tells its owner: up to which ticket all is on disk, and what keeps it from going on."""

    ticket: int
    trouble: str | None
    seconds: float


class Store:
    """An open database with its writer thread.

    path: the file, or ":memory:" for a store that ends with the process. durability: "power" survives a power cut (a
    commit waits for the disk), "process" survives the death of the process. notify: called in the writer's thread after
    each commit and whenever a write fails.
    """

    def __init__(self, path: str, durability: Durability, notify: Callable[[Progress], None]) -> None:
        self._path = path
        self._notify = notify
        self._lock = None if path == MEMORY else _own(path)
        try:
            self._database = _open(path, durability)
        except BaseException:
            self._release()
            raise
        self._batches: queue.SimpleQueue[Batch | None] = queue.SimpleQueue()
        self._tickets = 0
        self._closing = threading.Event()
        self._writer = threading.Thread(target=self._write_all, name="store", daemon=True)
        self._writer.start()

    def submit(self, rows: Sequence[Row]) -> int:
        """Hands rows to the writer; returns the ticket that `Progress` reaches once they are on disk."""
        self._tickets += 1
        self._batches.put((self._tickets, rows))
        return self._tickets

    def close(self) -> None:
        """Writes what was handed over (a disk that stays full is given one more try), and lets the file go."""
        self._closing.set()
        self._batches.put(None)
        self._writer.join()
        self._database.close()
        self._release()

    def sessions(self) -> list[StoredSession]:
        """Every session that is kept; to be read before the first `submit`."""
        rows = self._database.execute("SELECT id, name, kind, token, previous FROM sessions")
        return [StoredSession(*row) for row in rows]

    def leagues(self) -> list[StoredLeague]:
        """Every league that is hosted; to be read before the first `submit`."""
        return [StoredLeague(*row) for row in self._database.execute("SELECT code, session, roster FROM leagues")]

    def open_matches(self) -> list[StoredMatch]:
        """Every match without a result; to be read before the first `submit`. Raises StoreError."""
        return self._read("WHERE id NOT IN (SELECT match FROM results)")

    def last_matches(self, count: int) -> list[StoredMatch]:
        """The last matches that came to an end, for those who have not heard of it. Raises StoreError."""
        played = "SELECT match FROM results WHERE match IN (SELECT match FROM seats)"
        return self._read(f"WHERE id IN ({played} ORDER BY closed_ms DESC LIMIT {int(count)})")

    def _read(self, where: str) -> list[StoredMatch]:
        matches = list(_matches(self._database, where))
        for match in matches:
            if match.unreadable:
                raise StoreError(Trouble.DAMAGED, self._path, f"match {match.id}, event {match.unreadable[0]}")
        return [replace(match, places=self._places(match.id)) for match in matches]

    def damaged(self, detail: str) -> StoreError:
        """The error for a file whose content makes no sense."""
        return StoreError(Trouble.DAMAGED, self._path, detail)

    def _places(self, match_id: str) -> dict[int, str]:
        return dict(self._database.execute("SELECT place, session FROM guests WHERE match = ?", (match_id,)).fetchall())

    # -------------------------------------------------------------------------------------------- the writer's thread

    def _write_all(self) -> None:
        began = -math.inf
        while (batch := self._batches.get()) is not None:
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

    def _write_until_done(self, batches: Sequence[Batch]) -> bool:
        """Commits the batches in one transaction, again and again while the disk is full or the file is locked.

        False if they could not be written before the end: nothing may be written after them then, or the record would
        have a gap.
        """
        ticket = batches[-1][0]
        while True:
            started = time.perf_counter()
            try:
                self._commit(batches)
            except sqlite3.Error as error:
                self._notify(Progress(batches[0][0] - 1, str(error), 0.0))
                if self._closing.wait(RETRY_SECONDS):
                    return False
            else:
                self._notify(Progress(ticket, None, time.perf_counter() - started))
                return True

    def _commit(self, batches: Sequence[Batch]) -> None:
        database = self._database
        statements: list[Row] = []
        events: list[object] = []
        for _, rows in batches:
            for statement, row in rows:
                if statement is _EVENT:
                    events += row
                else:
                    statements.append((statement, row))
        for start in range(0, len(events), _EVENTS_AT_ONCE * _EVENT_COLUMNS):
            chunk = tuple(events[start : start + _EVENTS_AT_ONCE * _EVENT_COLUMNS])
            statements.append((_insert_events(len(chunk) // _EVENT_COLUMNS), chunk))
        if len(statements) == 1:
            database.execute(*statements[0])  # a transaction by itself
            return
        database.execute("BEGIN IMMEDIATE")
        try:
            for statement, row in statements:
                database.execute(statement, row)
            database.execute("COMMIT")
        except BaseException:
            with suppress(sqlite3.Error):
                database.execute("ROLLBACK")
            raise

    def _release(self) -> None:
        if self._lock is not None:
            self._lock.close()


@cache
def _insert_events(count: int) -> str:
    return f"INSERT INTO events VALUES {', '.join([_EVENT] * count)}"  # noqa: S608 - our own constants


def event_row(event: MatchEvent, encoded: bytes, wall_ms: int) -> Row:
    """What keeps an event that is encoded already."""
    return _EVENT, (event.match, event.seq, event.__struct_config__.tag, encoded.decode(), wall_ms)


def row_of(record: Record, wall_ms: int) -> Row:
    """The statement and the values that keep `record`; encoded here, so that the writer's thread only writes."""
    match record:
        case EventHappened(event):
            return event_row(event, encode(event), wall_ms)
        case SessionOpened(session, name, kind, token):
            return _SESSION, (session, name, kind, token)
        case TokenChanged(session, token, previous):
            return _TOKEN, (token, previous, session)
        case SessionForgotten(session):
            return _FORGET, (session,)
        case MatchOpened(match_id, game, clock, public, code, opening, link):
            return _MATCH, (match_id, game, _clock_text(clock), public, code, wall_ms, " ".join(opening), link)
        case SeatTaken(match_id, seat, session):
            return _SEAT, (match_id, seat, session)
        case PlaceKept(match_id, place, session):
            return _PLACE, (match_id, place, session)
        case MatchClosed(match_id, result, plies, chain):
            first, second = result.score
            return _RESULT, (match_id, result.winner, result.reason, first, second, plies, chain, wall_ms)
        case LeagueHosted(code, session, roster):
            return _LEAGUE, (code, session, roster)
        case LeagueClosed(code):
            return _LEAGUE_CLOSED, (code,)
        case _:
            assert_never(record)


class Reader:
    """A look into a file without owning it: a server may be running on it. A context manager. Raises StoreError."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._database = _open_to_read(path)
        try:
            _check_ours(self._database, path)
            _check_current(self._database, path)
        except sqlite3.Error as error:
            self._database.close()
            raise _trouble(path, error) from error
        except StoreError:
            self._database.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._database.close()

    def matches(self, match_id: str | None = None) -> Iterator[StoredMatch]:
        """All matches, oldest first, or the one with this id."""
        where, values = ("", ()) if match_id is None else ("WHERE id = ?", (match_id,))
        try:
            yield from _matches(self._database, where, values)
        except sqlite3.Error as error:
            raise _trouble(self._path, error) from error

    def chain(self, match_id: str) -> str | None:
        """The chain of a match, "" if it is not over; None if there is no such match."""
        query = "SELECT coalesce(chain, '') FROM matches LEFT JOIN results ON match = id WHERE id = ?"
        try:
            row: tuple[str] | None = self._database.execute(query, (match_id,)).fetchone()
        except sqlite3.Error as error:
            raise _trouble(self._path, error) from error
        return None if row is None else row[0]


def read_matches(path: str, match_id: str | None = None) -> Iterator[StoredMatch]:
    """The matches of a file, oldest first, without owning it: a server may be running on it. Raises StoreError."""
    with Reader(path) as reader:
        yield from reader.matches(match_id)


def _matches(database: sqlite3.Connection, where: str, values: tuple[str, ...] = ()) -> Iterator[StoredMatch]:
    one = bool(values)
    if not one:
        _sort_events(database, where.replace("id", "match"))
    columns = (
        "id, game, clock, public, code, opened_ms, opening, link, "
        "winner, reason, first_score, second_score, plies, chain"
    )
    source = f"matches LEFT JOIN results ON match = id {where}"
    query = f"SELECT {columns} FROM {source} ORDER BY opened_ms, id"  # noqa: S608 - our own constants
    for match_id, game, clock, public, code, opened_ms, opening, link, *result in database.execute(query, values):
        seats = database.execute("SELECT seat, session FROM seats WHERE match = ?", (match_id,))
        rows = database.execute(_EVENTS_OF_ONE if one else _EVENTS_OF_MANY, (match_id,))
        events, walls, unreadable = _events(rows)
        rule = _clock(clock)
        yield StoredMatch(
            match_id,
            game,
            rule,
            bool(public),
            code,
            opened_ms,
            dict(seats.fetchall()),
            tuple(events),
            tuple(walls),
            _result(*result),
            (0, *unreadable) if rule is None and clock is not None else tuple(unreadable),
            opening=tuple(opening.split()),
            link=link,
        )


_EVENTS_OF_ONE = "SELECT seq, payload, wall_ms FROM events WHERE match = ? GROUP BY seq ORDER BY seq"
_EVENTS_OF_MANY = (
    "SELECT places.seq, payload, wall_ms FROM places JOIN events ON events.rowid = place "
    "WHERE places.match = ? ORDER BY places.seq"
)


def _sort_events(database: sqlite3.Connection, where: str) -> None:
    """Notes in a temporary table where the events of each match are: once each, should one stand there twice."""
    database.execute("DROP TABLE IF EXISTS temp.places")
    database.execute("CREATE TEMP TABLE places (match, seq, place, PRIMARY KEY (match, seq)) WITHOUT ROWID")
    database.execute(
        f"INSERT OR IGNORE INTO places SELECT match, seq, rowid FROM events {where}"  # noqa: S608 - our own constants
    )


def _events(rows: Iterable[tuple[int, str, int]]) -> tuple[list[MatchEvent], list[int], list[int]]:
    """The events of some rows, when each was recorded, and the numbers of those that can't be read."""
    events: list[MatchEvent] = []
    walls: list[int] = []
    unreadable: list[int] = []
    for seq, payload, wall_ms in rows:
        try:
            events.append(_event.decode(payload))
        except (MsgspecError, UnicodeError, RecursionError, ValueError, TypeError):
            unreadable.append(seq)
        else:
            walls.append(wall_ms)
    return events, walls, unreadable


def _result(
    winner: SeatNumber | None, reason: str | None, first: int, second: int, plies: int, chain: str
) -> StoredResult | None:
    return None if reason is None else StoredResult(winner, reason, (first, second), plies, chain)


def _clock(text: str | None) -> Clock | None:
    try:
        return None if text is None else msgjson.decode(text, type=Clock)
    except (MsgspecError, UnicodeError, ValueError, TypeError):
        return None


def _clock_text(clock: Clock | None) -> str | None:
    return None if clock is None else msgjson.encode(clock).decode()


def _open(path: str, durability: Durability) -> sqlite3.Connection:
    """The database, created or migrated if need be; raises StoreError."""
    try:
        database = sqlite3.connect(path, isolation_level=None, check_same_thread=False, timeout=5.0)
    except sqlite3.Error as error:
        raise _trouble(path, error) from error
    try:
        _prepare(database, path, durability)
    except BaseException:
        database.close()
        raise
    return database


def _open_to_read(path: str) -> sqlite3.Connection:
    """The database, to be read only; raises StoreError.

    SQLite makes a small file beside a database in WAL mode even to read it. In a folder that may not be written the
    file is read as it stands, which is right when no server has left a log beside it.
    """
    try:
        if not Path(path).is_file():
            raise StoreError(Trouble.MISSING, path)
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
        raise StoreError(Trouble.UNUSABLE, path, reason(error)) from error
    except sqlite3.Error as error:
        raise _trouble(path, error) from error
    raise AssertionError("the second attempt returns or raises")


def _prepare(database: sqlite3.Connection, path: str, durability: Durability) -> None:
    try:
        _check_ours(database, path)
        damage = database.execute("PRAGMA quick_check(1)").fetchone()[0]
        if damage != "ok":
            raise StoreError(Trouble.DAMAGED, path, damage)
        database.execute("PRAGMA journal_mode = WAL")
        database.execute(f"PRAGMA synchronous = {'FULL' if durability == 'power' else 'NORMAL'}")
        version = database.execute("PRAGMA user_version").fetchone()[0]
        while version < SCHEMA_VERSION:
            database.executescript(
                f"BEGIN IMMEDIATE; {_MIGRATIONS[version]} PRAGMA user_version = {version + 1}; "
                f"PRAGMA application_id = {APPLICATION_ID}; COMMIT;"
            )
            version += 1
    except sqlite3.DatabaseError as error:
        raise _trouble(path, error) from error


def _check_ours(database: sqlite3.Connection, path: str) -> None:
    """Raises StoreError if the file is not ours, or newer than this program."""
    application = database.execute("PRAGMA application_id").fetchone()[0]
    version = database.execute("PRAGMA user_version").fetchone()[0]
    tables = database.execute("SELECT count(*) FROM sqlite_schema").fetchone()[0]
    if tables and application != APPLICATION_ID:
        raise StoreError(Trouble.FOREIGN, path)
    if version > SCHEMA_VERSION:
        raise StoreError(Trouble.NEWER, path, f"schema {version}, not {SCHEMA_VERSION}")


def _check_current(database: sqlite3.Connection, path: str) -> None:
    """Raises StoreError if the file waits to be brought up to date, which only its owner does."""
    version = database.execute("PRAGMA user_version").fetchone()[0]
    if 0 < version < SCHEMA_VERSION:
        raise StoreError(Trouble.OLDER, path, f"schema {version}, not {SCHEMA_VERSION}")


def _trouble(path: str, error: sqlite3.Error) -> StoreError:
    damaged = isinstance(error, sqlite3.DatabaseError) and not isinstance(error, sqlite3.OperationalError)
    return StoreError(Trouble.DAMAGED if damaged else Trouble.UNUSABLE, path, str(error))


def _own(path: str) -> IO[bytes]:
    """The lock beside the file, which the system releases even when the process is killed; raises StoreError."""
    try:
        Path(path).parent.mkdir(parents=True, exist_ok=True)
        lock = Path(f"{path}.lock").open("a+b")  # noqa: SIM115 - held for as long as the store
    except OSError as error:
        raise StoreError(Trouble.UNUSABLE, path, reason(error)) from error
    try:
        _lock_file(lock)
    except OSError as error:
        lock.close()
        raise StoreError(Trouble.IN_USE, path) from error
    return lock


if sys.platform != "win32":
    import fcntl

    def _lock_file(lock: IO[bytes]) -> None:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
else:
    import msvcrt

    def _lock_file(lock: IO[bytes]) -> None:
        lock.seek(0)
        msvcrt.locking(lock.fileno(), msvcrt.LK_NBLCK, 1)
