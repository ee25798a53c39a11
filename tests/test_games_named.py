"""A game is one file: outside games/ only what the list below allows names one, each with its reason."""

import re
from collections.abc import Iterable
from fnmatch import fnmatch
from pathlib import Path

import pytest

from games import GAMES
from tests.contracts import settings

ROOT = Path(__file__).parents[1]
SUFFIXES = {".py", ".js", ".html", ".css"}

_MASKS = "an accelerator: what its game offers to fast searches, listed in bots/search/accelerators.py"
_CLASS = "the documents of a class: their functions, and the games that these are about"
_FORMAT = "a format or protocol of others, made for a game"
_EXAMPLE = "an example of what travels on a wire, which has to be about some game"

ALLOWED = {
    "bots/search/accelerators.py": "the table of accelerators",
    "bots/search/kernels.py": _MASKS,
    "bots/search/evaluation.py": _MASKS,
    "bots/search/sight.py": _MASKS,
    "bots/search/book.py": _MASKS,
    "bots/search/fast_*.py": _MASKS,
    "bots/search/line_search.py": _MASKS,
    "bots/search/morpion.py": _MASKS,
    "bots/search/othello*.py": _MASKS,
    "bots/search/plain_othello.py": _MASKS,
    "bots/search/puissance4.py": _MASKS,
    "bots/search/tactics.py": _MASKS,
    "bots/search/threats.py": _MASKS,
    "bots/strong/line_player.py": _MASKS,
    "bots/strong/othello_player.py": _MASKS,
    "bots/strong/human_levels.py": "levels that were measured game by game; other games have levels of their own kind",
    "bots/search/documents.py": _CLASS,
    "bots/adapters/pupils/interfaces/*.py": _CLASS,
    "bots/adapters/pupils/supplied/*.py": _CLASS,
    "bots/adapters/pupils/facts.py": _EXAMPLE,
    "bots/adapters/stdio.py": _EXAMPLE,
    "bots/adapters/stdio_json.py": _EXAMPLE,
    "protocol/bounds.py": _EXAMPLE,
    "protocol/examples.py": _EXAMPLE,
    "protocol/guide.py": _EXAMPLE,
    "bots/adapters/gtp.py": _FORMAT,
    "bots/adapters/nboard.py": _FORMAT,
    "server/records/compose.py": _FORMAT,
    "server/records/ggf.py": _FORMAT,
    "server/records/readable.py": _FORMAT,
    "server/commands/record_files.py": _FORMAT,
    "server/commands/records_cli.py": _FORMAT,
    "league/commands/export_cli.py": _FORMAT,
    "server/records/wthor.py": _FORMAT,
}
"""File, perhaps with *, -> why it names a game."""


SHORT = 4
"""Letters of a name that may stand in other words by accident."""


def names() -> re.Pattern[str]:
    """Everything that a game is called: its id, what programs of others call it, and what people do."""
    words = set[str]()
    for game_id, game in GAMES.items():
        title = game.profile.title
        words |= {game_id, game.__name__, *game.profile.aliases}
        words |= {title.english, title.french} if title is not None else set()
    return pattern_of(words)


def pattern_of(names: Iterable[str]) -> re.Pattern[str]:
    """What finds each of some names, however it is spelled; a short one not within another word, as nim in minimax."""
    spelled = [re.sub(r"[ -]", "[ -]?", name.lower()) for name in names]
    hump = r"(?-i:(?<=[a-z])(?=[A-Z]))"  # where a word begins within a name, as in NimBoard
    alone = [name if len(name) > SHORT else rf"(?:(?<![a-z])|{hump}){name}(?:(?![a-z])|{hump})" for name in spelled]
    return re.compile("|".join(sorted(alone)), re.IGNORECASE)


NAMES = names()

CALLED = re.compile(r"(?<=[\w)\]])\.[a-z_]+(?=[(\[])")
"""A method of something, such as `.hex()`: it is called so whatever games there are."""


def names_one(text: str, names: re.Pattern[str] = NAMES) -> bool:
    """Whether a text names one of the games."""
    return names.search(CALLED.sub("", text)) is not None


def naming() -> list[str]:
    """Return the files outside games/ that name a game."""
    folders = [name for name in settings()["root_packages"] if name not in ("games", "tests", "benchmarks", "tools")]
    files = [path for folder in folders for path in sorted((ROOT / folder).rglob("*")) if path.suffix in SUFFIXES]
    found = [*files, *sorted(ROOT.glob("*.py"))]
    return [path.relative_to(ROOT).as_posix() for path in found if names_one(path.read_text(encoding="utf-8"))]


NAMING = naming()


def test_what_a_game_is_called_is_known() -> None:
    assert all(
        NAMES.search(text) for text in ("Othello()", "connect-four", "tic tac toe", '"breakthrough"', "Puissance 4")
    )
    assert not NAMES.search("a game of discs")


def test_a_short_name_is_found_where_it_is_a_word() -> None:
    found = pattern_of(["Nim", "Connect Four"])
    assert all(
        found.search(text)
        for text in ("nim", "NIM", "Nim()", "NimBoard", "playNim", "nim_board", "--game nim", "connectfour2")
    )
    assert not any(found.search(text) for text in ("minimax", "MiniMax", "MINIMAX", "nimble", "Nimble", "animal"))


def test_a_method_of_something_else_is_no_name() -> None:
    found = pattern_of(["Hex", "Othello"])
    assert not any(names_one(text, found) for text in ("key.hex()", "uuid4().hex[:8]", "secrets.token_hex(8)"))
    assert all(names_one(text, found) for text in ("games.Hex(7)", "from games.hex import", "hex(7)", "hex.x()"))


@pytest.mark.parametrize("path", NAMING)
def test_only_what_is_allowed_to_names_a_game(path: str) -> None:
    assert any(fnmatch(path, allowed) for allowed in ALLOWED), f"{path} names a game: let the game's own file say it"


@pytest.mark.parametrize("allowed", ALLOWED)
def test_nothing_is_allowed_that_needs_it_no_more(allowed: str) -> None:
    assert any(fnmatch(path, allowed) for path in NAMING), f"{allowed} names no game: take it off the list"
