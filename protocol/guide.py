"""What no type can tell: how a client connects, plays, loses its connection and comes back; what the codes mean.

The chapters of docs/protocol.md, in the order in which `protocol.page` puts them. Numbers that the server holds clients
to are written here again; tests/protocol/test_docs.py compares them with the server's own.
"""

from __future__ import annotations

from protocol.errors import ErrorCode

ERRORS: dict[ErrorCode, str] = {
    ErrorCode.BAD_MESSAGE: "The message can't be read, or its fields contradict each other. Nothing was done.",
    ErrorCode.UNSUPPORTED_PROTOCOL: "The server does not speak this version of the protocol. Fatal.",
    ErrorCode.HELLO_REQUIRED: "Something was asked before `hello`.",
    ErrorCode.ALREADY_SAID_HELLO: "This connection has its session already.",
    ErrorCode.BAD_NAME: "The name is empty, too long, mixes scripts, or has what can't be shown. Choose another.",
    ErrorCode.NAME_TAKEN: "Somebody has this name, or one that looks like it. Choose another, or show your token.",
    ErrorCode.BAD_TOKEN: (
        "The token opens no session (any more). Say `hello` without it: on a new connection if it is fatal, as it is, "
        "and late, after many wrong ones from your address."
    ),
    ErrorCode.BAD_RULES: "No such game, or options or a clock that the server does not offer.",
    ErrorCode.UNKNOWN_GAME: "No such game, or options that it does not have.",
    ErrorCode.NO_SUCH_LEAGUE: "No league has this code now; to its host: it is none of this session's.",
    ErrorCode.BAD_CODE: "The league asks for a personal code, and the one given is missing or none of its codes.",
    ErrorCode.OUT_OF_LEAGUE: "You are no longer in the league you had entered; `data.why`: replaced, removed, closed.",
    ErrorCode.NO_SUCH_MATCH: "No match has this id, code or link; or it is private, full, over or forgotten.",
    ErrorCode.NO_SUCH_PLAYER: "Nobody of these names (`data.absent`) is connected, or the opponent has left.",
    ErrorCode.SEAT_TAKEN: "Both seats are taken. One may still `watch`.",
    ErrorCode.NOT_STARTED: "The match waits for its second player.",
    ErrorCode.NOT_YOUR_TURN: "The opponent is to move.",
    ErrorCode.ILLEGAL_MOVE: "The rules refuse the move: `data.why` says why, `data.legal` is what they allow.",
    ErrorCode.STALE_PLY: "Another move stands at this ply, or it is not yet the next one. A `snapshot` follows.",
    ErrorCode.GAME_OVER: "The match is over.",
    ErrorCode.NOT_OVER: "That is for matches that are over.",
    ErrorCode.NOTHING_OFFERED: "There is no such offer to accept or to decline.",
    ErrorCode.NOT_ALLOWED: "That is for others to do: for players, for spectators, for those who are invited.",
    ErrorCode.TOO_EARLY: "The opponent may still come back; `retry_after_ms` says how long.",
    ErrorCode.TOO_LATE: "Two moves were played: the match can't be aborted any more.",
    ErrorCode.TOO_LARGE: "The array has more messages than `limits.max_batch`. None of them was read.",
    ErrorCode.KICKED: "An organiser has sent you away. Fatal; don't come back by yourself.",
    ErrorCode.PAUSED: "An organiser paused the match: no clock runs, and no move counts until it goes on.",
    ErrorCode.PASSWORD_REQUIRED: (
        "`password` or `organiser` of `hello` is missing or wrong (`data.field`). Fatal; late after many wrong ones."
    ),
    ErrorCode.RATE_LIMITED: "Too much in too short a time; `retry_after_ms` says how long to wait.",
    ErrorCode.BUSY: "Somebody who is invited has enough invitations to answer; try again after `retry_after_ms`.",
    ErrorCode.SERVER_FULL: "The server, this session or its address has as many matches or connections as it may.",
    ErrorCode.SESSION_REPLACED: "The session goes on over a newer connection. Fatal; don't come back by yourself.",
    ErrorCode.SHUTTING_DOWN: "The server is about to stop and starts nothing new.",
    ErrorCode.INTERNAL: "A bug of the server, noted in its log.",
}
"""Each code's meaning."""

