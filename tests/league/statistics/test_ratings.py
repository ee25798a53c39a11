"""Ratings against published fits, brute force and simulated leagues whose true strengths are known."""

import json
import math
import random
from itertools import combinations, pairwise, permutations, product
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import arbitre
from league.results import Result, ResultsError, pairs, read_csv
from league.statistics.elo import ELO_PER_NAT, Pairs, estimate, expected_score
from league.statistics.linear import cholesky, inverse
from league.statistics.ratings import CENTRE, NONE, SPREAD, _Fit, rate

TEAMS = ("Milwaukee", "Detroit", "Toronto", "New York", "Boston", "Cleveland", "Baltimore")
# 1987 American League East (Agresti, Categorical Data Analysis, 2002, table 10.10): a row for each home team, in
# the order above; its wins and losses against each other team, in the same order.
HOME = """4-3 4-2 4-3 6-1 4-2 6-0
          3-3 4-2 4-3 6-0 6-1 4-3
          2-5 4-3 2-4 4-3 4-2 6-0
          3-3 5-1 2-5 4-3 4-2 6-1
          5-1 2-5 3-3 4-2 5-2 6-0
          2-5 3-3 3-4 4-3 4-2 2-4
          2-5 1-5 1-6 2-4 1-6 3-4"""


def games(first: str, second: str, wins: int, losses: int, draws: int = 0) -> list[Result]:
    winners = [1] * wins + [2] * losses + [None] * draws
    return [Result("", first, second, winner) for winner in winners]


@pytest.mark.parametrize(
    ("anchors", "values", "precisions"),
    [
        ({"d": 1700.0, "a": 1500.0}, [0.7, -0.4, 0.3, -0.5], [0.9, 0.9, 0.4, 0.2]),
        ({"d": 1700.0, "a": 1500.0, "b": 900.0}, [0.7, 0.3, -0.5], [0.9, 0.4, 0.2]),
        ({}, [0.7, -0.4, 0.1, 0.8, 0.3, -0.5], [0.9, 0.9, 0.9, 0.9, 0.4, 0.2]),
    ],
)
def test_newtons_method_climbs_what_it_measures(
    anchors: dict[str, float], values: list[float], precisions: list[float]
) -> None:
    """With anchors, where the prior of the others depends on their mean, and without."""
    results = [*games("a", "b", 3, 1, 2), *games("b", "c", 2, 2), *games("c", "d", 4, 1, 1), *games("d", "a", 1, 2)]
    fit = _Fit(results, ["a", "b", "c", "d"], anchors)
    fit.values, fit.precisions = values, precisions
    for index, slope in enumerate(fit._slope()):
        there = list(fit.values)
        heights = []
        for step in (1e-5, -1e-5):
            fit.values = [value + step * (place == index) for place, value in enumerate(there)]
            heights.append(fit._likelihood())
        fit.values = there
        assert (heights[0] - heights[1]) / 2e-5 == pytest.approx(slope, abs=1e-6)


class Watched(_Fit):
    """A fit that notes how high it has come."""

    heights: list[float]

    def _likelihood(self) -> float:
        self.heights.append(super()._likelihood())
        return self.heights[-1]


@pytest.mark.parametrize(
    ("results", "anchors", "spread", "order_spread"),
    [
        (games("B", "A", 1, 0), {"A": 9000.0, "C": 1000.0}, 1000, 1000),
        (games("C", "B", 0, 0, 5), {"A": 1000.0, "C": -3000.0}, 100, 10_000),
        (games("A", "C", 5, 0), {"B": -9000.0, "C": 1000.0}, 1000, 1000),
    ],
)
def test_a_step_that_goes_too_far_is_taken_back(
    results: list[Result], anchors: dict[str, float], spread: float, order_spread: float
) -> None:
    """Anchors that lie absurdly far apart: a whole step would lead downhill, but the top is reached."""
    fit = Watched(results, list("ABC"), anchors)
    fit.heights = []
    fit.maximise(spread, order_spread)
    assert any(after < before - 0.1 for before, after in pairwise(fit.heights))
    assert fit.heights[-1] == pytest.approx(max(fit.heights), abs=1e-9)
    assert fit._slope() == pytest.approx([0.0] * len(fit.values), abs=1e-9)


