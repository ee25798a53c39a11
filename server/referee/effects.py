"""What the referee asks its shell to do, in this order. Effects are frozen and without behaviour."""

from __future__ import annotations

from typing import Literal, final

from msgspec import Struct

from protocol.bounds import Kind, Opening, SeatNumber
from protocol.messages import Clock, MatchEvent, Network, Result, ServerMessage


@final
class Send(Struct, frozen=True, gc=False):
    """Send one message, encoded once, to each of these connections.

    prompt: false if nobody waits for it, so that it may leave a few milliseconds later, with what follows.
    """

    connections: tuple[int, ...]
    message: ServerMessage
    prompt: bool = True


@final
class Close(Struct, frozen=True, gc=False):
    """Close a connection once what was sent to it is written; `code` is the WebSocket close code."""

    connection: int
    code: int
    reason: str


@final
class Probe(Struct, frozen=True, gc=False):
    """Ask a connection for a sign of life."""

    connection: int


class SessionOpened(Struct, frozen=True, gc=False):
    """A session is to be kept, with the hash of its token; the secret itself never leaves the referee."""

    session: str
    name: str
    kind: Kind
    token: bytes


class TokenChanged(Struct, frozen=True, gc=False):
    """A session has a new token; the one before holds until the new one is used (None once it was)."""

    session: str
    token: bytes
    previous: bytes | None


class SessionForgotten(Struct, frozen=True, gc=False):
    """A session is over."""

    session: str


class MatchOpened(Struct, frozen=True, gc=False):
    """A match exists: what its events don't say; `link` is the secret of the link that invites to a private one."""

    match: str
    game: str
    clock: Clock | None
    public: bool
    code: str | None
    opening: Opening = ()
    link: str | None = None
    network: Network | None = None


class SeatTaken(Struct, frozen=True, gc=False):
    """A session holds a seat."""

    match: str
    seat: SeatNumber
    session: str


class PlaceKept(Struct, frozen=True, gc=False):
    """A match waits for a session: to take the seat that it was asked to (1, 2), or as the one who opened it (0)."""

    match: str
    place: Literal[0, 1, 2]
    session: str


@final
class EventHappened(Struct, frozen=True, gc=False):
    """An event of a match; `encoded` is its message, if it was written already."""

    event: MatchEvent
    encoded: bytes | None = None


class MatchClosed(Struct, frozen=True, gc=False):
    """A match is over; `chain` is the hash over its events, "" if nothing is recorded."""

    match: str
    result: Result
    plies: int
    chain: str


class LeagueHosted(Struct, frozen=True, gc=False):
    """A league is hosted: its code belongs to this session; `roster` is a text of who may enter, "" for anybody."""

    code: str
    session: str
    roster: str


class LeagueClosed(Struct, frozen=True, gc=False):
    """A league is hosted no more."""

    code: str


class EntryBound(Struct, frozen=True, gc=False):
    """A name in a league belongs to somebody; the fields are those of `server.referee.bindings.Binding`."""

    league: str
    name: str
    code: str
    hash: str
    session: str


class EntriesFreed(Struct, frozen=True, gc=False):
    """All bindings of names in a league are dropped."""

    league: str


class ReviewKept(Struct, frozen=True, gc=False):
    """A review is whole: the fields are those of `KeptReview`, kept in place of what `slot` held before."""

    slot: int
    number: int
    ticket: str
    judge: str
    steps: str


Record = (
    SessionOpened
    | TokenChanged
    | SessionForgotten
    | MatchOpened
    | SeatTaken
    | PlaceKept
    | EventHappened
    | MatchClosed
    | LeagueHosted
    | LeagueClosed
    | EntryBound
    | EntriesFreed
    | ReviewKept
)
"""What is to be kept; it stands before the messages that acknowledge it."""

Effect = Record | Send | Close | Probe
