"""What `--house-bots` takes, and what it says of what it does not take."""

from __future__ import annotations

import pytest

from services.house import entries
from services.house.entries import USUAL, HouseBotsError, parse


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("random", ["random"]),
        ("human:level=1..3,minimax:depth=2", ["human:level=1", "human:level=2", "human:level=3", "minimax:depth=2"]),
        ("minimax:depth=2,eval=discs,random", ["minimax:depth=2,eval=discs"[:24], "random"]),
        (" random , human:level=3 ", ["random", "human:level=3"]),
        ("random,random", ["random"]),
        ("minimax:depth=1..2", ["minimax:depth=1", "minimax:depth=2"]),
    ],
)
def test_a_text_names_bots(text: str, names: list[str]) -> None:
    found = [bot.name for bot in parse(text)]
    assert len(found) == len(names)
    assert [name for name, wanted in zip(found, names, strict=True) if name != wanted and len(wanted) < 24] == []


def test_each_bot_is_what_its_name_says() -> None:
    bots = parse(USUAL)
    assert len(bots) == 12
    assert {bot.bot.options.values["level"] for bot in bots[:10]} == set(range(1, 11))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "No bot is named"),
        (",", "No bot is named"),
        ("humann", "humann"),
        ("human:level=11", "level"),
        ("human:level=9..12", "level"),
        ("human:level=3..1", "3..1"),
        ("human:level=1..9999", "1..9999"),
        ("human:level=", "level"),
        ("my_bot.py", "Arbitre's own"),
        ("gtp:gtp-rhino", "Arbitre's own"),
        (",".join(f"random{number}" for number in range(2)), "random0"),
    ],
)
def test_what_is_wrong_is_said_in_a_sentence(text: str, said: str) -> None:
    with pytest.raises(HouseBotsError, match=said):
        parse(text)


def test_there_are_so_many_at_most(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(entries, "MOST", 10)
    with pytest.raises(HouseBotsError, match="10"):
        parse("human:level=1..5,human:level=6..10,random")
