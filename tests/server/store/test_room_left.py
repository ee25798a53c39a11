"""A disk that gets full: it is noticed while what has begun can still be recorded, and again when there is room."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import pytest

from server.store import room_left
from server.store import store as store_module
from server.store.room_left import CHECK_SECONDS, LEAST_FREE, RoomLeft
from server.store.schema import MEMORY
from server.store.store import Progress
from tests.server.hall import Hall
from tests.server.store.boxes import OPENED, SOON, moved, opened


class Usage(NamedTuple):
    """What `shutil.disk_usage` answers."""

    total: int
    used: int
    free: int


LARGE = 1 << 40


class Disk:
    """A disk with as much room as a test says."""

    def __init__(self, free: int, total: int = LARGE) -> None:
        self.free, self.total = free, total
        self.looks = 0

    def disk_usage(self, path: Path) -> Usage:
        self.looks += 1
        if self.free < 0:
            raise OSError
        return Usage(self.total, self.total - self.free, self.free)


@pytest.fixture
def disk(monkeypatch: pytest.MonkeyPatch) -> Disk:
    made = Disk(LARGE)
    monkeypatch.setattr(room_left, "shutil", made)
    return made


def test_it_is_scarce_below_a_bound_until_there_is_more_than_that(disk: Disk, caplog: pytest.LogCaptureFixture) -> None:
    room, now, told = RoomLeft("/folder/file"), 0.0, []
    for free in (LEAST_FREE, LEAST_FREE - 1, LEAST_FREE + 1, LEAST_FREE * 3 // 2, LEAST_FREE):
        disk.free = free
        changed = room.look(now)
        told.append((changed, room.scarce))
        now += CHECK_SECONDS
    assert told == [(False, False), (True, True), (False, True), (True, False), (False, False)]
    assert [record.getMessage()[:25] for record in caplog.records] == ["only 63 MB of the disk ar"]


def test_a_small_disk_may_have_little_room(disk: Disk) -> None:
    disk.total, disk.free = 1 << 20, 60_000
    room = RoomLeft("/folder/file")
    room.look(0.0)
    assert not room.scarce
    disk.free = 50_000
    room.look(CHECK_SECONDS)
    assert room.scarce


def test_it_is_looked_at_now_and_then_and_never_for_memory(disk: Disk) -> None:
    room = RoomLeft("/folder/file")
    for moment in range(100):
        room.look(moment * CHECK_SECONDS / 50)
    assert disk.looks == 2
    assert not RoomLeft(MEMORY).look(0.0)
    assert disk.looks == 2


def test_a_disk_that_can_not_be_asked_is_as_it_was(disk: Disk) -> None:
    room = RoomLeft("/folder/file")
    disk.free = 0
    room.look(0.0)
    disk.free = -1
    assert not room.look(CHECK_SECONDS)
    assert room.scarce


def test_the_store_tells_it_and_also_when_nobody_may_write(
    tmp_path: Path, disk: Disk, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in (room_left, store_module):
        monkeypatch.setattr(module, "CHECK_SECONDS", 0.001)
    with opened(tmp_path / "arbitre.sqlite") as box:
        assert not box.until(box.keep(OPENED))[-1].scarce
        disk.free = 0
        seq = 0
        while not box.until(box.keep(moved(seq := seq + 1)))[-1].scarce:
            pass
        disk.free = LARGE
        progress = box.told.get(timeout=SOON)
        assert (progress.trouble, progress.seconds, progress.scarce) == (None, 0.0, False)
        assert progress.ticket == seq + 1


async def test_the_referee_hears_of_it_and_no_commit_is_counted() -> None:
    hall = Hall()
    for scarce in (True, False):
        hall.app._progress(Progress(0, None, 0.0, scarce))
        assert hall.app.referee.scarce is scarce
    assert sum(hall.app.figures.commits.counts) == 0
    hall.end()
