"""The table of a league in a terminal: nothing is cut but names, at any width that a terminal has."""

import csv
import io
import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pyte
import pytest
from rich.console import Console

from league.commands.progress import Lines, LiveTable
from league.executors.local_server import say
from league.history.log import LogEntry, load
from league.history.season import Season
from league.played import Job, Played
from league.report.score_text import points
from league.report.table_text import as_csv, duration, heading, render
from league.statistics.standings import standings
from locales import set_language
from tests.league.fakes import STRENGTHS, CoinExecutor, FaultyExecutor, league, run


def text_of(season: Season, width: int) -> str:
    stream = io.StringIO()
    Console(file=stream, width=width, highlight=False).print(render(season, season.standings(), width=width))
    return stream.getvalue()


@pytest.fixture(scope="module")
def faulty(tmp_path_factory: pytest.TempPathFactory) -> Season:
    described = league(5, faults=3)
    folder = tmp_path_factory.mktemp("faulty") / "x"
    run(folder, FaultyExecutor(), described)
    return Season.of(load(folder))


@pytest.mark.parametrize("width", [50, 60, 80, 100, 200])
def test_nothing_is_cut_but_names(faulty: Season, width: int) -> None:
    text = text_of(faulty, width)
    rows = {row.name: row for row in faulty.standings().rows}
    lines = text.splitlines()
    assert max(map(len, lines)) <= width
    for row in rows.values():
        (line,) = [line for line in lines[:12] if f" {row.name} " in f" {line} " and "-" in line][:1]
        for tally in (row.as_first, row.as_second):
            assert f"{tally.wins}-{tally.draws}-{tally.losses}" in line
        assert str(round(row.rating)) in line
    assert "crash 4" in text
    assert "suspended" in text
    assert "Games left unplayed so count as won by the others" in " ".join(text.split())


def test_a_narrow_terminal_gets_whole_figures(faulty: Season) -> None:
    lines = text_of(faulty, 40).splitlines()
    assert max(map(len, lines)) <= 40
    for row in faulty.standings().rows:
        (line,) = [line for line in lines[:12] if f" {row.name} " in line][:1]
        assert f" {row.rating:.0f} " in line
        assert "…" not in line


def test_no_line_begins_with_the_colon_of_the_line_before(faulty: Season) -> None:
    set_language("fr")
    lines = [line for width in range(40, 81) for line in text_of(faulty, width).splitlines()]
    assert not [line for line in lines if line.startswith((":", ";", "!", "?", "»"))]


def test_a_league_that_goes_on_says_how_far_it_is(tmp_path: Path) -> None:
    season = Season(league(4), [], tmp_path)
    assert "0 of 12 games" in text_of(season, 80)
    assert "about 2 min left" in heading(season, 125.0)


def test_a_league_without_clocks_has_no_column_of_times(tmp_path: Path) -> None:
    season = Season(league(4, clock="none"), [], tmp_path)
    assert "time" not in text_of(season, 80)
    timed = Season(replace(season.league, clock="5s"), [], tmp_path)
    assert "time" in text_of(timed, 80)


def test_who_has_not_played_has_a_dash_for_a_rating(tmp_path: Path) -> None:
    season = Season(league(4), [], tmp_path)
    text = text_of(season, 80)
    assert text.count(" – ") == len(season.standings().rows) == 4
    assert "1000" not in text
    rows = csv.DictReader(io.StringIO(as_csv(season.standings())))
    assert {(row["rating"], row["error"]) for row in rows} == {("", "")}


@pytest.mark.parametrize(
    ("first", "hoped", "said"),
    [
        (0, "elo1=50", "The test accepts H1: the lead of Ada over Eve is 50 Elo rather than 0 (LLR "),
        (-1, "elo1=50", "The test accepts H0: the lead of Eve over Ada is 0 Elo rather than 50 (LLR -"),
        (0, "elo1=5,alpha=1e-9", "Is the lead of Ada over Eve 0 Elo, or 5? Not decided: LLR "),
        (0, "elo1=50,model=normalized", "is 50 nElo rather than 0"),
    ],
)
def test_a_test_of_two_is_told_with_their_names(tmp_path: Path, first: int, hoped: str, said: str) -> None:
    bots = league(5).bots
    games = 40 if "alpha" in hoped else 2000
    described = replace(
        league(2, games_per_pair=games, sprt=f"elo0=0,{hoped}", openings="none"), bots=(bots[first], bots[~first])
    )
    season = run(tmp_path / "x", CoinExecutor(), described)
    assert said in " ".join(text_of(season, 80).split())


def test_the_crosstable_is_left_out_of_a_low_terminal(faulty: Season) -> None:
    def lines(height: int) -> list[str]:
        stream = io.StringIO()
        Console(file=stream, width=80).print(render(faulty, faulty.standings(), height=height))
        return stream.getvalue().splitlines()

    assert "points against" in "\n".join(lines(24))
    assert "points against" not in "\n".join(lines(14))
    assert len(lines(14)) <= 14
    assert len(lines(24)) <= 24


