"""What is served of the studio's runtime: a fixed table of addresses that change with what is behind them.

Somebody may install or remove it while the server runs; then it is read anew when a page asks whether it is there.
"""

from __future__ import annotations

import json
from typing import Final, NamedTuple

from machine.modules import program
from page.studio import installation
from page.studio.installation import FILES, PACKED
from page.studio.sources import sources

START: Final = "/studio-files/"
"""Where the addresses of the runtime begin."""

STATE: Final = "/app/studio.json"
"""What the page asks: whether the runtime is here, and where."""

_ARCHIVE: Final = "arbitre.zip"


class Piece(NamedTuple):
    """One file of the runtime as it is sent; encoding: `gzip`, or nothing."""

    kind: str
    body: bytes
    encoding: str


class RuntimeFiles:
    """The pieces by their addresses, read when they are first wanted."""

    def __init__(self) -> None:
        self._stamp = (-1, -1)
        self._base = ""
        self._pieces: dict[str, Piece] = {}

    def state(self) -> bytes:
        """What a page is told: where the runtime is (null if it is not installed), and what installs it."""
        self._look()
        told = {
            "base": self._base or None,
            "sources": f"{START}{sources().name}/{_ARCHIVE}",
            "command": f"{program()} studio install",
        }
        return json.dumps(told).encode()

    def find(self, path: str) -> Piece | None:
        """The piece at an address; None if there is nothing."""
        if self._stamp == (-1, -1):  # the server has started again: browsers have the address from before
            self._look()
        return self._pieces.get(path)

    def _look(self) -> None:
        stamp = installation.stamp()
        if stamp == self._stamp:
            return
        self._stamp, self._base, self._pieces = stamp, "", {}
        archive = sources()
        self._pieces[f"{START}{archive.name}/{_ARCHIVE}"] = Piece("application/zip", archive.body, "")
        found = installation.usable()
        if found is None:
            return
        base = f"{START}{found.name}/"
        try:
            pieces = {
                base + name: Piece(kind, (found.folder / name).read_bytes(), "" if name in PACKED else "gzip")
                for name, kind in FILES.items()
            }
        except OSError:
            return  # it is being removed
        self._base = base
        self._pieces.update(pieces)