def baseball() -> list[Result]:
    results: list[Result] = []
    for home, row in zip(TEAMS, HOME.splitlines(), strict=True):
        others = [team for team in TEAMS if team != home]
        for away, cell in zip(others, row.split(), strict=True):
            won, lost = map(int, cell.split("-"))
            results += games(home, away, won, lost)
    return results


def test_the_published_fit_of_baseball() -> None:
    """Agresti, table 10.11: abilities against Baltimore, standard errors about 0.3."""
    fit = rate(baseball(), anchors={"Baltimore": 0.0}, spread=1e5, order_spread=NONE)
    abilities = {team: round(rating / ELO_PER_NAT, 2) for team, rating in fit.ratings.items()}
    assert abilities == {
        "Milwaukee": 1.58,
        "Detroit": 1.44,
        "Toronto": 1.29,
        "New York": 1.25,
        "Boston": 1.11,
        "Cleveland": 0.68,
        "Baltimore": 0.0,
    }
    errors = [error / ELO_PER_NAT / 1.96 for team, error in fit.errors.items() if team != "Baltimore"]
    assert all(0.3 < error < 0.36 for error in errors)
    assert fit.advantage == pytest.approx(0, abs=1e-3)


def test_the_published_fit_of_baseball_with_home_advantage() -> None:
    """Agresti, section 10.6.2; with the usual prior, which so much data outweighs."""
    fit = rate(baseball())
    worths = {team: math.exp(rating / ELO_PER_NAT) for team, rating in fit.ratings.items()}
    shares = [round(worth / sum(worths.values()), 3) for worth in worths.values()]
    assert sorted(shares) == [0.044, 0.088, 0.137, 0.157, 0.164, 0.190, 0.220]
    assert round(fit.advantage / ELO_PER_NAT, 3) == 0.302
    assert fit.draws == 0
    assert sum(fit.ratings.values()) / 7 == pytest.approx(CENTRE)


def log_posterior(results: list[Result], values: dict[str, float], advantage: float, log_nu: float) -> float:
    """The model written down once more, game by game, for an independent search."""
    total = -(sum(value**2 for value in values.values()) + advantage**2) / 2 / (SPREAD / ELO_PER_NAT) ** 2
    total -= log_nu**2 / 2 / 9
    for result in results:
        difference = values[result.first] + advantage - values[result.second]
        weights = {1: math.exp(difference / 2), 2: math.exp(-difference / 2), None: math.exp(log_nu)}
        total += math.log(weights[result.winner] / sum(weights.values()))
    return total


def test_the_fit_is_the_maximum_that_a_blind_search_finds() -> None:
    results = games("A", "B", 5, 2, 3) + games("B", "A", 4, 4, 2) + games("A", "C", 6, 1, 1) + games("C", "B", 2, 5, 1)
    point, step = [0.0] * 5, 1.0

    def value(at: list[float]) -> float:
        return log_posterior(results, dict(zip("ABC", at[:3], strict=True)), at[3], at[4])

    best = value(point)
    while step > 1e-7:  # coordinate search
        better = False
        for index in range(5):
            for sign in (1, -1):
                trial = list(point)
                trial[index] += sign * step
                if (found := value(trial)) > best:
                    point, best, better = trial, found, True
        step = step if better else step / 2
    fit = rate(results)
    average = sum(point[:3]) / 3
    for name, strength in zip("ABC", point, strict=False):
        assert fit.ratings[name] == pytest.approx(CENTRE + (strength - average) * ELO_PER_NAT, abs=0.01)
    assert fit.advantage == pytest.approx(point[3] * ELO_PER_NAT, abs=0.01)
    assert fit.draws == pytest.approx(math.exp(point[4]), abs=1e-4)


def play(
    rng: random.Random, strengths: dict[str, float], one: str, two: str, pairing: str, opening: float = 0.0
) -> list[Result]:
    """A colour-swapped pair: 25 Elo for playing first, an opening worth `opening` to the first, a third of draws."""
    made = []
    for first, second in ((one, two), (two, one)):
        difference = (strengths[first] - strengths[second] + 25 + opening) / ELO_PER_NAT
        weights = (math.exp(difference / 2), math.exp(-difference / 2), 1.0)
        made.append(Result(pairing, first, second, rng.choices((1, 2, None), weights)[0]))
    return made


