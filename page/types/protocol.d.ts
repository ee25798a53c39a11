/**
 * Protocol 1, generated from its structs by `python -m protocol --write-docs`. docs/protocol.md says what it means.
 * A field with a `?` may be left out.
 */
declare namespace Protocol {
  /** A name in a league that belongs to whoever has a key. */
  interface BoundName {
    name: string;
    code: string;
    hash: string;
  }

  /** A node of the tree that minimax sees: the position after `move`, and its value for whoever moves at the root. */
  interface Branch {
    to_move: 1 | 2;
    kind: "end" | "estimate" | "replies";
    value: number;
    move?: string | null;
    plies?: number | null;
    bound?: "at_least" | "at_most" | "exact";
    chosen?: boolean;
    unseen?: string[];
    children?: number;
  }

  /** A time control: `initial_ms` for the game plus `increment_ms` after each move, or `move_ms` for each move. */
  interface Clock {
    initial_ms?: number;
    increment_ms?: number;
    move_ms?: number;
    second?: SeatClock | null;
  }

  /** A position as it is drawn, after `ply` moves: for clients that know no rules. */
  interface Diagram {
    ply: number;
    to_move: 1 | 2;
    rows: string[];
    score: [number, number];
    cells?: [number, number][];
    moves?: Record<string, [number, number][]>;
    mover?: 1 | 2 | null;
    passed?: 1 | 2 | null;
  }

  /** What the position after `ply` moves of a game is worth, and how good the move was that was played there. */
  interface Judged {
    ply: number;
    chance: number;
    exact?: boolean;
    value?: number | null;
    best?: string[];
    line?: string[];
    grade?: "best" | "blunder" | "good" | "inaccuracy" | "mistake" | null;
  }

  /** A game of a league that is over. */
  interface LeagueGame {
    number: number;
    first: string;
    second: string;
    winner: 1 | 2 | null;
    reason: "abandoned" | "aborted" | "adjudicated" | "agreement" | "crash" | "discs" | "full" | "illegal" | "line" | "resign" | "rules" | "timeout";
    moves?: string;
  }

  /** A game of a league that is being played: its match, and who plays it, as the league knows them. */
  interface LeagueMatch {
    match: string;
    first: string;
    second: string;
  }

  /** A league that is shown, in the lobby. */
  interface LeagueSummary {
    league: string;
    host: string;
    title: string;
    game: string;
    state: "finished" | "open" | "running";
    players?: number;
  }

  /** The bounds that this server holds its clients to. */
  interface Limits {
    max_frame_bytes: number;
    max_batch: number;
    max_chat: number;
    max_matches: number;
    absence_ms: number;
  }

  /** A line of the list of matches. */
  interface MatchSummary {
    match: string;
    game: string;
    status: "finished" | "paused" | "playing" | "waiting";
    players: [Player | null, Player | null];
    clock?: Clock | null;
    ply?: number;
    viewers?: number;
    opened_ms?: number;
  }

  /** What a match does about the network. */
  interface Network {
    outage?: "clock" | "pause";
    most_ms?: number;
    lag?: "charged" | "forgiven";
  }

  /** Who sits on a seat. */
  interface Player {
    name: string;
    kind: "bot" | "human";
    present?: boolean;
    house?: boolean;
  }

  /** How a match ended: `winner` (null for a draw or none), why, and what each seat made. */
  interface Result {
    winner: 1 | 2 | null;
    reason: "abandoned" | "aborted" | "adjudicated" | "agreement" | "crash" | "discs" | "full" | "illegal" | "line" | "resign" | "rules" | "timeout";
    score: [number, number];
    tournament_score?: [number, number] | null;
    cells?: [number, number][];
    away?: 1 | 2 | null;
    declined?: "busy" | null;
    ending?: string | null;
    refused_by?: 1 | 2 | null;
  }

