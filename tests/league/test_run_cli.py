"""What `league run` makes of its command line, and of files as people write them, on Windows too."""

from pathlib import Path

import click
import pytest

from games import parse
from league.commands.openings_option import read_openings
from league.commands.run_cli import _from_words, read_file


def test_a_file_of_windows_is_read_like_any_other(tmp_path: Path) -> None:
    (tmp_path / "my openings.txt").write_bytes(b"\xef\xbb\xbfd3 c3\r\n# a comment\r\nf5d6c3\r\n")
    openings, _lines = read_openings("my openings.txt", parse("othello"), "1", tmp_path)
    assert [openings.pick(number) for number in range(3)] == [("d3", "c3"), ("f5", "d6", "c3"), ("d3", "c3")]


def test_a_league_s_file_of_windows_is_read_like_any_other(tmp_path: Path) -> None:
    path = tmp_path / "l.toml"
    path.write_bytes(b'\xef\xbb\xbf[league]\r\nname = "L"\r\ngame = "morpion"\r\n')
    assert read_file(path)[0].name == "L"


def test_what_is_wrong_in_a_file_is_said_with_its_name(tmp_path: Path) -> None:
    (tmp_path / "bad.txt").write_text("d3 c3\nd3 d3\n", encoding="utf-8")
    with pytest.raises(click.UsageError, match=r"^bad\.txt: Line 2"):
        read_openings("bad.txt", parse("othello"), "1", tmp_path)


def test_a_league_of_two_bots_is_called_after_them() -> None:
    """It stands on the wall, in the report, and in records."""
    for words, name in ((["new=first", "old=random"], "new - old"), (["first"] * 3, "bots on the command line")):
        league, _home = _from_words(words, {"game": "morpion"}, {})
        assert league.name == name
