"""What a server that stops refuses: between `closing` and the end of the connections nothing new begins. Pure."""

from __future__ import annotations

from protocol.errors import ErrorCode, ProtocolError
from protocol.messages import (
    Answer,
    ClientMessage,
    Closing,
    Create,
    Enter,
    Hello,
    HostLeague,
    Join,
    Offer,
    Pause,
    Resume,
)

_BEGINS = (Hello, Create, Join, HostLeague, Enter, Pause, Resume)
"""A session, a match, its clock, a league, a place in one. A suspended match goes on by itself, paused or not."""


def refusal(message: ClientMessage, closing: Closing) -> ProtocolError | None:
    """Why `message` is refused while the server stops; None if it begins nothing, and is answered as ever.

    It says what `closing` said: when the server expects to be back, if it comes back.
    """
    is_rematch = isinstance(message, Offer | Answer) and message.what == "rematch"
    if not isinstance(message, _BEGINS) and not is_rematch:
        return None
    text, wait = "the server stops: nothing new begins", closing.retry_after_ms
    return ProtocolError(ErrorCode.SHUTTING_DOWN, text, retry_after_ms=wait)
