"""Plays a league's pairings on this machine: one server, and a process for each bot.

Three processes of Arbitre stand behind each move: the server, the bot's runner and, for a program of others, its
supervisor. A bot is charged with what it did itself. What happens to one of the three is nobody's fault: without the
server the whole executor has failed, and a game that has lost a runner or a supervisor is played again. Nobody sees why
such a process has died, so there are two bounds. The same game is tried `TRIES` times. And a program outside a sandbox
might have killed its runner or supervisor itself, to escape from a game that it loses. So it may have at most
`FORGIVEN` such accidents more than the other bot that has had the most of them.
"""

import asyncio
import secrets
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from bots.base import is_foreign
from bots.commands.exits import Unserved
from bots.launch_options import files_of
from client.connection import Client
from client.errors import ClientError, ServerGone
from client.explanations import explain
from league.config import League, LeagueBot
from league.executors.base import DeclinedError, ExecutorError
from league.executors.bot_pool import BotPool, BotProcess, BotStartError
from league.executors.local_server import LOOPBACK, say_once, serving
from league.executors.organiser import Organiser
from league.executors.resource import Resource
from league.played import Job, Played
from league.showing import Showing
from locales import _
from processes import sandbox
from processes.child import TRUST_THIS_MACHINE, Child, ChildError
from processes.launch_options import LaunchOptions
from terminal.phrases import game_title

WORDS_S = 0.25
"""How long after the report of a game we wait for the last output of a bot that failed, and for the end of its process.

Both come through a pipe and a thread, and so may be late.
"""

SERVER_S = 1.0
"""After a process of ours has died: how long to wait for news that the server has died, which explains it."""

TRIES = 3
"""How often one game may lose a runner or supervisor of the same bot before that bot loses it."""

FORGIVEN = 3
"""How many such games a program outside a sandbox may have more than any other bot."""


class Showcase(NamedTuple):
    """Shows a league while it is played here. host_and_port: of the server. opened: is called with its URL."""

    host_and_port: tuple[str, int]
    showing: Showing
    opened: Callable[[str], None]


