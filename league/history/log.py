"""What happened in a league, line by line: the one file from which its schedule, results and table are derived.

Each line is a JSON object: `kind`, what that kind holds, and `link`, the SHA-256 of the link before and the rest of the
line. So a line can't be changed, dropped or moved without all that follow showing it. Lines that belong together are
written and synced at once; half a line, or a line without its end, is what a crash leaves, and is cut off.

Errors: LogError    a log that can't be read or written; the message is a sentence for the user
"""

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from types import TracebackType
from typing import Any, Final, NamedTuple, Self

from locales import _
from machine.files import Additions

NAME: Final = "league.jsonl"
"""The log in a league's folder."""

START: Final = hashlib.sha256(b"arbitre league 1").hexdigest()
"""The link before the first line."""


class LogError(Exception):
    """A log that is not there, not ours, or was changed."""


class LogEntry(NamedTuple):
    """One line: what kind it is, and what it says."""

    kind: str
    data: Mapping[str, Any]


def _rest(entry: LogEntry) -> str:
    return json.dumps({"kind": entry.kind, **entry.data}, ensure_ascii=False, separators=(",", ":"))


def _link(before: str, rest: str) -> str:
    return hashlib.sha256(f"{before}\n{rest}".encode()).hexdigest()


def lines(entries: Iterable[LogEntry], before: str = START) -> Iterator[str]:
    """The lines, ends included, that stand for `entries` after the link `before`."""
    for entry in entries:
        rest = _rest(entry)
        before = _link(before, rest)
        yield f'{rest[:-1]},"link":"{before}"}}\n'


def links(entries: Iterable[LogEntry]) -> list[str]:
    """The link of each entry's line: the last link of a log that ends there."""
    found = [START]
    for entry in entries:
        found.append(_link(found[-1], _rest(entry)))
    return found[1:]


def read_entries(text: str, path: Path) -> tuple[list[LogEntry], str, int]:
    """The entries of a log, its last link, and how many characters of it count. Raises LogError.

    What stands after the last end of a line is a write that a crash cut short; it does not count.
    """
    whole = text[: text.rfind("\n") + 1]
    entries: list[LogEntry] = []
    link = START
    for number, line in enumerate(whole.split("\n")[:-1], 1):  # a name may hold what str.splitlines takes for an end
        try:
            data = json.loads(line)
            found, kind = data.pop("link"), data.pop("kind")
            entry = LogEntry(kind, data)
            link = _link(link, _rest(entry))
        except (ValueError, AttributeError, KeyError, TypeError, RecursionError) as error:
            raise LogError(_broken(path, number)) from error
        if link != found:
            raise LogError(_broken(path, number))
        entries.append(entry)
    return entries, link, len(whole)


def _broken(path: Path, number: int) -> str:
    return _("{path}, line {line}: this line, or one above it, is not as the league wrote it.").format(
        path=path, line=number
    )


class Log:
    """The log of a league that is run, as a context manager: read on entry, then only ever added to.

    Whoever opens it holds the lease of its folder.
    """

    def __init__(self, folder: Path) -> None:
        self.path = folder / NAME
        self.entries: list[LogEntry] = []
        self._link = START
        self._file: Additions

    def __enter__(self) -> Self:
        """Reads what is there, and cuts off what a crash left half written. Raises LogError and OSError."""
        text = self.path.read_text(encoding="utf-8", errors="replace") if self.path.exists() else ""
        self.entries, self._link, length = read_entries(text, self.path)
        self._file = Additions(self.path, None if length == len(text) else len(text[:length].encode()), 0o644)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._file.close()

    def append(self, *entries: LogEntry) -> None:
        """Adds entries, all of them or none, and returns when they are on the disk. Raises OSError."""
        added = list(lines(entries, self._link))
        if not added:
            return
        self._file.add("".join(added).encode())
        self.entries += entries
        self._link = json.loads(added[-1])["link"]


def is_log(path: Path) -> bool:
    """Whether a log stands at `path`: its first line at least. A crash at the very start leaves less, or nothing."""
    try:
        with path.open("rb") as stream:
            return stream.readline().endswith(b"\n")
    except OSError:
        return False


def load(folder: Path) -> list[LogEntry]:
    """The entries of a league's log, without holding it: it may be running. Raises LogError."""
    path = folder / NAME
    try:
        text = path.read_text(encoding="utf-8", errors="replace")
    except OSError as error:
        raise LogError(
            _("There is no league in {folder}: give the folder that 'league run' made.").format(folder=folder)
        ) from error
    return read_entries(text, path)[0]
