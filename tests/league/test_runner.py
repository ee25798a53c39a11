"""A league from its first line to its last, without processes: what is due, what a stop leaves, what faults do."""

import asyncio
import random
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from league.executors.base import ExecutorError, RunError
from league.history.entrants import SeasonError
from league.history.log import Log, LogEntry, load
from league.history.season import Season, begin
from league.history.verification import audit, verify
from league.played import Job, Played
from league.runner import EXECUTORS_IN_ALL, LeagueRunner
from tests.league.fakes import CoinExecutor, FaultyExecutor, failing, league, play, run

FORMATS = ("round-robin", "gauntlet", "swiss", "knockout", "ladder")


def table(season: Season) -> dict[str, object]:
    return season.as_json()


@pytest.mark.parametrize("format_", FORMATS)
def test_every_format_comes_to_its_end_and_verifies(tmp_path: Path, format_: str) -> None:
    rounds = 4 if format_ == "ladder" else None
    season = run(tmp_path / "x", CoinExecutor(), league(5, format=format_, rounds=rounds, concurrency=3))
    assert season.finished
    entries = load(tmp_path / "x")
    assert verify(entries) == ([], len(season.games))
    assert table(Season.of(entries)) == table(season)
    assert season.planned == len(season.games) > 0


@pytest.mark.parametrize("format_", FORMATS)
def test_a_league_that_was_killed_ends_as_if_it_had_not_been(tmp_path: Path, format_: str) -> None:
    """The log is cut at a random byte, as often as it takes; the table is that of the uninterrupted league."""
    described = league(5, format=format_, rounds=3 if format_ == "ladder" else None, concurrency=2)
    whole = run(tmp_path / "whole", CoinExecutor(), described)
    for seed in range(8):
        rng = random.Random(seed)
        folder = tmp_path / f"killed {seed}"
        folder.mkdir()
        text = (tmp_path / "whole" / "league.jsonl").read_bytes()
        first = text.index(b"\n") + 1
        (folder / "league.jsonl").write_bytes(text[: rng.randrange(first, len(text))])
        before = {game.pairing for game in Season.of(read_whole_lines(folder)).games}
        executor = CoinExecutor()
        season = run(folder, executor)
        assert not before & set(executor.jobs), "a pairing that was finished is played again"
        assert table(season) == table(whole)


def read_whole_lines(folder: Path) -> Sequence[LogEntry]:
    with Log(folder) as log:
        return list(log.entries)


def test_pairings_are_played_at_once_and_no_more_than_that(tmp_path: Path) -> None:
    executor = CoinExecutor()
    run(tmp_path / "x", executor, league(5, concurrency=2, at_once=2))
    assert executor.most == 4
    assert len(executor.jobs) == len(set(executor.jobs)) == 10


def test_a_fault_of_the_machine_is_played_again_and_never_scored(tmp_path: Path) -> None:
    whole = run(tmp_path / "whole", CoinExecutor(), league())
    season = run(tmp_path / "x", CoinExecutor(failing(2)), league())
    assert table(season) == table(whole)


def test_a_machine_that_fails_again_and_again_stops_the_league(tmp_path: Path) -> None:
    with pytest.raises(RunError, match="the server is gone"):
        run(tmp_path / "x", CoinExecutor(failing(100)), league())
    season = run(tmp_path / "x", CoinExecutor())
    assert season.finished


def test_an_executor_that_fails_is_told_of_and_may_not_fail_for_ever(tmp_path: Path) -> None:
    """Ada ends the server in every second game that she begins: what is played between does not excuse that."""
    told: list[str] = []
    begun: list[str] = []

    def before(job: Job) -> None:
        begun.append(job.pairing)
        if len(begun) % 2:
            raise ExecutorError("the server is gone")

    with Log(tmp_path) as log:
        log.append(begin(league(5, format="gauntlet", games_per_pair=100), [], tmp_path))
        runner = LeagueRunner(log, CoinExecutor(before), say=told.append)
        with pytest.raises(RunError, match=f"failed {EXECUTORS_IN_ALL} times") as stopped:
            asyncio.run(runner.run())
    assert len(told) == EXECUTORS_IN_ALL - 1
    assert told[0] == "the server is gone. Nobody has lost by that: what was being played is played again."
    assert "Each time these were playing: Ada, " in str(stopped.value)
    assert runner.season.games
    assert all(game.faulty is None for game in runner.season.games)


@pytest.mark.parametrize(
    ("size", "changes"), [(2, {"games_per_pair": 20}), (2, {"sprt": "elo0=0,elo1=10"}), (4, {"format": "gauntlet"})]
)
def test_a_bot_that_never_moves_stops_what_hangs_on_it_and_loses_nothing(
    tmp_path: Path, size: int, changes: dict[str, object]
) -> None:
    """Its program is missing, or does not start: that is no result. Once it can play, the league goes on from there."""
    described = league(size, concurrency=2, **changes)
    if size == 4:
        described = replace(described, bots=(described.bots[1], described.bots[0], *described.bots[2:]))
    with pytest.raises(RunError, match="Bob does not play"):
        run(tmp_path / "x", FaultyExecutor(), described)
    stopped = Season.of(load(tmp_path / "x"))
    assert (stopped.games, stopped.out, stopped.finished) == ([], {}, False)
    assert run(tmp_path / "x", CoinExecutor()).finished


