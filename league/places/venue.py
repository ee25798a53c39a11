"""Where the games of a league are played on one machine: a server of our own, and bots as processes."""

import asyncio
import secrets
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from bots.supervisor import Child, ChildError
from client.connection import Client
from client.errors import ClientError, ServerGone
from league.config import League
from league.places.arena import serving
from league.places.base import VenueError
from league.places.opening import Opening
from league.places.organiser import Organiser
from league.places.stable import BotProcess, Stable, StartError
from league.played import Job, Played
from locales import _

WORDS_S = 0.25
"""What a bot that has failed said may come so much later than the report of its game: through a pipe, and a thread."""


class Venue(Opening):
    """A server and bots on this machine, as an async context manager; `play` may be called many times at once.

    Entering raises VenueError.
    """

    def __init__(self, league: League, home: Path | None = None) -> None:
        """Bots' files are looked for in `home`, by default in the present folder."""
        super().__init__()
        self._league = league
        self._home = home

    def _meaning(self, error: BaseException) -> Exception | None:
        return VenueError(str(error)) if isinstance(error, ClientError | ChildError | OSError) else None

    async def _start(self) -> None:
        secret = secrets.token_hex(16)
        server, url = await self._stack.enter_async_context(serving(secret=secret))
        league = self._league
        client = Client(url, name="organiser", kind="human", patience_s=5, organiser=secret)
        self._organiser = Organiser(await self._stack.enter_async_context(client), league)
        self._stable = await self._stack.enter_async_context(
            Stable(
                url, seed=league.seed, at_once=league.at_once, width=league.concurrency, folder=self._home,
                sandbox=league.sandbox,
            )
        )  # fmt: skip
        for task in (asyncio.create_task(self._organiser.run()), asyncio.create_task(self._watch(server))):
            self._stack.push_async_callback(end, task)

    async def _watch(self, server: Child) -> None:
        code = await server.wait()
        self._organiser.fail(ServerGone(_("its process ended with code {code}").format(code=code)))

    @property
    def room(self) -> int:
        """How many pairings may be played at once."""
        return self._league.concurrency * self._league.at_once

    async def play(self, job: Job) -> tuple[Played, ...]:
        """The games of a pairing, one after the other; raises VenueError."""
        return tuple([await self._game(job, number) for number in range(1, job.games + 1)])

    async def _game(self, job: Job, number: int) -> Played:
        processes: list[BotProcess] = []
        sound = [False, False]
        try:
            for seat, entry in enumerate(job.seats(number), 1):
                try:
                    processes.append(await self._stable.take(entry))
                except StartError as error:
                    sound = [True, True]
                    return self._organiser.failed(job, number, seat, "crash", str(error))
            said = [process.child.stderr for process in processes]
            game = await self._organiser.play(job, number, processes)
            loser = 0 if game.winner == 2 else 1
            sound = [True, True]
            sound[loser] = game.faulty is None or game.reason == "illegal"
        finally:
            for process, is_sound in zip(processes, sound, strict=False):
                await self._stable.give_back(process, sound=is_sound)
        if game.faulty is None or game.detail:
            return game
        await asyncio.sleep(WORDS_S)
        return replace(game, detail=processes[loser].said_since(said[loser]))


async def end(task: "asyncio.Task[None]") -> None:
    """Cancels a task and waits for it."""
    task.cancel()
    with suppress(asyncio.CancelledError):
        await task
