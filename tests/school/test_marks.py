"""The marks of a class: who gets what from the journal and the leagues, and as a spreadsheet opens it."""

from __future__ import annotations

import csv
import io
from collections.abc import Generator
from pathlib import Path

import pytest
from click.testing import CliRunner

from league.config import League, LeagueBot
from league.history.log import Log, LogEntry
from league.history.season import Season, begin
from league.played import Played
from locales import set_language
from school import events
from school.commands.class_cli import class_command
from school.config import Classroom, Pupil, write_class
from school.events import AnyEvent
from school.journal import Journal
from school.marks import Mark, marks, marks_csv

NOON = 1_790_000_000_000
ROSTER = (Pupil("Léa", "Léa Martin", "Rouge"), Pupil("Tom", "=HYPERLINK(1)"), Pupil("Zoé"), Pupil("Ida", "Ida Bo"))


def handed_in(name: str, version: int, at: int = NOON) -> AnyEvent:
    return events.HandedIn(at=at, name=name, version=version, file="bot.py", path=f"submitted/{name}/v{version}_bot.py")


def begun(number: int, *, graded: bool = True) -> AnyEvent:
    return events.Begun(number=number, what="bots", game="morpion", clock="1s", graded=graded)


def entries(*games: tuple[str, str, int | None, str]) -> list[LogEntry]:
    """The log of a league with these games: first, second, winner, reason."""
    names = list(dict.fromkeys(name for first, second, _winner, _reason in games for name in (first, second)))
    described = League("4", "morpion", tuple(map(LeagueBot, names)), openings="none")
    pairings = [
        {"id": f"p{number}", "round": 1, "first": first, "second": second, "opening": [], "seed": "1"}
        for number, (first, second, _winner, _reason) in enumerate(games)
    ]
    played = [
        Played(f"p{number}", 1, first, second, ("a1",), winner, reason, (0, 0))
        for number, (first, second, winner, reason) in enumerate(games)
    ]
    return [
        begin(described, [], Path()),
        LogEntry("planned", {"pairings": pairings, "byes": []}),
        *(LogEntry("played", {"games": [game.as_dict()]}) for game in played),
    ]


def of(name: str, made: list[Mark]) -> Mark:
    return next(mark for mark in made if mark.name == name)


def test_the_journal_says_what_was_handed_in() -> None:
    journal = [
        handed_in("Léa", 1), events.Checked(name="Léa", version=1, passed=2, of=9),
        events.Returned(name="Léa", version=1, comment="Good start"),
        handed_in("Léa", 2), events.Checked(name="Léa", version=2, passed=7, of=9),
        events.Tried(name="Léa", version=2, badge="random", won=4, played=4, passed=True),
        events.Tried(name="Léa", version=2, badge="first", won=1, played=4, passed=False),
        events.Removed(name="Zoé"),
    ]  # fmt: skip
    made = marks(ROSTER, journal, {})
    assert [mark.name for mark in made] == ["Léa", "Tom", "Ida"]
    lea = of("Léa", made)
    assert lea.newest is not None
    assert (lea.whole, lea.team, lea.versions, lea.badges, lea.comment) == ("Léa Martin", "Rouge", 2, 1, "Good start")
    assert (lea.newest.version, lea.newest.passed, lea.newest.of) == (2, 7, 9)
    assert (of("Tom", made).newest, of("Tom", made).versions) == (None, 0)


@pytest.mark.parametrize(
    ("until", "late"), [((), False), ((NOON - 1,), True), ((NOON,), False), ((NOON - 1, NOON + 1), False)]
)
def test_late_is_what_came_after_the_last_deadline(until: tuple[int, ...], *, late: bool) -> None:
    journal = [*(events.Opened(open=True, until=at) for at in until), events.Opened(open=True), handed_in("Léa", 1)]
    assert of("Léa", marks(ROSTER, journal, {})).is_late is late


def test_points_and_faults_are_those_of_graded_leagues() -> None:
    season = Season.of(entries(("Léa", "Tom", 1, "line"), ("Tom", "Léa", 2, "crash"), ("Léa", "Ida", None, "full")))
    made = marks(ROSTER, [begun(1), events.Finished(number=1)], {1: season})
    assert (of("Léa", made).leagues[1].points, of("Tom", made).leagues[1].points) == (2.5, 0)
    assert of("Léa", made).leagues[1].rating > of("Tom", made).leagues[1].rating
    assert dict(of("Tom", made).faults) == {"crash": 1}
    assert of("Zoé", made).leagues == {}


