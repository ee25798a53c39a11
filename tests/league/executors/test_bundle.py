"""What travels to other machines with a league, and what does not."""

import os
from dataclasses import replace
from pathlib import Path

import pytest

from league.config import League, LeagueBot
from league.executors import bundle
from league.executors.bundle import BundleError, pack, unpack
from tests.league.fakes import league

BOT = b"def choose(board, color):\n    return 'a1'\n"


def with_file(run: str = "ada.py") -> League:
    return replace(league(2), bots=(LeagueBot("Ada", run), LeagueBot("Bob", "random")))


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A folder with a bot, and with much that is no part of it."""
    folder = tmp_path / "home"
    for name, content in {
        "ada.py": BOT,
        "nets/small.bin": bytes(range(256)),
        "engine": b"#!/bin/sh\n",
        ".secret": b"token",
        ".git/config": b"",
        "__pycache__/ada.pyc": b"",
        "spring/league.jsonl": b"{}",
        "spring/report.html": b"",
    }.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    (folder / "engine").chmod(0o755)
    return folder


def test_the_folder_arrives_as_it_was_and_nothing_hidden_does(home: Path, tmp_path: Path) -> None:
    there = tmp_path / "there"
    there.mkdir()
    unpack(pack(with_file(), home), there)
    files = sorted(path.relative_to(there).as_posix() for path in there.rglob("*") if path.is_file())
    assert files == ["ada.py", "engine", "nets/small.bin"]
    assert all((there / name).read_bytes() == (home / name).read_bytes() for name in files)
    assert os.access(there / "engine", os.X_OK)
    assert not os.access(there / "ada.py", os.X_OK)


def test_nothing_travels_for_bots_that_are_everywhere(home: Path) -> None:
    assert pack(league(2), home) == {}


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [("MAX_FILES", 2, "2 files"), ("MAX_BYTES", 280, "too large"), ("MAX_BYTES", 100, "small.bin is too large")],
)
def test_a_folder_that_is_too_large_is_refused(
    home: Path, monkeypatch: pytest.MonkeyPatch, name: str, value: int, said: str
) -> None:
    monkeypatch.setattr(bundle, name, value)
    with pytest.raises(BundleError, match=said):
        pack(with_file(), home)


@pytest.mark.parametrize("written", ["../ada.py", "{above}/ada.py"])
def test_a_bot_elsewhere_is_named_with_what_to_do(home: Path, tmp_path: Path, written: str) -> None:
    run = written.format(above=tmp_path)
    (tmp_path / "ada.py").write_bytes(BOT)
    with pytest.raises(BundleError, match=r"Ada: only files in .* Put .*ada\.py there"):
        pack(with_file(run), home)


def test_folders_travel_and_interpreters_do_not(home: Path, tmp_path: Path) -> None:
    bot = home / "my_bot"
    (bot / "search").mkdir(parents=True)
    for name in ("bot.py", "search/tree.py", "bot.toml"):
        (bot / name).write_text("")
    assert {"my_bot/bot.py", "my_bot/search/tree.py"} <= set(pack(with_file("my_bot/"), home))
    (bot / "bot.toml").write_text('python = "python3.12"\n')
    assert "my_bot/bot.toml" in pack(with_file("my_bot/#play=choose"), home)
    (bot / "bot.toml").write_text('python = ".venv/bin/python"\n')
    with pytest.raises(BundleError, match=r"^Ada: its interpreter \.venv/bin/python can't travel"):
        pack(with_file("my_bot/"), home)
    with pytest.raises(BundleError, match=r"^Ada: its interpreter env/python can't travel"):
        pack(replace(with_file(), bots=(LeagueBot("Ada", "ada.py", python="env/python"),)), home)
    with pytest.raises(BundleError, match="only files in"):
        pack(with_file(f"{tmp_path}/elsewhere/"), home)