  /** Somebody who may enter a league: the name that counts there, and the hash of the personal code. */
  interface RosterEntry {
    name: string;
    hash: string;
  }

  /** A row of the table of a league. */
  interface ScoreRow {
    name: string;
    rank: number;
    points: number;
    played: number;
    rating?: number | null;
    error?: number | null;
    against?: (number | null)[];
    buchholz?: number | null;
  }

  /** How a league stands, as its host tells it: nobody checks that. */
  interface Scoreboard {
    host: string;
    title: string;
    game: string;
    state: "finished" | "open" | "running";
    played?: number;
    planned?: number | null;
    rows?: ScoreRow[];
    playing?: LeagueMatch[];
    ties?: "buchholz" | "direct" | null;
  }

  /** The time of a seat: `initial_ms` for the game plus `increment_ms` after each move, or `move_ms` for each move. */
  interface SeatClock {
    initial_ms?: number;
    increment_ms?: number;
    move_ms?: number;
  }

  /** The first message of a connection: who is there. */
  interface Hello {
    type: "hello";
    id: number;
    protocol: number;
    client: string;
    kind: "bot" | "human";
    name: string;
    token?: string | null;
    batch?: boolean;
    seen?: Record<string, number>;
    password?: string | null;
    organiser?: string | null;
    boards?: boolean;
    service?: string | null;
    serves?: "bots" | "reviews";
  }

  /** Opens a match. */
  interface Create {
    type: "create";
    id: number;
    game: string;
    clock?: Clock | null;
    public?: boolean;
    seat?: "first" | "random" | "second";
    play?: boolean;
    invite?: string[];
    opening?: string[];
    seed?: string | null;
    follow?: boolean;
    network?: Network | null;
  }

  /** Takes a free seat of a match, by `match` (public, or invited), `code` or `link`. */
  interface Join {
    type: "join";
    id: number;
    match?: string | null;
    code?: string | null;
    link?: string | null;
  }

  /** Says no to an invitation; the match is aborted. */
  interface Decline {
    type: "decline";
    id: number;
    match: string;
    why?: "busy" | null;
  }

  /** Follows a match without a seat, by `match` (public), `code` or `link`. */
  interface Watch {
    type: "watch";
    id: number;
    match?: string | null;
    code?: string | null;
    link?: string | null;
  }

  /** Stops following a match: a spectator, or a player whose match is over. */
  interface Leave {
    type: "leave";
    id: number;
    match: string;
  }

  /** Asks for a page of the public matches, the newest first, and with the first page for who is connected. */
  interface ListMatches {
    type: "list";
    id: number;
    game?: string | null;
    after?: number | null;
    limit?: number;
  }

  /** Asks for the first page, as `list` does, and from then on for what changes; `follow` false ends that. */
  interface FollowLobby {
    type: "lobby";
    id: number;
    game?: string | null;
    follow?: boolean;
  }

  /** Asks how the boards of a game look: after `since` moves, and after each further move up to the last. */
  interface Boards {
    type: "boards";
    id: number;
    game: string;
    moves?: string[];
    since?: number;
  }

  /** Asks what each move of a game was worth: of a `match` that is over, or of a `game` and its `moves`. */
  interface Review {
    type: "review";
    id: number;
    game?: string | null;
    moves?: string[];
    match?: string | null;
    follow?: boolean;
  }

  /** Asks for a node of the tree that minimax sees after `moves`, and for its children: `explained` brings them. */
  interface Explain {
    type: "explain";
    id: number;
    game: string;
    moves?: string[];
    depth?: 1 | 2 | 3;
    path?: string[];
  }

  /** A service of the server is ready for work: it gets `job`s, at most one review and one tree at a time. */
  interface Serve {
    type: "serve";
    id: number;
    judge: string;
  }

  /** What a service has found out for a `job` so far; with `done` it is ready for the next. */
  interface Judgement {
    type: "judgement";
    id: number;
    job: string;
    steps?: Judged[];
    branches?: Branch[];
    done?: boolean;
    why?: "failed" | "no_such_node" | "over" | "too_large" | null;
  }

