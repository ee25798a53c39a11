"""What a request costs the server, in moves: the unit is a move in the middle of a game. Pure.

The work of a request is what is limited, not only its count. `bench weights` measures all of this and fails when a
weight is wrong by a factor of two.
"""

from __future__ import annotations

from typing import Final

from protocol.errors import ProtocolError
from protocol.messages import (
    Abort,
    Adjudicate,
    Answer,
    Chat,
    Claim,
    ClientMessage,
    Create,
    Decline,
    Dismiss,
    Enter,
    FollowLobby,
    Hello,
    HostLeague,
    Join,
    Kick,
    Leave,
    ListMatches,
    MakeMove,
    Offer,
    Pause,
    Resign,
    Resume,
    Sync,
    Terminate,
    Thinking,
    Watch,
)

WEIGHTS: Final[dict[type[ClientMessage | ProtocolError], float]] = {
    MakeMove: 1.0,
    ProtocolError: 0.3,
    Hello: 2.0,
    Create: 2.0,
    Join: 2.0,
    Decline: 1.0,
    Watch: 1.5,
    Leave: 0.3,
    Dismiss: 1.0,
    ListMatches: 0.5,
    FollowLobby: 4.0,
    Sync: 2.0,
    Resign: 1.0,
    Offer: 1.0,
    Answer: 1.0,
    Abort: 1.0,
    Claim: 0.5,
    Chat: 1.0,
    Thinking: 0.5,
    HostLeague: 0.5,
    Enter: 1.0,
    Pause: 1.0,
    Resume: 1.0,
    Adjudicate: 1.0,
    Terminate: 1.0,
    Kick: 1.0,
}
"""What one of each costs: the usual case, with its answer and the events that follow."""

PAGE_WEIGHT: Final = 0.04
"""A match in a page of `list`, beside the request itself."""

EFFECT_WEIGHT: Final = 0.25
"""Each thing that is said or kept beyond USUAL_EFFECTS: who comes back to many matches asks for much."""

USUAL_EFFECTS: Final = 12

READER_WEIGHT: Final = 0.15
"""Each reader of what is said beyond USUAL_READERS: a move that five hundred spectators see is much work."""

USUAL_READERS: Final = 16


def weigh(message: ClientMessage | ProtocolError) -> float:
    """What to take for `message` before it is heard."""
    if type(message) is ListMatches:
        return WEIGHTS[ListMatches] + PAGE_WEIGHT * message.limit
    return WEIGHTS[type(message)]


def weigh_answer(effects: int, readers: int) -> float:
    """What `effects` with so many `readers` in all cost beyond the usual: it is owed once they were heard."""
    extra = EFFECT_WEIGHT * (effects - USUAL_EFFECTS) if effects > USUAL_EFFECTS else 0.0
    return extra + READER_WEIGHT * (readers - USUAL_READERS) if readers > USUAL_READERS else extra
