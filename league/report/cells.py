"""The cells of a table for a spreadsheet of the reader's language. Pure, except for that language."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Sequence

from locales import language

_BEGINS = r"^(?=\s*[=+\-@])"
_AMID = r"[;,\t\r\n](?=\s*(?:[=@]|[+\-](?!\d*(?:[\s.,;:!?)]|$))))"
_FORMULA = re.compile(f"{_BEGINS}|{_AMID}")
"""Where a formula may begin; "well done, +1 point" has none."""


def as_csv(rows: Iterable[Sequence[str]]) -> str:
    """The table: semicolons between the cells in French; in English commas, as programs expect it."""
    stream = io.StringIO()
    csv.writer(stream, lineterminator="\n", delimiter=";" if language() == "fr" else ",").writerows(rows)
    return stream.getvalue()


def figure(value: float, places: int) -> str:
    """A number as the reader writes it, with no more decimals than it needs."""
    written = str(round(float(value), places) if places else round(value))
    return written.replace(".", ",") if language() == "fr" else written


def defused(text: str) -> str:
    """The text, with an apostrophe before whatever a spreadsheet would take for a formula and run.

    One of another language begins a new cell at the separator of its own, also amid a text.
    """
    return _FORMULA.sub(r"\g<0>'", text)
