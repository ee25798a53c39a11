"""What the process that runs a pupil's file is asked and says: one JSON object a line, without words for people.

    < {"type": "ready", "interface": "coup_joueur", "function": "coup_joueur", "plays": {"othello": {"size": 8}}, ...}
    > {"game": "othello", "position": "---... X", "within_s": 9.5, "moves": [], "seed": "7", ...}
    < {"type": "moved", "move": "d3", "notices": []}
    < {"type": "trouble", "kind": "raised", "error": "IndexError", "detail": "list index out of range", "line": 12, ...}

Errors: ValueError for a line that is none of these.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Literal

Kind = Literal["syntax", "unreadable", "nothing", "missing", "raised", "asked", "printed", "slow", "wrong", "illegal"]
"""What a trouble is.

syntax: not Python. unreadable: the file can't be read. nothing: defines no function of a document. missing: imports a
module that is not there. raised: an exception. asked: waits for the keyboard. printed: writes to the screen (no fault).
slow: does not come to an end. wrong: what it returned is no move at all. illegal: a move that the rules refuse.
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
    plays: id of a game -> the options that it must have for this file.
    """

    interface: str
    function: str
    plays: Mapping[str, Mapping[str, int]]
    notices: Sequence[Trouble] = ()


@dataclass(frozen=True, slots=True)
class Moved:
    """The move that the file chose, which is legal."""

    move: str
    notices: Sequence[Trouble] = ()


Report = Ready | Moved | Trouble


@dataclass(frozen=True, slots=True)
class Question:
    """A position to be answered within so many seconds.

    moves: those that led to it from the start. seed: for the module `random`, so that the same question has the same
    answer again. clock: the fields of a `bots.base.Budget`.
    """

    game: str
    position: str
    within_s: float
    moves: Sequence[str] = ()
    seed: str = ""
    clock: Mapping[str, int | None] = field(default_factory=dict[str, "int | None"])


def write(message: Report | Question) -> str:
    """The line of a message, without its end."""
    fields = asdict(message)
    match message:
        case Ready():
            fields["type"] = "ready"
        case Moved():
            fields["type"] = "moved"
        case Trouble():
            fields["type"] = "trouble"
        case Question():
            pass
    return json.dumps(fields, ensure_ascii=True)


def read_question(line: str) -> Question:
    """The question that `write` made a line of."""
    return Question(**json.loads(line))


def read_report(line: str) -> Report:
    """The report that `write` made a line of; raises ValueError for anything else."""
    try:
        fields = json.loads(line)
        kind = fields.pop("type")
        if kind == "trouble":
            return _trouble(fields)
        fields["notices"] = tuple(_trouble(notice) for notice in fields["notices"])
        return Ready(**fields) if kind == "ready" else Moved(**fields)
    except (AttributeError, KeyError, TypeError) as error:
        raise ValueError(line) from error


def clip(text: str) -> str:
    """`text`, on one line and of bearable length."""
    text = " ".join(text.split())
    return text if len(text) <= LONGEST_TEXT else text[: LONGEST_TEXT - 1] + "…"


def _trouble(fields: dict[str, Any]) -> Trouble:
    place = Place(**fields.pop("place"))
    return Trouble(place=place, **fields)
