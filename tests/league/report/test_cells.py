"""Cells for spreadsheets: what a pupil calls themselves or their team is never run as a formula."""

from __future__ import annotations

import pytest

from league.report.cells import defused


@pytest.mark.parametrize(
    ("text", "cell"),
    [
        ("=1+1", "'=1+1"),
        (" @SUM(1)", "' @SUM(1)"),
        ("-2", "'-2"),
        ("a;=1+1", "a;'=1+1"),
        ("a, =1+1,@b", "a,' =1+1,'@b"),
        ("a\t-2+3+cmd|' /C calc'!A0", "a\t'-2+3+cmd|' /C calc'!A0"),
        ("a;+cmd|' /C calc'!A0", "a;'+cmd|' /C calc'!A0"),
    ],
)
def test_no_spreadsheet_of_either_language_runs_a_text(text: str, cell: str) -> None:
    assert defused(text) == cell


@pytest.mark.parametrize("text", ["", "Ana", "Ana-Lou, Tom", "well done, +1 point", "good; - slow, -2.", "a=b"])
def test_what_is_no_formula_stays_as_it_is(text: str) -> None:
    assert defused(text) == text
