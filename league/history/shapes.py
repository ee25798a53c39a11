"""What the lines of a league's log hold, so that a log from elsewhere is refused where it makes no sense. Pure.

Only types and bounds are looked at here; whether a line fits the league is the season's to say.
"""

from __future__ import annotations

from typing import Annotated, Any, Final, Literal

import msgspec
from msgspec import Meta, Struct

from league.history.entrants import SeasonError
from league.history.log import LogEntry
from locales import _
from protocol.bounds import ResultReason

_LAST_MS: Final = 253_402_214_400_000
"""The last day that a date can hold, in milliseconds since 1970."""

_SAFE: Final = "^[^\\x00-\\x1f\\x7f-\\x9f\\u2028-\\u202e\\u2066-\\u2069]*\\Z"
"""No sign in it moves a cursor, turns a line around or begins another."""

_Title = Annotated[str, Meta(max_length=1000, pattern=_SAFE)]
_Name = Annotated[str, Meta(max_length=200, pattern=_SAFE)]
_Number = Annotated[int, Meta(ge=0, le=10**9)]
_Seconds = Annotated[float, Meta(ge=0, le=1e9)]
_Both = tuple[_Seconds, _Seconds]
_Moves = Annotated[str, Meta(max_length=10_000)]


class _Bot(Struct):
    name: _Name
    run: str
    anchor: Annotated[float, Meta(ge=-1e6, le=1e6)] | None = None
    clock: str = ""
    python: str = ""
    many_games: bool | None = None
    ponder: bool | None = None


class _League(Struct):
    name: _Title
    game: str
    bots: list[_Bot]
    format: str
    clock: str
    openings: str
    seed: str
    games_per_pair: _Number | None = None
    rounds: _Number | None = None
    challengers: _Number = 1
    concurrency: _Number = 1
    at_once: _Number = 1
    faults: _Number = 3
    sandbox: bool = False
    memory: str = ""
    patience: _Seconds | None = None
    ponder: bool = False
    outage: str = ""
    outage_s: _Number = 0
    lag: str = ""
    sprt: str = ""
    roster: list[_Name] = []


class _Begun(Struct):
    league: _League
    openings: list[str]
    home: str


class _Pairing(Struct):
    id: _Name
    round: _Number
    first: _Name
    second: _Name
    opening: Annotated[list[_Name], Meta(max_length=1000)]
    seed: str


class _Bye(Struct):
    round: _Number
    player: _Name


class _Planned(Struct):
    pairings: list[_Pairing]
    byes: list[_Bye]


class _Game(Struct):
    pairing: _Name
    number: _Number
    first: _Name
    second: _Name
    moves: _Moves
    winner: Literal[1, 2] | None
    reason: ResultReason
    score: tuple[int, int]
    seconds: _Both
    opening: _Number = 0
    detail: str = ""
    away: _Both = (0.0, 0.0)
    move_ms: Annotated[list[_Number], Meta(max_length=1000)] = []
    date_ms: Annotated[int, Meta(ge=0, le=_LAST_MS)] = 0


class _Played(Struct):
    games: Annotated[list[_Game], Meta(min_length=1)]


class _Joined(Struct):
    bot: _Bot


_SHAPES: Final[dict[str, Any]] = {"begun": _Begun, "planned": _Planned, "played": _Played, "joined": _Joined}
_OTHERS: Final = dict[str, str | int | float | bool | list[str] | None]


def check(entry: LogEntry) -> None:
    """Raises SeasonError for an entry that no league has written."""
    try:
        msgspec.convert(entry.data, _SHAPES.get(entry.kind, _OTHERS))
    except (msgspec.ValidationError, RecursionError) as error:
        raise SeasonError(_("this can't be understood")) from error
