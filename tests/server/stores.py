"""What stands in for the store of a server: one that has nothing from before, and keeps nothing."""

from __future__ import annotations

from collections.abc import Sequence

from server.referee.reviews import KeptReview
from server.referee.stored import StoredLeague, StoredMatch, StoredSession
from server.store.writing import Row


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
