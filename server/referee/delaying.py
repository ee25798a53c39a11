"""Spectators see the matches of people late, so that nobody at a board hears from them what is going on. Pure.

Whatever happens at such a table is told twice: at once to those who may know it (`Table.audience`), and after the delay
to all others, with the state that they see (`server.match.late`). One heap holds the due times of all tables. What
waits is bounded, and is dropped when the server forgets the table.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Callable, Iterable

from protocol.messages import Finished, MatchEvent, Moved, Seated, Started, TookBack
from server.match.late import Late
from server.match.terms import MatchContext
from server.referee.outgoing import Outgoing
from server.referee.stored import StoredMatch
from server.referee.table import Table

TOLD_AT_ONCE = 256
"""Delayed events that are told in one turn of the loop, so that players don't wait for a long backlog."""

MOST_OF_MATCH, MOST_WAITING = 1_000, 200_000
"""Events that may wait, of one match and of all: no people play so fast, but programs that say they are people do."""

Find = Callable[[str], Table | None]
"""Finds the table of a match, if it is held."""


class Delaying:
    """What spectators are not told yet; nothing ever waits if `delay_ms` is 0."""

    def __init__(self, delay_ms: int, context: MatchContext, find: Find) -> None:
        self._delay_ms = delay_ms
        self._context = context
        self._find = find
        self._due: list[tuple[float, int, str]] = []
        self._count = 0

    def enter(self, table: Table, now: float) -> None:
        """A match is new."""
        if self._delay_ms:
            table.late = Late(table.match, self._context, self._delay_ms, now)

    def restore(self, table: Table, kept: StoredMatch, now: float, wall_ms: int) -> None:
        """A match is back: what was recorded less than the delay ago still waits.

        A system clock that was changed meanwhile makes nobody wait longer than the delay.
        """
        self.enter(table, now)
        late = table.late
        if late is None:
            return
        late.holds = any(isinstance(event, Seated) and event.player.kind == "human" for event in kept.events)
        if not late.holds and table.has_begun():
            table.late = None
            return
        due = -math.inf
        for event, recorded_ms in zip(kept.events, kept.wall_ms, strict=True):
            wait_ms = min(self._delay_ms, recorded_ms + self._delay_ms - wall_ms) if late.holds else 0
            due = max(due, now + wait_ms / 1000)
            if due > now:
                self._push(due, late, event)
            else:
                late.tell(event, now)
        self._push(max(due, now), late, None)

    def happened(self, events: Iterable[MatchEvent], now: float) -> None:
        """Notes events that were recorded and told to those who may know them."""
        if not self._delay_ms:
            return
        for event in events:
            table = self._find(event.match)
            late = None if table is None else table.late
            if table is None or late is None:
                continue
            if late.holds:
                self._keep(late, event, now + self._delay_ms / 1000)
                continue
            late.tell(event, now)
            if isinstance(event, Started):
                table.late = None  # bots play

    def _keep(self, late: Late, event: MatchEvent, due: float) -> None:
        """Queues an event; if too many wait, only the end of this match is still queued."""
        late.overrun = late.overrun or len(late.waiting) >= MOST_OF_MATCH or len(self._due) >= MOST_WAITING
        if not late.overrun or isinstance(event, Finished):
            self._push(due, late, event)

    def deadline(self) -> float:
        """When `release` has something to tell."""
        return self._due[0][0] if self._due else math.inf

    def release(self, now: float, out: Outgoing, changed: Callable[[Table], None]) -> None:
        """Tells what is due, at most TOLD_AT_ONCE events; if more are due, `deadline` is already past.

        changed: called with a table whose status has changed for its spectators.
        """
        drawn: dict[Table, None] = {}
        for _ in range(TOLD_AT_ONCE):
            if now < self.deadline():
                break
            due, _number, match_id = heapq.heappop(self._due)
            table = self._find(match_id)
            late = None if table is None else table.late
            if table is None or late is None or not late.waiting:
                continue
            event, before = late.waiting.popleft(), late.match.status
            if event is None:
                late.match.interrupt()
            elif late.overrun and isinstance(event, Finished):
                _tell_all(table, out, now)
                changed(table)
            else:
                late.tell(event, due)
                out.publish(table.delayed_connections(), (event,))
                if isinstance(event, Moved | TookBack):
                    drawn[table] = None
                if late.match.status is not before:
                    changed(table)
        for table in drawn:
            if table.late is not None and (onlookers := table.delayed_connections(boards=True)):
                out.board(table.late.match, onlookers)

    def _push(self, due: float, late: Late, event: MatchEvent | None) -> None:
        self._count += 1
        late.waiting.append(event)
        heapq.heappush(self._due, (due, self._count, late.match.id))


def _tell_all(table: Table, out: Outgoing, now: float) -> None:
    """Shows a match that is over as it is, to those who were not told everything."""
    late = [session for session in table.viewers if table.is_delayed_for(session)]
    table.late = None
    table.changed()
    for session in late:
        out.snapshot(table, session, now)
