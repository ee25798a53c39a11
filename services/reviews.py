"""The service that reviews games and explains positions: a process of low priority, one game and one tree at a time."""

from __future__ import annotations

import asyncio
import os
import sys
import traceback
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from threading import Event
from typing import TYPE_CHECKING, Final

import games
from client.connection import Client, Lost
from client.errors import ClientError, HelloRefused
from protocol.errors import ErrorCode
from protocol.messages import Job, JobOver, Judgement, Serve, Welcome
from services.explaining import Explainer, NoNodeError
from services.process import run, secret

if TYPE_CHECKING:
    from services.judging import Judge

NAME: Final = "Review"
NAMES_TRIED: Final = 20

NICE: Final = 10
"""Players and the server come first."""


class Worker:
    """Does the jobs of one connection: each kind on a thread of its own."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self._loop = asyncio.get_running_loop()
        self._threads = {what: ThreadPoolExecutor(1, what) for what in ("review", "explain")}
        self._left: dict[str, Event] = {}
        self._explainer = Explainer()
        self._judges = Judges()

    async def work(self) -> None:
        """Takes jobs until the connection is over for good; raises ClientError."""
        await self._ready()
        async for message in self._client.messages():
            if isinstance(message, Job):
                self._left[message.job] = left = Event()
                self._threads[message.what].submit(self._do, message, left)
            elif isinstance(message, JobOver) and message.job in self._left:
                self._left.pop(message.job).set()
            elif isinstance(message, Lost):
                self._leave_all()
            elif isinstance(message, Welcome):
                await self._ready()

    async def _ready(self) -> None:
        from services.judging import JUDGE

        await self._client.ask(Serve, JUDGE)

    def _leave_all(self) -> None:
        for left in self._left.values():
            left.set()
        self._left.clear()

    def _do(self, job: Job, left: Event) -> None:
        """Does a job, on its thread. Reports any failure to the server: the next job may be fine."""
        try:
            if job.what == "review":
                self._review(job, left)
            else:
                self._explain(job, left)
        except Exception:  # noqa: BLE001 - as said
            traceback.print_exc(file=sys.stderr)
            self._tell(Judgement(0, job.job, done=True, why="failed"), left)

    def _review(self, job: Job, left: Event) -> None:
        judge = self._judges.of(job.game)
        for step in judge.judge(job.moves):
            if left.is_set():
                return
            self._tell(Judgement(0, job.job, (step,), done=step.ply == 0), left)

    def _explain(self, job: Job, left: Event) -> None:
        try:
            answer = Judgement(0, job.job, branches=self._explainer.branches(job), done=True)
        except NoNodeError as error:
            answer = Judgement(0, job.job, done=True, why=error.why)
        self._tell(answer, left)

    def _tell(self, answer: Judgement, left: Event) -> None:
        def tell() -> None:
            if left.is_set():
                return
            if answer.done:
                self._left.pop(answer.job, None)
            with suppress(ClientError):
                self._client.send(
                    Judgement, answer.job, answer.steps, answer.branches, done=answer.done, why=answer.why
                )

        with suppress(RuntimeError):  # the loop is closed already
            self._loop.call_soon_threadsafe(tell)


class Judges:
    """Keeps the judge of the game that was reviewed last: its tables serve the next review of that game."""

    def __init__(self) -> None:
        self._last: tuple[str, Judge] | None = None

    def of(self, spec: str) -> Judge:
        """The judge of a game; what it needs is imported when the first game comes."""
        from services.judging import Judge

        if self._last is None or self._last[0] != spec:
            self._last = None
            self._last = spec, Judge(games.parse(spec))
        return self._last[1]


async def serve(url: str) -> None:
    """Serves the server at `url` until it is gone; raises ClientError."""
    client = await _connect(url)
    try:
        await Worker(client).work()
    finally:
        await client.close()


async def _connect(url: str) -> Client:
    """A client under a name that nobody has; raises ClientError."""
    for number in range(1, NAMES_TRIED + 1):
        name = NAME if number == 1 else f"{NAME} {number}"
        client = Client(url, name=name, kind="bot", service=secret(), serves="reviews")
        try:
            return await client.__aenter__()
        except HelloRefused as refused:
            if refused.code != ErrorCode.NAME_TAKEN.value or number == NAMES_TRIED:
                raise
    raise AssertionError("the last name is refused, or taken")


if __name__ == "__main__":
    if hasattr(os, "nice"):
        os.nice(NICE)
    run(lambda: serve(sys.argv[1]))
