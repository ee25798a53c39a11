"""A store, and what it told its owner."""

from __future__ import annotations

import queue
import sqlite3
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from protocol.messages import Clock, Moved
from server.referee.effects import (
    EventHappened,
    MatchOpened,
    Record,
)
from server.store.database import Durability
from server.store.store import Progress, Store, row_of

SOON = 30.0
"""Seconds after which a test gives up on something that takes milliseconds."""

OPENED = MatchOpened("m1", "othello", Clock(60_000, 1000), True, None)


class Box:
    """A store, and what it told its owner."""

    def __init__(self, path: str, durability: Durability = "process") -> None:
        self.told: queue.Queue[Progress] = queue.Queue()
        self.store = Store(path, durability, self.told.put)

    @property
    def database(self) -> sqlite3.Connection:
        """The connection of the writer."""
        return self.store._database

    def pragma(self, text: str) -> object:
        """What a pragma says, or does, on the writer's connection."""
        row = self.database.execute(f"PRAGMA {text}").fetchone()
        return row and row[0]

    def keep(self, *records: Record, wall_ms: int = 0) -> int:
        """Hands records over."""
        return self.store.submit([row_of(record, wall_ms) for record in records])

    def until(self, ticket: int) -> list[Progress]:
        """Waits until a ticket is on disk; returns all that was told meanwhile."""
        told: list[Progress] = []
        while not told or told[-1].ticket < ticket:
            told.append(self.told.get(timeout=SOON))
        return told

    def trouble(self) -> Progress:
        """Waits for trouble."""
        while (progress := self.told.get(timeout=SOON)).trouble is None:
            pass
        return progress


@contextmanager
def opened(path: Path | str, durability: Durability = "process") -> Generator[Box, None, None]:
    box = Box(str(path), durability)
    try:
        yield box
    finally:
        box.store.close()


def moved(seq: int, match: str = "m1", move: str = "d3") -> EventHappened:
    return EventHappened(Moved(match, seq, 0, 1, move, 2, (60_000, 60_000)))
