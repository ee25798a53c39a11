"""A match as it was a while ago: what spectators of people's matches have been told so far. Pure."""

from __future__ import annotations

from collections import deque

from protocol.messages import MatchEvent
from server.match.fold import MatchState
from server.match.match import Match
from server.match.terms import MatchContext


class Late:
    """The state that follows `match`, event by event, when it is told.

    holds: whether events have to wait, since a person has a seat; before that this state keeps up with the match.
    waiting: what is to be told, in order; None where the server was away. overrun: too much waited, so that all is
    told when the match is over.
    """

    __slots__ = ("_journal", "delay_ms", "holds", "match", "overrun", "waiting")

    def __init__(self, match: Match, context: MatchContext, delay_ms: int, now: float) -> None:
        self._journal: list[MatchEvent] = []
        own = MatchContext(context.timeouts, self._journal, context.stalls)
        self.match = MatchState(match.id, match.rules, own, now)
        self.delay_ms = delay_ms
        self.holds = False
        self.overrun = False
        self.waiting: deque[MatchEvent | None] = deque()

    def tell(self, event: MatchEvent, now: float) -> None:
        """Applies an event that the match has recorded."""
        self.match.apply(event, now)
        self._journal.clear()
