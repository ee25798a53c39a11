"""The table from lists of results written by hand."""

import json

import pytest

from league.results import Result
from league.statistics.standings import standings


def pair(
    one: str, two: str, first: int | None, second: int | None, reason: str = "line", number: str = ""
) -> list[Result]:
    """Two games with seats swapped; `first` and `second` are the seats that won."""
    name = f"{one}-{two}{number}"
    return [Result(name, one, two, first, reason, 9, (1.0, 2.0)), Result(name, two, one, second, reason, 9, (4.0, 8.0))]


LEAGUE = [
    *pair("Ada", "Bob", 1, 2),  # Ada 2
    *pair("Ada", "Cleo", 2, 1),  # Cleo 2
    *pair("Bob", "Cleo", 1, 2, "timeout"),  # Bob 2
    *pair("Ada", "Dan", 1, None),  # Ada 1.5
    *pair("Bob", "Dan", None, None, "full"),
    *pair("Cleo", "Dan", None, 1, "crash"),  # Dan 1.5
]


def test_points_seats_faults_and_time() -> None:
    rows = {row.name: row for row in standings(LEAGUE).rows}
    assert {name: row.halves / 2 for name, row in rows.items()} == {"Ada": 3.5, "Bob": 3.0, "Cleo": 2.5, "Dan": 3.0}
    ada = rows["Ada"]
    assert (ada.total.wins, ada.total.draws, ada.total.losses) == (3, 1, 2)
    assert (ada.as_first.wins, ada.as_first.losses, ada.as_second.wins, ada.as_second.draws) == (2, 1, 1, 1)
    assert rows["Cleo"].faults == {"timeout": 2, "crash": 1}
    assert rows["Ada"].faults == {}
    assert ada.seconds == 3 * (1 + 8)
    assert rows["Dan"].seconds == 3 * (2 + 4)


def test_the_figures_for_programs_are_shares_and_rounded() -> None:
    made = standings(LEAGUE)
    told = made.as_json("L", 12, 12, finished=True)
    rows = {row.name: row.as_json() for row in made.rows}
    assert {name: row["score"] for name, row in rows.items()} == {
        "Ada": 0.5833, "Bob": 0.5, "Cleo": 0.4167, "Dan": 0.5,
    }  # fmt: skip
    assert (rows["Ada"]["points"], rows["Ada"]["games"]) == (3.5, 6)
    assert told["first_player_score"] == round(7 / 12, 4)
    for figure, exact in (
        (told["first_player_advantage"], made.ratings.advantage),
        (told["first_player_advantage_error"], made.ratings.advantage_error),
        *((rows[row.name][name], getattr(row, name)) for row in made.rows for name in ("rating", "error")),
    ):
        assert isinstance(figure, float)
        assert figure == round(exact, 2)
    assert made.ratings.advantage != round(made.ratings.advantage, 2)
    fewer = standings(LEAGUE[:-1])
    error = fewer.as_json("L", 11, 12, finished=False)["first_player_advantage_error"]
    assert error == round(fewer.ratings.advantage_error, 2) != round(fewer.ratings.advantage_error, 1)
    timed = standings([Result("1", "A", "B", 1, "line", 9, (0.1234, 0.5678))]).rows
    assert {row.name: row.as_json()["seconds"] for row in timed} == {"A": 0.123, "B": 0.568}


def test_tie_breaks_decide_in_their_order() -> None:
    """Bob and Dan are level, also with each other. By hand: Bob 2 * 2.5 + 1 * 3, Dan 0.5 * 3.5 + 1 * 3 + 1.5 * 2.5."""
    made = standings(LEAGUE)
    assert [(row.rank, row.name) for row in made.rows] == [(1, "Ada"), (2, "Dan"), (3, "Bob"), (4, "Cleo")]
    breaks = {row.name: row.tie_breaks for row in made.rows}
    assert breaks["Bob"] == {"direct": 1.0, "sonneborn_berger": 8.0}
    assert breaks["Dan"] == {"direct": 1.0, "sonneborn_berger": 8.5}
    assert list(standings(LEAGUE, swiss=True).rows[0].tie_breaks) == ["buchholz", "direct", "sonneborn_berger"]


