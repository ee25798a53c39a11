"""Ratings without a prior: finite where games alone say how far apart players are, and said to be missing elsewhere."""

import csv
import io
import json
import math

import pytest
from click.testing import CliRunner, Result

from league.commands.stats_cli import ratings_command
from league.config import League, LeagueBot
from league.history.season import Season
from league.report.table_text import CSV_HEADER, as_csv
from league.results import Result as Game
from league.results import ResultsError, read_csv
from league.statistics.comparable import rate_alone
from league.statistics.elo import elo_of
from locales import set_language


def games(text: str) -> list[Game]:
    """What these words say: AB is a win of A, who moved first, against B, and A=B a draw."""
    found = []
    for word in text.split():
        winner = None if "=" in word else 1
        found.append(Game("", word[0], word[-1], winner))
    return found


def test_two_players_are_as_far_apart_as_their_score() -> None:
    made = rate_alone(games("AB AB AB BA"), order_spread=1e-3)
    assert made.ratings["A"] - made.ratings["B"] == pytest.approx(elo_of(0.75), abs=0.1)


@pytest.mark.parametrize(
    ("played", "above", "below", "unknown"),
    [
        ("AB BA CA CB", "C", "", ""),
        ("AB BA AC BC", "", "C", ""),
        ("AB BA CD", "", "", "CD"),
        ("AB BA DC CA BE", "CD", "E", ""),
        ("AB BC CD", "", "", "ABCD"),
        ("A=B B=C", "", "", ""),
        ("AB BA AC CX XA", "", "", ""),
    ],
)
def test_who_is_out_of_reach(played: str, above: str, below: str, unknown: str) -> None:
    made = rate_alone(games(played))
    assert {name for name, rating in made.ratings.items() if rating == math.inf} == set(above)
    assert {name for name, rating in made.ratings.items() if rating == -math.inf} == set(below)
    assert {name for name, rating in made.ratings.items() if math.isnan(rating)} == set(unknown)


def test_anchors_are_known_without_games_between_them() -> None:
    made = rate_alone(games("A=C B=C DA"), anchors={"A": 1000.0, "B": 1200.0}, order_spread=1e-3)
    assert made.ratings["C"] == pytest.approx(1100, abs=1)
    assert made.ratings["D"] == math.inf


def run(text: str, *words: str) -> Result:
    return CliRunner().invoke(ratings_command, [*words, "-"], input=text)


SWEEP = "first,second,result\nAda,Bob,1-0\nBob,Ada,1-0\nCleo,Ada,1-0\nBob,Cleo,0-1\nDan,Bob,0-1\nEve,Fay,1-0\n"


def test_the_command_shows_who_has_no_rating() -> None:
    done = run(SWEEP, "--prior", "none")
    assert done.exit_code == 0
    assert "+inf" in done.output
    assert "-inf" in done.output
    assert "having lost to none of those who are rated: Cleo." in done.output
    assert "having won against none of those who are rated: Dan." in done.output
    assert "having no games with them: Eve, Fay." in done.output
    rows = json.loads(run(SWEEP, "--prior", "none", "--json").output)["rows"]
    assert {row["name"]: row["rating"] is None for row in rows} == {
        "Ada": False, "Bob": False, "Cleo": True, "Dan": True, "Eve": True, "Fay": True,
    }  # fmt: skip


def test_a_prior_pulls_to_the_middle() -> None:
    def leader(*words: str) -> float:
        return float(json.loads(run(SWEEP, "--json", *words).output)["rows"][0]["rating"])

    assert leader("--prior", "100") < leader("--prior", "300") < leader() == leader("--prior", "1000")


@pytest.mark.parametrize("prior", ["0", "-5", "nan", "inf", "1e300", "x", "", "0.5"])
def test_what_is_no_prior_is_refused(prior: str) -> None:
    done = run(SWEEP, f"--prior={prior}")
    assert done.exit_code == 2
    assert "is no prior" in done.output


@pytest.mark.parametrize("prior", ["none", "1", "100000"])
@pytest.mark.parametrize("text", ["first,second,result\n", "first,second,result\nA,B,1-0\n", SWEEP])
def test_every_list_has_a_table(text: str, prior: str) -> None:
    for words in ((), ("--json",), ("--no-advantage",)):
        assert run(text, "--prior", prior, *words).exit_code == 0


FORMS = [
    "first,second,result,pair\nAda,Bob,1-0,1\nBob,Ada,1/2-1/2,1\n",
    "\ufefffirst;second;result;pair\nAda;Bob;1-0;1\nBob;Ada;0,5-0,5;1\n",
    "first\tsecond\tresult\tpair\nAda\tBob\t1-0\t1\nBob\tAda\t½-½\t1\n",
    'first;second;result;pair\r\n"Ada";"Bob";"1-0";1\r\nBob;Ada;0.5-0.5;1\r\n',
]


@pytest.mark.parametrize("text", FORMS)
def test_lists_of_spreadsheets_of_both_languages_are_read(text: str) -> None:
    assert read_csv(io.StringIO(text)) == [Game("1", "Ada", "Bob", 1), Game("1", "Bob", "Ada", None)]


def test_an_empty_list_says_what_is_missing() -> None:
    with pytest.raises(ResultsError, match="Line 1"):
        read_csv(io.StringIO(""))


def test_the_table_for_a_spreadsheet_is_in_the_language_of_its_reader() -> None:
    season = Season(League("Test", "morpion", (LeagueBot("Léa"), LeagueBot("=Tom"))))
    standings = season.standings()
    standings.rows[0].rating, standings.rows[0].error = 1234.5, 0.0
    english = list(csv.reader(io.StringIO(as_csv(standings))))
    assert english[0] == list(CSV_HEADER)
    assert english[1][2] == "1234.5"
    set_language("fr")
    try:
        french = list(csv.reader(io.StringIO(as_csv(standings)), delimiter=";"))
    finally:
        set_language("en")
    assert french[0][:3] == ["rang", "nom", "classement"]
    assert french[1][2] == "1234,5"
    assert [len(row) for row in french] == [len(row) for row in english]
    assert "'=Tom" in (french[1][1], french[2][1])