  /** Asks for what came after `seq` in a match: the missing events if they are still held, else a snapshot. */
  interface Sync {
    type: "sync";
    id: number;
    match: string;
    seq?: number;
  }

  /** Plays `move` as ply number `ply` (0 for the first). */
  interface MakeMove {
    type: "move";
    id: number;
    match: string;
    ply: number;
    move: string;
  }

  /** Gives the game up. */
  interface Resign {
    type: "resign";
    id: number;
    match: string;
    reason?: "crash" | "illegal" | "resign" | "timeout";
  }

  /** Offers a draw, asks for a takeback (of one's own last move), or for a rematch once the game is over. */
  interface Offer {
    type: "offer";
    id: number;
    match: string;
    what: "draw" | "rematch" | "takeback";
  }

  /** Accepts or declines the opponent's standing offer; the one who made an offer may decline it to withdraw it. */
  interface Answer {
    type: "answer";
    id: number;
    match: string;
    what: "draw" | "rematch" | "takeback";
    accept: boolean;
  }

  /** Ends a match without a result: while it waits for players, or before its second move. */
  interface Abort {
    type: "abort";
    id: number;
    match: string;
  }

  /** Gives the opponent 15 seconds, at most 20 times in a match, told as `gave_time`. */
  interface GiveTime {
    type: "give_time";
    id: number;
    match: string;
  }

  /** Asks for a `link` by which another session (on another device) may take over the reader's seat once, by `join`. */
  interface SeatLink {
    type: "seat_link";
    id: number;
    match: string;
  }

  /** Claims the win after the opponent has been away for as long as `presence` said; before, it is `too_early`. */
  interface Claim {
    type: "claim";
    id: number;
    match: string;
  }

  /** Says something: players to all who see the match, spectators to the other spectators. */
  interface Chat {
    type: "chat";
    id: number;
    match: string;
    text: string;
  }

  /** What a bot sees while it thinks; relayed to spectators, unless a person plays; never to the opponent. */
  interface Thinking {
    type: "thinking";
    id: number;
    match: string;
    ply: number;
    depth?: number;
    score?: number | null;
    pv?: string[];
    nodes?: number;
    ms?: number;
    exact?: boolean;
  }

  /** Opens a league, which others enter with the code in the `ok`. */
  interface HostLeague {
    type: "host";
    id: number;
    code?: string | null;
    roster?: RosterEntry[] | null;
    bound?: BoundName[];
  }

  /** Enters a league: its host is told of this session, and invites it to matches. */
  interface Enter {
    type: "enter";
    id: number;
    code: string;
    personal?: string | null;
    key?: string | null;
    name?: string | null;
    again?: boolean;
  }

  /** Sends an entrant of one's own league away; without a `name`, closes the league for all. */
  interface Dismiss {
    type: "dismiss";
    id: number;
    code: string;
    name?: string | null;
    free?: boolean;
  }

  /** Writes to the host of a league: for who has entered it, and for organisers. */
  interface Write {
    type: "write";
    id: number;
    code: string;
    text: string;
  }

  /** Writes from one's own league to those who have entered it, and to organisers who wrote: they are `told`. */
  interface Tell {
    type: "tell";
    id: number;
    code: string;
    text: string;
    to?: string[] | null;
  }

  /** Shows a league to all who look: the `ok` has its public id, which follows from `key` and opens nothing. */
  interface ShowLeague {
    type: "show";
    id: number;
    key: string;
    title: string;
    game: string;
    state: "finished" | "open" | "running";
    played?: number;
    planned?: number | null;
    rows?: ScoreRow[] | null;
    playing?: LeagueMatch[];
    games?: LeagueGame[];
    again?: boolean;
    ties?: "buchholz" | "direct" | null;
  }

