"""The studio's runtime for tests: installed once for all of them, from the registry that npm knows."""

from __future__ import annotations

import gzip
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext

from machine.modules import command
from page.studio.installation import FILES, PACKED
from page.studio.sources import sources
from tests.page.browser import Reader, Room

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


_left: dict[tuple[Browser, int, str], list[BrowserContext]] = {}
"""The browsers that stand free, by the server that they know and how they are."""


class Computers(Room):
    """A room whose browsers stay for the next test: they keep how Python looks once it has started, and nothing else.

    So it starts in a third of the time, as for all pupils but the first at a computer.
    """

    def __init__(self, browser: Browser, port: int) -> None:
        super().__init__(browser, port)
        self._places: list[tuple[Browser, int, str]] = []

    def enter(self, options: dict[str, Any]) -> Reader:
        """Somebody who sits down where nobody sits, or brings a new browser."""
        place = (self._browser, self.port, repr(sorted(options.items())))
        self._places.append(place)
        free = _left.setdefault(place, [])
        if not free:
            return super().enter(options)
        found = Reader(self._browser, self.port, free.pop())
        found.forget()
        return found

    def empty(self) -> None:
        """All go, and leave their browsers."""
        for place, reader in zip(self._places, self.readers, strict=True):
            _left[place].append(reader.close_tabs())