@pytest.mark.parametrize(
    ("size", "changes", "said"),
    [
        (2, {"games_per_pair": 24}, r"Ada [\d.]+ - Bob [\d.]+ \(\+\d+ =\d+ -\d+\), Elo [+-]?[\d.]+ ± [\d.]+"),
        (2, {"games_per_pair": 24, "sprt": "elo0=0,elo1=5"}, r"Ada .* ± [\d.]+, LLR -?\d\.\d\d \[-2\.94; 2\.94\]"),
        (3, {"games_per_pair": 8}, r"(\w+ [\d.]+ · ){2}\w+ [\d.]+"),
    ],
)
def test_where_lines_stay_the_score_follows_ten_games(
    tmp_path: Path, size: int, changes: dict[str, object], said: str
) -> None:
    lines: list[str] = []
    shown = Lines(lines.append, clock=lambda: 0.0)
    run(tmp_path / "x", CoinExecutor(), league(size, **changes), tell=shown.show)
    scores = [number for number, line in enumerate(lines) if re.fullmatch(said, line.strip())]
    games = [number for number, line in enumerate(lines) if " wins (" in line or " draw (" in line]
    assert len(games) == 24
    assert [sum(game < score for game in games) for score in scores] == [10, 20]


class SometimesFaultyExecutor(CoinExecutor):
    """Where Bob crashes in the second game of each pairing."""

    async def play(self, job: Job) -> tuple[Played, ...]:
        first, second = await super().play(job)
        detail = "the program \x1bended, with code 3\n  in line 7\n  to see it again: bot replay x.json"
        return first, replace(second, winner=2 if second.first == "Bob" else 1, reason="crash", detail=detail)


def test_failures_are_told_where_they_happen_and_below_the_verdict(tmp_path: Path) -> None:
    """A test takes them for results: whoever reads its verdict has to see that an engine crashed in half its games."""
    lines: list[str] = []
    shown = Lines(lines.append, clock=lambda: 0.0)
    described = league(2, sprt="elo0=0,elo1=50", games_per_pair=24, concurrency=1)
    season = run(tmp_path / "x", SometimesFaultyExecutor(), described, tell=shown.show)
    failed = len(season.games) // 2
    assert lines.count("         the program ended, with code 3") == failed
    assert lines.count("         to see it again: bot replay x.json") == failed
    assert any(", lost by failures 0 - 5, Elo " in line for line in lines)
    said = " ".join(text_of(season, 80).split())
    assert f"{failed} of {2 * failed} games were lost by a failure (Bob {failed}), and count as others do." in said


def test_a_league_that_goes_on_says_in_a_line_what_was_played_before(tmp_path: Path) -> None:
    entries = list(load_after(tmp_path, games=8))
    lines: list[str] = []
    shown = Lines(lines.append, clock=lambda: 0.0)
    shown.begin(Season.of(entries[:-2]))
    shown.show(Season.of(entries))
    assert re.fullmatch(r"6 games were played before: Ada [\d.]+ - Bob [\d.]+ .*", lines[0])
    assert [line.split()[0] for line in lines[1:]] == ["7", "8"]


def load_after(folder: Path, games: int) -> Sequence[LogEntry]:
    """The log of a league of two, up to its last pairing and its end."""
    run(folder / "x", CoinExecutor(), league(2, games_per_pair=games))
    return load(folder / "x")


@pytest.mark.parametrize("replaced", [True, False])
def test_a_live_table_goes_where_another_follows(faulty: Season, *, replaced: bool) -> None:
    stream = io.StringIO()
    console = Console(file=stream, width=80, height=24, force_terminal=True)
    screen = pyte.Screen(80, 24)
    with LiveTable(console, clock=lambda: 0.0, replaced=replaced) as live:
        live.show(faulty)
    pyte.Stream(screen).feed(stream.getvalue().replace("\n", "\r\n"))
    assert any("Bob" in line for line in screen.display) is not replaced


def test_what_is_said_stays_above_the_live_table(faulty: Season, monkeypatch: pytest.MonkeyPatch) -> None:
    class Terminal(io.TextIOWrapper):
        def isatty(self) -> bool:
            return True

    stream = Terminal(io.BytesIO(), encoding="utf-8", newline="")
    monkeypatch.setattr("sys.stderr", stream)
    with LiveTable(Console(stderr=True, width=80, height=24, force_terminal=True), clock=lambda: 0.0) as live:
        live.show(faulty)
        say("It is shown here:")
        live.begin(faulty)
    stream.seek(0)
    screen = pyte.Screen(80, 24)
    pyte.Stream(screen).feed(stream.read().replace("\n", "\r\n"))
    assert screen.display[0].strip() == "It is shown here:"
    assert sum(line.startswith("#") for line in screen.display) == 1


def test_the_spreadsheet_has_a_row_for_each_bot(faulty: Season) -> None:
    rows = list(csv.DictReader(io.StringIO(as_csv(faulty.standings()))))
    assert [row["name"] for row in rows] == [row.name for row in faulty.standings().rows]
    assert {row["name"]: row["crash"] for row in rows}["Bob"] == "4"
    for row in rows:
        games = [int(row[key]) for key in ("wins", "draws", "losses")]
        assert sum(games) == int(row["games"])
        assert games[0] + games[1] / 2 + float(row["bye_points"]) == float(row["points"])
    assert any(float(row["bye_points"]) for row in rows)