  /** Asks how a league stands, by its public id, and from then on for what changes; `follow` false ends that. */
  interface FollowLeague {
    type: "league";
    id: number;
    league: string;
    follow?: boolean;
    before?: number | null;
  }

  /** Stops a running match and its clocks; for organisers only, as are the five that follow. */
  interface Pause {
    type: "pause";
    id: number;
    match: string;
  }

  /** Lets a paused match go on. */
  interface Resume {
    type: "resume";
    id: number;
    match: string;
  }

  /** Ends a match that has begun: `winner` wins, or nobody does. */
  interface Adjudicate {
    type: "adjudicate";
    id: number;
    match: string;
    winner: 1 | 2 | null;
  }

  /** Ends a match without a result, however far it has come. */
  interface Terminate {
    type: "terminate";
    id: number;
    match: string;
  }

  /** Sends somebody away: their matches go to the opponents, their session ends, and their connection is closed. */
  interface Kick {
    type: "kick";
    id: number;
    name: string;
  }

  /** Allows things on this server, or forbids them to all but organisers; what is left out stays as it is. */
  interface Switch {
    type: "switch";
    id: number;
    chat?: boolean | null;
    takebacks?: boolean | null;
    values?: boolean | null;
  }

  /** The session is open. */
  interface Welcome {
    type: "welcome";
    protocol: number;
    session: string;
    token: string;
    name: string;
    features: string[];
    limits: Limits;
    games: string[];
    server_time_ms: number;
    resumed?: boolean;
    matches?: string[];
  }

  /** The request `id` is done, and recorded. */
  interface Ok {
    type: "ok";
    id: number;
    match?: string;
    code?: string;
    link?: string;
    matches?: MatchSummary[];
    players?: Player[];
    more?: number;
    boards?: Diagram[];
    result?: Result;
    ticket?: string;
    leagues?: LeagueSummary[];
    league?: string;
    scoreboard?: Scoreboard;
    games?: LeagueGame[];
  }

  /** The request `id` is refused and changed nothing. */
  interface Error {
    type: "error";
    code: string;
    message: string;
    id?: number;
    fatal?: boolean;
    retry_after_ms?: number;
    data?: Record<string, string | number | string[]>;
  }

  /** Somebody asks this session to play: answer with `join` or `decline`. */
  interface Invitation {
    type: "invitation";
    match: string;
    game: string;
    by: string;
    seat: 1 | 2;
    clock?: Clock | null;
    seed?: string | null;
    network?: Network | null;
  }

  /** The whole state of a match after event `seq`. */
  interface Snapshot {
    type: "snapshot";
    match: string;
    seq: number;
    game: string;
    status: "finished" | "paused" | "playing" | "waiting";
    players: [Player | null, Player | null];
    seat: 1 | 2 | null;
    moves: string[];
    ply: number;
    to_move: 1 | 2;
    legal: string[];
    clock?: Clock | null;
    clocks?: [number, number] | null;
    offers?: Partial<Record<"draw" | "rematch" | "takeback", 1 | 2>>;
    result?: Result | null;
    code?: string | null;
    link?: string | null;
    viewers?: number;
    network?: Network | null;
    delay_ms?: number;
    arranged?: boolean;
  }

  /** It is the reader's turn at `ply`; `deadline_ms` is the time left before the flag falls (absent without a clock). */
  interface YourTurn {
    type: "your_turn";
    match: string;
    ply: number;
    legal: string[];
    clocks?: [number, number] | null;
    deadline_ms?: number | null;
    rtt_ms?: number;
    allowance_ms?: number;
  }

  /** How the board of a match looks now, for clients that asked for `boards` in `hello`; this is no event. */
  interface Drawn {
    type: "board";
    match: string;
    board: Diagram;
  }

