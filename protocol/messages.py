"""Every message of protocol 1: two closed unions of frozen structs, tagged by `type`.

Client messages are closed (an unknown field is refused) and carry the client's own `id`, which gets exactly one `ok`
or `error`. Server messages are open: clients ignore fields that they don't know. Every event of a match carries `match`
and `seq`, contiguous from 1, the same for all who see the match; messages without `seq` are personal or ephemeral.
Seats are 1 (moves first) and 2. Times are integers in milliseconds. Fields that hold their default are left out.

The bounds of all fields stand in their types: `protocol.bounds`.
"""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

from protocol.bounds import (
    MAX_LISTED,
    MAX_PAGE,
    ChatText,
    Clocks,
    Code,
    Count,
    Cursor,
    Depth,
    ErrorData,
    GameSpec,
    Kind,
    Label,
    Labels,
    Legal,
    Line,
    Link,
    MatchId,
    Millis,
    Move,
    Moves,
    Name,
    OfferKind,
    Opening,
    PageSize,
    Ply,
    RequestId,
    Score,
    SeatNumber,
    Secret,
    Sentence,
    Seq,
    Span,
    Status,
    Token,
    Version,
)
from protocol.values import Clock as Clock
from protocol.values import Limits as Limits
from protocol.values import MatchSummary as MatchSummary
from protocol.values import Player as Player
from protocol.values import Result as Result

# ---------------------------------------------------------------------------------------------------- client messages


class ClientBase(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, gc=False, tag_field="type"):
    """What all client messages share."""

    id: RequestId


class Hello(ClientBase, frozen=True, tag="hello"):
    """The first message of a connection: who is there.

    With the `token` of an earlier `welcome` the session comes back with all its seats; `seen` then tells the last `seq`
    that the client has of each match, so that only what is missing is sent. `batch` says that the client takes arrays.
    A server may ask for a `password` (`password_required`), and lets who knows its `organiser` secret direct matches.
    """

    protocol: Version
    client: Label
    kind: Kind
    name: Annotated[str, Meta(max_length=200)]
    token: Token | None = None
    batch: bool = False
    seen: Annotated[dict[MatchId, Seq], Meta(max_length=4096)] = {}
    password: Secret | None = None
    organiser: Secret | None = None


class Create(ClientBase, frozen=True, tag="create"):
    """Opens a match. Its creator takes `seat` unless `play` is false; the names in `invite` are asked to join.

    With `play` false, `seat` is that of the first name invited. A seat that nobody was invited to is open to whoever
    joins: to all if the match is public, else to those who know the code in the `ok`. The moves of `opening` are on the
    board before the first player is asked; they cost no time and can't be taken back. A creator who does not play
    watches; with `follow` false all that he hears of the match is one `report` when it is over.
    """

    game: GameSpec
    clock: Clock | None = None
    public: bool = True
    seat: Literal["first", "second", "random"] = "random"
    play: bool = True
    invite: Annotated[tuple[Name, ...], Meta(max_length=2)] = ()
    opening: Opening = ()
    seed: Label | None = None
    follow: bool = True


class Join(ClientBase, frozen=True, tag="join"):
    """Takes a free seat of a match, by `match` (public, or invited), `code` or `link`. Joining again is harmless."""

    match: MatchId | None = None
    code: Code | None = None
    link: Link | None = None


class Decline(ClientBase, frozen=True, tag="decline"):
    """Says no to an invitation; the match is aborted."""

    match: MatchId


class Watch(ClientBase, frozen=True, tag="watch"):
    """Follows a match without a seat, by `match` (public), `code` or `link`. The answer is a snapshot, then events."""

    match: MatchId | None = None
    code: Code | None = None
    link: Link | None = None


class Leave(ClientBase, frozen=True, tag="leave"):
    """Stops following a match: a spectator, or a player whose match is over. A running game is left by resigning."""

    match: MatchId


class ListMatches(ClientBase, frozen=True, tag="list"):
    """Asks for a page of the public matches, the newest first, and with the first page for who is connected.

    `game` keeps the matches of one game, or of one set of rules. Where the answer has `more`, that is the `after` of
    the next page.
    """

    game: Label | None = None
    after: Cursor | None = None
    limit: PageSize = MAX_PAGE


