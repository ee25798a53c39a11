"""How many games the bots of the house play at once: in all, with one visitor, and with one address. Pure.

Bots cost the server's own machine. A visitor who wants more games than a person plays gets no more; and whatever one
address takes, some are left for others.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import TypeVar

from protocol.errors import ErrorCode, ProtocolError
from server.referee.sessions import Session
from server.referee.settings import HouseShares
from server.referee.table import Table

RETRY_MS = 10_000

T = TypeVar("T")


class House:
    """The games with bots of the house that are not over, by the session that asked for them."""

    def __init__(self, shares: HouseShares) -> None:
        self.shares = shares
        self._askers: dict[str, tuple[str, str | None]] = {}
        self._sessions: Counter[str] = Counter()
        self._addresses: Counter[str | None] = Counter()

    def check(self, session: Session, address: str | None, players: Iterable[Session]) -> None:
        """Raises ProtocolError(house_busy) if one of `players` is of the house, and `session` may have no more of it.

        address: that `session` is counted under; None has no share of its own.
        """
        if not any(player.is_house() for player in players):
            return
        if self._sessions[session.id] >= self.shares.of_visitor:
            raise _busy("you play with as many bots of the house as one may: end a game first")
        if len(self._askers) >= self.shares.games:
            raise _busy("the bots of the house are all busy: try again in a moment")
        if address is not None and self._addresses[address] >= self.shares.of_address:
            raise _busy("the bots of the house are busy with others at your address: try again in a moment")

    def opened(self, match_id: str, session: Session, address: str | None, players: Iterable[Session]) -> None:
        """Counts a new match that `session` asked for, if one of `players` is of the house."""
        if any(player.is_house() for player in players):
            self._askers[match_id] = session.id, address
            self._sessions[session.id] += 1
            self._addresses[address] += 1

    def restored(self, table: Table) -> None:
        """A match goes on after a restart: it counts for the one of its players who is not of the house."""
        players = tuple(table.sessions.values())
        for visitor in [player for player in players if not player.is_house()][:1]:
            self.opened(table.match.id, visitor, None, players)

    def closed(self, match_id: str) -> None:
        """A match is over."""
        asker = self._askers.pop(match_id, None)
        if asker is None:
            return
        session, address = asker
        _less(self._sessions, session)
        _less(self._addresses, address)


def _less(counts: Counter[T], key: T) -> None:
    counts[key] -= 1
    if not counts[key]:
        del counts[key]


def _busy(text: str) -> ProtocolError:
    return ProtocolError(ErrorCode.HOUSE_BUSY, text, retry_after_ms=RETRY_MS)
