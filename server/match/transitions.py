"""What may be asked of a match in each of its states, and which state each event leads to: two tables. Pure.

    WAITING --started--> PLAYING --finished--> FINISHED      PLAYING --paused--> PAUSED --resumed--> PLAYING
    WAITING --finished--> FINISHED                           PAUSED --finished--> FINISHED

These tables are all that decides by the state alone. What depends on more (whose turn it is, what is offered, how long
somebody is away) is decided in `server.match.match`. That asks REQUESTS; EVENTS is followed by `server.match.fold`, for
live matches and restored ones.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal

from protocol.errors import ErrorCode, ProtocolError
from protocol.messages import (
    Declined,
    Finished,
    GaveTime,
    MatchEvent,
    Moved,
    Offered,
    Passed,
    Paused,
    Presence,
    Rematched,
    Resumed,
    Said,
    Seated,
    Started,
    TookBack,
)
from server.match.terms import Status

Request = Literal[
    "sit",
    "move",
    "resign",
    "offer a draw",
    "offer a takeback",
    "offer a rematch",
    "answer",
    "give time",
    "abort",
    "claim",
    "say",
    "presence",
    "pause",
    "resume",
    "adjudicate",
    "terminate",
    "suspend",
]
"""What can be asked of a match, by players, organisers or the server."""

Verdict = ErrorCode | bool
"""True: it may be done. False: there is nothing to do, and that is no mistake. A code: it is refused."""

Row = tuple[Verdict, Verdict, Verdict, Verdict]

_EARLY: Final = ErrorCode.NOT_STARTED
_OVER: Final = ErrorCode.GAME_OVER
_PAUSE: Final = ErrorCode.PAUSED
_TAKEN: Final = ErrorCode.SEAT_TAKEN
_NOT_YET: Final = ErrorCode.NOT_OVER
_NONE: Final = ErrorCode.NOTHING_OFFERED

_BY_REQUEST: Final[Mapping[Request, Row]] = {
    #                    WAITING   PLAYING   PAUSED    FINISHED
    "sit":              (True,     _TAKEN,   _TAKEN,   _TAKEN),
    "move":             (_EARLY,   True,     _PAUSE,   _OVER),
    "resign":           (_EARLY,   True,     _PAUSE,   _OVER),
    "offer a draw":     (_EARLY,   True,     _PAUSE,   _OVER),
    "offer a takeback": (_EARLY,   True,     _PAUSE,   _OVER),
    "offer a rematch":  (_NOT_YET, _NOT_YET, _NOT_YET, True),
    "answer":           (_NONE,    True,     _PAUSE,   True),
    "give time":        (_EARLY,   True,     _PAUSE,   _OVER),
    "abort":            (True,     True,     True,     _OVER),
    "claim":            (_EARLY,   True,     _PAUSE,   _OVER),
    "say":              (True,     True,     True,     True),
    "presence":         (True,     True,     True,     False),
    "pause":            (_EARLY,   True,     False,    _OVER),
    "resume":           (_EARLY,   False,    True,     _OVER),
    "adjudicate":       (_EARLY,   True,     True,     _OVER),
    "terminate":        (True,     True,     True,     _OVER),
    "suspend":          (False,    True,     False,    False),
}  # fmt: skip

REQUESTS: Final[Mapping[Status, Mapping[Request, Verdict]]] = {
    status: {request: row[column] for request, row in _BY_REQUEST.items()} for column, status in enumerate(Status)
}
"""The state of a match -> what is asked of it -> whether that may be done."""

EVENTS: Final[Mapping[Status, dict[type[MatchEvent], Status]]] = {
    Status.WAITING: {
        Seated: Status.WAITING,
        Started: Status.PLAYING,
        Presence: Status.WAITING,
        Said: Status.WAITING,
        Finished: Status.FINISHED,
    },
    Status.PLAYING: {
        Moved: Status.PLAYING,
        Passed: Status.PLAYING,
        TookBack: Status.PLAYING,
        Offered: Status.PLAYING,
        Declined: Status.PLAYING,
        GaveTime: Status.PLAYING,
        Presence: Status.PLAYING,
        Said: Status.PLAYING,
        Paused: Status.PAUSED,
        Finished: Status.FINISHED,
    },
    Status.PAUSED: {
        Presence: Status.PAUSED,
        Said: Status.PAUSED,
        Resumed: Status.PLAYING,
        Finished: Status.FINISHED,
    },
    Status.FINISHED: {
        Offered: Status.FINISHED,
        Declined: Status.FINISHED,
        Rematched: Status.FINISHED,
        Said: Status.FINISHED,
    },
}
"""The state of a match -> what happens -> the state after it; what is not there can't happen."""

_WORDS: Final[Mapping[ErrorCode, str]] = {
    ErrorCode.SEAT_TAKEN: "this seat is taken",
    ErrorCode.NOT_STARTED: "the match waits for its second player",
    ErrorCode.PAUSED: "an organiser has paused the match",
    ErrorCode.GAME_OVER: "the match is over",
    ErrorCode.NOT_OVER: "a rematch is offered when the match is over",
    ErrorCode.NOTHING_OFFERED: "nothing is offered to you",
}


def refusal(code: ErrorCode, *, stopping: bool = False) -> ProtocolError:
    """The refusal of what the state of a match does not allow; `stopping`: it is paused since the server stops."""
    if stopping and code is ErrorCode.PAUSED:
        return ProtocolError(code, "the server stops: the match goes on later")
    return ProtocolError(code, _WORDS[code])
