"""A position as characters with colours, at any size: what the board widget shows. Pure.

In colour, cells have two shades of ground, pieces are drawn in half characters, and marks are grounds of their own;
the second seat's pieces are rings, so that colour says nothing alone. Without colour, pieces are blocks and boxes (or
the game's letters, for terminals that know no others), the last move and the winning line stand in brackets, a piece
that may be taken in braces, and the cursor is reversed.
"""

from __future__ import annotations

from dataclasses import dataclass

from client.tui.drawing.layout import BoardLayout
from client.tui.drawing.palette import Ink, TerminalColours, Theme, colours_of
from client.tui.drawing.raster import Line, Sign, Span, cell_lines, lettered
from games.base import Game, Look, Piece, Position, Seat
from games.frame import Cell, signs_of

_CROSSES = ("X", "x")
_CIRCLES = ("O", "o", "0")


@dataclass(frozen=True, slots=True)
class Scene:
    """The parts of a match that are drawn.

    last: the cells of the last move. won: those that won. open_cells: where one may play. cursor, chosen: where the
    reader is, and the piece that they have taken up. way: the cells of a move that they have pressed one by one.
    """

    game: Game
    position: Position
    last: frozenset[Cell] = frozenset()
    won: frozenset[Cell] = frozenset()
    open_cells: frozenset[Cell] = frozenset()
    cursor: Cell | None = None
    chosen: Cell | None = None
    way: tuple[Cell, ...] = ()

    def holds(self, cell: Cell) -> bool:
        """Whether the reader has pressed a cell for a move that is not whole yet."""
        return cell == self.chosen or cell in self.way

    def takes(self, cell: Cell) -> bool:
        """Whether the piece that is taken up may take the piece on a cell."""
        return self.chosen is not None and cell in self.open_cells and self.position.cell(*cell) is not None

    def sign(self, cell: Cell) -> str:
        """What a notation writes for a cell."""
        x, y = cell
        return signs_of(self.position)[y * self.game.width + x]

    def piece(self, cell: Cell) -> Piece | None:
        """What stands on a cell, if that is none of the usual pieces."""
        return self.game.profile.look.piece(self.sign(cell)) if self.game.profile.look.pieces else None


