"""Every system, table and figure of the class documents is shown by a command: tests/data/documents.toml lists them."""

import io
import json
import shlex
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest

import arbitre
import games
from games.base import position_after

ROOT = Path(__file__).parents[2]
DATA = tomllib.loads((ROOT / "tests" / "data" / "documents.toml").read_text(encoding="utf-8"))
BOARDS: dict[str, str] = DATA["boards"]
CASES: list[dict[str, Any]] = DATA["case"]
DOCUMENTS = {"othello", "tp23", "player", "morpion", "adversaires"}
WINNERS = {"first": 1, "second": 2, "nobody": None}
SLOW = {"match", "solve"}
"""Commands that start processes or compile."""


def cells(board: str) -> str:
    return BOARDS.get(board, board).replace(" ", "")


def words(case: dict[str, Any]) -> list[str]:
    """The command line of a case; names of boards stand for them."""
    command: list[str] = case["command"]
    return [BOARDS.get(word, word) for word in command]


def title(case: dict[str, Any]) -> str:
    return f"{case['document']}: {case['what']}"


def run(*arguments: str) -> int:
    return arbitre.main(["--lang", "en", *arguments])


CHECKED = [case for case in CASES if case["command"][0] == "explain" and "refused" not in case]


@pytest.mark.parametrize("case", CHECKED, ids=title)
def test_explain_shows_it(case: dict[str, Any], capsys: pytest.CaptureFixture[str]) -> None:
    assert run(*words(case), "--json", "--nodes", "100") == 0
    shown = json.loads(capsys.readouterr().out)
    game, tree = games.parse(shown["game"]), shown["tree"]
    children = {child["move"]: child for child in tree["children"]}
    legal = {*children, *tree["not_looked_at"]}
    position = game.position(shown["position"])
    seen = {
        "cells": shown["position"].split()[0],
        "cells_are": shown["position"].split()[0],
        "to_move": tree["to_move"],
        "scores": shown["scores"],
        "value": tree["value"],
        "move": shown["move"],
        "positions": shown["positions"],
        "worth": (shown["evaluation"] or {}).get("value"),
        "terms": {term["name"]: [term["own"], term["theirs"]] for term in (shown["evaluation"] or {}).get("terms", [])},
    }
    for name in seen.keys() & case.keys():
        wanted = cells(case[name]) if name.startswith("cells") else case[name]
        assert seen[name] == wanted, name
    assert set(case.get("moves", ())) <= legal
    assert not set(case.get("not_moves", ())) & legal
    if len(case.get("moves", ())) > 2:
        assert list(position.legal_moves()) == case["moves"]
    for move, board in {**case.get("after", {}), **case.get("after_are", {})}.items():
        assert children[move]["position"].split()[0] == cells(board)
    for move in case.get("best_children", ()):
        assert children[move]["value"] == tree["value"]
    outcome = position.outcome()
    assert (outcome is not None) == ("over" in case)
    if outcome is not None:
        assert outcome.winner == WINNERS[case["over"]]
        assert shown["move"] is None


@pytest.mark.parametrize("case", [case for case in CHECKED if {"scores", "worth", "over"} & case.keys()], ids=title)
def test_a_person_sees_it(case: dict[str, Any], capsys: pytest.CaptureFixture[str]) -> None:
    """The text has the board, the scores, the evaluation with its parts, and who has won."""
    assert run(*words(case), "--nodes", "100") == 0
    text = capsys.readouterr().out
    for score in ("scores", "worth"):
        if score in case:
            said = case[score] if score == "worth" else ", ".join(map(str, case[score]))
            assert str(said).replace("-", "−") in text
    for label in case.get("terms", ()):
        assert label in text
    if "over" in case:
        assert "The game is over: " in text
    assert max(map(len, text.splitlines())) <= 80


@pytest.mark.parametrize("case", [case for case in CASES if "refused" in case], ids=title)
def test_what_is_refused(case: dict[str, Any], capsys: pytest.CaptureFixture[str]) -> None:
    assert run(*words(case)) == 2
    assert case["refused"] in capsys.readouterr().err.splitlines()[-1]


