"""The bot processes of a league: kept from one pairing to the next, replaced when they fail, gone at the end.

Errors: StartError    a bot that does not come up
"""

import asyncio
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from bots.base import is_foreign
from bots.care import words_of
from bots.commands.cli import Unusable
from league.config import Entry
from league.places.arena import READY, START_S, arbitre, say_once
from processes.care import Care
from processes.child import Child, ChildError

IDLE_KEPT = 2
"""Processes without a game that are kept, for each pairing that may be played at once."""


class StartError(Exception):
    """A bot did not come up; the message is a sentence for the user, with what the bot said last.

    code: how its process ended, as `Process.exit_code`; None if it is there and was not ready in time.
    """

    def __init__(self, message: str, code: int | None = None) -> None:
        super().__init__(message)
        self.code = code

    @property
    def is_the_bots(self) -> bool:
        """Whether the bot itself can't be run. Anything else is something that happened to a process of ours."""
        return self.code == Unusable.exit_code


class BotProcess:
    """A bot that is connected: `name` is what the server calls it, `games` what it plays now."""

    def __init__(self, entry: Entry, child: Child, name: str) -> None:
        self.entry = entry
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
    return "\n".join(text.strip().splitlines()[-20:])


class Stable:
    """All bot processes, as an async context manager.

    url: of the server. at_once: how many games a process may have. width: how many pairings are played at once.
    folder: that the bots run in. care: how programs that are not ours are run. apart: what they may not see then.
    may_ponder: whether they may think in their opponents' time.
    """

    def __init__(
        self,
        url: str,
        *,
        seed: str,
        at_once: int,
        width: int,
        folder: Path | None = None,
        care: Care | None = None,
        apart: Sequence[Path] = (),
        may_ponder: bool = False,
    ) -> None:
        self._url = url
        self._seed = seed
        self._at_once = at_once
        self._width = width
        self._folder = folder
        self._care = Care() if care is None else care
        self._apart = tuple(apart)
        self._may_ponder = may_ponder
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

    async def take(self, entry: Entry) -> BotProcess:
        """A process of `entry` with room for a game; starts one if there is none. Raises StartError."""
        processes = self._processes.setdefault(entry.name, [])
        if (process := self._with_room(processes)) is None:
            async with self._starting.setdefault(entry.name, asyncio.Lock()):
                process = self._with_room(processes)
                if process is None:
                    process = await self._start(entry)
                    processes.append(process)
        process.games += 1
        return process

    def _with_room(self, processes: Sequence[BotProcess]) -> BotProcess | None:
        for process in processes:
            if process.games < self._at_once and not process.ended.done():
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
        if len(idle) > IDLE_KEPT * self._width:
            self._retire(next(other for other in idle if other is not process))
        done = [other for other in self._retired if other.games == 0]
        self._retired.difference_update(done)
        await asyncio.gather(*(self._stop(other) for other in done))

    def _retire(self, process: BotProcess) -> None:
        processes = self._processes.get(process.entry.name, [])
        if process in processes:
            processes.remove(process)
            self._retired.add(process)

    async def _stop(self, process: BotProcess) -> None:
        await process.child.stop()
        process.ended.cancel()

    async def _start(self, entry: Entry) -> BotProcess:
        seed = f"{self._seed}:{entry.name}"
        words = (
            "bot", entry.run, self._url, "--seed", seed, "--name", entry.name, "--leave-if-lost", *self._room(),
            *self._words(entry),
        )  # fmt: skip
        child = arbitre(*words, name=entry.name, folder=self._folder, hear=self._hear)
        try:
            await child.start()
            line = await child.first_line(START_S)
        except ChildError as error:
            code = child.exit_code
            await child.stop()
            last = error.stderr.splitlines()[-5:]
            raise StartError("\n  ".join((str(error), *last)), code) from error
        except BaseException:
            await child.stop()
            raise
        return BotProcess(entry, child, line.removeprefix(READY))

    def _room(self) -> tuple[str, ...]:
        """The league has said how many games a process plays; no process is to find that too much."""
        return ("--at-once", str(self._at_once)) if self._at_once > 1 else ()

    def _words(self, entry: Entry) -> tuple[str, ...]:
        if not is_foreign(entry.run):
            return ()
        return (*words_of(self._care, self._apart), *_life(entry, may_ponder=self._may_ponder))


def _life(entry: Entry, *, may_ponder: bool) -> tuple[str, ...]:
    """The options that say with what, how long and when a program of others thinks."""
    words = ["--python", entry.python] if entry.python else []
    if entry.many_games is not None:
        words.append("--many-games" if entry.many_games else "--one-game")
    if not may_ponder or entry.ponder is False:
        words.append("--no-ponder")
    elif entry.ponder:
        words.append("--ponder")
    return tuple(words)