class UselessExecutor(CoinExecutor):
    """Where whoever is asked first crashes: neither bot can be started."""

    async def play(self, job: Job) -> tuple[Played, ...]:
        return tuple(
            replace(
                game,
                moves=game.moves[: game.opening],
                winner=2,
                reason="crash",
                score=(0, 0),
                detail=f"no {game.first}",
            )
            for game in await super().play(job)
        )


def test_two_bots_of_which_neither_starts_are_no_result(tmp_path: Path) -> None:
    with pytest.raises(RunError, match=r"Ada does not play[^\n]*\n  no Ada\nBob does not play[^\n]*\n  no Bob$"):
        run(tmp_path / "x", UselessExecutor(), league(2, sprt="elo0=0,elo1=10"))
    assert Season.of(load(tmp_path / "x")).games == []
    assert run(tmp_path / "y", UselessExecutor(), league(4)).finished, "nothing hangs on one of four"


class LaterFaultyExecutor(FaultyExecutor):
    """Where Bob crashes at once in all pairings but the first."""

    def spoil(self, game: Played) -> Played:
        return game if game.pairing == "1.1.1" else super().spoil(game)


def test_a_bot_that_has_moved_loses_what_it_fails_in_and_the_league_has_broken_off(tmp_path: Path) -> None:
    season = run(tmp_path / "x", LaterFaultyExecutor(), league(2, games_per_pair=20, faults=4))
    assert [game.faulty for game in season.games] == [None] * 2 + ["Bob"] * 4
    assert season.broken_off == "Bob"
    others = run(tmp_path / "y", LaterFaultyExecutor(), league(4, games_per_pair=20, faults=4))
    assert (others.out, others.broken_off) == ({"Bob": "suspended"}, None), "the others have played to the end"


def test_a_bot_that_fails_again_and_again_is_suspended(tmp_path: Path) -> None:
    season = run(tmp_path / "x", FaultyExecutor(), league(5, faults=4))
    assert season.out == {"Bob": "suspended"}
    played = [game for game in season.games if "Bob" in (game.first, game.second)]
    assert len(played) == 4
    row = next(row for row in season.standings().rows if row.name == "Bob")
    assert row.faults == {"crash": 4}
    assert len(season.games) == 2 * (6 + 2), "the others met, and two of them met Bob"
    assert verify(load(tmp_path / "x"))[0] == []


def test_a_suspension_that_a_crash_kept_from_the_log_is_made_up_for(tmp_path: Path) -> None:
    whole = run(tmp_path / "whole", FaultyExecutor(), league(5, faults=6))
    lines = (tmp_path / "whole" / "league.jsonl").read_text(encoding="utf-8").splitlines(keepends=True)
    cut = next(number for number, line in enumerate(lines) if '"kind":"left"' in line)
    (tmp_path / "cut").mkdir()
    (tmp_path / "cut" / "league.jsonl").write_text("".join(lines[:cut]), encoding="utf-8")
    season = run(tmp_path / "cut", FaultyExecutor())
    assert table(season) == table(whole)
    assert verify(load(tmp_path / "cut"))[0] == []


def test_who_comes_late_and_who_leaves(tmp_path: Path) -> None:
    described = league(3)
    late = league(4).bots[3]
    folder = tmp_path / "x"
    folder.mkdir()
    with Log(folder) as log:
        log.append(begin(described, [], folder))
        season = Season.of(log.entries)
        log.append(season.following())
        log.append(season.joining(late), season.leaving("Cleo"))
    season = run(folder, CoinExecutor())
    assert {frozenset((game.first, game.second)) for game in season.games} == {
        frozenset(pair) for pair in (("Ada", "Bob"), ("Ada", "Dan"), ("Bob", "Dan"))
    }
    assert season.out == {"Cleo": "withdrawn"}


def test_a_test_of_two_ends_when_it_is_decided(tmp_path: Path) -> None:
    strongest, *_others, weakest = league(5).bots
    described = replace(
        league(2, games_per_pair=2000, sprt="elo0=0,elo1=50", openings="none"), bots=(strongest, weakest)
    )
    season = run(tmp_path / "x", CoinExecutor(), described)
    assert season.verdict is not None
    assert season.verdict.decision.value == "H1"
    assert 4 <= len(season.games) < 400
    assert season.as_json()["sprt"] == season.verdict.as_json()
    assert verify(load(tmp_path / "x"))[0] == []


@pytest.mark.parametrize("at_once", [1, 40])
def test_a_test_without_a_number_of_games_goes_on_until_it_is_decided(tmp_path: Path, at_once: int) -> None:
    """That takes more than one block of the schedule; all places are taken, though blocks are less than that."""
    one, two = (replace(bot, name=name) for bot, name in zip(league(2).bots, ("Eve", "Dan"), strict=True))
    described = replace(league(2, sprt="elo0=0,elo1=50", openings="none", at_once=at_once), bots=(one, two))
    executor = CoinExecutor()
    season = run(tmp_path / "x", executor, described)
    assert season.is_decided
    assert season.planned == len(season.games) > 2 * 16 * 2
    assert executor.most == at_once
    assert verify(load(tmp_path / "x"))[0] == []


