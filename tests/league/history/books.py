"""A season together with its log, as a test writes it."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path

from league.config import League
from league.history.log import LogEntry
from league.history.season import Season, begin
from league.history.verification import verify
from league.played import Job, Played
from tests.league.fakes import play

EVERY_FORMAT = ("round-robin", "gauntlet", "swiss", "knockout", "ladder")


class Book:
    """A season and the log that it is kept in; the season is the log's at every step."""

    def __init__(self, described: League) -> None:
        self.entries = [begin(described, [], Path())]
        self.season = Season.of(self.entries)

    def note(self, *entries: LogEntry) -> None:
        for entry in entries:
            self.season.take(entry)
            self.entries.append(LogEntry(entry.kind, json.loads(json.dumps(entry.data))))

    def follow(self) -> None:
        self.note(self.season.following())

    def play(self, job: Job, game: Callable[[Job, int], Played] = play) -> None:
        self.note(self.season.entry_for([game(job, number) for number in (1, 2)]))
        self.note(*self.season.consequences())

    def jobs(self) -> Iterator[Job]:
        """What is due, one after the other, to the end of the league."""
        while not self.season.finished:
            due = self.season.due((), 1)
            if not due:
                self.follow()
            yield from due

    def check(self) -> None:
        """The log gives the same table, and nothing in it is wrong."""
        assert Season.of(self.entries).as_json() == self.season.as_json()
        assert verify(self.entries) == ([], len(self.season.games))


def meetings(season: Season, one: str, two: str) -> int:
    return sum({one, two} == {game.first, game.second} for game in season.games)