def test_a_pupil_is_the_same_under_every_name() -> None:
    one = Season.of(entries(("Léa", "Tom", 1, "line")))
    two = Season.of(entries(("Lou", "Tom", 1, "line"), ("Tom", "Lou", 1, "line"), ("Ida", "Tom", None, "full")))
    journal = [
        begun(1), handed_in("Léa", 1), events.Renamed(name="Léa", to="Lou"), begun(2),
        events.Renamed(name="Lou", to="Luc"), events.Merged(name="Ida", into="Luc"),
    ]  # fmt: skip
    made = marks(ROSTER, journal, {1: one, 2: two})
    assert [mark.name for mark in made] == ["Luc", "Tom", "Zoé"]
    luc = of("Luc", made)
    assert (luc.whole, luc.versions, luc.leagues[1].points, luc.leagues[2].points) == ("Léa Martin", 1, 1, 1)


@pytest.fixture
def french() -> Generator[None]:
    set_language("fr")
    yield
    set_language("en")


@pytest.mark.usefixtures("french")
def test_a_spreadsheet_in_french_opens_it() -> None:
    season = Season.of(entries(("Léa", "Tom", 1, "line"), ("Tom", "Léa", None, "full")))
    journal = [begun(3), handed_in("Léa", 1), events.Returned(name="Léa", version=1, comment=' -1; "soit"')]
    text = marks_csv(marks(ROSTER, journal, {3: season}), [3])
    heads, lea, tom, zoe, _ida = csv.reader(io.StringIO(text), delimiter=";")
    assert {len(lea), len(tom), len(zoe)} == {len(heads)}
    assert lea[:4] == ["Léa", "Léa Martin", "Rouge", "1"]
    assert lea[heads.index("points, ligue 3")] == "1,5"
    assert lea[heads.index("en retard")] == "non"
    assert lea[heads.index("commentaire")] == '\' -1; "soit"'
    assert tom[1] == "'=HYPERLINK(1)"
    assert zoe[heads.index("points, ligue 3")] == ""


def folder_of_a_class(folder: Path) -> Path:
    folder.mkdir()
    (folder / "class.toml").write_text(write_class(Classroom("4", "morpion", "1s", ROSTER)), encoding="utf-8")
    with Journal(folder) as journal:
        journal.append(begun(1, graded=False), events.Finished(number=1), begun(2), handed_in("Léa", 1))
    (folder / "leagues" / "02").mkdir(parents=True)
    with Log(folder / "leagues" / "02") as log:
        for entry in entries(("Léa", "Tom", 1, "line"), ("Tom", "Léa", 2, "timeout")):
            log.append(entry)
    return folder


def test_the_command_writes_the_file(tmp_path: Path) -> None:
    folder = folder_of_a_class(tmp_path / "2nde4")
    said = CliRunner().invoke(class_command, ["export", str(folder)])
    assert said.exit_code == 0, said.output
    text = (folder / "marks.csv").read_text(encoding="utf-8")
    assert text.startswith("\ufeff")
    heads, lea, tom, *_rest = csv.reader(io.StringIO(text[1:]))
    assert "points, league 1" not in heads
    assert (lea[heads.index("points, league 2")], tom[heads.index("time")]) == ("2", "1")
    assert CliRunner().invoke(class_command, ["export", str(folder), "-o", str(tmp_path / "a.csv")]).exit_code == 0
    assert (tmp_path / "a.csv").read_text(encoding="utf-8") == text


@pytest.mark.parametrize("broken", ["journal.jsonl", "leagues/02/league.jsonl"])
def test_what_is_broken_is_said(tmp_path: Path, broken: str) -> None:
    folder = folder_of_a_class(tmp_path / "2nde4")
    with (folder / broken).open("a", encoding="utf-8") as stream:
        stream.write("nonsense\n")
    said = CliRunner().invoke(class_command, ["export", str(folder)])
    assert said.exit_code == 1
    assert "jsonl" in said.output
    assert isinstance(said.exception, SystemExit)
