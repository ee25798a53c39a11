"""What the keys do, over the screen that asked."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

from rich.console import Group
from rich.table import Column, Table
from rich.text import Text
from textual import events
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import Static

from client.tui.widgets.buttons import Key
from games.base import Game, Labels
from locales import _


class HelpScreen(ModalScreen[None]):
    """The keys of a match of `game`; any key closes it, arrows scroll. watches: whether the reader has no seat."""

    DEFAULT_CSS = """
    HelpScreen { align: center middle; }
    HelpScreen VerticalScroll { width: 72; max-width: 100%; height: auto; max-height: 100%; padding: 1 2;
      background: $surface; }
    """
    BINDINGS: ClassVar[list[BindingType]] = []

    def __init__(self, game: Game, *, watches: bool = False) -> None:
        super().__init__()
        self._keys = watching_explained() if watches else keys_explained(game)

    def compose(self) -> ComposeResult:
        """The list."""
        with VerticalScroll():
            yield Static(self._keys)

    def on_key(self, event: events.Key) -> None:
        """Arrows scroll, all else closes."""
        if event.key not in ("up", "down", "pageup", "pagedown"):
            event.stop()
            self.dismiss()

    def on_click(self) -> None:
        """A click closes."""
        self.dismiss()


def keys_explained(game: Game) -> Group:
    """The keys of a match, a line each."""
    by_columns = game.profile.look.labels is Labels.COLUMNS
    names = game.profile.move_names
    yes = Key("y", "", "").name
    rows = [
        (_("arrows, h j k l"), _("move the cursor")),
        (_("Enter, space"), _("play at the cursor")),
        (_("mouse"), _("click where you want to play")),
        (_("1 to {last}").format(last=min(game.width, 9)), _("play in this column"))
        if by_columns
        else (_("a1 ..."), _("go to a cell by its name, like {move}; Enter plays").format(move=_example(game))),
        *([("1 2 3 ...", _("choose by name: what a pawn becomes, or a move that has no cell"))] if names else []),
        (_("n p Home End"), _("look at earlier positions; space shows them one by one")),
        ("F2", _("take your move back; after the game: play again")),
        ("F3", _("offer a draw; after the game: save it")),
        ("F4", _("give the game up")),
        ("F5", _("see the board from the other side")),
        ("F6, t", _("show where one may play, or not")),
        (_("F7, Tab"), _("say something; Esc goes back to the board")),
        ("F8", _("give your opponent 15 s more")),
        ("F9", _("after the game: what each move was worth")),
        (f"{yes}  x", _("answer yes or no")),
        ("m", _("let the terminal ring, or not")),
        (_("Esc, q"), _("leave, after a question; you don't resign")),
    ]
    return _listed(rows)


def watching_explained() -> Group:
    """The keys of those who watch a match, a line each."""
    return _listed([
        (_("n p Home End"), _("look at earlier positions; space shows them one by one")),
        ("F3", _("after the game: save it")),
        ("F5", _("see the board from the other side")),
        (_("F7, Tab"), _("say something; Esc goes back to the board")),
        ("F9", _("after the game: what each move was worth")),
        (_("Esc, q"), _("leave")),
    ])  # fmt: skip


def _listed(rows: Iterable[tuple[str, str]]) -> Group:
    table = Table.grid(Column(style="bold", no_wrap=True), Column(), padding=(0, 2, 0, 0))
    for row in rows:
        table.add_row(*row)
    return Group(table, "", Text(_("Any key closes this."), style="dim"))


def _example(game: Game) -> str:
    return game.start().legal_moves()[0]
