"""Who is in a class: out of a file of Pronote, of Moodle or of a spreadsheet, or out of the files handed in. Pure.

What a pupil is called in a table is their first name; whoever shares it gets letters of the last name behind it.

Errors: ClassListError    a list in which no names are found; the message is a sentence for the user
"""

from __future__ import annotations

import csv
import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from locales import _
from protocol.bounds import MAX_NAME
from protocol.errors import ProtocolError
from server.lookalikes import looks
from server.text import display_name

MOST_PUPILS: Final = 2000
"""In a list; a school may be in it, of which a group is wanted."""

MOST_BYTES: Final = 1 << 20
"""How long a list may be."""

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
"""What a column is -> how it is headed, without accents and in small letters."""

_HEADING_ROWS: Final = 10
"""In how many rows, from the top, headings are looked for: some exports have a title above them."""

_DELIMITERS: Final = ";\t,"
_BETWEEN_GROUPS: Final = re.compile(r"[,;/|]")
_HANDED_IN: Final = re.compile(r"_\d+_assign\w*?_file(?:_.*)?$")
"""What Moodle puts behind a name: of a folder, or of a file, whose own name then comes last."""


class ClassListError(Exception):
    """A list in which no names are found."""


@dataclass(frozen=True, slots=True)
class Pupil:
    """Somebody of a class; `first` is empty where a list does not tell first names from last names."""

    first: str
    last: str
    groups: tuple[str, ...] = ()

    @property
    def whole(self) -> str:
        """First and last name."""
        return f"{self.first} {self.last}".strip()


def read_list(text: str) -> list[Pupil]:
    """The pupils in a table with commas, semicolons or tabs, or with a name a line; raises ClassListError."""
    lines = [line for line in text.lstrip("\ufeff").splitlines() if line.strip() and not line.startswith("sep=")]
    head = "\n".join(lines[:_HEADING_ROWS])
    delimiter = max(_DELIMITERS, key=head.count)
    try:
        rows = list(csv.reader(lines, delimiter=delimiter, strict=True))
    except csv.Error as error:
        text = _("A cell of this list is too long, or a quotation mark has no second one: save it as CSV once more.")
        raise ClassListError(text) from error
    for number, row in enumerate(rows[:_HEADING_ROWS]):
        if columns := _headings(row):
            pupils = [_pupil(columns, row) for row in rows[number + 1 :]]
            break
    else:
        if any(len(row) > 1 for row in rows):
            raise ClassListError(_no_names())
        pupils = [told_apart(row[0]) for row in rows]
    pupils = [pupil for pupil in pupils if pupil.whole]
    if not pupils:
        raise ClassListError(_no_names())
    if len(pupils) > MOST_PUPILS:
        raise ClassListError(_("There are more than {count} names in this list.").format(count=MOST_PUPILS))
    return pupils


def told_apart(name: str) -> Pupil:
    """First and last name of "MARTIN Léa", whose last name is in capitals; else all of it as the last name."""
    words = name.split()
    last = [word for word in words if len(word) > 1 and word.isupper()]
    first = [word for word in words if word not in last]
    return Pupil(" ".join(first), " ".join(last)) if last and first else Pupil("", " ".join(words))


def handed_in_by(name: str) -> Pupil:
    """Whoever a file or folder is called after: "lea_martin", or as Moodle calls it."""
    words = _HANDED_IN.sub("", name).replace("_", " ").strip()
    return told_apart(words.title() if words.islower() else words)


def in_group(pupils: Sequence[Pupil], group: str) -> list[Pupil]:
    """Those of a group; raises ClassListError if nobody is in it."""
    found = [pupil for pupil in pupils if _plain(group) in map(_plain, pupil.groups)]
    if not found:
        groups = sorted({group for pupil in pupils for group in pupil.groups})
        text = _("Nobody is in the group {group}. The list has: {groups}.")
        raise ClassListError(text.format(group=group, groups=", ".join(groups) or _("no groups")))
    return found


def called(pupils: Sequence[Pupil]) -> list[str]:
    """A name for each in the table, no two of which look alike; raises ClassListError for one that can't be a name."""
    choices = [list(_possible(pupil)) for pupil in pupils]
    level = [0] * len(pupils)
    while True:
        names = [choice[min(at, len(choice) - 1)] for choice, at in zip(choices, level, strict=True)]
        shared = Counter(look for name in names for look in set(looks(name)))
        unclear = [number for number, name in enumerate(names) if any(shared[look] > 1 for look in looks(name))]
        open_ = [number for number in unclear if level[number] < len(choices[number]) - 1]
        if not open_:
            return _numbered(names)
        for number in open_:
            level[number] += 1


def _possible(pupil: Pupil) -> Iterator[str]:
    """The names that a pupil may have, the shortest first."""
    if not pupil.first:
        yield _checked(pupil.last)
        return
    yield _checked(pupil.first)
    last = unicodedata.normalize("NFC", pupil.last)
    for length in range(1, len(last)):
        yield _checked(pupil.first, f"{last[:length].rstrip(' -').capitalize()}.")
    yield _checked(pupil.first, last.title() if last.isupper() else last)


def _checked(first: str, more: str = "") -> str:
    """A name as the server takes it, cut to its length; raises ClassListError."""
    room = MAX_NAME - (len(more) + 1 if more else 0)
    name = f"{first[: max(room, 1)].rstrip()} {more}".strip()[:MAX_NAME].rstrip()
    try:
        return display_name(name)
    except ProtocolError as error:
        raise ClassListError(_("{name!r} can't be a name: use letters of one alphabet.").format(name=name)) from error


def _numbered(names: Sequence[str]) -> list[str]:
    """The names, with a number behind each that still looks like one before it."""
    taken: set[str] = set()
    found: list[str] = []
    for name in names:
        number, free = 1, name
        while not taken.isdisjoint(looks(free)):
            number += 1
            free = f"{name[: MAX_NAME - len(str(number)) - 1].rstrip()} {number}"
        taken.update(looks(free))
        found.append(free)
    return found


def _headings(row: Sequence[str]) -> dict[str, list[int]]:
    """Which columns are what, if this row has the headings of names."""
    plain = [_plain(cell) for cell in row]
    columns = {
        kind: [number for number, cell in enumerate(plain) if cell in headings]
        for kind, headings in _COLUMNS.items()
        if not headings.isdisjoint(plain)
    }
    if "last" in columns and "first" not in columns:
        columns.setdefault("whole", columns.pop("last"))
    return columns if columns.keys() & {"first", "whole"} else {}


def _pupil(columns: Mapping[str, Sequence[int]], row: Sequence[str]) -> Pupil:
    def cells(kind: str) -> list[str]:
        return [" ".join(row[number].split()) for number in columns.get(kind, ()) if number < len(row)]

    groups = (part.strip(" []") for cell in cells("groups") for part in _BETWEEN_GROUPS.split(cell))
    first, last, whole = ("".join(cells(kind)[:1]) for kind in ("first", "last", "whole"))
    told = Pupil(first, last) if first or last else told_apart(whole)
    return Pupil(told.first, told.last, tuple(filter(None, groups)))


def _plain(text: str) -> str:
    """Without accents, in small letters, with single spaces."""
    letters = unicodedata.normalize("NFD", text.casefold())
    return " ".join("".join(letter for letter in letters if not unicodedata.combining(letter)).split())


def _no_names() -> str:
    return _(
        "There are no names in this list: its columns are to be headed, for instance Nom;Prénom or First name,Last "
        "name; or write one name a line."
    )
