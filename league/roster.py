"""Personal codes, with which the pupils on the roster of a league enter it. They stay in the league's folder.

The log says who is on the roster, but no code: it may be shown to everybody. The server gets hashes. So the one file
with the codes, readable by its owner alone, is the only place where they stand; without it, new ones are drawn.

Errors: RosterError    the file with the codes can't be read or written; the message is a sentence for the user
"""

import json
import re
import secrets
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Final

from locales import _
from locales.system import reason
from machine.files import replace_private
from protocol.messages import Roster, RosterEntry
from protocol.values import personal_hash

NAME: Final = "codes.json"
"""The file with the personal codes in a league's folder."""

CLASS: Final = "class.toml"
"""The file that describes a class in its folder: that has codes and a server of its own, so no league is kept there."""

SYLLABLES: Final = 4
"""Of a drawn code: 8 letters, 7 million codes, so that two guesses a second hardly find one in a lesson."""

SHORTEST: Final = 6
LONGEST: Final = 16
"""The fewest and most letters of a code that was not drawn but chosen by somebody."""

_CONSONANTS = "BDFGLMNPRSTVZ"
_VOWELS = "AIOU"
_NOT_SAID = ("NAZI", "PIPI", "ZIZI", "PUTA", "PUTO", "TUTU", "NANA", "GAGA", "BITO", "NIGA")
_CODE = re.compile(rf"[A-Za-z]{{{SHORTEST},{LONGEST}}}")

Codes = Mapping[str, str]
"""Personal codes, in capitals, by the names on the roster."""


class RosterError(Exception):
    """The personal codes of a league can't be read or kept."""


def is_code(text: object) -> bool:
    """Whether it can be a personal code: letters that every keyboard has, and enough of them."""
    return isinstance(text, str) and _CODE.fullmatch(text) is not None


def draw(names: Iterable[str], known: Codes, choose: Callable[[str], str] = secrets.choice) -> dict[str, str]:
    """A code for each name: the one that is known, else one that is drawn, and that nobody else has."""
    names = list(names)
    codes = {name: known[name].upper() for name in names if name in known}
    taken = set(codes.values())
    for name in names:
        while name not in codes:
            code = "".join(choose(_CONSONANTS) + choose(_VOWELS) for _ in range(SYLLABLES))
            if code not in taken and not any(word in code for word in _NOT_SAID):
                codes[name] = code
                taken.add(code)
    return {name: codes[name] for name in names}


def keep(folder: Path, names: Iterable[str], given: Codes) -> dict[str, str]:
    """The codes of the roster of the league in `folder`: given ones, else those kept there, else new ones, now kept.

    Raises RosterError.
    """
    path = folder / NAME
    try:
        known = {**_read(path), **given}
        codes = draw(names, known)
        if codes != _read(path):
            folder.mkdir(parents=True, exist_ok=True)
            replace_private(path, json.dumps(codes, ensure_ascii=False, indent=1))
    except (OSError, ValueError, RecursionError) as error:
        why = reason(error) if isinstance(error, OSError) else _("it is not as it was written")
        raise RosterError(
            _("The personal codes in {path} can't be used: {reason}.").format(path=path, reason=why)
        ) from error
    return codes


def keep_more(folder: Path, names: Iterable[str]) -> dict[str, str]:
    """The codes of these names, as `keep`; whoever else has a code in `folder` keeps it. Raises RosterError."""
    names = list(names)
    path = folder / NAME
    try:
        others = [name for name in _read(path) if name not in names]
    except (OSError, ValueError, RecursionError):
        others = []  # `keep` says what is wrong
    codes = keep(folder, [*names, *others], {})
    return {name: codes[name] for name in names}


def entries(code: str, codes: Codes) -> Roster:
    """What a server is told of the roster of the league `code`."""
    return tuple(RosterEntry(name, personal_hash(code, personal)) for name, personal in codes.items())


def _read(path: Path) -> dict[str, str]:
    """The codes in a file, none if there is no file; raises ValueError and OSError."""
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    if not isinstance(found, dict) or not all(map(is_code, found.values())):
        raise ValueError(path)
    return found
