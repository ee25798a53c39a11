"""The journal of a class from elsewhere: it leads to no file outside its folder, and what makes no sense is refused."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec import json as msgjson

from school import journal
from school.events import Announced, AnyEvent, HandedIn, Merged
from school.journal import LAST_MS, JournalError
from school.state import ClassState


def read(tmp_path: Path, *lines: bytes) -> list[AnyEvent]:
    (tmp_path / journal.NAME).write_bytes(b"".join(line + b"\n" for line in lines))
    return list(journal.load(tmp_path))


@pytest.mark.parametrize("path", ["/etc/passwd", "../secret.py", "submitted/../../secret.py", "submitted/a\0b.py"])
def test_no_program_lies_outside_the_folder(tmp_path: Path, path: str) -> None:
    line = msgjson.encode(HandedIn(name="Ada", version=1, file="a.py", path=path))
    with pytest.raises(JournalError, match="line 2"):
        read(tmp_path, msgjson.encode(Announced(text="hello")), line)


def test_one_inside_is_read(tmp_path: Path) -> None:
    event = HandedIn(name="Ada", version=1, file="a..py", path="submitted/Ada/v1_a..py", at=LAST_MS)
    assert read(tmp_path, msgjson.encode(event)) == [event]


@pytest.mark.parametrize(
    "line",
    [
        msgjson.encode(Announced(text="x", at=LAST_MS + 1)),
        msgjson.encode(Announced(text="x", at=-1)),
        b'{"kind":"announced","text":"x","more":' + b"[" * 100_000 + b"]" * 100_000 + b"}",
        b'{"kind":"announced","text":7}',
    ],
)
def test_what_makes_no_sense_is_refused(tmp_path: Path, line: bytes) -> None:
    with pytest.raises(JournalError, match="line 1"):
        read(tmp_path, line)


def test_who_is_merged_with_themselves_stays() -> None:
    state = ClassState.of({"Ada": None}, [Merged(name="Ada", into="Ada")])
    assert list(state.pupils) == ["Ada"]
