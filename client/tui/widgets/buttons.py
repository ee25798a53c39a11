"""Keys that can also be clicked, in the lines of the widget: they show what can be done here."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.strip import Strip
from textual.widget import Widget

from locales import N_, _
from terminal.text import cells_wide

_GAP = 2

_NAMES = {"Enter": N_("Enter"), "Esc": N_("Esc"), "Space": N_("Space"), "PgDn": N_("PgDn"), "y": N_("y")}
"""Keys that have other names on keyboards of other languages."""


class Key(NamedTuple):
    """One key: its name, what it does in a word, and the action of the screen, as in a binding ("back", "step(-1)").

    is_ready: whether it does something now; else it only keeps its place.
    """

    key: str
    label: str
    action: str
    is_ready: bool = True

    @property
    def name(self) -> str:
        """What the reader's keyboard calls it."""
        return _(_NAMES[self.key]) if self.key in _NAMES else self.key


class Buttons(Widget):
    """Shows `keys` side by side, as many on each line as fit; keys for which there is no room are left out.

    With the class `keys` it is the foot of a screen, and the last key is the way out: it stays, others give way.
    """

    DEFAULT_CSS = """
    Buttons { height: 1; width: 1fr; }
    Buttons.keys { background: $panel; dock: bottom; }
    """
    ALLOW_SELECT = False

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
            style = ground if key.is_ready else ground + Style(dim=True)
            segments.append(Segment(" " * (start - at), ground))
            segments.append(Segment(f" {key.name} ", style + Style(reverse=key.is_ready)))
            segments.append(Segment(f" {key.label}", style))
            at = start + _wide(key)
        return Strip(segments).adjust_cell_length(self.size.width, ground)

    async def on_click(self, event: events.Click) -> None:
        """A key is clicked: the screen does what it stands for."""
        for start, key in self._placed(event.y):
            if key.is_ready and start <= event.x < start + _wide(key):
                event.stop()
                is_done = await self.app.run_action(key.action, self.screen)
                assert is_done, f"the screen has no action {key.action}"

    def _placed(self, line: int) -> list[tuple[int, Key]]:
        """The keys of a line, each with the column that it begins at."""
        keys, lines = list(self._keys), self._lines(self._keys)
        while self.has_class("keys") and len(keys) > 1 and len(lines) > self.size.height:
            del keys[-2]
            lines = self._lines(keys)
        return lines[line] if line < len(lines) else []

    def _lines(self, keys: Sequence[Key]) -> list[list[tuple[int, Key]]]:
        lines: list[list[tuple[int, Key]]] = [[]]
        at = 0
        for key in keys:
            if at and at + _wide(key) > self.size.width:
                at = 0
                lines.append([])
            lines[-1].append((at, key))
            at += _wide(key) + _GAP
        return lines


def _wide(key: Key) -> int:
    return cells_wide(key.name) + 3 + cells_wide(key.label)
