"""What no type can say: how a client connects, plays, loses its connection and comes back; what the codes mean.

The chapters of docs/protocol.md, in the order in which `protocol.page` puts them. Numbers that the server holds clients
to are written here again; tests/protocol/test_docs.py compares them with the server's own.
"""

from __future__ import annotations

from protocol.errors import ErrorCode

ERROR_GROUPS: dict[str, dict[ErrorCode, str]] = {
    "Any request": {
        ErrorCode.BAD_MESSAGE: "The message can't be read, or its fields contradict each other. Nothing was done.",
        ErrorCode.TOO_LARGE: "The array has more messages than `limits.max_batch`. None of them was read.",
        ErrorCode.HELLO_REQUIRED: "Something was asked before `hello`.",
        ErrorCode.RATE_LIMITED: "Too much too soon: wait for `retry_after_ms`; without it, for the next move.",
        ErrorCode.SERVER_FULL: "The server, this session or its address has as many matches or connections as it may.",
        ErrorCode.SHUTTING_DOWN: "The server stops, and nothing new begins; `retry_after_ms` if it will be back.",
        ErrorCode.INTERNAL: "A bug of the server, noted in its log.",
    },
    "`hello`, and the end of a session": {
        ErrorCode.UNSUPPORTED_PROTOCOL: "The server does not speak this version of the protocol. Fatal.",
        ErrorCode.ALREADY_SAID_HELLO: "This connection has its session already.",
        ErrorCode.BAD_NAME: "The name is empty, too long, mixes scripts, or has what can't be shown. Choose another.",
        ErrorCode.NAME_TAKEN: "Somebody has this name, or one that looks like it. Choose another, or show your token.",
        ErrorCode.BAD_TOKEN: (
            "The token opens no session any more. Say `hello` without it, on a new connection if the error is fatal: "
            "it is so, and late, after many wrong ones from your address."
        ),
        ErrorCode.PASSWORD_REQUIRED: (
            "`password`, `organiser` or `service` missing or wrong (`data.field`). Fatal; late after many wrong ones."
        ),
        ErrorCode.SESSION_REPLACED: "The session goes on over a newer connection. Fatal; don't come back by yourself.",
        ErrorCode.KICKED: "An organiser has sent you away. Fatal; don't come back by yourself.",
    },
    "Opening, finding and joining a match": {
        ErrorCode.BAD_RULES: "`create`: no such game, or options, a clock or an opening that can't be.",
        ErrorCode.UNKNOWN_GAME: "`list` and `lobby`: no such game, or options that it does not have.",
        ErrorCode.NO_SUCH_PLAYER: "Nobody of these names (`data.absent`) is connected, or the opponent has left.",
        ErrorCode.BUSY: (
            "Somebody who is invited has enough invitations to answer, or is a bot in another's league, or the queue "
            "of reviews is full; try again after `retry_after_ms`."
        ),
        ErrorCode.HOUSE_BUSY: "The bots of the house play as many games as they may, with you or in all.",
        ErrorCode.NO_SUCH_MATCH: (
            "No match has this id, code or link; or it is private, or forgotten. By a code or a link, a match that is "
            "full or over is none, either."
        ),
        ErrorCode.SEAT_TAKEN: "Both seats of a public match are taken. One may still `watch`.",
    },
    "In a match": {
        ErrorCode.NOT_YOUR_TURN: "The opponent is to move.",
        ErrorCode.ILLEGAL_MOVE: "The rules refuse the move: `data.why` says why, `data.legal` is what they allow.",
        ErrorCode.STALE_PLY: (
            "Another move stands at this ply, or it is not yet the next one. A `snapshot` follows, and `your_turn` if "
            "it is yours."
        ),
        ErrorCode.NOT_STARTED: "The match waits for its second player.",
        ErrorCode.PAUSED: "An organiser paused the match, or the server stops: no move counts until it goes on.",
        ErrorCode.GAME_OVER: "The match is over.",
        ErrorCode.NOT_OVER: "That is for matches that are over.",
        ErrorCode.NOTHING_OFFERED: "There is no such offer to accept or to decline.",
        ErrorCode.NOT_ALLOWED: (
            "That is for others to do (players, spectators, guests, organisers), or there is nothing to do it to."
        ),
        ErrorCode.TOO_EARLY: "The opponent may still come back; `retry_after_ms` says how long.",
        ErrorCode.TOO_LATE: "Two moves were played: the match can't be aborted any more.",
    },
    "Reviews": {
        ErrorCode.BEING_PLAYED: "A game at your address stands at a position of it, or may: ask when that is over.",
        ErrorCode.NO_SERVICE: "This server has no service that does this, or it is gone for now.",
    },
    "Leagues": {
        ErrorCode.NO_SUCH_LEAGUE: "No league has this code now; to its host: it is none of this session's.",
        ErrorCode.BAD_CODE: "The league asks for a personal code, and the one given is missing or none of its codes.",
        ErrorCode.NOT_YOURS: (
            "The name belongs to somebody else in this league: to another key, or another session. Enter under another "
            "name, show the key, or ask the host to give the name free."
        ),
        ErrorCode.HOST_AWAY: "The host of this league is not connected now: try again after `retry_after_ms`.",
        ErrorCode.SWITCHED_OFF: "An organiser has switched this off for now (`switched`).",
        ErrorCode.OUT_OF_LEAGUE: "You are out of the league that you entered; `data.why`: replaced, removed, closed.",
    },
}
"""What each code means, grouped by the requests that it may answer."""

