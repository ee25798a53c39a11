"""A league's games as records: each is whole, by the rules, and told apart from all others."""

import json
from pathlib import Path

import pytest

import arbitre
from league.played import Played
from league.records import record_of
from protocol.messages import Finished, Moved, Started
from protocol.records import to_line
from server.records.verification import verify
from tests.league.fakes import CoinExecutor, FaultyExecutor, league, run


@pytest.mark.parametrize(
    ("moves", "winner", "reason"),
    [
        ("a1 c3 b1 b2 c1", 1, "line"),
        ("a1 c3 b2 b1", 2, "timeout"),
        ("a1 c3", 2, "crash"),
        ("a1 c3", 1, "abandoned"),
        ("a1 c3 b2", 1, "illegal"),
        ("a1 c3 b2", 2, "resign"),
        ("a1 c3 b2", None, "agreement"),
    ],
)
def test_a_game_is_a_record_that_verifies(moves: str, winner: int | None, reason: str) -> None:
    score = (1, 0) if reason == "line" else (0, 0)
    played = Played("1.1.1", 2, "Bob", "Ada", tuple(moves.split()), winner, reason, score, opening=2)
    record = record_of(league(2), played, {})
    assert verify(record) == []
    told = json.loads(to_line(record))
    assert [player["name"] for player in told["players"]] == ["Bob", "Ada"]
    assert (" ".join(told["moves"]), told["result"]["winner"], told["result"]["reason"]) == (moves, winner, reason)
    assert sum("opening" in event for _date, event in told["events"]) == 2


@pytest.mark.parametrize(
    ("clock", "clocks"),
    [
        ("5s+0.1s", [*[(5000, 5000)] * 3, (4100, 5000), (4100, 5060), (4200, 5060), (4200, 0)]),
        ("5s/move", [*[(5000, 5000)] * 6, (5000, 0)]),
    ],
)
def test_a_record_has_the_date_and_what_each_move_took(clock: str, clocks: list[tuple[int, int]]) -> None:
    """So time trouble can be seen afterwards; an opening costs nobody time, and gives nobody an increment."""
    moves = ("a1", "c3", "b2", "b1", "a3")
    times, date_ms = (0, 0, 1000, 40, 0), 1_790_000_000_123
    played = Played("1", 1, "Ada", "Bob", moves, 1, "timeout", (0, 0), 2, move_ms=times, date_ms=date_ms)
    record = record_of(league(2, clock=clock), played, {})
    assert verify(record) == []
    assert record.opened_ms == date_ms
    moved = [event for event in record.events if isinstance(event, Moved)]
    assert [event.used_ms for event in moved] == list(times)
    told = [event.clocks for event in record.events if isinstance(event, Started | Moved | Finished)]
    assert told == clocks
    assert Played.from_dict(json.loads(json.dumps(played.as_dict()))) == played


def test_one_command_writes_all_that_counts(tmp_path: Path, capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    """Two games with the same moves are two records, and writing them again writes the same."""
    season = run(tmp_path / "x", FaultyExecutor(), league(4, games_per_pair=8))
    command = ["--lang", "en", "league", "export", str(tmp_path / "x")]
    assert arbitre.main(command) == 0
    lines = capsysbinary.readouterr().out.splitlines()
    assert len({json.loads(line)["match"] for line in lines}) == len(lines) == len(season.games)
    assert arbitre.main([*command, "--output", str(tmp_path / "games.jsonl")]) == 0
    assert (tmp_path / "games.jsonl").read_bytes().splitlines() == lines
    assert arbitre.main(["--lang", "en", "verify", str(tmp_path / "games.jsonl")]) == 0


def test_what_a_format_can_not_say_is_counted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run(tmp_path / "x", CoinExecutor(), league(2))
    assert arbitre.main(["--lang", "en", "league", "export", str(tmp_path / "x"), "--format", "ggf"]) == 1
    assert capsys.readouterr().err == "2 not written: GGF is for games of Othello that have a result\n"
