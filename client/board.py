"""A match drawn as text in the look of the class material: numbered columns and rows, `·`, `■` first, `□` second.

  1 2 3 4 5 6 7 8        The last move stands in brackets, and at the end the winning line; `+` is where the reader
3 · · · + · · · ·        may play. Column numbers stand on top and letters below: both "4,3" and "d3" are what one
4 · · +[■]■ · · ·        sees. A board whose moves are columns has its numbers on top only. Pure.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from client.session import MatchView
from games.base import Game, Position, Seat
from locales import _, decimal, ngettext

_LETTERS = "abcdefghij"
_RESET = "\x1b[0m"


@dataclass(frozen=True, slots=True)
class Style:
    """How to draw: `ascii` takes X O . instead of the squares, `colour` may use the terminal's colours."""

    ascii: bool = False
    colour: bool = False

    def disc(self, seat: Seat | None) -> str:
        """The sign of a cell that `seat` holds, None for nobody."""
        signs = "·■□" if not self.ascii else ".XO"
        return signs[seat or 0]

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
    in_columns = _moves_are_columns(game)
    label_width = 1 if in_columns else len(str(game.height))
    indent = " " * label_width
    lines = [indent + "".join(f"{x + 1:>2}" for x in range(game.width))]
    for y in range(game.height):
        label = indent if in_columns else f"{y + 1:>{label_width}}"
        lines.append(label + _draw_row(game, position, style, y, marked, open_cells).rstrip())
    if not in_columns:
        lines.append(indent + "".join(f" {letter}" for letter in _LETTERS[: game.width]))
    return lines


def draw_match(view: MatchView, now: float, style: Style) -> list[str]:
    """Both players with clocks and discs, then the board: the last move and, on the reader's turn, the legal ones."""
    marked: Sequence[tuple[int, int]] = ()
    if view.result is not None and view.result.cells:
        marked = view.result.cells
    elif view.last_cell is not None:
        marked = (view.last_cell,)
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
    counts = view.position.score() if view.game.id == "othello" else None
    lines: list[str] = []
    for seat, name in zip(Seat, names, strict=True):
        moves = view.status == "playing" and seat is view.to_move
        parts = [f"{'>' if moves else ' '} {style.disc(seat)} {name}{' ' * (width - cells_wide(name))}"]
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
    """Where the one to move may play; nothing if that is every empty cell or every open column, as all see anyway."""
    legal = position.legal_moves()
    empty = sum(position.cell(x, y) is None for x in range(game.width) for y in range(game.height))
    if _moves_are_columns(game) or len(legal) == empty:
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
    row = ""
    for x in range(game.width + 1):
        here, before = (x, y) in marked, (x - 1, y) in marked
        between = " " if here == before else "[" if here else "]"
        row += style.strong(between) if between != " " else between
        if x == game.width:
            break
        seat = position.cell(x, y)
        if here:
            row += style.strong(style.disc(seat))
        elif seat is None and (x, y) in open_cells:
            row += style.faint("+")
        else:
            row += style.disc(seat)
    return row


def _moves_are_columns(game: Game) -> bool:
    return game.id == "puissance4"


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
