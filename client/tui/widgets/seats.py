"""Both players: whose turn it is, what they play with, who they are, what they have, their clocks."""

from __future__ import annotations

from rich.text import Text
from textual.widgets import Static

from client.tui.drawing.palette import Theme, colours_of
from client.tui.drawing.raster import Sign, cell_lines
from games.base import Look, Seat
from terminal.board import counts_of, format_clock, label
from terminal.text import cells_wide
from view.match import MatchView

ROOMY = 34
"""From this width on, a player takes one line, else two."""

_LITTLE_MS = 10_000


class Seats(Static):
    """The two players of a match, kept up to date by `show` as often as one likes."""

    DEFAULT_CSS = "Seats { height: auto; }"

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002 - Textual's name
        super().__init__("", id=id, markup=False)
        self.theme: Theme | None = None
        self.ascii_only = False
        self.turned = False
        self._shown = Text()

    def show(self, view: MatchView, now: float) -> None:
        """Shows who plays; the reader's own seat, or first's, stands below."""
        below = view.seat or Seat.FIRST
        seats = [below.other, below] if not self.turned else [below, below.other]
        width = max(self.size.width, 16)
        text = Text("\n").join(line for seat in seats for line in self._lines(view, seat, now, width))
        if text != self._shown:
            self._shown = text
            self.update(text)

    def _lines(self, view: MatchView, seat: Seat, now: float, width: int) -> list[Text]:
        is_turn = view.status == "playing" and seat is view.to_move
        clocks = view.clocks(now)
        clock = "" if clocks is None else format_clock(clocks[seat - 1])
        is_little = clocks is not None and clocks[seat - 1] < _LITTLE_MS and is_turn
        has_won = view.result is not None and view.result.winner == seat
        head = Text(">" if is_turn else "*" if has_won else " ", style="bold")
        head.append_text(piece(view.game.profile.look, seat, self.theme, ascii_only=self.ascii_only))
        head.append(f" {label(view, seat)}", style="bold" if is_turn or has_won else "")
        counts = counts_of(view.game, view.position)
        count = counts[seat - 1] if counts else ""
        right = Text(clock, style="bold reverse" if is_little else "bold" if is_turn else "")
        if width >= ROOMY:
            right = Text(f"{count}   ") + right if count and clock else Text(count) + right
            return [spread(head, right, width)]
        return [spread(head, Text(), width), spread(Text(f"   {count}", style="dim"), right, width)]


def piece(look: Look, seat: Seat, theme: Theme | None, *, ascii_only: bool) -> Text:
    """A piece of a seat, two characters wide, as the smallest boards show it."""
    if theme is None:
        return Text(f" {(look.ascii_glyphs if ascii_only or look.signs else look.glyphs)[seat]}")
    colours = colours_of(look, theme)
    if look.signs:
        sign = Sign.CROSS if seat is Seat.FIRST else Sign.CIRCLE
    else:
        sign = Sign.DISC if seat is Seat.FIRST else Sign.RING
    ((span,),) = cell_lines(sign, 1, colours.ground[0], colours.pieces[seat - 1], colours.inner)
    return Text(span.text, style=f"bold {span.ink.fg} on {span.ink.bg}")


def spread(left: Text, right: Text, width: int) -> Text:
    """Both ends of a line; the left one is cut if there is no room for it."""
    room = width - cells_wide(right.plain) - (1 if right.plain else 0)
    line = left.copy()
    line.truncate(max(room, 3), overflow="ellipsis", pad=True)
    return line + Text(" ") + right if right.plain else line
