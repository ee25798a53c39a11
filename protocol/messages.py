"""Every message of protocol 1: two closed unions of frozen structs, tagged by `type`.

Client messages are closed (an unknown field is refused) and carry the client's own `id`, which gets exactly one `ok`
or `error`. Server messages are open: clients ignore fields that they don't know. Every event of a match carries `match`
and `seq`, contiguous from 1, the same for all who see the match; messages without `seq` are personal or ephemeral.
Seats are 1 (moves first) and 2. Times are integers in milliseconds. Fields that hold their default are left out.

The requests of clients are defined in `protocol.requests`, the messages of servers here; the bounds of all fields are
in their types, in `protocol.bounds`. Code that speaks the protocol imports only this module.
"""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import UNSET, Meta, UnsetType

from protocol.bounds import (
    MAX_LEGAL,
    MAX_LISTED,
    MAX_PAGE,
    MAX_PLAYED,
    MAX_TOLD_GAMES,
    ChatText,
    Clocks,
    Code,
    Count,
    Cursor,
    Depth,
    ErrorData,
    GameSpec,
    Label,
    Labels,
    LeagueId,
    Legal,
    LetterText,
    Line,
    Link,
    MatchId,
    Millis,
    Moves,
    MoveTimes,
    Name,
    OfferKind,
    Path,
    Ply,
    RequestId,
    Score,
    SeatNumber,
    Sentence,
    Seq,
    SessionId,
    Status,
    Ticket,
    Token,
    Version,
    Work,
)
from protocol.events import Declined as Declined
from protocol.events import EventBase as EventBase
from protocol.events import Finished as Finished
from protocol.events import GaveTime as GaveTime
from protocol.events import MatchEvent as MatchEvent
from protocol.events import Moved as Moved
from protocol.events import Offered as Offered
from protocol.events import Passed as Passed
from protocol.events import Paused as Paused
from protocol.events import Presence as Presence
from protocol.events import Rematched as Rematched
from protocol.events import Resumed as Resumed
from protocol.events import Said as Said
from protocol.events import Seated as Seated
from protocol.events import ServerBase as ServerBase
from protocol.events import Started as Started
from protocol.events import TookBack as TookBack
from protocol.requests import Abort as Abort
from protocol.requests import Adjudicate as Adjudicate
from protocol.requests import Answer as Answer
from protocol.requests import Bindings as Bindings
from protocol.requests import Boards as Boards
from protocol.requests import Chat as Chat
from protocol.requests import Claim as Claim
from protocol.requests import ClientBase as ClientBase
from protocol.requests import ClientMessage as ClientMessage
from protocol.requests import Create as Create
from protocol.requests import Decline as Decline
from protocol.requests import Dismiss as Dismiss
from protocol.requests import Enter as Enter
from protocol.requests import Explain as Explain
from protocol.requests import Failure as Failure
from protocol.requests import FollowLeague as FollowLeague
from protocol.requests import FollowLobby as FollowLobby
from protocol.requests import GiveTime as GiveTime
from protocol.requests import Hello as Hello
from protocol.requests import HostLeague as HostLeague
from protocol.requests import Join as Join
from protocol.requests import Judgement as Judgement
from protocol.requests import Kick as Kick
from protocol.requests import Leave as Leave
from protocol.requests import ListMatches as ListMatches
from protocol.requests import MakeMove as MakeMove
from protocol.requests import Offer as Offer
from protocol.requests import OrganiserRequest as OrganiserRequest
from protocol.requests import Pause as Pause
from protocol.requests import Resign as Resign
from protocol.requests import Resume as Resume
from protocol.requests import Review as Review
from protocol.requests import Roster as Roster
from protocol.requests import SeatLink as SeatLink
from protocol.requests import Serve as Serve
from protocol.requests import ShowLeague as ShowLeague
from protocol.requests import Switch as Switch
from protocol.requests import Sync as Sync
from protocol.requests import Tell as Tell
from protocol.requests import Terminate as Terminate
from protocol.requests import Thinking as Thinking
from protocol.requests import Watch as Watch
from protocol.requests import Write as Write
from protocol.values import BoundName as BoundName
from protocol.values import Branch as Branch
from protocol.values import Clock as Clock
from protocol.values import Diagram as Diagram
from protocol.values import Judged as Judged
from protocol.values import LeagueGame as LeagueGame
from protocol.values import LeagueMatch as LeagueMatch
from protocol.values import LeagueSummary as LeagueSummary
from protocol.values import Limits as Limits
from protocol.values import MatchSummary as MatchSummary
from protocol.values import Network as Network
from protocol.values import Player as Player
from protocol.values import Result as Result
from protocol.values import RosterEntry as RosterEntry
from protocol.values import Scoreboard as Scoreboard
from protocol.values import ScoreRow as ScoreRow
from protocol.values import SeatClock as SeatClock

