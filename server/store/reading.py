"""Matches out of a database: their rows as `StoredMatch`.

The events of all matches are in one table, in the order in which they came. For a finished match, a range of rows is
known that holds its events, among those of others; for one that was open for a long time, `placed` lists the earlier
rows. So reading a match costs only its range, however much was played before. To read all matches, the rows are sorted
once instead.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final, Self, TypeVar

from msgspec import MsgspecError
from msgspec import json as msgjson

from protocol.bounds import SeatNumber
from protocol.messages import Clock, MatchEvent, Network
from server.referee.stored import StoredMatch, StoredResult
from server.store.database import open_to_read
from server.store.schema import check_current, check_ours
from server.store.store_errors import StoreError, store_error

T = TypeVar("T", Clock, Network)

_event: Final[msgjson.Decoder[MatchEvent]] = msgjson.Decoder(MatchEvent)

_COLUMNS: Final = (
    "id, game, clock, public, code, opened_ms, opening, link, network, "
    "winner, reason, first_score, second_score, plies, chain"
)
_MATCHES: Final = f"SELECT {_COLUMNS} FROM matches LEFT JOIN results ON match = id"  # noqa: S608 - our own constants
_EVENTS: Final = (
    "SELECT places.seq, payload, wall_ms FROM places JOIN events ON events.rowid = place "
    "WHERE places.match = ? ORDER BY places.seq"
)
_ALL_EVENTS: Final = _EVENTS.replace("places", "all_places")
_LAST_PLAYED: Final = (
    "SELECT match, first_event, last_event FROM results WHERE hosted AND match IN (SELECT match FROM events "
    "WHERE rowid > :after AND kind = 'finished' AND match IN (SELECT match FROM seats) "
    "ORDER BY rowid DESC LIMIT :count)"
)
_OPENED_SINCE: Final = (
    "SELECT match, first FROM (SELECT match, min(rowid) AS first FROM events "
    "WHERE rowid > (SELECT event FROM checkpoint) GROUP BY match) "
    "WHERE match IN (SELECT id FROM matches) AND match NOT IN (SELECT match FROM results)"
)
_LAST_ROW: Final = "SELECT coalesce(max(rowid), 0) FROM events"

LATELY_EVENTS: Final = 1 << 18
"""How many rows, from the last one back, may be looked at for the ends of matches."""

Spans = dict[str, tuple[int, int]]
"""For some matches, the two rows between which their events are, both included, except those that `placed` lists."""


class Reader:
    """A look into a file without owning it: a server may be running on it. A context manager. Raises StoreError."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._database = open_to_read(path)
        try:
            check_ours(self._database, path)
            check_current(self._database, path)
        except sqlite3.Error as error:
            self._database.close()
            raise store_error(path, error) from error
        except StoreError:
            self._database.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._database.close()

    def matches(self, match_id: str | None = None) -> Iterator[StoredMatch]:
        """All matches, oldest first, or the one with this id."""
        try:
            if match_id is None:
                yield from read_all(self._database)
            else:
                yield from self._read_one(match_id)
        except sqlite3.Error as error:
            raise store_error(self._path, error) from error

    def _read_one(self, match_id: str) -> list[StoredMatch]:
        """Reads one match as of one moment: a server may go on writing."""
        self._database.execute("BEGIN")
        try:
            return read_one(self._database, match_id)
        finally:
            self._database.execute("COMMIT")

    def chain(self, match_id: str) -> str | None:
        """The chain of a match, "" if it is not over; None if there is no such match."""
        query = "SELECT coalesce(chain, '') FROM matches LEFT JOIN results ON match = id WHERE id = ?"
        try:
            row: tuple[str] | None = self._database.execute(query, (match_id,)).fetchone()
        except sqlite3.Error as error:
            raise store_error(self._path, error) from error
        return None if row is None else row[0]

    def damage(self) -> list[str]:
        """What is wrong with the file as such, at most 20 findings; reads all of it, which takes a while."""
        try:
            found = [str(row[0]) for row in self._database.execute("PRAGMA integrity_check(20)")]
            if found != ["ok"]:
                return found
            return [f"open_matches: {match}" for (match,) in self._database.execute(_MISPLACED)]
        except sqlite3.DatabaseError as error:
            return [str(error)]


_MISPLACED: Final = """
SELECT id FROM matches WHERE id NOT IN (SELECT match FROM results) AND id NOT IN (SELECT match FROM open_matches)
  AND id NOT IN (SELECT match FROM events WHERE rowid > (SELECT event FROM checkpoint))
UNION SELECT match FROM open_matches WHERE match IN (SELECT match FROM results) LIMIT 20
"""
"""Matches that a starting server would miss, or would wrongly take for open."""


def read_matches(path: str, match_id: str | None = None) -> Iterator[StoredMatch]:
    """The matches of a file, oldest first, without owning it: a server may be running on it. Raises StoreError."""
    with Reader(path) as reader:
        yield from reader.matches(match_id)


def read_all(database: sqlite3.Connection) -> Iterator[StoredMatch]:
    """Every match, oldest first. Raises sqlite3.Error."""
    _make(database, "all_places", _PLACES)
    database.execute("INSERT OR IGNORE INTO all_places SELECT match, seq, rowid FROM events")
    for row in database.execute(f"{_MATCHES} ORDER BY opened_ms, id"):
        yield _match(database, row, _ALL_EVENTS)


