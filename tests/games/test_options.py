"""Options of a game: their choices in words, and which values they take."""

import re
from pathlib import Path

import pytest

from games import GAMES, Option, RulesError


@pytest.mark.parametrize(
    ("choices", "words"),
    [
        ((7,), "7"),
        (("draw",), "draw"),
        ((4, 5), "4 or 5"),
        ((1, 2, 3), "1 to 3"),
        ((4, 6, 8), "4, 6 or 8"),
        ((1, 3), "1 or 3"),
        (("draw", "last_mover"), "draw or last_mover"),
    ],
)
def test_the_choices_are_said_in_words(choices: tuple[int | str, ...], words: str) -> None:
    assert str(Option("name", choices[0], choices, "meaning").allowed) == words


@pytest.mark.parametrize("option", [option for game in GAMES.values() for option in game.options], ids=str)
def test_an_option_takes_its_choices_and_nothing_else(option: Option) -> None:
    for choice in option.choices:
        option.check(choice)
        assert option.read(str(choice)) == choice
        with pytest.raises(RulesError, match=option.name):
            option.read(f"{choice} ")
    for other in (None, 0, -1, 11, "", "black", 4.0, True):
        with pytest.raises(RulesError, match=option.name):
            option.check(other)


@pytest.mark.parametrize("game", GAMES)
def test_the_options_are_those_of_the_manual(game: str) -> None:
    manual = (Path(__file__).parents[2] / "docs" / "protocol.md").read_text(encoding="utf-8")
    chapter = re.split(r"\n##+ ", manual.partition(f"\n### {game}\n")[2])[0]
    table = chapter.partition("| meaning |\n")[2].partition("\n\n")[0]
    assert table.splitlines()[1:] == [
        f"| `{one.name}` | {one.allowed} | `{one.default}` | {one.meaning} |" for one in GAMES[game].options
    ]
