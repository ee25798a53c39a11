"""A mouse that drags on a board."""

from __future__ import annotations

from tests.page.browser import Reader


def centre(reader: Reader, square: str) -> tuple[float, float]:
    """Where a cell is on the screen."""
    box = reader.page.locator(f".cell[data-square={square}]").bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def drag(reader: Reader, start: str, end: str) -> None:
    """Presses on a cell, moves, and lifts over another."""
    mouse = reader.page.mouse
    mouse.move(*centre(reader, start))
    mouse.down()
    mouse.move(*centre(reader, end), steps=4)
    mouse.up()
