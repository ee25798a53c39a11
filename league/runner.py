"""Runs a league to its end: asks the season what is due, has it played, writes down what came of it.

Errors: RunError    the league can't go on now; what was played is kept, and `league resume` goes on
"""

import asyncio
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import Protocol

from league.balance import balance_of
from league.config import League
from league.log import Entry, Log
from league.organiser import VenueError
from league.played import Job, Played
from league.season import Season
from league.venue import Venue
from locales import _

VENUES = 3
"""How many venues in a row may fail without a pairing being finished."""


class RunError(Exception):
    """The league stops for now; the message is a sentence for the user."""


class Place(Protocol):
    """Where pairings are played: a Venue, or many machines."""

    @property
    def room(self) -> int:
        """How many pairings may be played at once now, at least one."""
        ...

    async def play(self, job: Job) -> tuple[Played, ...]:
        """The games of a pairing; raises VenueError."""
        ...


OpenPlace = Callable[[League, Path | None], AbstractAsyncContextManager[Place]]
"""A place for a league whose bots' files are in a folder, as a context; entering it raises VenueError."""


class Runner:
    """Plays what a log still lacks; the caller holds the lease and the log.

    tell: called after each change of the season.
    """

    def __init__(self, log: Log, open_place: OpenPlace = Venue, tell: Callable[[Season], None] | None = None) -> None:
        self.season = Season.of(log.entries)
        self.season.balanced_by(balance_of(self.season.league.rules))
        self._log = log
        self._open_place = open_place
        self._tell = tell or (lambda _season: None)

    async def run(self) -> None:
        """Plays until the league is finished; raises RunError. Cancelled, it leaves no process behind."""
        failures = 0
        while not self.season.finished:
            played = len(self.season.games)
            try:
                async with self._open_place(self.season.league, self.season.home) as place:
                    await self._play(place)
            except VenueError as error:
                failures = failures + 1 if len(self.season.games) == played else 1
                if failures == VENUES:
                    raise RunError(_("The league stops: {reason}").format(reason=error)) from error

    async def _play(self, place: Place) -> None:
        running: dict[asyncio.Task[tuple[Played, ...]], str] = {}
        try:
            while not self.season.finished:
                room = place.room - len(running)
                for job in self.season.due(frozenset(running.values()), room):
                    running[asyncio.create_task(place.play(job))] = job.pairing
                if not running:
                    self._note([self.season.following()])
                    continue
                done, _pending = await asyncio.wait(running, return_when=asyncio.FIRST_COMPLETED)
                for task in done:
                    del running[task]
                sound = [task.result() for task in done if task.exception() is None]
                self._note([self.season.entry_for(games) for games in sound])
                self._note(self.season.suspensions())
                for task in done:
                    task.result()
        finally:
            for task in running:
                task.cancel()
            await asyncio.gather(*running, return_exceptions=True)

    def _note(self, entries: list[Entry]) -> None:
        """What is on the disk counts, nothing else."""
        try:
            self._log.append(*entries)
        except OSError as error:
            raise RunError(
                _("The league's log can't be written ({reason}): what is there is kept.").format(
                    reason=error.strerror or error
                )
            ) from error
        for entry in entries:
            self.season.take(entry)
        self._tell(self.season)
