"""The events of a match, in the order in which they happen. A match is the fold of its events.

They are a part of what servers say: `protocol.messages` has them, too.
"""

from __future__ import annotations

from msgspec import Struct

from protocol.bounds import (
    ChatText,
    Clocks,
    MatchId,
    Millis,
    Move,
    OfferKind,
    Ply,
    SeatNumber,
    Seq,
    Span,
)
from protocol.values import Player, Result


class ServerBase(Struct, frozen=True, omit_defaults=True, gc=False, tag_field="type"):
    """What all server messages share."""


class EventBase(ServerBase, frozen=True):
    """What all events of a match share."""

    match: MatchId
    seq: Seq


class Seated(EventBase, frozen=True, tag="seated"):
    """A player took a seat."""

    seat: SeatNumber
    player: Player


class Started(EventBase, frozen=True, tag="started"):
    """Both seats are filled and the game begins; the clock of `to_move` runs."""

    to_move: SeatNumber
    clocks: Clocks | None = None


class Moved(EventBase, frozen=True, tag="moved"):
    """`seat` played `move` as ply number `ply`; `clocks` are what each seat has left, `to_move` plays next.

    What became of the time: `used_ms` is charged to the player, `lag_ms` was given back for the network and `stall_ms`
    is what the server itself lost, which nobody is charged for. A move of the opening was played by nobody.
    """

    ply: Ply
    seat: SeatNumber
    move: Move
    to_move: SeatNumber
    clocks: Clocks | None = None
    used_ms: Span = 0
    lag_ms: Span = 0
    stall_ms: Span = 0
    opening: bool = False


class Passed(EventBase, frozen=True, tag="passed"):
    """`seat` has no legal move before ply `ply` and passes; nothing is asked of it."""

    ply: Ply
    seat: SeatNumber


class Paused(EventBase, frozen=True, tag="paused"):
    """No clock runs: an organiser paused the match, or the server stops (`stopping`) and goes on with it later.

    `used_ms` and the like tell of the clock that was running.
    """

    clocks: Clocks | None = None
    used_ms: Span = 0
    lag_ms: Span = 0
    stall_ms: Span = 0
    stopping: bool = False


class Resumed(EventBase, frozen=True, tag="resumed"):
    """The match goes on; the clock of `to_move` runs. An absence that may be claimed begins anew."""

    to_move: SeatNumber
    clocks: Clocks | None = None


class TookBack(EventBase, frozen=True, tag="took_back"):
    """The opponent of `seat` granted the takeback: the moves from ply number `ply` on are undone.

    The seat that asked is to move. All offers are gone.
    """

    ply: Ply
    seat: SeatNumber
    to_move: SeatNumber
    clocks: Clocks | None = None


class Offered(EventBase, frozen=True, tag="offered"):
    """`seat` offers a draw, asks for a takeback, or for a rematch."""

    what: OfferKind
    seat: SeatNumber


class Declined(EventBase, frozen=True, tag="declined"):
    """`seat` declined the standing offer, or withdrew its own."""

    what: OfferKind
    seat: SeatNumber


class GaveTime(EventBase, frozen=True, tag="gave_time"):
    """`seat` gave its opponent `added_ms`; `clocks` are what each seat has left now, with it.

    The clock of `to_move` runs on from there, and no other `your_turn` comes.
    """

    seat: SeatNumber
    added_ms: Millis
    clocks: Clocks


class Presence(EventBase, frozen=True, tag="presence"):
    """`seat` lost its connection, or gave no sign of life for long, or came back.

    While it is away the opponent may `claim` once `claimable_ms` are over; it is told again, with 0, when they are.
    Where the clock stands instead (`network` of the match), `waits_ms` tells for how much longer it may stand for this
    seat: it does whenever the seat is away and to move. If that is so already, `clocks` are what is left, and `used_ms`
    and the like tell of the clock that ran until the last sign of life.
    """

    seat: SeatNumber
    present: bool
    claimable_ms: Millis | None = None
    clocks: Clocks | None = None
    used_ms: Span = 0
    lag_ms: Span = 0
    stall_ms: Span = 0
    waits_ms: Millis | None = None


class Said(EventBase, frozen=True, tag="said"):
    """A player said something."""

    seat: SeatNumber
    text: ChatText


class Finished(EventBase, frozen=True, tag="finished"):
    """The match is over. `used_ms`, `lag_ms` and `stall_ms` tell of the clock that was running, as in `moved`."""

    result: Result
    clocks: Clocks | None = None
    used_ms: Span = 0
    lag_ms: Span = 0
    stall_ms: Span = 0


class Rematched(EventBase, frozen=True, tag="rematched"):
    """Both want another game: it is match `next`, seats swapped, and the players already sit in it."""

    next: MatchId


MatchEvent = (
    Seated
    | Started
    | Moved
    | Passed
    | Paused
    | Resumed
    | TookBack
    | Offered
    | Declined
    | GaveTime
    | Presence
    | Said
    | Finished
    | Rematched
)
