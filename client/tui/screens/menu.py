"""The first screen: what can be done here, a line each."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, NamedTuple

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.screen import Screen
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from client.tui.widgets.buttons import Buttons, Key
from locales import _

_ROOMY = 60


class MenuEntry(NamedTuple):
    """A line of the menu: what it is called, and in a few words what it does."""

    name: str
    label: str
    meaning: str


class MenuScreen(Screen[str]):
    """The menu; the answer is the name of an entry, None to leave. notice: what came of the last one, if anything."""

    DEFAULT_CSS = """
    MenuScreen { padding: 1 2 0 2; }
    MenuScreen #title { height: 2; text-style: bold; }
    MenuScreen #notice { height: auto; color: $text-warning; text-style: bold; }
    MenuScreen OptionList { height: 1fr; border: none; background: $background; padding: 0; scrollbar-size: 1 1; }
    MenuScreen OptionList:focus { border: none; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q", "back", show=False),
        Binding("j", "cursor_down", show=False),
        Binding("k", "cursor_up", show=False),
        Binding("f1,question_mark", "explain", show=False),
    ]

    def __init__(self, name: str, entries: Sequence[MenuEntry], *, notice: str = "", chosen: str = "") -> None:
        super().__init__()
        self._name, self._entries, self._notice = name, tuple(entries), notice
        self._chosen = next((n for n, entry in enumerate(self._entries) if entry.name == chosen), 0)

    def compose(self) -> ComposeResult:
        """A greeting, the list, the keys."""
        yield Static(_("Arbitre: board games, {name}").format(name=self._name), id="title", markup=False)
        yield Static(self._notice, id="notice", markup=False)
        yield OptionList(id="entries")
        yield Buttons(
            [Key("Enter", _("Choose"), "choose"), Key("F1", _("Keys"), "explain"), Key("Esc", _("Quit"), "back")],
            classes="keys",
        )

    def on_mount(self) -> None:
        """The list takes the keys."""
        self._fill()
        self.query_one(OptionList).focus()

    def on_resize(self) -> None:
        """Where there is room, each line says what it does."""
        self._fill()

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """An entry was chosen, by key or mouse."""
        self.dismiss(event.option.id)

    def action_choose(self) -> None:
        """Takes the entry at the cursor."""
        self.query_one(OptionList).action_select()

    def action_cursor_down(self) -> None:
        """Goes on."""
        self.query_one(OptionList).action_cursor_down()

    def action_cursor_up(self) -> None:
        """Goes back."""
        self.query_one(OptionList).action_cursor_up()

    def action_back(self) -> None:
        """Leaves."""
        self.dismiss(None)

    def action_explain(self) -> None:
        """Says what keys do."""
        self.query_one("#notice", Static).update(
            _("Up and down choose, Enter takes it, Esc quits; the mouse does, too.")
        )

    def _fill(self) -> None:
        options = self.query_one(OptionList)
        at = self._chosen if options.highlighted is None else options.highlighted
        options.clear_options()
        width = max(len(entry.label) for entry in self._entries) + 3
        for entry in self._entries:
            line = Text(f" {entry.label:<{width}}")
            if self.size.width >= _ROOMY:
                line.append(entry.meaning, style="dim")
            options.add_option(Option(line, id=entry.name))
        options.highlighted = at
