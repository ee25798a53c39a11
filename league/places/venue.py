"""Where the games of a league are played on one machine: a server of our own, and bots as processes.

Three processes of Arbitre stand behind each move: the server, the bot's runner and, for a program of others, its
keeper. A bot is charged with what it did itself. What happens to one of the three is nobody's fault: without the server
the whole place has failed, and a game that has lost a runner or a keeper is played again. Nobody sees why such a
process has died, so this has two bounds. The same game is tried `TRIES` times. And a program outside a sandbox might
have killed its runner or keeper itself, to be rid of a game that it loses: it is forgiven `FORGIVEN` times, and as
often more as this has happened to the bot that it happened to most, apart from it.
"""

import asyncio
import secrets
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from bots.base import is_foreign
from bots.care import files_of
from bots.commands.cli import Unserved
from client.connection import Client
from client.errors import ClientError, ServerGone
from client.explanations import explain
from league.config import Entry, League
from league.places.arena import say_once, serving
from league.places.base import VenueError
from league.places.opening import Opening
from league.places.organiser import Organiser
from league.places.stable import BotProcess, Stable, StartError
from league.played import Job, Played
from locales import _
from processes import sandbox
from processes.child import Child, ChildError

WORDS_S = 0.25
"""What a bot that has failed said may come so much later than the report of its game: through a pipe, and a thread.

So may the news that its process has ended.
"""

SERVER_S = 1.0
"""After a process of ours has died, how long the news may take that the server has, and that this is why."""

TRIES = 3
"""How often one game may lose a runner or keeper of the same bot before it is that bot's fault."""

FORGIVEN = 3
"""How many such games a program outside a sandbox may have more than any other bot."""


class Venue(Opening):
    """A server and bots on this machine, as an async context manager; `play` may be called many times at once.

    Entering raises VenueError.
    """

    def __init__(self, league: League, home: Path | None = None, begun: dict[str, list[Played]] | None = None) -> None:
        """Bots' files are looked for in `home`, by default in the present folder.

        begun: the games so far of pairings that are not over, which the next venue goes on with if this one fails.
        """
        super().__init__()
        self._begun = {} if begun is None else begun
        self._league = league
        self._home = home
        self._accidents: dict[str, int] = {}
        self._say = say_once()

    def _meaning(self, error: BaseException) -> Exception | None:
        return VenueError(str(error)) if isinstance(error, ClientError | ChildError | OSError) else None

    async def _start(self) -> None:
        secret = secrets.token_hex(16)
        server, url = await self._stack.enter_async_context(serving(secret=secret))
        self._server = server
        league = self._league
        client = Client(url, name="organiser", kind="human", patience_s=5, organiser=secret)
        self._organiser = Organiser(await self._stack.enter_async_context(client), league)
        self._stable = await self._stack.enter_async_context(
            Stable(
                url, seed=league.seed, at_once=league.at_once, width=league.concurrency, folder=self._home,
                care=league.care, apart=self._files(), may_ponder=league.ponder,
            )
        )  # fmt: skip
        for task in (asyncio.create_task(self._organiser.run()), asyncio.create_task(self._watch(server))):
            self._stack.push_async_callback(end, task)

    def _files(self) -> list[Path]:
        """The files of all bots: each sees those of its own alone."""
        home = (self._home or Path.cwd()).absolute()
        return [file for entry in self._league.bots for file in files_of(entry.run, home)]

    async def _watch(self, server: Child) -> None:
        self._organiser.fail(_ended(await server.wait()))

    @property
    def room(self) -> int:
        """How many pairings may be played at once."""
        return self._league.concurrency * self._league.at_once

    async def play(self, job: Job) -> tuple[Played, ...]:
        """The games of a pairing, one after the other; raises VenueError."""
        games = self._begun.pop(job.pairing, [])
        try:
            while len(games) < job.games:
                games.append(await self._game(job, len(games) + 1))
        except BaseException:
            if games:
                self._begun[job.pairing] = games
            raise
        return tuple(games)

    async def _game(self, job: Job, number: int) -> Played:
        attempt = 1
        while True:
            game, unlucky = await self._attempt(job, number)
            if unlucky is None:
                return game
            await self._check_server()
            if not self._is_forgiven(unlucky, attempt):
                return game
            text = _("{name}: its process has ended, and not by a fault that is known: game {game} is played again.")
            self._say(text.format(name=unlucky.name, game=f"{job.pairing}.{number}"))
            attempt += 1

    async def _attempt(self, job: Job, number: int) -> tuple[Played, Entry | None]:
        """The game; and the bot that has lost it, if that is because a process of ours failed."""
        processes: list[BotProcess] = []
        sound = [False, False]
        seats = job.seats(number)
        try:
            for seat, entry in enumerate(seats, 1):
                try:
                    processes.append(await self._stable.take(entry))
                except StartError as error:
                    sound = [True, True]
                    if error.code == Unserved.exit_code:
                        raise VenueError(str(error)) from error
                    game = self._organiser.failed(job, number, seat, "crash", str(error))
                    return game, None if error.is_the_bots else entry
            said = [process.child.stderr for process in processes]
            game = await self._organiser.play(job, number, processes)
            loser = 0 if game.winner == 2 else 1
            sound = [True, True]
            if game.faulty is None:
                return game, None
            sound[loser] = game.reason == "illegal"
            await asyncio.wait({processes[loser].ended}, timeout=WORDS_S)
            is_ours = processes[loser].ended.done() or game.reason == "abandoned"
        finally:
            for process, is_sound in zip(processes, sound, strict=False):
                await self._stable.give_back(process, sound=is_sound)
        game = replace(game, detail=game.detail or processes[loser].said_since(said[loser]))
        return game, seats[loser] if is_ours else None

    async def _check_server(self) -> None:
        """Raises VenueError if it is the server that has failed."""
        with suppress(TimeoutError):
            async with asyncio.timeout(SERVER_S):
                raise VenueError(explain(_ended(await self._server.wait())))
        self._organiser.check()

    def _is_forgiven(self, entry: Entry, attempt: int) -> bool:
        """Whether a game is played again in which a process of ours, which runs this bot, has failed."""
        self._accidents[entry.name] = self._accidents.get(entry.name, 0) + 1
        if attempt == TRIES:
            return False
        is_kept_in = not is_foreign(entry.run) or (self._league.sandbox and sandbox.obstacle() is None)
        others = max((count for name, count in self._accidents.items() if name != entry.name), default=0)
        return is_kept_in or self._accidents[entry.name] <= FORGIVEN + others


def _ended(code: int) -> ServerGone:
    return ServerGone(_("its process ended with code {code}").format(code=code))


async def end(task: "asyncio.Task[None]") -> None:
    """Cancels a task and waits for it."""
    task.cancel()
    with suppress(asyncio.CancelledError):
        await task
