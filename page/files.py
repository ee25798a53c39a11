"""Everything that the page consists of, read once: a path of a request never becomes the name of a file.

The views have addresses of their own (`/m/ID`, `/replay/...`): each of them is the same document, whose script looks at
the address.
"""

from __future__ import annotations

import gzip
import hashlib
import re
from collections.abc import Callable, Mapping
from functools import cache, partial
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
    "acting.js", "addresses.js", "banner.js", "board.js", "clocks.js", "commands.js", "connection.js", "dom.js",
    "drag.js", "explain.js", "file_text.js", "grid.js", "house.js", "icon.svg", "kept.js", "later.js", "league.js",
    "links.js", "lobby.js", "local_board.js", "main.js", "match.js", "moves.js", "picture.js", "pieces.js", "play.js",
    "players.js", "press.js", "replay.js", "rising.js", "routes.js", "scores.js", "seats.js", "settings.js", "share.js",
    "small.js", "sound.js", "style.css", "texts.js", "thinking.js", "tree.css", "typing.js", "wall.js", "watch.css",
    "who.js",
)  # fmt: skip
"""What lies below `/app/`."""

LATER: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType({
    "class": (
        "bar.js", "class.css", "common.js", "games.js", "hall.js", "hand_in.js", "letters.js", "member.js", "pupil.js",
        "question.js", "texts.js", "work.js",
    ),
    "desk": (
        "common.js", "desk.css", "desk.js", "forms.js", "pupils.js", "setup.js", "teacher.js", "texts.js", "wall.js",
    ),
    "review": (
        "exercises.js", "finding.js", "grades.js", "graph.js", "review.css", "review.js", "store.js", "texts.js",
    ),
    "studio": (
        "bot.js", "console.js", "drafts.js", "editor.js", "files.js", "folder.js", "lesson.js", "pool.js", "sight.js",
        "snapshots.js", "studio.css", "studio.js", "texts.js", "wishes.js", "worker.js",
    ),
})  # fmt: skip
"""What lies below `/app/FOLDER/`: loaded when somebody opens a view of it, and not before."""

DOCUMENT: Final = "index.html"

EMBEDDED: Final = "/embed/"
"""Where the addresses begin that the page of another site may show in a frame."""

VIEWS: Final = (
    "/m/", "/j/", "/M/", "/J/", "/l/", "/replay/", "/local/", "/explore/", "/review/", "/class/", "/desk/", EMBEDDED,
)  # fmt: skip
"""Where the addresses of views begin; `/` is one, too. What a QR code holds is in capitals: it is smaller so."""

PLACES: Final = ("/watch", "/wall", "/exercises", "/studio")
"""The addresses of views that name nothing."""


_INDENT: Final = re.compile(rb"^[ \t]+", re.MULTILINE)
"""The indentation of a line. It may be removed because no script has a string of several lines."""

_ASIDE: Final = re.compile(rb"(?<=\S)([ \t]*)/\*\*[^*\n]*\*/ ?")
"""A type annotation in a comment inside a line."""

_OPAQUE: Final = re.compile(rb"[`/'\\\\]")
"""A line with one of these stays as it is: a template, a regular expression, a comment, a string in other quotes."""

_TEXT: Final = re.compile(rb'("[^"]*")')
"""A text in a line that is not opaque."""

_SIGN: Final = re.compile(rb" *([,;:{}()\[\]=<>&|?]) *")
"""What needs no space beside it in a script. Not + and -, which would become ++ and --."""

_REMARK: Final = re.compile(rb"/\*[^*]*\*/\n?")
_BRACE: Final = re.compile(rb" *([{};]) *")
_COLON: Final = re.compile(rb"([:,]) ")
"""What stands in a style sheet: a comment, signs that need no space around them, and those that need none after."""

_COMMENT: Final = re.compile(rb"^[ \t]*(?:/\*\*?(?:[^*]|\*(?!/))*\*/|//[^\n]*)[ \t]*$", re.MULTILINE)
"""A comment of a script that has its lines to itself. No script has texts of several lines, where it would be wrong."""


class File(NamedTuple):
    """One file; tag: changes with its content, as an ETag says it, with its quotes."""

    kind: str
    body: bytes
    compressed: bytes
    tag: str


class Site:
    """The page's files by their paths.

    All are read at once, so that they fit together. Each is made ready when somebody first asks for it: many servers
    show none.
    """

    def __init__(self, sources: Mapping[str, Callable[[], File]], document: File) -> None:
        self._sources = sources
        self._ready: dict[str, File] = {}
        self.document = document

    def find(self, path: str) -> File | None:
        """The file at a path of a request, without its query; None if there is nothing."""
        if path.startswith(VIEWS) or path in PLACES:
            return self.document
        file = self._ready.get(path)
        if file is None and (make := self._sources.get(path)) is not None:
            file = self._ready[path] = make()
        return file


@cache
def site() -> Site:
    """The page, read from the files that are installed."""
    folder = resources(full_name("page")) / "app"
    found = {f"/app/{name}": partial(_file, name, (folder / name).read_bytes()) for name in FILES}
    for part, names in LATER.items():
        found |= {f"/app/{part}/{name}": partial(_file, name, (folder / part / name).read_bytes()) for name in names}
    games = {"/app/games.json": lambda: _file("games.json", described())}
    return Site(MappingProxyType(found | games), _file(DOCUMENT, (folder / DOCUMENT).read_bytes()))


def slim(body: bytes) -> bytes:
    """A script without its comments and its indentation, which are more than a quarter of it.

    Lines keep their numbers, for those who look for a fault.
    """
    body = _COMMENT.sub(lambda found: b"\n" * found[0].count(b"\n"), body)
    return b"\n".join(map(_tight, _INDENT.sub(b"", _ASIDE.sub(rb"\1", body)).split(b"\n")))


def slim_style(body: bytes) -> bytes:
    """A style sheet without comments and the spaces that say nothing."""
    body = _INDENT.sub(b"", _REMARK.sub(b"", body))
    return _COLON.sub(rb"\1", _BRACE.sub(rb"\1", body))


def _tight(line: bytes) -> bytes:
    """A line of a script without the spaces around signs, where no text, expression or pattern can hold them."""
    if _OPAQUE.search(line):
        return line
    parts = _TEXT.split(line)
    parts[::2] = [_SIGN.sub(rb"\1", part) for part in parts[::2]]
    return b"".join(parts)


def _file(name: str, body: bytes) -> File:
    if name.endswith(".js"):
        body = slim(body)
    elif name.endswith(".css"):
        body = slim_style(body)
    tag = hashlib.sha256(body).hexdigest()[:16]
    return File(TYPES[name.rpartition(".")[2]], body, gzip.compress(body, mtime=0), f'"{tag}"')