Games = Annotated[tuple[LeagueGame, ...], Meta(max_length=MAX_TOLD_GAMES)]
"""Games of a league that are over."""

Leagues = Annotated[tuple[LeagueSummary, ...], Meta(max_length=MAX_PAGE)]
"""The leagues that are shown."""

# ---------------------------------------------------------------------------------------------------- server messages


NoAnswer = Failure | Literal["being_played", "no_service", "given_up"]
"""Why there is no review, or no tree: `given_up` if services died of it."""


class Welcome(ServerBase, frozen=True, tag="welcome"):
    """The session is open. `token` is secret: it brings the session back after a lost connection or a restart.

    `name` is the display name as the server keeps it; `matches` are those in which the session holds a seat or watches.
    """

    protocol: Version
    session: Label
    token: Token
    name: Name
    features: Labels
    limits: Limits
    games: Labels
    server_time_ms: Count
    resumed: bool = False
    matches: Annotated[tuple[MatchId, ...], Meta(max_length=MAX_LISTED)] = ()


class Ok(ServerBase, frozen=True, tag="ok"):
    """The request `id` is done, and recorded. `match`, `code` and `link` answer create, join and watch,
    `code` also host and enter, `link` a `seat_link`.

    The lists answer `list` and `lobby`; `more` is there if they go on. `boards` answers a request of that name, with
    the `result` if its moves end the game by the rules; `league` answers a `show`, `scoreboard` and `games` a `league`,
    `ticket` a `review` or `explain`.
    """

    id: RequestId
    match: MatchId | UnsetType = UNSET
    code: Code | UnsetType = UNSET
    link: Link | UnsetType = UNSET
    matches: Annotated[tuple[MatchSummary, ...], Meta(max_length=MAX_LISTED)] | UnsetType = UNSET
    players: Annotated[tuple[Player, ...], Meta(max_length=MAX_LISTED)] | UnsetType = UNSET
    more: Cursor | UnsetType = UNSET
    boards: Annotated[tuple[Diagram, ...], Meta(max_length=MAX_PLAYED + 1)] | UnsetType = UNSET
    result: Result | UnsetType = UNSET
    ticket: Ticket | UnsetType = UNSET
    leagues: Leagues | UnsetType = UNSET
    league: LeagueId | UnsetType = UNSET
    scoreboard: Scoreboard | UnsetType = UNSET
    games: Games | UnsetType = UNSET


class Error(ServerBase, frozen=True, tag="error"):
    """The request `id` is refused and changed nothing. `code` is stable; `message` is for developers.

    For `illegal_move`, `data.why` is not_a_move, off_board, occupied, game_over, forbidden (whatever else the rules
    say), or a code of the game's own: it stands with its rules, and one that you don't know is a plain refusal.
    `data.legal` lists the legal moves. A `fatal` error is followed by the end of the connection.
    """

    code: Label
    message: Sentence
    id: RequestId | UnsetType = UNSET
    fatal: bool = False
    retry_after_ms: Millis | UnsetType = UNSET
    data: ErrorData | UnsetType = UNSET


class Invitation(ServerBase, frozen=True, tag="invitation"):
    """Somebody asks this session to play: answer with `join` or `decline`."""

    match: MatchId
    game: GameSpec
    by: Name
    seat: SeatNumber
    clock: Clock | None = None
    seed: Label | None = None
    network: Network | None = None


