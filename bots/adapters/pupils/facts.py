"""The messages to and from the process of a pupil's file: one JSON object on each line, without words for people.

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
    "syntax", "unreadable", "nothing", "missing", "raised", "asked", "printed", "slow", "wrong", "illegal", "endless",
    "notebook", "magic", "demo", "chosen", "hint", "full",
]  # fmt: skip
"""The kinds of trouble.

syntax: the file is no Python. unreadable: it can't be read. nothing: it defines no function of a document. missing: it
imports a module that is not there. raised: it raises an exception. asked: it waits for the keyboard. printed: it writes
to the screen (no fault). slow: it does not end in time. full: it does not, and fills the memory; `count` is by how many
MiB. endless: it goes on pondering after it was told to stop. wrong: it returns something that is no move at all.
illegal: it returns a move that the rules refuse. notebook: it is no notebook that can be run; `error` is a
`notebooks.NotebookFault`. No faults are: magic: a notebook's line that is no Python was left out; demo: a game or a
test outside of all functions was stopped; chosen: of several functions, this is asked; hint: a likely mistake, which
loses nothing yet.
"""

Fault = Literal["crash", "illegal", "timeout"]
"""How a program fails, as on the wire."""

LONGEST_TEXT = 200


@dataclass(frozen=True, slots=True)
class Location:
    """A place in the pupil's own files: `function` is "" outside of all functions.

    cell: of a notebook, counted from 1 among its code cells, whose lines are counted too; 0 in other files.
    """

    file: str = ""
    line: int = 0
    code: str = ""
    function: str = ""
    cell: int = 0


@dataclass(frozen=True, slots=True)
class Trouble:
    """What went wrong; or, among the notices of an answer, what the author should know.

    error: the type of the exception. detail: its text, or the text that was printed or asked, or the name that is
    missing. function: the pupil's function that was called. returned: its answer; expected: a key of `wording` for what
    it should be. why: the code in `IllegalMove.reason`. legal: the legal moves in the form that the function should
    return. others: the functions that were not chosen. count: how often it happened, if that is told. moves: how many
    moves have used up the time, if it was for the whole game and they did so together (`patience.Pace`); else 0.
    hints: likely mistakes behind it (`hints.Hint`). loading: whether it happened while the file was loaded. kept:
    whether the file is used nevertheless.
    """

    kind: Kind
    place: Location = Location()
    error: str = ""
    detail: str = ""
    function: str = ""
    returned: str = ""
    expected: str = ""
    why: str = ""
    legal: Sequence[str] = ()
    others: Sequence[str] = ()
    count: int = 1
    hints: Sequence[Sequence[str]] = ()
    loading: bool = False
    kept: bool = False
    moves: int = 0


@dataclass(frozen=True, slots=True)
class Ready:
    """The file is loaded.

    interface: its name in the documentation and in `FILE#FUNCTION=INTERFACE`; function: its name in the file.
    plays: id of a game -> the options that the game must have. ponders: whether the file defines `ponder`.
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
    """The file does not ponder any more; trouble: what went wrong while it did, or None."""

    trouble: "Trouble | None" = None


@dataclass(frozen=True, slots=True)
class Rested:
    """The file was told that a game is over. cpu_s: the processor time of the process and its children."""

    cpu_s: float
    trouble: "Trouble | None" = None


@dataclass(frozen=True, slots=True)
class Setup:
    """The file that a process runs, and the user's choice in it.

    folder: the package that the file belongs to, "" for a file that stands alone. load_s: how long loading may take.
    demos: whether its games and tests outside of all functions are begun.
    """

    file: str
    choice: str = ""
    load_s: float = 5.0
    folder: str = ""
    demos: bool = True


@dataclass(frozen=True, slots=True)
class Question:
    """Asks for a move in a position within `within_s` seconds.

    moves: those that led to the position from the start. seed: for the module `random`, so that the same question gets
    the same answer again. clock: the fields of a `bots.budget.Budget`.
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


Response = Ready | Moved | Trouble | Stopped | Rested
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


def write(message: Response | Request) -> str:
    """A message as a line, without its line end."""
    name = next(name for name, kind in _TYPES.items() if type(message) is kind)
    return json.dumps({"type": name, **asdict(message)}, ensure_ascii=True)


def read_request(line: str) -> Request:
    """Reads a line that `write` made of a request."""
    fields = json.loads(line)
    request: Request = _TYPES[fields.pop("type")](**fields)
    return request


def read_response(line: str) -> Response:
    """Reads a line that `write` made of a response; raises ValueError for anything else."""
    try:
        fields = json.loads(line)
        kind = fields.pop("type")
        if kind == "trouble":
            return trouble_of(fields)
        if "notices" in fields:
            fields["notices"] = tuple(trouble_of(notice) for notice in fields["notices"])
        if fields.get("trouble") is not None:
            fields["trouble"] = trouble_of(fields["trouble"])
        response: Response = _TYPES[kind](**fields)
    except (AttributeError, KeyError, TypeError) as error:
        raise ValueError(line) from error
    if isinstance(response, (Ready, Moved, Stopped, Rested)):
        return response
    raise ValueError(line)


_FAULTS: "Mapping[str, Fault]" = {
    "slow": "timeout",
    "full": "timeout",
    "endless": "timeout",
    "wrong": "illegal",
    "illegal": "illegal",
}


def fault_of(trouble: Trouble) -> Fault:
    """The fault by which a trouble loses the match."""
    return _FAULTS.get(trouble.kind, "crash")


def clip(text: str) -> str:
    """`text` on one line, cut to LONGEST_TEXT characters."""
    text = " ".join(text.split())
    return text if len(text) <= LONGEST_TEXT else text[: LONGEST_TEXT - 1] + "…"


def trouble_of(fields: dict[str, Any]) -> Trouble:
    """The trouble of these fields, which `write` made; raises KeyError, TypeError."""
    place = Location(**fields.pop("place"))
    return Trouble(place=place, **fields)
