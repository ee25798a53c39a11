"""What organisers forbid to all others on a server, as a teacher does in a class. Pure."""

from __future__ import annotations

from msgspec.structs import replace

from protocol.errors import ErrorCode, ProtocolError
from protocol.messages import Switch, Switched
from server.referee.sessions import Session


class Switches:
    """What is allowed now."""

    __slots__ = ("allowed",)

    def __init__(self) -> None:
        self.allowed = Switched()

    def turn(self, request: Switch) -> bool:
        """Takes over what a request says; returns whether that changes anything."""
        said = {"chat": request.chat, "takebacks": request.takebacks, "values": request.values}
        before = self.allowed
        self.allowed = replace(before, **{name: value for name, value in said.items() if value is not None})
        return self.allowed != before

    def is_usual(self) -> bool:
        """Whether nothing is forbidden."""
        return self.allowed == Switched()

    def check_chat(self, session: Session) -> None:
        """Raises ProtocolError(switched_off) if `session` may not talk."""
        _check(session, self.allowed.chat, "there is no talk on this server now")

    def check_takeback(self, session: Session) -> None:
        """Raises ProtocolError(switched_off) if `session` may not ask for a takeback."""
        _check(session, self.allowed.takebacks, "no move is taken back on this server now")

    def check_values(self, session: Session) -> None:
        """Raises ProtocolError(switched_off) if `session` may not ask what positions are worth."""
        _check(session, self.allowed.values, "nobody is told on this server now what positions are worth")


def _check(session: Session, allowed: bool, text: str) -> None:
    if not (allowed or session.directs):
        raise ProtocolError(ErrorCode.SWITCHED_OFF, text)
