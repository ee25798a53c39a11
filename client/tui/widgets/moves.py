"""The list of moves, two on each line: marks the position on the board; a click on a move shows another one."""

from __future__ import annotations

from collections.abc import Sequence

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget

_NUMBER = 4
_LEAST = 4


class Moves(Widget):
    """The moves of a match; the line of the position that is looked at is always in sight."""

    DEFAULT_CSS = "Moves { height: 1fr; min-height: 1; }"
    ALLOW_SELECT = False

    class Chosen(Message):
        """The position after `ply` moves is to be shown."""

        def __init__(self, ply: int) -> None:
            super().__init__()
            self.ply = ply

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002 - Textual's name
        super().__init__(id=id)
        self._moves: tuple[str, ...] = ()
        self._at = 0

    def show(self, moves: Sequence[str], at: int) -> None:
        """Shows `moves`, of which the first `at` are on the board."""
        if (tuple(moves), at) != (self._moves, self._at):
            self._moves, self._at = tuple(moves), at
            self.refresh()

    def render_line(self, y: int) -> Strip:
        """Two moves, with the number of the pair."""
        ground, row = self.rich_style, y + self._first_row()
        plies = [ply for ply in (2 * row, 2 * row + 1) if ply < len(self._moves)]
        if not plies:
            return Strip.blank(self.size.width, ground)
        line = [Segment(f"{row + 1:>{_NUMBER - 1}} ", ground + Style(dim=True))]
        for ply in plies:
            style = Style(reverse=True) if ply + 1 == self._at else Style()
            move = self._moves[ply]
            line += [Segment(move, ground + style), Segment(" " * (self._wide - len(move)), ground)]
        return Strip(line).adjust_cell_length(self.size.width, ground)

    def on_click(self, event: events.Click) -> None:
        """A move is clicked."""
        half = (event.x - _NUMBER) // self._wide
        ply = 2 * (event.y + self._first_row()) + half
        if half in (0, 1) and event.x >= _NUMBER and ply < len(self._moves):
            event.stop()
            self.post_message(self.Chosen(ply + 1))

    @property
    def _wide(self) -> int:
        return max([_LEAST, *map(len, self._moves)]) + 1

    def _first_row(self) -> int:
        """The pair in the first line; the pair that the board shows is in the middle, if the list is long enough."""
        pairs, room = (len(self._moves) + 1) // 2, max(self.size.height, 1)
        at = max(self._at - 1, 0) // 2
        return max(0, min(at - room // 2, pairs - room))
