"""The result of one game of a league, and how lists of results are read from CSV. Pure.

Errors: ResultsError    a list of results that can't be read; the message is a sentence for the user, with the line
"""

import csv
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from itertools import chain
from typing import Any, Final, Self

from locales import _
from locales.harmless import plain

WINNERS: Final = {"1-0": 1, "0-1": 2, "1/2-1/2": None, "½-½": None, "0.5-0.5": None, "0,5-0,5": None}
"""How a result is written in CSV, and the seat that won."""

FAULTS: Final = ("crash", "timeout", "illegal", "abandoned")
"""The reasons of a defeat that say that a player failed, and not that it was outplayed."""

HEADER: Final = ("first", "second", "result")

LONGEST_NAME: Final = 100


class ResultsError(Exception):
    """A list of results that can't be read."""


@dataclass(frozen=True, slots=True)
class Result:
    """One game that is over and counts.

    pairing: what the two games of a colour-swapped pair have in common; empty when nothing is known about it.
    first, second: the players in the order of their seats. winner: the seat that won, None for a draw.
    reason: as on the wire ("line", "timeout" ...). seconds: what first and second used to think.
    """

    pairing: str
    first: str
    second: str
    winner: int | None
    reason: str = ""
    plies: int = 0
    seconds: tuple[float, float] = (0.0, 0.0)

    @property
    def halves(self) -> int:
        """What the first player made, in half points: 0, 1 or 2."""
        return {1: 2, 2: 0, None: 1}[self.winner]

    def halves_of(self, name: str) -> int:
        """What one of the two made, in half points."""
        return self.halves if name == self.first else 2 - self.halves

    def as_dict(self) -> dict[str, object]:
        """The result in types that JSON has; `from_dict` reads it back."""
        return {**asdict(self), "seconds": list(self.seconds)}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """The result that `as_dict` wrote."""
        values: dict[str, Any] = {**data, "seconds": tuple(data["seconds"])}
        return cls(**values)


def read_csv(lines: Iterable[str]) -> list[Result]:
    """The results of a table with the columns first, second, result, and perhaps pair (ids of colour-swapped pairs).

    Between the columns stand commas, or semicolons or tabs as spreadsheets of other languages write them; the first
    line says which. Raises ResultsError.
    """
    lines = iter(lines)
    head = next(lines, "").removeprefix("\ufeff")
    rows = csv.DictReader(chain([head], lines), delimiter=_between(head), skipinitialspace=True, strict=True)
    try:
        missing = [column for column in HEADER if column not in (rows.fieldnames or ())]
        if missing:
            raise ResultsError(
                _("Line 1 has to name the columns first,second,result; {columns} is missing.").format(
                    columns=", ".join(missing)
                )
            )
        return [_result(row, rows.line_num) for row in rows]
    except csv.Error as error:
        raise ResultsError(
            _("Near line {line}: this is no CSV; is a quote left open?").format(line=rows.line_num)
        ) from error


def _between(head: str) -> str:
    """What stands between the columns that the first line names."""
    return max(",;\t", key=head.count)


def _result(row: Mapping[str, str | None], line: int) -> Result:
    first, second, result = (plain(row[column] or "").strip() for column in HEADER)
    if not first or not second or first == second:
        raise ResultsError(_("Line {line}: a game needs two players with different names.").format(line=line))
    if max(len(first), len(second)) > LONGEST_NAME:
        text = _("Line {line}: the name of a player has at most {most} characters.")
        raise ResultsError(text.format(line=line, most=LONGEST_NAME))
    if result not in WINNERS:
        raise ResultsError(
            _("Line {line}: {result!r} is no result; write 1-0, 0-1 or 1/2-1/2.").format(line=line, result=result)
        )
    return Result((row.get("pair") or "").strip(), first, second, WINNERS[result])


def pairs(results: Iterable[Result]) -> list[list[Result]]:
    """The results grouped into colour-swapped pairs: two of the same pairing, or one whose partner is not there.

    Of results without a pairing, two make one when they follow each other, with the same players and seats swapped.
    """
    groups: list[list[Result]] = []
    waiting: dict[tuple[str, str, str], list[Result]] = {}
    nameless: list[Result] = []
    for result in results:
        partner = waiting.pop((result.pairing, result.second, result.first), None)
        if not result.pairing:
            alone = len(nameless) == 1
            partner = nameless if alone and _seats(nameless[0]) == (result.second, result.first) else None
        if partner is not None:
            partner.append(result)
            continue
        groups.append([result])
        if result.pairing:
            waiting[result.pairing, result.first, result.second] = groups[-1]
        else:
            nameless = groups[-1]
    return groups


def _seats(result: Result) -> tuple[str, str]:
    return result.first, result.second
