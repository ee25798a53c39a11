"""What messages are made of: structs that travel inside others, never alone."""

from __future__ import annotations

import hashlib
from typing import Annotated

from msgspec import Meta, Struct

from protocol.bounds import (
    AtLeastOne,
    Cells,
    Count,
    GameSpec,
    Kind,
    MatchId,
    Millis,
    Name,
    PersonalHash,
    Ply,
    ResultReason,
    Scores,
    SeatNumber,
    Status,
)


class Clock(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A time control: `initial_ms` for the game plus `increment_ms` after each move, or `move_ms` for each move."""

    initial_ms: Annotated[int, Meta(ge=0, le=24 * 3_600_000)] = 0
    increment_ms: Annotated[int, Meta(ge=0, le=3_600_000)] = 0
    move_ms: Annotated[int, Meta(ge=0, le=24 * 3_600_000)] = 0


class Player(Struct, frozen=True, omit_defaults=True):
    """Who sits on a seat."""

    name: Name
    kind: Kind
    present: bool = True


class RosterEntry(Struct, frozen=True, forbid_unknown_fields=True):
    """Somebody who may enter a league: the name that counts there, and the hash of the personal code."""

    name: Name
    hash: PersonalHash


def personal_hash(code: str, personal: str) -> str:
    """What stands on the roster of the league `code` for a personal code, so that no server has to hold that."""
    return hashlib.sha256(f"{code.upper()}:{personal.upper()}".encode(errors="surrogatepass")).hexdigest()


class Result(Struct, frozen=True, omit_defaults=True):
    """How a match ended: `winner` (null for a draw or none), why, and what each seat made.

    `score` counts discs in Othello and completed lines elsewhere, as on the board at the end. `tournament_score` gives
    the empty squares to the winner (Othello, games that ended by the rules). `cells` are the winning cells, 0-based
    [x, y].
    """

    winner: SeatNumber | None
    reason: ResultReason
    score: Scores
    tournament_score: Scores | None = None
    cells: Cells = ()


class MatchSummary(Struct, frozen=True, omit_defaults=True):
    """A line of the list of matches."""

    match: MatchId
    game: GameSpec
    status: Status
    players: tuple[Player | None, Player | None]
    clock: Clock | None = None
    ply: Ply = 0
    viewers: Count = 0


class Limits(Struct, frozen=True):
    """The bounds that this server holds its clients to. None is so small that a client could say nothing within it."""

    max_frame_bytes: Annotated[int, Meta(ge=256, le=2**53 - 1)]
    max_batch: AtLeastOne
    max_chat: AtLeastOne
    max_matches: AtLeastOne
    absence_ms: Millis
