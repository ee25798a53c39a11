"""The screen while something takes long: what it is, and how to stop it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable
from typing import ClassVar, TypeVar

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.screen import Screen
from textual.widgets import Static

from client.tui.app import ArbitreApp
from client.tui.widgets.buttons import Buttons, Key
from locales import _

T = TypeVar("T")


class WaitScreen(Screen[bool]):
    """Shows `text`, and the output of programs started meanwhile; the answer is True if the reader stops waiting."""

    DEFAULT_CSS = "WaitScreen { padding: 1 2 0 2; }"
    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape,q", "stop", show=False)]

    def __init__(self, text: str) -> None:
        super().__init__()
        self._text = text

    def compose(self) -> ComposeResult:
        """The text."""
        yield Static(self._text, id="text", markup=False)
        yield Buttons([Key("Esc", _("Stop"), "stop")], classes="keys")

    def on_mount(self) -> None:
        """Hears what is printed."""
        self.begin_capture_print()

    def on_unmount(self) -> None:
        """Hears no more."""
        self.end_capture_print()

    def on_print(self, event: events.Print) -> None:
        """A bot says why it takes long."""
        self._text += f"\n{event.text.strip()}" if event.text.strip() else ""
        self.query_one("#text", Static).update(self._text)

    def action_stop(self) -> None:
        """The reader does not want to wait."""
        self.dismiss(True)


async def patiently(app: ArbitreApp, text: str, work: Awaitable[T | None]) -> T | None:
    """Waits for `work` under a screen that says `text`; returns its result, or None if the reader stops it."""
    doing = asyncio.ensure_future(work)
    screen = WaitScreen(text)
    showing = app.show(screen)
    stopped = asyncio.create_task(showing)
    try:
        await asyncio.wait([doing, stopped], return_when=asyncio.FIRST_COMPLETED)
        return None if stopped.done() and not doing.done() else await doing
    finally:
        doing.cancel()
        if not stopped.done():
            screen.dismiss(False)
            await stopped
        await asyncio.gather(doing, return_exceptions=True)
