"""What comes back from the record: sessions and matches as they were kept. Pure."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from protocol.bounds import Kind, Opening, SeatNumber
from protocol.messages import Clock, MatchEvent, Network


class RestoreError(Exception):
    """A match that was kept makes no sense; says which one, and why."""


@dataclass(frozen=True, slots=True)
class StoredResult:
    """A line of the table of results: what it repeats of the last events, and the chain over them."""

    winner: SeatNumber | None
    reason: str
    score: tuple[int, int]
    plies: int
    chain: str


@dataclass(frozen=True, slots=True)
class StoredSession:
    """A session as it was kept."""

    id: str
    name: str
    kind: Kind
    token: bytes
    previous: bytes | None


class StoredEntry(NamedTuple):
    """A name in a league as it was kept: its key's hash, with the code of the league then, and its last session."""

    name: str
    code: str
    hash: str
    session: str


@dataclass(frozen=True, slots=True)
class StoredLeague:
    """A hosted league as it was kept: the session that its code belongs to, its roster as text, its names."""

    code: str
    session: str
    roster: str
    entries: tuple[StoredEntry, ...] = ()


@dataclass(frozen=True, slots=True)
class StoredMatch:
    """A match as it was kept: its settings, its seats (seat number to session id) and its events in order.

    wall_ms: when each event was recorded. result: None while the match goes on. unreadable: the numbers of the events
    that can't be read (0 for the clock, or the network); they are missing in `events`, and a server does not start on
    such a file.
    places: while it goes on, who was asked to take which seat, and (as number 0) who opened it, by session id.
    link: the secret of the link that invites to a private match. network: what it does about the network.
    """

    id: str
    game: str
    clock: Clock | None
    public: bool
    code: str | None
    opened_ms: int
    seats: dict[int, str]
    events: tuple[MatchEvent, ...]
    wall_ms: tuple[int, ...]
    result: StoredResult | None
    unreadable: tuple[int, ...] = ()
    places: dict[int, str] = field(default_factory=dict)
    opening: Opening = ()
    link: str | None = None
    network: Network | None = None
