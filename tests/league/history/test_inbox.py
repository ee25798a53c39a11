"""Questions to whoever plays a league: asked and answered by files, taken back, and answered by nobody."""

import json
import threading
from pathlib import Path

import pytest
from click.testing import CliRunner

from league.commands import rulings_cli
from league.commands.league_cli import league_command
from league.config import LeagueBot
from league.history.inbox import NAME, Answer, Inbox, Question
from league.history.lease import Lease
from league.history.log import Log, load
from league.history.season import Season, begin
from tests.league.fakes import league


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """That of a league of four that nobody plays."""
    with Log(tmp_path) as log:
        log.append(begin(league(4), [], tmp_path))
    return tmp_path


def test_a_question_is_answered_once(tmp_path: Path) -> None:
    inbox = Inbox(tmp_path)
    assert not list(inbox.take())
    with Question(tmp_path, "kicked", {"name": "Léa"}) as look:
        assert look() is None
        (asked,) = inbox.take()
        assert (asked.kind, asked.data) == ("kicked", {"name": "Léa"})
        inbox.answer(asked, Answer({"name": "Léa"}))
        assert not list(inbox.take())
        assert look() == Answer({"name": "Léa"})
    assert not list((tmp_path / NAME).iterdir())


def test_a_question_that_is_not_answered_is_taken_back(tmp_path: Path) -> None:
    with Question(tmp_path, "kicked", {}):
        pass
    assert not list(Inbox(tmp_path).take())


@pytest.mark.parametrize("text", ["", "{", "[]", '{"kind": "kicked"}', '{"kind": "kicked", "data": 7}', "[" * 20_000])
def test_what_makes_no_sense_is_dropped(tmp_path: Path, text: str) -> None:
    (tmp_path / NAME).mkdir()
    (tmp_path / NAME / "x.ask").write_text(text, encoding="utf-8")
    assert not list(Inbox(tmp_path).take())
    assert not list((tmp_path / NAME).iterdir())


def run(*words: str) -> tuple[int, str]:
    done = CliRunner().invoke(league_command, list(words))
    return done.exit_code, done.output


def test_a_league_that_nobody_plays_is_written_to(folder: Path) -> None:
    assert run("rename", str(folder), "ada", " Ada  L. ") == (0, "Ada is Ada L. now.\n")
    assert run("merge", str(folder), "Cleo", "Bob") == (0, "Cleo is Bob now, who has 0 games.\n")
    assert run("kick", str(folder), "Dan") == (0, "Dan is kicked. Its games stay.\n")
    code, said = run("kick", str(folder), "Dan")
    assert (code, said) == (1, "Error: Dan was kicked already.\n")
    assert [entry.kind for entry in load(folder)] == ["begun", "renamed", "merged", "kicked"]
    assert list(Season.of(load(folder)).bots) == ["Ada L.", "Bob", "Dan"]


def test_where_there_is_no_league(tmp_path: Path) -> None:
    code, said = run("kick", str(tmp_path), "Dan")
    assert code == 2
    assert "There is no league in" in said


def test_a_holder_that_does_not_answer(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rulings_cli, "PATIENCE_S", 0.0)
    with Lease(folder):
        code, said = run("kick", str(folder), "Dan")
    assert code == 1
    assert "It does not answer, so nothing is decided." in said
    assert len(load(folder)) == 1


@pytest.mark.slow
def test_a_holder_that_ends_without_an_answer(folder: Path) -> None:
    """The question goes with it; the command then writes by itself."""
    asked, end = threading.Event(), threading.Event()

    def hold() -> None:
        with Lease(folder):
            asked.set()
            while not list((folder / NAME).glob("*.ask")) and not end.is_set():
                end.wait(0.01)

    holder = threading.Thread(target=hold)
    holder.start()
    try:
        assert asked.wait(10)
        assert run("kick", str(folder), "Dan")[0] == 0
    finally:
        end.set()
        holder.join()
    assert Season.of(load(folder)).barred == {"Dan": False}
    assert not list((folder / NAME).iterdir())


def test_a_holder_answers(folder: Path) -> None:
    held, end = threading.Event(), threading.Event()

    def hold() -> None:
        with Lease(folder), Log(folder) as log:
            held.set()
            while not end.wait(0.01):
                season = Season.of(log.entries)
                for asked in Inbox(folder).take():
                    log.append(entry := season.ruling(asked.kind, asked.data))
                    Inbox(folder).answer(asked, Answer(json.loads(json.dumps(entry.data))))

    holder = threading.Thread(target=hold)
    holder.start()
    try:
        assert held.wait(10)
        assert run("rename", str(folder), "Ada", "Anna") == (0, "Ada is Anna now.\n")
    finally:
        end.set()
        holder.join()
    assert LeagueBot("Anna", "random") in Season.of(load(folder)).bots.values()


def test_codes_are_shown_and_made_into_cards(tmp_path: Path) -> None:
    file = tmp_path / "class.toml"
    file.write_text('[league]\nname = "4<e>"\ngame = "morpion"\n[roster]\nnames = ["L<éa", "Tom"]\n', encoding="utf-8")
    code, sheet = run("codes", str(file))
    assert code == 0
    rows = [line.split("\t") for line in sheet.splitlines()]
    assert [name for name, _code in rows] == ["L<éa", "Tom"]
    assert run("codes", str(file)) == (0, sheet)
    code, page = run("codes", str(file), "--html")
    assert "L&lt;éa" in page
    assert "4&lt;e&gt;" in page
    assert "<é" not in page
    assert rows[1][1] in page
    file.write_text('[league]\nname = "x"\ngame = "morpion"\n', encoding="utf-8")
    code, said = run("codes", str(file))
    assert code == 2
    assert "This league has no roster" in said
