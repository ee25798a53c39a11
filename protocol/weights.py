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
    Boards,
    Chat,
    Claim,
    ClientMessage,
    Create,
    Decline,
    Dismiss,
    Enter,
    Explain,
    FollowLeague,
    FollowLobby,
    GiveTime,
    Hello,
    HostLeague,
    Join,
    Judgement,
    Kick,
    Leave,
    ListMatches,
    MakeMove,
    Offer,
    Pause,
    Resign,
    Resume,
    Review,
    SeatLink,
    Serve,
    ShowLeague,
    Switch,
    Sync,
    Tell,
    Terminate,
    Thinking,
    Watch,
    Write,
)

WEIGHTS: Final[dict[type[ClientMessage | ProtocolError], float]] = {
    MakeMove: 1.0,
    ProtocolError: 0.55,
    Hello: 1.35,
    Create: 1.0,
    Join: 1.1,
    Decline: 0.8,
    Watch: 0.6,
    Leave: 0.6,
    Dismiss: 1.0,
    Write: 0.8,
    Tell: 0.8,
    ShowLeague: 0.8,
    FollowLeague: 1.4,
    ListMatches: 0.6,
    FollowLobby: 2.0,
    Boards: 0.6,
    Review: 0.7,
    Explain: 0.7,
    Serve: 0.5,
    Judgement: 0.9,
    Sync: 0.65,
    Resign: 0.85,
    Offer: 0.6,
    Answer: 0.7,
    Abort: 0.7,
    GiveTime: 0.7,
    SeatLink: 0.6,
    Claim: 0.7,
    Chat: 1.5,
    Thinking: 1.1,
    HostLeague: 0.8,
    Enter: 0.85,
    Pause: 0.7,
    Resume: 0.8,
    Adjudicate: 0.9,
    Terminate: 0.85,
    Kick: 1.5,
    Switch: 0.7,
}
"""What one of each costs: the usual case, with its answer and the events that follow."""

PAGE_WEIGHT: Final = 0.015
"""A match in a page of `list`, beside the request itself."""

PLAYED_WEIGHT: Final = 0.4
"""A move of a game whose boards are asked for, whether its board is told or not."""

REVIEWED_WEIGHT: Final = 0.1
"""A move of a game whose review, or whose tree, is asked for: it is played, and compared with what people play."""

BOUND_WEIGHT: Final = 1.5
"""A name that a host hands over: what it looks like has to be found out, and it is kept."""

SHOWN_WEIGHT: Final = 0.05
"""A row, or a game, of a league that is shown."""

REMATCH_WEIGHT: Final = 3.2
"""An `answer` that opens another match, with a snapshot for each player."""

EFFECT_WEIGHT: Final = 0.06
"""Each thing that is said or kept beyond USUAL_EFFECTS: who comes back to many matches asks for much."""

USUAL_EFFECTS: Final = 12

READER_WEIGHT: Final = 0.1
"""Each reader of what is said beyond USUAL_READERS: a move that five hundred spectators see is much work."""

USUAL_READERS: Final = 12

TOLD_A_READER: Final = 1024
"""Bytes of a letter to many that are as much work as a reader more: it is copied for each of them."""

PACKET_WEIGHT: Final = 0.3
"""Reading what is not one short text frame, such as a ping."""

FRAME_WEIGHT: Final = 0.04
"""Each frame in it: hundreds of pings come in one packet."""

BYTES_READ_A_UNIT: Final = 25_000
"""Bytes of text whose reading is as much work as a move."""


_MOVE: Final = WEIGHTS[MakeMove]

_BY_CONTENT: Final = frozenset({ListMatches, Boards, Review, Explain, HostLeague, ShowLeague, Answer})
"""What costs more the more is in it."""


def weigh(message: ClientMessage | ProtocolError) -> float:
    """What to take for `message` before it is heard."""
    kind = type(message)
    if kind is MakeMove:  # the most frequent first
        return _MOVE
    return WEIGHTS[kind] if kind not in _BY_CONTENT else _weigh_content(message)


def _weigh_content(message: ClientMessage | ProtocolError) -> float:
    kind = type(message)
    if isinstance(message, ListMatches):
        return WEIGHTS[kind] + PAGE_WEIGHT * message.limit
    if isinstance(message, Boards):
        return WEIGHTS[kind] + PLAYED_WEIGHT * (1 + len(message.moves))
    if isinstance(message, Review | Explain):
        return WEIGHTS[kind] + REVIEWED_WEIGHT * (len(message.moves) + 1)
    if isinstance(message, HostLeague):
        return WEIGHTS[kind] + BOUND_WEIGHT * len(message.bound)
    if isinstance(message, ShowLeague):
        return WEIGHTS[kind] + SHOWN_WEIGHT * (len(message.rows or ()) + len(message.games) + len(message.playing))
    if isinstance(message, Answer) and message.accept and message.what == "rematch":
        return REMATCH_WEIGHT
    return WEIGHTS[kind]


def weigh_answer(effects: int, readers: int) -> float:
    """What `effects` with so many `readers` in all cost beyond the usual: it is owed once they were heard."""
    extra = EFFECT_WEIGHT * (effects - USUAL_EFFECTS) if effects > USUAL_EFFECTS else 0.0
    return extra + READER_WEIGHT * (readers - USUAL_READERS) if readers > USUAL_READERS else extra
