"""What games say in two languages: each text stands where its language is, by the words of our documents in both."""

import importlib
import inspect
import math
import pkgutil
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import fields, is_dataclass
from pathlib import Path

import pytest

import games
from games.base import Words

ROOT = Path(__file__).parents[2]
SPOKEN = re.compile(r"[^\W\d_]{2,}")


def counted(pages: Iterable[Path]) -> Counter[str]:
    """How often each word stands in some documents."""
    return Counter(SPOKEN.findall(" ".join(page.read_text(encoding="utf-8") for page in pages).lower()))


PAGES = [*ROOT.glob("README*.md"), *(ROOT / "docs").glob("*.md")]
FRENCH = counted(page for page in PAGES if ".fr." in page.name)
ENGLISH = counted(page for page in PAGES if ".fr." not in page.name)


def words_in(thing: object) -> Iterator[Words]:
    """Every text in two languages that a value is made of."""
    if isinstance(thing, Words):
        yield thing
    elif is_dataclass(thing) and not isinstance(thing, type):
        for part in fields(thing):
            yield from words_in(getattr(thing, part.name, None))
    elif isinstance(thing, tuple):
        for part in thing:
            yield from words_in(part)


def all_words() -> list[Words]:
    """Those of each module, of what each game says of itself, and of what its evaluations are made of."""
    found: list[Words] = []
    for module in pkgutil.iter_modules(games.__path__):
        for _name, value in inspect.getmembers(importlib.import_module(f"games.{module.name}")):
            found += words_in(value)
    for game in (games.parse(name) for name in games.GAMES):
        found += [*words_in(game.profile), *words_in(game.options)]
        start = game.start()
        for measure in game.profile.measures:
            found += words_in(() if measure.terms is None else measure.terms(start, start.to_move))
    return list(dict.fromkeys(found))


def english(text: str) -> float:
    """How much more often its words stand in English documents than in French ones: the mean of the odds' logarithms.

    What stands for something else, in braces, is left out.
    """
    odds = [
        math.log((ENGLISH[word] + 0.1) / ENGLISH.total() * FRENCH.total() / (FRENCH[word] + 0.1))
        for word in SPOKEN.findall(re.sub(r"\{.*?\}", "", text).lower())
    ]
    return math.fsum(odds) / len(odds)


def is_known(text: str) -> bool:
    """Whether a document has a word of a text."""
    return any(word in ENGLISH or word in FRENCH for word in SPOKEN.findall(text.lower()))


@pytest.mark.parametrize(
    "words", [one for one in all_words() if one.english != one.french], ids=lambda one: one.english
)
def test_each_text_is_in_its_language(words: Words) -> None:
    """What is told by words that no document has is told by nothing: a new game may have words of its own."""
    here, there = english(words.english), english(words.french)
    if here <= there and not (is_known(words.english) and is_known(words.french)):
        pytest.skip("a language has no word of it in any document")
    assert here > there
