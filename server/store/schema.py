"""The tables of a database, and how the file of any older Arbitre comes to have them.

The tables that are there decide what is done, since a file's number (`user_version`) stood for more than one set of
them. Before anything changes, the file is copied. See docs/records.md for what the tables hold.
"""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing
from functools import cache
from itertools import count
from pathlib import Path
from typing import Final

from locales.system import reason
from server.logs import Event, note
from server.store.store_errors import StoreError, StoreTrouble

SCHEMA_VERSION: Final = 6
"""`user_version` of the files that this program writes."""

APPLICATION_ID: Final = 0x41524254
"""`application_id` of our files ("ARBT"): another program's database is refused, not brought up to date."""

MEMORY: Final = ":memory:"

TABLES: Final = {
    "sessions": """CREATE TABLE sessions (
  id TEXT PRIMARY KEY, name TEXT NOT NULL, kind TEXT NOT NULL, token BLOB NOT NULL, previous BLOB
) WITHOUT ROWID;""",
    "matches": """CREATE TABLE matches (
  id TEXT PRIMARY KEY, game TEXT NOT NULL, clock TEXT, public INTEGER NOT NULL, code TEXT, opened_ms INTEGER NOT NULL,
  opening TEXT NOT NULL DEFAULT '', link TEXT, network TEXT
) WITHOUT ROWID;""",
    "seats": """CREATE TABLE seats (
  match TEXT NOT NULL, seat INTEGER NOT NULL, session TEXT NOT NULL, PRIMARY KEY (match, seat)
) WITHOUT ROWID;""",
    "guests": """CREATE TABLE guests (
  match TEXT NOT NULL, place INTEGER NOT NULL, session TEXT NOT NULL, PRIMARY KEY (match, place)
) WITHOUT ROWID;""",
    "leagues": """CREATE TABLE leagues (
  code TEXT PRIMARY KEY, session TEXT NOT NULL, roster TEXT NOT NULL DEFAULT ''
) WITHOUT ROWID;""",
    # Whom names in leagues belong to: a key by its hash, with the code that the league had then, or a session alone.
    "entries": """CREATE TABLE entries (
  league TEXT NOT NULL, name TEXT NOT NULL, code TEXT NOT NULL, hash TEXT NOT NULL, session TEXT NOT NULL,
  PRIMARY KEY (league, name)
) WITHOUT ROWID;""",
    "events": """CREATE TABLE events (
  match TEXT NOT NULL, seq INTEGER NOT NULL, kind TEXT NOT NULL, payload TEXT NOT NULL, wall_ms INTEGER NOT NULL
);""",
    # hosted: whether it was opened here, and not imported. Its events stand between these two rows of `events`, both
    # included, except those in `placed`.
    "results": """CREATE TABLE results (
  match TEXT PRIMARY KEY, winner INTEGER, reason TEXT NOT NULL, first_score INTEGER NOT NULL,
  second_score INTEGER NOT NULL, plies INTEGER NOT NULL, chain TEXT NOT NULL, closed_ms INTEGER NOT NULL,
  hosted INTEGER NOT NULL DEFAULT 0, first_event INTEGER NOT NULL DEFAULT 0, last_event INTEGER NOT NULL DEFAULT 0
) WITHOUT ROWID;""",
    # Matches without a result that had no event when they were recorded, or whose first_event the checkpoint has
    # reached; no event of theirs is before that row. The others are found by their events after the checkpoint.
    "open_matches": """CREATE TABLE open_matches (
  match TEXT PRIMARY KEY, first_event INTEGER NOT NULL
) WITHOUT ROWID;""",
    # Rows of events that the two tables above don't tell: those of matches that were open when the checkpoint passed
    # these rows, and those of events after the end of a match (talk, offers of a rematch).
    "placed": """CREATE TABLE placed (
  match TEXT NOT NULL, event INTEGER NOT NULL, PRIMARY KEY (match, event)
) WITHOUT ROWID;""",
    # Reviews of games: the newest `number` in each slot, of which there are so many as are kept.
    "reviews": """CREATE TABLE reviews (
  slot INTEGER PRIMARY KEY, number INTEGER NOT NULL, ticket TEXT NOT NULL, judge TEXT NOT NULL, steps TEXT NOT NULL
);""",
    # One row: the last row of `events` that was looked at to fill `placed`.
    "checkpoint": """CREATE TABLE checkpoint (event INTEGER NOT NULL);""",
    # Matches that are deleted already, except their events.
    "doomed": """CREATE TABLE doomed (
  match TEXT PRIMARY KEY, first_event INTEGER NOT NULL, last_event INTEGER NOT NULL
) WITHOUT ROWID;""",
}

