"""The screens that choose a game to replay: one of the reader's own, a file, and a game of a file."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import ClassVar

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.screen import Screen
from textual.widgets import Input, OptionList, Static
from textual.widgets.option_list import Option

from client.people.recorded import Recorded
from client.people.replaying import about, date_of, names_of
from client.tui.widgets.buttons import Buttons, Key
from locales import _, ngettext
from terminal.text import cells_wide, clean

_KINDS = (".jsonl", ".ggf", ".txt", ".moves")
_MOST = 200


class FileScreen(Screen["Path | Recorded"]):
    """Asks for a game or a file. It lists the `kept` games, then the files of the current folder that may hold games.

    The answer is None to leave. at: the line of the list that the reader was at.
    """

    DEFAULT_CSS = """
    FileScreen { padding: 1 2 0 2; }
    FileScreen .title { text-style: bold; height: 2; }
    FileScreen Input { height: 1; border: none; padding: 0 1; background: $panel; max-width: 70; }
    FileScreen Input:focus { border: none; background: $primary-muted; }
    FileScreen #trouble { height: auto; min-height: 1; color: $text-warning; text-style: bold; }
    FileScreen OptionList { height: 1fr; border: none; background: $background; padding: 0; margin: 1 0 0 0; }
    FileScreen OptionList:focus { border: none; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "back", show=False),
        Binding("down", "app.focus_next", show=False),
        Binding("f1", "explain", show=False),
    ]

    def __init__(self, kept: Sequence[Recorded] = (), typed: str = "", trouble: str = "", at: int = 0) -> None:
        super().__init__()
        self.at = at
        self._typed, self._trouble = typed, trouble
        self._kept = tuple(kept[:_MOST])
        self._files = tuple(files_in(Path(typed).parent if typed else Path()))

    def compose(self) -> ComposeResult:
        """A field, and the files that there are."""
        yield Static(_("Look through games"), classes="title", markup=False)
        yield Input(self._typed, placeholder=_("a file: jsonl, GGF, text, or moves"), select_on_focus=False)
        yield Static(self._trouble, id="trouble", markup=False)
        yield OptionList(*(Option(line) for line in self._lines()))
        keys = [Key("Enter", _("Open"), "go"), Key("F1", _("Keys"), "explain"), Key("Esc", _("Back"), "back")]
        yield Buttons(keys, classes="keys")

    def on_mount(self) -> None:
        """Focuses the list if there are own games in it, else the field."""
        options = self.query_one(OptionList)
        if options.option_count:
            options.highlighted = min(self.at, options.option_count - 1)
        (options if self._kept and not self._typed else self.query_one(Input)).focus()

    def on_input_submitted(self, _event: Input.Submitted) -> None:
        """Enter in the field: takes what was typed."""
        self.action_go()

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """A line was chosen, by key or mouse."""
        self.at = event.option_index
        wanted: tuple[Path | Recorded, ...] = (*self._kept, *self._files)
        self.dismiss(wanted[event.option_index])

    def action_go(self) -> None:
        """Takes what was typed, or the line at the cursor."""
        typed = self.query_one(Input).value.strip()
        if typed:
            self.dismiss(Path(typed).expanduser())
        else:
            self.query_one(OptionList).action_select()

    def action_back(self) -> None:
        """Leaves without an answer."""
        self.dismiss(None)

    def action_explain(self) -> None:
        """Says what can be typed."""
        self.query_one("#trouble", Static).update(
            _(
                "Enter opens a game or a file of the list; Tab goes between the list and the field, where a file can "
                "be named. Games that you play to their end are kept (Settings); F3 saves one as a file."
            )
        )

    def _lines(self) -> Iterator[Text]:
        for recorded in self._kept:
            yield kept_line(recorded)
        for file in self._files:
            yield Text(f" {clean(str(file))}")


class GamesScreen(Screen[int]):
    """Lists the games of a file; the answer is the index of one (from 0), or None to leave."""

    DEFAULT_CSS = """
    GamesScreen { padding: 1 2 0 2; }
    GamesScreen .title { text-style: bold; height: 2; }
    GamesScreen OptionList { height: 1fr; border: none; background: $background; padding: 0; }
    GamesScreen OptionList:focus { border: none; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape,q", "back", show=False)]

    def __init__(self, file: str, found: Sequence[Recorded], chosen: int = 0) -> None:
        super().__init__()
        self._file, self._found, self._chosen = file, found, chosen

    def compose(self) -> ComposeResult:
        """The name of the file, the games, the keys."""
        count = ngettext("{file}: {count} game", "{file}: {count} games", len(self._found))
        yield Static(count.format(file=clean(self._file), count=len(self._found)), classes="title", markup=False)
        yield OptionList(*(Option(game_line(number, one)) for number, one in enumerate(self._found, 1)))
        yield Buttons([Key("Enter", _("Open"), "choose"), Key("Esc", _("Back"), "back")], classes="keys")

    def on_mount(self) -> None:
        """The list takes the keys."""
        options = self.query_one(OptionList)
        options.highlighted = self._chosen
        options.focus()

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """A game was chosen."""
        self.dismiss(event.option_index)

    def action_choose(self) -> None:
        """Takes the line at the cursor."""
        self.query_one(OptionList).action_select()

    def action_back(self) -> None:
        """Leaves without an answer."""
        self.dismiss(None)


def files_in(folder: Path) -> Iterable[Path]:
    """The files of a folder that may hold games, by their suffix; none if the folder can't be read."""
    try:
        return islice(sorted(file for file in folder.iterdir() if file.suffix.lower() in _KINDS), _MOST)
    except OSError:
        return ()


def game_line(number: int, recorded: Recorded) -> Text:
    """A line for a game of a file."""
    line = Text().append(f" {number:>3}. ", style="dim")
    line.append(names_of(recorded))
    line.append(" " * max(2, 40 - cells_wide(line.plain)))
    return line.append(about(recorded), style="dim")


def kept_line(recorded: Recorded) -> Text:
    """A line for a game that the reader has played here: the players, the game, the date."""
    line = Text(f" {names_of(recorded)}")
    line.append(" " * max(2, 30 - cells_wide(line.plain)))
    return line.append(f"{about(recorded)}  {date_of(recorded)}", style="dim")
