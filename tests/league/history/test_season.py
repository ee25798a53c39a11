"""What a season makes of those who leave and return, and of a test that is decided: all of it from the log alone."""

import random
from collections.abc import Callable, Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from league.config import LeagueBot
from league.history.entrants import SeasonError
from league.history.log import LogEntry
from league.history.season import SUSPENDED
from league.history.verification import verify
from league.played import Job, Played
from league.statistics.ratings import rate
from league.statistics.sprt import Decision
from tests.league.fakes import STRENGTHS, league
from tests.league.history.books import EVERY_FORMAT, Book, meetings


@given(
    kind=st.sampled_from(["round-robin", "gauntlet"]),
    seed=st.integers(0, 10_000),
    reason=st.sampled_from(["withdrawn", SUSPENDED]),
)
@settings(deadline=None, max_examples=30)
def test_who_leaves_costs_or_gives_nobody_more_than_others(kind: str, seed: int, reason: str) -> None:
    """Whenever one leaves, everybody who was to meet it has as many games with it, played or won by forfeit."""
    rng = random.Random(seed)
    book = Book(league(4, format=kind, games_per_pair=4, challengers=2, openings="none"))
    leaver, when, late = rng.choice(list(STRENGTHS)[:4]), rng.randrange(8), rng.randrange(12)
    for number, job in enumerate(book.jobs()):
        if number == when:
            book.note(LogEntry("left", {"name": leaver, "reason": reason}))
            if number >= late:
                book.note(book.season.joining(LeagueBot("Eve", "random")))
                book.follow()
            continue
        book.play(job)
    season, table = book.season, book.season.standings()
    assert len(season.games) == season.planned
    challengers = ("Ada", "Bob")
    for row in table.rows:
        is_opponent = kind == "round-robin" or (row.name in challengers) != (leaver in challengers)
        if row.name != leaver and is_opponent:
            assert meetings(season, row.name, leaver) + row.bye_halves / 2 == 4
        else:
            assert row.bye_halves == 0
    assert (
        season.standings().ratings.ratings
        == rate([game.result() for game in season.games], players=season.bots).ratings
    )


def test_in_a_swiss_the_round_is_won_by_forfeit_and_no_more() -> None:
    book = Book(league(4, format="swiss", rounds=3, openings="none", games_per_pair=4))
    jobs = book.jobs()
    left, other = (bot.name for bot in next(jobs).players)
    book.note(book.season.leaving(left))
    for job in jobs:
        book.play(job)
    rows = {row.name: row for row in book.season.standings().rows}
    byes = [bye.player for bye in book.season.schedule.byes]
    assert rows[other].bye_halves == 8 + 8 * byes.count(other)
    assert rows[left].halves == 0
    assert sum(row.bye_halves for row in rows.values()) == 8 + 8 * len(byes)
    book.check()


@pytest.mark.parametrize("kind", EVERY_FORMAT)
@given(seed=st.integers(0, 10_000))
@settings(deadline=None, max_examples=15)
def test_bots_go_and_come_back(kind: str, seed: int) -> None:
    """The league ends, and its table is that of the log alone."""
    rng = random.Random(seed)
    book = Book(league(5, format=kind, rounds=4 if kind == "ladder" else None, openings="none", games_per_pair=4))
    for job in book.jobs():
        season = book.season
        if rng.random() < 0.15:
            names = [name for name in season.bots if name not in season.out]
            book.note(season.leaving(rng.choice(names)))
        elif rng.random() < 0.4 and (back := [name for name in season.out if season.may_return(name)]):
            book.note(season.returning(rng.choice(back)))
        if not season.out.keys() & {bot.name for bot in job.players}:
            book.play(job)
    book.check()
    if kind == "round-robin" and not book.season.out:
        assert len(book.season.games) == 40
    if kind in ("swiss", "ladder") and len(book.season.out) < 4:
        assert book.season.schedule.last == 4


def test_who_returns_meets_those_that_were_left() -> None:
    book = Book(league(3, openings="none"))
    book.follow()
    book.note(book.season.leaving("Cleo"), book.season.joining(LeagueBot("Dan", "random")))
    book.follow()
    met = {frozenset(bot.name for bot in job.players) for job in book.season.due((), 9)}
    assert met == {frozenset(pair) for pair in (("Ada", "Bob"), ("Bob", "Dan"), ("Ada", "Dan"))}
    book.note(book.season.returning("Cleo"))
    for job in book.jobs():
        book.play(job)
    assert {row.total.games for row in book.season.standings().rows} == {6}
    assert all(row.bye_halves == 0 for row in book.season.standings().rows)
    book.check()


