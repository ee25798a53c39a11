"""Leagues for the bots of others: they enter with a code, from whatever machine, and are paired once they are free.

A bot plays one game at a time. Who comes late joins the schedule; who is gone is waited for, and withdrawn if nothing
is left to play without him, until he comes back.

Errors: VenueError    the server is gone
"""

import asyncio
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from client.arrival import arrive
from client.cli import explain
from client.connection import Incoming
from client.errors import ClientError, Unreadable
from league.config import Entry as Bot
from league.config import League, presentable
from league.log import Entry, Log
from league.places.base import RunError, VenueError, VoidError
from league.places.opening import Opening
from league.places.organiser import Organiser
from league.places.venue import end
from league.played import Job, Played
from league.runner import Ledger
from league.season import Season
from locales import _
from protocol.messages import Entrant, HostLeague, Welcome

ABSENT_S = 120.0
"""How long a bot that is gone is waited for when nothing else is left to play."""


_LOOK_S = 1.0

Running = dict["asyncio.Task[tuple[Played, ...]]", Job]
"""The pairings that are being played."""


@dataclass(eq=False)
class Guest:
    """A bot of somebody else: connected or not since `since` (monotonic seconds)."""

    name: str
    present: bool
    since: float
    ended: "asyncio.Future[Any]" = field(default_factory=lambda: asyncio.get_running_loop().create_future())

    @property
    def last_words(self) -> str:
        """What it says stays on its own machine."""
        return ""


