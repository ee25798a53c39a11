"""Pieces drawn in half characters: each character shows two points, one above the other, which are about square. Pure.

A cell of `size` rows has 2 * size points on each side. A cell of one row has too few: there two characters stand for a
piece.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from functools import lru_cache
from typing import NamedTuple

from client.tui.drawing.palette import Ink


class Sign(Enum):
    """What a cell shows."""

    EMPTY = "empty"
    HOLE = "hole"
    HINT = "hint"
    DISC = "disc"
    RING = "ring"
    CROSS = "cross"
    CIRCLE = "circle"


class Span(NamedTuple):
    """Characters that are written alike."""

    text: str
    ink: Ink


Line = tuple[Span, ...]

_GROUND, _PIECE, _INNER, _DOT = range(4)

_SMALL = {
    Sign.EMPTY: "  ",
    Sign.HOLE: "▐▌",
    Sign.HINT: "··",
    Sign.DISC: "▐▌",
    Sign.RING: "()",
    Sign.CROSS: "><",
    Sign.CIRCLE: "()",
}


@lru_cache(maxsize=4096)
def cell_lines(sign: Sign, size: int, ground: str, piece: str, inner: str, *, dotted: bool = False) -> tuple[Line, ...]:
    """The lines of a cell: `inner` is the colour inside a ring; `dotted` sets a point of it into the middle."""
    if size == 1:
        return ((Span(_SMALL[sign], Ink(piece, ground, bold=sign is not Sign.HINT)),),)
    colours = {_GROUND: ground, _PIECE: piece, _INNER: inner, _DOT: ground}
    points = _points(sign, 2 * size, dotted)
    lines: list[Line] = []
    for above, below in zip(points[::2], points[1::2], strict=True):
        line: list[Span] = []
        for upper, lower in zip(above, below, strict=True):
            one, other = colours[upper], colours[lower]
            text, ink = (" ", Ink(None, one)) if one == other else ("▀", Ink(one, other))
            if line and line[-1].ink == ink:
                line[-1] = Span(line[-1].text + text, ink)
            else:
                line.append(Span(text, ink))
        lines.append(tuple(line))
    return tuple(lines)


def lettered(lines: Sequence[Line], text: str, colour: str) -> tuple[Line, ...]:
    """The lines of a cell with `text` in the middle of its piece: at most as many characters as it has lines."""
    size = len(lines)
    row, first = (size - 1) // 2, size - (len(text) + 1) // 2
    written: list[Span] = []
    column = 0
    for span, ink in lines[row]:
        start, stop = (min(max(at - column, 0), len(span)) for at in (first, first + len(text)))
        letters = text[column + start - first :][: stop - start]
        parts = (Span(span[:start], ink), Span(letters, Ink(colour, ink.bg, bold=True)), Span(span[stop:], ink))
        written += [part for part in parts if part.text]
        column += len(span)
    return (*lines[:row], tuple(written), *lines[row + 1 :])


@lru_cache(maxsize=256)
def _points(sign: Sign, side: int, dotted: bool) -> tuple[tuple[int, ...], ...]:
    """What each point shows, rows from the top."""
    middle = (side - 2) / 2  # the last point is left free, so that pieces side by side don't touch
    rows = []
    for y in range(side):
        row = []
        for x in range(side):
            across, down = abs(x - middle), abs(y - middle)
            shown = _shown(sign, side, across, down)
            row.append(_DOT if dotted and not (across or down) else shown)
        rows.append(tuple(row))
    return tuple(rows)


def _shown(sign: Sign, side: int, across: float, down: float) -> int:
    """What the point at this distance from the middle shows."""
    distance = across * across + down * down
    match sign:
        case Sign.EMPTY:
            return _GROUND
        case Sign.HINT:
            return _PIECE if distance <= max(0.5, (0.12 * side) ** 2) else _GROUND
        case Sign.DISC | Sign.HOLE:
            return _PIECE if distance <= (0.45 * side) ** 2 else _GROUND
        case Sign.RING:
            inside = _INNER if distance <= (0.2 * side) ** 2 else _PIECE
            return inside if distance <= (0.45 * side) ** 2 else _GROUND
        case Sign.CIRCLE:
            return _PIECE if (0.22 * side) ** 2 < distance <= (0.45 * side) ** 2 else _GROUND
        case Sign.CROSS:
            on = abs(across - down) < 0.1 * side + 0.1 and max(across, down) <= 0.4 * side
            return _PIECE if on else _GROUND
