"""How bots are written: what is read, what is refused, and that the refusal says what to write."""

from pathlib import Path

import pytest

import games
from bots.base import BOTS, BotSpecError, load_family, parse_bot


@pytest.mark.parametrize(
    ("text", "spec"),
    [
        ("random", "random"),
        (" first ", "first"),
        ("minimax", "minimax"),
        ("minimax:depth=4", "minimax"),
        ("minimax:eval=discs,depth=2", "minimax:depth=2,eval=discs"),
        ("minimax: depth = 3", "minimax:depth=3"),
        ("lookahead:ply=3,tiebreak=left", "lookahead:ply=3"),
        ("lookahead:tiebreak=random", "lookahead:tiebreak=random"),
    ],
)
def test_the_canonical_text(text: str, spec: str) -> None:
    assert parse_bot(text).spec == spec
    assert parse_bot(spec).spec == spec


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("minmax", ["minmax", *BOTS]),
        ("", [*BOTS]),
        ("random:", ["random:"]),
        ("random:seed=1", ["random", "seed"]),
        ("minimax:deph=3", ["deph", "depth", "eval"]),
        ("minimax:depth", ["depth=..."]),
        ("minimax:depth=0", ["depth", "1", "20", "'0'"]),
        ("minimax:depth=three", ["depth", "three"]),
        ("minimax:depth=", ["depth"]),
        ("minimax:depth=-1", ["depth", "-1"]),
        ("minimax:depth=99999999999999", ["depth"]),
        ("minimax:depth=2,depth=3", ["depth", "twice"]),
        ("minimax:eval=cleverness", ["eval", "discs", "positional", "lines"]),
        ("lookahead:tiebreak=up", ["tiebreak", "left", "right", "random"]),
        ("minimax:depth=2,", ["option"]),
    ],
)
def test_what_is_refused_says_what_to_write(text: str, words: list[str]) -> None:
    with pytest.raises(BotSpecError) as caught:
        parse_bot(text)
    for word in words:
        assert word in str(caught.value)


@pytest.mark.parametrize(
    ("bot", "game"),
    [("minimax:eval=lines", "othello"), ("minimax:eval=discs", "morpion"), ("minimax:eval=positional", "puissance4")],
)
def test_an_evaluation_that_does_not_fit_the_game(bot: str, game: str) -> None:
    with pytest.raises(BotSpecError, match=game):
        parse_bot(bot).check(games.parse(game))


@pytest.mark.parametrize("name", BOTS)
def test_every_family_says_what_it_is(name: str) -> None:
    family = load_family(name)
    assert family.summary()
    for option in family.options:
        assert option.summary()
        assert option.describe()


@pytest.mark.parametrize(("typed", "meant"), [("minimex:depth=2", "minimax"), ("radom", "random"), ("edax", None)])
def test_a_slip_of_the_pen_is_told_what_was_meant(typed: str, meant: str | None) -> None:
    with pytest.raises(BotSpecError) as unknown:
        parse_bot(typed)
    assert str(unknown.value).endswith(f" Did you mean {meant}?") is (meant is not None)


def test_a_file_that_is_named_without_its_end_is_meant(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("randon.py").touch()
    with pytest.raises(BotSpecError, match=r"Did you mean randon\.py\?$"):
        parse_bot("randon")