class FollowLobby(ClientBase, frozen=True, tag="lobby"):
    """Asks for the first page, as `list` does, and from then on for what changes; `follow` false ends that."""

    game: Label | None = None
    follow: bool = True


class Sync(ClientBase, frozen=True, tag="sync"):
    """Asks for what came after `seq` in a match: the missing events if they are still held, else a snapshot.

    Who opened a match and does not follow it gets a snapshot, or the `report` if it is over.
    """

    match: MatchId
    seq: Seq = 0


class MakeMove(ClientBase, frozen=True, tag="move"):
    """Plays `move` as ply number `ply` (0 for the first). `ok` comes after the move is recorded.

    Sending the same move for the same ply again is harmless; a different move for a ply already played is `stale_ply`.
    """

    match: MatchId
    ply: Ply
    move: Move


class Resign(ClientBase, frozen=True, tag="resign"):
    """Gives the game up. A program says with `reason` what happened to its bot, and the result says it too."""

    match: MatchId
    reason: Literal["resign", "illegal", "crash", "timeout"] = "resign"


class Offer(ClientBase, frozen=True, tag="offer"):
    """Offers a draw, asks for a takeback (of one's own last move), or for a rematch once the game is over.

    Offering what the opponent already offers accepts it. A draw offer stands until the opponent answers or moves, a
    takeback request until the next move.
    """

    match: MatchId
    what: OfferKind


class Answer(ClientBase, frozen=True, tag="answer"):
    """Accepts or declines the opponent's standing offer; the one who made an offer may decline it to withdraw it."""

    match: MatchId
    what: OfferKind
    accept: bool


class Abort(ClientBase, frozen=True, tag="abort"):
    """Ends a match without a result: while it waits for players, or before its second move.

    A match that was opened by somebody who does not play is not its players' to end so once it has begun: they resign.
    """

    match: MatchId


class Claim(ClientBase, frozen=True, tag="claim"):
    """Claims the win after the opponent has been away for as long as `presence` said."""

    match: MatchId


class Chat(ClientBase, frozen=True, tag="chat"):
    """Says something: players to all who see the match, spectators to the other spectators."""

    match: MatchId
    text: ChatText


class Thinking(ClientBase, frozen=True, tag="thinking"):
    """What a bot sees while it thinks; relayed to spectators only, never to the opponent."""

    match: MatchId
    ply: Ply
    depth: Depth = 0
    score: Score | None = None
    pv: Line = ()
    nodes: Count = 0
    ms: Millis = 0


class HostLeague(ClientBase, frozen=True, tag="host"):
    """Opens a league, which others enter with the code in the `ok`. After a return, `code` takes it over again."""

    code: Code | None = None


class Enter(ClientBase, frozen=True, tag="enter"):
    """Enters a league: its host is told of this session, and invites it to matches. Entering again is harmless."""

    code: Code


class Pause(ClientBase, frozen=True, tag="pause"):
    """Stops a running match and its clocks; for organisers only, as are the four that follow."""

    match: MatchId


class Resume(ClientBase, frozen=True, tag="resume"):
    """Lets a paused match go on."""

    match: MatchId


class Adjudicate(ClientBase, frozen=True, tag="adjudicate"):
    """Ends a match that has begun: `winner` wins, or nobody does."""

    match: MatchId
    winner: SeatNumber | None


class Terminate(ClientBase, frozen=True, tag="terminate"):
    """Ends a match without a result, however far it has come."""

    match: MatchId


class Kick(ClientBase, frozen=True, tag="kick"):
    """Sends somebody away: his matches go to his opponents, his session ends, and his connection is closed."""

    name: Name


OrganiserRequest = Pause | Resume | Adjudicate | Terminate | Kick

ClientMessage = (
    Hello
    | Create
    | Join
    | Decline
    | Watch
    | Leave
    | ListMatches
    | FollowLobby
    | Sync
    | MakeMove
    | Resign
    | Offer
    | Answer
    | Abort
    | Claim
    | Chat
    | Thinking
    | HostLeague
    | Enter
    | Pause
    | Resume
    | Adjudicate
    | Terminate
    | Kick
)

# ---------------------------------------------------------------------------------------------------- server messages


