"""Writes records to a database in groups, and notes in which rows the events of each match are.

Events are appended without a key, so no lookup is needed for one. For a match that ends, the range of rows is noted in
which its events are. A checkpoint follows the end of the table, far enough behind that most matches have ended when it
reaches them; the events of the others are noted row by row. So to find the events of open matches, a start reads the
rows after the checkpoint, and before it only those that are noted.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Generator, Sequence
from contextlib import contextmanager, suppress
from functools import cache
from typing import Final, cast

from server.store.reading import checkpoint, last_row, open_matches

# OR IGNORE: a COMMIT that reported an error may have happened all the same, and is tried again. Events have no key:
# what all matches append goes to one page, a third of the cost of finding each match's own. Who reads sorts them.
SESSION: Final = "INSERT OR IGNORE INTO sessions VALUES (?, ?, ?, ?, NULL)"
TOKEN: Final = "UPDATE sessions SET token = ?, previous = ? WHERE id = ?"  # noqa: S105 - a statement, no secret
FORGET: Final = "DELETE FROM sessions WHERE id = ?"
MATCH: Final = (
    "INSERT OR IGNORE INTO matches (id, game, clock, public, code, opened_ms, opening, link, network) "
    "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"
)
SEAT: Final = "INSERT OR REPLACE INTO seats VALUES (?, ?, ?)"
PLACE: Final = "INSERT OR REPLACE INTO guests VALUES (?, ?, ?)"
EVENT: Final = "(?, ?, ?, ?, ?)"
LATE_EVENT: Final = "( ?, ?, ?, ?, ?)"
"""An event that may come after the end of its match: all but moves."""
RESULT: Final = (
    "INSERT OR REPLACE INTO results (match, winner, reason, first_score, second_score, plies, chain, closed_ms, "
    "first_event, last_event, hosted) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 1)"
)
IMPORTED_RESULT: Final = RESULT.replace("1)", "0)")
LEAGUE: Final = "INSERT OR REPLACE INTO leagues VALUES (?, ?, ?)"
LEAGUE_CLOSED: Final = "DELETE FROM leagues WHERE code = ?"
ENTRY: Final = "INSERT OR REPLACE INTO entries VALUES (?, ?, ?, ?, ?)"
ENTRIES_FREED: Final = "DELETE FROM entries WHERE league = ?"

REVIEW: Final = "INSERT OR REPLACE INTO reviews VALUES (?, ?, ?, ?, ?)"

_EVENT_COLUMNS: Final = 5
_EVENTS_AT_ONCE: Final = 64
"""Events in one statement: each statement releases the GIL, and has to wait to get it back."""

LAG_EVENTS: Final = 1 << 16
"""The least number of rows that the checkpoint stays behind; a start has to read these rows."""

LAG_PER_MATCH: Final = 128
"""How far it stays behind for each open match: about two games, so that most are over when it comes to them."""

STEP_EVENTS: Final = 1 << 12
"""How many rows the checkpoint passes at once: a millisecond or two, if an open match is that old."""

Row = tuple[str, tuple[object, ...]]
Batch = tuple[int, Sequence[Row]]


class Writer:
    """The writing side of an open database; its methods raise sqlite3.Error, and then nothing was changed.

    open_matches: the matches without a result, and for each a row before which none of its events stands.
    """

    def __init__(self, database: sqlite3.Connection) -> None:
        self.open_matches = open_matches(database)
        self._database = database
        self._last: int | None = None
        self._checkpoint = checkpoint(database)
        self._noted = {match for (match,) in database.execute("SELECT match FROM open_matches")}

    def commit(self, batches: Sequence[Batch]) -> None:
        """Writes all rows of some batches in one transaction."""
        if self._last is None:
            self._last = last_row(self._database)
        group = _Group(self._last, self.open_matches)
        for _, rows in batches:
            group.add(rows)
        statements = group.statements(self._checkpoint)
        passed = self._pass(group)
        news: dict[str, int] = {}
        if group.opened or group.closed or passed != self._checkpoint:
            news = self._note(group, passed, statements)
        try:
            self._run(statements)
        except sqlite3.Error:
            self._last = None  # it may have been written all the same
            raise
        self._last, self._checkpoint = group.last, passed
        self._noted |= news.keys()
        self.open_matches |= group.opened
        for match in group.closed:
            self._noted.discard(match)
            self.open_matches.pop(match, None)

    def _note(self, group: _Group, passed: int, statements: list[Row]) -> dict[str, int]:
        """Adds the statements that update `open_matches` and `placed`; returns the matches that are new there.

        Those are the matches without an event, and those that the checkpoint reaches.
        """
        statements += [(_NOT_OPEN, (match,)) for match in group.closed if match in self._noted]
        news = {match: group.opened[match] for match in group.opened.keys() - group.heard - group.closed}
        if passed != self._checkpoint:
            known = self._noted | group.closed
            news |= {match: row for match, row in self.open_matches.items() if row <= passed and match not in known}
        statements += [(_OPEN, note) for note in news.items()]
        if passed != self._checkpoint:
            if news or self._noted:
                statements.append((_NOTE_PLACES, (self._checkpoint, passed)))
            statements.append((_CHECKPOINT, (passed,)))
        return news

    def _pass(self, group: _Group) -> int:
        """Where the checkpoint is to go: not at each commit, and not far at once."""
        behind = group.last - self._checkpoint
        if behind < LAG_EVENTS + STEP_EVENTS:
            return self._checkpoint
        aim = group.last - max(LAG_EVENTS, LAG_PER_MATCH * len(self.open_matches))
        if aim - self._checkpoint < STEP_EVENTS:
            return self._checkpoint
        return min(aim, self._checkpoint + STEP_EVENTS + 2 * (group.last - group.before))

    def _run(self, statements: Sequence[Row]) -> None:
        if len(statements) == 1:
            self._database.execute(*statements[0])  # a transaction by itself
            return
        execute = self._database.execute
        execute("BEGIN IMMEDIATE")  # not `transaction`, which costs a microsecond more
        try:
            for statement, values in statements:
                execute(statement, values)
            execute("COMMIT")
        except BaseException:
            with suppress(sqlite3.Error):
                execute("ROLLBACK")
            raise


class _Group:
    """The rows of one transaction.

    before, last: the last row of events, as it is and as it will be. opened, closed: the matches that it opens (with a
    row before which none of their events stands) and those whose results it holds. heard: the matches of which it has
    events that are no moves.
    """

    def __init__(self, last: int, open_matches: dict[str, int]) -> None:
        self.last = last
        self.opened: dict[str, int] = {}
        self.closed: set[str] = set()
        self.heard: set[str] = set()
        self.before = last
        self._open = open_matches
        self._events: list[object] = []
        self._results: list[Row] = []
        self._late: list[tuple[str, int]] = []
        self._others: list[Row] = []

    def add(self, rows: Sequence[Row]) -> None:
        """More rows. Events may come before the row that opens their match."""
        events = self._events
        for statement, row in rows:
            if statement is EVENT:
                events += row
            elif statement is LATE_EVENT:
                match = cast(str, row[0])
                events += row
                self.heard.add(match)
                if match not in self._open:
                    self._late.append((match, self.before + len(events) // _EVENT_COLUMNS))
            elif statement is RESULT or statement is IMPORTED_RESULT:
                self._results.append((statement, row))
                self.closed.add(cast(str, row[0]))
            else:
                if statement is MATCH:
                    self.opened[cast(str, row[0])] = self.before + 1
                self._others.append((statement, row))
        self.last = self.before + len(events) // _EVENT_COLUMNS

    def statements(self, checkpoint: int) -> list[Row]:
        """The statements for all rows, many events in one; events up to the checkpoint are placed already."""
        statements, size = self._others, _EVENTS_AT_ONCE * _EVENT_COLUMNS
        for start in range(0, len(self._events), size):
            chunk = tuple(self._events[start : start + size])
            statements.append((_insert_events(len(chunk) // _EVENT_COLUMNS), chunk))
        if self._late:
            statements += [(_PLACED, place) for place in self._late if place[0] not in self.opened]
        for statement, row in self._results:
            match = cast(str, row[0])
            first = self._open.get(match) or self.opened.get(match, self.last)
            statements.append((statement, (*row, max(first, checkpoint + 1), self.last)))
        return statements


_PLACED: Final = "INSERT OR IGNORE INTO placed VALUES (?, ?)"
_OPEN: Final = "INSERT OR IGNORE INTO open_matches VALUES (?, ?)"
_NOT_OPEN: Final = "DELETE FROM open_matches WHERE match = ?"
_NOTE_PLACES: Final = (
    "INSERT OR IGNORE INTO placed SELECT match, rowid FROM events WHERE rowid > ? AND rowid <= ? "
    "AND match IN (SELECT match FROM open_matches)"
)
_CHECKPOINT: Final = "UPDATE checkpoint SET event = ?"


@cache
def _insert_events(count: int) -> str:
    return f"INSERT INTO events VALUES {', '.join([EVENT] * count)}"  # noqa: S608 - our own constants


@contextmanager
def transaction(database: sqlite3.Connection) -> Generator[None, None, None]:
    """All of it or nothing. Raises sqlite3.Error."""
    database.execute("BEGIN IMMEDIATE")
    try:
        yield
        database.execute("COMMIT")
    except BaseException:
        with suppress(sqlite3.Error):
            database.execute("ROLLBACK")
        raise
