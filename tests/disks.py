"""Disks that are really full: a small one of its own where root may mount one."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

import pytest


@contextmanager
def small_disk(folder: Path, size: int) -> Generator[Path]:
    """A disk of so many bytes at `folder`, which is made; skips the test where none can be mounted."""
    if shutil.which("mount") is None:
        pytest.skip("there is no mount here")
    folder.mkdir()
    options = ["-t", "tmpfs", "-o", f"size={size},mode=0700", "tmpfs", str(folder)]
    done = subprocess.run(["mount", *options], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        pytest.skip(f"no disk can be mounted here: {done.stderr.strip()}")
    try:
        yield folder
    finally:
        subprocess.run(["umount", "--lazy", str(folder)], capture_output=True, check=True)


def fill(path: Path, leave: int = 0) -> None:
    """Fills the disk at `path`, a file, but for so many bytes."""
    with path.open("wb", buffering=0) as stream:
        written = 1
        while written:
            try:
                written = stream.write(bytes(1 << 12))
            except OSError:
                written = 0
        os.truncate(path, max(0, stream.tell() - leave))
