"""The invitation to a match that waits for a player: what others type, and a QR code where there is room."""

from __future__ import annotations

from typing import NamedTuple

from rich.text import Text
from textual.app import ComposeResult
from textual.containers import Horizontal, VerticalScroll
from textual.widgets import Static

from client.address import is_for_others
from locales import _
from terminal.qr import code

_WIDE = 76
"""From this width on, the code stands beside the words."""


class Invitation(NamedTuple):
    """What others type; and the page for those with a browser, as the QR code says it."""

    lines: tuple[str, ...] = ()
    page: str | None = None


class Invitations(Horizontal):
    """Shows an invitation. codes: whether the terminal can draw half blocks. colours: whether it has colours."""

    DEFAULT_CSS = """
    Invitations { padding: 1 2; display: none; }
    Invitations #words { width: 1fr; height: 1fr; }
    Invitations #words Static { height: auto; }
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
        with VerticalScroll(id="words"):
            yield Static("\n".join(self._invitation.lines) or _("Waiting for the other player."), markup=False)
        yield Static(Text.from_ansi("\n".join(self._code)), id="code", markup=False)

    def on_resize(self) -> None:
        """Hides the code where it does not fit beside the words."""
        roomy = self.size.width >= _WIDE - 4 and self.size.height >= len(self._code)
        self.set_class(bool(self._code) and roomy, "roomy")