def test_a_round_of_a_swiss_that_is_over_is_not_opened_again() -> None:
    book = Book(league(4, format="swiss", rounds=3, openings="none"))
    jobs = book.jobs()
    left = next(jobs).players[0].name
    book.note(book.season.leaving(left))
    while book.season.schedule.last < 2:
        book.play(next(jobs))
    book.note(book.season.returning(left))
    for job in book.season.due((), 9):
        assert left not in {bot.name for bot in job.players}
    for job in book.jobs():
        book.play(job)
    assert {game.pairing[0] for game in book.season.games if left in (game.first, game.second)} == {"3"}
    book.check()


def test_only_who_was_withdrawn_and_can_still_play_returns() -> None:
    book = Book(league(4, format="knockout", openings="none"))
    assert not book.season.may_return("Ada")
    book.note(LogEntry("left", {"name": "Ada", "reason": SUSPENDED}))
    assert not book.season.may_return("Ada")
    book = Book(league(4, format="knockout", openings="none"))
    jobs = book.jobs()
    left = next(jobs).players[0].name
    book.note(book.season.leaving(left))
    assert book.season.may_return(left)
    while book.season.schedule.last < 2:
        book.play(next(jobs))
    assert not book.season.may_return(left)
    with pytest.raises(SeasonError, match=left):
        book.season.take(book.season.returning(left))


def won_by(winner: str) -> Callable[[Job, int], Played]:
    """A game that `winner` wins."""

    def game(job: Job, number: int) -> Played:
        first, second = (bot.name for bot in job.seats(number))
        if first == winner:
            return Played(job.pairing, number, first, second, ("a1", "a2", "b1", "b2", "c1"), 1, "line", (1, 0))
        return Played(job.pairing, number, first, second, ("a1", "a2", "b1", "b2", "c3", "c2"), 2, "line", (0, 1))

    return game


def test_a_decision_stands_whatever_was_still_being_played() -> None:
    book = Book(league(2, games_per_pair=400, sprt="elo0=0,elo1=200", openings="none", concurrency=8))
    book.follow()
    jobs = iter(book.season.due((), 200))
    rng = random.Random(0)
    while not book.season.is_decided:
        book.play(next(jobs), won_by("Ada" if rng.random() < 0.75 else "Bob"))
    verdict = book.season.verdict
    assert verdict is not None
    assert verdict.decision is Decision.H1
    games = len(book.season.games)
    for _ in range(7):
        book.play(next(jobs), won_by("Bob"))
    assert not book.season.due((), 9)
    book.follow()
    assert book.season.finished
    assert book.season.verdict == verdict
    assert len(book.season.games) == games + 14
    assert [entry.kind for entry in book.entries].count("decided") == 1
    book.check()


@pytest.mark.parametrize(
    "forge",
    [
        lambda entries, place: [*entries[:place], LogEntry("decided", {"decision": "H0"}), *entries[place + 1 :]],
        lambda entries, place: [*entries[:place], *entries[place + 1 :]],
        lambda entries, place: [*entries[: place - 1], entries[place], entries[-1]],
    ],
    ids=["another", "none", "too soon"],
)
def test_a_decision_that_the_games_do_not_give(
    forge: Callable[[Sequence[LogEntry], int], Sequence[LogEntry]],
) -> None:
    book = Book(league(2, games_per_pair=400, sprt="elo0=0,elo1=200", openings="none"))
    for job in book.jobs():
        book.play(job, won_by("Ada"))
    book.check()
    place = next(number for number, entry in enumerate(book.entries) if entry.kind == "decided")
    assert verify(forge(book.entries, place))[0]


def test_a_suspension_that_the_games_do_not_give() -> None:
    book = Book(league(3, openings="none"))
    book.follow()
    forged = [*book.entries, LogEntry("left", {"name": "Bob", "reason": SUSPENDED})]
    assert any("line 3" in problem for problem in verify(forged)[0])
    assert not verify([*book.entries, replace_reason(forged[-1])])[0]


def replace_reason(entry: LogEntry) -> LogEntry:
    return entry._replace(data={**entry.data, "reason": "withdrawn"})
