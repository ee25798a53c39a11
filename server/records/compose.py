"""A game that was played elsewhere, as a record of a match. Pure.

Its id comes from what it is (rules, names, date, moves), so the same game found twice, even in two formats, is one
match. The rules decide on its result; what the source says of it counts only where the rules have not decided.

Errors: RefusedError    a game that can't be taken, with its ImportRefusal
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from typing import Final, Literal, NamedTuple

from msgspec.json import encode

from games import Game, IllegalMove, Position
from protocol.bounds import MAX_SHOWN_NAME, Clocks, Kind, SeatNumber
from protocol.errors import ProtocolError
from protocol.messages import Clock, Finished, MatchEvent, Moved, Passed, Player, Result, Seated, Started
from protocol.records import GameRecord, chain
from protocol.values import result_of
from server.match.clock import start_of
from server.match.terms import seat_number
from server.names.text import chat_text

NAMELESS = "?"
"""The name of a player whom a source does not name."""

_DAY_MS = 24 * 3_600_000


class ImportRefusal(Enum):
    """Why something in a file is not taken as a game."""

    RULES = "rules that are not known"
    OTHER_GAME = "another game than Othello"
    VARIANT = "a variant: other rules, or not from the first position"
    MOVE = "an illegal move"
    PASS = "a pass where nobody has to pass"  # noqa: S105 - the move in which nothing is played
    TURN = "a move out of turn"
    UNFINISHED = "no end and no result"
    LONG = "too long"
    TRUNCATED = "cut off"
    UNREADABLE = "not in the format"
    FLAWED = "a record that does not verify"
    CONFLICT = "another match has its id"
    UNSAFE = "text that must not reach a terminal"


GARBAGE: Final = frozenset({ImportRefusal.LONG, ImportRefusal.TRUNCATED, ImportRefusal.UNREADABLE})
"""What is no game at all, in whatever format."""


class RefusedError(Exception):
    """A game, or a whole file, that can't be taken; `detail` says more: a move, a line's end, what a parser said."""

    def __init__(self, refusal: ImportRefusal, detail: str = "") -> None:
        super().__init__(f"{refusal.value}: {detail}" if detail else refusal.value)
        self.refusal = refusal
        self.detail = detail


class Claim(NamedTuple):
    """What a source says of a result.

    difference: black's discs minus white's, empty squares to the winner. flag: r resigned, t out of time, s agreed.
    """

    difference: float
    flag: Literal["", "r", "t", "s"] = ""


@dataclass(frozen=True, slots=True)
class FoundGame:
    """A game as a file tells it; times_ms: what each move took, or nothing if that is not known.

    ended: how it ended where the rules have not ended it, from a source that knows. opening: how many of its moves
    nobody chose. kind: what its players are. source: tells games apart that are alike in all else. is_charged: the
    times are what a server of ours has charged, and stand in the record's moves.
    """

    game: Game
    names: tuple[str, str]
    date_ms: int
    moves: tuple[str, ...]
    claim: Claim | None = None
    clock: Clock | None = None
    times_ms: tuple[int, ...] = ()
    ended: Result | None = None
    opening: int = 0
    kind: Kind = "human"
    source: str = ""
    is_charged: bool = False


def compose(found: FoundGame) -> tuple[GameRecord, bool]:
    """The record of `found`, and whether its source told another result than the rules. Raises RefusedError."""
    positions = _replay(found)
    last = positions[-1]
    outcome = last.outcome()
    result = _claimed(found, last) if outcome is None else result_of(outcome)
    clocks = _clocks(found, positions, result)
    players = Player(_name(found.names[0]), found.kind), Player(_name(found.names[1]), found.kind)
    match = _id(found, (players[0].name, players[1].name))
    events = tuple(_events(match, found, positions, players, clocks, result))
    clock = found.clock if clocks else None
    spec, date_ms = found.game.spec, found.date_ms
    record = GameRecord(
        match, spec, clock, public=True, opened_ms=date_ms, events=events, wall_ms=(date_ms,) * len(events),
        chain=chain(match, spec, clock, events),
    )  # fmt: skip
    return record, outcome is not None and not _agrees(found.claim, result)


def _replay(found: FoundGame) -> list[Position]:
    positions: list[Position] = [found.game.start()]
    for move in found.moves:
        try:
            positions.append(positions[-1].play(move))
        except IllegalMove as error:
            raise RefusedError(ImportRefusal.MOVE, f"{len(positions)}. {move}") from error
    return positions


def _claimed(found: FoundGame, last: Position) -> Result:
    """The result of a game that the rules have not ended."""
    if found.ended is not None:
        return found.ended
    claim = found.claim
    if claim is None or not found.moves:
        raise RefusedError(ImportRefusal.UNFINISHED)
    difference = claim.difference
    winner: SeatNumber | None = None if difference == 0 else 1 if difference > 0 else 2
    if claim.flag == "r" and winner is not None:
        return Result(winner, "resign", last.score())
    if claim.flag == "t" and winner == seat_number(last.to_move.other):
        return Result(winner, "timeout", last.score())
    if claim.flag == "s" and winner is None:
        return Result(None, "agreement", last.score())
    return Result(winner, "adjudicated", last.score(), _scores(found.game, difference))


def _scores(game: Game, difference: float) -> tuple[int, int] | None:
    """The two scores that have this difference and take up the board; None if there are none."""
    cells = game.width * game.height
    if difference != int(difference) or abs(difference) > cells or (cells + int(difference)) % 2:
        return None
    first = (cells + int(difference)) // 2
    return first, cells - first


def _agrees(claim: Claim | None, result: Result) -> bool:
    if claim is None:
        return True
    scores = (result.score, result.tournament_score or result.score)
    return any(first - second == claim.difference for first, second in scores)


def _clocks(found: FoundGame, positions: list[Position], result: Result) -> list[Clocks]:
    """What the seats had left at first, after each move and at the end; nothing if the times don't fit the clock."""
    rule = found.clock
    if rule is None or len(found.times_ms) != len(found.moves):
        return []
    start = start_of(rule)
    seats = (rule.of(1), rule.of(2))
    if not all(0 < ms <= _DAY_MS for ms in start) or any(not 0 <= one.increment_ms <= _DAY_MS // 24 for one in seats):
        return []
    left = list(start)
    clocks: list[Clocks] = [start]
    for ply, (position, time_ms) in enumerate(zip(positions, found.times_ms, strict=False)):
        mover = position.to_move - 1
        if not 0 <= time_ms <= left[mover]:
            return []
        if ply >= found.opening:
            left[mover] = seats[mover].move_ms or left[mover] + seats[mover].increment_ms - time_ms
        clocks.append((left[0], left[1]))
    if result.reason == "timeout":
        left[positions[-1].to_move - 1] = 0
    return [*clocks, (left[0], left[1])]


def _events(
    match: str,
    found: FoundGame,
    positions: list[Position],
    players: tuple[Player, Player],
    clocks: list[Clocks],
    result: Result,
) -> Iterator[MatchEvent]:
    yield Seated(match, 1, 1, players[0])
    yield Seated(match, 2, 2, players[1])
    yield Started(match, 3, seat_number(positions[0].to_move), clocks[0] if clocks else None)
    seq = 3
    for ply, move in enumerate(found.moves):
        before, after = positions[ply], positions[ply + 1]
        seq += 1
        left = clocks[ply + 1] if clocks else None
        seat, then, is_given = seat_number(before.to_move), seat_number(after.to_move), ply < found.opening
        used_ms = found.times_ms[ply] if found.is_charged and found.times_ms else 0
        yield Moved(match, seq, ply, seat, move, then, left, used_ms, opening=is_given)
        if after.passed is not None:
            seq += 1
            yield Passed(match, seq, ply + 1, seat_number(after.passed))
    yield Finished(match, seq + 1, result, clocks[-1] if clocks else None)


def _name(written: str) -> str:
    try:
        return chat_text(written)[:MAX_SHOWN_NAME].strip() or NAMELESS
    except ProtocolError:
        return NAMELESS


def _id(found: FoundGame, names: tuple[str, str]) -> str:
    what = (found.game.spec, names, found.date_ms // 1000, found.moves)
    content = encode((*what, found.source) if found.source else what)
    return base64.b32encode(hashlib.sha256(content).digest())[:16].decode().lower()
