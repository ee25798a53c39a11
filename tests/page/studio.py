"""The studio's runtime for tests: installed once for all of them, from the registry that npm knows."""

from __future__ import annotations

import gzip
import os
import subprocess
from pathlib import Path

import pytest

from machine.modules import command
from page.studio.installation import FILES, PACKED
from page.studio.sources import sources

PATIENCE_S = 600.0

READY_MS = 180_000
"""A start of Python in a browser, on a machine that does twelve other things."""

_UNREACHED = "npm does not reach its registry"


def install(folder: Path) -> Path:
    """Installs the studio below a folder of a user's data, which is returned."""
    done = subprocess.run(
        command("studio", "install"), env={**os.environ, "XDG_DATA_HOME": str(folder)}, capture_output=True, text=True,
        timeout=PATIENCE_S, check=False,
    )  # fmt: skip
    if _UNREACHED in done.stderr:
        pytest.skip("npm does not reach a registry here")
    assert done.returncode == 0, done.stderr
    return folder


def unpack(shared: Path, folder: Path) -> None:
    """Lays out what is installed as node wants it, with the archive of our sources."""
    (installed,) = (path.parent for path in (shared / "arbitre" / "studio").glob("*/manifest.json"))
    for name in FILES:
        body = (installed / name).read_bytes()
        (folder / name).write_bytes(body if name in PACKED else gzip.decompress(body))
    (folder / "arbitre.zip").write_bytes(sources().body)
