"""What whoever runs a league decides when something went wrong: somebody is sent away, renamed, or was there twice."""

import json
import random
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from league.config import League, LeagueBot
from league.history.entrants import SeasonError
from league.history.log import LogEntry
from league.history.season import KICKED, Season, begin
from league.history.verification import verify
from league.report.report_page import page
from league.report.table_text import as_csv, remarks
from tests.league.fakes import league
from tests.league.history.books import EVERY_FORMAT, Book, meetings


def level(size: int = 5, **changes: object) -> League:
    """A league in which each game hangs on its seed alone, whatever its players are called."""
    described = league(size, openings="none", **changes)
    names = {bot.name: f"{bot.name[0]}x" for bot in described.bots}
    return League.from_dict(
        {**described.as_dict(), "bots": [{"name": name, "run": "random"} for name in names.values()]}
    )


def played(book: Book, pairings: int | None = None) -> Book:
    """Plays so many pairings, or all."""
    for number, job in enumerate(book.jobs()):
        if number == pairings:
            break
        book.play(job)
    return book


@pytest.mark.parametrize("kind", EVERY_FORMAT)
@given(seed=st.integers(0, 10_000))
@settings(deadline=None, max_examples=15)
@pytest.mark.slow
def test_whatever_is_decided_the_league_ends_and_is_that_of_its_log(kind: str, seed: int) -> None:
    rng = random.Random(seed)
    book = Book(level(5, format=kind, rounds=4 if kind == "ladder" else None, games_per_pair=4))
    for job in book.jobs():
        if rng.random() < 0.2:
            decide(book, rng)
        if book.season.awaits(job.pairing) and not book.season.out.keys() & {bot.name for bot in job.players}:
            book.play(job)
    decide(book, rng)
    book.check()
    rows = book.season.standings().rows
    assert {row.name for row in rows} == set(book.season.bots)
    assert sum(row.total.games for row in rows) == 2 * len(book.season.games)
    assert page(book.season, {})


def decide(book: Book, rng: random.Random) -> None:
    """One ruling, if it may be."""
    season = book.season
    names = list(season.bots)
    one, two = rng.choice(names), rng.choice(names)
    makers = (
        lambda: season.kicking(one, annul=rng.random() < 0.5),
        lambda: season.renaming(one, f"N{rng.randrange(1000)}"),
        lambda: season.merging(one, two),
    )
    if len(names) - len(season.out) > 2 or rng.random() < 0.2:
        try:
            ruling = rng.choice(makers)()
        except SeasonError:
            return
        book.note(ruling)


@pytest.mark.parametrize("kind", EVERY_FORMAT)
@given(when=st.integers(0, 12), again=st.booleans())
@settings(deadline=None, max_examples=10)
@pytest.mark.slow
def test_a_new_name_changes_nothing_but_the_name(kind: str, when: int, again: bool) -> None:
    rounds = 4 if kind == "ladder" else None
    plain, renamed = (Book(level(5, format=kind, rounds=rounds, games_per_pair=4)) for _ in range(2))
    played(plain)
    for number, job in enumerate(renamed.jobs()):
        if number == when:
            renamed.note(renamed.season.renaming("Bx", "By"))
            if again:
                renamed.note(renamed.season.renaming("By", "Bz"))
        renamed.play(job)  # the job may still say Bx: it was begun before
    assert renamed.season.called("Bx") in ("Bx", "By", "Bz")
    renamed.check()
    new = renamed.season.called("Bx")
    assert json.dumps(renamed.season.as_json()) == json.dumps(plain.season.as_json()).replace('"Bx"', f'"{new}"')
    assert as_csv(renamed.season.standings()) == as_csv(plain.season.standings()).replace("Bx", new)


