"""A match drawn as text in the look of the class material: numbered columns and rows, `·`, `■` first, `□` second.

  1 2 3 4 5 6 7 8        The last move stands in brackets, and at the end the winning line; `+` is where the reader
3 · · · + · · · ·        may play. Column numbers stand on top and letters below: both "4,3" and "d3" are what one
4 · · +[■]■ · · ·        sees. What cells look like and what stands around them, the game says (`Look`). Pure.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import TYPE_CHECKING

from games.base import Game, Look, Position, Seat
from games.frame import frame_of, rows_of, signs_of
from locales import _, decimal, say_of
from terminal.text import cells_wide, clean

if TYPE_CHECKING:
    from view.match import MatchView  # not needed to draw a board alone: the studio's archive has no `view`

_RESET = "\x1b[0m"
_USUAL = Look()


@dataclass(frozen=True, slots=True)
class Style:
    """How to draw: `ascii` keeps to letters and dots, `colour` may use the terminal's colours."""

    ascii: bool = False
    colour: bool = False

    def disc(self, seat: Seat | None, look: Look = _USUAL) -> str:
        """The usual piece of `seat`, None for an empty cell."""
        return (look.ascii_glyphs if self.ascii else look.glyphs)[seat or 0]

    def cell(self, sign: str, look: Look) -> str:
        """What a cell shows that a notation writes with `sign`."""
        return look.cell(sign, ascii_only=self.ascii)

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
    frame = frame_of(game)
    label_width = max((len(label) for label in frame.left), default=1)
    indent, column = " " * label_width, game.profile.look.widest + 1
    lines = [indent + "".join(f"{label:>{column}}" for label in frame.top)] if frame.top else []
    for y in range(game.height):
        label = f"{frame.left[y]:>{label_width}}" if frame.left else indent
        lines.append(label + _draw_row(game, position, style, y, marked, open_cells).rstrip())
    if frame.bottom:
        lines.append(indent + "".join(f"{label:>{column}}" for label in frame.bottom))
    return lines


def draw_position(
    game: Game, position: Position, style: Style, *, marked: Collection[tuple[int, int]] = ()
) -> list[str]:
    """The board, and below it what both seats have, in a game that counts: a position that stands alone."""
    lines = draw_board(game, position, style, marked=marked)
    counts = counts_of(game, position)
    if counts is not None:
        look = game.profile.look
        lines.append("   ".join(f"{style.disc(seat, look)} {counts[seat - 1]}" for seat in Seat))
    return lines


def counts_of(game: Game, position: Position) -> tuple[str, str] | None:
    """What each seat has: "12 discs"; None in a game that does not say so before its end."""
    counts = game.profile.look.counts
    if counts is None:
        return None
    first, second = position.score()
    return f"{first} {say_of(*counts, first)}", f"{second} {say_of(*counts, second)}"


def draw_match(view: MatchView, now: float, style: Style) -> list[str]:
    """Both players with clocks and scores, then the board: the last move and, on the reader's turn, the legal ones."""
    marked = view.result.cells if view.result is not None and view.result.cells else view.last_cells
    open_cells = helpful_cells(view.game, view.position) if view.my_turn else ()
    return [
        *draw_players(view, now, style),
        "",
        *(f"  {line}" for line in draw_board(view.game, view.position, style, marked=marked, open_cells=open_cells)),
    ]


def draw_players(view: MatchView, now: float, style: Style) -> list[str]:
    """One line a player: whose turn it is, the sign, the name, what it has, its clock."""
    names = [label(view, seat) for seat in Seat]
    width = max(cells_wide(name) for name in names)
    clocks = view.clocks(now)
    look = view.game.profile.look
    counts = counts_of(view.game, view.position)
    texts = [f"{'' if text[1:2].isdigit() else ' '}{text}" for text in counts or ()]
    lines: list[str] = []
    for seat, name in zip(Seat, names, strict=True):
        moves = view.status == "playing" and seat is view.to_move
        parts = [f"{'>' if moves else ' '} {style.disc(seat, look)} {name}{' ' * (width - cells_wide(name))}"]
        if texts:
            parts.append(texts[seat - 1].ljust(max(map(len, texts))))
        if clocks is not None:
            parts.append(format_clock(clocks[seat - 1]))
        line = "   ".join(parts).rstrip()
        lines.append(style.strong(line) if moves else line)
    return lines


def helpful_cells(game: Game, position: Position) -> tuple[tuple[int, int], ...]:
    """The cells where the player to move may play, in a game that marks them; none if every empty cell is legal."""
    legal = position.legal_moves()
    if not game.profile.look.helps or len(legal) == signs_of(position).count("-"):
        return ()
    return tuple(cells[-1] for move in legal if (cells := game.move_cells(position, move)))


def format_clock(ms: int) -> str:
    """Time left: "1:02:03", "4:58", and with tenths under ten seconds "9.8"."""
    if ms < 10_000:
        return decimal(ms // 100 / 10, 1)
    minutes, seconds = divmod(ms // 1000, 60)
    return f"{minutes // 60}:{minutes % 60:02}:{seconds:02}" if minutes >= 60 else f"{minutes}:{seconds:02}"


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
    signs, room = rows_of(game, position)[y], look.widest
    for x in range(game.width + 1):
        here, before = (x, y) in marked, (x - 1, y) in marked
        between = " " if here == before else "[" if here else "]"
        row += style.strong(between) if between != " " else between
        if x == game.width:
            break
        sign = signs[x]
        text = style.cell(sign, look)
        row += " " * (room - len(text))
        if here:
            row += style.strong(text)
        elif sign == "-" and (x, y) in open_cells:
            row += style.faint("+")
        else:
            row += text
    return row


def label(view: MatchView, seat: Seat) -> str:
    """The name of who sits there, and whether that is the reader, a program, or somebody who is away."""
    player = view.player(seat)
    if player is None:
        return _("(free seat)")
    name = clean(player.name)
    if seat is view.seat:
        name = _("{name} (you)").format(name=name)
    elif player.kind == "bot":
        name = _("{name} (bot)").format(name=name)
    return name if player.present or view.status == "finished" else _("{name}, away").format(name=name)
