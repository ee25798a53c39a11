"""The Textual application that all screens share: themes, the user's preferences, showing screens, tasks."""

from __future__ import annotations

import asyncio
import os
import re
from collections.abc import Callable, Coroutine
from dataclasses import replace
from typing import Any, ClassVar, TypeVar

from rich import _wrap
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.screen import Screen
from textual.theme import Theme
from textual.widgets import Static

from client.people import settings
from client.people.settings import Preferences
from client.tui.drawing import palette
from client.tui.driver import driver_class
from client.tui.lasting import LastingScreen
from locales import _

Answer = TypeVar("Answer")

# Rich, and Textual with it, would break a line at a no-break space, which stands before : ; ? and ! in French.
_wrap.re_word = re.compile(r"[^\S\xa0\u202f]*[\S\xa0\u202f]+[^\S\xa0\u202f]*")

BOARDS = {"dark": palette.DARK, "light": palette.LIGHT, "contrast": palette.CONTRAST}

THEMES = (
    Theme("dark", primary="#3d8fd6", background="#14181d", surface="#1c2229", panel="#27303a", foreground="#dfe5ea"),
    Theme(
        "light",
        primary="#0b5fa5",
        background="#fbfbf9",
        surface="#f0f1f2",
        panel="#dde2e6",
        foreground="#16191c",
        dark=False,
    ),
    Theme(
        "contrast",
        primary="#ffd800",
        background="#000000",
        surface="#000000",
        panel="#303030",
        foreground="#ffffff",
        warning="#ffd800",
        error="#ff8080",
        text_alpha=1.0,
    ),
)


class ArbitreApp(App[str]):
    """The application. It shows screens and runs tasks beside them.

    failure: the first error of ours, which is raised once the terminal is restored. first: the task to begin with.
    """

    ENABLE_COMMAND_PALETTE = False
    ALLOW_SELECT = False
    CSS = """
    Screen { background: $background; color: $foreground; }
    #below { padding: 1 2; }
    App:nocolor OptionList > .option-list--option-highlighted { text-style: reverse; }
    App:nocolor Input:focus { text-style: underline; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+q,ctrl+c", "leave", show=False, system=True),
        Binding("ctrl+z", "suspend_process", show=False, system=True),
    ]

    def __init__(self, *, ascii_only: bool = False, preferences: Preferences | None = None) -> None:
        colours = not os.environ.get("NO_COLOR")
        if colours:
            os.environ.pop("NO_COLOR", None)  # an empty one counts as set for Textual
        super().__init__(driver_class=driver_class(), ansi_color=None if colours else True)
        if not colours:
            os.environ["NO_COLOR"] = "1"  # Textual takes it away; the programs that we start need it
        self.colours = colours
        self.ascii_only = ascii_only
        self.preferences = preferences or settings.read()
        self.failure: Exception | None = None
        self.first: Callable[[], Coroutine[Any, Any, object]] | None = None
        self._deeds: set[asyncio.Task[Any]] = set()
        for theme in THEMES:
            self.register_theme(theme)
        self.theme = self.preferences.theme

    @property
    def board_theme(self) -> palette.Theme | None:
        """The colours of boards; None if boards are drawn without colours."""
        return BOARDS[self.preferences.theme] if self.colours and not self.ascii_only else None

    def prefer(self, **changes: Any) -> None:
        """Changes preferences (fields of Preferences), stores them and applies the theme."""
        self.preferences = replace(self.preferences, **changes)
        settings.write(self.preferences)
        self.theme = self.preferences.theme

    def compose(self) -> ComposeResult:
        """Shows a line below all screens. It is visible between two screens, while a server or a bot is stopped."""
        yield Static(_("One moment ..."), id="below", markup=False)

    def on_mount(self) -> None:
        """Starts the first task."""
        if self.first is not None:
            self.do(self.first())

    def on_load(self) -> None:
        """Switches off eager tasks: all of Arbitre expects that a new task starts at the next turn of the loop."""
        asyncio.get_running_loop().set_task_factory(None)

    def do(self, work: Coroutine[Any, Any, object]) -> asyncio.Task[Any]:
        """Runs `work` as a task, so that keys are handled meanwhile. An exception in it ends the program."""
        task = asyncio.create_task(work)
        self._deeds.add(task)
        task.add_done_callback(self._done)
        return task

    def _done(self, task: asyncio.Task[Any]) -> None:
        self._deeds.discard(task)
        if task.cancelled():
            return
        try:
            task.result()
        except Exception as error:  # noqa: BLE001 - whatever it is, it is told at the end
            self._handle_exception(error)

    async def painted(self) -> None:
        """Waits until the screen was painted."""
        shown = asyncio.Event()
        self.call_after_refresh(shown.set)
        await shown.wait()

    async def show(self, screen: Screen[Answer]) -> Answer | None:
        """Shows a screen until it is dismissed, and returns its answer."""
        answer: asyncio.Future[Answer | None] = asyncio.get_running_loop().create_future()
        await self.push_screen(screen, lambda given: None if answer.done() else answer.set_result(given))
        return await answer

    def action_leave(self) -> None:
        """Leaves, from screens that don't ask first."""
        self.exit()

    def exit(self, result: str | None = None, return_code: int = 0, message: Any = None) -> None:
        """Takes all screens down, and ends."""
        for screen in self.screen_stack:
            if isinstance(screen, LastingScreen):
                screen.stands = False
        super().exit(result, return_code, message)

    def _handle_exception(self, error: Exception) -> None:
        """Ends the program after an error of ours, which is raised once the terminal is restored."""
        if self.is_headless:
            super()._handle_exception(error)
        self.failure = self.failure or error
        self.exit()

    async def on_unmount(self) -> None:
        """Cancels the tasks that still run."""
        for task in self._deeds:
            task.cancel()
        await asyncio.gather(*self._deeds, return_exceptions=True)
