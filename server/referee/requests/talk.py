"""What is said around a table: between players, among spectators, and by bots about what they see. Pure."""

from __future__ import annotations

from protocol.errors import ErrorCode, ProtocolError
from protocol.messages import Chat, Murmur, Thinking
from server.names.text import chat_text
from server.referee.hub import Hub
from server.referee.sessions import Session

MAX_THOUGHTS = 100
"""Messages of a bot about one move that go on to spectators."""


class Talk:
    """Passes on what is said on `hub`."""

    def __init__(self, hub: Hub) -> None:
        self._hub = hub

    def chat(self, session: Session, chat: Chat, now: float) -> None:
        """Somebody says something."""
        self._hub.switches.check_chat(session)
        self._hub.check_disk(session)
        table = self._hub.lobby.find_for(session, chat.match)
        self._hub.settle(table, now)
        out, seat, text = self._hub.out, table.seat_of(session), chat_text(chat.text)
        if seat is None and session not in table.viewers:
            raise ProtocolError(ErrorCode.NOT_ALLOWED, "watch this match first")
        out.ok(session, chat.id)
        if seat is None:
            readers = table.spectators() if table.is_open() else table.everybody()
            out.send_all(readers, Murmur(table.match.id, session.name, text))
        else:
            out.publish(table.audience(), table.match.say(seat, text, now))

    def thinking(self, session: Session, thinking: Thinking, now: float) -> None:
        """A bot says what it sees, at most MAX_THOUGHTS times for each move.

        If a person plays, nobody is told: that person could watch the match under another name.
        """
        table, seat = self._hub.seat(session, thinking.match, now)
        if table.think(table.match.ply, seat) > MAX_THOUGHTS:
            raise ProtocolError(ErrorCode.RATE_LIMITED, "enough was thought about this move: play it")
        self._hub.out.ok(session, thinking.id, prompt=False)
        spectators = table.spectators()
        if spectators and table.is_playing() and not table.has_person() and self._hub.switches.allowed.values:
            self._hub.out.thought(spectators, thinking, seat)
