"""Finds who is in a class: from a list by Pronote, Moodle or a spreadsheet, or from the files handed in. Pure.

Errors: ClassListError    a list in which no names are found; the message is a sentence for the user
"""

from __future__ import annotations

import csv
import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from locales import _, harmless
from server.names.text import visible

MOST_PUPILS: Final = 2000
"""The most names in a list: it may be of a whole school, from which one group is wanted."""

MOST_BYTES: Final = 1 << 20
"""How long a list may be."""

LONGEST_CELL: Final = 100
"""Characters of a cell that are read: no name is longer."""

_COLUMNS: Final[Mapping[str, frozenset[str]]] = {
    "first": frozenset(("prenom", "prenoms", "prenom usuel", "first name", "firstname", "given name", "forename")),
    "last": frozenset(
        ("nom", "nom de famille", "nom usuel", "last name", "lastname", "surname", "last name (surname)", "family name")
    ),
    "whole": frozenset(
        ("eleve", "eleves", "nom et prenom", "nom prenom", "nom complet", "full name", "name", "student", "pupil")
    ),
    "groups": frozenset(("groupe", "groupes", "group", "groups", "classe", "classes", "class", "division")),
}
"""What a column holds -> its possible headings, without accents and in lower case."""

_HEADING_ROWS: Final = 10
"""How many rows from the top may hold the headings: some exports have a title above them."""

_DELIMITERS: Final = ";\t,"

_SUMS: Final = frozenset(
    (
        *("total", "totaux", "sous total", "total general", "grand total", "total eleves", "nombre", "nombre d eleves"),
        *("effectif", "effectifs", "effectif total", "eleves", "moyenne", "moyennes", "subtotal", "sum"),
        *("count", "average", "mean", "pupils", "students", "total pupils", "total students", "number of students"),
    )
)
"""What a row of totals has in place of a name, without numbers and accents, in lower case."""

_NO_LETTERS: Final = re.compile(r"[\W\d_]+")
_BETWEEN_GROUPS: Final = re.compile(r"[,;/|]")
_HANDED_IN: Final = re.compile(r"_\d+_assign\w*?_file(?:_.*)?$")
"""What Moodle appends to the pupil's name in the name of a folder, or of a file: there the original name follows."""


class ClassListError(Exception):
    """A list in which no names are found."""


@dataclass(frozen=True, slots=True)
class Pupil:
    """A pupil; `first` is empty if the list does not separate first names from last names.

    line: their line in the list, from 1; 0 for a pupil known only by a file that they handed in.
    """

    first: str
    last: str
    groups: tuple[str, ...] = ()
    line: int = field(default=0, compare=False)

    @property
    def whole(self) -> str:
        """First and last name."""
        return f"{self.first} {self.last}".strip()


class Row(NamedTuple):
    """Cells of a list, and the line on which they begin, from 1."""

    line: int
    cells: Sequence[str]


def read_list(text: str) -> tuple[list[Pupil], list[Row]]:
    """The pupils in a table with commas, semicolons or tabs, or with a name a line; and the rows that are a sum.

    Raises ClassListError.
    """
    rows = _rows(text)
    for number, row in enumerate(rows[:_HEADING_ROWS]):
        if columns := _headings(row.cells):
            rows = rows[number + 1 :]
            pupils = [_pupil(columns, row) for row in rows]
            break
    else:
        if any(len(row.cells) > 1 for row in rows):
            raise ClassListError(_no_names())
        pupils = [told_apart(row.cells[0], row.line) for row in rows]
    sums = {pupil.line for pupil in _sums(pupils)}
    pupils = [pupil for pupil in pupils if pupil.whole and pupil.line not in sums]
    if not pupils:
        raise ClassListError(_no_names())
    if len(pupils) > MOST_PUPILS:
        raise ClassListError(_("There are more than {count} names in this list.").format(count=MOST_PUPILS))
    return pupils, [row for row in rows if row.line in sums]


