"""Matches that are over and still held, for rematches and for those who come back late. Pure."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator

from server.referee.table import Table

SMALLEST_SHARE = 64
"""Below one in so many of all that are held nobody counts as having much: then the oldest of all gives way."""


class Past:
    """Matches that are over, the oldest first; of each, the address at which it was counted, if there is one.

    If there are too many, whoever has most gives way, if that is more than the smallest share, else the oldest of all:
    so a handful of addresses pushes out its own matches, and a crowd of visitors nobody's but the oldest.
    """

    def __init__(self) -> None:
        self._origins: OrderedDict[Table, str | None] = OrderedDict()
        self._of: dict[str | None, OrderedDict[Table, None]] = {}
        self._by_count: dict[int, dict[str | None, None]] = {}  # the addresses that have so many
        self._most = 0  # that one of them has

    def __len__(self) -> int:
        return len(self._origins)

    def add(self, table: Table, origin: str | None, most: int) -> Iterator[Table]:
        """Holds a match; yields those that are no longer held, since there are more than `most`."""
        self._origins[table] = origin
        own = self._of.setdefault(origin, OrderedDict())
        own[table] = None
        self._moved(origin, len(own) - 1, len(own))
        while len(self._origins) > most:
            oldest = self._to_go(origin, most)
            self._remove(oldest)
            yield oldest

    def _to_go(self, origin: str | None, most: int) -> Table:
        if self._most <= max(1, most // SMALLEST_SHARE):
            return next(iter(self._origins))
        heaviest = self._by_count[self._most]
        return next(iter(self._of[origin if origin in heaviest else next(reversed(heaviest))]))

    def _remove(self, table: Table) -> None:
        origin = self._origins.pop(table)
        own = self._of[origin]
        del own[table]
        if not own:
            del self._of[origin]
        self._moved(origin, len(own) + 1, len(own))

    def _moved(self, origin: str | None, before: int, now: int) -> None:
        """An address has one match more or less."""
        if before:
            del self._by_count[before][origin]
            if not self._by_count[before]:
                del self._by_count[before]
        if now:
            self._by_count.setdefault(now, {})[origin] = None
        if now > self._most or self._most not in self._by_count:
            self._most = now
