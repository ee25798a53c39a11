"""One stored database of every schema that ever was: each is brought up to date, whole, and played on.

`tests/data/stores` holds what the code of its time wrote, as SQL: Ada and Bob, a game of morpion that is over, a game
of Othello in which Ada is to play ply 2, and a private match that waits. More than one schema has the number 1 or 3:
events had a key at first, `guests` came without a new number, and a file of before was raised to 3 without them.
"""

from __future__ import annotations

import os
import sqlite3
import stat
import subprocess
import sys
from contextlib import closing
from functools import partial
from pathlib import Path

import pytest

from protocol.messages import Welcome
from server.records.archive import check
from server.store import schema
from server.store.reading import Reader, read_matches
from server.store.store import Progress, Store
from server.store.store_errors import StoreError, StoreTrouble
from tests.server.hall import Guest, Hall

ROOT = Path(__file__).parents[3]
STORES = sorted((ROOT / "tests/data/stores").glob("*.sql"))
OLDER = [store for store in STORES if store.stem != f"schema-{schema.SCHEMA_VERSION}"]

over = pytest.mark.parametrize("stored", STORES, ids=lambda store: store.stem)
older = pytest.mark.parametrize("stored", OLDER, ids=lambda store: store.stem)


def nobody(_: Progress) -> None:
    """Hears of no progress."""


def laid(stored: Path, folder: Path) -> Path:
    """The database of that time."""
    path = folder / "arbitre.sqlite"
    with closing(sqlite3.connect(path)) as database:
        database.execute("PRAGMA journal_mode = WAL")
        database.executescript(stored.read_text(encoding="utf-8"))
    return path


def content(path: Path) -> list[object]:
    """All that a file holds."""
    with closing(sqlite3.connect(path)) as database:
        marks = [database.execute(f"PRAGMA {mark}").fetchone()[0] for mark in ("user_version", "application_id")]
        return [*marks, *database.iterdump()]


def copies(path: Path) -> list[str]:
    return sorted(copy.name for copy in path.parent.glob("*.bak"))


@over
async def test_it_is_brought_up_to_date_whole_and_played_on(stored: Path, tmp_path: Path) -> None:
    path = laid(stored, tmp_path)
    ada, bob = Guest("Ada"), Guest("Bob")
    ada.token, bob.token = "s1.secret1", "s2.secret2"
    hall = Hall(partial(Store, str(path), "process"))
    try:
        for guest in (ada, bob):
            await guest.come(hall)
            assert guest.last(Welcome).resumed
        running = next(table.match.id for table in hall.app.referee.lobby.tables() if table.match.ply == 2)
        assert running in ada.last(Welcome).matches
        await ada.move(running, 2, "c4")
    finally:
        await hall.stop()
    matches = list(read_matches(str(path)))
    assert [(match.game, match.result is not None, match.public) for match in matches] == [
        ("morpion", True, True), ("othello", False, True), (matches[2].game, False, False),
    ]  # fmt: skip
    assert [match.seats for match in matches] == [{1: "s1", 2: "s2"}, {1: "s1", 2: "s2"}, {1: "s1"}]
    for match in matches:
        assert [event.seq for event in match.events] == list(range(1, len(match.events) + 1))
        assert check(match) == []
    with Reader(str(path)) as reader:
        assert reader.damage() == []
        assert [match for one in reader.matches() for match in reader.matches(one.id)] == matches


@older
def test_the_copy_beside_it_is_the_old_file(stored: Path, tmp_path: Path) -> None:
    path = laid(stored, tmp_path)
    before = content(path)
    with pytest.raises(StoreError) as raised:
        Reader(str(path))
    assert (raised.value.trouble, content(path)) == (StoreTrouble.OLDER, before)
    Store(str(path), "process", nobody).close()
    (copy,) = copies(path)
    assert copy == f"arbitre.sqlite.schema-{before[0]}.bak"
    assert content(tmp_path / copy) == before
    assert stat.S_IMODE((tmp_path / copy).stat().st_mode) == 0o600 or os.name != "posix"
    Store(str(path), "process", nobody).close()
    assert copies(path) == [copy], "once is enough"


