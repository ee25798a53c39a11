"""The database: what it acknowledges it has, what it can't use it says, and what troubles it passes."""

from __future__ import annotations

import os
import random
import signal
import sqlite3
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Generator, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import cast, get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from protocol.messages import MatchEvent, Player, Result, Seated, Started
from server.referee.effects import (
    EntriesFreed,
    EntryBound,
    EventHappened,
    LeagueClosed,
    LeagueHosted,
    MatchClosed,
    MatchOpened,
    SeatTaken,
    SessionForgotten,
    SessionOpened,
    TokenChanged,
)
from server.referee.stored import StoredLeague, StoredMatch, StoredResult, StoredSession
from server.store import database as database_module
from server.store import schema
from server.store import store as store_module
from server.store.database import Durability
from server.store.reading import Reader, read_matches
from server.store.schema import MEMORY
from server.store.store import Progress
from server.store.store_errors import StoreError, StoreTrouble
from tests.protocol.wire_types import structs
from tests.server.store.boxes import OPENED, SOON, Box, moved, opened

ROOT = Path(__file__).parents[3]

NOBODY = 65534
"""The user id of somebody without rights."""


def kept(path: Path, match: str = "m1") -> StoredMatch:
    return next(iter(read_matches(str(path), match)))


def seqs(path: Path, match: str = "m1") -> list[int]:
    return [event.seq for event in kept(path, match).events]


def trouble_of(action: Callable[[], object]) -> StoreTrouble:
    with pytest.raises(StoreError) as raised:
        action()
    assert raised.value.path in str(raised.value)
    return raised.value.trouble


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "arbitre.sqlite"


@pytest.fixture
def quick_retries(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store_module, "RETRY_SECONDS", 0.005)


