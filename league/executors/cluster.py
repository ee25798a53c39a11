"""Leagues on many machines: an executor whose pairings are played by the workers of a Dask cluster.

Each worker has a WorkerExecutor (`league.executors.worker`) with the same server and bots as a league on one machine.
It answers with records of games. If they contradict the rules or the job, that machine is at fault, and the pairing is
played again. If a worker dies, its pairings go to another one; only the answer that is awaited counts.

The cluster's scheduler need not have Arbitre; the workers do. The address "local" starts a cluster on this machine.
"""

import asyncio
import logging
import os
import secrets
from collections.abc import Awaitable, Callable, Mapping
from contextlib import AsyncExitStack, suppress
from pathlib import Path
from typing import Any, Final

from distributed import Client, KilledWorker, get_worker
from distributed.client import FutureCancelledError

from league.config import League
from league.executors.base import ExecutorError, RunError
from league.executors.bundle import BundleError, pack
from league.executors.local import end
from league.executors.local_server import START_S, module
from league.executors.resource import Resource
from league.executors.worker import VersionError, WorkerExecutor
from league.history.verification import check_games
from league.played import Job, Played
from locales import _
from processes.child import ChildError
from protocol import VERSION

LOCAL: Final = "local"

ATTEMPTS: Final = 3
"""How often a pairing is tried, each time perhaps by another worker, before the cluster has failed."""

CONNECT_S: Final = 10.0
CLOSE_S: Final = 10.0
"""How long the workers may take to end what they do for us."""

CLOSE_AGAIN_S: Final = 0.05
"""How soon a client that could not be closed is closed again."""

LOOK_S: Final = 1.0
"""How often the workers are counted."""

PATIENCE_S: Final = 30.0
"""How long there may be no worker at all."""


