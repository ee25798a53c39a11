"""Keys that can also be clicked, in the lines of the widget: they show what can be done here."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget

from terminal.text import cells_wide

_GAP = 2


class Key(NamedTuple):
    """One key: its name, what it does in a word, and the action of the screen."""

    key: str
    label: str
    action: str


class Buttons(Widget):
    """Shows `keys` side by side, as many on each line as fit; keys for which there is no room are left out."""

    DEFAULT_CSS = """
    Buttons { height: 1; width: 1fr; }
    Buttons.keys { background: $panel; dock: bottom; }
    """
    ALLOW_SELECT = False

    class Pressed(Message):
        """Somebody clicked a key; `action` is what it does."""

        def __init__(self, action: str) -> None:
            super().__init__()
            self.action = action

    def __init__(self, keys: Sequence[Key] = (), *, id: str | None = None, classes: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id, classes=classes)
        self._keys = tuple(keys)

    @property
    def keys(self) -> tuple[Key, ...]:
        """What is shown."""
        return self._keys

    def show(self, keys: Sequence[Key]) -> None:
        """Shows other keys."""
        if tuple(keys) != self._keys:
            self._keys = tuple(keys)
            self.refresh()

    def render_line(self, y: int) -> Strip:
        """One line of keys."""
        ground = self.rich_style
        segments: list[Segment] = []
        at = 0
        for start, key in self._placed(y):
            segments.append(Segment(" " * (start - at), ground))
            segments.append(Segment(f" {key.key} ", ground + Style(reverse=True)))
            segments.append(Segment(f" {key.label}", ground))
            at = start + _wide(key)
        return Strip(segments).adjust_cell_length(self.size.width, ground)

    def on_click(self, event: events.Click) -> None:
        """A key is clicked."""
        for start, key in self._placed(event.y):
            if start <= event.x < start + _wide(key):
                event.stop()
                self.post_message(self.Pressed(key.action))

    def _placed(self, line: int) -> list[tuple[int, Key]]:
        """The keys of a line, each with the column that it begins at."""
        found: list[tuple[int, Key]] = []
        at, number = 0, 0
        for key in self._keys:
            if at and at + _wide(key) > self.size.width:
                at, number = 0, number + 1
            if number == line:
                found.append((at, key))
            at += _wide(key) + _GAP
        return found


def _wide(key: Key) -> int:
    return cells_wide(key.key) + 3 + cells_wide(key.label)
