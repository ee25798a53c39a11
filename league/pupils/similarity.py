"""How alike the files of pupils are: shared runs of tokens, whatever the names, comments and layout. Pure.

The fingerprints are those of winnowing (Schleimer, Wilkerson, Aiken, "Winnowing: local algorithms for document
fingerprinting", SIGMOD 2003): of each window of hashes of `GRAM` tokens, the least. So every shared run of `GRAM +
WINDOW - 1` tokens, some five lines, is noticed. What more than half of all files share, and what the pupils were given,
belongs to nobody and does not count. A high share is a reason to look at two files, and proves nothing.
"""

from __future__ import annotations

import io
import keyword
import tokenize
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import combinations, pairwise
from typing import Final, NamedTuple
from zlib import crc32

GRAM: Final = 16
WINDOW: Final = 8

MOST_TOKENS: Final = 100_000
"""How much of a file is compared."""

LEAST_PRINTS: Final = 4
"""With fewer fingerprints of its own a file is too short to be like another."""

COMMON: Final = 0.5
"""A fingerprint that a larger share of the files has does not count."""

_APART: Final = 3
"""Shared lines that are no further apart than this are one passage."""

_NOT_COMPARED: Final = frozenset(
    (tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER)
)
_KINDS: Final = {tokenize.NUMBER: "0", tokenize.STRING: '"'}

Lines = tuple[int, int]
"""The first and the last line of a passage, from 1."""


@dataclass(frozen=True, slots=True)
class Likeness:
    """Two files that share something.

    share: the part, from 0 to 1, of the shorter one's fingerprints that both have.
    passages: where, in each of the two.
    """

    names: tuple[str, str]
    share: float
    passages: tuple[tuple[Lines, ...], tuple[Lines, ...]]


Prints = Mapping[int, Sequence[int]]
"""The fingerprints of a file -> the lines on which they begin."""


class Comparison(NamedTuple):
    """The pairs of files that are alike, the most alike first; and those that have too little of their own to be."""

    pairs: list[Likeness]
    too_short: list[str]


def compare(files: Mapping[str, str], given: Sequence[str] = (), least: float = 0.0) -> Comparison:
    """Finds the pairs of files, by name, that share at least `least`. given: the texts that all pupils were given."""
    prints = {name: fingerprints(text) for name, text in files.items()}
    shared = Counter(mark for marks in prints.values() for mark in marks)
    most = max(2, COMMON * len(files))
    free = {mark for mark, count in shared.items() if count > most}
    free.update(mark for text in given for mark in fingerprints(text))
    own = {name: {mark: lines for mark, lines in marks.items() if mark not in free} for name, marks in prints.items()}
    long = [name for name in own if len(own[name]) >= LEAST_PRINTS]
    pairs = (_likeness((one, two), own[one], own[two]) for one, two in combinations(long, 2))
    found = [pair for pair in pairs if pair.share > 0 and pair.share >= least]
    too_short = [name for name in own if len(own[name]) < LEAST_PRINTS]
    return Comparison(sorted(found, key=lambda pair: (-pair.share, pair.names)), too_short)


def fingerprints(text: str) -> Prints:
    """The fingerprints of a Python file; of one that is broken, those of what comes before the break."""
    tokens = list(_tokens(text))
    words = [word for word, _line in tokens]
    hashes = [crc32("\0".join(words[at : at + GRAM]).encode()) for at in range(len(words) - GRAM + 1)]
    found: dict[int, list[int]] = {}
    last = -1
    for start in range(max(1, len(hashes) - WINDOW + 1) if hashes else 0):
        window = hashes[start : start + WINDOW]
        least = min(window)
        at = start + len(window) - 1 - window[::-1].index(least)
        if at != last:
            last = at
            found.setdefault(least, []).append(tokens[at][1])
    return found


def _tokens(text: str) -> Iterator[tuple[str, int]]:
    """The tokens that count, with their lines: a name is a name, a number a number."""
    count = 0
    with suppress(tokenize.TokenError, SyntaxError, ValueError):
        for token in tokenize.generate_tokens(io.StringIO(text).readline):
            if token.type in _NOT_COMPARED:
                continue
            word = _KINDS.get(token.type, token.string)
            if token.type == tokenize.NAME and not keyword.iskeyword(word):
                word = "n"
            yield word, token.start[0]
            count += 1
            if count == MOST_TOKENS:
                return


def _likeness(names: tuple[str, str], one: Prints, two: Prints) -> Likeness:
    both = one.keys() & two.keys()
    return Likeness(names, len(both) / min(len(one), len(two)), (_passages(one, both), _passages(two, both)))


def _passages(prints: Prints, marks: set[int]) -> tuple[Lines, ...]:
    """The lines on which these fingerprints begin, as passages."""
    lines = sorted({line for mark in marks for line in prints[mark]})
    if not lines:
        return ()
    gaps = [(before, after) for before, after in pairwise(lines) if after - before > _APART]
    starts = [lines[0], *(after for _before, after in gaps)]
    ends = [*(before for before, _after in gaps), lines[-1]]
    return tuple(zip(starts, ends, strict=True))
