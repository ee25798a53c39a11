"""The types that messages are made of, each with its bounds: decoding checks them, on both sides; encoding does not."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

MAX_BATCH = 512
"""Messages in one frame."""

MAX_PAGE = 100
"""Matches, and players, in one answer to `list` or `lobby`, and changes in one `lobby_changed`."""

MAX_NAME = 24
"""Characters of a participant's name; servers refuse longer ones."""

MAX_SHOWN_NAME = 32
"""Characters of a name in a message: games that were played elsewhere keep their players' names."""

MAX_LISTED = 65_536
"""Matches or players in one message of the server."""

FORGIVEN_A_MOVE_MS = 100
"""Milliseconds of network time that a move is given back in the long run, after a quota of a second is used up."""

RequestId = Annotated[int, Meta(ge=0, le=2**53 - 1, description="the client's own number of this request")]
PageSize = Annotated[int, Meta(ge=1, le=MAX_PAGE, description="how many matches at most")]
MatchId = Annotated[str, Meta(min_length=1, max_length=16, description="the id of a match")]
Code = Annotated[
    str, Meta(min_length=6, max_length=6, pattern="^[A-Za-z]{6}$", description="six letters that open a match")
]
Link = Annotated[
    str,
    Meta(
        min_length=22,
        max_length=22,
        pattern="^[A-Za-z0-9_-]{22}$",
        description="a secret that opens a match",
    ),
]
Cursor = Annotated[int, Meta(ge=0, le=2**53 - 1, description="where the next page begins")]
Name = Annotated[str, Meta(min_length=1, max_length=MAX_SHOWN_NAME, description="a display name")]
Personal = Annotated[
    str, Meta(max_length=64, description="a personal code: what somebody on the roster of a league enters it with")
]
PersonalHash = Annotated[
    str,
    Meta(
        min_length=64,
        max_length=64,
        pattern="^[0-9a-f]{64}$",
        description="SHA-256, in hexadecimal, of the league's code, a colon and the personal code, both in capitals",
    ),
]
Key = Annotated[
    str,
    Meta(
        min_length=22,
        max_length=64,
        pattern=r"^[A-Za-z0-9_-]{22,64}(?![\s\S])",
        description="a secret of at least 128 bits, in base64url, that whoever enters leagues keeps",
    ),
]
KeyHash = Annotated[
    str,
    Meta(
        min_length=64,
        max_length=64,
        pattern="^[0-9a-f]{64}$",
        description='SHA-256, in hexadecimal, of "key:", the league\'s code in capitals, a colon and the key',
    ),
]
GameSpec = Annotated[str, Meta(min_length=1, max_length=64, description='a game with its options: "othello:size=6"')]
MAX_MOVE = 16
"""Characters of a move."""

Move = Annotated[str, Meta(min_length=1, max_length=MAX_MOVE, description='a move: "d3", a column "4", or "b2b3"')]
Word = Annotated[
    str,
    Meta(min_length=1, max_length=MAX_MOVE, pattern=r"^[A-Za-z0-9]+(?![\s\S])", description='what can be a move: "d3"'),
]
"""A move that nobody has checked against the rules: letters and digits only. The check costs 0.3 us a move."""

Moves = Annotated[tuple[Move, ...], Meta(max_length=10_000, description="moves in the order in which they were played")]
MAX_LEGAL = 1000
"""Legal moves of a position."""

Legal = Annotated[tuple[Move, ...], Meta(max_length=MAX_LEGAL, description="the legal moves in the game's fixed order")]
MAX_CHAT = 300
"""Characters that somebody says at once."""

ChatText = Annotated[str, Meta(min_length=1, max_length=MAX_CHAT, description="what was said")]
Ply = Annotated[int, Meta(ge=0, le=10_000, description="how many moves were played before")]
Seq = Annotated[int, Meta(ge=0, le=2**31 - 1, description="number of an event in its match, from 1")]
Depth = Annotated[int, Meta(ge=0, le=10_000, description="plies searched")]
Score = Annotated[float, Meta(ge=-1e9, le=1e9, description="the bot's own valuation, positive is good for it")]
Line = Annotated[tuple[Word, ...], Meta(max_length=100, description="the moves that the bot expects")]
Millis = Annotated[int, Meta(ge=0, le=2**40, description="milliseconds")]
Span = Annotated[int, Meta(ge=0, le=2**40)]
Count = Annotated[int, Meta(ge=0, le=2**53 - 1)]
AtLeastOne = Annotated[int, Meta(ge=1, le=2**53 - 1)]
MoveTimes = Annotated[tuple[Count, ...], Meta(max_length=10_000)]
Points = Annotated[int, Meta(ge=0, le=10_000)]
Version = Annotated[int, Meta(ge=0, le=1_000_000, description="the version of the protocol: 1")]
MAX_SECRET = 128
"""Characters of a token, a password, or the secret of organisers."""