def test_a_game_that_was_being_played_counts_under_the_new_name() -> None:
    book = played(Book(level(3)), 1)
    (job, *_) = [one for one in book.season.due((), 9) if "Bx" in {bot.name for bot in one.players}]
    book.note(book.season.renaming("Bx", "Bob"))
    book.play(job)
    assert [game for game in book.season.games if "Bob" in (game.first, game.second)]
    assert not [game for game in book.season.games if "Bx" in (game.first, game.second)]
    book.check()


def test_who_was_there_twice_is_one_and_the_games_of_both_count() -> None:
    book = played(Book(level(4)), 3)
    before = {frozenset((game.first, game.second)): game for game in book.season.games}
    between = 2 * (frozenset(("Ax", "Bx")) in before)
    book.note(book.season.merging("Bx", "Ax"))
    assert len(book.season.games) == 6 - between
    assert list(book.season.bots) == ["Ax", "Cx", "Dx"]
    played(book)
    book.check()
    season = book.season
    assert not [game for game in season.games if "Bx" in (game.first, game.second)]
    theirs = {name: 2 * (frozenset(("Bx", name)) in before) for name in ("Cx", "Dx")}
    assert meetings(season, "Ax", "Cx") == 2 + theirs["Cx"]
    assert meetings(season, "Ax", "Dx") == 2 + theirs["Dx"]
    assert not sum(row.bye_halves for row in season.standings().rows), "what the double did not play is no forfeit"
    assert season.called("Bx") == "Ax"
    assert season.planned == len(season.games)


def test_what_the_double_is_playing_does_not_count() -> None:
    book = played(Book(level(4)), 0)
    (job, *_) = [one for one in book.season.due((), 9) if "Bx" in {bot.name for bot in one.players}]
    book.note(book.season.merging("Bx", "Ax"))
    assert not book.season.awaits(job.pairing)
    with pytest.raises(SeasonError, match="was not to be played"):
        book.play(job)


def test_the_double_s_seeding_is_not_lost() -> None:
    """The challenger of a gauntlet entered again as the last one: it still meets everybody."""
    book = played(Book(level(4, format="gauntlet")), 1)
    book.note(book.season.merging("Ax", "Dx"))
    assert list(book.season.bots) == ["Dx", "Bx", "Cx"]
    played(book)
    book.check()
    assert meetings(book.season, "Dx", "Bx") >= 2
    assert meetings(book.season, "Dx", "Cx") == 2


def test_the_games_of_who_is_kicked_stay_and_what_is_left_is_won_by_the_others() -> None:
    book = played(Book(level(4)), 3)
    games = len(book.season.games)
    book.note(book.season.kicking("Bx", annul=False))
    assert len(book.season.games) == games
    assert book.season.out == {"Bx": KICKED}
    assert not book.season.may_return("Bx")
    played(book)
    book.check()
    for row in book.season.standings().rows:
        if row.name != "Bx":
            assert meetings(book.season, row.name, "Bx") + row.bye_halves / 2 == 2
    assert any("kicked" in said for said in remarks(book.season, book.season.standings()))
    with pytest.raises(SeasonError, match="already"):
        book.season.kicking("Bx", annul=False)
    book.note(book.season.kicking("Bx", annul=True))
    assert "Bx" not in book.season.bots


def test_who_is_kicked_and_annulled_was_never_there() -> None:
    book = played(Book(level(4)), 4)
    book.note(book.season.kicking("Bx", annul=True))
    played(book)
    book.check()
    season = book.season
    assert not [game for game in season.games if "Bx" in (game.first, game.second)]
    assert len(season.games) == season.planned == 6
    assert [row.name for row in season.standings().rows if row.bye_halves] == []
    assert {row.name for row in season.standings().rows} == {"Ax", "Cx", "Dx"}
    assert any("Bx" in said for said in remarks(season, season.standings()))
    assert season.as_json()["kicked"] == {"Bx": True}