class ServerBase(Struct, frozen=True, omit_defaults=True, gc=False, tag_field="type"):
    """What all server messages share."""


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
    """The request `id` is done, and recorded. `match`, `code` and `link` answer create and join.

    The lists answer `list` and `lobby`; `more` is there if they go on.
    """

    id: RequestId
    match: MatchId | UnsetType = UNSET
    code: Code | UnsetType = UNSET
    link: Link | UnsetType = UNSET
    matches: Annotated[tuple[MatchSummary, ...], Meta(max_length=MAX_LISTED)] | UnsetType = UNSET
    players: Annotated[tuple[Player, ...], Meta(max_length=MAX_LISTED)] | UnsetType = UNSET
    more: Cursor | UnsetType = UNSET


class Error(ServerBase, frozen=True, tag="error"):
    """The request `id` is refused and changed nothing. `code` is stable; `message` is for developers.

    For `illegal_move`, `data.why` is not_a_move, off_board, occupied, flips_nothing, column_full or game_over, and
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


class Snapshot(ServerBase, frozen=True, tag="snapshot"):
    """The whole state of a match after event `seq`. `seat` is the reader's own, null for a spectator.

    `clocks` are what each seat has left at this moment; the one of `to_move` runs while the status is `playing`.
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
    offers: Annotated[dict[OfferKind, SeatNumber], Meta(max_length=3)] = {}
    result: Result | None = None
    code: Code | None = None
    link: Link | None = None
    viewers: Count = 0


class YourTurn(ServerBase, frozen=True, tag="your_turn"):
    """It is the reader's turn at `ply`; `deadline_ms` is the time left before the flag falls (absent without a clock).

    Sent again after a reconnect or a takeback, with the real time left.
    """

    match: MatchId
    ply: Ply
    legal: Legal
    clocks: Clocks | None = None
    deadline_ms: Millis | None = None


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


class Murmur(ServerBase, frozen=True, tag="murmur"):
    """What a spectator said, to the other spectators; it is not part of the match."""

    match: MatchId
    name: Name
    text: ChatText


class Report(ServerBase, frozen=True, tag="report"):
    """A match that this session opened and did not follow is over; `used_ms` is what each seat took for its moves.

    A player is null where a seat was never taken. Where `declined` is a seat, its player called the match off before it
    began.
    """

    match: MatchId
    players: tuple[Player | None, Player | None]
    result: Result
    moves: Moves
    used_ms: tuple[Count, Count] = (0, 0)
    declined: SeatNumber | None = None


class LobbyChanged(ServerBase, frozen=True, tag="lobby_changed"):
    """What has changed for who follows the lobby, at most four times a second.

    `matches` are new or have other players or another status; those in `gone` are over, or no longer public. `players`
    have come, or have gone (`present` is false). `again`: too much has changed to be told, and nothing more will be
    told: ask for the `lobby` again.
    """

    matches: Annotated[tuple[MatchSummary, ...], Meta(max_length=MAX_PAGE)] = ()
    gone: Annotated[tuple[MatchId, ...], Meta(max_length=MAX_PAGE)] = ()
    players: Annotated[tuple[Player, ...], Meta(max_length=MAX_PAGE)] = ()
    again: bool = False


class Closing(ServerBase, frozen=True, tag="closing"):
    """The server is about to close every connection: come back after `retry_after_ms`; not at all if it is absent."""

    retry_after_ms: Millis | UnsetType = UNSET


# The events of a match, in the order in which they happen. A match is the fold of its events.


class Entrant(ServerBase, frozen=True, tag="entrant"):
    """Somebody has entered the league `code` that this session hosts, or has gone, or come back."""

    code: Code
    player: Player


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
    """The opponent of `seat` granted the takeback: the moves from ply number `ply` on are undone."""

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


class Presence(EventBase, frozen=True, tag="presence"):
    """`seat` lost its connection or came back.

    While it is away the opponent may `claim` once `claimable_ms` are over.
    """

    seat: SeatNumber
    present: bool
    claimable_ms: Millis | None = None


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
    | Presence
    | Said
    | Finished
    | Rematched
)

ServerMessage = (
    Welcome
    | Ok
    | Error
    | Invitation
    | Snapshot
    | YourTurn
    | Thought
    | Murmur
    | Report
    | LobbyChanged
    | Closing
    | Entrant
    | Seated
    | Started
    | Moved
    | Passed
    | Paused
    | Resumed
    | TookBack
    | Offered
    | Declined
    | Presence
    | Said
    | Finished
    | Rematched
)
