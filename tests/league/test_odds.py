"""Time odds: a bot with a clock of its own, in the file and on the command line, in a match and in all that is told."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

import arbitre
from league.command_line import named, split_clocks, with_odds
from league.config import ConfigError, League, LeagueBot, check_league, read_league
from league.played import Played
from league.records import record_of
from league.report.report_page import tables_page
from league.report.table_text import remarks
from protocol.messages import Clock, Create, Moved, SeatClock, Started
from server.records.verification import verify
from tests.league.executors.test_organiser import JOB, Scene, report
from tests.league.fakes import CoinExecutor, run

FILE = """\
[league]
name = "Odds"
game = "morpion"
clock = "10s+0.1s"
[[bot]]
name = "new"
run = "random"
[[bot]]
name = "old"
run = "first"
clock = "5s+0.05s"
"""
OLD = SeatClock(5000, 50)


def test_the_file_gives_a_bot_a_clock_of_its_own() -> None:
    league = read_league(FILE, "odds.toml")
    new, old = league.bots
    assert League.from_dict(json.loads(json.dumps(league.as_dict()))) == league
    assert "clock" not in new.as_dict(), "logs of before are as they were"
    assert league.time_of(new, old) == Clock(10_000, 100, second=OLD)
    assert league.time_of(old, new) == Clock(5000, 50, second=SeatClock(10_000, 100))
    assert league.time_of(new, new) == Clock(10_000, 100)
    assert league.time_of(old, old) == Clock(5000, 50)
    assert league.clocks(league.bots) == "10s+0.1s (old: 5s+0.05s)"
    assert league.clocks([new]) == "10s+0.1s"


@pytest.mark.parametrize(
    ("line", "by", "message"),
    [
        (11, ('"5s+0.05s"', '"5x"'), "'5x' is no clock"),
        (11, ('"5s+0.05s"', '"2s/move"'), "the clock of old must be of the kind"),
        (11, ('"5s+0.05s"', '"none"'), "the clock of old must be of the kind"),
        (11, ('"10s+0.1s"', '"none"'), "the clock of old must be of the kind"),
        (11, ('"10s+0.1s"', '"2s/move"'), "the clock of old must be of the kind"),
        (11, ('"5s+0.05s"', "5"), "clock must be a text in quotes"),
        (4, ('"10s+0.1s"', '"ten"'), "'ten' is no clock"),
    ],
)
def test_a_clock_that_a_bot_can_not_have_is_refused_with_its_line(line: int, by: tuple[str, str], message: str) -> None:
    with pytest.raises(ConfigError, match=f"line {line}: {message}"):
        read_league(FILE.replace(*by), "odds.toml")


@pytest.mark.parametrize(
    ("words", "plain", "odds"),
    [
        ((), None, {}),
        (("10s", "5s+0.1s"), "5s+0.1s", {}),
        (("old=5s", "10s"), "10s", {"old": "5s"}),
        (("minimax:depth=4=2s/move",), None, {"minimax:depth=4": "2s/move"}),
    ],
)
def test_the_command_line_names_whose_clock_it_is(
    words: Sequence[str], plain: str | None, odds: dict[str, str]
) -> None:
    assert split_clocks(words) == (plain, odds)


def test_a_name_that_nobody_has_is_refused() -> None:
    bots = named(["new=random", "first"])
    assert [bot.clock for bot in with_odds(bots, {"first": "5s"})] == ["", "5s"]
    with pytest.raises(ConfigError, match=r"--clock second=...: nobody is called so; there are new, first\."):
        with_odds(bots, {"second": "5s"})
    with pytest.raises(ConfigError, match="'' is no clock"):
        with_odds(bots, {"first": ""})


async def test_each_game_has_the_clocks_of_its_seats() -> None:
    one, two = JOB.players
    job = replace(JOB, players=(one, replace(two, clock="5s+0.05s")))
    async with Scene() as scene:
        for number, clock in ((1, Clock(10_000, 100, second=OLD)), (2, Clock(5000, 50, second=SeatClock(10_000, 100)))):
            game = scene.play(job, number)
            create = await scene.heard(Create)
            assert create.clock == clock
            scene.wire.say(scene.ok(create), report("resign", 2))
            await game


def test_a_record_has_them_too_also_after_a_rename() -> None:
    league = read_league(FILE, "odds.toml")
    played = Played("1", 1, "Max", "new", ("a1", "c3", "b2"), 2, "resign", (0, 0), 0, move_ms=(1000, 1000, 1000))
    record = record_of(league, played, {"Max": replace(league.bots[1], name="Max"), "new": league.bots[0]})
    assert verify(record) == []
    assert record.clock == Clock(5000, 50, second=SeatClock(10_000, 100))
    told = [event.clocks for event in record.events if isinstance(event, Started | Moved)]
    assert told == [(5000, 10_000), (4050, 10_000), (4050, 9100), (3100, 9100)]


def test_table_report_and_json_tell_them(tmp_path: Path) -> None:
    league = check_league(replace(read_league(FILE, "odds.toml"), openings="two-ply"))
    season = run(tmp_path / "x", CoinExecutor(), league)
    assert "Clocks: 10s+0.1s (old: 5s+0.05s)." in remarks(season, season.standings())
    assert "clock 10s+0.1s (old: 5s+0.05s)" in tables_page(season)
    told = season.as_json()
    assert (told["clock"], told["clocks"]) == ("10s+0.1s", {"old": "5s+0.05s"})
    plain = run(tmp_path / "y", CoinExecutor(), replace(league, bots=tuple(LeagueBot(name) for name in "ab")))
    assert not any("Clocks" in line for line in remarks(plain, plain.standings()))
    assert "clocks" not in plain.as_json()


def test_a_match_with_odds(capfd: pytest.CaptureFixture[str]) -> None:
    command = ["--lang", "en", "match", "--game", "morpion", "new=random", "first", "--games", "2", "--seed", "1"]
    assert arbitre.main([*command, "--clock", "first=2s+0.1s", "--clock", "9s", "--json"]) == 0
    games = [json.loads(line) for line in capfd.readouterr().out.splitlines()]
    assert [game["clocks"] for game in games] == [["9s", "2s+0.1s"], ["2s+0.1s", "9s"]]
    assert arbitre.main([*command, "--clock", "first=2s+0.1s"]) == 0
    assert capfd.readouterr().out.splitlines()[-1] == "Clocks: 1m+1s (first: 2s+0.1s)."
    assert arbitre.main([*command, "--clock", "third=2s"]) == 2
    assert "nobody is called so; there are new, first." in capfd.readouterr().err


def test_a_league_of_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command = ["--lang", "en", "league", "run", "--game", "morpion", "--dir", str(tmp_path / "x"), "random", "first"]
    assert arbitre.main([*command, "--clock", "first=2s/move"]) == 2
    assert "the clock of first must be of the kind of the others'" in capsys.readouterr().err
    assert not (tmp_path / "x").exists()
