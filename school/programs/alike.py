"""Which programs of a class are alike, for the teacher alone: a reason to look at two of them, no proof. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from bots.adapters.pupils.notebooks import NotebookError
from league.pupils.handed_in import python_of
from league.pupils.similarity import compare
from school.messages import Pair, Similar

LEAST: Final = 0.3
"""The least share that makes two programs alike."""

MOST_PAIRS: Final = 200
"""How many pairs are told, the most alike first."""


def similar(programs: Mapping[str, tuple[str, str]]) -> Similar:
    """The pairs among the newest programs, which are (file, text) by name.

    What more than half of the class has does not count. A notebook that can't be read counts as too short.
    """
    found = compare({name: _python(file, text) for name, (file, text) in programs.items()}, least=LEAST)
    pairs = (Pair(*pair.names, round(pair.share, 3)) for pair in found.pairs[:MOST_PAIRS])
    return Similar(tuple(pairs), tuple(found.too_short))


def _python(file: str, text: str) -> str:
    try:
        return python_of(file, text.encode(errors="replace"))
    except NotebookError:
        return ""