def test_direct_encounter_comes_before_sonneborn_berger() -> None:
    results = [*pair("A", "B", 1, 2), *pair("A", "C", 2, 1), *pair("B", "C", 1, 2), *pair("C", "D", 1, 2)]
    results += [*pair("B", "D", 1, 2), *pair("A", "D", 1, 2)]
    # A, B and C have beaten each other in a circle: level in everything.
    assert [(row.rank, row.name) for row in standings(results).rows] == [(1, "A"), (1, "B"), (1, "C"), (4, "D")]
    results = [*pair("C", "D", 1, 2), *pair("C", "A", 2, 1), *pair("C", "B", 1, 2), *pair("B", "A", 1, 2)]
    results += [*pair("A", "D", 1, None), *pair("B", "D", 2, 1)]
    # C 4, A 3.5; B and D: 2 and 2.5.
    assert [row.name for row in standings(results).rows] == ["C", "A", "D", "B"]
    results += pair("B", "E", None, 1)
    # B is level with D now and has lost to it, though its opponents have more points.
    assert [row.name for row in standings(results).rows][2:4] == ["D", "B"]


def test_direct_encounter_counts_only_if_all_have_met_and_wins_come_last() -> None:
    """A drew twice with C, B won and lost: level in all but wins, and they never met."""
    results = [*pair("A", "C", None, None), *pair("B", "C", 1, 1)]
    rows = standings(results).rows
    assert [(row.rank, row.name) for row in rows] == [(1, "C"), (2, "B"), (3, "A")]
    # A, B and D are level, A has beaten D, but B has met neither.
    results = [*pair("A", "D", 1, 2), *pair("A", "C", 2, 1), *pair("D", "C", 1, 2), *pair("B", "C", None, None)]
    results += pair("B", "E", None, None)
    level = {row.name: row for row in standings(results).rows}
    assert level["A"].halves == level["B"].halves == level["D"].halves == 4
    assert level["A"].tie_breaks["direct"] == 0


def test_buchholz_counts_opponents_and_byes() -> None:
    results = [*pair("A", "B", 1, 2), *pair("C", "D", 1, 2), *pair("A", "C", 1, 2)]
    made = standings(results, swiss=True, byes={"E": 4, "B": 4})
    rows = {row.name: row for row in made.rows}
    assert rows["A"].tie_breaks["buchholz"] == (4 + 4) / 2  # B 2 points by a bye, C 2
    assert rows["B"].tie_breaks["buchholz"] == (8 + 4) / 2
    assert rows["E"].tie_breaks["buchholz"] == 2
    assert rows["E"].as_json()["points"] == 2
    assert rows["E"].as_json()["games"] == 0


def test_buchholz_counts_a_bye_as_often_as_an_opponent_of_that_round() -> None:
    """Four games a pairing: A has beaten B and C, who had byes. By hand: A 8 points; B 4, who has met A and rested."""
    results = [game for other in "BC" for number in "12" for game in pair("A", other, 1, 2, number=number)]
    rows = {row.name: row for row in standings(results, swiss=True, byes={"B": 8, "C": 8}).rows}
    assert {name: row.tie_breaks["buchholz"] for name, row in rows.items()} == {"A": 16, "B": 24, "C": 24}


def test_a_forfeit_counts_as_won_in_points_and_tie_breaks_but_is_no_game() -> None:
    """C has left: A had won both games against it, and B is given both. A and B are level in everything."""
    results = [*pair("A", "B", 1, 1), *pair("A", "C", 1, 2), *pair("C", "D", None, None), *pair("A", "D", 1, 2)]
    results += pair("B", "D", 1, 2)
    played = {row.name: row for row in standings([*results, *pair("B", "C", 1, 2)]).rows}
    given = {row.name: row for row in standings(results, forfeits=[("B", "C")]).rows}
    assert {name: (row.rank, row.halves, row.tie_breaks) for name, row in given.items()} == {
        name: (row.rank, row.halves, row.tie_breaks) for name, row in played.items()
    }
    assert given["B"].total.games == played["B"].total.games - 2
    assert given["B"].as_json()["bye_points"] == 2
    assert {name: row.rating for name, row in given.items()} == standings(results).ratings.ratings


