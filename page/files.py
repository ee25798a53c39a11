"""Everything that the page consists of, read and compressed once: a path of a request never becomes the name of a file.

The views have addresses of their own (`/m/ID`, `/replay/...`): each of them is the same document, whose script looks at
the address.
"""

from __future__ import annotations

import gzip
import hashlib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files as resources
from types import MappingProxyType
from typing import Final, NamedTuple

from machine.modules import full_name
from page.catalogue import described

TYPES: Final[Mapping[str, str]] = MappingProxyType(
    {
        "html": "text/html; charset=utf-8",
        "css": "text/css; charset=utf-8",
        "js": "text/javascript; charset=utf-8",
        "svg": "image/svg+xml",
        "json": "application/json",
    }
)
"""The media type of a file by the end of its name."""

FILES: Final = (
    "board.js", "clocks.js", "connection.js", "dom.js", "icon.svg", "lobby.js", "main.js", "match.js", "play.js",
    "players.js", "replay.js", "style.css", "texts.js",
)  # fmt: skip
"""What lies below `/app/`."""

DOCUMENT: Final = "index.html"

VIEWS: Final = ("/m/", "/j/", "/replay/")
"""Where the addresses of views begin; `/` is one, too."""


class File(NamedTuple):
    """One file; tag: changes with its content, as an ETag says it, with its quotes."""

    kind: str
    body: bytes
    compressed: bytes
    tag: str


class Site:
    """The page's files by their paths."""

    def __init__(self, files: Mapping[str, File], document: File) -> None:
        self._files = files
        self.document = document

    def find(self, path: str) -> File | None:
        """The file at a path of a request, without its query; None if there is nothing."""
        if path.startswith(VIEWS):
            return self.document
        return self._files.get(path)


@cache
def site() -> Site:
    """The page, read from the files that are installed."""
    folder = resources(full_name("page")) / "app"
    found = {f"/app/{name}": _file(name, (folder / name).read_bytes()) for name in FILES}
    found["/app/games.json"] = _file("games.json", described())
    return Site(MappingProxyType(found), _file(DOCUMENT, (folder / DOCUMENT).read_bytes()))


def _file(name: str, body: bytes) -> File:
    tag = hashlib.sha256(body).hexdigest()[:16]
    return File(TYPES[name.rpartition(".")[2]], body, gzip.compress(body, mtime=0), f'"{tag}"')