class Snapshot(ServerBase, frozen=True, tag="snapshot"):
    """The whole state of a match after event `seq`. `seat` is the reader's own, null for a spectator.

    `clocks` are what each seat has left at this moment; the one of `to_move` runs while the status is `playing`.
    `legal` are the moves of `to_move`, whoever reads it; there are none unless the game is under way. If `delay_ms` is
    not 0, the reader sees the match and its events later by that time. An `arranged` match was opened by somebody who
    does not play: its players can't abort it once it has begun, give no time, and have no `seat_link`.
    """

    match: MatchId
    seq: Seq
    game: GameSpec
    status: Status
    players: tuple[Player | None, Player | None]
    seat: SeatNumber | None
    moves: Moves
    ply: Ply
    to_move: SeatNumber
    legal: Legal
    clock: Clock | None = None
    clocks: Clocks | None = None
    offers: Annotated[dict[OfferKind, SeatNumber], Meta(max_length=3)] = {}  # noqa: RUF012 - a struct copies it
    result: Result | None = None
    code: Code | None = None
    link: Link | None = None
    viewers: Count = 0
    network: Network | None = None
    delay_ms: Millis = 0
    arranged: bool = False


class YourTurn(ServerBase, frozen=True, tag="your_turn"):
    """It is the reader's turn at `ply`; `deadline_ms` is the time left before the flag falls (absent without a clock).

    Sent again after a reconnect or a takeback, with the real time left. `rtt_ms` is what messages last took there and
    back (0 before that was measured, and where it is less than one), `allowance_ms` what of it this move gets back.
    """

    match: MatchId
    ply: Ply
    legal: Legal
    clocks: Clocks | None = None
    deadline_ms: Millis | None = None
    rtt_ms: Millis = 0
    allowance_ms: Millis = 0


class Drawn(ServerBase, frozen=True, tag="board"):
    """How the board of a match looks now, for clients that asked for `boards` in `hello`; this is no event."""

    match: MatchId
    board: Diagram


class Thought(ServerBase, frozen=True, tag="thought"):
    """A bot's `thinking`, as spectators see it."""

    match: MatchId
    ply: Ply
    seat: SeatNumber
    depth: Depth = 0
    score: Score | None = None
    pv: Line = ()
    nodes: Count = 0
    ms: Millis = 0
    exact: bool = False


class Murmur(ServerBase, frozen=True, tag="murmur"):
    """What a spectator said, to the other spectators; it is not part of the match."""

    match: MatchId
    name: Name
    text: ChatText


class Report(ServerBase, frozen=True, tag="report"):
    """A match that this session opened and did not follow is over; `used_ms` is what each seat was charged for.

    That is the time of its moves, and of the one that it did not make any more: a flag that fell has used all its time.
    `move_ms` says so of each move.

    A player is null where a seat was never taken. Where `declined` is a seat, its player called the match off before it
    began. `away_ms` is for how long the clock stood because a seat's player was cut off.
    """

    match: MatchId
    players: tuple[Player | None, Player | None]
    result: Result
    moves: Moves
    used_ms: tuple[Count, Count] = (0, 0)
    declined: SeatNumber | None = None
    away_ms: tuple[Count, Count] = (0, 0)
    move_ms: MoveTimes = ()


class LobbyChanged(ServerBase, frozen=True, tag="lobby_changed"):
    """What has changed in the lobby, for sessions that follow it, at most four times a second.

    `matches` are new or have other players or another status; those in `gone` are over, or no longer public. `players`
    have come, or have gone (`present` is false). `again`: too much has changed to be told, and nothing more will be
    told: ask for the `lobby` again. What comes and goes again between two messages is not told. `leagues` are all that
    are shown, if one of them has changed.
    """

    matches: Annotated[tuple[MatchSummary, ...], Meta(max_length=MAX_PAGE)] = ()
    gone: Annotated[tuple[MatchId, ...], Meta(max_length=MAX_PAGE)] = ()
    players: Annotated[tuple[Player, ...], Meta(max_length=MAX_PAGE)] = ()
    again: bool = False
    leagues: Leagues | UnsetType = UNSET


