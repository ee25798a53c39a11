"""Forms: rows that ask for something. Up and down go from row to row, left and right choose.

A form shows its keys in its last lines. Enter on any row gives the answer, Escape gives none.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, ClassVar, NamedTuple

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, VerticalScroll
from textual.screen import Screen
from textual.strip import Strip
from textual.widget import Widget
from textual.widgets import Input, Static

from client.tui.widgets.buttons import Buttons, Key
from locales import _
from terminal.text import cells_wide

LABEL_WIDTH = 17

_LOW = 20
"""With fewer lines than this, rows have no space between them."""


class Option(NamedTuple):
    """Something that can be chosen: what it is called, and what it stands for."""

    text: str
    value: Any


class Choice(Widget, can_focus=True):
    """Offers options side by side; shows only the chosen one, between arrows, if there is no room for all."""

    DEFAULT_CSS = "Choice { height: 1; width: 1fr; }"
    ALLOW_SELECT = False
    BINDINGS: ClassVar[list[BindingType]] = [  # not `on_key`: Enter, a binding of the form, would overtake it
        Binding("right,l,space", "step(1)", show=False),
        Binding("left,h", "step(-1)", show=False),
    ]

    def __init__(
        self,
        options: Sequence[Option],
        chosen: int = 0,
        *,
        changed: Callable[[Choice], None],
        id: str | None = None,  # noqa: A002
    ) -> None:
        """changed: told at once of each change, before the next key is read."""
        super().__init__(id=id)
        self._changed = changed
        self._options = tuple(options)
        self._chosen = min(chosen, len(options) - 1)

    @property
    def value(self) -> Any:
        """What is chosen."""
        return self._options[self._chosen].value

    def offer(self, options: Sequence[Option], chosen: int = 0) -> None:
        """Other options from now on."""
        self._options, self._chosen = tuple(options), chosen
        self.refresh()

    def choose(self, value: Any) -> None:
        """Chooses the option that stands for `value`, if there is one."""
        values = [option.value for option in self._options]
        if value in values:
            self._take(values.index(value))

    def render_line(self, y: int) -> Strip:
        """The options."""
        ground = self.rich_style
        if y:
            return Strip.blank(self.size.width, ground)
        segments: list[Segment] = []
        at = 0
        for start, number, text in self._placed():
            segments.append(Segment(" " * (start - at), ground))
            is_chosen = number == self._chosen
            style = Style(reverse=self.has_focus, bold=True, underline=not self.has_focus) if is_chosen else Style()
            segments.append(Segment(text, ground + style))
            at = start + cells_wide(text)
        return Strip(segments).adjust_cell_length(self.size.width, ground)

    def on_key(self, event: events.Key) -> None:
        """In a row of numbers, digits choose."""
        texts = [option.text for option in self._options]
        if event.character is not None and event.character.isdigit() and event.character in texts:
            self._take(texts.index(event.character))
            event.stop()

    def action_step(self, by: int) -> None:
        """Chooses the next option, or the one before."""
        self._take((self._chosen + by) % len(self._options))

    def on_click(self, event: events.Click) -> None:
        """An option is clicked, or an arrow."""
        for start, number, text in self._placed():
            if start <= event.x < start + cells_wide(text):
                self._take(number % len(self._options))

    def on_focus(self) -> None:
        """Shows that keys go here."""
        self.refresh()

    def on_blur(self) -> None:
        """Shows that they don't."""
        self.refresh()

    def _take(self, number: int) -> None:
        if number != self._chosen:
            self._chosen = number
            self.refresh()
            self._changed(self)

    def _placed(self) -> list[tuple[int, int, str]]:
        """For each text: the column where it begins, the option that it leads to, the text itself."""
        texts = [f" {option.text} " for option in self._options]
        if sum(map(cells_wide, texts)) <= self.size.width:
            starts = [sum(map(cells_wide, texts[:number])) for number in range(len(texts))]
            return [(start, number, text) for number, (start, text) in enumerate(zip(starts, texts, strict=True))]
        text, arrow = texts[self._chosen], 2
        return [
            (0, self._chosen - 1, "< "),
            (arrow, self._chosen, text),
            (arrow + cells_wide(text), self._chosen + 1, " >"),
        ]


