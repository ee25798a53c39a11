"""Names that look alike, by Unicode's own tables (UTS #39, "Unicode Security Mechanisms").

Two names look alike if they share one of their `looks`: as they stand (section 4, "skeleton"), or without case. `Ivan`
and `lvan` do, `Ivan` and `Lvan` don't. Names of one script can still do so: Cyrillic `аса` is Latin `aca` to every eye.
Names of several scripts are refused before (section 5.2, "highly restrictive").

The tables are read when the first name that is not ASCII comes, which takes some 10 ms.
"""

from __future__ import annotations

import unicodedata
from bisect import bisect_right
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

TABLES: Final = Path(__file__).parent / "lookalikes.txt"
"""Unicode's tables; the file says of which version."""

_NONE = "Zyyy"
_ASIAN: Final = (
    frozenset(("Latn", "Hani", "Hira", "Kana")),
    frozenset(("Latn", "Hani", "Bopo")),
    frozenset(("Latn", "Hani", "Hang")),
)
"""Scripts that are written together: Japanese, Chinese and Korean, each also with Latin letters between."""

_ASCII_SEEN: Final = str.maketrans({"0": "O", "1": "l", "I": "l", "|": "l", "m": "rn", '"': "''", "`": "'"})
_ASCII_FOLDED: Final = str.maketrans({"0": "o", "1": "l", "|": "l", "m": "rn", '"': "''", "`": "'"})
_AS_SEEN: Final = "="
"""Stands before a look that keeps its case, in which an `I` is an `l`, not an `i`."""

_MOST_STEPS: Final = 8


def looks(name: str) -> tuple[str, ...]:
    """What no other name may share with `name`, which is a display name (NFKC)."""
    if name.isascii() and "%" not in name:
        return name.lower().translate(_ASCII_FOLDED), _AS_SEEN + name.translate(_ASCII_SEEN)
    tables = _tables()
    letters = unicodedata.normalize("NFD", name)
    seen = unicodedata.normalize("NFD", letters.translate(tables.prototypes))
    return tuple({tables.folded(fold(name)), tables.folded("".join(map(tables.small, letters))), _AS_SEEN + seen})


def is_one_script(name: str) -> bool:
    """Whether all letters of `name` are of one script, or of scripts that are written together."""
    if name.isascii():
        return True
    tables = _tables()
    used = [tables.scripts(character) for character in dict.fromkeys(name)]
    used = [scripts for scripts in used if _NONE not in scripts]
    if not used or frozenset.intersection(*used):
        return True
    return any(all(scripts & together for scripts in used) for together in _ASIAN)


@dataclass(frozen=True, slots=True)
class _Tables:
    """What each character looks like; and of each run of characters its first, its last and its scripts."""

    prototypes: dict[int, str]
    firsts: list[int]
    runs: list[tuple[int, frozenset[str]]]

    def scripts(self, character: str) -> frozenset[str]:
        """The scripts that use `character`; a script of its own for a character that is newer than the tables."""
        code = ord(character)
        place = bisect_right(self.firsts, code) - 1
        if place >= 0 and code <= self.runs[place][0]:
            return self.runs[place][1]
        return frozenset((character,))

    def small(self, character: str) -> str:
        """A character without case: of a capital the small letter of what it looks like (Greek `Β` is a `b`)."""
        if not character.isupper():
            return fold(character)
        seen = self.prototypes.get(ord(character), character)
        return "i" if seen == "l" else fold(seen)

    def folded(self, text: str) -> str:
        """`text`, which is without case, by what it looks like, until that changes nothing any more."""
        for _ in range(_MOST_STEPS):
            seen = fold(unicodedata.normalize("NFD", text).translate(self.prototypes))
            if seen == text:
                break
            text = seen
        return text


@cache
def _tables() -> _Tables:
    groups, scripts = TABLES.read_text(encoding="utf-8").split("\n\n")[1:]
    prototypes: dict[int, str] = {}
    for seen, characters in _lines(groups):
        text = "".join(chr(int(code, 16)) for code in seen.split())
        prototypes.update((int(code, 16), text) for code in characters.split())
    runs: list[tuple[int, int, frozenset[str]]] = []
    for names, ranges in _lines(scripts):
        used = frozenset(names.split())
        for run in ranges.split():
            first, _, last = run.partition("-")
            runs.append((int(first, 16), int(last, 16), used))
    runs.sort(key=lambda run: run[0])
    return _Tables(prototypes, [first for first, _, _ in runs], [(last, used) for _, last, used in runs])


def _lines(section: str) -> list[tuple[str, str]]:
    rows = (line.partition(":") for line in section.splitlines() if not line.startswith("#"))
    return [(left, right) for left, _, right in rows]


def fold(text: str) -> str:
    """`text` without case: NFKC and casefold, twice, since folding can undo the normal form."""
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold()).casefold()