@pytest.mark.parametrize(
    ("seconds", "text"), [(0.04, "0.0 s"), (9.96, "10.0 s"), (59.4, "59 s"), (61, "1 min 1 s"), (7500, "2 h 5 min")]
)
def test_times_have_the_units_that_matter(seconds: float, text: str) -> None:
    assert duration(seconds) == text


def test_the_crosstable_adds_up(tmp_path: Path) -> None:
    season = run(tmp_path / "x", CoinExecutor(), league(4))
    for row in season.standings().rows:
        assert sum(tally.halves for tally in row.against.values()) == row.halves


def test_a_name_is_neither_markup_nor_a_formula(tmp_path: Path) -> None:
    names = ("Ada [/]", "=1+1", "[b]Cleo")
    described = league(3)
    bots = tuple(replace(bot, name=name) for bot, name in zip(described.bots, names, strict=True))
    text = text_of(Season(replace(described, bots=bots), [], tmp_path), 100)
    for name in names:
        assert text.count(name) == 2
    rows = list(csv.DictReader(io.StringIO(as_csv(standings([], players=names)))))
    assert {row["name"] for row in rows} == {"Ada [/]", "'=1+1", "[b]Cleo"}


LEVEL = "Level on points: "


@pytest.fixture(scope="module")
def swiss(tmp_path_factory: pytest.TempPathFactory) -> Season:
    """Five players, so that ranks among equals have to be told."""
    return run(tmp_path_factory.mktemp("swiss") / "x", CoinExecutor(), league(5, format="swiss", rounds=3))


@pytest.mark.parametrize("width", [60, 80, 100])
def test_a_swiss_shows_by_what_equals_are_put_in_order(swiss: Season, width: int) -> None:
    text = text_of(swiss, width)
    head, *lines = text.splitlines()[1:]
    assert "Buchholz" in head
    rows = swiss.standings().rows
    levels = [(one.halves, one.rank) for one in rows]
    assert any(one[0] == other[0] and one[1] != other[1] for one, other in pairwise(levels)), "nothing is to be told"
    at = head.index("Buchholz") + len("Buchholz")
    for row, line in zip(rows, [line for line in lines if any(name in line for name in STRENGTHS)][:5], strict=True):
        shown = line[:at].split()[-1]
        assert float(shown) == row.tie_breaks["buchholz"]
        assert float(shown) == sum(
            swiss_row.halves / 2 * tally.games / 2 for swiss_row in rows if (tally := row.against.get(swiss_row.name))
        ) + row.halves / 2 * (row.bye_halves // 4)
    assert f"{LEVEL}Buchholz decides" in " ".join(text.split())


def test_what_decides_between_equals_is_said_only_where_it_does(tmp_path: Path) -> None:
    assert "Buchholz" not in text_of(Season(league(4), [], tmp_path), 80)
    assert LEVEL not in text_of(Season(league(4), [], tmp_path), 80)
    texts = []
    for number in range(6):
        season = run(tmp_path / str(number), CoinExecutor(), league(4, seed=str(number)))
        rows = season.standings().rows
        is_told = LEVEL in " ".join(text_of(season, 80).split())
        assert is_told == any(one.halves == other.halves and one.rank < other.rank for one, other in pairwise(rows))
        texts.append(is_told)
    assert set(texts) == {True, False}


def test_a_narrow_terminal_has_names_rather_than_tie_breaks(swiss: Season) -> None:
    assert "Buchholz" not in text_of(swiss, 44).splitlines()[1]
    assert max(map(len, text_of(swiss, 50).splitlines())) <= 50


def test_the_spreadsheet_has_the_tie_breaks(swiss: Season, faulty: Season) -> None:
    for row, told in zip(swiss.standings().rows, csv.DictReader(io.StringIO(as_csv(swiss.standings()))), strict=True):
        assert {name: float(told[name]) for name in row.tie_breaks} == pytest.approx(row.tie_breaks)
    assert {told["buchholz"] for told in csv.DictReader(io.StringIO(as_csv(faulty.standings())))} == {""}


def test_points_without_an_opponent_are_told(swiss: Season) -> None:
    rows = [row for row in swiss.standings().rows if row.bye_halves]
    assert rows
    names = ", ".join(f"{row.name} ({points(row.bye_halves)})" for row in rows)
    assert f"Points for rounds without an opponent, which count as won: {names}." in " ".join(
        text_of(swiss, 80).split()
    )


@pytest.mark.parametrize("which", ["swiss", "faulty"])
def test_the_points_of_a_season_are_those_of_its_table(which: str, request: pytest.FixtureRequest) -> None:
    """With byes, and with forfeits."""
    season: Season = request.getfixturevalue(which)
    rows = season.standings().rows
    assert any(row.bye_halves for row in rows)
    assert {row.name: season.points().get(row.name, 0.0) for row in rows} == {row.name: row.halves / 2 for row in rows}