class LeagueChanged(ServerBase, frozen=True, tag="league_changed"):
    """How a league stands now, for its followers, at most once a second. `games` have ended since the last message.

    Some of them may be known already. `again`: more has changed than is told here: ask for the `league` again. Without
    a `scoreboard` the league is no longer shown, and nothing more is told.
    """

    league: LeagueId
    scoreboard: Scoreboard | UnsetType = UNSET
    games: Games = ()
    again: bool = False


class Reviewed(ServerBase, frozen=True, tag="reviewed"):
    """What is known of a review: all of it at first, then what is new. The last positions are judged first.

    `queued`: `place` reviews are made before. `failed`: `why` says what happened; nothing more follows.
    """

    ticket: Ticket
    status: Literal["queued", "running", "done", "failed"]
    place: Count = 0
    steps: Annotated[tuple[Judged, ...], Meta(max_length=MAX_PLAYED + 1)] = ()
    why: NoAnswer | None = None


class Explained(ServerBase, frozen=True, tag="explained"):
    """A node of a tree and its children, in the order in which minimax looked at them; or `why` there is none."""

    ticket: Ticket
    branches: Annotated[tuple[Branch, ...], Meta(max_length=1 + MAX_LEGAL)] = ()
    why: NoAnswer | None = None


class Job(ServerBase, frozen=True, tag="job"):
    """Work for a service: the game to be judged, or the tree of which a node is wanted. See `serve`."""

    job: Ticket
    what: Work
    game: GameSpec
    moves: Moves = ()
    depth: Depth = 0
    path: Path = ()


class JobOver(ServerBase, frozen=True, tag="job_over"):
    """Nobody waits for a job any more: the service may leave it, and is ready for the next."""

    job: Ticket


class Closing(ServerBase, frozen=True, tag="closing"):
    """The server is about to close every connection: come back after `retry_after_ms`; not at all if it is absent."""

    retry_after_ms: Millis | UnsetType = UNSET


class Entrant(ServerBase, frozen=True, tag="entrant"):
    """Somebody has entered the league `code` that this session hosts, or has gone, or come back.

    `entry` is the name under which they have entered, if there is a roster, or if it is not their session's name. An
    entry has one player at a time. `bound` says that this name belongs to a key; a host that keeps `bound` can hand it
    over to a server that has forgotten it. `rtt_ms` is the round trip that the server has measured last.
    """

    code: Code
    player: Player
    entry: Name | UnsetType = UNSET
    replaced: Name | UnsetType = UNSET
    bound: BoundName | UnsetType = UNSET
    rtt_ms: Millis | UnsetType = UNSET


class EntryRefused(ServerBase, frozen=True, tag="entry_refused"):
    """Somebody tried to enter the league `code`, which this session hosts, under a name that is not theirs.

    `count` is how often since the last time that this was told, which is at most once in ten seconds for each name.
    """

    code: Code
    name: Name
    count: Count = 1
    origin: Label | UnsetType = UNSET


class Letter(ServerBase, frozen=True, tag="letter"):
    """Somebody writes to the host of the league `code`; `tell` answers to their `session`.

    `entry` is the name under which they have entered; absent for an organiser who has not. `directs` says that an
    organiser wrote.
    """

    code: Code
    session: SessionId
    text: LetterText
    entry: Name | UnsetType = UNSET
    directs: bool = False


class Told(ServerBase, frozen=True, tag="told"):
    """What the host of the league `code` writes to this session, or to all who have entered."""

    code: Code
    text: LetterText


class Switched(ServerBase, frozen=True, tag="switched"):
    """What is allowed on this server from now on; also told after `welcome` while anything is forbidden."""

    chat: bool = True
    takebacks: bool = True
    values: bool = True


ServerMessage = (
    Welcome
    | Ok
    | Error
    | Invitation
    | Snapshot
    | YourTurn
    | Drawn
    | Thought
    | Murmur
    | Report
    | LobbyChanged
    | LeagueChanged
    | Reviewed
    | Explained
    | Job
    | JobOver
    | Closing
    | Entrant
    | EntryRefused
    | Letter
    | Told
    | Switched
    | MatchEvent
)
