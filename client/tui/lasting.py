"""Screens that go on hearing things while Textual takes their widgets away, one by one."""

from __future__ import annotations

from typing import TypeVar

from textual.await_complete import AwaitComplete
from textual.screen import Screen

Answer = TypeVar("Answer")


class LastingScreen(Screen[Answer]):
    """A screen that paints what it hears. stands: whether all its widgets are there, to be painted."""

    def __init__(self) -> None:
        super().__init__()
        self.stands = False

    def dismiss(self, result: Answer | None = None) -> AwaitComplete:
        """Gives the answer; what happens from now on is not painted."""
        self.stands = False
        return super().dismiss(result)