Token = Annotated[str, Meta(max_length=MAX_SECRET, description="the secret that brings a session back")]
Secret = Annotated[str, Meta(max_length=MAX_SECRET)]
Label = Annotated[str, Meta(max_length=64)]
Labels = Annotated[tuple[Label, ...], Meta(max_length=64)]
Sentence = Annotated[str, Meta(max_length=1000)]
ErrorData = Annotated[
    dict[
        Label,
        Sentence | Annotated[int, Meta(ge=-(2**53), le=2**53)] | Annotated[list[Label], Meta(max_length=MAX_LEGAL)],
    ],
    Meta(max_length=16, description="what helps a program to go on"),
]
SeatNumber = Literal[1, 2]
Clocks = Annotated[tuple[Millis, Millis], Meta(description="what seats 1 and 2 have left, in milliseconds")]
Scores = tuple[Points, Points]
Coordinate = Annotated[int, Meta(ge=0, le=99)]
Cell = tuple[Coordinate, Coordinate]
Cells = Annotated[tuple[Cell, ...], Meta(max_length=100)]
Row = Annotated[
    str,
    Meta(
        min_length=1,
        max_length=99,
        description="a row of cells: `-` empty, `X` seat 1, `O` seat 2, else a sign of the game",
    ),
]
Rows = Annotated[tuple[Row, ...], Meta(max_length=99, description="the rows of the board from the top")]
MAX_PLAYED = 512
"""Moves of a game whose boards a client may ask for."""

Played = Annotated[tuple[Move, ...], Meta(max_length=MAX_PLAYED, description="the moves of a game from its start")]
Hands = Annotated[
    dict[Move, Cells],
    Meta(
        max_length=MAX_LEGAL,
        description="the legal moves, each with its cells: the one that it fills, or from where and to where",
    ),
]
Ticket = Annotated[
    str, Meta(min_length=1, max_length=32, description="the id of the answer; equal for equal questions")
]
Chance = Annotated[int, Meta(ge=0, le=1000, description="what seat 1 may expect, in thousandths of a win")]
Worth = Annotated[int, Meta(ge=-(2**31), le=2**31, description="a value, for seat 1")]
MAX_STEPS = 64
"""Positions that one message judges."""

MAX_BELOW = 12
"""How far below its root a node of a tree may be asked for."""

TreeDepth = Annotated[int, Meta(ge=1, le=3, description="plies that minimax looks ahead")]
Path = Annotated[
    tuple[Word, ...], Meta(max_length=MAX_BELOW, description="the moves from the root of a tree to a node")
]
BestMoves = Annotated[tuple[Word, ...], Meta(max_length=100, description="moves of a position")]
Grade = Literal["best", "good", "inaccuracy", "mistake", "blunder"]
Work = Literal["review", "explain"]
MAX_OPENING = 64
"""Moves that may be on the board when a match begins."""

Opening = Annotated[
    tuple[Move, ...],
    Meta(max_length=MAX_OPENING, description="moves that are on the board before the first player is asked"),
]
Kind = Literal["human", "bot"]

Serves = Literal["bots", "reviews"]
Status = Literal["waiting", "playing", "paused", "finished"]
OfferKind = Literal["draw", "takeback", "rematch"]
DeclineReason = Literal["busy"]
ResultReason = Literal[
    "rules",
    "line",
    "discs",
    "full",
    "resign",
    "timeout",
    "abandoned",
    "illegal",
    "crash",
    "agreement",
    "adjudicated",
    "aborted",
]
MAX_ROWS = 128
"""Rows of the table of a league that is shown."""

MAX_CROSS = 40
"""Rows of a table that is shown as a cross table: the points of each player against each other one."""

MAX_TOLD_GAMES = 32
"""Games of a league in one message."""

LeagueId = Annotated[
    str,
    Meta(min_length=12, max_length=12, pattern="^[a-z2-7]{12}$", description="the public id of a league that is shown"),
]
MAX_LETTER = 40_000
"""Characters of a letter between the host of a league and who has entered it; in JSON it fits into a frame."""

MAX_READERS = 256
"""The most entrants to whom a host may write at once by name."""

LetterText = Annotated[
    str, Meta(min_length=2, max_length=MAX_LETTER, description="what is written, as the league's host reads it: JSON")
]
SessionId = Annotated[str, Meta(min_length=1, max_length=64, description="a session, as `letter` named it")]
Recipients = Annotated[tuple[SessionId, ...], Meta(max_length=MAX_READERS)]
LeagueState = Literal["open", "running", "finished"]
GameNumber = Annotated[int, Meta(ge=1, le=2**31 - 1, description="the number of a game in its league")]
Rank = Annotated[int, Meta(ge=1, le=MAX_ROWS)]
Made = Annotated[float, Meta(ge=0, le=1e6)]
Elo = Annotated[float, Meta(ge=-1e6, le=1e6)]
Transcript = Annotated[
    str,
    Meta(max_length=1024, pattern=r"^[A-Za-z0-9 ]*(?![\s\S])", description="moves, with a space between two"),
]
EndingCode = Annotated[
    str,
    Meta(
        min_length=1,
        max_length=24,
        pattern=r"^[a-z][a-z0-9_]*(?![\s\S])",
        description="how the rules of this game ended it: a code of the game's own",
    ),
]
