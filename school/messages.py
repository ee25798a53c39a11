"""What pupils and the teacher's desk write to the process that runs a class, and what it tells them.

The texts of `write` and `tell` (`protocol.requests`) are one of these, in JSON. The server carries them unread, and
says who wrote: the name on the roster, or that it is an organiser. A letter to the class with an unknown field is
refused. Times are milliseconds since 1970 by the class's clock. Sentences are in the language of the class.
"""

from __future__ import annotations

from typing import Annotated, Final, Literal

from msgspec import Meta, Struct

from protocol.bounds import ChatText, Count, GameSpec, LeagueId, Move, Moves, Name, Opening
from protocol.values import Clock, SeatClock

MAX_PART: Final = 16_000
"""Characters of one part of a text that is sent in several letters: encoded as JSON twice, it still fits a frame."""

MAX_SOURCE: Final = 256_000
"""Characters of a program."""

MAX_PARTS: Final = -(-MAX_SOURCE // MAX_PART)

MAX_LETTER_TOLD: Final = 36_000
"""Characters of a letter of the class to its readers: below what a server carries."""

MAX_CLASS: Final = 256
"""Pupils in a class, as many as on a roster."""

Part = Annotated[str, Meta(max_length=MAX_PART)]
FileName = Annotated[str, Meta(min_length=1, max_length=80)]
Said = Annotated[str, Meta(max_length=2_000)]
"""What the class says in a sentence or some lines."""

Comment = Annotated[str, Meta(max_length=1_000)]
Version = Annotated[int, Meta(ge=1, le=10_000)]
VersionOrNone = Annotated[int, Meta(ge=0, le=10_000)]
Number = Annotated[int, Meta(ge=1, le=2**31 - 1)]
Moment = Annotated[int, Meta(ge=0, le=2**53)]
Bounded = Annotated[int, Meta(ge=0, le=MAX_PARTS - 1)]
Parts = Annotated[int, Meta(ge=1, le=MAX_PARTS)]


class Base(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, tag_field="type"):
    """What all letters share."""


# ------------------------------------------------------------------------------------------------- what a pupil writes


class Arrive(Base, frozen=True, tag="arrive"):
    """I am here: tell me how things stand (`hall`), and from now on what changes."""


class Submit(Base, frozen=True, tag="submit"):
    """A part of a program that is handed in as `file` (`.py` or `.ipynb`); it becomes a version with its last part.

    Parts come in their order, from 0. The first forgets what came before. The answer to the last is `hall`, with the
    new version; what the check finds follows as `hall`, too.
    """

    file: FileName
    part: Bounded
    parts: Parts
    text: Part


class Draft(Base, frozen=True, tag="draft"):
    """A part of what is written in the studio and is not handed in, as `submit`; `at` is when it was written.

    A draft that is older than the kept one is not taken: the answer, `drafted`, is then the kept one.
    """

    file: FileName
    at: Moment
    part: Bounded
    parts: Parts
    text: Part


class GetDraft(Base, frozen=True, tag="get_draft"):
    """Asks for the kept draft: `drafted`, in parts."""


class Forget(Base, frozen=True, tag="forget"):
    """Erases the draft; what was handed in stays."""


class GetVersion(Base, frozen=True, tag="get_version"):
    """Asks for the program of a version of one's own, with 0 for the file that all are given: `source`, in parts."""

    version: VersionOrNone


class Climb(Base, frozen=True, tag="climb"):
    """The newest version plays against the next level of the ladder; `hall` says how it goes."""


class Face(Base, frozen=True, tag="face"):
    """I want to play against my own newest version; `match` follows as an invitation of the server."""


class GetGames(Base, frozen=True, tag="get_games"):
    """Asks for one's own games in leagues of the class: `games`, the newest first; `before` for older ones."""

    before: Number | None = None


class GetPrints(Base, frozen=True, tag="get_prints"):
    """Asks what one's own program printed in a game, and how it failed: `prints`."""

    game: Number


class Reply(Base, frozen=True, tag="reply"):
    """My move in the position that the teacher has set; a second one replaces it until it is revealed."""

    question: Number
    move: Move


PupilLetter = Arrive | Submit | Draft | GetDraft | Forget | GetVersion | Climb | Face | GetGames | GetPrints | Reply

# ---------------------------------------------------------------------------------------------- what the desk writes


class Look(Base, frozen=True, tag="look"):
    """The desk opens: `desk` follows, and again after each change; also the wall of the classroom asks so."""


class Submissions(Base, frozen=True, tag="submissions"):
    """Opens or closes the handing in; `until` closes it by itself."""

    open: bool
    until: Moment | None = None


class Begin(Base, frozen=True, tag="begin"):
    """Begins a league: of the pupils' `bots`, or of the `people` themselves. One runs at a time.

    format: `usual` is `round_robin` for a few players, and `swiss` for more. rounds: None plays as many as is usual.
    graded: it counts for the export; else it is friendly. opening: moves that are on the board in all games.
    hidden: nobody is told on the wall who is who. Whoever comes later joins.
    """

    what: Literal["bots", "people"]
    game: GameSpec | None = None
    format: Literal["usual", "swiss", "round_robin"] = "usual"
    rounds: Annotated[int, Meta(ge=1, le=100)] | None = None
    clock: SeatClock | None = None
    graded: bool = False
    opening: Opening = ()
    hidden: bool = False


class Finish(Base, frozen=True, tag="finish"):
    """Ends the league that runs, with the games that are over."""


class Halt(Base, frozen=True, tag="halt"):
    """Stops all games and their clocks; no new one begins. `halted` false lets all go on."""

    halted: bool


class Freeze(Base, frozen=True, tag="freeze"):
    """The table stands still on wall and page, until it is announced (`frozen` false)."""

    frozen: bool


class Hide(Base, frozen=True, tag="hide"):
    """Whether the wall tells names."""

    hidden: bool


class Admit(Base, frozen=True, tag="admit"):
    """Somebody more is in the class, with a code of their own; also lets in again who was removed."""

    name: Name
    team: Name | None = None


class Rename(Base, frozen=True, tag="rename"):
    """A pupil is called otherwise from now on."""

    name: Name
    to: Name


class Merge(Base, frozen=True, tag="merge"):
    """Two entries are one pupil: what `name` has becomes that of `into`."""

    name: Name
    into: Name


class Remove(Base, frozen=True, tag="remove"):
    """A pupil is out: their code opens nothing any more. What they have handed in stays."""

    name: Name


class Announce(Base, frozen=True, tag="announce"):
    """A message to all."""

    text: ChatText


class Turn(Base, frozen=True, tag="turn"):
    """Switches: chat, takebacks and values on the server, hints in what a check says; null leaves one."""

    chat: bool | None = None
    takebacks: bool | None = None
    values: bool | None = None
    hints: bool | None = None


class Give(Base, frozen=True, tag="give"):
    """A part of a file to begin with, which all pupils are given, in the place of one before; parts as in `submit`."""

    file: FileName
    part: Bounded
    parts: Parts
    text: Part


class Return(Base, frozen=True, tag="return"):
    """Gives a version back with a comment."""

    name: Name
    version: Version
    comment: Comment


class Simul(Base, frozen=True, tag="simul"):
    """The teacher plays against all who are here, or against those named: `me` is their session."""

    me: Name
    game: GameSpec | None = None
    clock: Clock | None = None
    names: Annotated[tuple[Name, ...], Meta(max_length=MAX_CLASS)] = ()
    seat: Literal["first", "second"] = "first"


class Ask(Base, frozen=True, tag="ask"):
    """Sets a position, after `moves`, for all to answer with a move."""

    game: GameSpec
    moves: Moves = ()


class Reveal(Base, frozen=True, tag="reveal"):
    """Shows what was answered, and what the solver says; `over` takes the question away."""

    over: bool = False


class GetSource(Base, frozen=True, tag="get_source"):
    """Asks for the program of a pupil's version, with 0 for what they write in the studio: `source`, in parts."""

    name: Name
    version: VersionOrNone


class GetSimilar(Base, frozen=True, tag="get_similar"):
    """Asks which newest versions are alike: `similar`."""


class GetExport(Base, frozen=True, tag="get_export"):
    """Asks for the marks as a table for a spreadsheet: `export`, in parts."""


class GetCards(Base, frozen=True, tag="get_cards"):
    """Asks for the personal codes of all, or of one pupil, as the cards have them: `cards`."""

    name: Name | None = None


DeskLetter = (
    Look | Submissions | Begin | Finish | Halt | Freeze | Hide | Admit | Rename | Merge | Remove | Announce | Turn
    | Give | Return | Simul | Ask | Reveal | GetSource | GetSimilar | GetExport | GetCards
)  # fmt: skip

# --------------------------------------------------------------------------------------------- what the class tells


class Fault(Struct, frozen=True, omit_defaults=True):
    """What is wrong with a program: a sentence, then where, the position, a likely cause, and what it printed."""

    what: Said
    line: int | None = None
    cell: int | None = None
    code: Said = ""
    position: Said = ""
    hint: Said = ""
    printed: Said = ""


class Failed(Base, frozen=True, tag="failed"):
    """A program on a pupil's own machine has failed in a league, on that seat, after these moves; it says so itself."""

    seat: Literal[1, 2]
    moves: Annotated[str, Meta(max_length=8_000)]
    fault: Fault


Check = Literal["waiting", "running", "works", "fails"]


class Work(Struct, frozen=True, omit_defaults=True):
    """A version that was handed in; passed, of: tests of the check. comment: why it was given back.

    note: what its author should know although it works. faced: how it failed in the last game against its author.
    """

    version: Version
    file: FileName
    at: Moment
    check: Check = "waiting"
    passed: Count = 0
    of: Count = 0
    fault: Fault | None = None
    comment: Comment | None = None
    note: Said = ""
    faced: Fault | None = None


BADGES: Final = ("random", "first", "minimax1", "minimax2", "minimax3", "human3", "human6", "human9", "perfect")
"""The levels of the ladder, from the bottom; which of them a game has is said in `Hall.ladder`."""

Badge = Annotated[str, Meta(min_length=1, max_length=24)]


class Rung(Struct, frozen=True, omit_defaults=True):
    """A level of the ladder for a pupil; won, played: of the games of the last try.

    version: of the program that tried; fault: how it failed in one of the games.
    """

    badge: Badge
    label: Said
    state: Literal["closed", "next", "running", "won"] = "closed"
    won: float = 0
    played: Count = 0
    of: Count = 0
    fault: Fault | None = None
    version: Version | None = None


class League(Struct, frozen=True, omit_defaults=True):
    """A league of the class; id: under which the server shows it (`league`, `/l/ID`)."""

    number: Number
    what: Literal["bots", "people"]
    game: GameSpec
    state: Literal["open", "running", "halted", "finished"]
    graded: bool = False
    hidden: bool = False
    frozen: bool = False
    id: LeagueId | None = None
    played: Count = 0
    planned: Count | None = None
    teams: tuple[tuple[str, float], ...] = ()


class Question(Struct, frozen=True, omit_defaults=True):
    """The position that the teacher has set; `counts` (with `best`, `verdict`) once it is revealed."""

    number: Number
    game: GameSpec
    moves: Moves = ()
    answered: Count = 0
    counts: dict[str, int] | None = None
    best: tuple[Move, ...] = ()
    verdict: Said = ""


class Allowed(Struct, frozen=True, omit_defaults=True):
    """The switches."""

    chat: bool = True
    takebacks: bool = True
    values: bool = True
    hints: bool = True


class News(Base, frozen=True, tag="news"):
    """The teacher says something to all."""

    text: ChatText
    at: Moment


class Handout(Struct, frozen=True):
    """A file that the teacher has given to all, and when."""

    file: FileName
    at: Moment


class Hall(Base, frozen=True, tag="hall"):
    """How things stand for one pupil: after `arrive`, and again after each change.

    bots: the code under which a program of their own enters the bots' leagues, before the personal code.
    mine: their move in the question. host: who invites to the matches of the class, which the page takes by itself.
    plays: the version that plays in leagues and on the ladder, if there is one. given: what the teacher has given last.
    door: the name on their card, which stays when they are called otherwise.
    """

    title: Said
    name: Name
    game: GameSpec
    bots: str
    team: Name | None = None
    open: bool = True
    until: Moment | None = None
    runs: bool = True
    works: tuple[Work, ...] = ()
    ladder: tuple[Rung, ...] = ()
    league: League | None = None
    question: Question | None = None
    mine: Move | None = None
    allowed: Allowed = Allowed()
    halted: bool = False
    news: News | None = None
    host: Name | None = None
    plays: Version | None = None
    given: Handout | None = None
    door: Name | None = None
    now: Moment = 0


Bot = Literal["none", "away", "own", "file", "unfit"]
"""What plays for a pupil: nothing; a program that is away now; one on their own machine, or in the studio of their
browser; the one that they handed in; or nothing, because no version of that one passes any test."""


class PupilRow(Struct, frozen=True, omit_defaults=True):
    """A pupil as the desk sees them.

    here: somebody is on the page under this name. bot: where the program runs that plays for them, if one is connected.
    work: their newest version. badges: how many levels they have beaten. answered: whether they replied.
    """

    name: Name
    team: Name | None = None
    here: bool = False
    removed: bool = False
    bot: Bot = "none"
    work: Work | None = None
    versions: Count = 0
    badges: Count = 0
    points: float | None = None
    rating: float | None = None
    error: float | None = None
    faults: Count = 0
    answered: Move | None = None


class Desk(Base, frozen=True, tag="desk"):
    """How the class stands, for the desk: after `look`, and again after each change, at most once in half a second.

    address: where pupils find the class. host: who invites to the matches of the class, which the desk takes by itself.
    """

    title: Said
    code: str
    bots: str
    game: GameSpec
    open: bool = True
    until: Moment | None = None
    runs: bool = True
    league: League | None = None
    past: tuple[League, ...] = ()
    question: Question | None = None
    allowed: Allowed = Allowed()
    halted: bool = False
    given: Handout | None = None
    said: ChatText | None = None
    address: Said = ""
    host: Name | None = None
    now: Moment = 0


class Pupils(Base, frozen=True, tag="pupils"):
    """Pupils of the class, for the desk: all of them after `look` (`again` forgets what was known), then changes."""

    pupils: tuple[PupilRow, ...] = ()
    again: bool = False


class Drafted(Base, frozen=True, tag="drafted"):
    """A part of the kept draft; `parts` 0 if there is none."""

    file: str = ""
    at: Moment = 0
    part: Count = 0
    parts: Count = 0
    text: Part = ""


class Source(Base, frozen=True, tag="source"):
    """A part of the program of a version; of version 0 as it was asked for."""

    name: Name
    version: VersionOrNone
    file: FileName
    part: Count
    parts: Count
    text: Part


class Game(Struct, frozen=True, omit_defaults=True):
    """A game of a league of the class; made: 1, 0.5 or 0 for the reader.

    mistake: the ply of their first mistake; null if there is none, or if the game is not `judged` yet.
    version: of their program that played; null if none that was handed in did, or nobody knows.
    """

    game: Number
    league: Number
    rules: GameSpec
    seat: Literal[1, 2]
    opponent: Name
    made: float
    reason: str
    moves: Moves
    mistake: Count | None = None
    judged: bool = False
    version: Version | None = None


class Games(Base, frozen=True, tag="games"):
    """Games, the newest first; more: there are older ones."""

    games: tuple[Game, ...] = ()
    more: bool = False


class Prints(Base, frozen=True, tag="prints"):
    """What a program printed in a game, by the ply before whose move it did; fault: how it failed, if it did.

    Its author alone asks for it.
    """

    game: Number
    lines: tuple[tuple[int, Said], ...] = ()
    fault: Fault | None = None


class Pair(Struct, frozen=True):
    """Two pupils whose programs are alike; share: of the shorter one, from 0 to 1."""

    one: Name
    other: Name
    share: float


class Similar(Base, frozen=True, tag="similar"):
    """The pairs, the most alike first; short: whose programs are too short to be compared."""

    pairs: tuple[Pair, ...] = ()
    short: tuple[Name, ...] = ()


class Export(Base, frozen=True, tag="export"):
    """A part of the table of marks."""

    part: Count
    parts: Count
    text: Part


class Cards(Base, frozen=True, tag="cards"):
    """The personal codes, by name; `address` is where the QR code of a card leads, before the code."""

    address: str
    codes: dict[str, str]


class Refused(Base, frozen=True, tag="refused"):
    """What was written last could not be done: a stable code, and a sentence that says what to do."""

    what: str
    code: Literal[
        "bad_letter", "closed", "no_pupil", "bad_name", "no_sandbox", "running", "nothing_runs", "too_large", "not_now",
        "bad_position", "disk",
    ]  # fmt: skip
    text: Said


ClassLetter = Hall | Desk | Pupils | Drafted | Source | Games | Prints | Similar | Export | Cards | News | Refused
