"""`arbitre class new` and `class cards`: from the list of a class to its folder and the cards."""

from __future__ import annotations

import json
import signal
import sys
import unicodedata
from collections.abc import Coroutine
from html.parser import HTMLParser
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from league.commands.league_cli import league_command
from processes import stopping
from school.commands.class_cli import class_command
from school.config import Pupil, read_class
from school.folder import Entrance, keep_codes, keep_entrance, read_entrance

LIST = "Nom;Prénom;Groupe\nMARTIN;Léa;2nde 4, Rouge\nMARÉCHAL;Léa;2nde 4, Bleu\nPETIT;Zoé;2nde 4, Rouge\n"


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "2nde4.csv").write_bytes(LIST.encode("cp1252"))
    return tmp_path


def run(*words: str) -> Result:
    return CliRunner().invoke(class_command, words)


def codes_of(folder: str) -> dict[str, str]:
    found = json.loads(Path(folder, "codes.json").read_text(encoding="utf-8"))
    assert isinstance(found, dict)
    return found


def test_a_list_becomes_a_class_with_codes(here: Path) -> None:
    said = run("new", "2nde4.csv", "--game", "puissance4", "--title", "Seconde 4")
    assert said.exit_code == 0, said.output
    assert "3 pupils" in said.output
    assert "class open 2nde4" in said.output
    classroom = read_class((here / "2nde4" / "class.toml").read_text(encoding="utf-8"), "class.toml")
    assert (classroom.title, classroom.game) == ("Seconde 4", "puissance4")
    assert classroom.pupils == (
        Pupil("Léa Mart.", "Léa MARTIN", "Rouge"),
        Pupil("Léa Maré.", "Léa MARÉCHAL", "Bleu"),
        Pupil("Zoé", "Zoé PETIT", "Rouge"),
    )
    assert list(codes_of("2nde4")) == ["Léa Mart.", "Léa Maré.", "Zoé"]


def test_a_group_is_a_class_of_its_own(here: Path) -> None:
    assert run("new", "2nde4.csv", "--group", "rouge", "--output", "red").exit_code == 0
    classroom = read_class((here / "red" / "class.toml").read_text(encoding="utf-8"), "class.toml")
    assert classroom.pupils == (Pupil("Léa", "Léa MARTIN"), Pupil("Zoé", "Zoé PETIT"))


def test_a_group_that_is_a_mere_number_is_called_so(here: Path) -> None:
    (here / "2nde5.csv").write_text("Nom;Prénom;Groupe\nMARTIN;Léa;1\nPETIT;Zoé;2\n", encoding="utf-8")
    assert run("new", "2nde5.csv").exit_code == 0
    classroom = read_class((here / "2nde5" / "class.toml").read_text(encoding="utf-8"), "class.toml")
    assert [pupil.team for pupil in classroom.pupils] == ["Group 1", "Group 2"]


@pytest.mark.parametrize("words", [("open", "2nde4.toml"), ("run", "2nde4.toml"), ("codes", "2nde4.toml")])
def test_no_league_is_kept_in_the_folder_of_a_class(here: Path, words: tuple[str, ...]) -> None:
    """Both are called after the list that they were made of, and both have codes and a server."""
    assert CliRunner().invoke(league_command, ["new", "2nde4.csv"]).exit_code == 0
    assert run("new", "2nde4.csv").exit_code == 0
    if words[0] == "run":
        bots = "".join(f'[[bot]]\nname = "{name}"\nrun = "first"\n' for name in ("Ada", "Bob"))
        (here / "2nde4.toml").write_text(f'[league]\nname = "x"\ngame = "morpion"\n{bots}', encoding="utf-8")
    before = sorted((here / "2nde4").iterdir())
    said = CliRunner().invoke(league_command, words)
    assert (said.exit_code, "2nde4 holds a class" in said.output) == (2, True), said.output
    assert sorted((here / "2nde4").iterdir()) == before


def test_a_list_of_names_will_do(here: Path) -> None:
    (here / "names").write_text("Ada\nBob\n", encoding="utf-8")
    assert run("new", "names").exit_code == 0
    assert list(codes_of("names-class")) == ["Ada", "Bob"]


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("new", "2nde4.csv", "--game", "go"), "Error: the games are "),
        (("new", "2nde4.csv", "--group", "green"), "Nobody is in the group green"),
        (("new", "2nde4.csv", "--output", "full"), "--output takes another"),
        (("new", "2nde4.csv", "--output", "2nde4.csv/class"), "2nde4.csv"),
        (("new", "2nde4.csv", "--title", "a" * 101), "100"),
        (("new", "2nde4.csv", "--title", "a\x7fb"), "title must be"),
        (("new", "empty.csv"), "no names"),
        (("cards", "full"), "no class in full"),
        (("cards", "nowhere"), "no class in nowhere"),
        (("cards", "broken"), "line 1"),
        (("cards", "latin"), "UTF-8"),
        (("cards", "nobody"), "Nobody is in this class"),
    ],
)
def test_what_can_t_be_done_is_told_in_a_sentence(here: Path, words: tuple[str, ...], says: str) -> None:
    for folder, text in (
        ("broken", b"class"),
        ("latin", b'[class]\ntitle="\xe9"'),
        ("nobody", b'[class]\ntitle="4"\ngame="othello"\n'),
    ):
        (here / folder).mkdir()
        (here / folder / "class.toml").write_bytes(text)
    (here / "full").mkdir()
    (here / "full" / "lea.py").touch()
    (here / "empty.csv").touch()
    said = run(*words)
    assert said.exit_code in {1, 2}, said.output
    assert says in said.output
    assert isinstance(said.exception, SystemExit), said.exception
    assert not (here / "2nde4").exists()


