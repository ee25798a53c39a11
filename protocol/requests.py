"""What clients ask for: every request of protocol 1, each answered by exactly one `ok` or `error`.

Client messages are closed: an unknown field is refused. They carry the client's own `id`.
"""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

from protocol.bounds import (
    MAX_LEGAL,
    MAX_PAGE,
    MAX_STEPS,
    MAX_TOLD_GAMES,
    ChatText,
    Code,
    Count,
    Cursor,
    DeclineReason,
    Depth,
    GameSpec,
    Key,
    Kind,
    Label,
    LeagueId,
    LeagueState,
    LetterText,
    Line,
    Link,
    MatchId,
    Millis,
    Move,
    Name,
    OfferKind,
    Opening,
    PageSize,
    Path,
    Personal,
    Played,
    Ply,
    Recipients,
    RequestId,
    Score,
    SeatNumber,
    Secret,
    Seq,
    Serves,
    Ticket,
    Token,
    TreeDepth,
    Version,
)
from protocol.values import BoundName, Branch, Clock, Judged, LeagueGame, Network, Playing, RosterEntry, Table, Ties

Roster = Annotated[tuple[RosterEntry, ...], Meta(max_length=256)]
"""Who may enter a league."""

Bindings = Annotated[tuple[BoundName, ...], Meta(max_length=64)]
"""Whom names in a league belong to."""


Steps = Annotated[tuple[Judged, ...], Meta(max_length=MAX_STEPS)]
"""Positions of a review."""

Branches = Annotated[tuple[Branch, ...], Meta(max_length=1 + MAX_LEGAL)]
"""A node of a tree, then its children."""

Failure = Literal["over", "too_large", "no_such_node", "failed"]
"""Why a job has no answer."""


class ClientBase(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, gc=False, tag_field="type"):
    """What all client messages share."""

    id: RequestId


class Hello(ClientBase, frozen=True, tag="hello"):
    """The first message of a connection: who is there.

    With the `token` of an earlier `welcome` the session comes back with all its seats; `seen` then tells the last `seq`
    that the client has of each match, so that only what is missing is sent. `batch` says that the client takes arrays.
    A server may ask for a `password` (`password_required`). A client that knows its `organiser` secret may direct
    matches.
    With `boards` each snapshot, and each change of a board, is followed by a `board`, for clients that know no rules.

    A service, which the server has started for itself, shows the `service` secret that it was given, and says what it
    `serves`: `bots` of the house, or `reviews`. It needs no `password`. Without a token it resumes the session of a
    service of that name.
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
    boards: bool = False
    service: Secret | None = None
    serves: Serves = "bots"


class Create(ClientBase, frozen=True, tag="create"):
    """Opens a match. Its creator takes `seat` unless `play` is false; the names in `invite` are asked to join.

    With `play` false, `seat` is that of the first name invited. A seat that nobody was invited to is open to whoever
    joins: to all if the match is public, else to those who know the code in the `ok`. The moves of `opening` are on the
    board before the first player is asked; they cost no time and can't be taken back. A creator who does not play
    watches; with `follow` false all that they hear of the match is one `report` when it is over. `network` says what
    becomes of time that the network takes; without it a lost connection stops no clock, and only people get lag back.
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
    network: Network | None = None


class Join(ClientBase, frozen=True, tag="join"):
    """Takes a free seat of a match, by `match` (public, or invited), `code` or `link`. Joining again is harmless.

    With the `link` of a `seat_link` it takes over that seat; the session that had it watches from then on.
    """

    match: MatchId | None = None
    code: Code | None = None
    link: Link | None = None


class Decline(ClientBase, frozen=True, tag="decline"):
    """Says no to an invitation; the match is aborted. `why` is `busy` if it may be asked again when it has room."""

    match: MatchId
    why: DeclineReason | None = None


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
    """Asks for the first page, as `list` does, and from then on for what changes; `follow` false ends that.

    `game` chooses as in `list`. It ends with the connection: ask again after coming back.
    """

    game: Label | None = None
    follow: bool = True


class Boards(ClientBase, frozen=True, tag="boards"):
    """Asks how the boards of a game look: after `since` moves, and after each further move up to the last.

    The `boards` of the `ok` are what a client needs to replay a game or to set up a position without knowing its rules.
    A move that the rules refuse is `illegal_move`, and nothing is told.
    """

    game: GameSpec
    moves: Played = ()
    since: Ply = 0


class Review(ClientBase, frozen=True, tag="review"):
    """Asks what each move of a game was worth: of a `match` that is over, or of a `game` and its `moves`.

    The `ok` has a `ticket`; what is known follows as `reviewed`, at once or as it grows, with the place in the queue.
    With `follow` false nothing more is told of it, and what nobody waits for is not worked on. While people play, a
    review that leads through their position is refused to them and to their address with `being_played`.
    """

    game: GameSpec | None = None
    moves: Played = ()
    match: MatchId | None = None
    follow: bool = True


