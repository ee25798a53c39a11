"""What people say to each other in a match, and the field to say something."""

from __future__ import annotations

from collections.abc import Iterable

from rich.text import Text
from textual import events
from textual.app import ComposeResult
from textual.containers import Vertical, VerticalScroll
from textual.message import Message
from textual.widgets import Input, Static

from locales import _
from protocol.bounds import MAX_CHAT
from terminal.text import clean
from view.match import ChatLine


class Talk(Vertical):
    """The talk of a match; the field gives the board the focus back on Escape."""

    DEFAULT_CSS = """
    Talk { height: 1fr; min-height: 3; }
    Talk VerticalScroll { height: 1fr; scrollbar-size: 0 0; }
    Talk Input { height: 1; border: none; padding: 0 1; background: $panel; }
    Talk Input:focus { border: none; background: $primary-muted; }
    """

    class Said(Message):
        """The reader says something."""

        def __init__(self, text: str) -> None:
            super().__init__()
            self.text = text

    class Closed(Message):
        """The reader is done with talking."""

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002 - Textual's name
        super().__init__(id=id)
        self._count = 0

    def compose(self) -> ComposeResult:
        """The lines, and the field below."""
        with VerticalScroll(can_focus=False):
            yield Static("", id="said", markup=False)
        yield Input(placeholder=_("Say something"), max_length=MAX_CHAT, id="say", select_on_focus=False)

    def on_descendant_focus(self) -> None:
        """The field says how it is left."""
        self.query_one(Input).placeholder = _("Enter sends, Esc: the board")

    def on_descendant_blur(self) -> None:
        """The field says what it is for."""
        self.query_one(Input).placeholder = _("Say something")

    def show(self, lines: Iterable[ChatLine], count: int) -> None:
        """Shows the last lines; `count` is how many there ever were."""
        if count == self._count:
            return
        self._count = count
        text = Text("\n").join(Text.assemble((f"{clean(line.name)} ", "bold"), clean(line.text)) for line in lines)
        self.query_one("#said", Static).update(text)
        self.query_one(VerticalScroll).scroll_end(animate=False)

    def open(self) -> None:
        """Puts the cursor into the field."""
        self.query_one(Input).focus()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Says what was typed."""
        event.stop()
        text = event.value.strip()
        event.input.clear()
        if text:
            self.post_message(self.Said(text))

    def on_key(self, event: events.Key) -> None:
        """Escape leaves the field."""
        if event.key == "escape":
            event.stop()
            self.post_message(self.Closed())
