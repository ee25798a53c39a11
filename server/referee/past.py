"""Matches that are over and still held, for rematches and for those who come back late. Pure."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator

from server.referee.table import Table

SHARE = 4
"""An address that has more than one in so many of all that are held pushes out its own matches, not those of others."""


class Past:
    """Matches that are over, the oldest first; of each, the address at which it was counted, if there is one."""

    def __init__(self) -> None:
        self._origins: OrderedDict[Table, str | None] = OrderedDict()
        self._of: dict[str, OrderedDict[Table, None]] = {}

    def __len__(self) -> int:
        return len(self._origins)

    def add(self, table: Table, origin: str | None, most: int) -> Iterator[Table]:
        """Holds a match; yields those that are no longer held, since there are more than `most`."""
        self._origins[table] = origin
        if origin is not None:
            self._of.setdefault(origin, OrderedDict())[table] = None
        while len(self._origins) > most:
            own = self._of.get(origin or "", ())
            oldest = next(iter(own if len(own) > most // SHARE else self._origins))
            self._remove(oldest)
            yield oldest

    def _remove(self, table: Table) -> None:
        origin = self._origins.pop(table)
        if origin is not None:
            own = self._of[origin]
            del own[table]
            if not own:
                del self._of[origin]