def _rows(text: str) -> list[Row]:
    """The non-empty rows of a table, with the visible text of each cell; raises ClassListError."""
    lines = [
        (number, f"{line}\n")
        for number, line in enumerate(text.lstrip("\ufeff").splitlines(), start=1)
        if line.strip() and not line.startswith("sep=")
    ]
    head = "".join(line for _number, line in lines[:_HEADING_ROWS])
    reader = csv.reader((line for _number, line in lines), delimiter=max(_DELIMITERS, key=head.count), strict=True)
    found: list[Row] = []
    begin = 0
    try:
        for cells in reader:
            found.append(
                Row(lines[begin][0], [" ".join(harmless.plain(visible(cell)).split())[:LONGEST_CELL] for cell in cells])
            )
            begin = reader.line_num
    except csv.Error as error:
        message = _(
            "Line {line}: a cell of this list is too long, or a quotation mark has no second one: save it as CSV once "
            "more."
        )
        raise ClassListError(message.format(line=lines[begin][0])) from error
    return [row for row in found if any(row.cells)]


def _sums(pupils: Sequence[Pupil]) -> list[Pupil]:
    """The rows of totals; also rows without any letters, if other rows have letters."""
    words = [_NO_LETTERS.sub(" ", plain(pupil.whole)).strip() for pupil in pupils]
    empty = "" if any(words) else None
    return [
        pupil for pupil, word in zip(pupils, words, strict=True) if pupil.whole and (word in _SUMS or word == empty)
    ]


def told_apart(name: str, line: int = 0) -> Pupil:
    """Splits "MARTIN Léa", with the last name in capitals; if capitals don't tell, all of it is the last name."""
    words = name.split()
    last = [word for word in words if len(word) > 1 and word.isupper()]
    first = [word for word in words if word not in last]
    if not (last and first):
        first, last = [], words
    return Pupil(" ".join(first), " ".join(last), line=line)


def handed_in_by(name: str) -> Pupil:
    """The pupil after whom a file or folder is named: "lea_martin", or the way Moodle names it."""
    words = _HANDED_IN.sub("", name).replace("_", " ").strip()
    return told_apart(words.title() if words.islower() else words)


def in_group(pupils: Sequence[Pupil], group: str) -> list[Pupil]:
    """Those of a group; raises ClassListError if nobody is in it."""
    found = [pupil for pupil in pupils if plain(group) in map(plain, pupil.groups)]
    if not found:
        groups = sorted({group for pupil in pupils for group in pupil.groups})
        text = _("Nobody is in the group {group}. The list has: {groups}.")
        raise ClassListError(text.format(group=group, groups=", ".join(groups) or _("no groups")))
    return found


def _headings(row: Sequence[str]) -> dict[str, list[int]]:
    """The columns by what they hold, if this row has a heading for names; else empty."""
    cells = [plain(cell) for cell in row]
    columns = {
        kind: [number for number, cell in enumerate(cells) if cell in headings]
        for kind, headings in _COLUMNS.items()
        if not headings.isdisjoint(cells)
    }
    if "last" in columns and "first" not in columns:
        columns.setdefault("whole", columns.pop("last"))
    return columns if columns.keys() & {"first", "whole"} else {}


def _pupil(columns: Mapping[str, Sequence[int]], row: Row) -> Pupil:
    def cells(kind: str) -> list[str]:
        return [row.cells[number] for number in columns.get(kind, ()) if number < len(row.cells)]

    groups = (part.strip(" []") for cell in cells("groups") for part in _BETWEEN_GROUPS.split(cell))
    first, last, whole = ("".join(cells(kind)[:1]) for kind in ("first", "last", "whole"))
    told = Pupil(first, last) if first or last else told_apart(whole)
    return Pupil(told.first, told.last, tuple(filter(None, groups)), row.line)


def plain(text: str) -> str:
    """Without accents, in small letters, with single spaces."""
    letters = unicodedata.normalize("NFD", text.casefold())
    return " ".join("".join(letter for letter in letters if not unicodedata.combining(letter)).split())


def _no_names() -> str:
    return _(
        "There are no names in this list: its columns are to be headed, for instance Nom;Prénom or First name,Last "
        "name; or write one name a line."
    )
