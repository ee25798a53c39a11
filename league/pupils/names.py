"""The names of pupils in a table: the server accepts them, and no two of them look alike. Pure.

A pupil's name is their first name; those who share one get letters of their last name after it.
"""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import starmap

from league.pupils.lists import Pupil
from locales import _
from protocol.bounds import MAX_NAME
from protocol.errors import ProtocolError
from server.names.lookalikes import looks
from server.names.text import display_name


def called(pupils: Sequence[Pupil]) -> list[str]:
    """A name for each pupil; no two of them look alike."""
    numbers = range(1, len(pupils) + 1)
    choices = [_possible(pupil) or [_stand_in(at)] for at, pupil in zip(numbers, pupils, strict=True)]
    level = [0] * len(pupils)
    while True:
        names = [choice[min(at, len(choice) - 1)] for choice, at in zip(choices, level, strict=True)]
        shared = Counter(look for name in names for look in set(looks(name)))
        unclear = [number for number, name in enumerate(names) if any(shared[look] > 1 for look in looks(name))]
        open_ = [number for number in unclear if level[number] < len(choices[number]) - 1]
        if not open_:
            return numbered(names)
        for number in open_:
            level[number] += 1


def is_usable(pupil: Pupil) -> bool:
    """Whether the server accepts some form of their name; if none, they are called by their number in the class."""
    return bool(_possible(pupil))


def _stand_in(number: int) -> str:
    return _("Pupil {number}").format(number=number)


def _possible(pupil: Pupil) -> list[str]:
    """The names that a pupil may have and a server takes, the shortest first; the last name alone if need be."""
    alone = (pupil.last, "")
    return list(filter(None, starmap(_checked, _candidates(pupil)))) or list(filter(None, [_checked(*alone)]))


def _candidates(pupil: Pupil) -> Iterator[tuple[str, str]]:
    """Pairs of the first name and what follows it: nothing, letters of the last name, or all of it."""
    if not pupil.first:
        yield pupil.last, ""
        return
    yield pupil.first, ""
    last = unicodedata.normalize("NFC", pupil.last)[:MAX_NAME]
    for length in range(1, len(last)):
        yield pupil.first, f"{last[:length].rstrip(' -').capitalize()}."
    yield pupil.first, last.title() if last.isupper() else last


def _checked(first: str, more: str) -> str | None:
    """The name as the server accepts it, cut to the maximum length; None if the server refuses it."""
    room = MAX_NAME - (len(more) + 1 if more else 0)
    name = f"{first[: max(room, 1)].rstrip()} {more}".strip()[:MAX_NAME].rstrip()
    try:
        return display_name(name)
    except ProtocolError:
        return None


def numbered(names: Sequence[str]) -> list[str]:
    """The names; each one that still looks like an earlier one gets a number."""
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