class LocalExecutor(Resource):
    """A server and bots on this machine, as an async context manager; `play` may be called many times at once.

    Entering raises ExecutorError. server: its process, once it is up. words: as those of the pool.
    """

    def __init__(
        self,
        league: League,
        home: Path | None = None,
        begun: dict[str, list[Played]] | None = None,
        *,
        launch: LaunchOptions | None = None,
        is_strict: bool = False,
        showcase: Showcase | None = None,
        conversations: Path | None = None,
    ) -> None:
        """Bots' files are looked for in `home`, by default in the present folder.

        begun: the games so far of unfinished pairings; if this executor fails, the next one goes on with them.
        launch: how programs of others are run, by default as the league says.
        is_strict: a bot that can't be run, or declines, does not lose a game by that; the user, who has typed its name,
        is told. A program in a sandbox loses all the same. showcase: where the league is shown, if it is.
        conversations: the folder for a file of what is said with a program of others in each game; None writes none.
        """
        super().__init__()
        self.server: Child | None = None
        self._launch = league.launch if launch is None else launch
        self._is_strict = is_strict
        self._showcase = showcase
        self._conversations = conversations
        self._begun = {} if begun is None else begun
        self._league = league
        self._home = home
        self._accidents: dict[str, int] = {}
        self.words: dict[str, str] = {}
        self._say = say_once()

    def _meaning(self, error: BaseException) -> Exception | None:
        return ExecutorError(str(error)) if isinstance(error, ClientError | ChildError | OSError) else None

    async def _start(self) -> None:
        secret = secrets.token_hex(16)
        showcase, league = self._showcase, self._league
        host, port = (LOOPBACK, 0) if showcase is None else showcase.host_and_port
        own = () if host == LOOPBACK else TRUST_THIS_MACHINE
        server, url = await self._stack.enter_async_context(serving(host, port, secret=secret, options=own))
        self.server = self._server = server
        client = Client(url, name="organiser", kind="human", patience_s=5, organiser=secret)
        listen = None if showcase is None else showcase.showing.hear
        self._organiser = Organiser(await self._stack.enter_async_context(client), league, listen)
        if showcase is not None:
            self._show(showcase, client, url)
        self._pool = await self._stack.enter_async_context(
            BotPool(
                url, league, folder=self._home, launch=self._launch, apart=self._files(), words=self.words,
                conversations=self._conversations,
            )
        )  # fmt: skip
        for task in (asyncio.create_task(self._organiser.run()), asyncio.create_task(self._watch(server))):
            self._stack.push_async_callback(end, task)

    def _show(self, showcase: Showcase, client: Client, url: str) -> None:
        """Has the server's page show the league."""
        self._organiser.on_change = showcase.showing.changed
        work = showcase.showing.run(client, lambda: self._organiser.playing)
        self._stack.push_async_callback(end, asyncio.create_task(work))
        self._stack.push_async_callback(showcase.showing.settle)
        showcase.opened(url)

    def _files(self) -> list[Path]:
        """The files of all bots, of which each sees only its own, and what nobody sees."""
        home = (self._home or Path.cwd()).absolute()
        files = [file for bot in self._league.bots for file in files_of(bot.run, home)]
        return files if self._conversations is None else [*files, self._conversations]

    async def _watch(self, server: Child) -> None:
        self._organiser.fail(_ended(await server.wait()))

    @property
    def room(self) -> int:
        """How many pairings may be played at once."""
        return self._league.concurrency * self._league.at_once

    async def play(self, job: Job) -> tuple[Played, ...]:
        """The games of a pairing, one after the other; raises ExecutorError."""
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
            name = f"{job.pairing}.{number}" if job.games > 1 else job.pairing
            self._say(text.format(name=unlucky.name, game=name))
            attempt += 1

    async def _attempt(self, job: Job, number: int) -> tuple[Played, LeagueBot | None]:
        """The game; and the bot that has lost it, if the reason is that a process of ours failed."""
        processes: list[BotProcess] = []
        sound = [True, True]
        seats = job.seats(number)
        try:
            if (unstarted := await self._take(job, number, processes)) is not None:
                return unstarted
            said = [process.child.stderr for process in processes]
            sound = [False, False]
            game = await self._organiser.play(job, number, processes)
            loser = 0 if game.winner == 2 else 1
            sound = [True, True]
            if game.faulty is None:
                return game, None
            sound[loser] = game.reason == "illegal"
            await asyncio.wait({processes[loser].ended}, timeout=WORDS_S)
            is_unwilling = processes[loser] in self._organiser.unwilling
            if is_unwilling and self._is_told(seats[loser]):
                raise DeclinedError(_("A bot declined to play {game}.").format(game=game_title(self._league.rules)))
            is_ours = processes[loser].ended.done() or (game.reason == "abandoned" and not is_unwilling)
        finally:
            for process, is_sound in zip(processes, sound, strict=False):
                await self._pool.give_back(process, sound=is_sound)
        game = replace(game, detail=game.detail or processes[loser].said_since(said[loser]))
        return game, seats[loser] if is_ours else None

    async def _take(self, job: Job, number: int, processes: list[BotProcess]) -> tuple[Played, LeagueBot | None] | None:
        """Adds a process for each seat to `processes`; if one does not come up, what `_attempt` is to return."""
        seats = job.seats(number)
        answers = await self._pool.take_all(seats)
        processes += [answer for answer in answers if isinstance(answer, BotProcess)]
        for seat, (bot, answer) in enumerate(zip(seats, answers, strict=True), 1):
            if isinstance(answer, BotStartError):
                if answer.code == Unserved.exit_code or (self._is_told(bot) and not answer.is_accident):
                    raise ExecutorError(str(answer)) from answer
                game = self._organiser.failed(job, number, seat, "crash", str(answer))
                return game, None if answer.is_the_bots else bot
            if isinstance(answer, BaseException):
                raise answer
        return None

    def _is_told(self, bot: LeagueBot) -> bool:
        """Whether the user is told that this bot can't play, instead of the bot losing the game."""
        return self._is_strict and not (self._launch.sandbox and is_foreign(bot.run))

    async def _check_server(self) -> None:
        """Raises ExecutorError if it is the server that has failed."""
        with suppress(TimeoutError):
            async with asyncio.timeout(SERVER_S):
                raise ExecutorError(explain(_ended(await self._server.wait())))
        self._organiser.check()

    def _is_forgiven(self, bot: LeagueBot, attempt: int) -> bool:
        """Whether a game is played again after a process of ours that runs this bot has failed."""
        self._accidents[bot.name] = self._accidents.get(bot.name, 0) + 1
        if attempt == TRIES:
            return False
        is_kept_in = not is_foreign(bot.run) or (self._league.sandbox and sandbox.obstacle() is None)
        others = max((count for name, count in self._accidents.items() if name != bot.name), default=0)
        return is_kept_in or self._accidents[bot.name] <= FORGIVEN + others


def _ended(code: int) -> ServerGone:
    return ServerGone(_("its process ended with code {code}").format(code=code))


async def end(task: "asyncio.Task[None]") -> None:
    """Cancels a task and waits for it."""
    task.cancel()
    with suppress(asyncio.CancelledError):
        await task
