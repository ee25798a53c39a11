"""What matches are played under: their rules, how long the referee waits, and what all of a server share. Pure."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from enum import Enum
from typing import Final, NamedTuple

from games import Game, Seat
from protocol.bounds import Opening, SeatNumber
from protocol.messages import Clock, MatchEvent, Network
from server.match.clock import Stalls

SEATS: Final = (Seat.FIRST, Seat.SECOND)

MAX_OFFERS: Final = 6
"""Offers of each player between two moves, and after the end: an offer that is withdrawn was made."""

GIVEN_MS: Final = 15_000
"""What a player gives the opponent's clock at once."""

MAX_GIFTS: Final = 20
"""How often each player may do so in a match: five minutes in all."""

_FIRST: Final = Seat.FIRST
"""An enum's members are looked up slowly, and this one with every move."""


class Status(Enum):
    """Where a match stands."""

    WAITING = "waiting"
    PLAYING = "playing"
    PAUSED = "paused"
    FINISHED = "finished"

    __hash__ = object.__hash__  # an enum's own takes ten times as long, and tables are looked up by status


@dataclass(frozen=True, slots=True)
class Timeouts:
    """How long the referee waits, in seconds.

    absence: until the opponent of an absent player may claim the win.
    abandonment: until a match that both players left ends by itself, if no flag falls before.
    waiting: until a match that nobody joins is aborted. left_waiting: the same, from when its creator went away.
    """

    absence: float = 60.0
    abandonment: float = 600.0
    waiting: float = 3600.0
    left_waiting: float = 600.0


@dataclass(frozen=True, slots=True)
class MatchContext:
    """What all matches of a server share: its timeouts, its journal of new events, and its own stalls."""

    timeouts: Timeouts = field(default_factory=Timeouts)
    journal: list[MatchEvent] = field(default_factory=list)
    stalls: Stalls = field(default_factory=Stalls)


class MatchRules(NamedTuple):
    """What a match is played by; `clock` is None without one, `opening` the moves that nobody has to think about.

    network: what it does about the network; None for the default.
    """

    game: Game
    clock: Clock | None = None
    opening: Opening = ()
    network: Network | None = None


def seat_number(seat: Seat) -> SeatNumber:
    """`seat` as it stands on the wire: `seat_number` of the protocol, but compiled, since each move needs it twice."""
    return 1 if seat is _FIRST else 2


def whole_ms(seconds: float) -> int:
    """`seconds` in whole milliseconds, never less."""
    return math.ceil(seconds * 1000)
