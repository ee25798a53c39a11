"""The events of one match: numbered from 1 without a gap, the last ones held for those who reconnect."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from itertools import islice
from typing import Final

from protocol.codec import encode
from protocol.messages import MatchEvent, Said
from protocol.records import Link, extend_encoded

HELD: Final = 128
"""Events kept in memory for a match: whole games, mostly. Who has missed more gets a snapshot.

Talk, offers, coming and going are events, too, and players may make as many of them as they like.
"""


HELD_TALK: Final = 4_000
"""Characters of talk kept in memory for a match: its HELD events may all be lines, each larger than ten moves."""


class History:
    """An append-only sequence of events; `seq` is the number of the last one. New ones also go to `journal`."""

    __slots__ = ("_events", "_journal", "_link", "_linked", "_talk", "seq")

    def __init__(self, journal: list[MatchEvent], link: Link) -> None:
        self._journal = journal
        self._link, self._linked = link, 0  # the chain, and the number of the last event in it
        self._events: deque[MatchEvent] = deque()
        self._talk = 0
        self.seq = 0

    def append(self, event: MatchEvent) -> None:
        """Takes the next event."""
        assert event.seq == self.seq + 1, "events are numbered without a gap"
        if len(self._events) == HELD:
            self._let_go()
        if type(event) is Said:
            self._talk += len(event.text)
            while self._talk > HELD_TALK and self._events:
                self._let_go()
        self._events.append(event)
        self._journal.append(event)
        self.seq += 1

    def _let_go(self) -> None:
        """The oldest event is held no longer."""
        oldest = self._events.popleft()
        if oldest.seq > self._linked:
            self.link(oldest)
        if type(oldest) is Said:
            self._talk -= len(oldest.text)

    def chain(self) -> str:
        """The hash over all events so far, in hexadecimal: `protocol.records.chain`."""
        for event in self._events:
            if event.seq > self._linked:
                self.link(event)
        return self._link.hex()

    def link(self, event: MatchEvent) -> bytes:
        """The message of an event that is recorded now; the chain goes on with it, so nobody has to write it again."""
        encoded = encode(event)
        if event.seq == self._linked + 1:
            self._link, self._linked = extend_encoded(self._link, encoded), event.seq
        return encoded

    def since(self, seq: int) -> Sequence[MatchEvent] | None:
        """The events after number `seq`, or None when they are no longer held (or `seq` was never reached)."""
        missing = self.seq - seq
        if missing < 0 or missing > len(self._events):
            return None
        return list(islice(self._events, len(self._events) - missing, None))