ERRORS: dict[ErrorCode, str] = {code: text for group in ERROR_GROUPS.values() for code, text in group.items()}
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
    1013: ("others need the room, and you had neither a game nor a league", "Come back with the token, after a pause."),
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

| you want to | read |
|---|---|
| write a bot | the seven steps, [a conversation](#a-whole-conversation), [Time](#time), [Coming back](#coming-back) |
| write a client for people | that, and [Matches](#matches), [Names and sessions](#names-and-sessions) |
| know the rules, and try your own | [The games](#the-games) |
| know what a refusal or a close means | [Errors](#errors), [Close codes](#close-codes) |
| find a message | [From a client](#from-a-client), [from the server](#from-the-server), [parts](#parts-of-messages) |
"""
"""What it is, and the least that a bot does."""

CONNECTING = """\
## Connecting

The address is `ws://HOST:8765/`: 8765 is the port unless the server was given another, and the path is `/`. Ask for
the subprotocol `arbitre.v1`; if the server does not agree to it, it is not an Arbitre server.

**Found on the network.** Servers may announce themselves by mDNS as instances of `_arbitre._tcp`, with their port and
addresses; the TXT record has `v=1`, and where they hold `tls=1`, `sha256=` and `password=1`. `GET /lobby` answers
whoever asks, without a session: `protocol`, `version`, `server_time_ms`, `password` if one is asked for, and as
`matches` some of the public matches, those that wait first, as a `list` has them. Anybody can announce anything: don't
dial addresses off your own networks for it.

**TLS.** An address that starts with `wss://` is TLS. The server may have made its certificate itself; then the
address ends in `#sha256=` and 64 hexadecimal digits, the SHA-256 of the certificate (DER). The part from `#` on is
not sent. Compare it with the certificate that the server shows: if it fits, no authority need have signed it, and the
host name need not fit; if it doesn't, send nothing. Without such an end, check the certificate as for every other
site.

**Refused handshakes** have an HTTP status, and a sentence as their body:

| status | why | what to do |
|---|---|---|
| 400 | the subprotocol is missing or another, or the handshake is malformed | Ask for `arbitre.v1`. |
| 403 | it comes from the page of another site, by its `Origin` | Send no `Origin`, as programs do. |
| 404 | the path is not `/` | Mend the address. |
| 421 | the server does not go by the name in `Host` | Use its address, or a name that its operator gave it. |
| 426 | no WebSocket was asked for | Ask for one. |
| 503 | there are too many connections | Come back after the seconds of `Retry-After`. |

**Frames** are text frames of UTF-8 JSON, at most `limits.max_frame_bytes` long (64 KiB unless the server says
otherwise). A frame holds one message, or an array of messages (a batch), which is only a way to save frames: each
message of it counts as if it had come alone, in order. A client may always send arrays of 1 to 512 messages; it gets
arrays only if its `hello` says `"batch": true`. Compression is not needed.

**Signs of life.** Send `hello` within 10 seconds. Answer pings, as WebSocket libraries do by themselves while your
program lets them: the server sends one every 5 seconds and waits 5 seconds for the pong. Who was silent that long,
perhaps because a laptop slept or a bot computed without letting its library work, finds the connection closed with
1011. You may send pings, too. Read what is sent to you: a connection is cut off when 1 MiB waits for it, or when it
takes nothing for 10 seconds.
"""
"""The address, TLS, frames, pings."""

MESSAGES = """\
## Messages

A message is an object with a `type`. Every message from a client has an `id`, a whole number that the client chooses
(counting up from 1 is fine), and gets exactly one answer with that `id`:

- `ok`: it is done, and recorded. What came of it is told in messages of their own, to everybody concerned, before or
  after the `ok`.
- `error`: it is refused and changed nothing. Look at its `code`; after a `fatal` one the connection ends.

Go by the `id`, not by the order. Nothing is dropped in silence. What can't be read gets an `error` too, with the `id`
if that much could be read; the connection stays open. A frame that is not JSON gets one `error`, whatever was in it.
An `error` without an `id` may also tell what nobody asked for: `session_replaced`, `kicked`, `out_of_league`.

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
programs have the same rights, except for [what the network takes](#time).

- A name has 1 to 24 characters, after normalization to NFKC and with single spaces; `welcome` tells it as it is
  shown. (A message may show one of up to 32 characters, since games from elsewhere keep the names that they came
  with.)
- It has a letter or a digit, and no control, bidi or invisible characters. Its letters are of one script, or of
  scripts that are written together, as Japanese ones are: `Аda` with a Cyrillic `А` is `bad_name`.
- No two sessions have names that differ in case alone, or that look alike by Unicode's tables (UTS #39): `lvan` is
  `name_taken` while `Ivan` is there. Try another, such as `Ada 2`.
- No names are kept for anybody: the server never speaks under one.
- What else is shown to others has no such characters either: in `seed` and `pv` they are `bad_message`, in `text` they
  are taken out.

A `password`, and an `organiser` secret, go with every `hello`, also with one that has a token. With a token the
session keeps its name, whatever `name` says.

**After you leave.** A connection that ends, however it ends, leaves the session as it is:

- Its seats are kept. In a match that is played, the clock runs on, and after `limits.absence_ms` the opponent may
  `claim` the win; a match that both players have left for 10 minutes ends as `abandoned`. A match that waits for a
  second player ends once whoever opened it has been away for 10 minutes.
- Its name is kept while it plays in, has opened, or is invited to a match that is not over; while it hosts a
  league; and while it has entered one. Else whoever says `hello` with that name gets it, and the session is over.
- Its token is good as long as the session lives: for 300 seconds after it left, two hours if it has entered a
  league, or longer while a match keeps it.
- A session is no proof of who you are once it is over. In a league, a name belongs to a `key` that you keep:
  `enter` with the same key takes the entry over from whatever session, and nobody else's does. Draw at least 128
  bits at random, once, and write them to a file. Without a key the name is your session's alone. After a lost
  connection say `again`, so that you leave the place to a newer program of yours instead of taking turns with it.

The `token` is secret, and **each `welcome` brings a new one: keep the newest**. The one that you showed stays good
until a newer one is used, since the answer may get lost on its way. `bad_token` means that the session is over: say
`hello` without it, on the same connection, and you are somebody new.
"""
"""What a name may be, and what becomes of it and of seats when its holder leaves."""

MATCHES = """\
## Matches

Seats are 1, which moves first, and 2. `ply` is the number of a move in its game, from 0. A client needs no rules to
play: `legal` lists the legal moves whenever it is its turn. After a forced pass the same seat moves twice; `to_move`
always says who is next. `legal` comes in a fixed order, rows from the top and columns from the left.

1. `create` opens a match (status `waiting`), alone or with invitations. A private match has a `code` of six letters
   that can be said aloud (in any case), and a `link`, a secret for invitations that nobody types: `join` and `watch`
   take either; its id is good only for who is invited. Bots wait to be invited: `list` tells who is here, and `invite`
   asks them.
2. `join` takes the free seat: `seated`, then `started` (status `playing`).
3. `your_turn` asks for a move. `move` answers it. `moved` tells all; its `to_move` knows of a pass already, which
   `passed` then tells.
4. `finished` tells the result: by the rules, or resigned, out of time, agreed, abandoned, aborted.
5. `offer` a `rematch`, or `leave`. Who does neither goes on hearing what is said.

One session plays as many matches at once as it likes (`limits.max_matches`); each message says which it means. An
illegal move costs nothing but time: the `error` has `legal`, and the clock runs on. A running game is left by
`resign`.

An organiser (`organiser` in `hello`) may `pause` a match (status `paused`): no clock runs and no move is taken until
it goes on; `your_turn` then comes again. They may also `adjudicate` a match, `terminate` it, or `kick` somebody.

### Following a match

Everything that happens in a match is an event, numbered by `seq`: 1, 2, 3 without a gap, the same for all who see the
match. Messages without `seq` (`your_turn`, `thought`, `murmur`, `invitation`, `report`) are not part of it. To follow a
match:

- a `snapshot` is the whole state after event `seq`: replace what you have;
- an event whose `seq` is the next one: apply it;
- an event whose `seq` you have already, or of a match of which you have no snapshot yet: ignore it;
- an event that leaves a gap: send `sync` with the last `seq` that you have, and get what is missing, or a snapshot.

Who only answers `your_turn`, as the shortest bot does, needs none of this: each `your_turn` says all that a move
needs.

A spectator (`watch`) gets the same events as the players, besides what bots think (`thought`) and what other
spectators say (`murmur`); players get no thoughts, and hear spectators only once the match is over. What a bot thinks
in a match in which a person has a seat is told to nobody: that person could watch as somebody else. After `rematched`,
whoever saw the match may `watch` the `next` one by its id, also if it is private.

### Offers

`offer` and `answer` are told as events (`offered`, `declined`), and so is what comes of them. That an offer lapses is
told by nothing of its own:

| offer | may be made | accepted, it becomes | lapses with |
|---|---|---|---|
| `draw` | during the game | `finished`, by `agreement` | a move of the other player, a takeback, the end |
| `takeback` | after a move of one's own | `took_back` | any move, the end |
| `rematch` | after `finished` | `rematched`, and a `snapshot` of the new match | a player who leaves |

A takeback undoes the last move of whoever asks and all that came after it, an answer of the opponent, too. Who made an
offer withdraws it by declining it; a refusal, or a withdrawal, is `declined`.

### Absence

`presence` tells that a player's connection ended, and when the opponent may `claim` the win (`claimable_ms`); it comes
again, with 0, when that time is over. When a match goes on after a pause or a restart of the server, the time begins
anew, perhaps without another `presence`: who claims too soon gets `too_early`, and its `retry_after_ms` says how long
it still takes.

### Reviews and trees

`review` asks what each move of a game was worth, `explain` for a node of the tree that minimax sees; the `ok` has a
`ticket`. What is known of a review comes as `reviewed`: `queued` with its place, `running` with the positions judged so
far, from the last one on, then `done`; or `failed`, and `why`. A tree comes as one `explained`. Both end with the
connection: ask again after coming back; what is kept is told at once.

What people play is theirs. A request is refused with `being_played` if it leads past the position of a running match
in which a person sits (from its fourth move on; for its players from the first), or past one that has all of it on the
board and at most three moves more, or ends at most two moves before it; mirrored and turned boards are the same. What
was asked for before fails so when a match comes there.

| `grade` | given away of the winning chance, in thousandths |
|---|---|
| `best` | nothing: no move was better |
| `good` | less than 50 |
| `inaccuracy` | 50 or more |
| `mistake` | 120 or more |
| `blunder` | 300 or more, as every proven change of the result |

A service of the server says `serve`, gets `job`s, and answers with `judgement`s.
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

All times are whole numbers of milliseconds, in fields that end in `_ms`; only `server_time_ms` is a date. A `clock` is
`initial_ms` for the whole game and `increment_ms` after each own move, or `move_ms` for each move; without one nobody
loses on time. With `second` in it seat 2 has another one of the same kind (time odds, among the `features` of servers
that take it: `time_odds`). `clocks` are what seats 1 and 2 have left when the message was made, and only the clock of
`to_move` runs. With `move_ms` both have the whole of it before each move. Whose time is over loses, whatever the board
says. A takeback gives no time back.

With a clock for the whole game a player may `give_time`: the opponent's clock gains 15 seconds at once (`gave_time`),
at most 20 times in a match from each player. It is refused between two programs, and in matches that somebody else has
arranged. A client that does not know `gave_time` leaves it out, finds a gap in `seq`, and gets a snapshot for its
`sync`.

The server's clock decides: your time runs from the moment when `your_turn` is handed to the network to the moment when
your answer is read, and a flag that falls before is `timeout`. What passes between (recording the move before, the
server's own delays, other people's storms) is charged to nobody; `stall_ms` of `moved` tells how much that was.
`deadline_ms` in `your_turn` is all the time left for the move: think for less, since the way to the server costs time
too.

What the network takes (`lag_ms` of `moved`) is given back to people; to programs only in matches whose `network` says
`"lag":"forgiven"`. It is of each move as much as the last ping took, there and back, and no more than was used, out of
a quota that begins at 1000 ms, grows by 100 ms with each move and never above 1000. Whoever answers pings late on
purpose gains no more than that quota. `your_turn` tells a program how far away it is: its move costs it `rtt_ms` (and
some more where that varies), of which it gets `allowance_ms` back. Think for so much less, at every move.
"""
"""Clocks, and whose loss the network is."""

ABSENCE = """\
## Coming back

A lost connection costs nothing but time: the clock runs on, unless the match says otherwise (below).

1. Connect again after a pause: 0.1 seconds, doubled up to 5, with some randomness.
2. Say `hello` with the newest `token` and, in `seen`, the last `seq` that you have of each match.
3. Take what comes: the events that you missed of the matches in `seen`, and a `snapshot` of the others, or where
   those events are no longer held. That goes for matches that ended meanwhile, too, though `matches` of `welcome`
   names open ones only; what `seen` says of other matches is ignored.
4. Then `your_turn` comes again where it is your turn, with the time that is really left, and so do invitations that
   still stand. What the other side has left is in no event: `sync` with `seq` 0 brings a `snapshot`.
5. Ask for the `lobby` again, if you followed it: that belonged to the connection. A place in a league is kept.

One session has one connection: the newest. The older one is told `session_replaced` and closed with 4001.

**Where the clock stands.** In a match whose `network` says `"outage":"pause"`, the clock of who is to move and cut
off stands: from the last sign of life until `your_turn` was handed over again. The server asks for signs of life
twice a second while your time runs there; who gives none for a second, and a round trip, is away, and `presence`
tells the others, also while the connection is not closed. (Where the server's system tells of TCP's
acknowledgements, as Linux does, a program that computes and answers no ping is there all the same.) A clock stands
for at most `most_ms` a seat and match, in all; then the match is `aborted`, `result.away` names the seat whose
player stayed away, and whoever arranged the match decides: a league plays that game again, once. If both are away
then, it is `abandoned` without a winner. Nothing can be claimed there before. Time to think can be gained so: who
pulls their own cable has at most `most_ms` in a match, which all around it see. `network` stands in `invitation`
and `snapshot`.


**Lost answers.** A request whose answer was lost may have been done or not. Sending it again is harmless for `move`
(same ply and move), `join`, `watch`, `leave`, `sync` and `list`. For others look first at what you were sent. A
different move for a ply that was played is `stale_ply`.

**When the server stops,** it says `closing`, then closes. If it will be back, `closing` has `retry_after_ms`, each
match that is played was `paused` with `stopping` just before, and the close code is 1012: wait that long, and go on
as above. Else the code is 1001. What would begin something meanwhile (`hello`, `create`, `join`, a rematch, a league)
is `shutting_down`. After a crash there is no `closing`: the connection breaks (1006), and you come back as from any
other loss.

Matches, seats, names and tokens outlive a restart; spectators `watch` again. A match goes on as soon as the player to
move is back, with `resumed` if the stop had paused it, and a restart that you don't come back from in time counts as
absence. The time while the server was gone is charged to nobody.
"""
"""After a lost connection, a lost answer, a restart."""

LIMITS = """\
## Fair use

`welcome` has the `limits` of this server. What is asked too often gets `rate_limited`, and changes nothing: wait for
`retry_after_ms`, then send it again; without one (offers, thoughts) wait for the next move. Who goes on regardless is
closed with 1008.

- **Work.** A connection may ask for the work of 20,000 moves a second, an address for four times as much; the table
  below says what each request weighs. Where others of an address ask for more, each of its connections may still ask
  for an equal part. A page of `list` weighs 0.015 more for each match that it may show, a board that is drawn
  0.6, and what many hear weighs more. No honest client meets these limits. Whoever asks for much at once is
  answered in small turns with the others who do; whoever asks for little is answered at once. Once 128 KiB of answers
  wait to be read, nothing more is heard until some of them are.
- **One address** has at most 500 connections, 500 sessions, 1,000 open matches (100 of them waiting for anybody to
  join; whoever plays none may open one all the same) and 20 leagues: `server_full`. A match that waits ends when its
  maker has been away for 10 minutes.
- **Codes.** 20 wrong codes of matches and leagues are free, then one a second, of an address and over all; a wrong key
  counts as one, and so does the code of a match that is full or over. A `link` has no such limit.
- **Passwords and tokens** that are right get in at once. Wrong ones are answered later and later, and not on many
  connections of one address at a time.
- **Talk**: 8 lines at once, then one a second. **Offers**: 6 between two moves, of each player. **Thoughts**: 100 a
  move. **Invitations**: a person has at most 8 to answer, and gets at most one in 5 seconds after the first 8 (`busy`).
  A bot that has entered a league is invited by the league's host only; who has entered one, by its host without limit.

docs/server.md has the numbers that an operator may set.
"""
"""What a client is held to."""

CHECKING = """\
## Trying a client

    python3 run.py serve                                                       a server on this machine
    python3 run.py bot check --command "node my_bot.js {url} Ada"              a program in any language
    python3 run.py play --invite Ada                                           a game against it

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

`tests/conformance/oracle.mjs` is a client with rules of its own, written from this page alone, in 250 lines: it plays
random games and compares each `legal` with what its own rules say.
"""
"""The conformance test."""