_ADDED: Final = {
    ("matches", "opening"): "TEXT NOT NULL DEFAULT ''",
    ("matches", "link"): "TEXT",
    ("matches", "network"): "TEXT",
    ("results", "hosted"): "INTEGER NOT NULL DEFAULT 0",
    ("results", "first_event"): "INTEGER NOT NULL DEFAULT 0",
    ("results", "last_event"): "INTEGER NOT NULL DEFAULT 0",
}
"""What was added to tables that were there already."""

_APPEND: Final = (
    "ALTER TABLE events RENAME TO keyed;"  # noqa: S608 - our own constants
    + TABLES["events"]
    + "INSERT INTO events SELECT match, seq, kind, payload, wall_ms FROM keyed ORDER BY wall_ms, match, seq;"
    "DROP TABLE keyed;"
)
"""The first schema kept events by match; they are appended since."""

_LOCATE: Final = """
DROP TABLE IF EXISTS temp.ends;
CREATE TEMP TABLE ends (match TEXT PRIMARY KEY, first INTEGER NOT NULL, last INTEGER NOT NULL) WITHOUT ROWID;
INSERT INTO ends SELECT match, min(rowid), max(rowid) FROM events GROUP BY match;
UPDATE results SET hosted = match IN (SELECT match FROM seats),
  first_event = coalesce((SELECT first FROM ends WHERE ends.match = results.match), 0),
  last_event = coalesce((SELECT last FROM ends WHERE ends.match = results.match), 0);
DELETE FROM open_matches;
INSERT INTO open_matches SELECT id, coalesce(first, (SELECT coalesce(max(rowid), 0) + 1 FROM events))
  FROM matches LEFT JOIN ends ON match = id WHERE id NOT IN (SELECT match FROM results);
DELETE FROM placed;
INSERT INTO placed SELECT match, rowid FROM events WHERE match IN (SELECT match FROM open_matches);
DELETE FROM checkpoint;
INSERT INTO checkpoint SELECT coalesce(max(rowid), 0) FROM events;
DROP TABLE temp.ends;
"""

Shape = dict[str, frozenset[str]]
"""The names of the columns of each table."""


def check_ours(database: sqlite3.Connection, path: str) -> None:
    """Raises StoreError if the file is not ours, or newer than this program."""
    application = database.execute("PRAGMA application_id").fetchone()[0]
    version = version_of(database)
    tables = database.execute("SELECT count(*) FROM sqlite_schema").fetchone()[0]
    if tables and application != APPLICATION_ID:
        raise StoreError(StoreTrouble.FOREIGN, path)
    if version > SCHEMA_VERSION:
        raise StoreError(StoreTrouble.NEWER, path, f"schema {version}, not {SCHEMA_VERSION}")


def check_current(database: sqlite3.Connection, path: str) -> None:
    """Raises StoreError if the file waits to be brought up to date, which only its owner does."""
    shape = shape_of(database)
    if shape and not _is_current(database, shape):
        raise StoreError(StoreTrouble.OLDER, path, f"schema {version_of(database)}, not {SCHEMA_VERSION}")


