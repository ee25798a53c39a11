"""Notices players who are cut off while their time runs, and stops their clocks. Pure.

It watches only players to move, and only in matches whose clock stands in an outage. Each is asked for a sign of life
twice a second. A player who gives none for a second plus the round trip counts as away since the last one. So nobody
loses more time than that when a cable is pulled, or gains more by pulling it.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from server.referee.sessions import Session
from server.referee.table import Table

if TYPE_CHECKING:
    from server.referee.hub import Hub

BEAT_S = 0.5
"""How often a player to move is asked for a sign of life."""

SILENT_S = 1.0
"""A player who gives no sign of life for this long, plus the round trip, counts as cut off."""

MOST_LAG_S = 1.0
"""The most that is added for the round trip, so that late answers on purpose gain no more than this."""


class Liveness:
    """The watched connections of `hub`, and since when the silent ones have been silent."""

    def __init__(self, hub: Hub) -> None:
        self._hub = hub
        self._signs: dict[int, float] = {}
        self._silent: dict[int, float] = {}
        self._turns: dict[str, int] = {}
        self._next = math.inf

    def __contains__(self, connection: int) -> bool:
        """Whether a connection is looked after."""
        return connection in self._signs

    def watch(self, table: Table, connection: int, now: float) -> bool:
        """The time of the player to move begins to run; returns whether `deadline` is earlier now.

        For a connection that was not watched before, silence counts from `now` only.
        """
        self._turns[table.match.id] = connection
        if connection not in self._signs:
            self._signs[connection] = now
        earlier = now + BEAT_S < self._next
        if earlier:
            self._next = now + BEAT_S
        return earlier

    def last_sign(self, connection: int, now: float) -> float:
        """When a connection gave its last sign of life; `now` if nobody can tell."""
        return max(self._hub.measured.sign_of_life(connection, now), self._signs.get(connection, -math.inf))

    def leave(self, connection: int) -> None:
        """The connection is gone, or another has taken its place."""
        self._signs.pop(connection, None)
        self._silent.pop(connection, None)

    def deadline(self) -> float:
        """When `beat` wants to be called; infinite if never."""
        return self._next

    def beat(self, now: float) -> None:
        """Checks all players whose time runs, and those who are silent."""
        if now < self._next:
            return
        thinking = self._thinking()
        for connection in tuple(self._signs):
            sign = max(min(now, self._hub.measured.sign_of_life(connection, now)), self._signs[connection])
            if connection in self._silent:
                if sign > self._silent[connection]:
                    self._is_back(connection, now)
            elif connection not in thinking:
                del self._signs[connection]
                continue
            elif now - sign > self._patience_s(connection):
                self._is_silent(connection, sign, now)
            if connection in self._signs:
                self._signs[connection] = sign
                self._hub.out.probe(connection)
        self._next = now + BEAT_S if self._signs else math.inf

    def heard(self, connection: int, now: float) -> None:
        """A message or a newer connection has come: a silent player is back, even if nobody had noticed yet."""
        sign = self._signs.get(connection)
        if sign is None:
            return
        if connection not in self._silent and now - sign > BEAT_S + self._patience_s(connection):
            self._is_silent(connection, sign, now)
        if connection in self._silent:
            self._is_back(connection, now)
        self._signs[connection] = now

    def _thinking(self) -> set[int]:
        """The connections of players to move; forgets the turns that are over."""
        thinking: set[int] = set()
        for match_id, connection in tuple(self._turns.items()):
            table = self._hub.lobby.get(match_id)
            mover = None if table is None or not table.is_playing() else table.sessions.get(table.match.to_move)
            if mover is None or mover.connection != connection:
                del self._turns[match_id]
            else:
                thinking.add(connection)
        return thinking

    def _patience_s(self, connection: int) -> float:
        return SILENT_S + min(MOST_LAG_S, self._hub.measured.lag_ms(connection) / 1000)

    def _is_silent(self, connection: int, since: float, now: float) -> None:
        self._silent[connection] = since
        for table, session in self._tables(connection):
            self._tell(table, session, present=False, now=now, since=since)

    def _is_back(self, connection: int, now: float) -> None:
        del self._silent[connection]
        for table, session in self._tables(connection):
            self._tell(table, session, present=True, now=now, since=None)
            if table.is_playing() and table.seat_of(session) is table.match.to_move:
                self._hub.out.your_turn(table, now)

    def _tell(self, table: Table, session: Session, *, present: bool, now: float, since: float | None) -> None:
        seat = table.seat_of(session)
        assert seat is not None
        events = table.match.presence(seat, present=present, now=now, since=since)
        self._hub.out.publish(table.audience(), events)
        self._hub.schedule(table)

    def _tables(self, connection: int) -> list[tuple[Table, Session]]:
        """The open matches of a connection in which clocks stand during an outage, with its session."""
        session = self._hub.sessions.at(connection)
        if session is None:
            return []
        tables = map(self._hub.lobby.find, tuple(session.playing))
        return [(table, session) for table in tables if table.is_open() and table.match.outage.pauses]