def draw(scene: Scene, layout: BoardLayout, theme: Theme | None, *, ascii_only: bool = False) -> list[Line]:
    """The lines of a board, each `layout.width` characters wide; `theme` is None where there are no colours."""
    rows = _plain_rows(scene, layout, ascii_only=ascii_only) if theme is None else _coloured_rows(scene, layout, theme)
    label = Ink(theme.label if theme else None)
    left = [" " * layout.left] * (layout.size * layout.rows)
    for y, text in enumerate(layout.frame.left):
        _x, row = layout.corner((0, y))
        left[row - layout.top + (layout.size - 1) // 2] = f"{text:>{layout.left - 1}} "
    lines = [((Span(text, label), *row) if text else row) for text, row in zip(left, rows, strict=True)]
    for names, at in ((layout.frame.top, 0), (layout.frame.bottom, len(lines) + 1)):
        if names:
            lines.insert(at, (Span(_names(names, layout), label),))
    return lines


def _names(names: tuple[str, ...], layout: BoardLayout) -> str:
    """The labels of columns, each in the middle of its column."""
    line = [" "] * (layout.width + 1)
    for x, name in enumerate(names):
        at = layout.corner((x, 0))[0] + layout.size - (1 if layout.size > 1 or len(name) > 1 else 0)
        line[at : at + len(name)] = name
    return "".join(line)[: layout.width]


def _sign(scene: Scene, cell: Cell) -> Sign:
    look = scene.game.profile.look
    seat = scene.position.cell(*cell)
    if seat is None:
        if cell in scene.open_cells:
            return Sign.HINT
        return Sign.EMPTY if look.colours.hole == "transparent" else Sign.HOLE
    if look.signs:
        letter = look.ascii_glyphs[seat]
        if letter in _CROSSES:
            return Sign.CROSS
        if letter in _CIRCLES:
            return Sign.CIRCLE
    return Sign.DISC if seat is Seat.FIRST else Sign.RING


def _coloured_rows(scene: Scene, layout: BoardLayout, theme: Theme) -> list[Line]:
    colours = colours_of(scene.game.profile.look, theme)
    rows: list[list[Span]] = [[] for _ in range(layout.size * layout.rows)]
    for row in range(layout.rows):
        for column in range(layout.columns):
            cell = layout.place((column, row))
            sign = _sign(scene, cell)
            ground = _ground(scene, cell, colours, theme, (column + row) % 2)
            piece = _piece(scene, cell, sign, colours, ground)
            special = scene.piece(cell)
            dotted = layout.size > 2 and cell in scene.last and special is None
            drawn = cell_lines(sign, layout.size, ground, piece, colours.inner, dotted=dotted)
            if special is not None:
                drawn = lettered(drawn, special.drawn, _letter(sign, special, layout, colours, theme))
            for number, line in enumerate(drawn):
                rows[row * layout.size + number] += line
    return [(*row, Span(" ", Ink())) for row in rows]


def _ground(scene: Scene, cell: Cell, colours: TerminalColours, theme: Theme, shade: int) -> str:
    if cell == scene.cursor:
        return theme.cursor
    if scene.holds(cell):
        return theme.chosen
    if cell in scene.won:
        return theme.won
    if scene.takes(cell):
        return theme.taken
    return theme.last if cell in scene.last else colours.ground[shade]


def _piece(scene: Scene, cell: Cell, sign: Sign, colours: TerminalColours, ground: str) -> str:
    if sign is Sign.HINT:
        return colours.hint
    seat = scene.position.cell(*cell)
    if seat is None:
        return colours.hole or ground
    return colours.pieces[seat - 1]


def _letter(sign: Sign, special: Piece, layout: BoardLayout, colours: TerminalColours, theme: Theme) -> str:
    """The colour of what is written on a piece."""
    if special.seat is None:
        return theme.label
    is_filled = layout.size > 1 and sign in (Sign.DISC, Sign.CROSS)
    return colours.pieces[(special.seat.other if is_filled else special.seat) - 1]


def _plain_rows(scene: Scene, layout: BoardLayout, *, ascii_only: bool) -> list[Line]:
    """Rows without colours: between two cells stands a space, or the bracket of one of them."""
    rows: list[list[Span]] = [[] for _ in range(layout.size * layout.rows)]
    for row in range(layout.rows):
        cells = [layout.place((column, row)) for column in range(layout.columns)]
        for column, cell in enumerate(cells):
            before = cells[column - 1] if column else None
            mark, left = _brackets(scene, cell), _brackets(scene, before)
            ink = Ink(bold=cell in scene.won or scene.holds(cell), reverse=cell == scene.cursor)
            art = _art(scene, cell, layout.size, ascii_only=ascii_only)
            for number, text in enumerate(art):
                between = mark[0] if mark[0] != " " else left[1] if layout.size == 1 else " "
                end = "" if layout.size == 1 else mark[1]
                rows[row * layout.size + number].append(Span(f"{between}{text}{end}", ink))
        closing = _brackets(scene, cells[-1])[1] if layout.size == 1 else " "
        for number in range(layout.size):
            rows[row * layout.size + number].append(Span(closing, Ink()))
    return [tuple(row) for row in rows]


def _brackets(scene: Scene, cell: Cell | None) -> str:
    if cell is None:
        return "  "
    if scene.holds(cell):
        return "<>"
    if scene.takes(cell):
        return "{}"
    return "[]" if cell in scene.last or cell in scene.won else "  "


def _art(scene: Scene, cell: Cell, size: int, *, ascii_only: bool) -> list[str]:
    """The lines of a cell without its brackets: its text, or a block of 2 * size - 2 by size of them."""
    look = scene.game.profile.look
    seat = scene.position.cell(*cell)
    glyph = (look.ascii_glyphs if ascii_only or look.signs else look.glyphs)[seat or 0]
    if seat is None:
        glyph = "+" if cell in scene.open_cells else "." if ascii_only else "·"
    special = scene.piece(cell)
    if special is not None:
        glyph = look.cell(special.sign, ascii_only=ascii_only)
    if size == 1:
        return [glyph]
    width, middle = 2 * size - 2, (size - 1) // 2
    if seat is None:
        return [f"{glyph if number == middle else '':^{width}}" for number in range(size)]
    art = _block(seat, look, size, ascii_only=ascii_only)
    if special is not None:
        at = (width - len(glyph)) // 2
        art[middle] = art[middle][:at] + glyph + art[middle][at + len(glyph) :]
    return art


def _block(seat: Seat, look: Look, size: int, *, ascii_only: bool) -> list[str]:
    """The lines of a usual piece, in more than one of them."""
    width = 2 * size - 2
    if ascii_only or look.signs:
        glyph = look.ascii_glyphs[seat]
        return [*[glyph * width] * (size - 1), " " * width]
    if seat is Seat.FIRST:
        return ["▄" * width, *["█" * width] * (size - 2), "▀" * width]
    return [f"╭{'─' * (width - 2)}╮", *[f"│{' ' * (width - 2)}│"] * (size - 2), f"╰{'─' * (width - 2)}╯"]
