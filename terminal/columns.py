"""Tables as lines of text with aligned columns. Pure."""

from collections.abc import Sequence

from terminal.text import cells_wide

_GAP = "   "


def columns(rows: Sequence[Sequence[str]], left: int = 1) -> list[str]:
    """A line for each row: the first `left` columns are aligned to the left, the others to the right."""
    widths = [max(map(cells_wide, column)) for column in zip(*rows, strict=True)]
    lines = []
    for row in rows:
        spaces = [" " * (width - cells_wide(cell)) for cell, width in zip(row, widths, strict=True)]
        cells = [
            cell + space if index < left else space + cell
            for index, (cell, space) in enumerate(zip(row, spaces, strict=True))
        ]
        lines.append(_GAP.join(cells).rstrip())
    return lines
