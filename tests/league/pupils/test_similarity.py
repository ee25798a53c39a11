"""Which files of a class are alike: renamed and reformatted copies are found, work of one's own is not."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from league.commands.similar_cli import similar_command
from league.pupils.similarity import GRAM, WINDOW, Likeness, compare, fingerprints

ROOT = Path(__file__).parents[3]
WORKS = [(ROOT / "games" / f"{name}.py").read_text(encoding="utf-8") for name in ("othello", "puissance4", "morpion")]


def alike(files: Mapping[str, str], given: Sequence[str] = ()) -> list[Likeness]:
    return compare(files, given).pairs


def disguised(text: str) -> str:
    """The same program with other names, numbers and comments, and empty lines between."""
    text = re.sub(r"\b(self|position|seat|move|cells)\b", lambda found: f"my_{found[0]}", text)
    text = re.sub(r"\b1\b", "2", text)
    return re.sub(r"(?m)^(def|class) ", r"\n\n# all my own work\n\1 ", text)


def test_a_disguised_copy_is_alike_and_others_are_not() -> None:
    files = {"Ada": WORKS[0], "Bob": WORKS[1], "Cyd": WORKS[2], "Dan": disguised(WORKS[0])}
    best, *others = alike(files)
    assert best.names == ("Ada", "Dan")
    assert best.share > 0.9
    assert all(pair.share < 0.5 for pair in others)  # of one hand, but no copies


def test_a_copied_function_is_found_where_it_is() -> None:
    stolen = WORKS[0].splitlines()[150:190]
    files = {"Ada": WORKS[0], "Bob": WORKS[1] + "\n\n" + "\n".join(stolen)}
    (pair,) = alike(files)
    assert any(145 <= first <= last <= 195 for first, last in pair.passages[0])
    assert any(first > len(WORKS[1].splitlines()) for first, _last in pair.passages[1])


def test_what_was_given_out_is_nobodys() -> None:
    files = {"Ada": WORKS[2] + WORKS[0], "Bob": WORKS[2] + WORKS[1]}
    (pair,) = alike(files)
    assert pair.share > 0.3
    assert all(pair.share < 0.1 for pair in alike(files, [WORKS[2]]))


def test_what_most_files_share_is_nobodys() -> None:
    own = [WORKS[0], WORKS[1], disguised(WORKS[1][:3000])]
    files = {name: WORKS[2] + text for name, text in zip("abc", own, strict=True)}
    assert all(not {"a"} & set(pair.names) or pair.share < 0.2 for pair in alike(files))


def test_what_is_too_short_is_named_also_if_the_rest_is_everybodys() -> None:
    files = {"Ada": WORKS[0], "Bob": WORKS[2] + WORKS[1], "Cyd": "x = 1\n", "Dan": WORKS[2] + "print(1)\n", "Eve": ""}
    assert compare(files, [WORKS[2]]).too_short == ["Cyd", "Dan", "Eve"]


@given(st.randoms(use_true_random=False), st.integers(0, 60), st.integers(0, 60))
@pytest.mark.slow
def test_each_shared_run_of_tokens_leaves_a_fingerprint(rng: random.Random, before: int, after: int) -> None:
    """The promise of winnowing, wherever the run stands."""

    def noise(length: int) -> str:
        return " ".join(rng.choice(["+", "-", "(", ")", "x", "1", "if", "else"]) for _ in range(length))

    shared = noise(GRAM + WINDOW - 1)
    one, two = (f"{noise(before)} {shared} {noise(after)}" for _ in range(2))
    assert fingerprints(one).keys() & fingerprints(two).keys()


@given(st.text(max_size=200))
def test_any_text_has_fingerprints_or_none(text: str) -> None:
    fingerprints(text)


@pytest.fixture
def class_folder(tmp_path: Path) -> Path:
    for name, text in (("ada", WORKS[0]), ("bob", WORKS[1]), ("dan", disguised(WORKS[0])), ("short", "x = 1\n")):
        (tmp_path / f"{name}.py").write_text(text, encoding="utf-8")
    return tmp_path


def test_a_teacher_reads_who_and_where(class_folder: Path) -> None:
    said = CliRunner().invoke(similar_command, [str(class_folder)])
    assert said.exit_code == 0
    assert "Ada and Dan" in said.output
    assert "dan.py, lines " in said.output
    assert "Bob" not in said.output
    assert "short.py: not compared" in said.stderr
    as_json = json.loads(CliRunner().invoke(similar_command, [str(class_folder), "--json"]).output)
    assert as_json["files"] == 4
    assert [pair["names"] for pair in as_json["pairs"]] == [["Ada", "Dan"]]
    assert (as_json["too_short"], as_json["unreadable"]) == (["Short"], [])
    quiet = CliRunner().invoke(similar_command, [str(class_folder), "--given", str(class_folder / "ada.py")])
    assert "No two of the 4 files" in quiet.output


def test_a_notebook_is_compared_by_its_code(class_folder: Path) -> None:
    cells = [{"cell_type": "markdown", "source": "# Mine"}, {"cell_type": "code", "source": WORKS[0]}]
    book = {"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": cells}
    (class_folder / "dan.py").unlink()
    (class_folder / "zoe.ipynb").write_text(json.dumps(book), encoding="utf-8")
    (class_folder / "odd.ipynb").write_text("no notebook", encoding="utf-8")
    said = json.loads(CliRunner().invoke(similar_command, [str(class_folder), "--json"]).output)
    assert [(pair["names"], pair["share"]) for pair in said["pairs"]] == [(["Ada", "Zoe"], 1.0)]
    assert said["unreadable"] == ["Odd"]
    assert "odd.ipynb: not compared" in CliRunner().invoke(similar_command, [str(class_folder)]).stderr
    refused = CliRunner().invoke(similar_command, [str(class_folder), "--given", str(class_folder / "odd.ipynb")])
    assert refused.exit_code == 2
