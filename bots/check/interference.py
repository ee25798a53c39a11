"""What the relay does to the frames between a bot and its server. Pure.

An interference sees each frame before it is passed on and answers with steps: deliver this text, or cut the connection.
What it does to a bot may happen on any network, or with a newer server: the protocol says what a bot must bear.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol

from protocol.errors import ErrorCode

Sender = Literal["bot", "server"]

Message = Mapping[str, Any]
"""One message as JSON, from either side; it may be invalid."""

HARMLESS = frozenset(
    code.value
    for code in (
        ErrorCode.NAME_TAKEN,
        ErrorCode.RATE_LIMITED,
        ErrorCode.STALE_PLY,
        ErrorCode.GAME_OVER,
        ErrorCode.NO_SUCH_MATCH,
        ErrorCode.SEAT_TAKEN,
        ErrorCode.NOTHING_OFFERED,
        ErrorCode.TOO_LATE,
    )
)
"""Refusals that a bot may get without a fault, most of them because its message crossed one from the server."""

CUTS = 3
"""How often `CutThrice` cuts."""

_UNREPEATED = frozenset({"welcome", "closing"})
_OF_A_TURN = frozenset({"your_turn", "moved"})


@dataclass(frozen=True, slots=True)
class Frame:
    """One frame as it came, and the messages in it; none if it can't be read."""

    text: str
    messages: tuple[Message, ...]

    @classmethod
    def of(cls, text: str) -> "Frame":
        """Reads a frame."""
        try:
            read = json.loads(text)
        except (ValueError, RecursionError):
            return cls(text, ())
        several = read if isinstance(read, list) else [read]
        return cls(text, tuple(message for message in several if isinstance(message, dict)))


@dataclass(frozen=True, slots=True)
class RelayEntry:
    """What the bot sent ("bot") or was sent ("server"), or that its connection was cut; `at` in seconds, monotonic."""

    at: float
    what: Literal["bot", "server", "cut"]
    frame: Frame = Frame("", ())


@dataclass(frozen=True, slots=True)
class Deliver:
    """The text goes to the other side."""

    text: str


@dataclass(frozen=True, slots=True)
class Cut:
    """Both connections end at once, without a word."""


Step = Deliver | Cut


class Interference(Protocol):
    """What is done to the frames of one check."""

    def pass_on(self, sender: Sender, frame: Frame) -> Sequence[Step]:
        """What becomes of `frame`, in order."""
        ...


class Faithful:
    """Passes everything on."""

    def pass_on(self, sender: Sender, frame: Frame) -> Sequence[Step]:
        """The frame itself."""
        del sender
        return (Deliver(frame.text),)


class CutThrice:
    """Cuts at three different moments, each at another ply: while the bot thinks, before its move has reached the
    server, and before the answer has reached the bot. `cuts` counts them.
    """

    def __init__(self) -> None:
        self.cuts = 0
        self._ply = -1
        self._moves: set[object] = set()

    def pass_on(self, sender: Sender, frame: Frame) -> Sequence[Step]:
        """The frame, the frame and a cut, or a cut alone."""
        match self.cuts, sender:
            case 0, "server" if self._has_new_ply(frame, "your_turn"):
                self.cuts = 1
                return Deliver(frame.text), Cut()
            case 1, "bot" if self._has_new_ply(frame, "move"):
                self.cuts = 2
                return (Cut(),)
            case 2, "bot" if self._has_new_ply(frame, "move"):
                self._moves = {message.get("id") for message in frame.messages if message.get("type") == "move"}
            case 2, "server" if self._moves & {message.get("id") for message in frame.messages}:
                self.cuts = 3
                return (Cut(),)
            case _:
                pass
        return (Deliver(frame.text),)

    def _has_new_ply(self, frame: Frame, kind: str) -> bool:
        """Whether the frame has such a message for another ply than the last cut; that ply is then taken."""
        for message in frame.messages:
            ply = message.get("ply")
            if message.get("type") == kind and isinstance(ply, int) and ply > self._ply:
                self._ply = ply
                return True
        return False


class Twice:
    """The bot gets every message twice, except those that a server sends only once."""

    def pass_on(self, sender: Sender, frame: Frame) -> Sequence[Step]:
        """The frame, and the frame again."""
        if sender == "bot" or any(message.get("type") in _UNREPEATED for message in frame.messages):
            return (Deliver(frame.text),)
        return Deliver(frame.text), Deliver(frame.text)


class Stale:
    """After each new turn the bot gets the previous turn again: for that position any answer is too late."""

    def __init__(self) -> None:
        self._before: list[Message] = []

    def pass_on(self, sender: Sender, frame: Frame) -> Sequence[Step]:
        """The frame, then what belonged to the turn before it."""
        turn = [message for message in frame.messages if message.get("type") in _OF_A_TURN]
        if sender == "bot" or not any(message["type"] == "your_turn" for message in turn):
            return (Deliver(frame.text),)
        before, self._before = self._before, turn
        return Deliver(frame.text), *(Deliver(json.dumps(message)) for message in before)


class Newer:
    """The server seems to be a newer version: each message has a field that the bot can't know."""

    def pass_on(self, sender: Sender, frame: Frame) -> Sequence[Step]:
        """The frame with more in it."""
        if sender == "bot" or not frame.messages:
            return (Deliver(frame.text),)
        more = [{**message, "of_a_later_version": {"weather": ["fair", 21.5, None]}} for message in frame.messages]
        return (Deliver(json.dumps(more if frame.text.lstrip().startswith("[") else more[0])),)