def parts(path: Path) -> list[tuple[str, str]]:
    """The tables and indexes that a file has."""
    with closing(sqlite3.connect(path)) as database:
        return sorted(database.execute("SELECT type, name FROM sqlite_schema"))


@older
def test_it_has_the_tables_and_indexes_of_a_new_file(stored: Path, tmp_path: Path) -> None:
    path, new = laid(stored, tmp_path), tmp_path / "new.sqlite"
    for file in (path, new):
        Store(str(file), "process", nobody).close()
    assert parts(path) == parts(new)


def test_there_is_one_of_every_number() -> None:
    found = {int(store.read_text(encoding="utf-8").split(";")[0].split()[-1]) for store in STORES}
    assert found == set(range(1, schema.SCHEMA_VERSION + 1))


def test_what_a_killed_server_left_in_the_log_is_in_the_copy(tmp_path: Path) -> None:
    path = laid(OLDER[0], tmp_path)
    with closing(sqlite3.connect(path)) as database:
        database.execute("UPDATE sessions SET name = 'Zoé' WHERE id = 's1'")
        database.commit()
        assert Path(f"{path}-wal").stat().st_size > 0
        Store(str(path), "process", nobody).close()
    (copy,) = copies(path)
    assert any("Zoé" in str(line) for line in content(tmp_path / copy))


def test_no_copy_is_overwritten(tmp_path: Path) -> None:
    path = laid(OLDER[0], tmp_path)
    (tmp_path / "arbitre.sqlite.schema-1.bak").write_text("somebody's", encoding="utf-8")
    Store(str(path), "process", nobody).close()
    assert copies(path) == ["arbitre.sqlite.schema-1.2.bak", "arbitre.sqlite.schema-1.bak"]
    assert (tmp_path / "arbitre.sqlite.schema-1.bak").read_text(encoding="utf-8") == "somebody's"


@pytest.mark.parametrize("spoil", ["ALTER TABLE results DROP COLUMN chain", "ALTER TABLE seats RENAME session TO who"])
def test_a_file_that_is_none_of_ours_for_all_its_marks_is_left_alone(spoil: str, tmp_path: Path) -> None:
    path = laid(OLDER[0], tmp_path)
    with closing(sqlite3.connect(path)) as database:
        database.execute(spoil)
    before = content(path)
    with pytest.raises(StoreError) as raised:
        Store(str(path), "process", nobody)
    assert raised.value.trouble is StoreTrouble.DAMAGED
    assert (content(path), copies(path)) == (before, [])


def test_a_raise_that_fails_leaves_the_file_and_no_copy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = laid(OLDER[0], tmp_path)
    before = content(path)
    monkeypatch.setattr(schema, "_LOCATE", f"{schema._LOCATE} SELECT no_such_function();")
    with pytest.raises(StoreError) as raised:
        Store(str(path), "process", nobody)
    assert raised.value.trouble is StoreTrouble.UNUSABLE
    assert (content(path), copies(path)) == (before, [])
    monkeypatch.undo()
    Store(str(path), "process", nobody).close()


LIMITED = """
import resource, runpy, sys
resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 18, 1 << 18))
sys.argv = ["arbitre", "--lang", "en", "serve", "--port", "0", "--db", sys.argv[1]]
runpy.run_module("arbitre", run_name="__main__")
"""
"""A server whose files may grow to 256 KiB."""


@pytest.mark.skipif(os.name != "posix", reason="asks for POSIX limits")
def test_no_room_for_the_copy_is_a_sentence_and_changes_nothing(tmp_path: Path) -> None:
    path = laid(OLDER[0], tmp_path)
    with closing(sqlite3.connect(path)) as database, database:
        database.execute("INSERT INTO sessions VALUES ('s3', 'Eve', 'human', zeroblob(1 << 20), NULL)")
    before = content(path)
    done = subprocess.run(
        [sys.executable, "-c", LIMITED, str(path)], cwd=ROOT, capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 1
    assert "Traceback" not in done.stderr
    assert "make room for it" in done.stderr
    assert "Nothing was changed" in done.stderr
    assert (content(path), copies(path)) == (before, [])
