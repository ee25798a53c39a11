"""The types that messages are made of, each with its bounds: decoding checks them, on both sides; encoding does not."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

MAX_BATCH = 512
"""Messages in one frame."""

MAX_LISTED = 65_536
"""Matches or players in one message of the server."""

RequestId = Annotated[int, Meta(ge=0, le=2**53 - 1, description="the client's own number of this request")]
MatchId = Annotated[str, Meta(min_length=1, max_length=16, description="the id of a match")]
Code = Annotated[
    str, Meta(min_length=4, max_length=4, pattern="^[A-Za-z]{4}$", description="four letters that open a match")
]
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
Name = Annotated[str, Meta(min_length=1, max_length=32, description="a display name")]
GameSpec = Annotated[str, Meta(min_length=1, max_length=64, description='a game with its options: "othello:size=6"')]
Move = Annotated[str, Meta(min_length=1, max_length=4, description='a move: "d3", or a column "4"')]
Moves = Annotated[tuple[Move, ...], Meta(max_length=10_000, description="moves in the order in which they were played")]
Legal = Annotated[tuple[Move, ...], Meta(max_length=100, description="the legal moves in the game's fixed order")]
ChatText = Annotated[str, Meta(min_length=1, max_length=300, description="what was said")]
Ply = Annotated[int, Meta(ge=0, le=10_000, description="how many moves were played before")]
Seq = Annotated[int, Meta(ge=0, le=2**31 - 1, description="number of an event in its match, from 1")]
Depth = Annotated[int, Meta(ge=0, le=10_000, description="plies searched")]
Score = Annotated[float, Meta(ge=-1e9, le=1e9, description="the bot's own valuation, positive is good for it")]
Line = Annotated[tuple[Move, ...], Meta(max_length=100, description="the moves that the bot expects")]
Millis = Annotated[int, Meta(ge=0, le=2**40, description="milliseconds")]
Span = Annotated[int, Meta(ge=0, le=2**40)]
Count = Annotated[int, Meta(ge=0, le=2**53 - 1)]
Points = Annotated[int, Meta(ge=0, le=10_000)]
Version = Annotated[int, Meta(ge=0, le=1_000_000, description="the version of the protocol: 1")]
Token = Annotated[str, Meta(max_length=128, description="the secret that brings a session back")]
Secret = Annotated[str, Meta(max_length=128)]
Label = Annotated[str, Meta(max_length=64)]
Labels = Annotated[tuple[Label, ...], Meta(max_length=64)]
Sentence = Annotated[str, Meta(max_length=1000)]
ErrorData = Annotated[
    dict[Label, Sentence | Annotated[int, Meta(ge=-(2**53), le=2**53)] | Annotated[list[Label], Meta(max_length=100)]],
    Meta(max_length=16, description="what helps a program to go on"),
]
SeatNumber = Literal[1, 2]
Clocks = Annotated[tuple[Millis, Millis], Meta(description="what seats 1 and 2 have left, in milliseconds")]
Scores = tuple[Points, Points]
Coordinate = Annotated[int, Meta(ge=0, le=99)]
Cell = tuple[Coordinate, Coordinate]
Cells = Annotated[tuple[Cell, ...], Meta(max_length=100)]
Opening = Annotated[
    tuple[Move, ...], Meta(max_length=64, description="moves that are on the board before the first player is asked")
]
Kind = Literal["human", "bot"]
Status = Literal["waiting", "playing", "paused", "finished"]
OfferKind = Literal["draw", "takeback", "rematch"]
ResultReason = Literal[
    "line", "discs", "full", "resign", "timeout", "abandoned", "illegal", "crash", "agreement", "adjudicated", "aborted"
]
