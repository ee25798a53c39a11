"""The rules of every game in words, as Markdown: what each game says of itself, its options, counts to check against.

docs/protocol.md has them, for those who write the rules anew in another language.
"""

from collections.abc import Iterator
from typing import Final

from games import GAMES, parse
from games.base import Game, Option, Refusal
from games.perft import perft

_MOST_LEAVES: Final = 300_000
"""The largest count that is shown: even a slow program reaches it, and a wrong rule shows long before."""


def rulebook() -> Iterator[str]:
    """The lines of the chapter, from the third level of headings on."""
    for name, kind in GAMES.items():
        yield f"### {name}\n"
        yield kind.guide
        yield from _options(kind.options)
        yield from _refusals(kind.profile.refusals)
        yield "Perft, from depth 1 on:\n"
        for spec in (name, *kind.profile.boards):
            yield f"- `{spec}`: {', '.join(map(str, _counts(parse(spec))))}"
        yield ""


def _options(options: tuple[Option, ...]) -> Iterator[str]:
    yield "| option | values | default | meaning |"
    yield "|---|---|---|---|"
    for option in options:
        yield f"| `{option.name}` | {option.allowed} | `{option.default}` | {option.meaning} |"
    yield ""


def _refusals(refusals: tuple[Refusal, ...]) -> Iterator[str]:
    if refusals:
        yield "| `why` of its own | a sentence for it |"
        yield "|---|---|"
        for refusal in refusals:
            yield f"| `{refusal.code}` | {refusal.words.english} |"
        yield ""


def _counts(game: Game) -> list[int]:
    """How many leaves there are at depth 1, 2, 3 ...: while they are few, and until all games are over."""
    counts = [perft(game.start(), 1)]
    while (following := perft(game.start(), len(counts) + 1)) <= _MOST_LEAVES and following != counts[-1]:
        counts.append(following)
    return counts
