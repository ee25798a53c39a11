"""What the process that runs a pupil's file is asked and says: one JSON object a line, without words for people.

    < {"type": "ready", "interface": "coup_joueur", "function": "coup_joueur", "plays": {"othello": {"size": 8}}, ...}
    > {"type": "question", "game": "othello", "position": "---... X", "within_s": 9.5, "moves": [], "seed": "7", ...}
    < {"type": "moved", "move": "d3", "notices": []}
    > {"type": "ponder", "game": "othello", "position": "---... O", "moves": ["d3"]}
    > {"type": "stop"}
    < {"type": "stopped", "trouble": null}
    > {"type": "over", "game": "othello", "position": "---... X", "seat": 1, "winner": null}
    < {"type": "rested", "cpu_s": 1.5, "trouble": null}
    < {"type": "trouble", "kind": "raised", "error": "IndexError", "detail": "list index out of range", "line": 12, ...}

Errors: ValueError for a line that is none of these.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Final, Literal

Kind = Literal[
    "syntax", "unreadable", "nothing", "missing", "raised", "asked", "printed", "slow", "wrong", "illegal", "endless"
]
"""What a trouble is.

syntax: not Python. unreadable: the file can't be read. nothing: defines no function of a document. missing: imports a
module that is not there. raised: an exception. asked: waits for the keyboard. printed: writes to the screen (no fault).
slow: does not come to an end. endless: goes on pondering though it was told to stop. wrong: what it returned is no move
at all. illegal: a move that the rules refuse.
"""

LONGEST_TEXT = 200


@dataclass(frozen=True, slots=True)
class Place:
    """Where in the pupil's own files: `function` is "" outside of any."""

    file: str = ""
    line: int = 0
    code: str = ""
    function: str = ""


@dataclass(frozen=True, slots=True)
class Trouble:
    """What went wrong, or, in the notices of an answer, what its author ought to know.

    error, detail: the exception's type and text; what was printed or asked; the name of what is missing.
    function: the pupil's function that was called. returned, expected: its answer, and a key of what it should be.
    why: a value of `games.Reason`. legal: the legal moves as that function should return them.
    loading: whether the file was only being read in, not asked for a move. kept: whether it can be used all the same.
    """

    kind: Kind
    place: Place = Place()
    error: str = ""
    detail: str = ""
    function: str = ""
    returned: str = ""
    expected: str = ""
    why: str = ""
    legal: Sequence[str] = ()
    loading: bool = False
    kept: bool = False


@dataclass(frozen=True, slots=True)
class Ready:
    """The file is loaded.

    interface: the name that docs and `FILE#FUNCTION=INTERFACE` use; function: what the file calls it.
    plays: id of a game -> the options that it must have for this file. ponders: whether it defines `ponder`.
    """

    interface: str
    function: str
    plays: Mapping[str, Mapping[str, int]]
    notices: Sequence[Trouble] = ()
    ponders: bool = False


@dataclass(frozen=True, slots=True)
class Moved:
    """The move that the file chose, which is legal."""

    move: str
    notices: Sequence[Trouble] = ()


@dataclass(frozen=True, slots=True)
class Stopped:
    """It does not ponder any more; trouble: how that went wrong."""

    trouble: "Trouble | None" = None


@dataclass(frozen=True, slots=True)
class Rested:
    """It has heard that a game is over. cpu_s: the processor time of the process and of the children that it had."""

    cpu_s: float
    trouble: "Trouble | None" = None


@dataclass(frozen=True, slots=True)
class Setup:
    """What a process is started for: the file, and what is chosen in it.

    folder: the package that the file belongs to, "" for a file that stands alone. load_s: how long loading may take.
    """

    file: str
    choice: str = ""
    load_s: float = 5.0
    folder: str = ""


@dataclass(frozen=True, slots=True)
class Question:
    """A position to be answered within so many seconds.

    moves: those that led to it from the start. seed: for the module `random`, so that the same question has the same
    answer again. clock: the fields of a `bots.budget.Budget`.
    """

    game: str
    position: str
    within_s: float
    moves: Sequence[str] = ()
    seed: str = ""
    clock: Mapping[str, "int | None"] = field(default_factory=dict[str, "int | None"])


@dataclass(frozen=True, slots=True)
class Ponder:
    """The opponent is to move: the file may think until it is told to stop."""

    game: str
    position: str
    moves: Sequence[str] = ()
    seed: str = ""


@dataclass(frozen=True, slots=True)
class Stop:
    """The opponent has moved: no more pondering."""


@dataclass(frozen=True, slots=True)
class Over:
    """A game is over, and another one may follow. seat: the file's; winner: None in a draw."""

    game: str
    position: str
    seat: int
    winner: "int | None" = None


Report = Ready | Moved | Trouble | Stopped | Rested
Request = Question | Ponder | Stop | Over

_TYPES: Final[Mapping[str, Any]] = {
    "ready": Ready,
    "moved": Moved,
    "trouble": Trouble,
    "stopped": Stopped,
    "rested": Rested,
    "question": Question,
    "ponder": Ponder,
    "stop": Stop,
    "over": Over,
}


def write(message: Report | Request) -> str:
    """The line of a message, without its end."""
    name = next(name for name, kind in _TYPES.items() if type(message) is kind)
    return json.dumps({"type": name, **asdict(message)}, ensure_ascii=True)


def read_request(line: str) -> Request:
    """The request that `write` made a line of."""
    fields = json.loads(line)
    request: Request = _TYPES[fields.pop("type")](**fields)
    return request


def read_report(line: str) -> Report:
    """The report that `write` made a line of; raises ValueError for anything else."""
    try:
        fields = json.loads(line)
        kind = fields.pop("type")
        if kind == "trouble":
            return _trouble(fields)
        if "notices" in fields:
            fields["notices"] = tuple(_trouble(notice) for notice in fields["notices"])
        if fields.get("trouble") is not None:
            fields["trouble"] = _trouble(fields["trouble"])
        report: Report = _TYPES[kind](**fields)
    except (AttributeError, KeyError, TypeError) as error:
        raise ValueError(line) from error
    if isinstance(report, (Ready, Moved, Stopped, Rested)):
        return report
    raise ValueError(line)


def clip(text: str) -> str:
    """`text`, on one line and of bearable length."""
    text = " ".join(text.split())
    return text if len(text) <= LONGEST_TEXT else text[: LONGEST_TEXT - 1] + "…"


def _trouble(fields: dict[str, Any]) -> Trouble:
    place = Place(**fields.pop("place"))
    return Trouble(place=place, **fields)
