"""What a request costs the server, in moves: the unit is a move in the middle of a game. Pure.

The work of a request is what is limited, not only its count. `bench weights` measures all of this and fails when a
weight is wrong by a factor of two.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Final

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
    Drawn,
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
    Rematched,
    Resign,
    Resume,
    Review,
    SeatLink,
    Serve,
    ServerMessage,
    ShowLeague,
    Switch,
    Sync,
    Tell,
    Terminate,
    Thinking,
    Told,
    TookBack,
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
"""What each kind of message costs: the usual case, with its answer and the events that follow."""

PAGE_WEIGHT: Final = 0.015
"""A match in a page of `list`, beside the request itself."""

PLAYED_WEIGHT: Final = 0.2
"""A move of a game whose boards are asked for, whether its board is told or not."""

REVIEWED_WEIGHT: Final = 0.06
"""A move of a game whose review, or whose tree, is asked for: it is played, and compared with what people play."""

BOUND_WEIGHT: Final = 1.5
"""A name that a host hands over: its looks are computed, and it is kept."""

SHOWN_WEIGHT: Final = 0.05
"""A row, or a game, of a league that is shown."""

REMATCH_WEIGHT: Final = 3.2
"""An `answer` that opens another match, with a snapshot for each player."""

OPENING_WEIGHT: Final = 0.08
"""A move of the opening of a match: it is played to see whether it can be."""

REPLAYED_WEIGHT: Final = 0.06
"""A move of a match that is left after a takeback: all of them are played again."""

EFFECT_WEIGHT: Final = 0.06
"""Each effect beyond USUAL_EFFECTS: a session that comes back to many matches causes many."""

USUAL_EFFECTS: Final = 12

READER_WEIGHT: Final = 0.1
"""Each reader of what is said beyond USUAL_READERS: a move that five hundred spectators see is much work."""

USUAL_READERS: Final = 12

DRAWN_WEIGHT: Final = 0.6
"""Each board that is drawn, for whoever asked in `hello` to be told boards."""

TOLD_A_READER: Final = 1024
"""Bytes of a letter to many that cost as much as one more reader: the letter is copied for each."""

PACKET_WEIGHT: Final = 0.3
"""Reading what is not one short text frame, such as a ping."""

FRAME_WEIGHT: Final = 0.04
"""Each frame in it: hundreds of pings come in one packet."""

PAGE_REQUEST_WEIGHT: Final = 1.5
"""A request over plain HTTP, a handshake among them."""

FIGURES_WEIGHT: Final = 8.0
"""The same for the page of all figures."""

BYTES_READ_A_UNIT: Final = 25_000
"""Bytes of text whose reading is as much work as a move."""


_MOVE: Final = WEIGHTS[MakeMove]


def _shown(league: ShowLeague) -> float:
    return SHOWN_WEIGHT * (len(league.rows or ()) + len(league.games) + len(league.playing))


def _answered(answer: Answer) -> float:
    return REMATCH_WEIGHT if answer.accept and answer.what == "rematch" else WEIGHTS[Answer]


def weigh_accepted(request: Offer | Answer, told: Iterable[object]) -> float:
    """What an accepted offer costs beyond the request, by what is told of it; charged after it was done.

    Who offers what the opponent already offers accepts it, too.
    """
    for message in told:
        if isinstance(message, TookBack):
            return REPLAYED_WEIGHT * message.ply
        if isinstance(message, Rematched) and isinstance(request, Offer):
            return REMATCH_WEIGHT - WEIGHTS[Offer]
    return 0.0


_BY_CONTENT: Final[dict[type[ClientMessage | ProtocolError], Callable[[Any], float]]] = {
    ListMatches: lambda page: WEIGHTS[ListMatches] + PAGE_WEIGHT * page.limit,
    Boards: lambda game: WEIGHTS[Boards] + PLAYED_WEIGHT * (1 + len(game.moves)),
    Review: lambda game: WEIGHTS[Review] + REVIEWED_WEIGHT * (len(game.moves) + 1),
    Explain: lambda game: WEIGHTS[Explain] + REVIEWED_WEIGHT * (len(game.moves) + 1),
    HostLeague: lambda league: WEIGHTS[HostLeague] + BOUND_WEIGHT * len(league.bound),
    ShowLeague: lambda league: WEIGHTS[ShowLeague] + _shown(league),
    Create: lambda wish: WEIGHTS[Create] + OPENING_WEIGHT * len(wish.opening),
    Answer: _answered,
}
"""Messages whose weight depends on what is in them."""


def weigh(message: ClientMessage | ProtocolError) -> float:
    """What `message` is charged with before it is handled."""
    kind = type(message)
    if kind is MakeMove:  # the most frequent first
        return _MOVE
    by_content = _BY_CONTENT.get(kind)
    return WEIGHTS[kind] if by_content is None else by_content(message)


DEAR: Final = frozenset((Told, Drawn))
"""What is told at a higher cost than other messages to as many readers."""


def more_readers(message: ServerMessage, size: int) -> int:
    """How many readers more than itself one reader of a message of `size` bytes counts for."""
    return size // TOLD_A_READER if type(message) is Told else 0


def weigh_answer(effects: int, readers: int, boards: int) -> float:
    """What an answer costs beyond the usual: by its effects, all their readers, and the boards among them.

    Charged after it was given.
    """
    extra = DRAWN_WEIGHT * boards
    if effects > USUAL_EFFECTS:
        extra += EFFECT_WEIGHT * (effects - USUAL_EFFECTS)
    return extra + READER_WEIGHT * (readers - USUAL_READERS) if readers > USUAL_READERS else extra