def inside(held: int, total: int) -> bool:
    """Whether that many of 95 % intervals may well hold the truth: not more than 3 standard deviations too few."""
    return held / total >= 0.95 - 3 * math.sqrt(0.95 * 0.05 / total)


def test_95_percent_of_the_intervals_hold_the_truth() -> None:
    rng = random.Random("coverage")
    names = "ABCDEF"
    held = leagues = 0
    for _league in range(60):
        leagues += 1
        strengths = {name: rng.gauss(0, 250) for name in names}
        average = sum(strengths.values()) / len(names)
        encounters = enumerate(list(combinations(names, 2)) * 10)
        fit = rate([game for number, both in encounters for game in play(rng, strengths, *both, str(number))])
        held += sum(abs(fit.ratings[name] - CENTRE - strengths[name] + average) <= fit.errors[name] for name in names)
    assert inside(held, leagues * len(names))
    assert held < leagues * len(names)  # nor are they wide beyond reason


def test_intervals_hold_the_truth_where_openings_decide() -> None:
    """There the two games of a pair nearly cancel: intervals from single games would be half as wide again."""
    rng = random.Random("openings")
    held = 0
    for _duel in range(100):
        opening = [rng.choice((-500, 500)) for _pair in range(60)]
        equal = {"A": 0.0, "B": 0.0}
        fit = rate([g for pair, worth in enumerate(opening) for g in play(rng, equal, "A", "B", str(pair), worth)])
        held += abs(fit.ratings["A"] - CENTRE) <= fit.errors["A"]
        assert fit.pair_ratio < 0.7
    assert inside(held, 100)
    assert held < 100


def test_a_long_duel_has_the_pentanomial_error() -> None:
    rng = random.Random("duel")
    results = [game for pair in range(2000) for game in play(rng, {"A": 40, "B": 0}, "A", "B", str(pair), 300)]
    made = [0] * 5
    for first, second in pairs(results):
        made[first.halves + 2 - second.halves] += 1
    fit, duel = rate(results), estimate(Pairs(*made))
    gap = fit.ratings["A"] - fit.ratings["B"]
    # The scale of the model with draws is wider than that of scores; relative errors are the same.
    assert gap / (2 * fit.errors["A"]) == pytest.approx(duel.elo / duel.error, rel=0.03)
    assert fit.los["A"]["B"] == pytest.approx(duel.los, abs=0.002)


def test_the_ratio_of_pairs_is_shrunk_by_four_pairs_that_are_worth_half_a_point() -> None:
    """Each opening decides both games, so that each pair is level: all that is seen is what is put there before."""
    pair_of = (("A", "B"), ("B", "A"))
    count = 40
    level = [Result(str(pair), *seats, 1 + pair % 2) for pair in range(count) for seats in pair_of]
    # Two fair games vary by 1/2; by the share of one pair of them all the fit has taken that away.
    assert rate(level).pair_ratio == pytest.approx(4 * 0.5 / (0.5 * (count - 1) + 4 * 0.5), rel=0.01)
    # Single games: each varies by 1/4, and was seen to be 1/2 from what was expected.
    single = [Result(str(game), *seats, 1) for game, seats in enumerate(count * pair_of)]
    expected = 0.25 * (2 * count - 1)
    advantage = rate(single, order_spread=NONE)
    assert advantage.pair_ratio == pytest.approx((2 * count * 0.25 + 2) / (expected + 2), rel=0.01)


SWEEP = games("A", "B", 10, 0) + games("B", "A", 0, 10)