def open_matches(database: sqlite3.Connection) -> dict[str, int]:
    """The matches without a result, and for each a row before which none of its events stands."""
    noted = database.execute("SELECT match, first_event FROM open_matches").fetchall()
    return dict(database.execute(_OPENED_SINCE).fetchall()) | dict(noted)


def read_open(database: sqlite3.Connection, which: Mapping[str, int]) -> list[StoredMatch]:
    """The matches without a result, as `open_matches` tells them, oldest first. Raises sqlite3.Error."""
    passed, last = checkpoint(database), last_row(database)
    return _read(database, {match: (max(first, passed + 1), last) for match, first in which.items()})


def read_last(database: sqlite3.Connection, count: int) -> list[StoredMatch]:
    """The last matches that were played here to an end, oldest first, of those not long ago. Raises sqlite3.Error."""
    rows = database.execute(_LAST_PLAYED, {"after": last_row(database) - LATELY_EVENTS, "count": count})
    return _read(database, {match: (first, last) for match, first, last in rows})


def read_one(database: sqlite3.Connection, match_id: str) -> list[StoredMatch]:
    """The match with this id, if it is there. Raises sqlite3.Error."""
    over = "SELECT first_event, last_event FROM results WHERE match = ?"
    span: tuple[int, int] | None = database.execute(over, (match_id,)).fetchone()
    return _read(database, {match_id: span or (checkpoint(database) + 1, last_row(database))})


def _read(database: sqlite3.Connection, spans: Spans) -> list[StoredMatch]:
    """Some matches, oldest first; reads all rows if the events of a match are not where they should be."""
    _make(database, "places", _PLACES)
    _make(database, "wanted", "(match PRIMARY KEY)")
    database.executemany("INSERT INTO wanted VALUES (?)", [(match,) for match in spans])
    database.execute(
        "INSERT OR IGNORE INTO places SELECT events.match, seq, events.rowid FROM wanted "
        "CROSS JOIN placed ON placed.match = wanted.match "
        "CROSS JOIN events ON events.rowid = placed.event AND events.match = wanted.match"
    )
    for first, last in merged(spans.values()):
        database.execute(f"{_PLACE} AND rowid BETWEEN ? AND ?", (first, last))
    database.execute(
        "DELETE FROM wanted WHERE match IN (SELECT match FROM places GROUP BY match HAVING count(*) = max(seq))"
    )
    database.execute(
        "DELETE FROM wanted WHERE match NOT IN (SELECT match FROM results) AND match NOT IN (SELECT match FROM places)"
    )
    if database.execute("SELECT count(*) FROM wanted").fetchone()[0]:
        database.execute(_PLACE_ALL)
    rows = [row for match in spans for row in database.execute(f"{_MATCHES} WHERE id = ?", (match,))]
    return sorted((_match(database, row, _EVENTS) for row in rows), key=lambda match: (match.opened_ms, match.id))


_PLACE: Final = (
    "INSERT OR IGNORE INTO places SELECT match, seq, rowid FROM events WHERE match IN (SELECT match FROM wanted)"
)
_PLACE_ALL: Final = _PLACE


def merged(spans: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """Spans of rows, those that touch each other as one, in order."""
    found: list[tuple[int, int]] = []
    for first, last in sorted(spans):
        if found and first <= found[-1][1] + 1:
            found[-1] = found[-1][0], max(found[-1][1], last)
        else:
            found.append((first, last))
    return found


def checkpoint(database: sqlite3.Connection) -> int:
    """The last row of events of which `placed` and `open_matches` know. Raises sqlite3.Error."""
    row: int = database.execute("SELECT event FROM checkpoint").fetchone()[0]
    return row


def last_row(database: sqlite3.Connection) -> int:
    """The last row of events, 0 if there is none. Raises sqlite3.Error."""
    row: int = database.execute(_LAST_ROW).fetchone()[0]
    return row


_PLACES: Final = "(match, seq, place, PRIMARY KEY (match, seq))"
"""Where events are: once each, should one stand there twice (a COMMIT that reported an error may have happened)."""


def _make(database: sqlite3.Connection, table: str, columns: str) -> None:
    """Makes a temporary table, or empties it: it can't be dropped while anything else is being read."""
    database.execute(f"CREATE TEMP TABLE IF NOT EXISTS {table} {columns} WITHOUT ROWID")
    database.execute(f"DELETE FROM {table}")  # noqa: S608 - our own constants


def _match(database: sqlite3.Connection, row: tuple[Any, ...], query: str) -> StoredMatch:
    match_id, game, clock, public, code, opened_ms, opening, link, network, *result = row
    seats = database.execute("SELECT seat, session FROM seats WHERE match = ?", (match_id,))
    events, walls, unreadable = _events(database.execute(query, (match_id,)))
    rule, about = _value(clock, Clock), _value(network, Network)
    is_lost = (rule is None and clock is not None) or (about is None and network is not None)
    return StoredMatch(
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
        (0, *unreadable) if is_lost else tuple(unreadable),
        opening=tuple(opening.split()),
        link=link,
        network=about,
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


def _value(text: str | None, kind: type[T]) -> T | None:
    try:
        return None if text is None else msgjson.decode(text, type=kind)
    except (MsgspecError, UnicodeError, ValueError, TypeError):
        return None