CLOSE_CODES: dict[int, tuple[str, str]] = {
    1000: ("done", "Nothing: this is how a client leaves."),
    1001: ("the server stops", "Come back if `closing` said when."),
    1003: ("a binary frame", "Send text frames."),
    1006: ("it broke, or the client read too slowly", "Come back with the token, after a pause."),
    1007: ("a frame that is not UTF-8", "Mend the client."),
    1008: ("after a fatal error, a flood, or without a `hello` in time", "Read the error before coming back."),
    1009: ("a frame larger than `limits.max_frame_bytes`", "Send less at once."),
    1011: ("no pong came within 5 s of a ping, or a bug of the server", "Come back with the token, after a pause."),
    1012: ("the server restarts", "Come back with the token, after a pause."),
    4001: ("the session goes on over a newer connection", "Don't come back: two programs would fight for it."),
    4002: ("an organiser has sent you away", "Don't come back by yourself."),
}
"""What closes a connection, and what a client does then."""

INTRODUCTION = """\
# Protocol 1

How to write a client or a bot for Arbitre, in any language that has WebSockets and JSON. This page is generated from
the code (`python -m protocol --write-docs`), and `arbitre schema` prints its messages as JSON Schema.

The shortest bot, in seven steps:

1. Open a WebSocket to `ws://HOST:8765/` with the subprotocol `arbitre.v1`.
2. Send `{"type":"hello","id":1,"protocol":1,"client":"my-bot 1.0","kind":"bot","name":"Ada"}`. Keep the `token` of
   the `welcome` that answers.
3. On `invitation`: send `join` with its `match`.
4. On `your_turn`: send `move` with its `match`, its `ply`, and one of its `legal` moves.
5. On `error`: look at its `code`. After `illegal_move` it is still your turn.
6. Ignore every message, and every field, that you don't know.
7. If the connection ends: connect again and send `hello` with the token.

`examples/protocol/` has such bots of 40 lines in Python and in JavaScript. `arbitre bot check` tries whether yours
does all that it has to do: see [Trying a client](#trying-a-client).
"""
"""What it is, and the least that a bot does."""

CONNECTING = """\
## Connecting

The address is `ws://HOST:8765/`: 8765 is the port unless the server was given another, and the path is `/`. Ask for
the subprotocol `arbitre.v1`; if the server does not agree to it, it is not an Arbitre server.

An address that starts with `wss://` is TLS. The server may have made its certificate itself; then the address ends in
`#sha256=` and 64 hexadecimal digits, the SHA-256 of the certificate (DER). The part from `#` on is not sent. Compare
it with the certificate that the server shows: if it fits, no authority need have signed it, and the host name need
not fit; if it doesn't, send nothing. Without such an end, check the certificate as for every other site.

All frames are text frames of UTF-8 JSON, at most `limits.max_frame_bytes` long (64 KiB unless the server says
otherwise). A frame holds one message, or an array of messages (a batch), which is only a way to save frames: each
message of it counts as if it had come alone, in order. A client may always send arrays of 1 to 512 messages; it gets
arrays only if its `hello` says `"batch": true`. Compression is not needed.

Send `hello` within 10 seconds. Answer pings, as WebSocket libraries do by themselves while your program lets them:
the server sends one every 5 seconds and waits 5 seconds for the pong. Who was silent that long, perhaps because a
laptop slept or a bot computed without letting its library work, finds the connection closed with 1011. You may send
pings, too. Read what is sent to you: a connection is cut off when 1 MiB waits for it, or when it takes nothing for 10
seconds.

A handshake may be refused with an HTTP status: 403 (the page of another site, by its `Origin`), 404 (another path),
426 (no WebSocket was asked for), 503 (too many connections; `Retry-After` says for how many seconds).
"""
"""The address, TLS, frames, pings."""

MESSAGES = """\
## Messages

A message is an object with a `type`. Every message from a client has an `id`, a whole number that the client chooses
(counting up from 1 is fine), and gets exactly one answer with that `id`:

- `ok`: it is done, and recorded. What came of it follows as events, to everybody concerned.
- `error`: it is refused and changed nothing.

Go by the `id`, not by the order. Nothing is dropped in silence. What can't be read gets an `error` too, with the `id`
if that much could be read; the connection stays open. A frame that is not JSON gets one `error`, whatever was in it.
`ok` answers only that the request was taken: what it brought about comes in messages of their own.

- Fields that hold their default may be left out, and the server leaves them out: a missing field has the default of
  its table below. Where the default is *absent*, `null` is not the same.
- The server refuses fields that it does not know, so a misspelt one is noticed. Clients ignore fields, and messages,
  that they don't know: servers may add some. Values of other types, `1.0` or `"1"` for `1`, are refused.
- Of a key that stands twice in an object, the last counts.
- Whole numbers are at most 2^53 - 1: each JSON library can hold them. `NaN` and `Infinity` are not JSON.
- Lengths of strings are counted in Unicode code points. A half of a surrogate pair, which JavaScript may leave when
  it cuts a text, is refused. There is no byte order mark.
"""
"""Requests and answers, and how JSON is read."""