  /** A bot's `thinking`, as spectators see it. */
  interface Thought {
    type: "thought";
    match: string;
    ply: number;
    seat: 1 | 2;
    depth?: number;
    score?: number | null;
    pv?: string[];
    nodes?: number;
    ms?: number;
    exact?: boolean;
  }

  /** What a spectator said, to the other spectators; it is not part of the match. */
  interface Murmur {
    type: "murmur";
    match: string;
    name: string;
    text: string;
  }

  /** A match that this session opened and did not follow is over; `used_ms` is what each seat was charged for. */
  interface Report {
    type: "report";
    match: string;
    players: [Player | null, Player | null];
    result: Result;
    moves: string[];
    used_ms?: [number, number];
    declined?: 1 | 2 | null;
    away_ms?: [number, number];
    move_ms?: number[];
  }

  /** What has changed in the lobby, for sessions that follow it, at most four times a second. */
  interface LobbyChanged {
    type: "lobby_changed";
    matches?: MatchSummary[];
    gone?: string[];
    players?: Player[];
    again?: boolean;
    leagues?: LeagueSummary[];
  }

  /** How a league stands now, for its followers, at most once a second. */
  interface LeagueChanged {
    type: "league_changed";
    league: string;
    scoreboard?: Scoreboard;
    games?: LeagueGame[];
    again?: boolean;
  }

  /** What is known of a review: all of it at first, then what is new. */
  interface Reviewed {
    type: "reviewed";
    ticket: string;
    status: "done" | "failed" | "queued" | "running";
    place?: number;
    steps?: Judged[];
    why?: "failed" | "no_such_node" | "over" | "too_large" | "being_played" | "given_up" | "no_service" | null;
  }

  /** A node of a tree and its children, in the order in which minimax looked at them; or `why` there is none. */
  interface Explained {
    type: "explained";
    ticket: string;
    branches?: Branch[];
    why?: "failed" | "no_such_node" | "over" | "too_large" | "being_played" | "given_up" | "no_service" | null;
  }

  /** Work for a service: the game to be judged, or the tree of which a node is wanted. */
  interface Job {
    type: "job";
    job: string;
    what: "explain" | "review";
    game: string;
    moves?: string[];
    depth?: number;
    path?: string[];
  }

  /** Nobody waits for a job any more: the service may leave it, and is ready for the next. */
  interface JobOver {
    type: "job_over";
    job: string;
  }

  /** The server is about to close every connection: come back after `retry_after_ms`; not at all if it is absent. */
  interface Closing {
    type: "closing";
    retry_after_ms?: number;
  }

  /** Somebody has entered the league `code` that this session hosts, or has gone, or come back. */
  interface Entrant {
    type: "entrant";
    code: string;
    player: Player;
    entry?: string;
    replaced?: string;
    bound?: BoundName;
    rtt_ms?: number;
  }

  /** Somebody tried to enter the league `code`, which this session hosts, under a name that is not theirs. */
  interface EntryRefused {
    type: "entry_refused";
    code: string;
    name: string;
    count?: number;
    origin?: string;
  }

  /** Somebody writes to the host of the league `code`; `tell` answers to their `session`. */
  interface Letter {
    type: "letter";
    code: string;
    session: string;
    text: string;
    entry?: string;
    directs?: boolean;
  }

  /** What the host of the league `code` writes to this session, or to all who have entered. */
  interface Told {
    type: "told";
    code: string;
    text: string;
  }

  /** What is allowed on this server from now on; also told after `welcome` while anything is forbidden. */
  interface Switched {
    type: "switched";
    chat?: boolean;
    takebacks?: boolean;
    values?: boolean;
  }

  /** A player took a seat. */
  interface Seated {
    type: "seated";
    match: string;
    seq: number;
    seat: 1 | 2;
    player: Player;
  }

  /** Both seats are filled and the game begins; the clock of `to_move` runs. */
  interface Started {
    type: "started";
    match: string;
    seq: number;
    to_move: 1 | 2;
    clocks?: [number, number] | null;
  }

