"""The table of a duel, from records written by hand."""

from dataclasses import replace
from typing import get_args

from games import parse
from league.commands.progress import line
from league.played import DuelGame, Played
from league.report.duel_text import REASONS, duel_table, end_of, findings, game_line, tally
from protocol.bounds import ResultReason

NAMES = ("alpha", "a much longer name")


def record(number: int, winner: int | None, reason: str = "line", score: tuple[int, int] = (1, 0)) -> DuelGame:
    seats = (0, 1) if number % 2 else (1, 0)
    bots = (NAMES[seats[0]], NAMES[seats[1]])
    return DuelGame(number, "morpion", seats, bots, ("a1",) * number, winner, score, reason, 0.5)


def test_points_are_counted_by_seat() -> None:
    records = [record(1, 1), record(2, 1), record(3, None, "full"), record(4, 2)]
    first, second = tally(records, 0, 1), tally(records, 0, 2)
    assert (first.wins, first.draws, first.losses) == (1, 1, 0)
    assert (second.wins, second.draws, second.losses) == (1, 0, 1)
    assert first.halves + second.halves == 5
    assert [line.split("   ") for line in duel_table(records, NAMES)][-1] == [
        "4 games, 2.5 moves and 0.50 s each on average; + wins, = draws, - losses."
    ]
    assert [line.split() for line in duel_table(records, NAMES)][1:3] == [
        ["alpha", "2.5", "+1", "=1", "-0", "+1", "=0", "-1"],
        ["a", "much", "longer", "name", "1.5", "+1", "=0", "-1", "+0", "=1", "-1"],
    ]


def test_without_clocks_no_time_is_told() -> None:
    untimed = [replace(record(number, 1), seconds=None) for number in (1, 2)]
    assert duel_table(untimed, NAMES)[-1] == "2 games, 1.5 moves each on average; + wins, = draws, - losses."
    assert "seconds" not in untimed[0].as_json()


def test_a_line_says_who_won_and_how() -> None:
    assert game_line(record(3, 2), 10, NAMES) == " 3/10  a much longer name wins as second (a line), 3 moves"
    assert (
        game_line(record(2, 2, "discs", (20, 44)), 2, NAMES) == "2/2  alpha wins as second (most discs 20-44), 2 moves"
    )
    ruled = DuelGame(1, "breakthrough", (0, 1), NAMES, ("a2a3",), 1, (1, 0), "rules", 0.5, "goal")
    assert game_line(ruled, 1, NAMES) == "1/1  alpha wins as first (a pawn on the last row), 1 move"
    assert game_line(record(1, None, "full"), 1, NAMES) == "1/1  draw (board full), 1 move"
    assert game_line(record(1, None, "discs", (32, 32)), 1, NAMES) == "1/1  draw (as many discs), 1 move"


def test_games_lost_by_failures_stand_below_the_table() -> None:
    records = [record(1, 1, "timeout"), record(2, 1, "crash"), record(3, 1), record(4, 1)]
    assert findings(records, NAMES)[0] == (
        "2 of 4 games were lost by a failure (alpha 1, a much longer name 1), and count as others do."
    )
    assert not any("failure" in said for said in findings(records[2:], NAMES))


def test_every_reason_has_words() -> None:
    assert set(REASONS) == set(get_args(ResultReason))


def test_a_league_says_an_end_in_the_game_s_own_words() -> None:
    rules = parse("breakthrough:size=4")
    won = Played("p", 1, "alpha", "beta", ("a2b3", "d3c2", "b3a4"), 1, "rules", (1, 0))
    assert won.ending(rules) == "goal"
    assert line(rules, won) == "alpha - beta: alpha wins (a pawn on the last row)"
    given_up = Played("p", 1, "alpha", "beta", (), 2, "resign", (0, 1))
    assert line(rules, given_up) == "alpha - beta: beta wins (resignation)"
    assert end_of(parse("morpion"), Played("p", 1, "alpha", "beta", (), None, "full", (0, 0))) == "board full"


def test_the_lead_comes_from_whole_pairs_and_repeats_are_counted() -> None:
    """A game without its partner counts in the points only; the same moves with seats swapped are another game."""
    records = [record(1, 1), record(2, 1), record(3, None, "full"), record(4, 2), record(5, 1)]
    assert findings(records, NAMES) == [
        "1 of 5 games drawn (20.0 %). Pairs with 0, ½, 1, 1½, 2 points: 0, 0, 1, 1, 0.",
        "Estimate: Elo +88.7 ± 136.3 (95 %), likelihood of superiority 92.1 %.",
        "All 5 games are different.",
    ]
    again = [replace(one, number=number, moves=("a1",), seats=(0, 1)) for number, one in enumerate(records, 1)]
    assert findings(again, NAMES)[-2].startswith("Only 1 of 5 games is different; ")
    assert findings(again, NAMES)[-1].endswith("--openings random:plies=3"), "those of a test of this game"
    longer = [replace(one, game="othello") for one in again]
    assert findings(longer, NAMES)[-1].endswith("--openings random:plies=7")