def test_who_lost_by_forfeit_counts_as_met() -> None:
    """In a circle: A has beaten B, C has beaten A, and C has left before its games with B."""
    made = standings([*pair("A", "B", 1, 2), *pair("C", "A", 1, 2)], forfeits=[("B", "C")])
    assert [(row.rank, row.halves, row.tie_breaks["direct"]) for row in made.rows] == [(1, 4, 2.0)] * 3


def test_who_stands_in_no_stage_is_below_all_that_do() -> None:
    results = [*pair("A", "B", 2, 1), *pair("C", "B", 1, 1)]
    assert [row.name for row in standings(results).rows] == ["B", "C", "A"]
    assert [row.name for row in standings(results, stages={"A": 1}).rows] == ["A", "B", "C"]
    assert [row.name for row in standings(results, stages={"A": 0}).rows] == ["B", "C", "A"]


def test_the_json_is_that_of_the_issue() -> None:
    data = standings(LEAGUE, players=["Eve"]).as_json("Seconde 4", 12, 12, finished=True)
    again = json.loads(json.dumps(data, allow_nan=False))
    assert {
        "league",
        "finished",
        "played",
        "planned",
        "rows",
        "crosstable",
        "los",
        "first_player_advantage",
    } <= again.keys()
    names = [row["name"] for row in again["rows"]]
    wanted = {"rank", "name", "rating", "error", "games", "wins", "draws", "losses", "points", "faults"}
    assert all(wanted <= row.keys() for row in again["rows"])
    ada, cleo = names.index("Ada"), names.index("Cleo")
    assert again["crosstable"][cleo][ada] == {"wins": 2, "draws": 0, "losses": 0, "points": 2.0}
    assert again["crosstable"][ada][ada] is None
    assert again["los"][ada][cleo] == pytest.approx(1 - again["los"][cleo][ada], abs=1e-5)
    assert again["first_player_score"] == 0.5833
    assert again["first_player_advantage"] > 0


def test_a_table_by_rating() -> None:
    """The gauntlet's challenger has played most; that is no merit."""
    results = [*pair("A", "B", 1, 2), *pair("A", "C", 2, 1), *pair("A", "D", 1, 1), *pair("A", "D", 1, 1)]
    assert standings(results).rows[0].name == "A"
    assert standings(results, by_rating=True).rows[0].name == "C"


def test_a_league_without_games_has_a_table() -> None:
    made = standings([], players=["B", "A"])
    assert [(row.rank, row.name) for row in made.rows] == [(1, "A"), (1, "B")]
    data = made.as_json("x", 0, None, finished=False)
    assert (data["first_player_score"], data["planned"]) == (None, None)


def test_anchors_reach_the_ratings() -> None:
    rows = {row.name: row for row in standings(LEAGUE, anchors={"Dan": 1000.0}).rows}
    assert (rows["Dan"].rating, rows["Dan"].error) == (1000.0, 0.0)
    assert rows["Ada"].error > 0


def test_who_has_not_played_has_no_rating_unless_it_is_held_fast() -> None:
    rows = {row.name: row for row in standings(LEAGUE, players=["Eve"]).rows}
    assert (rows["Eve"].as_json()["rating"], rows["Eve"].as_json()["error"]) == (None, None)
    assert rows["Ada"].is_rated
    held = {row.name: row for row in standings(LEAGUE, players=["Eve"], anchors={"Eve": 1200.0}).rows}["Eve"]
    assert (held.as_json()["rating"], held.as_json()["error"]) == (1200.0, 0.0)


def test_equals_stand_as_a_list_of_names_does_whatever_their_accents() -> None:
    names = ("Louis", "Léa", "Zoé", "Éloi", "eva")
    rows = standings([], players=names).rows
    assert [(row.rank, row.name) for row in rows] == [(1, "Éloi"), (1, "eva"), (1, "Léa"), (1, "Louis"), (1, "Zoé")]
