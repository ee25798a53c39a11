"""A pool of bot processes: reused from one pairing to the next, replaced when they fail, ended with the league.

Errors: BotStartError    a bot that does not come up
"""

import asyncio
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from bots.base import is_foreign, is_program
from bots.commands.exits import SupervisorLost, Unusable
from league.config import League, LeagueBot
from league.executors.local_server import READY, START_S, arbitre, say_once
from processes.child import Child, ChildError
from processes.launch_options import LaunchOptions, words_of

IDLE_KEPT = 2
"""Processes without a game that are kept, for each pairing that may be played at once."""

LINES = 60
"""How many lines are kept of what a bot says on its stderr: a failure with its position has some thirty lines."""


class BotStartError(Exception):
    """A bot did not come up; the message is a sentence for the user, with what the bot said last.

    code: how its process ended, as `Process.exit_code`; None if it runs but was not ready in time.
    """

    def __init__(self, message: str, code: int | None = None) -> None:
        super().__init__(message)
        self.code = code

    @property
    def is_the_bots(self) -> bool:
        """Whether the bot itself can't be run. Anything else is something that happened to a process of ours."""
        return self.code == Unusable.exit_code

    @property
    def is_accident(self) -> bool:
        """Whether something ended its process, or its supervisor's: it may come up the next time."""
        return self.code is not None and (self.code < 0 or self.code == SupervisorLost.exit_code)


class BotProcess:
    """A bot that is connected: `name` is what the server calls it, `games` what it plays now."""

    def __init__(self, bot: LeagueBot, child: Child, name: str) -> None:
        self.bot = bot
        self.child = child
        self.name = name
        self.games = 0
        self.ended: asyncio.Future[Any] = asyncio.create_task(child.wait())

    @property
    def last_words(self) -> str:
        """The end of what it said on its stderr."""
        return _end_of(self.child.stderr)

    def said_since(self, before: str) -> str:
        """The end of what it has added to `before`, its stderr as it was."""
        return _end_of(self.child.stderr.removeprefix(before))


def _end_of(text: str) -> str:
    """The last lines, from the first that is not indented: an indented line continues an earlier one."""
    lines = text.strip().splitlines()[-LINES:]
    begun = next((number for number, line in enumerate(lines) if line[:1].strip()), 0)
    return "\n".join(lines[begun:])


