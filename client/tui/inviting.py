"""How others come to a match that waits for a player: in words, and as a QR code where there is room."""

from __future__ import annotations

from typing import NamedTuple

from rich.text import Text
from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.widgets import Static

from client.address import is_for_others
from locales import _
from terminal.qr import code

_WIDE = 76
"""Columns for a code beside words."""


class Invitation(NamedTuple):
    """What others type, and the address of a page for those with a browser."""

    lines: tuple[str, ...] = ()
    page: str | None = None


class Invitations(Horizontal):
    """Shows an invitation. codes: whether half blocks can be drawn; colours: whether a code may be dark on light."""

    DEFAULT_CSS = """
    Invitations { padding: 1 2; display: none; }
    Invitations #words { width: 1fr; height: 1fr; }
    Invitations #code { width: auto; height: auto; display: none; }
    Invitations.roomy #code { display: block; }
    """

    def __init__(self, invitation: Invitation, *, codes: bool, colours: bool) -> None:
        super().__init__(id="invitations")
        self._invitation = invitation
        page = invitation.page
        shown = page is not None and codes and is_for_others(page)
        self._code = code(page, colour=colours) if shown and page is not None else []

    def compose(self) -> ComposeResult:
        """The words, and the code."""
        yield Static("\n".join(self._invitation.lines) or _("Waiting for the other player."), id="words", markup=False)
        yield Static(Text.from_ansi("\n".join(self._code)), id="code", markup=False)

    def on_resize(self) -> None:
        """The words come first."""
        roomy = self.size.width >= _WIDE - 4 and self.size.height >= len(self._code)
        self.set_class(bool(self._code) and roomy, "roomy")
