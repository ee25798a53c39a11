"""The board on the screen: draws a position as large as fits, and turns keys and the mouse into moves."""

from __future__ import annotations

from functools import lru_cache

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.geometry import Size
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget

from client.tui.drawing.layout import BoardLayout, layout_of, least_size
from client.tui.drawing.palette import DARK, Ink, Theme
from client.tui.drawing.picture import Scene, draw
from client.tui.drawing.raster import Line
from client.tui.widgets.pointer import ChosenMove, Pointer
from games.base import Game, Position
from games.coordinates import LETTERS
from games.frame import Cell

_STEPS = {
    "left": "left",
    "h": "left",
    "right": "right",
    "l": "right",
    "up": "up",
    "k": "up",
    "down": "down",
    "j": "down",
}


class Board(Widget, can_focus=True):
    """Shows a position of `game`. bare: has no labels and no cursor, and takes no keys.

    Attributes to set before `show`: `theme` (None without colours), `ascii_only`, `hints`, `steers` (whether arrows
    move the cursor; else the screen gets them).
    """

    DEFAULT_CSS = "Board { width: 1fr; height: 1fr; } Board.bare { width: auto; height: auto; }"
    ALLOW_SELECT = False

    class MoveChosen(Message):
        """The reader wants to play `move`, written as people type it; it may be illegal."""

        def __init__(self, move: str) -> None:
            super().__init__()
            self.move = move

    class Pointed(Message):
        """The cursor has moved, or something was typed."""

    def __init__(self, game: Game, *, bare: bool = False, id: str | None = None) -> None:  # noqa: A002 - Textual's name
        super().__init__(id=id, classes="bare" if bare else None)
        self.can_focus = not bare
        self.theme: Theme | None = DARK
        self.ascii_only = False
        self.hints = True
        self.steers = True
        self.turned = False
        self.playable = False
        self.pointer = Pointer(game, game.start())
        self._bare = bare
        self._marks: tuple[frozenset[Cell], frozenset[Cell]] = (frozenset(), frozenset())
        self._drawn: list[Strip] | None = None
        self._board_layout: BoardLayout | None = None

    @property
    def game(self) -> Game:
        """The game whose board this is."""
        return self.pointer.game

    def show(
        self,
        position: Position,
        *,
        last: frozenset[Cell] = frozenset(),
        won: frozenset[Cell] = frozenset(),
        playable: bool = False,
    ) -> None:
        """Shows a position. last: cells of the last move. won: cells that won. playable: whether the reader moves."""
        if position != self.pointer.position:
            self.pointer.look_at(position)
        self.playable = playable
        self._marks = (last, won)
        self.redraw()

    def change_game(self, game: Game) -> None:
        """Another game is on the board from now on."""
        if game != self.game:
            self.pointer = Pointer(game, game.start())
            self.redraw()

    def redraw(self) -> None:
        """Forgets what was drawn, so that all is drawn anew."""
        self._drawn = None
        self.refresh()

    def turn(self) -> None:
        """Shows the board from the other side."""
        self.turned = not self.turned
        self.redraw()

    # -- drawing

    def get_content_width(self, container: Size, viewport: Size) -> int:
        """A bare board is as wide as its smallest cells."""
        return 2 * least_size(self.game) * self.game.width + 1 if self._bare else container.width

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """A bare board is as high as its smallest cells."""
        return least_size(self.game) * self.game.height if self._bare else container.height

    def render_line(self, y: int) -> Strip:
        """One line of the widget."""
        if self._drawn is None:
            self._drawn = self._draw()
        top, layout = self._at()[1], self._board_layout
        number = y - top
        if layout is None or not 0 <= number < len(self._drawn):
            return Strip.blank(self.size.width, self.rich_style)
        return self._drawn[number]

    def _draw(self) -> list[Strip]:
        self._board_layout = layout_of(self.game, *self.size, turned=self.turned, bare=self._bare)
        lines = draw(self._scene(), self._board_layout, self.theme, ascii_only=self.ascii_only)
        left, ground, width = self._at()[0], self.rich_style, self.size.width
        before = [Segment(" " * left, ground)] if left else []
        return [Strip([*before, *segments_of(line, ground)]).adjust_cell_length(width, ground) for line in lines]

    def _scene(self) -> Scene:
        pointer, (last, won) = self.pointer, self._marks
        helps = self.hints and self.playable and self.game.profile.look.helps
        open_cells = pointer.targets if self.playable and (helps or pointer.chosen) else frozenset[Cell]()
        cursor = pointer.shown if self.has_focus and self.steers and not self._bare else None
        return Scene(self.game, pointer.position, last, won, open_cells, cursor, pointer.chosen, pointer.pressed)

    def _at(self) -> tuple[int, int]:
        """The column and line where the drawing begins, so that it is in the middle."""
        layout = self._board_layout
        if layout is None:
            return 0, 0
        return max(0, (self.size.width - layout.width) // 2), max(0, (self.size.height - layout.height) // 2)

    # -- pointing

    def on_resize(self) -> None:
        """There is more room, or less."""
        self.redraw()

    def on_focus(self) -> None:
        """The cursor shows."""
        self.redraw()

    def on_blur(self) -> None:
        """The cursor hides."""
        self.redraw()

    def on_key(self, event: events.Key) -> None:
        """Arrows and hjkl move, Enter and space play, letters and digits name a cell, or a move beside the cells."""
        pointer, choice = self.pointer, None
        letter = event.character if event.is_printable else None
        if letter and self.playable and letter in pointer.choice_keys:
            choice = self._named(letter)
        elif letter and pointer.continues(letter):  # h, j, k and l are columns, too
            choice = pointer.type(letter)
        elif event.key in _STEPS and self.steers:
            pointer.step(_STEPS[event.key], turned=self.turned)
            if letter:
                pointer.type(letter)
        elif event.key in ("enter", "space") and self.steers:
            choice = pointer.press()
        elif event.key == "backspace":
            pointer.erase()
        elif event.character and event.character.isalnum() and self._takes(event.character):
            choice = pointer.type(event.character)
        else:
            return
        event.stop()
        self._pointed(choice)

    def choose(self, key: str) -> None:
        """Plays one of the moves that are chosen by name."""
        if self.playable and key in self.pointer.choice_keys:
            self._pointed(self._named(key))

    def _named(self, key: str) -> ChosenMove:
        move = self.pointer.choice_keys[key]
        self.pointer.pressed = ()
        return ChosenMove(move)

    def on_click(self, event: events.Click) -> None:
        """A cell is pressed."""
        left, top = self._at()
        cell = None if self._board_layout is None else self._board_layout.cell_at(event.x - left, event.y - top)
        if self._bare or cell is None:
            return
        event.stop()
        self._pointed(self.pointer.point(cell))

    def _takes(self, character: str) -> bool:
        """Whether a character may belong to the name of a cell; the screen gets all others."""
        return character in "0123456789" or (not self.pointer.by_columns and character.lower() in self._letters)

    @property
    def _letters(self) -> str:
        return LETTERS[: self.game.width]

    def _pointed(self, choice: ChosenMove | None) -> None:
        self.redraw()
        self.post_message(self.Pointed())
        if choice is not None:
            self.post_message(self.MoveChosen(choice.move))


def segments_of(line: Line, ground: Style) -> list[Segment]:
    """A line of a picture, on the ground of a widget."""
    return [Segment(span.text, ground + _style(span.ink)) for span in line]


@lru_cache(maxsize=1024)
def _style(ink: Ink) -> Style:
    return Style(color=ink.fg, bgcolor=ink.bg, bold=ink.bold or None, reverse=ink.reverse or None)
