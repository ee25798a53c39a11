"""What organisers decide over matches that they don't play in. Pure: the match makes the transitions."""

from __future__ import annotations

from typing import assert_never

from games import Seat
from protocol.messages import Adjudicate, Pause, Resume, Terminate
from server.match import Events, Match
from server.terms import Status


def directed(match: Match, request: Pause | Resume | Adjudicate | Terminate, now: float) -> Events:
    """Does what an organiser asks of `match`; raises ProtocolError."""
    match request:
        case Pause():
            return match.pause(now)
        case Resume():
            return match.resume(now)
        case Adjudicate():
            return match.adjudicate(None if request.winner is None else Seat(request.winner), now)
        case Terminate():
            return match.terminate(now)
        case _:
            assert_never(request)


def vacated(match: Match, seat: Seat | None, now: float) -> Events:
    """What becomes of an open match whose `seat` is taken from its player: the opponent wins a game that has begun."""
    if match.status is Status.WAITING or seat is None:
        return match.terminate(now)
    return match.adjudicate(seat.other, now)