class TestWriting:
    def test_what_comes_during_a_transaction_goes_into_the_next_one(self, path: Path) -> None:
        """The writer is held inside its first transaction while a hundred others are handed over."""
        statements: list[str] = []
        begun, go_on = threading.Event(), threading.Event()

        def trace(statement: str) -> None:
            statements.append(statement)
            if statement.startswith("BEGIN") and not begun.is_set():
                begun.set()
                assert go_on.wait(SOON)

        with opened(path) as box:
            box.database.set_trace_callback(trace)
            box.keep(OPENED, moved(1))
            assert begun.wait(SOON)
            tickets = [box.keep(moved(seq)) for seq in range(2, 101)]
            go_on.set()
            told = box.until(tickets[-1])
            box.database.set_trace_callback(None)
        assert statements.count("BEGIN IMMEDIATE") == statements.count("COMMIT") == 2
        assert [progress.ticket for progress in told] == [1, 100]
        assert seqs(path) == list(range(1, 101))

    def test_an_idle_store_writes_at_once(self, path: Path) -> None:
        with opened(path) as box:
            for seq in range(1, 6):
                ticket = box.keep(OPENED, moved(seq)) if seq == 1 else box.keep(moved(seq))
                assert [progress.ticket for progress in box.until(ticket)] == [ticket]
                assert seqs(path) == list(range(1, seq + 1))

    def test_tickets_come_in_order_and_without_trouble(self, path: Path) -> None:
        with opened(path) as box:
            tickets = [box.keep(OPENED), *(box.keep(moved(seq)) for seq in range(1, 200))]
            told = box.until(tickets[-1])
        assert tickets == list(range(1, 201))
        assert [progress.ticket for progress in told] == sorted(progress.ticket for progress in told)
        assert {progress.trouble for progress in told} == {None}
        assert all(progress.seconds > 0 for progress in told)

    def test_closing_writes_what_was_handed_over(self, path: Path) -> None:
        with opened(path) as box:
            box.keep(OPENED)
            for seq in range(1, 501):
                box.keep(moved(seq))
        assert seqs(path) == list(range(1, 501))

    @pytest.mark.parametrize(("durability", "synchronous"), [("power", 2), ("process", 1)])
    def test_durability_decides_on_waiting_for_the_disk(
        self, path: Path, durability: Durability, synchronous: int
    ) -> None:
        with opened(path, durability) as box:
            assert box.pragma("synchronous") == synchronous
            assert box.pragma("journal_mode") == "wal"

    def test_memory_leaves_nothing(self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
        monkeypatch.chdir(tmp_path)
        with opened(MEMORY) as box, opened(MEMORY) as other:
            box.until(box.keep(OPENED))
            assert [match.id for match in box.store.open_matches()] == ["m1"]
            assert other.store.open_matches() == []
        assert list(tmp_path.iterdir()) == []


class TestKeeping:
    def test_sessions(self, path: Path) -> None:
        with opened(path) as box:
            box.keep(SessionOpened("s1", "Zoé", "human", b"one"), SessionOpened("s2", "bot", "bot", b"two"))
            box.keep(TokenChanged("s1", b"three", b"one"), SessionOpened("s3", "gone", "human", b""))
            box.keep(SessionForgotten("s3"), TokenChanged("s2", b"four", b"two"), TokenChanged("s2", b"four", None))
        with opened(path) as box:
            assert sorted(box.store.sessions(), key=lambda session: session.id) == [
                StoredSession("s1", "Zoé", "human", b"three", b"one"),
                StoredSession("s2", "bot", "bot", b"four", None),
            ]

    def test_leagues(self, path: Path) -> None:
        with opened(path) as box:
            box.keep(LeagueHosted("ABCD", "s1", ""), LeagueHosted("EFGH", "s2", "Ada"), LeagueHosted("IJKL", "s2", ""))
            box.keep(LeagueHosted("ABCD", "s1", "Zoé\nBob"), LeagueClosed("IJKL"))
        with opened(path) as box:
            kept = sorted(box.store.leagues(), key=lambda league: league.code)
        assert kept == [StoredLeague("ABCD", "s1", "Zoé\nBob"), StoredLeague("EFGH", "s2", "Ada")]

    def test_names_in_leagues(self, path: Path) -> None:
        with opened(path) as box:
            box.keep(LeagueHosted("ABCD", "s1", ""), LeagueHosted("EFGH", "s2", ""))
            box.keep(EntryBound("ABCD", "Ada", "ABCD", "", "s3"), EntryBound("ABCD", "Bob", "ABCD", "c0ffee", "s4"))
            box.keep(EntryBound("ABCD", "Ada", "ABCD", "cafe", "s3"), EntryBound("EFGH", "Ada", "EFGH", "beef", "s3"))
        with opened(path) as box:
            kept = {league.code: league.entries for league in box.store.leagues()}
            assert kept == {
                "ABCD": (("Ada", "ABCD", "cafe", "s3"), ("Bob", "ABCD", "c0ffee", "s4")),
                "EFGH": (("Ada", "EFGH", "beef", "s3"),),
            }
            box.keep(EntriesFreed("ABCD"))
        with opened(path) as box:
            assert {league.code: len(league.entries) for league in box.store.leagues()} == {"ABCD": 0, "EFGH": 1}

    def test_matches(self, path: Path) -> None:
        result = Result(1, "resign", (3, 2))
        events: tuple[MatchEvent, ...] = (Seated("m1", 1, 2, Player("Zoé", "human")), Started("m1", 2, 1, (9, 9)))
        with opened(path) as box:
            box.keep(OPENED, wall_ms=10)
            box.keep(MatchOpened("m0", "morpion", None, False, "ABCD", link="c0ffee"), wall_ms=9)
            box.keep(SeatTaken("m1", 2, "s1"), SeatTaken("m1", 1, "s2"), SeatTaken("m1", 2, "s3"))
            for wall_ms, event in enumerate(events, 11):
                box.keep(EventHappened(event), wall_ms=wall_ms)
            private = StoredMatch("m0", "morpion", None, False, "ABCD", 9, {}, (), (), None, link="c0ffee")
            running = StoredMatch(
                "m1", "othello", OPENED.clock, True, None, 10, {1: "s2", 2: "s3"}, events, (11, 12), None
            )
            box.until(box.keep(moved(3)))
        with opened(path) as box:
            found = box.store.open_matches()
            assert [found[0], found[1].id] == [private, "m1"]
            box.until(box.keep(MatchClosed("m1", result, 7, "cafe"), wall_ms=20))
            assert [match.id for match in box.store.open_matches()] == ["m0"]
        closed = kept(path)
        assert closed.result == StoredResult(1, "resign", (3, 2), 7, "cafe")
        assert closed.events[:2] == running.events
        assert closed.wall_ms[:2] == running.wall_ms
        assert closed.seats == running.seats

    @settings(max_examples=20, deadline=None)
    @given(st.data())
    def test_every_kind_of_event_comes_back_as_it_was(self, data: st.DataObject) -> None:
        events: list[MatchEvent] = [cast(MatchEvent, data.draw(structs(kind))) for kind in get_args(MatchEvent)]
        numbered = [replace(event, match="m1", seq=seq) for seq, event in enumerate(events, 1)]
        with opened(MEMORY) as box:
            box.until(box.keep(OPENED, *(EventHappened(event) for event in numbered)))
            assert list(box.store.open_matches()[0].events) == numbered

    def test_a_reader_sees_what_a_running_store_has_committed(self, path: Path) -> None:
        with opened(path) as box:
            box.until(box.keep(OPENED, moved(1)))
            with Reader(str(path)) as reader:
                assert [event.seq for event in next(reader.matches()).events] == [1]
                assert [reader.chain("m1"), reader.chain("m2")] == ["", None]
                box.until(box.keep(moved(2), MatchClosed("m1", Result(None, "aborted", (0, 0)), 1, "beef")))
                assert [event.seq for event in next(reader.matches("m1")).events] == [1, 2]
                assert reader.chain("m1") == "beef"
                assert list(reader.matches("m2")) == []

    def test_an_event_that_can_not_be_read_is_named(self, path: Path) -> None:
        with opened(path) as box:
            box.keep(OPENED, moved(1), moved(2), moved(3))
        with closing(sqlite3.connect(path)) as database, database:
            database.execute('UPDATE events SET payload = \'{"type":"mov\' WHERE seq = 2')
        assert (seqs(path), kept(path).unreadable) == ([1, 3], (2,))
        with opened(path) as box:
            assert trouble_of(box.store.open_matches) is StoreTrouble.DAMAGED
        with closing(sqlite3.connect(path)) as database, database:
            database.execute("UPDATE matches SET clock = '5 minutes'")
        assert kept(path).unreadable == (0, 2)


KILLED = """
import sys, threading
from protocol.messages import Moved
from server.referee.effects import EventHappened, MatchOpened
from server.store.store import Store, row_of

path, match, durability = sys.argv[1:]
room = threading.Semaphore(64)
done = 0

def tell(progress):
    global done
    assert progress.trouble is None, progress
    print(progress.ticket, flush=True)
    room.release(progress.ticket - done)
    done = progress.ticket

store = Store(path, durability, tell)
store.submit([row_of(MatchOpened(match, "othello", None, True, None), 0)])
for seq in range(1, 1_000_000):
    room.acquire()
    store.submit([row_of(EventHappened(Moved(match, seq, 0, 1, "d3", 2)), 0)])
"""

HELD = """
import sys
from server.store.store import Store

store = Store(sys.argv[1], "process", lambda progress: None)
print("mine", flush=True)
sys.stdin.read()
"""


@contextmanager
def child(program: str, *arguments: str) -> Generator[subprocess.Popen[str], None, None]:
    command = [sys.executable, "-c", program, *arguments]
    with subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        try:
            yield process
        finally:
            process.kill()


class TestDeath:
    @pytest.mark.skipif(os.name != "posix", reason="SIGKILL is POSIX")
    @pytest.mark.parametrize("durability", ["power", "process"])
    def test_what_was_told_to_be_on_disk_is_there_after_a_kill(self, path: Path, durability: Durability) -> None:
        rng = random.Random(2)
        for kill in range(5):
            match = f"m{kill}"
            with child(KILLED, str(path), match, durability) as process:
                assert process.stdout is not None
                told = [int(process.stdout.readline()) for _ in range(rng.randrange(1, 60))]
                process.send_signal(signal.SIGKILL)
                for line in process.stdout:
                    with suppress(ValueError):  # the last line may be cut
                        told.append(int(line))
                assert process.wait() == -signal.SIGKILL
            with opened(path, durability) as box:
                assert len(box.store.open_matches()) == kill + 1
            found = seqs(path, match)
            assert found == list(range(1, len(found) + 1)), "a gap"
            assert len(found) >= max(told) - 1, "ticket n + 1 is event n"

    def test_the_lock_ends_with_its_process(self, path: Path) -> None:
        with child(HELD, str(path)) as process:
            assert process.stdout is not None
            assert process.stdout.readline() == "mine\n"
            assert trouble_of(lambda: Box(str(path))) is StoreTrouble.IN_USE
            process.kill()
            process.wait()
        with opened(path) as box:
            box.until(box.keep(OPENED))


class TestRefusal:
    def test_a_second_owner(self, path: Path) -> None:
        with opened(path) as box:
            assert trouble_of(lambda: Box(str(path))) is StoreTrouble.IN_USE
            box.until(box.keep(OPENED, moved(1)))
            assert seqs(path) == [1]
        with opened(path):
            pass

    def test_random_bytes(self, path: Path) -> None:
        path.write_bytes(random.Random(1).randbytes(8192))
        assert trouble_of(lambda: Box(str(path))) is StoreTrouble.DAMAGED
        assert trouble_of(lambda: Reader(str(path))) is StoreTrouble.DAMAGED
        path.with_suffix(".text").write_text("no database", encoding="utf-8")
        assert trouble_of(lambda: Box(str(path.with_suffix(".text")))) is StoreTrouble.DAMAGED

    def test_a_file_that_was_cut(self, path: Path) -> None:
        self.fill(path)
        whole = path.read_bytes()
        path.write_bytes(whole[: len(whole) // 2 // 4096 * 4096])
        assert trouble_of(lambda: Box(str(path))) is StoreTrouble.DAMAGED

    def test_any_page_overwritten(self, path: Path) -> None:
        self.fill(path)
        whole = path.read_bytes()
        assert len(whole) > 10 * 4096
        for start in range(4096, len(whole), 4096):
            path.write_bytes(whole[:start] + random.Random(start).randbytes(4096) + whole[start + 4096 :])
            assert trouble_of(lambda: Box(str(path))) is StoreTrouble.DAMAGED, f"page {start // 4096 + 1}"
        path.write_bytes(whole)
        with opened(path):
            pass

    def test_of_a_large_file_what_is_damaged_and_read_is_refused(
        self, path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """The rest is found by `verify`; nothing of it is an error of another kind."""
        self.fill(path)
        whole = path.read_bytes()
        monkeypatch.setattr(database_module, "CHECKED_WHOLE", 0)
        found: list[StoreTrouble | None] = []
        for start in range(0, len(whole), 4096):
            path.write_bytes(whole[:start] + random.Random(start).randbytes(4096) + whole[start + 4096 :])
            try:
                with opened(path) as box:
                    box.store.sessions()
                    box.store.leagues()
                    assert [len(match.events) for match in box.store.open_matches()] == [599]
            except StoreError as error:
                found.append(error.trouble)
            else:
                found.append(None)
                with Reader(str(path)) as reader:
                    assert reader.damage() != []
        assert found.count(StoreTrouble.DAMAGED) > len(found) / 2, "events are most of the file, and all are read"

    def test_another_program_s_database(self, path: Path) -> None:
        with closing(sqlite3.connect(path)) as database, database:
            database.execute("CREATE TABLE songs (title TEXT)")
        before = path.read_bytes()
        assert trouble_of(lambda: Box(str(path))) is StoreTrouble.FOREIGN
        assert trouble_of(lambda: Reader(str(path))) is StoreTrouble.FOREIGN
        assert path.read_bytes() == before

    def test_a_newer_schema(self, path: Path) -> None:
        with opened(path):
            pass
        with closing(sqlite3.connect(path)) as database:
            database.execute(f"PRAGMA user_version = {schema.SCHEMA_VERSION + 1}")
        assert trouble_of(lambda: Box(str(path))) is StoreTrouble.NEWER
        assert trouble_of(lambda: Reader(str(path))) is StoreTrouble.NEWER

    def test_nothing_to_read(self, path: Path) -> None:
        assert trouble_of(lambda: Reader(str(path))) is StoreTrouble.MISSING
        assert trouble_of(lambda: Reader(str(path.parent))) is StoreTrouble.MISSING
        assert not path.exists()

    def test_a_folder_that_is_a_file(self, path: Path) -> None:
        path.touch()
        assert trouble_of(lambda: Box(str(path / "arbitre.sqlite"))) is StoreTrouble.UNUSABLE

    @pytest.mark.skipif(os.name != "posix", reason="asks for POSIX rights")
    def test_a_folder_that_may_only_be_read(self) -> None:
        with tempfile.TemporaryDirectory() as name:
            path = Path(name) / "arbitre.sqlite"
            with opened(path) as box:
                box.keep(OPENED, moved(1))
            if os.geteuid() == 0:
                os.chown(path, NOBODY, -1)
            (path.parent / f"{path.name}.lock").unlink()
            path.parent.chmod(0o555)
            with unprivileged():
                assert trouble_of(lambda: Box(str(path))) is StoreTrouble.UNUSABLE
                assert trouble_of(lambda: Box(str(path.parent / "below" / "new.sqlite"))) is StoreTrouble.UNUSABLE
                assert seqs(path) == [1]
            path.parent.chmod(0o755)

    @staticmethod
    def fill(path: Path) -> None:
        with opened(path) as box:
            box.keep(OPENED, *(moved(seq) for seq in range(1, 600)))


@contextmanager
def unprivileged() -> Generator[None, None, None]:
    """For root, to whom every folder is open: goes on as nobody."""
    root = os.geteuid() == 0
    if root:
        os.seteuid(NOBODY)
    try:
        yield
    finally:
        if root:
            os.seteuid(0)


class TestMigration:
    @pytest.mark.parametrize("empty", [b"", None], ids=["no bytes", "no tables"])
    def test_an_empty_database_becomes_ours(self, path: Path, empty: bytes | None) -> None:
        if empty is None:
            with closing(sqlite3.connect(path)) as database:
                database.execute("VACUUM")
        else:
            path.write_bytes(empty)
        with opened(path) as box:
            assert box.pragma("user_version") == schema.SCHEMA_VERSION
            assert box.pragma("application_id") == schema.APPLICATION_ID
            box.until(box.keep(OPENED))

    def test_a_migration_that_fails_leaves_the_file_as_it_was(
        self, path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Else half a schema, without our mark, would be called another program's for ever."""
        with monkeypatch.context() as patch:
            patch.setitem(schema.TABLES, "leagues", "CREATE TABLE sessions (again TEXT);")
            assert trouble_of(lambda: Box(str(path))) is StoreTrouble.UNUSABLE
        with opened(path) as box:
            box.until(box.keep(OPENED))

    def test_the_mark_is_made_with_the_tables(self, path: Path) -> None:
        """A process that dies between the two would leave a file that nobody takes for ours."""
        statements: list[str] = []
        connect = sqlite3.connect

        def traced(*arguments: object, **options: object) -> sqlite3.Connection:
            database = connect(*arguments, **options)  # type: ignore[call-overload]  # passed on as they came
            database.set_trace_callback(statements.append)
            return database  # type: ignore[no-any-return]  # as above

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(sqlite3, "connect", traced)
            with opened(path):
                pass
        marked = next(at for at, text in enumerate(statements) if "application_id = " in text)
        committed = next(at for at, text in enumerate(statements) if text.strip().startswith("COMMIT"))
        assert marked < committed


@pytest.mark.usefixtures("quick_retries")
class TestTrouble:
    def test_a_full_disk_acknowledges_nothing_until_there_is_room(self, path: Path) -> None:
        with opened(path) as box:
            box.until(box.keep(OPENED))
            box.pragma(f"max_page_count = {box.pragma('page_count')}")
            ticket = box.keep(*(moved(seq) for seq in range(1, 400)))
            later = box.keep(moved(400))
            for _ in range(3):
                progress = box.trouble()
                assert (progress.ticket, progress.seconds) == (ticket - 1, 0.0)
                assert "full" in str(progress.trouble)
            assert seqs(path) == []
            box.pragma("max_page_count = 100000")
            told = box.until(later)
            assert [progress.ticket for progress in told if progress.trouble is None][-1] == later
        assert seqs(path) == list(range(1, 401))

    def test_closing_on_a_full_disk_leaves_no_gap(self, path: Path) -> None:
        """What comes after a batch that could not be written must not be written either."""
        with opened(path) as box:
            box.until(box.keep(OPENED))
            box.pragma(f"max_page_count = {box.pragma('page_count')}")
            ticket = box.keep(*(moved(seq) for seq in range(1, 400)))
            assert box.trouble().ticket == ticket - 1
            box.keep(moved(400))
        told: Sequence[Progress] = [box.told.get_nowait() for _ in range(box.told.qsize())]
        assert all(progress.ticket < ticket for progress in told), "acknowledged, but not written"
        assert seqs(path) == []

    def test_a_locked_file_is_waited_for_without_holding_up_the_owner(self, path: Path) -> None:
        with opened(path) as box, closing(sqlite3.connect(path, isolation_level=None)) as other:
            assert box.pragma("busy_timeout") == 5000, "the wait has a bound"
            box.pragma("busy_timeout = 5")
            other.execute("BEGIN IMMEDIATE")
            tickets = [box.keep(OPENED), *(box.keep(moved(seq)) for seq in range(1, 20))]
            progress = box.trouble()
            assert progress.ticket < tickets[0]
            assert "locked" in str(progress.trouble)
            other.execute("ROLLBACK")
            box.until(tickets[-1])
        assert seqs(path) == list(range(1, 20))
