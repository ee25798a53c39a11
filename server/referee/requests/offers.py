"""What players offer each other: a draw, a takeback, a rematch. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from protocol.errors import ErrorCode, ProtocolError
from protocol.messages import Answer, MatchEvent, Offer
from server.referee.hub import Hub
from server.referee.requests.arranging import Arranging
from server.referee.sessions import Session
from server.referee.table import Table


class Offers:
    """Answers who offers something on `hub`, or is offered it; `arranging` makes the match of a rematch."""

    def __init__(self, hub: Hub, arranging: Arranging) -> None:
        self._hub = hub
        self._arranging = arranging

    def offer(self, session: Session, offer: Offer, now: float) -> None:
        """A player offers something, or accepts by offering the same."""
        if offer.what == "takeback":
            self._hub.switches.check_takeback(session)
            self._hub.check_disk(session)
        table, seat = self._hub.seat(session, offer.match, now)
        self._check_rematch(table, offer.what, now)
        accepts = table.match.offers.get(offer.what) is seat.other
        events = table.match.offer(seat, offer.what, now)
        is_rematch = accepts and offer.what == "rematch"
        following = self._arranging.table_for_rematch(table, now) if is_rematch else None
        self._hub.out.ok(session, offer.id)
        self._offered(table, events, following, accepted=accepts, now=now)

    def answer(self, session: Session, answer: Answer, now: float) -> None:
        """A player accepts or declines."""
        table, seat = self._hub.seat(session, answer.match, now)
        if answer.accept:
            self._check_rematch(table, answer.what, now)
        events = table.match.answer(seat, answer.what, accept=answer.accept, now=now)
        is_rematch = answer.accept and answer.what == "rematch"
        following = self._arranging.table_for_rematch(table, now) if is_rematch else None
        self._hub.out.ok(session, answer.id)
        self._offered(table, events, following, accepted=answer.accept, now=now)

    def _check_rematch(self, table: Table, what: str, now: float) -> None:
        if what != "rematch" or table.is_open():
            return
        if len(table.sessions) < 2 or any(s.connection is None for s in table.sessions.values()):
            raise ProtocolError(ErrorCode.NO_SUCH_PLAYER, "your opponent has left")
        self._arranging.check_house(table, now)

    def _offered(
        self, table: Table, events: Sequence[MatchEvent], following: Table | None, *, accepted: bool, now: float
    ) -> None:
        """Tells what became of an offer; following: the table of the rematch that was agreed on."""
        if following is not None:
            self._arranging.rematch(table, following, now)
        elif accepted:
            self._hub.publish(table, events, now)
        else:
            self._hub.out.publish(table.audience(), events)