  /** `seat` played `move` as ply number `ply`; `clocks` are what each seat has left, `to_move` plays next. */
  interface Moved {
    type: "moved";
    match: string;
    seq: number;
    ply: number;
    seat: 1 | 2;
    move: string;
    to_move: 1 | 2;
    clocks?: [number, number] | null;
    used_ms?: number;
    lag_ms?: number;
    stall_ms?: number;
    opening?: boolean;
  }

  /** `seat` has no legal move before ply `ply` and passes; nothing is asked of it. */
  interface Passed {
    type: "passed";
    match: string;
    seq: number;
    ply: number;
    seat: 1 | 2;
  }

  /** No clock runs: an organiser paused the match, or the server stops (`stopping`) and goes on with it later. */
  interface Paused {
    type: "paused";
    match: string;
    seq: number;
    clocks?: [number, number] | null;
    used_ms?: number;
    lag_ms?: number;
    stall_ms?: number;
    stopping?: boolean;
  }

  /** The match goes on; the clock of `to_move` runs. */
  interface Resumed {
    type: "resumed";
    match: string;
    seq: number;
    to_move: 1 | 2;
    clocks?: [number, number] | null;
  }

  /** The opponent of `seat` granted the takeback: the moves from ply number `ply` on are undone. */
  interface TookBack {
    type: "took_back";
    match: string;
    seq: number;
    ply: number;
    seat: 1 | 2;
    to_move: 1 | 2;
    clocks?: [number, number] | null;
  }

  /** `seat` offers a draw, asks for a takeback, or for a rematch. */
  interface Offered {
    type: "offered";
    match: string;
    seq: number;
    what: "draw" | "rematch" | "takeback";
    seat: 1 | 2;
  }

  /** `seat` declined the standing offer, or withdrew its own. */
  interface Declined {
    type: "declined";
    match: string;
    seq: number;
    what: "draw" | "rematch" | "takeback";
    seat: 1 | 2;
  }

  /** `seat` gave its opponent `added_ms`; `clocks` are what each seat has left now, with it. */
  interface GaveTime {
    type: "gave_time";
    match: string;
    seq: number;
    seat: 1 | 2;
    added_ms: number;
    clocks: [number, number];
  }

  /** `seat` lost its connection, or gave no sign of life for long, or came back. */
  interface Presence {
    type: "presence";
    match: string;
    seq: number;
    seat: 1 | 2;
    present: boolean;
    claimable_ms?: number | null;
    clocks?: [number, number] | null;
    used_ms?: number;
    lag_ms?: number;
    stall_ms?: number;
    waits_ms?: number | null;
  }

  /** A player said something. */
  interface Said {
    type: "said";
    match: string;
    seq: number;
    seat: 1 | 2;
    text: string;
  }

  /** The match is over. */
  interface Finished {
    type: "finished";
    match: string;
    seq: number;
    result: Result;
    clocks?: [number, number] | null;
    used_ms?: number;
    lag_ms?: number;
    stall_ms?: number;
  }

  /** Both want another game: it is match `next`, seats swapped, and the players already sit in it. */
  interface Rematched {
    type: "rematched";
    match: string;
    seq: number;
    next: string;
  }

  type ClientMessage =
    | Hello
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
    | Pause
    | Resume
    | Adjudicate
    | Terminate
    | Kick
    | Switch;

  type ServerMessage =
    | Welcome
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
    | Seated
    | Started
    | Moved
    | Passed
    | Paused
    | Resumed
    | TookBack
    | Offered
    | Declined
    | GaveTime
    | Presence
    | Said
    | Finished
    | Rematched;

  type MatchEvent =
    | Seated
    | Started
    | Moved
    | Passed
    | Paused
    | Resumed
    | TookBack
    | Offered
    | Declined
    | GaveTime
    | Presence
    | Said
    | Finished
    | Rematched;
}