NAMES = """\
## Names and sessions

The first message is `hello`; it is answered by `welcome`, then `ok`. From then on the connection speaks for a
session: a name, a token, and the seats that it takes. `kind` says whether a person or a program plays; people and
programs have the same rights, but for [what the network takes](#time).

- A name has 1 to 24 characters, after normalization to NFKC and with single spaces; `welcome` tells it as it is
  shown. (A message may show one of up to 32 characters, since games from elsewhere keep the names that they came
  with.)
- It has a letter or a digit, and no control, bidi or invisible characters. Its letters are of one script, or of
  scripts that are written together, as Japanese ones are: `Аda` with a Cyrillic `А` is `bad_name`.
- No two sessions have names that differ in case alone, or that look alike by Unicode's tables (UTS #39): `lvan` is
  `name_taken` while `Ivan` is there. Try another, such as `Ada 2`.
- No names are kept for anybody: the server never speaks under one. `seed`, `pv` and talk are held to the same
  characters.

**After you leave.** A connection that ends, however it ends, leaves the session as it is:

- Its seats are kept. In a match that is played, the clock runs on, and after `limits.absence_ms` the opponent may
  `claim` the win; a match that both players have left for 10 minutes ends as `abandoned`. A match that waits for a
  second player ends once whoever opened it has been away for 10 minutes.
- Its name is kept while it plays in, or has opened, a match that is not over, or hosts a league in which somebody
  waits. Else whoever says `hello` with that name gets it, and the session is over.
- Its token is good as long as the session lives: for 300 seconds after it left, or longer while a match keeps it.

The `token` is secret, and **each `welcome` brings a new one: keep the newest**. The one that you showed stays good
until a newer one is used, since the answer may get lost on its way. `bad_token` means that the session is over: say
`hello` without it, and you are somebody new.
"""
"""What a name may be, and what becomes of it and of seats when its holder leaves."""

MATCHES = """\
## Matches

Seats are 1, which moves first, and 2. `ply` is the number of a move in its game, from 0. A client needs no rules to
play: `legal` lists the legal moves whenever it is its turn. After a forced pass the same seat moves twice; `to_move`
always says who is next. `legal` comes in a fixed order, rows from the top and columns from the left.

1. `create` opens a match (status `waiting`), alone or with invitations. A private match has a `code` of six letters
   that can be said aloud, and a `link`, a secret for invitations that nobody types: `join` and `watch` take either.
   Bots wait to be invited: `list` tells who is here, and `invite` asks them.
2. `join` takes the free seat: `seated`, then `started` (status `playing`).
3. `your_turn` asks for a move. `move` answers it. `moved` tells all. A `passed` may follow.
4. `finished` tells the result: by the rules, or resigned, out of time, agreed, abandoned, aborted.
5. `offer` a `rematch`, or `leave`. Who does neither goes on hearing what is said.

One session plays as many matches at once as it likes (`limits.max_matches`); each message says which it means. An
illegal move costs nothing but time: the `error` has `legal`, and the clock runs on. A running game is left by
`resign`.

An organiser (`organiser` in `hello`) may `pause` a match (status `paused`): no clock runs and no move is taken until
it goes on; `your_turn` then comes again. He may also `adjudicate` a match, `terminate` it, or `kick` somebody.

Everything that happens in a match is an event, numbered by `seq`: 1, 2, 3 without a gap, the same for all who see the
match. Messages without `seq` (`your_turn`, `thought`, `murmur`, `invitation`) are not part of it. To follow a match:

- a `snapshot` is the whole state after event `seq`: replace what you have;
- an event whose `seq` is the next one: apply it;
- an event whose `seq` you have already, or of a match of which you have no snapshot yet: ignore it;
- an event that leaves a gap: send `sync` with the last `seq` that you have, and get what is missing, or a snapshot.

Who only answers `your_turn`, as the shortest bot does, needs none of this: each `your_turn` says all that a move
needs.
"""
"""From `create` to `finished`, and how a match is followed."""

GAMES = """\
## The games

`game` is an id, perhaps with options: `othello`, `othello:size=6`, `morpion:width=5,height=5,k=4`. Options that are
not written have their default. What a game or an option may not be is `bad_rules`, whose `message` says what it may
be.

Perft is the number of ways to play so many moves from the start, to try your own rules against. A forced pass counts
as a move there; a game that ends earlier counts once at each greater depth. `arbitre perft GAME DEPTH` prints more.
"""
"""What stands before the rules of each game."""