def test_nobody_who_has_a_code_loses_it(here: Path) -> None:
    run("new", "2nde4.csv")
    before = codes_of("2nde4")
    drawn = keep_codes(here / "2nde4", ["Zoé", "Ida"])
    assert list(drawn) == ["Zoé", "Ida"]
    assert codes_of("2nde4") == before | {"Ida": drawn["Ida"]}
    assert drawn["Zoé"] == before["Zoé"]


def test_before_the_class_was_opened_the_cards_have_codes_alone(here: Path) -> None:
    run("new", "2nde4.csv")
    said = run("cards", "2nde4")
    codes = codes_of("2nde4")
    ordered = sorted(codes, key=lambda name: unicodedata.normalize("NFD", name.casefold()))  # é beside e
    assert said.stdout == "".join(f"{name}\t{codes[name]}\n" for name in ordered)
    assert "not opened yet" in said.stderr
    assert run("cards", "2nde4/class.toml").stdout == said.stdout


class _Cards(HTMLParser):
    """What a page of cards says."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.count = self.drawn = self.sheets = 0
        self.texts: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.count += tag == "li"
        self.drawn += tag == "svg"
        self.sheets += tag == "ul"
        assert not any(name in {"src", "href"} for name, _value in attrs), "the page needs nothing else"

    def handle_data(self, data: str) -> None:
        self.texts.append(data.strip())


def test_the_cards_lead_to_the_page(here: Path) -> None:
    run("new", "2nde4.csv", "--title", "<4> & co")
    keep_entrance(here / "2nde4", Entrance("KOBALI", "BATOMI", "http://192.168.1.20:8765"))
    codes = codes_of("2nde4")
    said = run("cards", "2nde4")
    assert f"Zoé\t{codes['Zoé']}\thttp://192.168.1.20:8765/class/KOBALI#{codes['Zoé']}\n" in said.stdout
    assert run("cards", "2nde4", "--html", "cards.html").exit_code == 0
    page = _Cards((here / "cards.html").read_text(encoding="utf-8"))
    assert (page.count, page.drawn, page.sheets) == (3, 3, 1)
    assert set(codes.values()) <= set(page.texts)
    assert {"<4> & co", "Léa Mart.", "192.168.1.20:8765/class/KOBALI"} <= set(page.texts)


def test_ten_cards_are_a_sheet(here: Path) -> None:
    (here / "many.csv").write_text("".join(f"Pupil {number}\n" for number in range(21)), encoding="utf-8")
    run("new", "many.csv")
    run("cards", "many", "--html", "cards.html")
    page = _Cards((here / "cards.html").read_text(encoding="utf-8"))
    assert (page.count, page.drawn, page.sheets) == (21, 0, 3)


def test_another_address_stands_on_the_cards(here: Path) -> None:
    run("new", "2nde4.csv")
    keep_entrance(here / "2nde4", Entrance("KOBALI", "BATOMI", "http://192.168.1.20:8765"))
    assert "\thttp://class.lan:8765/class/KOBALI#" in run("cards", "2nde4", "--address", "class.lan:8765/").stdout
    assert "\thttps://class.lan/class/KOBALI#" in run("cards", "2nde4", "--address", "https://class.lan").stdout
    for wrong in ("http://", "ftp://a", "http://a:b", "http://a/class/X", "http://a b", "http://[1"):
        said = run("cards", "2nde4", "--address", wrong)
        assert said.exit_code == 2, wrong
        assert "--address" in said.output


def test_a_door_that_is_broken_is_said(here: Path) -> None:
    run("new", "2nde4.csv")
    assert read_entrance(here / "2nde4") is None
    (here / "2nde4" / "door.json").write_text('{"code": 4}', encoding="utf-8")
    said = run("cards", "2nde4")
    assert said.exit_code == 1
    assert "door.json can't be used" in said.output


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such permissions")
def test_codes_are_their_owner_s_alone(here: Path) -> None:
    run("new", "2nde4.csv")
    keep_entrance(here / "2nde4", Entrance("KOBALI", "BATOMI", "http://192.168.1.20:8765"))
    run("cards", "2nde4", "--html", "2nde4/cards.html")
    for name in ("codes.json", "door.json", "cards.html"):
        assert (here / "2nde4" / name).stat().st_mode & 0o077 == 0, name


@pytest.mark.parametrize(
    ("words", "again"),
    [
        ((), "class open 2nde4\n"),
        (
            ("--port", "9000", "--host", "127.0.0.1", "--no-mdns", "--trust-programs", "--no-house-bots"),
            "class open 2nde4 --host 127.0.0.1 --port 9000 --no-mdns --no-house-bots --trust-programs\n",
        ),
    ],
)
def test_a_class_that_is_closed_says_the_line_that_opens_it_as_it_was(
    monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...], again: str
) -> None:
    run("new", "2nde4.csv")

    def stopped(work: Coroutine[object, object, None]) -> None:
        work.close()
        raise stopping.Stopped(signal.SIGINT)

    monkeypatch.setattr(stopping, "run", stopped)
    said = run("open", "2nde4", *words)
    assert said.exit_code == 0, "to close it so is no failure"
    assert said.output.endswith(again)
