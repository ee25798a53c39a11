"""A thread that computes while the event loop goes on answering. Jobs run in order; unwanted ones are skipped."""

import asyncio
import contextlib
import threading
from collections.abc import Callable
from dataclasses import dataclass
from queue import SimpleQueue


@dataclass(frozen=True, slots=True)
class Job:
    """One decision: `compute` runs on the thread, `done` gets its result or exception on the loop.

    is_wanted: asked just before the job would start; a job that came too late is dropped without `done`.
    """

    compute: Callable[[], str]
    done: Callable[[str | Exception], None]
    is_wanted: Callable[[], bool]


class Worker:
    """Runs jobs one after the other on a daemon thread, which starts with the first job and never holds up an exit."""

    def __init__(self) -> None:
        self._jobs: SimpleQueue[Job | None] = SimpleQueue()
        self._thread: threading.Thread | None = None

    def submit(self, job: Job) -> None:
        """Queues `job`; must be called on the event loop."""
        if self._thread is None:
            loop = asyncio.get_running_loop()
            self._thread = threading.Thread(target=self._work, args=(loop,), name="bot", daemon=True)
            self._thread.start()
        self._jobs.put(job)

    def close(self) -> None:
        """Lets the thread end once its current job is over; nobody waits for it."""
        self._jobs.put(None)

    def _work(self, loop: asyncio.AbstractEventLoop) -> None:
        while (job := self._jobs.get()) is not None:
            if not job.is_wanted():
                continue
            result: str | Exception
            try:
                result = job.compute()
            except Exception as error:  # noqa: BLE001 - whatever a bot raises is a result: it loses that match
                result = error
            with contextlib.suppress(RuntimeError):  # the loop is closed: nobody waits any more
                loop.call_soon_threadsafe(job.done, result)
