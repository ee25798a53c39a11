"""A widget that shows several matches: for each a small board, its players and clocks.

It is one widget for all boards, which redraws single lines: thirty widgets would be too slow.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rich.segment import Segment
from rich.style import Style
from rich.text import Text
from textual import events
from textual.geometry import Region
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget

from client.tui.drawing.grid import EXTRA_LINES, GAP, grid_of
from client.tui.drawing.layout import layout_of, least_size
from client.tui.drawing.palette import Theme
from client.tui.drawing.picture import Scene, draw
from client.tui.widgets.board import segments_of
from client.tui.widgets.seats import piece, spread
from games.base import Seat
from locales import _
from terminal import phrases
from terminal.board import format_clock
from terminal.text import clean
from view.match import MatchView

Names = tuple[str, str]

_STEPS = {"left": (-1, 0), "h": (-1, 0), "right": (1, 0), "l": (1, 0), "up": (0, -1), "k": (0, -1), "down": (0, 1)}
_USUAL_BOARD = (8, 8)


class Tiles(Widget, can_focus=True):
    """Shows matches in a grid, as many as fit, the others on further pages.

    view_of: the view of a match, None if it is not known yet. names_of: the names to show for its players, None for
    their own. Attributes to set before `show`: `theme`, `ascii_only`.
    """

    DEFAULT_CSS = "Tiles { width: 1fr; height: 1fr; }"
    ALLOW_SELECT = False

    class Chosen(Message):
        """The reader wants to see this match."""

        def __init__(self, match: str) -> None:
            super().__init__()
            self.match = match

    class Turned(Message):
        """The matches in sight have changed."""

    def __init__(
        self,
        view_of: Callable[[str], MatchView | None],
        names_of: Callable[[str], Names | None] = lambda _match: None,
        *,
        id: str | None = None,  # noqa: A002 - Textual's name
    ) -> None:
        super().__init__(id=id)
        self.theme: Theme | None = None
        self.ascii_only = False
        self.page = 0
        self._view_of, self._names_of = view_of, names_of
        self._matches: list[str] = []
        self._at: str | None = None
        self._grid = grid_of(1, _USUAL_BOARD, 1, 1)
        self._boards: dict[str, list[Strip]] = {}
        self._drawn: dict[str, list[Strip]] = {}
        self._clocks: dict[str, tuple[str, str]] = {}

    # -- what is shown

    @property
    def pages(self) -> int:
        """How many pages there are."""
        return max(1, -(-len(self._matches) // self._grid.places))

    @property
    def seen(self) -> list[str]:
        """The matches that are in sight."""
        start = self.page * self._grid.places
        return self._matches[start : start + self._grid.places]

    @property
    def chosen(self) -> str | None:
        """The match under the cursor."""
        seen = self.seen
        return self._at if self._at in seen else next(iter(seen), None)

    def show(self, matches: Sequence[str]) -> None:
        """Shows these matches, in this order."""
        self._matches = list(matches)
        for kept in (self._drawn, self._boards, self._clocks):
            for match in kept.keys() - self._matches:
                del kept[match]
        self._fit()

    def change(self, match: str) -> None:
        """Redraws a match that has changed; lays the grid out anew if its board is larger than all others."""
        self._boards.pop(match, None)
        self._drawn.pop(match, None)
        if self._board() != self._grid.board:
            self._fit()
        elif match in self.seen:
            self._refresh(match)

    def tick(self, now: float) -> None:
        """Redraws the clocks that have changed."""
        for match in self.seen:
            clocks = self._clocks_of(match, now)
            if clocks != self._clocks.get(match):
                self._clocks[match] = clocks
                self._refresh(match)

    def turn(self, by: int) -> None:
        """Shows the page `by` pages later, or earlier; after the last comes the first."""
        self.page = (self.page + by) % self.pages
        self.refresh()
        self.post_message(self.Turned())

    def _fit(self) -> None:
        grid = grid_of(len(self._matches), self._board(), *self.size)
        if grid != self._grid:
            self._drawn.clear()
            self._boards.clear()
        self._grid = grid
        self.page = min(self.page, self.pages - 1)
        self.refresh()
        self.post_message(self.Turned())

    def _board(self) -> tuple[int, int]:
        """Columns and rows of the largest boards, in the smallest cells of all games."""
        games = [view.game for match in self._matches if (view := self._view_of(match)) is not None]
        if not games:
            return _USUAL_BOARD
        least = [least_size(game) for game in games]
        return (
            max(size * game.width for size, game in zip(least, games, strict=True)),
            max(size * game.height for size, game in zip(least, games, strict=True)),
        )

    def _refresh(self, match: str) -> None:
        """Redraws a match: only the lines of the players if its board is still drawn, else all lines."""
        self._drawn.pop(match, None)
        grid = self._grid
        left, top = grid.corner(self.seen.index(match))
        if match not in self._boards:
            self.refresh(Region(left, top, grid.width, grid.height))
            return
        below = EXTRA_LINES - 1
        self.refresh(Region(left, top, grid.width, 1), Region(left, top + grid.height - below, grid.width, below))

    # -- drawing

    def render_line(self, y: int) -> Strip:
        """One line across a row of tiles."""
        row, line = divmod(y, self._grid.height)
        ground, width = self.rich_style, self._grid.width
        start = row * self._grid.columns
        matches = self.seen[start : start + self._grid.columns] if row < self._grid.rows else []
        parts: list[Strip] = []
        for match in matches:
            parts += [self._tile(match)[line].adjust_cell_length(width, ground), Strip([Segment(" " * GAP, ground)])]
        return Strip.join(parts).adjust_cell_length(self.size.width, ground)

    def _tile(self, match: str) -> list[Strip]:
        drawn = self._drawn.get(match)
        if drawn is None:
            view = self._view_of(match)
            drawn = self._drawn[match] = self._draw(match, view) if view is not None else self._blank()
        return drawn

    def _blank(self) -> list[Strip]:
        return [Strip([Segment("..." if line == 0 else "", self.rich_style)]) for line in range(self._grid.height)]

    def _draw(self, match: str, view: MatchView) -> list[Strip]:
        board = self._boards.get(match)
        if board is None:
            board = self._boards[match] = self._draw_board(view)
        first, second = (self._player(match, view, seat) for seat in Seat)
        return [self._strip(first), *board, self._strip(second), self._strip(Text(self._note(view), style="dim"))]

    def _draw_board(self, view: MatchView) -> list[Strip]:
        grid, ground = self._grid, self.rich_style
        layout = layout_of(view.game, 2 * grid.size * grid.board[0] + 1, grid.size * grid.board[1], bare=True)
        won = frozenset(view.result.cells) if view.result is not None else frozenset[tuple[int, int]]()
        scene = Scene(view.game, view.position, frozenset(view.last_cells), won)
        left = Segment(" " * max(0, (grid.width - layout.width) // 2), ground)
        lines = draw(scene, layout, self.theme, ascii_only=self.ascii_only)
        board = [Strip([left, *segments_of(line, ground)]) for line in lines]
        spare, blank = grid.height - len(board) - EXTRA_LINES, [Strip.blank(grid.width, ground)]
        return blank * (spare // 2) + board + blank * (spare - spare // 2)

    def _strip(self, text: Text) -> Strip:
        text.truncate(self._grid.width, overflow="ellipsis")
        return Strip([Segment(s.text, self.rich_style + (s.style or Style())) for s in text.render(self.app.console)])

    def _player(self, match: str, view: MatchView, seat: Seat) -> Text:
        """A player's line: `>` if it is their turn or `*` if they have won, the piece, the name, the clock."""
        is_turn = view.status == "playing" and seat is view.to_move
        has_won = view.result is not None and view.result.winner == seat
        look = view.game.profile.look
        line = Text().append(">" if is_turn else "*" if has_won else " ", style="bold")
        line.append_text(piece(look, seat, self.theme, ascii_only=self.ascii_only))
        names = self._names_of(match) or (phrases.name_of(view, 1), phrases.name_of(view, 2))
        line.append(f" {clean(names[seat - 1])}", style="bold" if is_turn or has_won else "")
        clocks = self._clocks.get(match) or self._clocks_of(match, view.clocks_at)
        right = Text(clocks[seat - 1], style="bold" if is_turn else "")
        if look.counts is not None:
            right = Text(str(view.position.score()[seat - 1]), style="dim") + Text(" " if right else "") + right
        whole = spread(line, right, self._grid.width)
        if match == self.chosen and self.has_focus:
            whole.stylize("reverse")
        return whole

    def _note(self, view: MatchView) -> str:
        if view.result is not None:
            return phrases.ended(view, view.result)[0]
        if view.status == "paused":
            return _("The clocks stand still.")
        return phrases.game_title(view.game)

    def _clocks_of(self, match: str, now: float) -> Names:
        view = self._view_of(match)
        clocks = view.clocks(now) if view is not None else None
        return ("", "") if clocks is None else (format_clock(clocks[0]), format_clock(clocks[1]))

    # -- choosing

    def on_resize(self) -> None:
        """Lays the grid out anew."""
        self._fit()

    def on_focus(self) -> None:
        """The cursor shows."""
        self._redraw_chosen()

    def on_blur(self) -> None:
        """The cursor hides."""
        self._redraw_chosen()

    def on_key(self, event: events.Key) -> None:
        """Arrows choose, Enter takes, the keys of pages turn them."""
        if event.key in (*_STEPS, "j"):
            self._step(*_STEPS.get(event.key, (0, 1)))
        elif event.key in ("pagedown", "n", "space"):
            self.turn(1)
        elif event.key in ("pageup", "p"):
            self.turn(-1)
        elif event.key == "enter" and self.chosen is not None:
            self.post_message(self.Chosen(self.chosen))
        else:
            return
        event.stop()

    def on_click(self, event: events.Click) -> None:
        """A click on a board takes it."""
        number = self._grid.tile_at(event.x, event.y)
        seen = self.seen
        if number is not None and number < len(seen):
            event.stop()
            self._choose(seen[number])
            self.post_message(self.Chosen(seen[number]))

    def _step(self, across: int, down: int) -> None:
        seen, chosen = self.seen, self.chosen
        if chosen is not None:
            to = seen.index(chosen) + across + down * self._grid.columns
            if 0 <= to < len(seen):
                self._choose(seen[to])

    def _choose(self, match: str) -> None:
        before, self._at = self.chosen, match
        for changed in (before, match):
            if changed is not None:
                self._refresh(changed)

    def _redraw_chosen(self) -> None:
        if self.chosen is not None:
            self._refresh(self.chosen)
