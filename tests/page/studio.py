"""The studio's runtime for tests: installed once for all of them, from the registry that npm knows."""

from __future__ import annotations

import gzip
import os
import subprocess
import time
from pathlib import Path

import pytest

from machine.modules import command
from page.studio.installation import FILES, PACKED
from page.studio.sources import sources

PATIENCE_S = 600.0

_UNREACHED = "npm does not reach its registry"


def install(shared: Path) -> None:
    """Installs the studio below a folder; whoever comes first does, the others wait."""
    environment = {**os.environ, "XDG_DATA_HOME": str(shared)}
    try:
        shared.mkdir()
    except FileExistsError:
        _wait(shared / "done")
    else:
        done = subprocess.run(
            command("studio", "install"),
            env=environment,
            capture_output=True,
            text=True,
            timeout=PATIENCE_S,
            check=False,
        )
        (shared / "done").write_text("" if done.returncode == 0 else done.stderr, encoding="utf-8")
    said = (shared / "done").read_text(encoding="utf-8")
    if _UNREACHED in said:
        pytest.skip("npm does not reach a registry here")
    assert said == ""


def _wait(path: Path) -> None:
    end = time.monotonic() + PATIENCE_S
    while not path.exists():
        assert time.monotonic() < end, "nobody has installed the studio"
        time.sleep(0.1)


def unpack(shared: Path, folder: Path) -> None:
    """Lays out what is installed as node wants it, with the archive of our sources."""
    (installed,) = (path.parent for path in (shared / "arbitre" / "studio").glob("*/manifest.json"))
    for name in FILES:
        body = (installed / name).read_bytes()
        (folder / name).write_bytes(body if name in PACKED else gzip.decompress(body))
    (folder / "arbitre.zip").write_bytes(sources().body)