TIME = """\
## Time

All times are whole numbers of milliseconds, in fields that end in `_ms`; only `server_time_ms` is a date. A `clock`
is `initial_ms` for the whole game and `increment_ms` after each own move, or `move_ms` for each move; without one
nobody loses on time. `clocks` are what seats 1 and 2 have left when the message was made, and only the clock of
`to_move` runs.

The server's clock decides: your time runs from the moment when `your_turn` is handed to the network to the moment when
your answer is read, and a flag that falls before is `timeout`. What passes between (recording the move before, the
server's own delays, other people's storms) is charged to nobody; `stall_ms` of `moved` tells how much that was.
`deadline_ms` in `your_turn` is all the time left for the move: think for less, since the way to the server costs time
too.

What the network takes (`lag_ms` of `moved`) is given back to people, not to programs: of each move as much as the
last ping took, there and back, and no more than was used, out of a quota that begins at 1000 ms, grows by 100 ms with
each move and never above 1000. A program loses the time that its messages travel: let it think for 50 ms less than it
may, or more over Wi-Fi.
"""
"""Clocks, and whose loss the network is."""

ABSENCE = """\
## Coming back

A lost connection costs nothing but time: the clock runs on. Connect again after a pause (0.1 seconds, doubled up to
5, with some randomness) and say `hello` with the newest `token` and, in `seen`, the last `seq` that you have of each
match. The server sends what you missed of these matches, and a `snapshot` of the others; then invitations that still
stand. If it is your turn, `your_turn` comes again, with the time that is really left.

A request whose answer was lost may have been done or not. Sending it again is harmless for `move` (same ply and
move), `join`, `watch`, `leave`, `sync` and `list`. For others look first at what you were sent. A different move for
a ply that was played is `stale_ply`. One session has one connection: the newest, and the older one is closed with
4001.

When the server stops, `closing` comes first, with `retry_after_ms` if it will be back: wait that long, and go on as
above. Matches, seats, names and tokens outlive a restart, and a restart that you don't come back from in time counts
as absence.
"""
"""After a lost connection, a lost answer, a restart."""

LIMITS = """\
## Limits

`welcome` has the `limits` of this server. What is asked too often gets `rate_limited`, and changes nothing: wait for
`retry_after_ms`, then send it again. Who goes on regardless is closed with 1008.

- **Work.** A connection may ask for the work of 20,000 moves a second, an address for four times as much; the table
  below says what each request weighs. A page of `list` weighs 0.015 more for each match that it may show, and what many
  hear weighs more. No honest client meets these limits. Whoever asks for much at once is answered in small turns with
  the others who do; whoever asks for little is answered at once.
- **One address** has at most 500 connections, 500 sessions, 1,000 open matches (100 of them waiting for anybody to
  join; whoever plays none may open one all the same) and 20 leagues: `server_full`. A match that waits ends when its
  maker has been away for 10 minutes.
- **Codes.** 20 wrong codes of matches and leagues are free, then one a second, of an address and over all. A `link`
  has no such limit.
- **Passwords and tokens** that are right get in at once. Wrong ones are answered later and later, and not on many
  connections of one address at a time.
- **Talk**: 8 lines at once, then one a second. **Offers**: 6 between two moves, of both players. **Thoughts**: 100 a
  move. **Invitations**: a person has at most 8 to answer, and gets at most one in 5 seconds after the first 8 (`busy`).

docs/server.md has the numbers that an operator may set.
"""
"""What a client is held to."""

CHECKING = """\
## Trying a client

    arbitre serve                                                       a server on this machine
    arbitre bot check --command "node my_bot.js {url} Ada"              a program in any language
    arbitre play --invite Ada                                           a game against it

`bot check` is the conformance test of bots. It starts the program, with the address of a server of its own for
`{url}`, and plays against it: whole games in all sizes, forced passes, several matches at once, and with trouble: the
connection is cut in the middle of a move, messages come late, twice, or of types that do not exist. The program

- connects to the address and says `hello` with `kind` `bot`, under whatever name;
- joins what it is invited to, or declines games that it does not play;
- comes back with its token if the connection breaks;
- ends when the server has gone for good (1000 or 1001 without a time to come back, or nobody there after some tries),
  and when it is asked to (SIGTERM).

What was right and what was not comes as a list; `--only` and `--skip` choose, `--json` is for programs. A bot that
won't come back passes with `--skip reconnect`.
"""
"""The conformance test."""
