"""`arbitre league new`: the file of a league, out of the list of a class or what it has handed in."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from league.commands.folder import folder_beside
from league.commands.new_cli import new_command
from league.config import read_league

BOT = "def choose(position):\n    return position.legal_moves()[0]\n"


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def new(*words: str) -> Result:
    return CliRunner().invoke(new_command, words)


def test_the_list_of_a_class_becomes_a_league_with_a_roster(here: Path) -> None:
    (here / "2nde4.csv").write_bytes("Nom;Prénom;Classe\nMARTIN;Léa;2\nPETIT;Zoé;2\n".encode("cp1252"))
    said = new("2nde4.csv", "--game", "puissance4")
    assert said.exit_code == 0, said.output
    assert "2nde4.toml: 2 names." in said.output
    assert "league codes 2nde4.toml" in said.output
    league = read_league((here / "2nde4.toml").read_text(encoding="utf-8"), "2nde4.toml")
    assert (league.name, league.game, league.roster, league.bots) == ("2nde4", "puissance4", ("Léa", "Zoé"), ())


def test_a_name_that_can_not_be_one_is_said_with_its_line_and_the_rest_goes_on(here: Path) -> None:
    (here / "class.csv").write_bytes("Nom;Prénom\nMARTIN;Zoé\nпЕTIT;Lеа\nTotal;2\n".encode())  # Cyrillic between
    said = new("class.csv")
    assert said.exit_code == 0, said.output
    assert "Line 3: 'Lеа пЕTIT' can't be a name" in said.stderr
    assert "Line 4: 'Total 2' is nobody's name" in said.stderr
    text = (here / "class.toml").read_text(encoding="utf-8")
    assert read_league(text, "class.toml").roster == ("Zoé", "Pupil 2")
    assert "# Lеа пЕTIT" in text


def test_a_list_that_a_mac_has_saved_has_its_accents(here: Path) -> None:
    (here / "class.csv").write_bytes("Nom;Prénom\rMARTIN;Zoé\rPETIT;Noël\r".encode("mac_roman"))
    assert new("class.csv").exit_code == 0
    assert read_league((here / "class.toml").read_text(encoding="utf-8"), "class.toml").roster == ("Zoé", "Noël")


def test_files_whose_names_can_not_be_names_play_too(here: Path) -> None:
    (here / "rendus").mkdir()
    for name in ("minimax.py", "a...!.py", "zoe.py", "Lеа.py"):
        (here / "rendus" / name).write_text(BOT, encoding="utf-8")
    said = new("rendus", "--against", "minimax:depth=1")
    assert said.exit_code == 0, said.output
    assert "Lеа.py: 'Lеа' can't be a name" in said.stderr
    names = [bot.name for bot in read_league((here / "rendus.toml").read_text(encoding="utf-8"), "rendus.toml").bots]
    assert names == ["A...!", "Pupil 2", "Minimax", "Zoe", "Minimax 2"]


def test_what_was_handed_in_becomes_a_league_of_files(here: Path) -> None:
    handed_in = here / "handed in"
    for name in ("tom_petit.py", "MARTIN Léa_12_assignsubmission_file_/any.py", "zoe/main.py", "zoe/rest.py"):
        (handed_in / name).parent.mkdir(parents=True, exist_ok=True)
        (handed_in / name).write_text(BOT, encoding="utf-8")
    (handed_in / "unclear").mkdir()
    (handed_in / "read me.txt").touch()
    said = new("handed in", "--against", "minimax:depth=1", "--name", "Class", "--output", "league.toml")
    assert said.exit_code == 0, said.output
    assert "unclear: passed over" in said.output
    league = read_league((here / "league.toml").read_text(encoding="utf-8"), "league.toml")
    assert {bot.name: bot.run for bot in league.bots} == {
        "Léa": "handed in/MARTIN Léa_12_assignsubmission_file_/any.py",
        "Tom Petit": "handed in/tom_petit.py",
        "Zoe": "handed in/zoe/main.py",
        "Minimax": "minimax:depth=1",
    }
    for bot in league.bots[:-1]:
        assert (here / bot.run).is_file()


def test_a_league_is_not_kept_among_what_was_handed_in(here: Path) -> None:
    handed_in = here / "handed_in"
    handed_in.mkdir()
    assert folder_beside(here / "handed_in.toml") == handed_in, "of an earlier league's first seconds, or its codes"
    (handed_in / "tom.py").write_text(BOT, encoding="utf-8")
    assert folder_beside(here / "handed_in.toml") == here / "handed_in-league"
    (handed_in / "league.jsonl").write_text('{"kind":"league"}\n', encoding="utf-8")
    assert folder_beside(here / "handed_in.toml") == handed_in, "that of an earlier version goes on there"


def test_what_is_passed_over_is_named(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    handed_in = here / "handed_in"
    (handed_in / "closed").mkdir(parents=True)
    (handed_in / "tom.py").write_text(BOT, encoding="utf-8")
    (handed_in / "lea.zip").touch()
    (handed_in / "ida.ipynb").write_text("{}", encoding="utf-8")
    (handed_in / "zoe.py").symlink_to("nowhere.py")
    listed = Path.iterdir

    def iterdir(path: Path) -> Iterator[Path]:
        if path.name == "closed":
            raise PermissionError(13, "Permission denied")
        return listed(path)

    monkeypatch.setattr(Path, "iterdir", iterdir)
    said = new("handed_in")
    assert said.exit_code == 0, said.output
    assert "handed_in.toml: 2 bots." in said.output
    assert 'run = "handed_in/ida.ipynb"' in (here / "handed_in.toml").read_text(encoding="utf-8")
    for name in ("closed", "lea.zip", "zoe.py"):
        assert f"{name}: passed over" in said.output


def test_a_link_in_what_was_handed_in_leads_to_nobody_s_file(here: Path) -> None:
    handed_in, secret = here / "handed_in", here / "solution.py"
    (handed_in / "zoe").mkdir(parents=True)
    (handed_in / "eva").mkdir()
    for file in (handed_in / "tom.py", handed_in / "zoe" / "main.py", handed_in / "eva" / "rest.py", secret):
        file.write_text(BOT, encoding="utf-8")
    (handed_in / "lea.py").symlink_to("tom.py")
    (handed_in / "ida.py").symlink_to(secret)
    (handed_in / "max").symlink_to("zoe")
    (handed_in / "eva" / "main.py").symlink_to("../zoe/main.py")
    (handed_in / "round").symlink_to("round")
    (handed_in / "\u202eyp.eno.py").write_text(BOT, encoding="utf-8")
    os.mkfifo(handed_in / "pipe.py")
    (here / "by link").symlink_to(handed_in)
    said = new("by link")
    assert said.exit_code == 0, said.output
    assert "2 bots" in said.output
    for name in ("lea.py", "ida.py", "max", "eva", "round", "pipe.py"):
        assert f"{name}: passed over" in said.output


def test_a_folder_that_may_not_be_read_is_said(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (here / "closed").mkdir()

    def iterdir(path: Path) -> Iterator[Path]:
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr(Path, "iterdir", iterdir)
    said = new("closed")
    assert said.exit_code == 1
    assert "closed" in said.output
    assert "Traceback" not in said.output


def test_a_file_that_is_there_stays_as_it_is(here: Path) -> None:
    (here / "class.csv").write_text("Ada\nBob\n", encoding="utf-8")
    (here / "class.toml").write_text("mine", encoding="utf-8")
    said = new("class.csv")
    assert said.exit_code == 2
    assert "--output" in said.output
    assert (here / "class.toml").read_text(encoding="utf-8") == "mine"


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("class.csv", "--game", "go"), "Error: the games are "),
        (("empty", "--against", "edax"), "There is no bot called 'edax'"),
        (("taught.csv",), "taught holds a class"),
        (("class.csv", "--group", "b"), "no groups"),
        (("class.csv", "--against", "random"), "--against"),
        (("class.csv", "--output", "nowhere/class.toml"), "can't be written"),
        (("empty", "--group", "b"), "--group"),
        (("empty",), "there are 0 programs"),
        (("book.xlsx",), "save it as CSV"),
        (("table.csv",), "no names"),
        (("old.xls",), "save it as CSV"),
        (("page.csv",), "save it as CSV"),
        (("nulls.csv",), "save it as CSV"),
        (("moodle.zip",), "unpack it"),
        (("school.csv",), "--group takes a part"),
    ],
)
def test_what_can_not_be_is_said_and_nothing_is_written(here: Path, words: tuple[str, ...], says: str) -> None:
    (here / "class.csv").write_text("Ada\nBob\n", encoding="utf-8")
    (here / "table.csv").write_text("1,2\n3,4\n", encoding="utf-8")
    (here / "book.xlsx").write_bytes(b"PK\x03\x04 and so on")
    (here / "old.xls").write_bytes(b"\xd0\xcf\x11\xe0" + bytes(64))
    (here / "page.csv").write_text("\n<html><td>Nom</td></html>", encoding="utf-8")
    (here / "nulls.csv").write_bytes("Nom;Prénom\nA;B\n".encode("utf-16-le"))
    (here / "moodle.zip").write_bytes(b"PK\x03\x04 and so on")
    (here / "school.csv").write_text("Nom;Prénom\n" + "Martin;Ada\n" * 257, encoding="utf-8")
    (here / "empty").mkdir()
    (here / "taught.csv").write_text("Ada\nBob\n", encoding="utf-8")
    (here / "taught").mkdir()
    (here / "taught" / "class.toml").touch()
    said = new(*words)
    assert said.exit_code in (1, 2)
    assert says in said.output
    assert not list(here.glob("*.toml"))