@pytest.mark.parametrize(
    "results",
    [
        [],
        games("A", "B", 1, 0),
        SWEEP,
        games("A", "B", 10, 0) + games("B", "A", 10, 0),
        games("A", "B", 0, 0, 10),
        games("A", "B", 3, 1) + games("C", "D", 1, 3, 1),
        games("A", "B", 2000, 0) + games("B", "A", 0, 2000) + games("B", "C", 2000, 0),
    ],
    ids=["nothing", "one game", "sweep", "first wins", "draws", "two islands", "long sweeps"],
)
def test_hard_cases_have_finite_and_honest_figures(results: list[Result]) -> None:
    fit = rate(results, players="AB")
    figures = [*fit.ratings.values(), *fit.errors.values(), fit.advantage, fit.advantage_error, fit.draws]
    assert all(map(math.isfinite, figures))
    assert all(0 < error < 2 * SPREAD for error in fit.errors.values())
    for one, two in permutations(fit.ratings, 2):
        assert fit.los[one][two] == pytest.approx(1 - fit.los[two][one])
        assert (fit.los[one][two] > 0.5) == (fit.ratings[one] > fit.ratings[two] + 1e-9) or fit.los[one][two] == 0.5


def test_a_sweep_ranks_and_leaves_doubt() -> None:
    fit = rate(SWEEP)
    assert 600 < fit.ratings["A"] - fit.ratings["B"] < 1200
    assert fit.errors["A"] > 300
    longer = rate(SWEEP * 5)
    assert longer.ratings["A"] > fit.ratings["A"]


def test_islands_are_apart_as_far_as_the_prior_says() -> None:
    fit = rate(games("A", "B", 30, 30) + games("C", "D", 30, 30))
    assert fit.los["A"]["C"] == pytest.approx(0.5)
    assert fit.errors["A"] > 1000


def test_anchors_stay_where_they_are_and_the_others_are_seen_from_them() -> None:
    results = games("A", "B", 30, 10) + games("B", "A", 10, 30) + games("B", "C", 30, 10) + games("C", "B", 10, 30)
    fit = rate(results, anchors={"A": 1500.0, "nobody": 3.0})
    assert fit.ratings["A"] == 1500
    assert fit.errors["A"] == 0
    assert fit.ratings["B"] == pytest.approx(1500 - 400 * math.log10(3), abs=3)
    assert fit.errors["C"] > fit.errors["B"] > 0
    assert rate(results, anchors={"A": 1500.0, "C": 1500.0}).los["A"]["C"] == 0.5
    both = rate(results, anchors={"A": 1500.0, "C": 1400.0})
    assert both.los["A"]["C"] == 1
    assert both.los["C"]["A"] == 0
    assert 1400 < both.ratings["B"] < 1500


@given(
    st.lists(st.tuples(st.sampled_from("ABCD"), st.sampled_from("ABCD"), st.sampled_from((1, 2, None))), max_size=40)
)
@settings(deadline=None, max_examples=60)
def test_any_list_of_games_is_rated_the_same_in_any_order_and_from_both_sides(
    rows: list[tuple[str, str, int | None]],
) -> None:
    results = [Result("x", *row) for row in rows if row[0] != row[1]]
    fit = rate(results, players="ABCD")
    shuffled = random.Random(1).sample(results, len(results))
    again = rate([Result(f"{index}", r.first, r.second, r.winner) for index, r in enumerate(shuffled)], players="DCBA")
    for name in "ABCD":
        assert fit.ratings[name] == pytest.approx(again.ratings[name], abs=1e-4)
        assert 0 < fit.errors[name] < 2000
    swapped = {1: 2, 2: 1, None: None}
    other = rate([Result("x", r.second, r.first, swapped[r.winner]) for r in results], players="ABCD")
    assert other.advantage == pytest.approx(-fit.advantage, abs=1e-4)
    assert other.ratings["A"] == pytest.approx(fit.ratings["A"], abs=1e-4)


def test_one_anchor_shifts_all_ratings_and_changes_nothing_else() -> None:
    free, tied = rate(baseball()), rate(baseball(), anchors={"Baltimore": 0.0})
    for team in TEAMS:
        assert tied.ratings[team] == pytest.approx(free.ratings[team] - free.ratings["Baltimore"], abs=1e-6)
        if team != "Baltimore":
            assert tied.los[team]["Baltimore"] == pytest.approx(free.los[team]["Baltimore"], rel=1e-6)
    assert tied.advantage == pytest.approx(free.advantage)
    assert tied.advantage_error == pytest.approx(free.advantage_error)


