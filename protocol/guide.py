"""What no type can tell: how a client connects, plays, loses its connection and comes back; what the codes mean."""

from __future__ import annotations

from protocol.errors import ErrorCode

ERRORS: dict[ErrorCode, str] = {
    ErrorCode.BAD_MESSAGE: "The message can't be read, or its fields contradict each other. Nothing was done.",
    ErrorCode.UNSUPPORTED_PROTOCOL: "The server does not speak this version of the protocol. Fatal.",
    ErrorCode.HELLO_REQUIRED: "Something was asked before `hello`.",
    ErrorCode.ALREADY_SAID_HELLO: "This connection has its session already.",
    ErrorCode.BAD_NAME: "The name is empty, too long, or has characters that can't be shown. Choose another.",
    ErrorCode.NAME_TAKEN: "Somebody else has this name. Choose another, or come back with your token.",
    ErrorCode.BAD_TOKEN: (
        "The token opens no session (any more). Say `hello` without it: on a new connection if it is fatal, as it is, "
        "and late, after many wrong ones from your address."
    ),
    ErrorCode.BAD_RULES: "No such game, or options or a clock that the server does not offer.",
    ErrorCode.NO_SUCH_LEAGUE: "No league has this code now; its host may be about to open it.",
    ErrorCode.NO_SUCH_MATCH: "No match has this id or code, or it is private, or forgotten since it was over.",
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
    ErrorCode.SERVER_FULL: "The server, or this session, has as many matches or connections as it may.",
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
    1011: ("a bug of the server, noted in its log", "Come back with the token, after a pause."),
    1012: ("the server restarts", "Come back with the token, after a pause."),
    4001: ("the session goes on over a newer connection", "Don't come back: two programs would fight for it."),
    4002: ("an organiser has sent you away", "Don't come back by yourself."),
}
"""What closes a connection, and what a client does then."""

INTRODUCTION = """\
# Protocol 1

This page is generated from `protocol/` (`python -m protocol --write-docs`); `arbitre schema` prints the same messages
as JSON Schema. It has all that is needed to write a client or a bot in any language that has WebSockets and JSON.

## Connecting

Open a WebSocket and ask for the subprotocol `arbitre.v1`; if the server does not agree to it, it is not an Arbitre
server. All frames are text frames of UTF-8 JSON. A frame holds one message, or an array of messages (a batch), which
is only a way to save frames: each message of it counts as if it had come alone, in order. A client may always send
arrays of 1 to 512 messages; it gets arrays only if its `hello` says `"batch": true`. Compression is not needed.
Answer pings, as WebSocket libraries do by themselves: who does not is taken for gone after some ten seconds.

A message is an object with a `type`. Every message from a client has an `id`, a whole number that the client chooses
(counting up from 1 is fine), and gets exactly one answer with that `id`:

- `ok`: it is done, and recorded. What came of it follows as events, to everybody concerned.
- `error`: it is refused and changed nothing.

Go by the `id`, not by the order. Nothing is dropped in silence. What can't be read gets an `error` too, with
the `id` if that much could be read; the connection stays open. A frame that is not JSON gets one `error`, whatever
was in it.

The first message is `hello`; it is answered by `welcome`, then `ok`.

## Reading and writing

- Fields that hold their default may be left out, and the server leaves them out: a missing field has the default of
  its table below. Where the default is *absent*, `null` is not the same.
- The server refuses fields that it does not know, so a misspelt one is noticed. Clients ignore fields that they don't
  know: servers may add some. Values of other types, `1.0` or `"1"` for `1`, are refused.
- Of a key that stands twice in an object, the last counts.
- Whole numbers are at most 2^53 - 1: each JSON library can hold them. `NaN` and `Infinity` are not JSON.
- Lengths of strings are counted in Unicode code points. A half of a surrogate pair, which JavaScript may leave when
  it cuts a text, is refused. There is no byte order mark.

## Seats, moves, time

Seats are 1, which moves first, and 2. `ply` is the number of a move in its game, from 0. Moves are short strings:
column letter and row number in othello and morpion, row 1 on top (`d3`), the column from the left in puissance4
(`4`). A client needs no rules to play: `legal` lists the legal moves whenever it is its turn. After a forced pass the
same seat moves twice; `to_move` always says who is next.

All times are whole numbers of milliseconds, in fields that end in `_ms`; only `server_time_ms` is a date. `clocks`
are what seats 1 and 2 have left when the message was made, and only the clock of `to_move` runs. The server's clock
decides: a move counts if it arrives before the flag falls. `deadline_ms` in `your_turn` is all the time left for the
move: think for less, since the way to the server costs time too.

## The life of a match

1. `create` opens it (status `waiting`), alone or with invitations. A private match has a `code` of four letters.
2. `join` takes the free seat: `seated`, then `started` (status `playing`).
3. `your_turn` asks for a move. `move` answers it. `moved` tells all. A `passed` may follow.
4. `finished` tells the result: by the rules, or resigned, out of time, agreed, abandoned, aborted.
5. `offer` a `rematch`, or `leave`.

An organiser (`organiser` in `hello`) may `pause` a match (status `paused`): no clock runs and no move is taken until
it goes on; `your_turn` then comes again. He may also `adjudicate` a match, `terminate` it, or `kick` somebody.

Everything that happens in a match is an event, numbered by `seq`: 1, 2, 3 without a gap, the same for all who see the
match. Messages without `seq` (`your_turn`, `thought`, `murmur`, `invitation`) are not part of it. To follow a match:

- a `snapshot` is the whole state after event `seq`: replace what you have;
- an event whose `seq` is the next one: apply it;
- an event whose `seq` you have already, or of a match of which you have no snapshot yet: ignore it;
- an event that leaves a gap: send `sync` with the last `seq` that you have, and get what is missing, or a snapshot.

## Coming back

A lost connection costs nothing but time: the clock runs on. Connect again after a pause (0.1 seconds, doubled up to 5,
with some randomness) and say `hello` with the `token` of `welcome` and, in `seen`, the last `seq` that you have of
each match. The server sends what you missed of these matches, and a `snapshot` of the others. If it is your turn,
`your_turn` comes again, with the time that is really left.

A request whose answer was lost may have been done or not. Sending it again is harmless for `move` (same ply and
move), `join`, `watch`, `leave`, `sync` and `list`. For others look first at what you were sent. A different move for
a ply that was played is `stale_ply`. One session has one connection: the newest, and the older one is closed with
4001.
"""