class Gathering(Opening):
    """The bots that have entered a league on the server at `url`, as an async context manager.

    code: of an earlier opening of the same league; a new one is drawn without. secret: of the server's organisers, if
    we have it: then games of bots that are gone can be ended at once. changed: is set whenever somebody comes or goes.
    Entering raises VenueError.
    """

    def __init__(
        self,
        url: str,
        league: League,
        *,
        code: str | None = None,
        secret: str | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        super().__init__()
        self.code = code or ""
        self.guests: dict[str, Guest] = {}
        self.changed = asyncio.Event()
        self._url = url
        self._league = league
        self._secret = secret
        self._tasks: set[asyncio.Task[None]] = set()
        self._clock = clock
        self._peopled = clock()

    async def _start(self) -> None:
        arrival = arrive(self._url, presentable(self._league.name, "league"), "human", organiser=self._secret)
        self._client, _number = await self._stack.enter_async_context(arrival)
        self._organiser = Organiser(self._client, self._league, self._hear)
        self._stack.push_async_callback(end, asyncio.create_task(self._organiser.run()))
        await self._host()

    def _meaning(self, error: BaseException) -> Exception | None:
        return VenueError(explain(error)) if isinstance(error, ClientError) else None

    async def _host(self) -> None:
        answer = await self._client.ask(HostLeague, code=self.code or None)
        if not isinstance(answer.code, str):
            raise Unreadable("ok: field `code` is missing")
        self.code = answer.code

    def _hear(self, message: Incoming) -> None:
        match message:
            case Welcome():  # a new connection, perhaps to a server that has forgotten us
                self._spawn()
            case Entrant(code, player) if code == self.code:
                guest = self.guests.get(player.name)
                if guest is None or guest.present != player.present:
                    if not self.present():
                        self._peopled = self._clock()
                    self.guests[player.name] = Guest(player.name, player.present, self._clock())
                    self.changed.set()
            case _:
                pass

    def _spawn(self) -> None:
        async def again() -> None:
            try:
                await self._host()
            except ClientError as error:
                self._organiser.fail(error)

        task = asyncio.create_task(again())
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def present(self) -> list[str]:
        """Who is connected, in the order in which they came."""
        return [guest.name for guest in self.guests.values() if guest.present]

    def is_here(self, name: str) -> bool:
        """Whether a bot is connected."""
        guest = self.guests.get(name)
        return guest is not None and guest.present

    def gone_for(self, name: str) -> float:
        """For how many seconds a bot has been missing while others were here, since the league was opened (again).

        While nobody is here at all, the network is down, or the class is over: nobody is missed then.
        """
        guest = self.guests.get(name)
        if not self.present() or (guest is not None and guest.present):
            return 0.0
        return self._clock() - (self._peopled if guest is None else max(guest.since, self._peopled))

    async def play(self, job: Job) -> tuple[Played, ...]:
        """The games of a pairing of two bots that are free; raises VenueError."""
        games = []
        for number in range(1, job.games + 1):
            contestants = [self.guests[entry.name] for entry in job.seats(number)]
            games.append(await self._organiser.play(job, number, contestants))
        return tuple(games)


class OpenRunner(Ledger):
    """Runs a league whose bots are in `gathering`; `begin` is waited for before the first round."""

    def __init__(
        self,
        log: Log,
        gathering: Gathering,
        tell: Callable[[Season], None] | None = None,
        absent_s: float = ABSENT_S,
    ) -> None:
        super().__init__(log, tell)
        self.begin = asyncio.Event()
        self._gathering = gathering
        self._absent_s = absent_s
        if self.season.schedule.pairings:
            self.begin.set()

    async def run(self) -> None:
        """Plays until the league is finished; raises RunError."""
        if not self.season.code:
            self._note([Entry("opened", {"code": self._gathering.code})])
        self._note_consequences()
        running: Running = {}
        try:
            while not self.season.finished:
                self._gathering.changed.clear()
                self._take_in()
                if self.begin.is_set():
                    self._start_games(running)
                    if not running and self._plan():
                        continue
                await self._wait(running)
        except VenueError as error:
            raise RunError(_("The league stops: {reason}").format(reason=error)) from error
        finally:
            for task in running:
                task.cancel()
            await asyncio.gather(*running, return_exceptions=True)

    def _take_in(self) -> None:
        """Who has come, or come back, takes part, and in formats without rounds is in the schedule, at once."""
        season = self.season
        present = self._gathering.present()
        new = [season.joining(Bot(name)) for name in present if name not in season.bots]
        new += [season.returning(name) for name in present if season.may_return(name)]
        self._note(new)
        if new and self.begin.is_set() and season.schedule.pairings:
            following = season.following()
            if following.kind == "planned":
                self._note([following])

    def _start_games(self, running: Running) -> None:
        """Starts every pairing of two bots that are here and play nothing."""
        busy = {entry.name for job in running.values() for entry in job.players}
        for job in self.season.due([job.pairing for job in running.values()], len(self.season.bots) ** 2):
            names = {entry.name for entry in job.players}
            if not names & busy and all(map(self._gathering.is_here, names)):
                busy |= names
                running[asyncio.create_task(self._gathering.play(job))] = job

    def _plan(self) -> bool:
        """With nothing to play now: the next round, or the end, or who is given up. False if there is only to wait."""
        waiting = self.season.due((), 1)
        if not waiting:
            if len(self.season.bots) - len(self.season.out) < 2 and not self.season.games:
                return False
            self._note([self.season.following()])
            return True
        gone = [
            name
            for name in self.season.bots
            if name not in self.season.out and self._gathering.gone_for(name) >= self._absent_s
        ]
        self._note([self.season.leaving(name) for name in gone])
        return bool(gone)

    async def _wait(self, running: Running) -> None:
        """Until a pairing is over, somebody comes or goes, the league begins, or a while has passed."""
        others: list[asyncio.Future[Any]] = [asyncio.ensure_future(self._gathering.changed.wait())]
        if not self.begin.is_set():
            others.append(asyncio.ensure_future(self.begin.wait()))
        any_of: set[asyncio.Future[Any]] = {*running, *others}
        try:
            await asyncio.wait(any_of, timeout=_LOOK_S, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in others:
                task.cancel()
        for pairing in [task for task in running if task.done()]:
            del running[pairing]
            if isinstance(pairing.exception(), VoidError):
                continue  # it is due again, once both are here
            self._note([self.season.entry_for(pairing.result())])
            self._note_consequences()