def test_the_errors_are_the_curvature_of_the_posterior(monkeypatch: pytest.MonkeyPatch) -> None:
    """With nothing learnt from pairs, the covariance is the inverse of a matrix of second differences."""
    monkeypatch.setattr("league.statistics.ratings._PSEUDO_PAIRS", 1e15)
    results = games("A", "B", 9, 2, 3) + games("B", "A", 4, 4, 2) + games("A", "C", 6, 1, 1) + games("C", "B", 2, 5, 1)
    fit = rate(results, anchors={"C": 500.0})
    top = [(fit.ratings["A"] - 500) / ELO_PER_NAT, (fit.ratings["B"] - 500) / ELO_PER_NAT]
    top += [fit.advantage / ELO_PER_NAT, math.log(fit.draws)]

    def value(at: list[float]) -> float:
        mean = (at[0] + at[1]) / 3  # the prior is around the average, the anchor's 0 among the three
        seen = {"A": at[0] - mean, "B": at[1] - mean, "C": -mean}
        return log_posterior(results, seen, at[2], at[3])

    step = 1e-3
    curvature = [[0.0] * 4 for _row in range(4)]
    for row in range(4):
        for column in range(4):
            for one, two in product((1, -1), repeat=2):
                at = list(top)
                at[row] += one * step
                at[column] += two * step
                curvature[row][column] -= one * two * value(at) / (4 * step * step)
    covariance = inverse(cholesky(curvature))
    for index, error in enumerate((fit.errors["A"], fit.errors["B"], fit.advantage_error)):
        assert error == pytest.approx(1.959964 * ELO_PER_NAT * math.sqrt(covariance[index][index]), rel=1e-4)


def test_the_advantage_of_playing_first_is_found() -> None:
    rng = random.Random("first")
    results = [game for pair in range(1500) for game in play(rng, {"A": 0, "B": 0}, "A", "B", str(pair))]
    fit = rate(results)
    assert abs(fit.advantage - 25) < fit.advantage_error < 25
    assert fit.draws == pytest.approx(1, abs=0.12)


# --- lists of results -------------------------------------------------------------------------------------------------


def test_csv_is_read_as_people_write_it() -> None:
    text = "first, second, result\nAda, Bob, 1-0\nBob,Ada,1/2-1/2\n\nÉmile,Ada,0-1\n"
    assert [(r.first, r.second, r.winner) for r in read_csv(text.splitlines())] == [
        ("Ada", "Bob", 1),
        ("Bob", "Ada", None),
        ("Émile", "Ada", 2),
    ]
    assert read_csv(["result,second,pair,first", "0-1,B,7,A"]) == [Result("7", "A", "B", 2)]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "Line 1 has to name the columns"),
        ("first,second\nA,B", "result is missing"),
        ("first,second,result\nA,B,2-0", "Line 2: '2-0' is no result"),
        ("first,second,result\nA,B,1-0\nA,A,1-0", "Line 3: a game needs two players"),
        ("first,second,result\nA", "Line 2: a game needs two players"),
        ('first,second,result\n"A,B,1-0', "line 1: this is no CSV"),
        ("first,second,result\nA,\x1b\u202e\x07,1-0", "Line 2: a game needs two players"),
        (f"first,second,result\nA,{'B' * 101},1-0", "Line 2: the name of a player has at most 100"),
    ],
)
def test_csv_that_cannot_be_read_is_refused_with_its_line(text: str, message: str) -> None:
    with pytest.raises(ResultsError, match=message):
        read_csv(text.splitlines())


def test_no_name_in_a_list_moves_the_cursor() -> None:
    (result,) = read_csv(["first,second,result", f"\x1b]0;A\x07\u202e,e{chr(0x301) * 30},1-0"])
    assert (result.first, result.second) == ("]0;A", "e" + "\u0301" * 3)


