"""The types of the letters of a class, as the page's scripts see them."""

from __future__ import annotations

from pathlib import Path

import pytest

from school.__main__ import DECLARATIONS, main
from school.declarations import declarations
from school.messages import ClassLetter, DeskLetter, PupilLetter


def test_the_types_of_letters_are_what_the_code_generates() -> None:
    assert DECLARATIONS.read_text(encoding="utf-8") == declarations(), "run `python -m school --write-docs`"


def test_they_name_each_letter() -> None:
    text = declarations()
    for struct in (*PupilLetter.__args__, *DeskLetter.__args__, *ClassLetter.__args__):
        assert f'  interface {struct.__name__} {{\n    type: "{struct.__struct_config__.tag}";\n' in text


def test_they_can_be_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("school.__main__.DECLARATIONS", tmp_path / "class.d.ts")
    assert main(["--write-docs"]) == 0
    assert (tmp_path / "class.d.ts").read_bytes() == declarations().encode()
    assert main([]) == 2
