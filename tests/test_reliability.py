"""docs/reliability.md names a test for each fault, and the tests that it names exist."""

from __future__ import annotations

import re
from pathlib import Path

from tests.naming import names_in

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "reliability.md"
ROWS = [*range(1, 119), *range(120, 163), *range(180, 199), *range(230, 245), *range(280, 283)]
RAW = "tests/faults/test_raw_sockets.py"
"""What a name without a file belongs to."""

OPEN: frozenset[int] = frozenset()
"""Rows without a test."""


def rows() -> dict[int, str]:
    """The last column of each row."""
    found: dict[int, str] = {}
    for line in PAGE.read_text(encoding="utf-8").splitlines():
        cells = [cell.strip() for cell in line.strip("|").split(" | ")]
        if line.startswith("| ") and cells[0].strip("| ").isdigit():
            number = int(cells[0].strip("| "))
            assert number not in found, f"row {number} twice"
            found[number] = cells[-1].strip("| ")
    return found


def test_every_row_has_a_test() -> None:
    named = rows()
    assert sorted(named) == ROWS
    without = {number for number, tests in named.items() if "test" not in tests.lower() and tests != "the same"}
    assert without == OPEN


def test_the_tests_exist() -> None:
    missing: list[str] = []
    group = ""
    for number, tests in sorted(rows().items()):
        for quoted in re.findall(r"`([^`]+)`", tests):
            file, _, name = quoted.partition("::") if quoted.startswith("tests/") else (RAW, "", quoted)
            if name.startswith("::"):
                name = group + name
            elif "::" in name:
                group = name.partition("::")[0]
            path = ROOT / file
            if not path.is_file() or (name and name not in names_in(path)):
                missing.append(f"row {number}: {quoted}")
    assert not missing
