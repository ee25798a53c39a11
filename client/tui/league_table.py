"""The table of a league as text, with the columns that fit: who leads, by how much, after how many games. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from rich.text import Text

from client.people.standing import points
from locales import _
from protocol.values import ScoreRow
from terminal.text import cells_wide, clean

_WITH_RATINGS = 34


def table_text(rows: Sequence[ScoreRow], width: int) -> Text:
    """A line of headings, then one for each row."""
    rated = width >= _WITH_RATINGS and any(row.rating is not None for row in rows)
    heads = ("", "", _("points"), _("games"), *((_("Elo"),) if rated else ()))
    lines = [(str(row.rank), clean(row.name), *_numbers(row, rated=rated)) for row in rows]
    columns = list(zip(heads, *lines, strict=True))
    widths = [max(map(cells_wide, column)) for column in columns]
    room = max(6, width - sum(widths) + widths[1] - 2 * (len(widths) - 1))
    widths[1] = min(max(widths[1], 1), room)
    text = Text(no_wrap=True)
    for number, cells in enumerate((heads, *lines)):
        shown = [_cell(cell, wide, left=at == 1) for at, (cell, wide) in enumerate(zip(cells, widths, strict=True))]
        line = Text("  ").join(shown)
        line.stylize("dim" if not number else "bold" if cells[0] == "1" else "")
        text.append_text(line).append("\n")
    return text


def _numbers(row: ScoreRow, *, rated: bool) -> tuple[str, ...]:
    if not rated:
        return points(row.points), str(row.played)
    rating = "–" if row.rating is None else f"{row.rating:+.0f}"
    error = "" if row.error is None else f" ±{row.error:.0f}"
    return points(row.points), str(row.played), rating + error


def _cell(text: str, width: int, *, left: bool) -> Text:
    cell = Text(text)
    cell.truncate(width, overflow="ellipsis")
    spaces = " " * (width - cells_wide(cell.plain))
    return cell + Text(spaces) if left else Text(spaces) + cell
