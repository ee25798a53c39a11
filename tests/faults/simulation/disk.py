"""A disk that keeps what was committed and nothing else: real SQL on a database in memory, without the thread."""

from __future__ import annotations

import asyncio
import random
import sqlite3
from collections.abc import Callable, Sequence

from server.store.database import open_to_write
from server.store.schema import MEMORY
from server.store.store import RETRY_SECONDS, Progress, Store
from server.store.writing import Batch, Row, Writer


class Disk:
    """What outlives a crash. full: nothing can be written now. busy: each commit takes up to this many seconds."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.database: sqlite3.Connection = open_to_write(MEMORY, "process")
        self.full = False
        self.busy = 0.004

    def store(self, notify: Callable[[Progress], None]) -> SimulatedStore:
        """Opens it, as a server does when it starts."""
        return SimulatedStore(self, notify)


class SimulatedStore(Store):
    """A store whose writer is a timer; `die` is the crash."""

    def __init__(self, disk: Disk, notify: Callable[[Progress], None]) -> None:
        self._disk = disk
        self._database = disk.database
        self._writer = Writer(disk.database)
        self._path = MEMORY
        self._notify = notify
        self._tickets = 0
        self._pending: list[Batch] = []
        self._writing = False
        self._dead = False
        self._loop = asyncio.get_running_loop()

    def submit(self, rows: Sequence[Row]) -> int:
        self._tickets += 1
        self._pending.append((self._tickets, rows))
        self._write_soon()
        return self._tickets

    def close(self) -> None:
        self.die()

    def die(self) -> None:
        """Nothing more is written, nobody is told of what was."""
        self._dead = True

    def _write_soon(self) -> None:
        if self._pending and not self._writing:
            self._writing = True
            self._loop.call_later(self._disk.rng.uniform(0.0005, self._disk.busy), self._write)

    def _write(self) -> None:
        if self._dead:
            return
        if self._disk.full:
            self._tell(Progress(self._pending[0][0] - 1, "database or disk is full", 0.0))
            self._loop.call_later(RETRY_SECONDS, self._write)
            return
        batches, self._pending = self._pending, []
        self._writer.commit(batches)
        self._writing = False
        # A crash may come between the commit and the news of it.
        self._loop.call_later(self._disk.rng.uniform(0, 0.002), self._tell, Progress(batches[-1][0], None, 0.001))
        self._write_soon()

    def _tell(self, progress: Progress) -> None:
        if not self._dead:
            self._notify(progress)
