"""The screen that asks which match to join or to watch: a field for an address, and a list of what is found."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Collection, Sequence
from typing import ClassVar, NamedTuple

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.widgets import Input, OptionList, Static
from textual.widgets.option_list import Option

from client import address
from client.errors import AddressError
from client.people.seating import is_code
from client.tui.lasting import LastingScreen
from client.tui.widgets.buttons import Buttons, Key
from locales import _

AGAIN_S = 3.0
"""Seconds between two searches of the network."""


class Target(NamedTuple):
    """A server, and a match on it by its code, link or id. Without a match: any that waits for a player."""

    url: str
    match: str | None = None


class Line(NamedTuple):
    """A line of the list, and its target; None for a line that can't be chosen."""

    text: str
    target: Target | None


Finder = Callable[[], AsyncIterator[Line]]
"""Searches once, and yields lines as servers answer."""


def read_target(text: str, found: Collection[str] = ()) -> Target:
    """Reads what was typed: an address, a link, a code, or an address and a code.

    found: the servers on the network: a code alone is for the only one, or for the server of this machine. Raises
    AddressError.
    """
    where, _space, rest = text.strip().partition(" ")
    code = rest.strip() or None
    if code is None and is_code(where):
        return Target(next(iter(found)) if len(found) == 1 else address.LOCAL, where)
    place, link = address.split_invitation(where)
    return Target(address.parse(place), link or code)


class JoinScreen(LastingScreen[Target]):
    """Asks for a target; the answer is None if the reader goes back. watches: whether they only watch."""

    DEFAULT_CSS = """
    JoinScreen { padding: 1 2 0 2; }
    JoinScreen .title { text-style: bold; height: 2; }
    JoinScreen Input { height: 1; border: none; padding: 0 1; background: $panel; max-width: 70; }
    JoinScreen Input:focus { border: none; background: $primary-muted; }
    JoinScreen #trouble { height: auto; min-height: 1; color: $text-warning; text-style: bold; }
    JoinScreen #looking { height: auto; min-height: 1; margin: 1 0 0 0; }
    JoinScreen OptionList { height: 1fr; border: none; background: $background; padding: 0; }
    JoinScreen OptionList:focus { border: none; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "back", show=False),
        Binding("down", "list", show=False),
        Binding("f1", "explain", show=False),
    ]

    def __init__(self, *, watches: bool, finder: Finder | None = None) -> None:
        super().__init__()
        self._watches = watches
        self._finder = finder
        self._targets: list[Target | None] = []
        self._looking = Static("", id="looking", markup=False)
        self._listed = OptionList(id="found")

    def compose(self) -> ComposeResult:
        """A field, and what was found."""
        yield Static(_("Watch a match") if self._watches else _("Join a game"), classes="title", markup=False)
        yield Input(placeholder=_("address, link or code"), id="where", select_on_focus=False)
        yield Static("", id="trouble", markup=False)
        yield self._looking
        yield self._listed
        yield Buttons(
            [Key("Enter", _("Go"), "go"), Key("F1", _("Keys"), "explain"), Key("Esc", _("Back"), "back")],
            classes="keys",
        )

    def on_mount(self) -> None:
        """Focuses the field and starts the search."""
        self.stands = True
        self.query_one(Input).focus()
        self._listed.display = self._finder is not None
        if self._finder is not None:
            self.run_worker(self._find(self._finder), exit_on_error=True)

    async def _find(self, finder: Finder) -> None:
        """Searches until the screen is left, so that later hosts are found. The first search shows each one at once."""
        looking = self._looking
        looking.update(_("Looking around on your network ..."))
        lines: list[Line] = []
        async for found in finder():
            lines.append(found)
            self._list(lines)
        while True:
            nothing = _("Nobody is found yet. Type the address that the host's screen shows, or wait.")
            looking.update(_("Found on your network:") if self._targets else nothing)
            await asyncio.sleep(AGAIN_S)
            self._list([found async for found in finder()])

    def _list(self, lines: Sequence[Line]) -> None:
        """Fills the list; the cursor stays on its line."""
        listed = self._listed
        if not self.stands:
            return
        at = None if listed.highlighted is None else self._targets[listed.highlighted]
        self._targets = [line.target for line in lines]
        listed.clear_options()
        listed.add_options([Option(Text(line.text), disabled=line.target is None) for line in lines])
        listed.highlighted = self._targets.index(at) if at is not None and at in self._targets else None

    def on_input_submitted(self, _event: Input.Submitted) -> None:
        """Enter in the field: takes what was typed."""
        self.action_go()

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """A line was chosen, by key or mouse."""
        target = self._targets[event.option_index]
        if target is not None:
            self.dismiss(target)

    def action_list(self) -> None:
        """Goes from the field into the list, to the first line that leads somewhere."""
        self._listed.focus()
        self._listed.action_first()

    def action_go(self) -> None:
        """Gives what was typed as the answer, or says why it can't be read."""
        typed = self.query_one(Input).value.strip()
        try:
            found = {target.url for target in self._targets if target is not None}
            self.dismiss(read_target(typed, found) if typed else Target(address.LOCAL))
        except AddressError as error:
            self.query_one("#trouble", Static).update(str(error))

    def action_back(self) -> None:
        """Leaves without an answer."""
        self.dismiss(None)

    def action_explain(self) -> None:
        """Says what can be typed."""
        self.query_one("#trouble", Static).update(
            _(
                "Type what the host gave you: an address (192.168.1.7), a link, an address and a code (192.168.1.7 "
                "ABCDEF). Nothing means the server of this machine."
            )
        )