class Explain(ClientBase, frozen=True, tag="explain"):
    """Asks for a node of the tree that minimax sees after `moves`, and for its children: `explained` brings them.

    The node is the one at the end of `path`, below the root. The tree is that of the bot `minimax` at this `depth`.
    """

    game: GameSpec
    moves: Played = ()
    depth: TreeDepth = 2
    path: Path = ()


class Serve(ClientBase, frozen=True, tag="serve"):
    """A service of the server is ready for work: it gets `job`s, at most one review and one tree at a time.

    `judge` names what it judges with: reviews by another judge are made anew. For services only, as is `judgement`.
    """

    judge: Label


class Judgement(ClientBase, frozen=True, tag="judgement"):
    """What a service has found out for a `job` so far; with `done` it is ready for the next.

    `steps` are of a review, each position told once; `branches` of a tree: the node, then its children. `why` says that
    there is no answer: `over` (the game is), `too_large` (the tree), `no_such_node`, or `failed`.
    """

    job: Ticket
    steps: Steps = ()
    branches: Branches = ()
    done: bool = False
    why: Failure | None = None


class Sync(ClientBase, frozen=True, tag="sync"):
    """Asks for what came after `seq` in a match: the missing events if they are still held, else a snapshot.

    A session that opened a match without following it gets a snapshot, or the `report` if the match is over.
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

    Offering what the opponent already offers accepts it; offering again what one offers already is harmless.
    [Offers](#offers) says how long each stands.
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

    If somebody who does not play has opened the match, its players can't abort it once it has begun: they resign.
    """

    match: MatchId


class GiveTime(ClientBase, frozen=True, tag="give_time"):
    """Gives the opponent 15 seconds, at most 20 times in a match, told as `gave_time`.

    It is `not_allowed` unless the clock is for the whole game, one of the players is a person, and no third party has
    arranged the match. Servers with the feature `give_time` know it.
    """

    match: MatchId


class SeatLink(ClientBase, frozen=True, tag="seat_link"):
    """Asks for a `link` by which another session (on another device) may take over the reader's seat once, by `join`.

    A newer link replaces it; it ends with the match, or when the server restarts. Only people can take over a seat, and
    only in a match that one of its players has opened; otherwise it is `not_allowed`. Servers with the feature
    `seat_link` know it.
    """

    match: MatchId


class Claim(ClientBase, frozen=True, tag="claim"):
    """Claims the win after the opponent has been away for as long as `presence` said; before, it is `too_early`."""

    match: MatchId


class Chat(ClientBase, frozen=True, tag="chat"):
    """Says something: players to all who see the match, spectators to the other spectators."""

    match: MatchId
    text: ChatText


class Thinking(ClientBase, frozen=True, tag="thinking"):
    """What a bot sees while it thinks; relayed to spectators, unless a person plays; never to the opponent.

    `exact` says that the sign of `score` is proven: the position is won, drawn (0) or lost for the bot.
    """

    match: MatchId
    ply: Ply
    depth: Depth = 0
    score: Score | None = None
    pv: Line = ()
    nodes: Count = 0
    ms: Millis = 0
    exact: bool = False


class HostLeague(ClientBase, frozen=True, tag="host"):
    """Opens a league, which others enter with the code in the `ok`. After a return, `code` takes it over again.

    A code belongs to the session that it was drawn for, even after a restart of the server. For any other session, and
    on a server that never drew it, it is `no_such_league`. With a `roster`, only those who know a personal code on it
    can enter. It replaces an earlier one, and entrants who are no longer on it are out. Left out, it changes nothing.

    `bound` tells a server that has forgotten the league whom its names belong to, as `entrant` told it. A name that
    already belongs to somebody there stays theirs. If there are too many for one message, send several.
    """

    code: Code | None = None
    roster: Roster | None = None
    bound: Bindings = ()


class Enter(ClientBase, frozen=True, tag="enter"):
    """Enters a league: its host is told of this session, and invites it to matches. Entering again is harmless.

    A league with a roster asks for a `personal` code, which decides the name in the league, whatever the session's name
    is; a missing or wrong one is `bad_code`. The newest session with a personal code counts; the one before is told
    `out_of_league`. Without a roster, `personal` is ignored, and the name in the league is the session's name.

    A name belongs to whoever has entered under it first: to their `key` if they show one, from any session, else to
    their session alone. For others it is `not_yours`, and the host is told. With a roster, names belong to keys only: a
    key that was shown beside the personal code is asked for from then on. The host may free a name (`dismiss`).

    A session may have another name than its user had before, since an earlier session still holds that one: then `name`
    says under which name to enter; if it belongs to nobody, the session's own name counts. After a lost connection,
    `again` keeps two programs of one user from replacing each other for ever: if another session has entered under the
    name meanwhile, the answer is `out_of_league`, and that session stays in; so too if the name was freed meanwhile.
    """

    code: Code
    personal: Personal | None = None
    key: Key | None = None
    name: Name | None = None
    again: bool = False