class Row(NamedTuple):
    """A row of a form: its name, its question, and its options; or, for a field to type in, the text to begin with."""

    name: str
    label: str
    options: tuple[Option, ...] = ()
    chosen: int = 0
    text: str = ""
    hint: str = ""


class FormScreen(Screen[dict[str, Any]]):
    """Asks for `rows` under a title; the answer has a value for each name, None if the reader goes back.

    trouble: what was wrong with the last answer. changed: told of each change, to adapt other rows.
    """

    DEFAULT_CSS = f"""
    FormScreen {{ padding: 1 2 0 2; }}
    FormScreen .title {{ text-style: bold; height: 2; }}
    FormScreen VerticalScroll {{ height: 1fr; scrollbar-size: 0 0; }}
    FormScreen .row {{ height: 2; }}
    FormScreen.low .row {{ height: 1; }}
    FormScreen .label {{ width: {LABEL_WIDTH}; height: 1; }}
    FormScreen Input {{ height: 1; border: none; padding: 0 1; background: $panel; width: 1fr; max-width: 60; }}
    FormScreen Input:focus {{ border: none; background: $primary-muted; }}
    FormScreen #trouble {{ height: auto; color: $text-warning; text-style: bold; }}
    FormScreen #explained {{ height: auto; display: none; }}
    FormScreen.explaining #explained {{ display: block; }}
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "back", show=False),
        Binding("enter", "submit", show=False),
        Binding("down,j", "app.focus_next", show=False),
        Binding("up,k", "app.focus_previous", show=False),
        Binding("f1,question_mark", "explain", show=False),
    ]

    def __init__(
        self,
        title: str,
        rows: Sequence[Row],
        *,
        begin: str,
        trouble: str = "",
        changed: Callable[[FormScreen, str], None] | None = None,
    ) -> None:
        super().__init__()
        self._title, self._rows, self._begin, self._trouble = title, tuple(rows), begin, trouble
        self._changed = changed

    def compose(self) -> ComposeResult:
        """The title, the rows, the keys."""
        yield Static(self._title, classes="title", markup=False)
        yield Static(self._trouble, id="trouble", markup=False)
        with VerticalScroll(can_focus=False):
            for row in self._rows:
                with Horizontal(classes="row"):
                    yield Static(row.label, classes="label", markup=False)
                    if row.options:
                        yield Choice(row.options, row.chosen, changed=self._adapt, id=row.name)
                    else:
                        yield Input(row.text, placeholder=row.hint, id=row.name)
            yield from self.compose_more()
            yield Static(_explained(), id="explained", markup=False)
        yield Buttons(
            [Key("Enter", self._begin, "submit"), Key("F1", _("Keys"), "explain"), Key("Esc", _("Back"), "back")],
            classes="keys",
        )

    def compose_more(self) -> ComposeResult:
        """What a form has below its rows."""
        yield from ()

    def on_mount(self) -> None:
        """The first row takes the keys."""
        self.query_one(f"#{self._rows[0].name}").focus()

    def on_resize(self) -> None:
        """In a low window rows stand close."""
        self.set_class(self.size.height < _LOW, "low")

    def row(self, name: str) -> Choice:
        """The choice of that name."""
        return self.query_one(f"#{name}", Choice)

    def values(self) -> dict[str, Any]:
        """What is chosen and typed."""
        return {row.name: self._value(row) for row in self._rows}

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Enter in a field is the answer, too."""
        event.stop()
        self.action_submit()

    def action_submit(self) -> None:
        """Gives the answer."""
        self.dismiss(self.values())

    def action_back(self) -> None:
        """Gives none."""
        self.dismiss(None)

    def action_explain(self) -> None:
        """Shows the keys, or hides them."""
        self.toggle_class("explaining")

    def _adapt(self, choice: Choice) -> None:
        """Other rows may depend on it."""
        if self._changed is not None and choice.id is not None:
            self._changed(self, choice.id)

    def _value(self, row: Row) -> Any:
        widget = self.query_one(f"#{row.name}")
        return widget.value if isinstance(widget, Choice | Input) else None


def _explained() -> str:
    return _("Up and down go from one line to the next, left and right choose; the mouse does all of it, too.")
