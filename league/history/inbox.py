"""How a league that is being played hears what its organiser decides: by files beside its log.

One process at a time may write a league's log. If a command has something to add while another process holds the
lease, it leaves a request file and waits for the answer: the holder looks once a second. Files work on every system and
with every way to start a process, and who may write into the folder may write the log anyway.
"""

import json
import os
import secrets
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

NAME: Final = "asked"
"""The folder of the files, in a league's folder."""

_ASKED, _SAID = ".ask", ".said"
_LARGEST = 16_384


@dataclass(frozen=True, slots=True)
class PendingRuling:
    """A ruling that is asked for: the kind of its entry, and the entry's data, with names as they were typed."""

    path: Path
    kind: str
    data: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Answer:
    """What came of it: the entry's data if it stands in the log now; else a sentence that says why not."""

    data: Mapping[str, Any] | None
    refusal: str = ""


class Inbox:
    """What is asked of the process that holds the lease of the league in `folder`."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder / NAME

    def clear(self) -> None:
        """Drops what was asked of an earlier process: whoever asked has gone, or asks again."""
        if self._folder.is_dir():
            for path in [*self._folder.glob(f"*{_ASKED}"), *self._folder.glob(f"*{_SAID}")]:
                with suppress(OSError):
                    path.unlink()

    def take(self) -> Iterator[PendingRuling]:
        """What was asked since; each is answered before the next is taken. Files that make no sense are dropped."""
        if not self._folder.is_dir():
            return
        for path in sorted(self._folder.glob(f"*{_ASKED}")):
            try:
                with path.open("rb") as stream:
                    found = json.loads(stream.read(_LARGEST))
                asked = PendingRuling(path, str(found["kind"]), dict(found["data"]))
            except (OSError, ValueError, KeyError, TypeError, RecursionError):
                with suppress(OSError):
                    path.unlink()
                continue
            yield asked

    def answer(self, asked: PendingRuling, answer: Answer) -> None:
        """Answers: the question goes, the answer is there."""
        with suppress(OSError):
            _write(asked.path.with_suffix(_SAID), {"data": answer.data, "refusal": answer.refusal})
            asked.path.unlink()


class Question:
    """A request that waits for its answer, as a context manager that leaves no file behind. Raises OSError on entry."""

    def __init__(self, folder: Path, kind: str, data: Mapping[str, object]) -> None:
        self._path = folder / NAME / f"{secrets.token_hex(8)}{_ASKED}"
        self._asked = {"kind": kind, "data": data}

    def __enter__(self) -> Callable[[], Answer | None]:
        """Asks; returns a function that gives the answer, None while there is none."""
        self._path.parent.mkdir(mode=0o700, exist_ok=True)
        _write(self._path, self._asked)
        return self._answer

    def __exit__(self, *error: object) -> None:
        """Takes the question back if it was not answered."""
        for path in (self._path, self._path.with_suffix(_SAID)):
            with suppress(OSError):
                path.unlink()

    def _answer(self) -> Answer | None:
        try:
            found = json.loads(self._path.with_suffix(_SAID).read_text(encoding="utf-8"))
            return Answer(found["data"], found["refusal"])
        except FileNotFoundError:
            return None


def _write(path: Path, data: Mapping[str, object]) -> None:
    """Writes a file in one step: who sees it sees all of it."""
    draft = path.with_suffix(f".{os.getpid()}")
    draft.write_text(json.dumps(data, ensure_ascii=False), encoding="utf-8")
    draft.replace(path)
