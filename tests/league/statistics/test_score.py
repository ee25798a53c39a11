"""The score of two players: games, and pairs whose games are both over."""

from league.results import Result
from league.statistics.elo import Games, Pairs
from league.statistics.score import Score


def test_pairs_are_counted_when_both_games_are_over() -> None:
    made = ((1, 2), (None, 2), (1, None), (2, 1), (1, 1))
    results = [
        Result(str(pairing), *(("Ada", "Bob") if number == 0 else ("Bob", "Ada")), winner)
        for pairing, winners in enumerate(made)
        for number, winner in enumerate(winners)
    ]
    alone = Result("last", "Ada", "Bob", 2)
    assert Score.of([*results, alone], "Ada") == Score(Games(5, 2, 4), Pairs(1, 0, 1, 2, 1))
    assert Score.of([*results, alone], "Bob") == Score(Games(4, 2, 5), Pairs(1, 2, 1, 0, 1))


def test_games_lost_by_failures_are_counted_for_each() -> None:
    results = [
        Result("1", "Ada", "Bob", 2, "timeout"),
        Result("1", "Bob", "Ada", 2, "illegal"),
        Result("2", "Ada", "Bob", 2, "crash"),
        Result("2", "Bob", "Ada", 1, "resign"),
    ]
    assert (Score.of(results, "Ada").failed, Score.of(results, "Bob").failed) == ((2, 1), (1, 2))


def test_without_games_there_is_nothing() -> None:
    assert Score.of([], "Ada") == Score(Games(0, 0, 0), Pairs(0, 0, 0, 0, 0))
