"""What happened in a class, as its journal keeps it: what the desk did, and what pupils handed in and answered. Pure.

`at` is in milliseconds since 1970. Names are those that counted at that time. Unknown fields are ignored: a journal
outlives versions of Arbitre.

Many events have the fields of a letter of the desk (`school.messages`), but are types of their own: a letter is a
request, with bounded fields and no unknown ones, and changes with the page; an event is its result, and must stay
readable for ever.
"""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from school.messages import Fault


class Event(Struct, frozen=True, omit_defaults=True, tag_field="kind", kw_only=True):
    """What all events share."""

    at: int = 0


class HandedIn(Event, frozen=True, tag="handed_in"):
    """A program was handed in; path: where it lies in the folder of the class."""

    name: str
    version: int
    file: str
    path: str


class Checked(Event, frozen=True, tag="checked"):
    """What the check of a version found; note: what its author should know although it works."""

    name: str
    version: int
    passed: int
    of: int
    fault: Fault | None = None
    note: str = ""


class Returned(Event, frozen=True, tag="returned"):
    """A version was given back."""

    name: str
    version: int
    comment: str


class Given(Event, frozen=True, tag="given"):
    """All pupils were given a file to begin with; path: where it lies in the folder of the class."""

    file: str
    path: str


class Opened(Event, frozen=True, tag="submissions"):
    """Handing in was opened or closed."""

    open: bool
    until: int | None = None


class Begun(Event, frozen=True, tag="begun"):
    """A league began. clock: as leagues write it."""

    number: int
    what: Literal["bots", "people"]
    game: str
    clock: str
    format: Literal["swiss", "round_robin"] = "swiss"
    rounds: int | None = None
    graded: bool = False
    opening: tuple[str, ...] = ()
    hidden: bool = False


class Finished(Event, frozen=True, tag="finished"):
    """The league that ran is over."""

    number: int


class Halted(Event, frozen=True, tag="halted"):
    """All games were stopped, or let go on."""

    halted: bool


class Frozen(Event, frozen=True, tag="frozen"):
    """The table was frozen as it was after `lines` lines of the league's log, or was announced."""

    frozen: bool
    lines: int = 0


class Hidden(Event, frozen=True, tag="hidden"):
    """The wall hides names from now on, or shows them."""

    hidden: bool


class Admitted(Event, frozen=True, tag="admitted"):
    """Somebody is in the class, newly or again."""

    name: str
    team: str | None = None


class Renamed(Event, frozen=True, tag="renamed"):
    """A pupil has another name."""

    name: str
    to: str


class Merged(Event, frozen=True, tag="merged"):
    """Two entries are one pupil."""

    name: str
    into: str


class Removed(Event, frozen=True, tag="removed"):
    """A pupil is out."""

    name: str


class Announced(Event, frozen=True, tag="announced"):
    """The teacher said something to all."""

    text: str


class Turned(Event, frozen=True, tag="turned"):
    """How the switches stand from now on."""

    chat: bool = True
    takebacks: bool = True
    values: bool = True
    hints: bool = True


class Asked(Event, frozen=True, tag="asked"):
    """The teacher set a position."""

    number: int
    game: str
    moves: tuple[str, ...] = ()


class Replied(Event, frozen=True, tag="replied"):
    """A pupil answered with a move."""

    name: str
    number: int
    move: str


class Revealed(Event, frozen=True, tag="revealed"):
    """The answers were shown, with what the judge says; over: the question was taken away."""

    number: int
    best: tuple[str, ...] = ()
    verdict: str = ""
    over: bool = False


class Tried(Event, frozen=True, tag="tried"):
    """A version played against a level of the ladder to the end; fault: how it failed in one of the games."""

    name: str
    version: int
    badge: str
    won: float
    played: int
    passed: bool
    fault: Fault | None = None


class Faced(Event, frozen=True, tag="faced"):
    """A pupil has played against a version of their own to the end; fault: how it failed, if it did."""

    name: str
    version: int
    fault: Fault | None = None


class Noted(Event, frozen=True, tag="noted"):
    """What the judge found of a game: the ply of the first mistake of each seat, None where there was none."""

    league: int
    game: int
    mistakes: tuple[int | None, int | None]


AnyEvent = (
    HandedIn
    | Checked
    | Returned
    | Given
    | Opened
    | Begun
    | Finished
    | Halted
    | Frozen
    | Hidden
    | Admitted
    | Renamed
    | Merged
    | Removed
    | Announced
    | Turned
    | Asked
    | Replied
    | Revealed
    | Tried
    | Faced
    | Noted
)
