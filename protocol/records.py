"""A match as a record that outlives its server: all its events, when they happened, and a chain of hashes over them.

The chain makes an altered, dropped, swapped or added event show. With canonical JSON, as protocol.codec writes it:

    h0 = SHA-256(header)          header = {"record":"arbitre/1","match":...,"game":...,"clock":...}
    hi = SHA-256(h(i-1) + event)  for each event up to and including `finished`; the chain is the last h, in hexadecimal

Events after the end (talk, a rematch) and dates are outside the chain. A line of a `jsonl` file carries a second hash,
its seal, over all that is in the line. Neither is a signature: anybody who can change a record can also compute them
again. They reveal accidents and careless edits, and let two people see that they have the same record.

Errors: RecordError    a line that is no record
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Annotated, Final, Literal

from msgspec import Meta, MsgspecError, Struct
from msgspec.json import Decoder, Encoder
from msgspec.structs import replace

from protocol.bounds import GameSpec, MatchId, Moves, SeatNumber
from protocol.codec import encode
from protocol.messages import Clock, Finished, MatchEvent, Moved, Player, Result, Seated, TookBack

RECORD: Final = "arbitre/1"
"""The version of the records that this module writes."""

Wall = Annotated[
    int, Meta(ge=-62_135_596_800_000, le=253_402_300_799_999, description="a date, in milliseconds since 1970 UTC")
]
"""From the year 1 to the year 9999: dates that can be written."""
Hash = Annotated[str, Meta(pattern=r"^[0-9a-f]{64}(?![\s\S])", description="SHA-256, in hexadecimal")]
Link = bytes
"""A chain as far as it goes: 32 bytes."""

_encoder = Encoder()

_NOTHING_HASHED = hashlib.sha256()
"""Copied for each event: OpenSSL takes as long to look SHA-256 up by its name as to hash an event."""


class RecordError(Exception):
    """A line that is no record of this version; the message is for developers."""


@dataclass(frozen=True, slots=True)
class GameRecord:
    """A match: what it was opened with, and its events.

    public: whether everybody may see it. opened_ms, wall_ms: when it was opened and when each event was recorded, in
    milliseconds since 1970; 0 if that is not known. chain: None while the match goes on.
    """

    match: str
    game: str
    clock: Clock | None
    public: bool
    opened_ms: int
    events: tuple[MatchEvent, ...]
    wall_ms: tuple[int, ...]
    chain: str | None

    @property
    def players(self) -> tuple[Player | None, Player | None]:
        """Who took the seats."""
        seated: dict[SeatNumber, Player] = {}
        for event in self.events:
            if isinstance(event, Seated):
                seated.setdefault(event.seat, event.player)
        return seated.get(1), seated.get(2)

    @property
    def moves(self) -> tuple[str, ...]:
        """The moves that count: without those that were taken back."""
        moves: list[str] = []
        for event in self.events:
            if isinstance(event, Moved):
                moves.append(event.move)
            elif isinstance(event, TookBack):
                del moves[event.ply :]
        return tuple(moves)

    @property
    def result(self) -> Result | None:
        """How it ended, None while it goes on."""
        return next((event.result for event in self.events if isinstance(event, Finished)), None)


# ---------------------------------------------------------------------------------------------------------- the chain


class _Header(Struct, frozen=True):
    record: str
    match: str
    game: str
    clock: Clock | None


def begin(match: str, game: str, clock: Clock | None) -> Link:
    """h0: the chain of a match before its first event."""
    return hashlib.sha256(_encoder.encode(_Header(RECORD, match, game, clock))).digest()


def extend(link: Link, event: MatchEvent) -> Link:
    """The chain with one more event; whoever sees the events pass keeps a link instead of the events."""
    return extend_encoded(link, encode(event))


def extend_encoded(link: Link, encoded: bytes) -> Link:
    """The chain with one more event, by its message."""
    chained = _NOTHING_HASHED.copy()
    chained.update(link + encoded)
    return chained.digest()


def chain(match: str, game: str, clock: Clock | None, events: Iterable[MatchEvent]) -> str:
    """The chain over a match and its events up to and including `finished`, in hexadecimal."""
    link = begin(match, game, clock)
    for event in events:
        link = extend(link, event)
        if isinstance(event, Finished):
            break
    return link.hex()


# -------------------------------------------------------------------------------------------------------- jsonl lines


class _Line(Struct, frozen=True, forbid_unknown_fields=True):
    """One line; `players`, `moves` and `result` repeat what the events say, for programs that want no more."""

    record: Literal["arbitre/1"]
    match: MatchId
    game: GameSpec
    clock: Clock | None
    public: bool
    opened_ms: Wall
    players: tuple[Player | None, Player | None]
    moves: Moves
    result: Result | None
    events: Annotated[tuple[tuple[Wall, MatchEvent], ...], Meta(max_length=1_000_000)]
    chain: Hash | None
    seal: Annotated[str, Meta(max_length=64)]


_line: Final[Decoder[_Line]] = Decoder(_Line)


def to_line(record: GameRecord) -> bytes:
    """`record` as one line of a `jsonl` file, without the line's end."""
    line = _unsealed(record)
    return _encoder.encode(replace(line, seal=_seal(line)))


def from_line(text: bytes) -> tuple[GameRecord, bool]:
    """The record of a line, and whether it is whole: its seal fits, and what it repeats is what its events say.

    Raises RecordError.
    """
    try:
        line = _line.decode(text)
    except (MsgspecError, UnicodeError, RecursionError, ValueError) as error:
        raise RecordError(str(error)[:300]) from error
    record = GameRecord(
        line.match,
        line.game,
        line.clock,
        line.public,
        line.opened_ms,
        tuple(event for _, event in line.events),
        tuple(wall for wall, _ in line.events),
        line.chain,
    )
    unsealed = _unsealed(record)
    return record, replace(line, seal="") == unsealed and line.seal == _seal(unsealed)


def _unsealed(record: GameRecord) -> _Line:
    return _Line(
        RECORD,
        record.match,
        record.game,
        record.clock,
        record.public,
        record.opened_ms,
        record.players,
        record.moves,
        record.result,
        tuple(zip(record.wall_ms, record.events, strict=True)),
        record.chain,
        "",
    )


def _seal(line: _Line) -> str:
    return hashlib.sha256(_encoder.encode(line)).hexdigest()
