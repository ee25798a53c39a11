"""`serve --keep`: what ended long ago leaves the database in small slices; nobody waits, and nothing else changes."""

from __future__ import annotations

import json
import queue
import sqlite3
import threading
import time
from collections.abc import Callable, Generator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

import arbitre
from protocol.messages import Finished, Moved, Result, Said
from server.logs import log
from server.records.archive import Archive, check
from server.referee.effects import EventHappened, MatchClosed, MatchOpened, PlaceKept, Record, SeatTaken
from server.store import reading, tidying, writing
from server.store import store as store_module
from server.store.database import open_to_write
from server.store.reading import Reader, read_matches
from server.store.store import DAY_MS, Progress, Store, row_of
from server.store.tidying import Tidier
from server.store.writing import Writer
from tests.faults.serving import serving
from tests.server.played import clean_game

SOON = 30.0
RESULT = Result(1, "resign", (3, 2))
OLD, NEW = 1_000, 2_000
"""Dates before and after the one that decides."""


def match_of(name: str, *, events: int = 10, over: bool = True) -> list[Record]:
    """A match, from its opening to its end."""
    records: list[Record] = [MatchOpened(name, "othello", None, True, None), PlaceKept(name, 0, "s1")]
    records += [SeatTaken(name, 1, "s1"), EventHappened(Said(name, 1, 1, "hello"))]
    records += [EventHappened(Moved(name, seq, seq, 1, "d3", 2)) for seq in range(2, events)]
    if over:
        records += [EventHappened(Finished(name, events, RESULT)), MatchClosed(name, RESULT, 5, "c" * 64)]
    return records


def rows_of(database: sqlite3.Connection, name: str) -> int:
    """How many rows are left of a match, in all tables."""
    tables = {"matches": "id", **dict.fromkeys(("seats", "guests", "events", "results", "placed", "doomed"), "match")}
    queries = [f"SELECT count(*) FROM {table} WHERE {column} = ?" for table, column in tables.items()]
    return sum(database.execute(query, (name,)).fetchone()[0] for query in queries)


@contextmanager
def opened(path: Path) -> Generator[tuple[sqlite3.Connection, Writer], None, None]:
    with closing(open_to_write(str(path), "process")) as database:
        yield database, Writer(database)


def write(writer: Writer, records: list[Record], wall_ms: int) -> None:
    writer.commit([(1, [row_of(record, wall_ms) for record in records])])


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "arbitre.sqlite"


@pytest.fixture
def small_slices(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tidying, "ROWS_AT_ONCE", 7)
    monkeypatch.setattr(writing, "LAG_EVENTS", 20)
    monkeypatch.setattr(writing, "LAG_PER_MATCH", 1)
    monkeypatch.setattr(writing, "STEP_EVENTS", 5)


@pytest.mark.usefixtures("small_slices")
class TestTidier:
    def test_old_matches_go_whole_and_others_stay_as_they_are(self, path: Path) -> None:
        with opened(path) as (database, writer):
            write(writer, match_of("long", over=False), OLD)
            for number in range(60):
                write(writer, match_of(f"m{number}"), NEW if number % 3 == 2 else OLD)
                write(writer, [EventHappened(Moved("long", 10 + number, 0, 1, "d3", 2))], OLD)
            write(writer, [EventHappened(Said("m0", 11, 1, "after the end"))], NEW)
            write(writer, match_of("open", over=False), OLD)
            before = {match.id: match for match in read_matches(str(path))}
            tidier = Tidier(database, "process")
            tidier.prepare()
            while tidier.step(NEW):
                pass
            kept = {"long", "open", *(f"m{number}" for number in range(2, 60, 3))}
            assert {match.id: match for match in read_matches(str(path))} == {name: before[name] for name in kept}
            assert [name for name in before if name not in kept and rows_of(database, name)] == []
            write(writer, match_of("next"), NEW)
        with opened(path) as (_, writer), Reader(str(path)) as reader:
            assert set(writer.open_matches) == {"long", "open"}
            assert reader.damage() == []

    def test_no_slice_looks_at_more_than_its_rows(self, path: Path) -> None:
        with opened(path) as (database, writer):
            for number in range(40):
                write(writer, match_of(f"m{number}", events=30), OLD)
            write(writer, match_of("last"), NEW)
            tidier = Tidier(database, "process")
            tidier.prepare()
            left, most = _events(database), 0
            while tidier.step(NEW):
                left, before = _events(database), left
                most = max(most, before - left)
            assert (left, most) == (10, 7)

    @pytest.mark.parametrize("steps", [1, 2, 5, 9])
    def test_what_was_half_done_is_hidden_at_once_and_done_after_a_restart(self, path: Path, steps: int) -> None:
        with opened(path) as (database, writer):
            for number in range(5):
                write(writer, match_of(f"m{number}"), OLD)
            write(writer, match_of("last"), NEW)
            tidier = Tidier(database, "process")
            tidier.prepare()
            for _ in range(steps):
                tidier.step(NEW)
            assert [match.id for match in read_matches(str(path))] == ["last"]
        with opened(path) as (database, _):
            tidier = Tidier(database, "process")
            while tidier.step(NEW):
                pass
            assert (_events(database), rows_of(database, "m0"), rows_of(database, "m4")) == (10, 0, 0)

    def test_the_last_row_stays_until_it_is_not_the_last(self, path: Path) -> None:
        """Else its number came again, and a match whose first row is noted would lose what stands before."""
        with opened(path) as (database, writer):
            write(writer, [MatchOpened("open", "othello", None, True, None)], OLD)
            write(writer, match_of("m1"), OLD)
            write(writer, [MatchOpened("late", "othello", None, True, None)], OLD)
            tidier = Tidier(database, "process")
            tidier.prepare()
            for _ in range(9):
                tidier.step(NEW)
            assert _events(database) <= 10
            write(writer, [EventHappened(Said("late", 1, 1, "hello"))], NEW)
            while tidier.step(NEW):
                pass
            assert (_events(database), rows_of(database, "m1")) == (1, 0)
        with opened(path) as (database, writer):
            found = reading.read_open(database, writer.open_matches)
        assert {match.id: len(match.events) for match in found} == {"open": 0, "late": 1}

    def test_imported_games_stay(self, path: Path) -> None:
        record = clean_game("morpion", ("a1", "a2", "b1", "b2", "c1"))
        with Archive(str(path)) as archive:
            archive.add(record, same_id_is_same=True)
        with opened(path) as (database, writer):
            write(writer, match_of("m1"), OLD)
            write(writer, match_of("m2"), NEW + 10**15)
            tidier = Tidier(database, "process")
            tidier.prepare()
            while tidier.step(NEW + 10**14):
                pass
        (kept, _) = sorted(read_matches(str(path)), key=lambda match: match.id == "m2")
        assert (kept.id, check(kept)) == (record.match, [])