class Dismiss(ClientBase, frozen=True, tag="dismiss"):
    """Sends an entrant of one's own league away; without a `name`, closes the league for all.

    The entrant is told `out_of_league`, and may enter again unless the host hands over a roster without them. With
    `free` the name belongs to nobody any more: the next one who enters under it gets it.
    """

    code: Code
    name: Name | None = None
    free: bool = False


class Write(ClientBase, frozen=True, tag="write"):
    """Writes to the host of a league: for who has entered it, and for organisers. The host gets a `letter`.

    The server carries letters and does not read them: what stands in one is between the league's host and its entrants.
    A host that is away hears nothing: `host_away`, to be tried again; one that has much to read: `rate_limited`.
    Servers with the feature `letters` know it.
    """

    code: Code
    text: LetterText


class Tell(ClientBase, frozen=True, tag="tell"):
    """Writes from one's own league to those who have entered it, and to organisers who wrote: they are `told`.

    `to` names their sessions, as `letter` did; without it all are told. Those who are away are never told of it.
    """

    code: Code
    text: LetterText
    to: Recipients | None = None


class ShowLeague(ClientBase, frozen=True, tag="show"):
    """Shows a league to all who look: the `ok` has its public id, which follows from `key` and opens nothing.

    Any session that shows the same `key` takes it over; the code that bots enter with has nothing to do with it. Each
    message replaces the one before, except that `rows` that are left out stay, with their `ties`, and that `games` are
    added, with growing numbers, unless `again` drops those before. The newest 500 are kept. The league is shown as long
    as the session lives; a restarted server has to be told again.
    """

    key: Key
    title: Label
    game: GameSpec
    state: LeagueState
    played: Count = 0
    planned: Count | None = None
    rows: Table | None = None
    playing: Playing = ()
    games: Annotated[tuple[LeagueGame, ...], Meta(max_length=MAX_TOLD_GAMES)] = ()
    again: bool = False
    ties: Ties | None = None


class FollowLeague(ClientBase, frozen=True, tag="league"):
    """Asks how a league stands, by its public id, and from then on for what changes; `follow` false ends that.

    The `ok` has the `scoreboard` and the newest `games`, the newest first; where it has `more`, that is the `before` of
    a request for older ones. It ends with the connection: ask again after coming back.
    """

    league: LeagueId
    follow: bool = True
    before: Cursor | None = None


class Pause(ClientBase, frozen=True, tag="pause"):
    """Stops a running match and its clocks; for organisers only, as are the five that follow."""

    match: MatchId


class Resume(ClientBase, frozen=True, tag="resume"):
    """Lets a paused match go on."""

    match: MatchId


class Switch(ClientBase, frozen=True, tag="switch"):
    """Allows things on this server, or forbids them to all but organisers; what is left out stays as it is.

    chat: lines of chat. takebacks: asking for one. values: reviews, trees, and what bots think. Everybody is told
    (`switched`). It ends with the server. Servers with the feature `switches` know it.
    """

    chat: bool | None = None
    takebacks: bool | None = None
    values: bool | None = None


class Adjudicate(ClientBase, frozen=True, tag="adjudicate"):
    """Ends a match that has begun: `winner` wins, or nobody does."""

    match: MatchId
    winner: SeatNumber | None


class Terminate(ClientBase, frozen=True, tag="terminate"):
    """Ends a match without a result, however far it has come."""

    match: MatchId


class Kick(ClientBase, frozen=True, tag="kick"):
    """Sends somebody away: their matches go to the opponents, their session ends, and their connection is closed."""

    name: Name


OrganiserRequest = Pause | Resume | Adjudicate | Terminate | Kick | Switch

ClientMessage = (
    Hello
    | Create
    | Join
    | Decline
    | Watch
    | Leave
    | ListMatches
    | FollowLobby
    | Boards
    | Review
    | Explain
    | Serve
    | Judgement
    | Sync
    | MakeMove
    | Resign
    | Offer
    | Answer
    | Abort
    | GiveTime
    | SeatLink
    | Claim
    | Chat
    | Thinking
    | HostLeague
    | Enter
    | Dismiss
    | Write
    | Tell
    | ShowLeague
    | FollowLeague
    | OrganiserRequest
)
