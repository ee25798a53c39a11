"""Logs of leagues that somebody else gave: whatever stands in one is refused in a sentence, or does no harm."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from typing import Any

import pytest

from league.history.entrants import SeasonError
from league.history.log import LogEntry
from league.history.season import Season
from league.records import record_of
from league.report.report_page import tables_page
from league.report.table_text import as_csv, render
from server.records.compose import RefusedError
from tests.league.fakes import league
from tests.league.history.books import Book

BAD: tuple[Any, ...] = (
    None, True, -1, 10**18, 10**30, 1e308, float("inf"), "", "x" * 300, "../../x", "A", [], {}, [[[]]], ["b2"] * 2000,
    "random:plies=60", "knockout", "100000d", "b2 b2",
)  # fmt: skip

Path = tuple[str | int, ...]


def places(value: object, at: Path = ()) -> Iterator[Path]:
    """Whatever stands in a value, as the way to it."""
    found: Any = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, below in found:
        yield (*at, key)
        yield from places(below, (*at, key))


def played() -> list[LogEntry]:
    book = Book(league(2))
    for job in book.jobs():
        book.play(job)
    return book.entries


def forged(entries: list[LogEntry], line: int, place: Path, bad: object) -> list[LogEntry]:
    changed = [LogEntry(entry.kind, copy.deepcopy(json.loads(json.dumps(entry.data)))) for entry in entries]
    holder: Any = changed[line].data
    for key in place[:-1]:
        holder = holder[key]
    holder[place[-1]] = bad
    return changed


@pytest.mark.parametrize("bad", BAD, ids=lambda bad: repr(bad)[:20])
def test_whatever_stands_in_a_log_is_refused_or_can_be_shown(bad: object) -> None:
    entries = played()
    refused = 0
    for line, entry in enumerate(entries):
        for place in places(entry.data):
            try:
                season = Season.of(forged(entries, line, place, bad))
            except SeasonError:
                refused += 1
                continue
            render(season, season.standings())
            as_csv(season.standings())
            tables_page(season)
            for game in season.games:
                try:
                    record_of(season.league, game, season.bots)
                except RefusedError:
                    continue
    assert refused > 20


@pytest.mark.parametrize("sign", ["\x1b[2J", "\x07", "\x9b2J", "\n", "\u202e", "\u2067"])
@pytest.mark.parametrize("place", [("league", "name"), ("league", "bots", 0, "name")])
def test_no_name_in_a_log_moves_the_cursor_of_who_reads_it(sign: str, place: Path) -> None:
    with pytest.raises(SeasonError):
        Season.of(forged(played(), 0, place, f"A{sign}"))


def test_what_is_said_of_a_line_is_safe_to_print() -> None:
    with pytest.raises(SeasonError) as refused:
        Season.of([*played(), LogEntry("x\x1b[2J", {})])
    assert str(refused.value) == "line 5: there is a line after the end: x[2J"


def test_a_log_that_is_right_is_read() -> None:
    assert len(Season.of(played()).games) == 2


@pytest.mark.parametrize("bad", [5, "5s\x1b[2J", "no clock", "2s/move"])
def test_a_clock_of_a_bot_in_a_log_is_one_that_the_league_could_give_it(bad: object) -> None:
    with pytest.raises(SeasonError):
        Season.of(forged(played(), 0, ("league", "bots", 0, "clock"), bad))
    late = LogEntry("joined", {"bot": {**league(2).bots[0].as_dict(), "name": "Late", "clock": bad}})
    with pytest.raises(SeasonError):
        Season.of([*played()[:1], late])