class Cluster(Resource):
    """The workers behind the scheduler at `address`, as an async context manager; the bots' files are in `home`.

    Entering raises RunError if there are no workers, or the bots can't be sent; `play` raises ExecutorError.
    """

    def __init__(self, address: str, league: League, home: Path | None = None) -> None:
        super().__init__()
        self.room = 1
        self._address = address
        self._league = league
        self._home = home or Path.cwd()
        self._name = f"arbitre-{secrets.token_hex(8)}"
        self._attempts = 0

    def _meaning(self, error: BaseException) -> None:
        """None: RunError already says what went wrong."""
        del error

    async def _start(self) -> None:
        try:
            worker_executor = WorkerExecutor(self._league.as_dict(), pack(self._league, self._home))
        except BundleError as error:
            raise RunError(str(error)) from error
        _silence(self._stack)
        address = await self._start_local() if self._address == LOCAL else self._address
        try:
            self._client = await Client(  # type: ignore[no-untyped-call] # the library is typed in part
                address, asynchronous=True, timeout=CONNECT_S, set_as_default=False
            )
        except (OSError, ValueError) as error:
            raise RunError(
                _("No Dask scheduler answers at {address}. What was played is kept; 'league resume' goes on.").format(
                    address=address
                )
            ) from error
        self._stack.push_async_callback(_within, CLOSE_S, self._leave)
        await self._meet_workers(address)
        await self._hand_out(worker_executor)
        await self._look()
        self._lost: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        watch = asyncio.create_task(self._watch())
        self._stack.push_async_callback(end, watch)

    async def _start_local(self) -> str:
        child = module("league.executors.local_cluster", str(os.cpu_count() or 1), name=_("The cluster"))
        try:
            await self._stack.enter_async_context(child)
            return await child.address(START_S)
        except ChildError as error:
            raise RunError(str(error)) from error

    async def _meet_workers(self, address: str) -> None:
        try:
            coming: Any = self._client.wait_for_workers(1, timeout=PATIENCE_S)
            await coming
        except TimeoutError as error:
            raise RunError(
                _("The scheduler at {address} has no workers: start some with dask worker {address}").format(
                    address=address
                )
            ) from error

    async def _hand_out(self, worker_executor: WorkerExecutor) -> None:
        """Gives every worker, also those that come later, a WorkerExecutor under our name."""
        self._stack.push_async_callback(_within, CLOSE_S, self._take_back)
        try:
            await self._client.register_plugin(worker_executor, self._name)
        except VersionError as error:
            raise RunError(
                _("The worker at {address} has Arbitre {version}, here it is {ours}: install the same.").format(
                    address=error.address, version=error.version, ours=VERSION
                )
            ) from error
        except Exception as error:  # whatever a worker raises arrives here
            raise RunError(
                _("The workers can't play this league: {reason}. They need the same version of Arbitre.").format(
                    reason=error
                )
            ) from error

    async def _leave(self) -> None:
        """Closes the client, which closes itself as well when the scheduler is gone.

        Both may then end the same attempt to connect, and asyncio.timeout raises RuntimeError in the second. The client
        is closed only once a call succeeds.
        """
        while True:
            closing: Any = self._client.close()
            try:
                await closing
            except RuntimeError:
                await asyncio.sleep(CLOSE_AGAIN_S)
            else:
                return

    async def _take_back(self) -> None:
        await self._client.unregister_worker_plugin(self._name)

    async def _look(self) -> bool:
        """Notes how many pairings may be played at once; False if nobody is there."""
        threads = await self._client.nthreads()
        self.room = max(1, sum(threads.values()))
        return bool(threads)

    async def _watch(self) -> None:
        """Lets all pairings fail after PATIENCE_S without a worker."""
        loop = asyncio.get_running_loop()
        seen = loop.time()
        while loop.time() - seen < PATIENCE_S:
            await asyncio.sleep(LOOK_S)
            with suppress(OSError, ValueError):  # not connected, for now or for good
                if await self._look():
                    seen = loop.time()
        self._lost.set_result(None)

    # ------------------------------------------------------------------------------------------------------- pairings

    async def play(self, job: Job) -> tuple[Played, ...]:
        """The games of a pairing, checked; raises ExecutorError."""
        problem = ""
        for _attempt in range(ATTEMPTS):
            try:
                return self._checked(job, await self._ask(job))
            except _Failed as failed:
                problem = str(failed)
        raise ExecutorError(problem)

    def _checked(self, job: Job, answer: Mapping[str, Any]) -> tuple[Played, ...]:
        if "failed" in answer:
            raise _Failed(answer["failed"])
        games: tuple[Played, ...] = ()
        try:
            games = tuple(Played.from_dict(game) for game in answer["games"])
            problems = check_games(self._league.rules, job, games)
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            problems = [repr(error)]
        if problems:
            raise _Failed(_("A worker sent a record that does not verify: {problem}.").format(problem=problems[0]))
        return games

    async def _ask(self, job: Job) -> Mapping[str, Any]:
        """What one worker says; raises _Failed, or ExecutorError if there is nobody to ask."""
        self._attempts += 1
        key = f"{self._name}-{job.pairing}-{self._attempts}"
        try:
            future: Any = self._client.submit(_errand(), self._name, job.as_dict(), key=key, pure=False, retries=0)
        except (OSError, ValueError) as error:
            raise _gone() from error
        answer = asyncio.ensure_future(future.result())
        try:
            either: set[asyncio.Future[Any]] = {answer, self._lost}
            await asyncio.wait(either, return_when=asyncio.FIRST_COMPLETED)
            if answer.done():
                result: Mapping[str, Any] = answer.result()
                return result
        except FutureCancelledError as error:
            raise _gone() from error
        except KilledWorker as error:
            raise _Failed(_("The workers die of pairing {pairing}.").format(pairing=job.pairing)) from error
        except Exception as error:  # whatever a worker raises arrives here
            raise _Failed(_("A worker failed: {reason}.").format(reason=repr(error))) from error
        finally:
            answer.cancel()
            future.release()
        raise ExecutorError(_("The Dask cluster has no workers any more."))


class _Failed(Exception):  # noqa: N818 - what happened; never leaves this module
    """One attempt has failed; the message is a sentence for the user."""


def _errand() -> Callable[[str, Mapping[str, Any]], Mapping[str, Any]]:
    """The function that a worker calls. A nested function is pickled as code, so the scheduler, which unpickles what it
    passes on, does not need Arbitre.
    """  # fmt: skip

    def play(name: str, job: Mapping[str, Any]) -> Mapping[str, Any]:
        worker_executor: Any = get_worker().plugins[name]
        answer: Mapping[str, Any] = worker_executor.play(job)
        return answer

    return play


def _gone() -> ExecutorError:
    return ExecutorError(_("The Dask scheduler is gone."))


def _silence(stack: AsyncExitStack) -> None:
    """Silences the library's log about connections; where one matters, the user is told in a sentence."""
    for name in ("distributed", "distributed.client"):
        logger = logging.getLogger(name)
        stack.callback(logger.setLevel, logger.level)
        logger.setLevel(logging.CRITICAL)


async def _within(seconds: float, tidy: Callable[[], Awaitable[object]]) -> None:
    """Bounds the closing of something that may be gone already."""
    with suppress(TimeoutError, OSError, ValueError):
        async with asyncio.timeout(seconds):
            await tidy()
