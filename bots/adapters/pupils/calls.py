"""The calls that a pupil's function made while it looked for a move, as they travel: one JSON object on each line.

    < {"type": "calls", "calls": [{"above": 0, "function": "minimax", "given": [["prof", "1"]], "returned": "3", ...}]}
    < {"type": "end", "calls": 4711, "move": "d3", "trouble": null}

A call comes after the one that it was made in; `above` is that one's place in the list of them all, -1 for the first.

Errors: BadLineError    a line is none of these
"""

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any, Final

from bots.adapters.pupils.facts import Trouble, trouble_of

MOST_CALLS: Final = 3000
"""Calls that are recorded; more are only counted."""

DEEPEST: Final = 40
"""How deep below the first call they are recorded."""

AT_ONCE: Final = 20
"""The most calls on one line."""

LONGEST: Final = 40
"""Characters of a value."""

MOST_GIVEN: Final = 8
"""Arguments of a call that are recorded."""

_LONGEST_READ: Final = 1000


class BadLineError(Exception):
    """A line that holds neither calls nor their end."""


@dataclass(slots=True)
class Call:
    """One call.

    given: names and values of the arguments; a board is "" there, and its cells (rows of X, O, -) are `cells`.
    returned: the value; None while it has not returned. number: the number in it, if there is one.
    raised: whether it ended with an exception. left_out: calls within it that were not recorded.
    """

    above: int
    function: str
    given: Sequence[Sequence[str]] = ()
    cells: str = ""
    returned: "str | None" = None
    number: "float | None" = None
    raised: bool = False
    left_out: int = 0


@dataclass(frozen=True, slots=True)
class End:
    """All calls are told. calls: how many there were, recorded or not. move: the answer; "" if there is none."""

    calls: int
    move: str = ""
    trouble: "Trouble | None" = None


def write_calls(calls: Sequence[Call]) -> str:
    """Some calls as a line."""
    return json.dumps({"type": "calls", "calls": [asdict(call) for call in calls]})


def write_end(end: End) -> str:
    """The end as a line."""
    return json.dumps({"type": "end", **asdict(end)})


def read(line: str, known: int) -> "list[Call] | End":
    """Reads a line; `known` is the number of calls on the lines before it. Raises BadLineError."""
    try:
        fields: Any = json.loads(line)
        if fields.pop("type") == "end":
            trouble = fields.pop("trouble")
            return End(**fields, trouble=None if trouble is None else trouble_of(trouble))
        calls = [_checked(call, known + place) for place, call in enumerate(fields["calls"])]
    except (AttributeError, KeyError, TypeError, ValueError, RecursionError) as error:
        raise BadLineError(line) from error
    if known + len(calls) > MOST_CALLS:
        raise BadLineError(line)
    return calls


def _checked(fields: Any, place: int) -> Call:
    """A call with these fields. They are checked, since the file's own code runs in the process that wrote them."""
    above, given, returned, number = fields["above"], fields["given"], fields["returned"], fields["number"]
    pairs = [(str(name), str(text)) for name, text in given]
    texts = [fields["function"], fields["cells"], *(text for pair in pairs for text in pair), returned or ""]
    good = (
        isinstance(above, int)
        and (0 <= above < place if place else above == -1)
        and all(isinstance(text, str) and len(text) <= _LONGEST_READ for text in texts)
        and (returned is None or isinstance(returned, str))
        and (number is None or isinstance(number, (int, float)))
    )
    if not good:
        raise ValueError(fields)
    return Call(
        above,
        fields["function"],
        pairs,
        fields["cells"],
        returned,
        number,
        raised=bool(fields["raised"]),
        left_out=int(fields["left_out"]),
    )
