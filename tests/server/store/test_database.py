"""The database is its owner's alone, with all that stands beside it."""

from __future__ import annotations

import os
import sqlite3
import stat
import tempfile
from collections.abc import Generator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from server.referee.effects import MatchOpened
from server.store import database
from server.store.store import Progress, Store, row_of
from server.store.store_errors import StoreError

pytestmark = pytest.mark.skipif(os.name != "posix", reason="asks for POSIX rights")


def nobody(_: Progress) -> None:
    """Hears of no progress."""


@pytest.fixture(autouse=True)
def generous() -> Generator[None, None, None]:
    """Somebody who lets the world read what he makes."""
    before = os.umask(0)
    yield
    os.umask(before)


@contextmanager
def running(path: Path) -> Generator[None, None, None]:
    """A server that has written something, so that all its files are there."""
    store = Store(str(path), "process", nobody)
    store.submit([row_of(MatchOpened("m1", "othello", None, True, None), 0)])
    try:
        yield
    finally:
        store.close()


def rights(folder: Path) -> dict[str, int]:
    return {file.name: stat.S_IMODE(file.stat().st_mode) for file in folder.iterdir()}


def test_a_new_database_and_its_folder_are_for_its_owner_alone(tmp_path: Path) -> None:
    folder = tmp_path / "data" / "arbitre"
    with running(folder / "a.db"):
        assert rights(folder) == dict.fromkeys(("a.db", "a.db-wal", "a.db-shm", "a.db.lock"), 0o600)
    assert [stat.S_IMODE(made.stat().st_mode) for made in (folder, folder.parent)] == [0o700, 0o700]


def test_a_folder_that_was_there_stays_as_it_is(tmp_path: Path) -> None:
    tmp_path.chmod(0o755)
    with running(tmp_path / "a.db"):
        assert stat.S_IMODE(tmp_path.stat().st_mode) == 0o755


def test_what_others_could_read_is_closed_to_them(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    with running(path):
        pass
    with closing(sqlite3.connect(path)) as killed:
        killed.execute("CREATE TABLE left_behind (by_a_kill INTEGER)")
        killed.commit()
        (tmp_path / "a.db.schema-1.bak").touch()
        for file in tmp_path.iterdir():
            file.chmod(0o644)
        with running(path):
            names = ("a.db", "a.db-wal", "a.db-shm", "a.db.lock", "a.db.schema-1.bak")
            assert rights(tmp_path) == dict.fromkeys(names, 0o600)


def test_another_program_s_database_keeps_its_rights(tmp_path: Path) -> None:
    path = tmp_path / "songs.db"
    with closing(sqlite3.connect(path)) as songs, songs:
        songs.execute("CREATE TABLE songs (title TEXT)")
    path.chmod(0o644)
    with pytest.raises(StoreError):
        Store(str(path), "process", nobody)
    assert stat.S_IMODE(path.stat().st_mode) == 0o644


def test_they_are_made_so_and_not_only_changed_to_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(database, "_keep_private", lambda path: None)
    with running(tmp_path / "a.db"):
        assert set(rights(tmp_path).values()) == {0o600}


@pytest.mark.skipif(os.name != "posix" or os.geteuid() != 0, reason="only root can make another's file")
def test_who_does_not_own_it_is_told_in_the_log(caplog: pytest.LogCaptureFixture) -> None:
    with tempfile.TemporaryDirectory() as name:  # nobody may enter the folders of pytest
        path = Path(name) / "a.db"
        with running(path):
            pass
        path.parent.chmod(0o777)
        for file in path.parent.iterdir():
            file.chmod(0o666)
        os.seteuid(65534)
        try:
            with running(path):
                pass
        finally:
            os.seteuid(0)
    assert f"others may read {path}, and that can't be changed" in caplog.text