def test_games_are_put_into_pairs() -> None:
    ab, ba, ac = ("A", "B"), ("B", "A"), ("A", "C")
    results = [Result(pairing, *seats, 1) for pairing, seats in [("1", ab), ("2", ba), ("2", ab), ("1", ba), ("3", ac)]]
    assert [[r.pairing for r in pair] for pair in pairs(results)] == [["1", "1"], ["2", "2"], ["3"]]
    nameless = [Result("", *seats, 1) for seats in (ab, ba, ab, ab, ba, ac, ba)]
    assert [len(pair) for pair in pairs(nameless)] == [2, 1, 2, 1, 1]
    assert [len(pair) for pair in pairs([Result("", *seats, 1) for seats in (ab, ba, ba)])] == [2, 1]


def test_results_survive_being_written() -> None:
    result = Result("1.2.3", "A", "B", None, "full", 9, (0.25, 1.5))
    assert Result.from_dict(result.as_dict()) == result


def test_scores_and_ratings_are_one_scale() -> None:
    fit = rate(games("A", "B", 640, 360) + games("B", "A", 360, 640))
    assert expected_score(fit.ratings["A"] - fit.ratings["B"]) == pytest.approx(0.64, abs=0.001)


# --- the command ------------------------------------------------------------------------------------------------------


def baseball_csv(folder: Path) -> str:
    written = {1: "1-0", 2: "0-1"}
    rows = [f"{game.first},{game.second},{written[game.winner or 0]}" for game in baseball()]
    file = folder / "1987.csv"
    file.write_text("\n".join(["first,second,result", *rows]), encoding="utf-8")
    return str(file)


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    code = arbitre.main(["league", "ratings", *arguments])
    captured = capsys.readouterr()
    return code, captured.out, captured.err


def test_the_command_gives_the_published_fits(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = baseball_csv(tmp_path)
    code, out, err = run(capsys, file, "--json")
    data = json.loads(out)
    assert (code, err, data["league"], data["played"]) == (0, "", "1987", 273)
    worths = [math.exp(row["rating"] / ELO_PER_NAT) for row in data["rows"]]
    shares = [round(worth / sum(worths), 3) for worth in worths]
    assert shares == [0.220, 0.190, 0.164, 0.157, 0.137, 0.088, 0.044]
    assert [row["name"] for row in data["rows"]] == list(TEAMS)
    assert round(data["first_player_advantage"] / ELO_PER_NAT, 3) == 0.302

    code, out, _err = run(capsys, file, "--json", "--no-advantage", "--anchor", "Baltimore=0")
    rows = json.loads(out)["rows"]
    abilities = [row["rating"] / ELO_PER_NAT for row in rows]
    assert abilities == pytest.approx([1.58, 1.44, 1.29, 1.25, 1.11, 0.68, 0.0], abs=0.01)
    assert all(0.3 < row["error"] / ELO_PER_NAT / 1.96 < 0.36 for row in rows[:-1])


def test_the_command_prints_a_table(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(capsys, baseball_csv(tmp_path))
    lines = out.splitlines()
    assert (code, err) == (0, "")
    assert lines[0].split() == ["player", "rating", "±", "games", "wins", "draws", "losses", "score"]
    assert lines[1].split() == ["1.", "Milwaukee", "1094", "72", "78", "50", "0", "28", "64.1", "%"]
    assert lines[-1] == "273 games; ± is half of a 95 % interval. Playing first is worth 52 ± 45."
    assert max(map(len, lines)) <= 80


@pytest.mark.parametrize(
    ("content", "arguments", "code", "message"),
    [
        (b"first,second,result\nA,B,2-0", (), 1, "Line 2: '2-0' is no result"),
        (b"first,second,result\nA,B,1-0\n\xff", (), 1, "no text in UTF-8"),
        (b"first,second,result\nA,B,1-0", ("--anchor", "C=3"), 2, "'C' is not among the players: A, B"),
        (b"first,second,result\nA,B,1-0", ("--anchor", "A"), 2, "write NAME=RATING"),
        (b"first,second,result\nA,B,1-0", ("--anchor", "A=inf"), 2, "write NAME=RATING"),
    ],
)
def test_the_command_says_what_is_wrong(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    content: bytes,
    arguments: tuple[str, ...],
    code: int,
    message: str,
) -> None:
    file = tmp_path / "results.csv"
    file.write_bytes(content)
    got, out, err = run(capsys, str(file), *arguments)
    assert (got, out) == (code, "")
    assert message in err
