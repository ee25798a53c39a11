"""A graph of who stood better after each move, in characters: above the middle the first player, below the second.

Proven values are solid, estimates are shaded. Below the graph are the serious mistakes, and the reader's place. Pure.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from client.people.reviewing import SERIOUS, SIGNS
from client.tui.palette import Ink
from client.tui.raster import Line, Span
from protocol.values import Judged

_PROVEN, _OPINION, _MIDDLE = "█", "▒", "─"
_PLAIN = {_PROVEN: "#", _OPINION: ":", _MIDDLE: "-"}


class Scale(NamedTuple):
    """Which column of a graph stands for which position; there is one position more than `plies`."""

    plies: int
    width: int

    def ply_at(self, column: int) -> int:
        """The position that a column shows."""
        if self.width <= 1:
            return 0
        return min(self.plies, max(0, round(column * self.plies / (self.width - 1))))

    def column_of(self, ply: int) -> int:
        """The column that shows a position best."""
        return 0 if not self.plies else round(ply * (self.width - 1) / self.plies)


def graph_lines(steps: Mapping[int, Judged], scale: Scale, at: int, height: int, *, ascii_only: bool) -> list[Line]:
    """`height` lines: an odd number of them for the graph, then the mistakes, then where the reader is."""
    rows = max(1, (height - 2) - (height - 2 + 1) % 2)
    middle = rows // 2
    lines: list[Line] = []
    for row in range(rows):
        text = "".join(_mark(steps.get(scale.ply_at(column)), row - middle, middle) for column in range(scale.width))
        lines.append((Span(_plain(text) if ascii_only else text, Ink()),))
    lines.append((Span(_mistakes(steps, scale), Ink(bold=True)),))
    here = scale.column_of(at)
    pointer = "^" if ascii_only else "▲"
    lines.append((Span(" " * here + pointer + " " * (scale.width - here - 1), Ink(bold=True)),))
    return lines


def _mark(step: Judged | None, below: int, middle: int) -> str:
    """What a column shows in the row `below` rows under the middle."""
    if step is None:
        return _MIDDLE if below == 0 else " "
    height = round((step.chance - 500) / 500 * middle)
    solid = _PROVEN if step.exact else _OPINION
    if below == 0:
        return _MIDDLE if height == 0 else solid
    return solid if 0 < -below <= height or 0 < below <= -height else " "


def _mistakes(steps: Mapping[int, Judged], scale: Scale) -> str:
    """A sign below each position that a serious mistake led to; if several share a column, a blunder shows."""
    line = [" "] * (scale.width + 1)
    for grade in SERIOUS:
        for ply in sorted(ply for ply in steps if steps[ply].grade == grade):
            column = scale.column_of(ply + 1)
            line[column : column + len(SIGNS[grade])] = SIGNS[grade]
    return "".join(line)[: scale.width]


def _plain(text: str) -> str:
    return "".join(_PLAIN.get(character, character) for character in text)
