"""What stands in for the store of a server: stores that have nothing from before, and keep nothing."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence

from server.referee.reviews import KeptReview
from server.referee.stored import StoredLeague, StoredMatch, StoredSession
from server.store.store import Progress
from server.store.writing import Row
from tests.server.hall import Hall


class EmptyStore:
    """A store without records of an earlier server; it counts what it is given, and says nothing of its progress."""

    def __init__(self) -> None:
        self.tickets = 0

    def sessions(self) -> Sequence[StoredSession]:
        return ()

    def open_matches(self) -> Sequence[StoredMatch]:
        return ()

    def last_matches(self, count: int) -> Sequence[StoredMatch]:
        return ()

    def leagues(self) -> Sequence[StoredLeague]:
        return ()

    def reviews(self) -> Sequence[KeptReview]:
        return ()

    def submit(self, rows: Sequence[Row]) -> int:
        self.tickets += 1
        return self.tickets

    def damaged(self, detail: str) -> Exception:
        return AssertionError(detail)

    def close(self) -> None:
        """Nothing is open."""


class HeldStore(EmptyStore):
    """A store that has written what it was given once it is told to."""

    def __init__(self, tell: Callable[[Progress], None]) -> None:
        super().__init__()
        self._tell = tell

    def commit(self) -> None:
        self._tell(Progress(self.tickets, None, 0.0))


class SlowStore(EmptyStore):
    """A store whose disk the test fills and empties; without trouble a commit takes `seconds`."""

    def __init__(self, notify: Callable[[Progress], None]) -> None:
        super().__init__()
        self.notify = notify
        self.full = False
        self.seconds = 0.002
        self.committed = 0

    def submit(self, rows: Sequence[Row]) -> int:
        asyncio.get_running_loop().call_later(self.seconds, self.write)
        return super().submit(rows)

    def write(self) -> None:
        if self.full:
            self.notify(Progress(self.committed, "database or disk is full", 0.0))
        else:
            self.committed = self.tickets
            self.notify(Progress(self.committed, None, 0.001))


def hall_with_slow_store() -> tuple[Hall, SlowStore]:
    hall = Hall(SlowStore)
    store = hall.app.store
    assert isinstance(store, SlowStore)
    return hall, store
