"""What messages are made of: structs that travel inside others, never alone."""

from __future__ import annotations

import hashlib
from base64 import b32encode
from typing import Annotated, Final, Literal, Protocol

from msgspec import Meta, Struct

from protocol.bounds import (
    MAX_CROSS,
    MAX_PAGE,
    MAX_ROWS,
    AtLeastOne,
    BestMoves,
    Cells,
    Chance,
    Code,
    Count,
    DeclineReason,
    Elo,
    EndingCode,
    GameNumber,
    GameSpec,
    Grade,
    Hands,
    KeyHash,
    Kind,
    Label,
    LeagueId,
    LeagueState,
    Line,
    Made,
    MatchId,
    Millis,
    Name,
    PersonalHash,
    Ply,
    Rank,
    ResultReason,
    Rows,
    Scores,
    SeatNumber,
    Status,
    Transcript,
    Version,
    Word,
    Worth,
)


class SeatClock(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The time of a seat: `initial_ms` for the game plus `increment_ms` after each move, or `move_ms` for each move."""

    initial_ms: Annotated[int, Meta(ge=0, le=24 * 3_600_000)] = 0
    increment_ms: Annotated[int, Meta(ge=0, le=3_600_000)] = 0
    move_ms: Annotated[int, Meta(ge=0, le=24 * 3_600_000)] = 0


class Clock(SeatClock, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A time control: `initial_ms` for the game plus `increment_ms` after each move, or `move_ms` for each move.

    `second` is what seat 2 has instead (time odds): of the same kind, for the game or for each move.
    """

    second: SeatClock | None = None

    def of(self, seat: int) -> SeatClock:
        """What this seat has."""
        return self if seat == 1 or self.second is None else self.second

    @property
    def seats(self) -> tuple[SeatClock, SeatClock]:
        """What each seat has, by itself."""
        first = SeatClock(self.initial_ms, self.increment_ms, self.move_ms)
        return first, self.second or first

    @property
    def swapped(self) -> Clock:
        """The same for players who have changed seats."""
        first, second = self.seats
        return clocks_of(second, first)


def clocks_of(first: SeatClock, second: SeatClock) -> Clock:
    """The time control of two seats, each with a clock of its own; `second` of what is given does not count."""
    one, two = (SeatClock(clock.initial_ms, clock.increment_ms, clock.move_ms) for clock in (first, second))
    return Clock(one.initial_ms, one.increment_ms, one.move_ms, None if one == two else two)


class Network(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What a match does about the network.

    `outage` "pause": if the player to move is cut off, the clock stands from the last sign of life until `your_turn` is
    handed over again. It stands for at most `most_ms` in all for each seat; then the match ends without a result, and
    `result.away` names the seat. "clock": the clock runs, and after an absence of `most_ms` the opponent may `claim`.
    `lag` "forgiven": time that the network takes is given back to programs, too, within the same bounds as to people.
    """

    outage: Literal["clock", "pause"] = "clock"
    most_ms: Annotated[int, Meta(ge=1000, le=3_600_000)] = 120_000
    lag: Literal["charged", "forgiven"] = "charged"


class Player(Struct, frozen=True, omit_defaults=True):
    """Who sits on a seat. `house`: a bot of the server's own, which plays with everybody who asks."""

    name: Name
    kind: Kind
    present: bool = True
    house: bool = False


class RosterEntry(Struct, frozen=True, forbid_unknown_fields=True):
    """Somebody who may enter a league: the name that counts there, and the hash of the personal code."""

    name: Name
    hash: PersonalHash


def personal_hash(code: str, personal: str) -> str:
    """What stands on the roster of the league `code` for a personal code, so that no server has to hold that."""
    return hashlib.sha256(f"{code.upper()}:{personal.upper()}".encode(errors="surrogatepass")).hexdigest()


class BoundName(Struct, frozen=True, forbid_unknown_fields=True):
    """A name in a league that belongs to whoever has a key. `code` is the one that the league had then."""

    name: Name
    code: Code
    hash: KeyHash


def key_hash(code: str, key: str) -> str:
    """What is kept of a key that was shown to the league `code`; the key can't be computed from it."""
    return hashlib.sha256(f"key:{code.upper()}:{key}".encode()).hexdigest()


class Result(Struct, frozen=True, omit_defaults=True):
    """How a match ended: `winner` (null for a draw or none), why, and what each seat made.

    `reason` is `rules` where the rules of the game ended it, and `ending` then says how, by a code of the game's own.
    The oldest three of these codes, `line`, `discs` and `full`, stand as the `reason` themselves, without an `ending`.

    `score` is that of the board at the end, by the game's own rule; who resigns with more discs still loses.
    `tournament_score` gives the empty squares to the winner (where a game counts cells and ended by the rules). `cells`
    are the winning cells in no order to rely on: 0-based [column, row], so [0, 2] is a3. Of a match that was `aborted`,
    `away` is the seat whose player stayed away for longer than a clock may stand, `refused_by` the seat of an invited
    player who said no, and `declined` what they gave as the reason.
    """

    winner: SeatNumber | None
    reason: ResultReason
    score: Scores
    tournament_score: Scores | None = None
    cells: Cells = ()
    away: SeatNumber | None = None
    declined: DeclineReason | None = None
    ending: EndingCode | None = None
    refused_by: SeatNumber | None = None


RULED: Final[tuple[ResultReason, ...]] = ("rules", "line", "discs", "full")
"""The reasons that only the rules of a game give."""


def reason_of(code: str) -> tuple[ResultReason, str | None]:
    """`reason` and `ending` of a result that the rules of a game gave, by the code of its ending."""
    match code:
        case "line" | "discs" | "full":
            return code, None
        case _:
            return "rules", code


class Ruled(Protocol):
    """What the rules of a game decided: an `Outcome` of the games, whose seats are numbers, too."""

    @property
    def winner(self) -> int | None:
        """The number of the seat that won; None for a draw."""
        ...

    @property
    def termination(self) -> str:
        """The code of the ending."""
        ...

    @property
    def score(self) -> Scores:
        """What each seat made."""
        ...

    @property
    def tournament_score(self) -> Scores | None:
        """The score with the empty cells, where a game counts cells."""
        ...

    @property
    def cells(self) -> Cells:
        """The winning cells."""
        ...


def seat_number(seat: int) -> SeatNumber:
    """A seat of the games as it stands on the wire."""
    return 1 if seat == 1 else 2


def result_of(outcome: Ruled) -> Result:
    """What the rules decided, as it stands on the wire."""
    reason, ending = reason_of(outcome.termination)
    winner = None if outcome.winner is None else seat_number(outcome.winner)
    return Result(winner, reason, outcome.score, outcome.tournament_score, outcome.cells, ending=ending)


def ending_of(reason: str, ending: str | None) -> str | None:
    """The code that `reason_of` was given; None if the rules did not end the match."""
    return ending if reason == "rules" else reason if reason in RULED else None


class Diagram(Struct, frozen=True, omit_defaults=True, gc=False):
    """A position as it is drawn, after `ply` moves: for clients that know no rules.

    `cells` are those of the last move, 0-based [column, row], row 0 on top: the one that it filled, or from where and
    to where. `mover` made that move, which `to_move` alone doesn't tell: a seat may have had to pass, and in some
    games a seat moves again. `moves` are there while the game goes on by its rules, each with the cells by which a
    hand makes it (none for one that is no place on the board, as a pass); of several boards, the last alone has them.
    """

    ply: Ply
    to_move: SeatNumber
    rows: Rows
    score: Scores
    cells: Cells = ()
    moves: Hands = {}
    mover: SeatNumber | None = None
    passed: SeatNumber | None = None


class MatchSummary(Struct, frozen=True, omit_defaults=True):
    """A line of the list of matches. `opened_ms` is there if the server knows it."""

    match: MatchId
    game: GameSpec
    status: Status
    players: tuple[Player | None, Player | None]
    clock: Clock | None = None
    ply: Ply = 0
    viewers: Count = 0
    opened_ms: Count = 0


class LobbyPage(Struct, frozen=True, omit_defaults=True):
    """What a server answers to `GET /lobby`: public matches that are open, those that wait first, then the newest.

    With a `password` none are told.
    """

    protocol: Version
    version: Label
    server_time_ms: Count
    password: bool = False
    matches: Annotated[tuple[MatchSummary, ...], Meta(max_length=MAX_PAGE)] = ()


class Judged(Struct, frozen=True, omit_defaults=True, gc=False):
    """What the position after `ply` moves of a game is worth, and how good the move was that was played there.

    If `exact`, a solver has proven `chance`, and `value` (if it was found) is what the solver counts for seat 1.
    Otherwise `chance` is the estimate of a search. `best` are the moves that are as good as any, the best first; `line`
    is the best play from here. The position after the last move has neither of them, and no `grade`.
    """

    ply: Ply
    chance: Chance
    exact: bool = False
    value: Worth | None = None
    best: BestMoves = ()
    line: Line = ()
    grade: Grade | None = None


class Branch(Struct, frozen=True, omit_defaults=True, gc=False):
    """A node of the tree that minimax sees: the position after `move`, and its value for whoever moves at the root.

    If the game is decided, `plies` tells after how many plies from the root it ends, and `value` is 1 or -1.
    `bound` says what is known of the value where the search stopped early; `unseen` are the moves that it cut off.
    """

    to_move: SeatNumber
    kind: Literal["replies", "estimate", "end"]
    value: Worth
    move: Word | None = None
    plies: Ply | None = None
    bound: Literal["exact", "at_least", "at_most"] = "exact"
    chosen: bool = False
    unseen: BestMoves = ()
    children: Count = 0


class ScoreRow(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, gc=False):
    """A row of the table of a league. `rating` and `error` are in Elo; the interval is `rating` plus and minus `error`.

    `against` has the points made against each row of the table, in its order; null for those who have not met. It is
    empty in tables of more than 40 rows. `buchholz` is given where the scoreboard's `ties` is `buchholz`.
    """

    name: Name
    rank: Rank
    points: Made
    played: Count
    rating: Elo | None = None
    error: Made | None = None
    against: Annotated[tuple[Made | None, ...], Meta(max_length=MAX_CROSS)] = ()
    buchholz: Made | None = None


Ties = Literal["buchholz", "direct"]
"""What puts those in order who are level on points: `direct` is the games against each other, then the points of those
whom one has beaten, a draw counting half; `buchholz` is the points of those whom one has met, and then the same."""

Table = Annotated[tuple[ScoreRow, ...], Meta(max_length=MAX_ROWS)]
"""The table of a league, the first first."""


class LeagueMatch(Struct, frozen=True, forbid_unknown_fields=True, gc=False):
    """A game of a league that is being played: its match, and who plays it, as the league knows them."""

    match: MatchId
    first: Name
    second: Name


Playing = Annotated[tuple[LeagueMatch, ...], Meta(max_length=64)]
"""The games of a league that are being played."""


class LeagueGame(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, gc=False):
    """A game of a league that is over."""

    number: GameNumber
    first: Name
    second: Name
    winner: SeatNumber | None
    reason: ResultReason
    moves: Transcript = ""


class Scoreboard(Struct, frozen=True, omit_defaults=True, gc=False):
    """How a league stands, as its host tells it: nobody checks that. `host` is who that is.

    `ties` is absent while it has put nobody in order.
    """

    host: Name
    title: Label
    game: GameSpec
    state: LeagueState
    played: Count = 0
    planned: Count | None = None
    rows: Table = ()
    playing: Playing = ()
    ties: Ties | None = None


class LeagueSummary(Struct, frozen=True, omit_defaults=True, gc=False):
    """A league that is shown, in the lobby."""

    league: LeagueId
    host: Name
    title: Label
    game: GameSpec
    state: LeagueState
    players: Count = 0


def league_id(key: str) -> str:
    """The public id of the league that whoever has `key` shows: it tells nothing of the key."""
    return b32encode(hashlib.sha256(f"league:{key}".encode()).digest())[:12].decode().lower()


class Limits(Struct, frozen=True):
    """The bounds that this server holds its clients to. None is so small that a client could say nothing within it."""

    max_frame_bytes: Annotated[int, Meta(ge=256, le=2**53 - 1)]
    max_batch: AtLeastOne
    max_chat: AtLeastOne
    max_matches: AtLeastOne
    absence_ms: Millis