def bring_up_to_date(database: sqlite3.Connection, path: str) -> None:
    """Makes the tables, or raises those of an older file, which is copied before. Raises StoreError, sqlite3.Error."""
    shape = shape_of(database)
    if _is_current(database, shape):
        return
    if not shape:
        _change(database, "".join([*TABLES.values(), "INSERT INTO checkpoint VALUES (0);"]))
        return
    for table, column in _lacking(shape):
        if table in shape and (table, column) not in _ADDED:
            raise StoreError(StoreTrouble.DAMAGED, path, f"{table}.{column}")
    version = version_of(database)
    copied = None if path == MEMORY else _copy(database, path, version)
    keyed = database.execute("SELECT count(*) FROM pragma_table_info('events') WHERE pk").fetchone()[0] > 0
    try:
        _change(database, _steps(shape, keyed=keyed))
    except BaseException:
        if copied is not None:
            copied.unlink()
        raise
    note(Event.STORE_RAISED, path=path, before=version, after=SCHEMA_VERSION, copy=str(copied))


def version_of(database: sqlite3.Connection) -> int:
    """The `user_version` of a file."""
    version: int = database.execute("PRAGMA user_version").fetchone()[0]
    return version


def shape_of(database: sqlite3.Connection) -> Shape:
    """The tables that are there."""
    tables: dict[str, set[str]] = {}
    query = (
        "SELECT tables.name, columns.name FROM sqlite_schema AS tables, pragma_table_info(tables.name) AS columns "
        "WHERE tables.type = 'table' AND tables.name NOT LIKE 'sqlite_%'"
    )
    for table, column in database.execute(query):
        tables.setdefault(table, set()).add(column)
    return {table: frozenset(columns) for table, columns in tables.items()}


@cache
def _wanted() -> Shape:
    with closing(sqlite3.connect(MEMORY)) as database:
        database.executescript("".join(TABLES.values()))
        return shape_of(database)


def _lacking(shape: Shape) -> list[tuple[str, str]]:
    """The columns that are not there."""
    return [
        (table, column)
        for table, columns in _wanted().items()
        for column in sorted(columns - shape.get(table, frozenset()))
    ]


def _is_current(database: sqlite3.Connection, shape: Shape) -> bool:
    return version_of(database) == SCHEMA_VERSION and not _lacking(shape)


def _steps(shape: Shape, *, keyed: bool) -> str:
    """The statements that turn the tables that are there into today's; `keyed`: events have a key."""
    steps = [statement for table, statement in TABLES.items() if table not in shape]
    steps += [
        f"ALTER TABLE {table} ADD COLUMN {column} {kind};"
        for (table, column), kind in _ADDED.items()
        if table in shape and column not in shape[table]
    ]
    if keyed:
        steps.append(_APPEND)
    return "".join([*steps, _LOCATE])


def _change(database: sqlite3.Connection, statements: str) -> None:
    """Changes all or nothing, the file's ids included: a file without them would be refused as another program's."""
    try:
        database.executescript(
            f"BEGIN IMMEDIATE; {statements} PRAGMA user_version = {SCHEMA_VERSION}; "
            f"PRAGMA application_id = {APPLICATION_ID}; COMMIT;"
        )
    except sqlite3.Error:
        if database.in_transaction:
            database.execute("ROLLBACK")
        raise


def _copy(database: sqlite3.Connection, path: str, version: int) -> Path:
    """The file as it is, with what its log holds, under a name of its own beside it; raises StoreError."""
    names = (Path(f"{path}.schema-{version}{f'.{number}' if number > 1 else ''}.bak") for number in count(1))
    copy = next(name for name in names if not name.exists())
    try:
        os.close(os.open(copy, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
        with closing(sqlite3.connect(copy)) as target:
            database.backup(target)
    except (OSError, sqlite3.Error) as error:
        copy.unlink(missing_ok=True)
        detail = reason(error) if isinstance(error, OSError) else str(error)
        raise StoreError(StoreTrouble.UNCOPIED, path, detail) from error
    return copy