def _events(database: sqlite3.Connection) -> int:
    count: int = database.execute("SELECT count(*) FROM events").fetchone()[0]
    return count


class TestStore:
    def test_days_are_counted_from_the_end(self, path: Path) -> None:
        now = time.time_ns() // 10**6
        self.fill(path, {"old": now - 3 * DAY_MS, "new": now - DAY_MS})
        store = Store(str(path), "process", lambda _: None, keep_days=2)
        self.until(lambda: {match.id for match in read_matches(str(path))} == {"new", "open"})
        store.close()

    def test_without_days_everything_stays(self, path: Path) -> None:
        self.fill(path, {"old": 0})
        store = Store(str(path), "process", lambda _: None)
        store.submit([row_of(record, 0) for record in match_of("next")])
        store.close()
        assert {match.id for match in read_matches(str(path))} == {"old", "open", "next"}

    def test_a_commit_goes_between_two_slices(self, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        """The first slice is held until a move waits; the second one comes after its commit."""
        self.fill(path, dict.fromkeys((f"m{number}" for number in range(50)), 0))
        held, go_on, order = threading.Event(), threading.Event(), queue.SimpleQueue[str]()
        step = Tidier.step

        def slow(tidier: Tidier, before_ms: int) -> bool:
            more = step(tidier, before_ms)
            order.put("slice")
            if not held.is_set():
                held.set()
                assert go_on.wait(SOON)
            return more

        def told(_: Progress) -> None:
            order.put("commit")

        monkeypatch.setattr(Tidier, "step", slow)
        monkeypatch.setattr(store_module, "TIDY_SHARE", 0)
        store = Store(str(path), "process", told, keep_days=1)
        assert held.wait(SOON)
        store.submit([row_of(record, 0) for record in match_of("now", over=False)])
        go_on.set()
        assert [order.get(timeout=SOON) for _ in range(3)] == ["slice", "commit", "slice"]
        store.close()

    def test_trouble_is_told_and_the_server_goes_on(
        self, path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
    ) -> None:
        self.fill(path, {"old": 0})

        def full(*_: object) -> bool:
            raise sqlite3.OperationalError("database or disk is full")

        monkeypatch.setattr(Tidier, "step", full)
        progress: queue.SimpleQueue[Progress] = queue.SimpleQueue()
        with caplog.at_level("WARNING", log.name):
            store = Store(str(path), "process", progress.put, keep_days=1)
            self.until(lambda: "disk is full" in caplog.text)
            ticket = store.submit([row_of(record, 0) for record in match_of("next")])
            assert progress.get(timeout=SOON)[:2] == (ticket, None)
            store.close()
        assert caplog.text.count("disk is full") == 1, "an hour is to pass"

    @staticmethod
    def fill(path: Path, ends: dict[str, int]) -> None:
        with opened(path) as (_, writer):
            for name, wall_ms in ends.items():
                write(writer, match_of(name), wall_ms)
            write(writer, match_of("open", over=False), 0)

    @staticmethod
    def until(condition: Callable[[], bool]) -> None:
        deadline = time.monotonic() + SOON
        while not condition():
            assert time.monotonic() < deadline
            time.sleep(0.01)


class TestCommand:
    @pytest.mark.slow
    def test_a_server_deletes_and_the_rest_verifies_and_is_written(
        self, path: Path, capsysbinary: pytest.CaptureFixture[bytes]
    ) -> None:
        """A store of 2023, with one match that is over and two that are not."""
        stored = Path(__file__).parents[2] / "data/stores/schema-6.sql"
        with closing(sqlite3.connect(path)) as database:
            database.executescript(stored.read_text(encoding="utf-8"))
            database.execute("PRAGMA journal_mode = WAL")
        over = [match.id for match in read_matches(str(path)) if match.result is not None]
        with serving("--db", str(path), "--keep", "30"):
            TestStore.until(lambda: not set(over) & {match.id for match in read_matches(str(path))})
        assert run("verify", path) == 0
        assert run("export", "--all", "--db", path) == 0
        written = [json.loads(line)["match"] for line in capsysbinary.readouterr().out.splitlines()]
        assert (len(over), len(written), set(over) & set(written)) == (1, 2, set())

    @pytest.mark.parametrize("days", ["0", "-1", "week"])
    def test_no_number_of_days(self, days: str, capsys: pytest.CaptureFixture[str]) -> None:
        assert run("serve", "--keep", days) == 2
        assert "--keep" in capsys.readouterr().err


def run(*arguments: object) -> int:
    return arbitre.main([str(argument) for argument in arguments])