@pytest.mark.slow
@pytest.mark.parametrize("case", [case for case in CASES if case["command"][0] in SLOW], ids=title)
def test_other_commands_show_it(case: dict[str, Any], capsys: pytest.CaptureFixture[str]) -> None:
    arguments = words(case)
    assert run(*arguments, *(() if "--json" in arguments else ("--json",))) == 0
    shown = json.loads(capsys.readouterr().out)
    if "best" in case:
        assert set(case["best"]) <= set(shown["best"])
        return
    position = position_after(games.parse(shown["rules"]), shown["moves"])
    assert position.outcome() is not None
    if "last" in case:
        assert position.notation.split()[0] == cells(case["last"])
        assert shown["winner"] == WINNERS[case["over"]]


def test_the_list_is_whole() -> None:
    """Each document is there, each case is checked, and what is not shown says why."""
    assert {case["document"] for case in CASES} == DOCUMENTS
    assert len({title(case) for case in CASES}) == len(CASES)
    assert {case["command"][0] for case in CASES} == {"explain", *SLOW}
    for missing in DATA["not_shown"]:
        assert missing["document"] in DOCUMENTS
        assert missing["why"].endswith(".")
    for case in CASES:
        assert case.get("differs", ".").endswith(".")


# -- how a board may be written


OTHELLO = "---------------------------OX------XO---------------------------"
SAME = [
    f"{OTHELLO} X",
    OTHELLO,
    OTHELLO.replace("X", "1").replace("O", "2").replace("-", "0"),
    "/".join(OTHELLO[row : row + 8] for row in range(0, 64, 8)),
    str([[("-XO").index(cell) for cell in OTHELLO[row : row + 8]] for row in range(0, 64, 8)]),
    "\n".join(
        ["  1 2 3 4 5 6 7 8"]
        + [
            f"{row + 1} {' '.join('·■□'['-XO'.index(cell)] for cell in OTHELLO[8 * row : 8 * row + 8])} "
            for row in range(8)
        ]
        + ["  a b c d e f g h"]
    ),
    "\n".join(f"|{'|'.join(OTHELLO[row : row + 8].replace('-', ' '))}|" for row in range(0, 64, 8)),
    f"{OTHELLO} X; D3:+0; % as in OBF files",
]


@pytest.mark.parametrize("text", SAME)
def test_a_board_may_be_written_in_many_ways(text: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("explain", "othello", "--position", text, "--json", "--nodes", "2") == 0
    assert json.loads(capsys.readouterr().out)["position"] == f"{OTHELLO} X"
    assert run("explain", "othello", "--position", text, "--side", "o", "--json", "--nodes", "2") == 0
    assert json.loads(capsys.readouterr().out)["position"] == f"{OTHELLO} O"


def test_a_board_from_the_standard_input(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(SAME[5].encode()), encoding="utf-8"))
    assert run("explain", "othello", "--position", "-", "--json", "--nodes", "2") == 0
    assert json.loads(capsys.readouterr().out)["position"] == f"{OTHELLO} X"


@pytest.mark.parametrize(
    ("game", "board"),
    [
        ("morpion", ""),
        ("morpion", "X"),
        ("morpion", "XXXXXXXXXX"),
        ("morpion", "[[0, 0, 0], [0, 0, 0]]"),
        ("morpion", "[[0, 0, 7], [0, 0, 0], [0, 0, 0]]"),
        ("morpion", "X" * 100_000),
        ("othello", SAME[5].replace("□", "?")),
        ("puissance4", "XO" * 21 + " Z"),
        ("puissance4", "X------ ------- ------- ------- ------- -------"),
        ("breakthrough", "-" * 36),
    ],
)
def test_what_is_no_board_is_refused_in_a_sentence(game: str, board: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("explain", game, "--position", board) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert "Traceback" not in captured.err
    assert len(captured.err) < 1000


def test_a_transcript_or_a_board() -> None:
    assert run("explain", "morpion", "b2", "--position", "---------") == 2


def test_commands_can_be_typed() -> None:
    """A shell takes each command of the list as it stands."""
    for case in CASES:
        assert shlex.split(shlex.join(words(case))) == words(case)
