"""Files that are written whole or not at all, and those that one process at a time holds."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
from pathlib import Path

import pytest

from machine import locks
from machine.files import Additions, beginning, read_bounded, takes
from tests.disks import fill, small_disk


def test_what_a_crash_cut_short_is_cut_off(tmp_path: Path) -> None:
    path = tmp_path / "log"
    path.write_bytes(b"one\ntw")
    log = Additions(path, 4)
    log.add(b"two\n")
    log.close()
    assert path.read_bytes() == b"one\ntwo\n"
    log = Additions(path)
    log.add(b"three\n")
    log.close()
    assert path.read_bytes() == b"one\ntwo\nthree\n"


def test_what_does_not_fit_is_not_there_and_what_fits_after_it_is(tmp_path: Path) -> None:
    with small_disk(tmp_path / "disk", 1 << 20) as disk:
        log = Additions(disk / "log")
        log.add(b"one\n")
        fill(disk / "filled")
        assert not takes(disk, 1 << 16)
        with pytest.raises(OSError, match="No space left"):
            log.add(b"x" * (1 << 14))
        assert (disk / "log").read_bytes() == b"one\n"
        (disk / "filled").unlink()
        assert takes(disk, 1 << 16)
        log.add(b"two\n")
        log.close()
        assert (disk / "log").read_bytes() == b"one\ntwo\n"


def test_a_line_that_could_not_be_taken_away_goes_before_the_next(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> None:
        raise OSError(errno.EIO, os.strerror(errno.EIO))

    log = Additions(tmp_path / "log")
    log.add(b"one\n")
    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", broken)
        patch.setattr(os, "truncate", broken)
        with pytest.raises(OSError, match="error"):
            log.add(b"lost\n")
        with pytest.raises(OSError, match="error"):
            log.add(b"lost\n")
    log.add(b"two\n")
    log.close()
    assert (tmp_path / "log").read_bytes() == b"one\ntwo\n"


def test_a_file_of_others_is_read_up_to_a_bound_and_a_pipe_not_at_all(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"x" * 1000)
    assert read_bounded(tmp_path / "file", 1000) == b"x" * 1000
    assert beginning(tmp_path / "file", 10) == b"x" * 10
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "zero").symlink_to("/dev/zero")
    for name, number in (("file", errno.EFBIG), ("pipe", errno.ENODEV), ("zero", errno.ENODEV), ("", errno.ENODEV)):
        with pytest.raises(OSError) as caught:  # noqa: PT011 - its number is what is looked at
            read_bounded(tmp_path / name, 999)
        assert caught.value.errno == number


def test_a_lock_ends_with_its_process(tmp_path: Path) -> None:
    path = tmp_path / "lock"
    code = (
        "import sys; from machine import locks; f = open(sys.argv[1], 'ab'); locks.lock(f.fileno()); print(); input()"
    )
    with subprocess.Popen(
        [sys.executable, "-c", code, str(path)], cwd=Path(__file__).parents[1], stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    ) as other:  # fmt: skip
        assert other.stdout is not None
        other.stdout.readline()
        with path.open("ab") as mine:
            with pytest.raises(BlockingIOError):
                locks.lock(mine.fileno())
            other.kill()
            other.wait()
            locks.lock(mine.fileno())
