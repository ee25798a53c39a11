"""A match drawn as text in the look of the class material: numbered columns and rows, `·`, `■` first, `□` second.

  1 2 3 4 5 6 7 8        The last move stands in brackets, and at the end the winning line; `+` is where the reader
3 · · · + · · · ·        may play. Column numbers stand on top and letters below: both "4,3" and "d3" are what one
4 · · +[■]■ · · ·        sees. What cells look like and what stands around them, the game says (`Look`). Pure.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Collection
from dataclasses import dataclass

from games.base import Game, Labels, Look, Position, Seat
from locales import _, decimal, ngettext
from view.match import MatchView

_LETTERS = "abcdefghij"
_RESET = "\x1b[0m"
_USUAL = Look()


@dataclass(frozen=True, slots=True)
class Style:
    """How to draw: `ascii` keeps to letters and dots, `colour` may use the terminal's colours."""

    ascii: bool = False
    colour: bool = False

    def disc(self, seat: Seat | None, look: Look = _USUAL) -> str:
        """The sign of a cell that `seat` holds, None for nobody."""
        return (look.ascii_glyphs if self.ascii else look.glyphs)[seat or 0]

    def strong(self, text: str) -> str:
        """`text`, to be seen first."""
        return f"\x1b[1;33m{text}{_RESET}" if self.colour else text

    def faint(self, text: str) -> str:
        """`text`, as a help in the background."""
        return f"\x1b[32m{text}{_RESET}" if self.colour else text


def draws_squares(encoding: str | None) -> bool:
    """Whether text in `encoding` may hold the discs of class material."""
    try:
        "·■□".encode(encoding or "ascii")
    except UnicodeError:
        return False
    return True


def draw_board(
    game: Game,
    position: Position,
    style: Style,
    *,
    marked: Collection[tuple[int, int]] = (),
    open_cells: Collection[tuple[int, int]] = (),
) -> list[str]:
    """The lines of the board; `marked` cells stand in brackets, `open_cells` may be played."""
    labels = game.profile.look.labels
    label_width = 1 if labels is Labels.COLUMNS else len(str(game.height))
    indent = " " * label_width
    lines: list[str] = []
    if labels is not Labels.FROM_BELOW:
        lines.append(indent + "".join(f"{x + 1:>2}" for x in range(game.width)))
    for y in range(game.height):
        number = game.height - y if labels is Labels.FROM_BELOW else y + 1
        label = indent if labels is Labels.COLUMNS else f"{number:>{label_width}}"
        lines.append(label + _draw_row(game, position, style, y, marked, open_cells).rstrip())
    if labels is not Labels.COLUMNS:
        lines.append(indent + "".join(f" {letter}" for letter in _LETTERS[: game.width]))
    return lines


def draw_match(view: MatchView, now: float, style: Style) -> list[str]:
    """Both players with clocks and discs, then the board: the last move and, on the reader's turn, the legal ones."""
    marked = view.result.cells if view.result is not None and view.result.cells else view.last_cells
    open_cells = helpful_cells(view.game, view.position) if view.my_turn else ()
    return [
        *draw_players(view, now, style),
        "",
        *(f"  {line}" for line in draw_board(view.game, view.position, style, marked=marked, open_cells=open_cells)),
    ]


def draw_players(view: MatchView, now: float, style: Style) -> list[str]:
    """One line a player: whose turn it is, the disc, the name, what it has, its clock."""
    names = [_label(view, seat) for seat in Seat]
    width = max(cells_wide(name) for name in names)
    clocks = view.clocks(now)
    look = view.game.profile.look
    counts = view.position.score() if look.counts else None
    lines: list[str] = []
    for seat, name in zip(Seat, names, strict=True):
        moves = view.status == "playing" and seat is view.to_move
        parts = [f"{'>' if moves else ' '} {style.disc(seat, look)} {name}{' ' * (width - cells_wide(name))}"]
        if counts is not None:
            parts.append(
                ngettext("{count:>2} disc ", "{count:>2} discs", counts[seat - 1]).format(count=counts[seat - 1])
            )
        if clocks is not None:
            parts.append(format_clock(clocks[seat - 1]))
        line = "   ".join(parts).rstrip()
        lines.append(style.strong(line) if moves else line)
    return lines


def helpful_cells(game: Game, position: Position) -> tuple[tuple[int, int], ...]:
    """Where the one to move may play, in a game that helps with that: in others all see it anyway."""
    legal = position.legal_moves()
    empty = sum(position.cell(x, y) is None for x in range(game.width) for y in range(game.height))
    if not game.profile.look.helps or len(legal) == empty:
        return ()
    return tuple(game.move_cell(position, move) for move in legal)


def format_clock(ms: int) -> str:
    """Time left: "1:02:03", "4:58", and with tenths under ten seconds "9.8"."""
    if ms < 10_000:
        return decimal(ms // 100 / 10, 1)
    minutes, seconds = divmod(ms // 1000, 60)
    return f"{minutes // 60}:{minutes % 60:02}:{seconds:02}" if minutes >= 60 else f"{minutes}:{seconds:02}"


def clean(text: str) -> str:
    """What others wrote, safe to show: without control, format and bidirectional characters, on one line."""
    kept = (" " if character.isspace() else character for character in text)
    return "".join(character for character in kept if character == " " or unicodedata.category(character)[0] != "C")


def cells_wide(text: str) -> int:
    """How many cells of a terminal `text` takes."""
    return sum(
        0 if unicodedata.combining(character) else 2 if unicodedata.east_asian_width(character) in "WF" else 1
        for character in text
    )


def _draw_row(
    game: Game,
    position: Position,
    style: Style,
    y: int,
    marked: Collection[tuple[int, int]],
    open_cells: Collection[tuple[int, int]],
) -> str:
    """Cells with what stands between them: a space, or a bracket where a run of marked cells begins or ends."""
    row, look = "", game.profile.look
    for x in range(game.width + 1):
        here, before = (x, y) in marked, (x - 1, y) in marked
        between = " " if here == before else "[" if here else "]"
        row += style.strong(between) if between != " " else between
        if x == game.width:
            break
        seat = position.cell(x, y)
        if here:
            row += style.strong(style.disc(seat, look))
        elif seat is None and (x, y) in open_cells:
            row += style.faint("+")
        else:
            row += style.disc(seat, look)
    return row


def _label(view: MatchView, seat: Seat) -> str:
    player = view.player(seat)
    if player is None:
        return _("(free seat)")
    name = clean(player.name)
    if seat is view.seat:
        name = _("{name} (you)").format(name=name)
    elif player.kind == "bot":
        name = _("{name} (bot)").format(name=name)
    return name if player.present or view.status == "finished" else _("{name}, away").format(name=name)