def test_a_test_without_a_number_of_games_ends_if_a_bot_is_suspended(tmp_path: Path) -> None:
    test = "elo0=-900,elo1=900,alpha=1e-9,beta=1e-9"
    season = run(tmp_path / "x", LaterFaultyExecutor(), league(2, sprt=test, faults=4))
    assert season.out == {"Bob": "suspended"}
    assert len(season.games) == 6
    assert season.planned == 6
    assert all(row.bye_halves == 0 for row in season.standings().rows)
    assert verify(load(tmp_path / "x"))[0] == []


@pytest.mark.parametrize(
    ("changes", "rounds"),
    [({"games_per_pair": 4}, 3), ({"games_per_pair": 10, "sprt": "elo0=0,elo1=1"}, 2), ({"format": "swiss"}, 3)],
)
def test_a_league_that_is_over_goes_on_as_if_it_had_been_longer(
    tmp_path: Path, changes: dict[str, object], rounds: int
) -> None:
    size = 4 if "format" in changes else 2
    before = {"rounds": 2} if "format" in changes else {}
    season = run(tmp_path / "x", CoinExecutor(), league(size, **changes, **before))
    count = len(season.games)
    with Log(tmp_path / "x") as log:
        log.append(season.extending(rounds))
    longer = run(tmp_path / "x", CoinExecutor())
    assert (longer.finished, len(longer.games) > count) == (True, True)
    whole = run(tmp_path / "y", CoinExecutor(), league(size, **changes, rounds=rounds))
    assert table(longer) == table(whole)
    found = audit(load(tmp_path / "x"))
    assert (found.problems, found.finished, found.decided) == ([], True, {"extended": 1})


def test_what_can_not_be_extended(tmp_path: Path) -> None:
    over = run(tmp_path / "over", CoinExecutor(), league(2, rounds=2))
    decided = run(tmp_path / "test", CoinExecutor(), league(2, sprt="elo0=-500,elo1=-400"))
    knockout = run(tmp_path / "knockout", CoinExecutor(), league(4, format="knockout"))
    broken = run(tmp_path / "broken", LaterFaultyExecutor(), league(2, games_per_pair=20))
    for season, rounds, said in (
        (over, 2, "has 2 rounds"),
        (over, 1001, "at most 1000"),
        (decided, 2, "is decided"),
        (knockout, 9, "no number of rounds"),
        (broken, 2, "not two bots left"),
    ):
        with pytest.raises(SeasonError, match=said):
            season.extending(rounds)
        assert season.finished


class TestVerification:
    def entries(self, tmp_path: Path) -> list[LogEntry]:
        run(tmp_path / "x", CoinExecutor(), league())
        return load(tmp_path / "x")

    @pytest.mark.parametrize(
        ("change", "said"),
        [
            (lambda game: replace(game, winner=3 - game.winner), "not what the moves give"),
            (lambda game: replace(game, moves=(*game.moves[:-1], game.moves[0])), "move"),
            (lambda game: replace(game, moves=game.moves[:-1]), "not over"),
            (lambda game: replace(game, first=game.second, second=game.first), "not its games"),
            (lambda game: replace(game, opening=0), "another opening"),
        ],
    )
    def test_a_game_that_is_not_so(self, tmp_path: Path, change: Callable[[Played], Played], said: str) -> None:
        entries = self.entries(tmp_path)
        place = next(
            index for index, entry in enumerate(entries) if entry.kind == "played" and entry.data["games"][0]["winner"]
        )
        games = [Played.from_dict(game) for game in entries[place].data["games"]]
        forged = [change(games[0]), *games[1:]]
        entries[place] = LogEntry("played", {"games": [game.as_dict() for game in forged]})
        problems, _games = verify(entries)
        assert any(said in problem for problem in problems), problems
        assert all(problem.startswith(f"line {place + 1}:") for problem in problems)

    def test_a_schedule_that_the_seed_does_not_give(self, tmp_path: Path) -> None:
        entries = self.entries(tmp_path)
        pairings = [{**pairing, "opening": ["b2", "a1"]} for pairing in entries[1].data["pairings"]]
        entries[1] = LogEntry("planned", {**entries[1].data, "pairings": pairings})
        assert any("seed" in problem for problem in verify(entries)[0])

    def test_a_pairing_that_is_played_twice(self, tmp_path: Path) -> None:
        entries = self.entries(tmp_path)
        played = next(entry for entry in entries if entry.kind == "played")
        problems, _games = verify([*entries[:-1], played])
        assert problems


def test_a_log_of_something_else_is_no_season() -> None:
    with pytest.raises(SeasonError):
        Season.of([LogEntry("played", {"games": []})])


def test_the_coin_is_the_same_whenever_it_is_thrown() -> None:
    bots = league().bots
    job = Job("1.1.1", (bots[0], bots[1]), ("b2",), "seed")
    assert play(job, 1) == play(job, 1)
