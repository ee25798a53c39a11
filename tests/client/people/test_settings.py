"""What is kept of a person's choices, and what is made of a file that somebody has changed."""

from pathlib import Path

import pytest

from client.people.settings import Preferences, proper_name, read, write
from machine import folders


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    monkeypatch.setattr(folders, "config", lambda: tmp_path)
    return tmp_path / "settings.json"


def test_what_is_written_is_read(file: Path) -> None:
    assert read() == Preferences()
    chosen = Preferences(name="Zoé", theme="light", hints=False, bell=True)
    write(chosen)
    assert read() == chosen
    assert [path.name for path in file.parent.iterdir()] == ["settings.json"]


@pytest.mark.parametrize(
    "text", ["", "{", "[]", "null", '{"name": 1, "theme": "pink", "hints": "yes", "more": {}}', "\xff"]
)
def test_what_is_wrong_counts_as_not_there(file: Path, text: str) -> None:
    file.write_bytes(text.encode("latin-1"))
    assert read() == Preferences()


def test_a_folder_that_cannot_be_written_is_no_trouble(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setattr(folders, "config", lambda: tmp_path / "file" / "below")
    write(Preferences(name="Ada"))
    assert read() == Preferences()


def test_names_are_short_and_safe() -> None:
    assert proper_name("  Ada \x1b[31m\n") == "Ada [31m"
    assert len(proper_name("a" * 99)) == 24
