"""Plays a league's pairings on a worker of a Dask cluster, with an executor that is reused from pairing to pairing.

The cluster's scheduler hands a WorkerExecutor to each worker, to those that come later too. It takes a thread with an
event loop of its own, so that games and the worker's heartbeats don't block each other. Results are plain types,
which the caller checks. A worker executor without requests for a while closes its executor: its league may have died.
"""

import asyncio
import shutil
import tempfile
import threading
from collections.abc import Coroutine, Mapping
from concurrent.futures import Future
from pathlib import Path
from typing import Any, Final, TypeVar

from distributed import Worker
from distributed.diagnostics.plugin import WorkerPlugin

from league.config import League
from league.executors.base import ExecutorError
from league.executors.bundle import Bundle, unpack
from league.executors.local import LocalExecutor
from league.played import Job, Played
from protocol import VERSION

IDLE_S: Final = 60.0
"""How long an executor without games is kept."""

T = TypeVar("T")


class VersionError(Exception):
    """The worker at `address` has another version of Arbitre, whose bots might play otherwise."""

    def __init__(self, address: str, version: str) -> None:
        super().__init__(address, version)
        self.address, self.version = address, version


class WorkerExecutor(WorkerPlugin):
    """A league's executor on one worker; `files` are unpacked there for the bots. These two and a version are sent."""

    def __init__(self, league: Mapping[str, Any], files: Bundle) -> None:
        self._description = league
        self._files = files
        self._version = VERSION
        self._is_open = False

    def setup(self, worker: Worker) -> None:
        """On the worker's event loop: unpacks the files and starts our own loop. Raises VersionError."""
        if self._version != VERSION:
            raise VersionError(worker.address, VERSION)
        self._folder = Path(tempfile.mkdtemp(prefix="arbitre-", dir=worker.local_directory))
        try:
            unpack(self._files, self._folder)
        except BaseException:
            shutil.rmtree(self._folder, ignore_errors=True)
            raise
        self._league = League.from_dict(self._description)
        self._executor: LocalExecutor | None = None
        self._begun: dict[str, list[Played]] = {}
        self._games: set[asyncio.Task[Any]] = set()
        self._idle: asyncio.TimerHandle | None = None
        self._loop = asyncio.new_event_loop()
        self._opening = asyncio.Lock()
        self._door = threading.Lock()
        self._is_open = True
        threading.Thread(target=self._run_loop, name="arbitre", daemon=True).start()

    async def teardown(self, worker: Worker) -> None:
        """On the worker's event loop: ends all games, and leaves nothing behind."""
        if not self._is_open:  # its setup failed
            return
        with self._door:
            self._is_open = False
        await asyncio.wrap_future(self._submit(self._close()))
        self._loop.call_soon_threadsafe(self._loop.stop)
        shutil.rmtree(self._folder, ignore_errors=True)

    def play(self, job: Mapping[str, Any]) -> Mapping[str, Any]:
        """Plays a job as `Job.as_dict` writes it. On one of the worker's threads, which may call it at the same time.

        Returns {"games": as `Played.as_dict` writes each} or {"failed": a sentence}.
        """
        with self._door:
            if not self._is_open:
                return {"failed": "the league is over here"}
            played = self._submit(self._play(Job.from_dict(job)))
        return played.result()

    # ------------------------------------------------------------------------------------------- in our thread's loop

    def _run_loop(self) -> None:
        self._loop.run_forever()
        self._loop.close()

    def _submit(self, work: Coroutine[Any, Any, T]) -> "Future[T]":
        return asyncio.run_coroutine_threadsafe(work, self._loop)

    async def _play(self, job: Job) -> Mapping[str, Any]:
        if self._idle is not None:
            self._idle.cancel()
        task = asyncio.current_task()
        assert task is not None
        self._games.add(task)
        executor = None
        try:
            async with self._opening:
                executor = self._executor = self._executor or await self._open()
            return {"games": [game.as_dict() for game in await executor.play(job)]}
        except ExecutorError as error:
            if executor is not None and executor is self._executor:
                self._executor = None
                await executor.__aexit__(None, None, None)
            return {"failed": str(error)}
        finally:
            self._games.discard(task)
            if not self._games:
                self._idle = self._loop.call_later(IDLE_S, self._rest)

    async def _open(self) -> LocalExecutor:
        return await LocalExecutor(self._league, self._folder, self._begun).__aenter__()

    def _rest(self) -> None:
        self._resting = self._loop.create_task(self._close_executor())

    async def _close(self) -> None:
        """Ends the games that are being played, without a result: nobody loses because their bot is stopped here."""
        for task in self._games:
            task.cancel()
        await asyncio.gather(*self._games, return_exceptions=True)
        await self._close_executor()

    async def _close_executor(self) -> None:
        async with self._opening:
            if self._games or self._executor is None:
                return
            executor, self._executor = self._executor, None
            await executor.__aexit__(None, None, None)
