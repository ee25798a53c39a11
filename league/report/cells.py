"""The cells of a table for a spreadsheet of the reader's language. Pure, except for that language."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence

from locales import language


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
    """The text, after an apostrophe if a spreadsheet would take it for a formula and run it."""
    return f"'{text}" if text.lstrip().startswith(("=", "+", "-", "@")) else text