class BotPool:
    """The processes of all bots of `league`, as an async context manager.

    url: of the server. folder: where the bots run. launch: how programs that are not ours are run, by default as the
    league says. apart: the files that a sandbox hides from them. words: receives, for each bot by name, the last lines
    of the stderr of its processes, once they have ended. conversations: the folder for what is said with programs.
    """

    def __init__(
        self,
        url: str,
        league: League,
        *,
        folder: Path | None = None,
        launch: LaunchOptions | None = None,
        apart: Sequence[Path] = (),
        words: dict[str, str] | None = None,
        conversations: Path | None = None,
    ) -> None:
        self._url = url
        self._league = league
        self._game = league.rules.spec
        self._folder = folder
        self._launch = league.launch if launch is None else launch
        self._apart = tuple(apart)
        self._conversations = conversations
        self._said = {} if words is None else words
        self._processes: dict[str, list[BotProcess]] = {}
        self._retired: set[BotProcess] = set()
        self._starting: dict[str, asyncio.Lock] = {}
        self._hear = say_once()

    async def __aenter__(self) -> Self:
        """Starts nothing yet."""
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        everybody = [process for processes in self._processes.values() for process in processes]
        everybody += self._retired
        self._processes.clear()
        self._retired.clear()
        await asyncio.gather(*(self._stop(process) for process in everybody))

    async def take_all(self, bots: Sequence[LeagueBot]) -> list[BotProcess | BaseException]:
        """What `take` gives or raises for each bot; no task is made for one that runs already."""
        running = [self.take_running(bot) for bot in bots]
        missing = [bot for bot, process in zip(bots, running, strict=True) if process is None]
        if not missing:
            return [process for process in running if process is not None]
        started = iter(await asyncio.gather(*map(self.take, missing), return_exceptions=True))
        return [next(started) if process is None else process for process in running]

    async def take(self, bot: LeagueBot) -> BotProcess:
        """A process of `bot` with room for a game; starts one if there is none. Raises BotStartError."""
        if (process := self.take_running(bot)) is not None:
            return process
        async with self._starting.setdefault(bot.name, asyncio.Lock()):
            if (process := self.take_running(bot)) is not None:
                return process
            process = await self._start(bot)
            self._processes.setdefault(bot.name, []).append(process)
        process.games += 1
        return process

    def take_running(self, bot: LeagueBot) -> BotProcess | None:
        """A process of `bot` that runs and has room for a game; None if there is none."""
        for process in self._processes.get(bot.name, ()):
            if process.games < self._league.at_once and not process.ended.done():
                process.games += 1
                return process
        return None

    async def give_back(self, process: BotProcess, *, sound: bool) -> None:
        """The game of `process` is over; one that is not `sound` gets no new ones, and is stopped after its last."""
        process.games -= 1
        if not sound or process.ended.done():
            self._retire(process)
        if process.games:
            return
        idle = [other for many in self._processes.values() for other in many if other.games == 0]
        if len(idle) > IDLE_KEPT * self._league.concurrency:
            self._retire(next(other for other in idle if other is not process))
        done = [other for other in self._retired if other.games == 0]
        self._retired.difference_update(done)
        await asyncio.gather(*(self._stop(other) for other in done))

    def _retire(self, process: BotProcess) -> None:
        processes = self._processes.get(process.bot.name, [])
        if process in processes:
            processes.remove(process)
            self._retired.add(process)

    async def _stop(self, process: BotProcess) -> None:
        await process.child.stop()
        process.ended.cancel()
        self._keep_words(process.bot, process.child)

    def _keep_words(self, bot: LeagueBot, child: Child) -> None:
        if words := _end_of(f"{self._said.get(bot.name, '')}\n{child.stderr}"):
            self._said[bot.name] = words

    async def _start(self, bot: LeagueBot) -> BotProcess:
        seed = f"{self._league.seed}:{bot.name}"
        words = (
            "bot", bot.run, self._url, "--game", self._game, "--seed", seed, "--name", bot.name, "--leave-if-lost",
            *self._room(), *self._words(bot),
        )  # fmt: skip
        child = arbitre(*words, name=bot.name, folder=self._folder, hear=self._hear)
        try:
            await child.start()
            line = await child.first_line(START_S)
        except ChildError as error:
            code = child.exit_code
            await child.stop()
            self._keep_words(bot, child)
            last = error.stderr.splitlines()[-5:]
            raise BotStartError("\n  ".join((str(error), *last)), code) from error
        except BaseException:
            await child.stop()
            raise
        return BotProcess(bot, child, line.removeprefix(READY))

    def _room(self) -> tuple[str, ...]:
        """The option that makes a process accept as many games at once as the league gives it."""
        return ("--at-once", str(self._league.at_once)) if self._league.at_once > 1 else ()

    def _words(self, bot: LeagueBot) -> tuple[str, ...]:
        if not is_foreign(bot.run):
            return ()
        words = (*words_of(self._launch, self._apart), *_life(bot, may_ponder=self._league.ponder))
        if self._conversations is None or not is_program(bot.run):
            return words
        return (*words, "--log-conversation", str(self._conversations))


def _life(bot: LeagueBot, *, may_ponder: bool) -> tuple[str, ...]:
    """The options for a program of others: its interpreter, games per process, and pondering."""
    words = ["--python", bot.python] if bot.python else []
    if bot.many_games is not None:
        words.append("--many-games" if bot.many_games else "--one-game")
    if not may_ponder or bot.ponder is False:
        words.append("--no-ponder")
    elif bot.ponder:
        words.append("--ponder")
    return tuple(words)