def test_after_the_end_it_may_still_be_put_right() -> None:
    book = played(Book(level(4)))
    assert book.season.finished
    book.note(book.season.renaming("Ax", "Anna"))
    book.note(book.season.merging("Bx", "Anna"))
    assert len(book.season.games) == 10, "the two that they have played against each other are gone"
    book.note(book.season.kicking("Cx", annul=True))
    assert len(book.season.games) == 4
    book.check()
    assert list(book.season.bots) == ["Anna", "Dx"]
    with pytest.raises(SeasonError, match="after the end"):
        book.season.take(book.season.joining(LeagueBot("Eve")))


def test_a_name_is_given_back() -> None:
    book = played(Book(level(3)), 1)
    book.note(book.season.renaming("Ax", "Anna"))
    book.note(book.season.renaming("Anna", "Ax"))
    assert book.season.called("Ax") == "Ax"
    assert book.season.called("Anna") == "Ax"
    book.note(book.season.renaming("Ax", "ANNA"))
    book.check()


@pytest.mark.parametrize(
    ("ruling", "said"),
    [
        (("kicked", {"name": "Eve", "annul": False}), "Nobody in this league is called Eve"),
        (("renamed", {"old": "Eve", "new": "Eva"}), "Nobody in this league is called Eve"),
        (("renamed", {"old": "Ax", "new": "bX"}), "Somebody in this league is, or was, called bX"),
        (("renamed", {"old": "Ax", "new": "Cx"}), "Somebody in this league is, or was, called Cx"),
        (("renamed", {"old": "Ax", "new": "Ax"}), "Ax is no new name"),
        (("renamed", {"old": "Ax", "new": " Anna"}), " Anna is no new name"),
        (("renamed", {"old": "Ax", "new": "A" * 25}), "24 characters"),
        (("renamed", {"old": "Ax", "new": "A\u202e"}), "nothing that can't be seen"),
        (("merged", {"name": "Ax", "into": "Eve"}), "Nobody in this league is called Eve"),
        (("merged", {"name": "Eve", "into": "Ax"}), "Nobody in this league is called Eve"),
        (("merged", {"name": "Ax", "into": "Ax"}), "Ax is one already"),
    ],
)
def test_what_can_t_be_decided_is_refused_in_a_sentence_and_found_in_a_log(
    ruling: tuple[str, dict[str, object]], said: str
) -> None:
    book = played(Book(level(3)), 1)
    book.note(book.season.renaming("Cx", "Cy"))  # Cx is what it was called
    before = book.season.as_json()
    with pytest.raises(SeasonError, match=said):
        book.season.take(LogEntry(*ruling))
    assert book.season.as_json() == before
    problems, _games = verify([*book.entries, LogEntry(*ruling)])
    assert len(problems) == 1
    assert said in problems[0]


@pytest.mark.parametrize("changes", [{"format": "knockout"}, {"sprt": "elo0=0,elo1=10", "size": 2}])
def test_where_each_game_decides_what_follows_none_goes(changes: dict[str, object]) -> None:
    described = dict(changes)
    size = described.pop("size", 4)
    assert isinstance(size, int)
    book = played(Book(level(size, **described)), 1)
    with pytest.raises(SeasonError):
        book.season.kicking("Ax", annul=True)
    with pytest.raises(SeasonError):
        book.season.merging("Ax", "Bx")
    book.note(book.season.renaming("Ax", "Anna"), book.season.kicking("Bx", annul=False))
    book.check()


def test_names_are_found_as_they_are_typed() -> None:
    season = Season.of([begin(league(0, roster=("Léa", "Tom")), [], Path())])
    season.take(season.joining(LeagueBot("Léa")))
    season.take(season.renaming("Léa", "Léa B."))
    assert season.find("léa b.") == "Léa B."
    assert season.find("LÉA") == "Léa B."
    assert season.find("tom") == "Tom", "on the roster, though not there yet"
    with pytest.raises(SeasonError, match=r"There are: Léa B\."):
        season.find("Zoé")
